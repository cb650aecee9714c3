"""Run notebooks from top to bottom and store their outputs in one normal form.

    python -m tools.execute [NOTEBOOK ...]      (default: every notebook of the course)
    python -m tools.execute --check [NOTEBOOK ...]    runs nothing, names what is not in that form

Running it twice gives the same bytes. A chapter is there in two languages: after a change run both
files, and then `python -m tools.languages`. Cells whose pictures changed are named: look at them.
"""

import base64
import io
import sys
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image

from tools.notebooks import course_notebooks, dump, read

LIVE_VIEW = "application/vnd.jupyter.widget-view+json"
CELL_TIMEOUT = 60
# what editors leave behind; tags and slide types stay
LEFTOVERS = ("ExecuteTime", "collapsed", "execution", "jupyter", "scrolled")


def run(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in place, in a new kernel that works in `folder`."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_TIMEOUT,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    )
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            try:
                client.execute_cell(cell, index)
            except CellExecutionError as error:
                raise RuntimeError(f"cell {cell.id}: {error.ename}: {error.evalue}") from error
            except (CellTimeoutError, DeadKernelError) as error:
                raise RuntimeError(f"cell {cell.id}: {error}") from error


def normalise(notebook: NotebookNode) -> None:
    """Drop, in place, all that says when and where a notebook ran, and keep what it shows."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        for key in LEFTOVERS:
            cell.metadata.pop(key, None)
        # JupyterLab folds the stored output away until the cell runs
        if "reveal" in cell.metadata.get("tags", []):
            cell.metadata["jupyter"] = {"outputs_hidden": True}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE_VIEW, None)


def keep_equal_pictures(notebook: NotebookNode, stored: NotebookNode) -> list[str]:
    """Put back the stored bytes of pictures with equal pixels; return the cells of the others."""
    changed = []
    before = {cell.id: cell.get("outputs", []) for cell in stored.cells}
    for cell in notebook.cells:
        pairs = zip_longest(cell.get("outputs", []), before.get(cell.id, []), fillvalue={})
        for new, old in pairs:
            png, old_png = (output.get("data", {}).get("image/png") for output in (new, old))
            if png and old_png and _pixels(png) == _pixels(old_png):
                new.data["image/png"] = old_png
            elif png or old_png:
                changed.append(cell.id)
    return changed


def _pixels(png: str) -> tuple[tuple[int, int], bytes]:
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        return image.size, image.convert("RGBA").tobytes()


def execute(path: Path) -> list[str]:
    """Run one notebook and write it back; leave the file alone if a cell fails.

    Return the ids of the cells whose pictures are new.
    """
    stored, notebook = read(path), read(path)
    run(notebook, path.parent)
    normalise(notebook)
    changed = keep_equal_pictures(notebook, stored)
    path.write_text(dump(notebook), encoding="utf-8", newline="\n")
    return changed


def is_normal(path: Path) -> bool:
    """Whether a file is in the form that `execute` writes."""
    text = path.read_bytes().decode("utf-8")
    notebook = nbformat.v4.reads(text)
    normalise(notebook)
    return dump(notebook) == text


def main(arguments: list[str]) -> None:
    if any(each.startswith("-") and each != "--check" for each in arguments):
        sys.exit(__doc__)
    if "--check" in arguments:
        named = [Path(argument) for argument in arguments if argument != "--check"]
        told = [path for path in named or course_notebooks() if not is_normal(path)]
        sys.exit("\n".join(f"{path}: run `python -m tools.execute` on it" for path in told) or 0)
    for path in [Path(argument) for argument in arguments] or course_notebooks():
        try:
            changed = execute(path)
        except (OSError, RuntimeError) as error:
            sys.exit(f"{path}: {error}")
        print(f"{path}: look at {', '.join(changed)}" if changed else path)


if __name__ == "__main__":
    main(sys.argv[1:])
