"""Run each section of a notebook by itself: it needs the set-up cell, and nothing else.

    python -m tests.sections NOTEBOOK ...

Each section runs in a new namespace, first cell by cell, then with every cell run twice.
Each time a cell must print what is stored: only then can a learner start anywhere, and go back.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode

from tests.notebook_rules import load, printed


def complaints(path: Path) -> Iterator[str]:
    notebook = load(path)
    shell = InteractiveShell.instance(colors="nocolor")
    setup = [cell for cell in notebook.code if cell.id == "setup"]
    os.chdir(path.parent)
    for section in notebook.sections():
        shell.reset()
        for cell in [*setup, *section, *(cell for cell in section for _ in range(2))]:
            complaint = run(shell, cell)
            if complaint:
                place = f"cell {cell.id}, in the section that starts with {section[0].id}"
                yield f"{path.name}: {place}: {complaint}"
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
