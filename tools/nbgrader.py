"""Make an nbgrader assignment of a chapter: ``python -m tools.nbgrader 01_encode --out course``.

The folder gets ``source/01_encode/01_encode.ipynb`` and, if there is none, ``nbgrader_config.py``.
Answer cells can be written into, and a locked cell after each asks the check again: right or not,
for the points of its kind, but a prediction earns its point by being there. What asks for an
explanation gets a cell that a person grades. nbgrader itself is no part of the course: it is
installed beside JupyterLab where marks are needed, with the course in the same environment.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils.language import LANGUAGES
from tools.notebooks import HOME_CHAPTERS, NOTEBOOKS, dump, read

CHAPTERS = [name for name in HOME_CHAPTERS if name[0] == "0"]
# kind of an exercise, in either language, and what it is worth, as in the guide
POINTS = {"predict": 1, "预测": 1}
POINTS |= dict.fromkeys(("compute", "hunt", "design", "explain"), 2)
POINTS |= dict.fromkeys(("计算", "找错", "设计", "解释"), 2)
EXPLAIN = {"explain", "解释"}
LABEL = re.compile(r"^\*\*\w+ ?(\d\.\d)\*\*\s*[（(](\w+)")
CONFIG = """\
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions

c = get_config()
c.CourseDirectory.course_id = "positional_encoding"
# learners write in place of the dots: there is nothing to clear
c.GenerateAssignment.preprocessors = [
    each for each in GenerateAssignment.preprocessors.default() if each is not ClearSolutions
]
"""


def assignment(path: Path) -> NotebookNode:
    """Return a chapter as nbgrader's source of an assignment."""
    notebook, cells, points = read(path), [], 0
    for cell in notebook.cells:
        cells.append(cell)
        if label := LABEL.match(cell.source):
            kind = label[2]
            points = POINTS[kind]
            _mark(cell, locked=True)
            if kind in EXPLAIN:  # the fold holds an answer
                cell.source = re.sub(r"<details>.*?</details>\s*", "", cell.source, flags=re.DOTALL)
                answer = new_markdown_cell("…", id=f"{cell.id}-answer")
                cells.append(_mark(answer, solution=True, grade=True, points=points))
        elif cell.id == "setup":
            _mark(cell, locked=True)
        elif re.fullmatch(r"exercise-\d-\d-answer", cell.id):
            _mark(cell, solution=True)
            call = cell.source.splitlines()[-1]
            found = '!= "not attempted"' if points == 1 else '== "correct"'
            test = f"feedback = {call}\nassert feedback.state {found}, feedback"
            test = new_code_cell(test, id=cell.id.replace("answer", "test"))
            cells.append(_mark(test, grade=True, locked=True, points=points))
    notebook.cells = cells
    return notebook


def _mark(cell: NotebookNode, points: int | None = None, **roles: bool) -> NotebookNode:
    """Give a cell its role."""
    of = {"grade": False, "solution": False, "locked": False, "task": False} | roles
    of |= {"grade_id": cell.id, "schema_version": 3} | ({"points": points} if points else {})
    cell.metadata["nbgrader"] = of
    return cell


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.nbgrader")
    parser.add_argument("chapters", nargs="+", choices=CHAPTERS)
    parser.add_argument("--out", type=Path, required=True, help="the folder of nbgrader's course")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    chosen = parser.parse_args(arguments)
    for name in chosen.chapters:
        path = chosen.out / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        words = dump(assignment(NOTEBOOKS / chosen.language / f"{name}.ipynb"))
        path.write_text(words, encoding="utf-8", newline="\n")
        print(path)
    config = chosen.out / "nbgrader_config.py"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8", newline="\n")
        print(config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
