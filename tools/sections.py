"""Run each section of a notebook by itself: it needs the set-up cell, and nothing else.

    python -m tools.sections NOTEBOOK ...

Each section runs in a new namespace, every cell twice before the next one.
After that, all sections run in one namespace, the last one first.
Each time a cell must print what is stored: only then can a learner start anywhere, and go back.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode

from tools.notebooks import load, printed


def complaints(path: Path) -> Iterator[str]:
    notebook = load(path)
    shell = InteractiveShell.instance(colors="nocolor")
    setup = [cell for cell in notebook.code if cell.id == "setup"]
    os.chdir(path.parent)
    sections = notebook.sections()
    alone = [[*setup, *(cell for cell in section for _ in range(2))] for section in sections]
    backwards = [*setup, *(cell for section in reversed(sections) for cell in section)]
    for cells in [*alone, backwards]:
        shell.reset()
        for cell in cells:
            complaint = run(shell, cell)
            if complaint:
                order = (
                    "all sections, last one first" if cells is backwards else "its section alone"
                )
                yield f"{path.name}: cell {cell.id}, {order}: {complaint}"
                break


def run(shell: InteractiveShell, cell: NotebookNode) -> str | None:
    with capture_output() as captured:
        result = shell.run_cell(cell.source, silent=True)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    error = result.error_before_exec or result.error_in_exec
    if error:
        return f"{type(error).__name__}: {error}"
    if captured.stdout != printed(cell):
        return f"printed\n{captured.stdout}instead of\n{printed(cell)}"
    return None


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    sys.exit("\n".join(each for path in paths for each in complaints(path)) or None)
