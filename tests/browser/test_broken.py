"""Notebooks that are broken in one way: a visit names what is wrong with each."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser.visit import visit
from tools.execute import normalise
from tools.notebooks import dump

pytestmark = pytest.mark.slow
SETUP = """\
import numpy as np
from course_utils import explorers
from course_utils.explorers.controls import slider
from course_utils.explorers.explorer import Step
from course_utils.explorers.pictures import encoding_map
heat = encoding_map("explorer.heat_map")
def step(seq_len):
    PICTURE
    return Step(f"seq_len {seq_len}", [heat.show(np.eye(shown))])
"""
EXPLORER = """\
explorers.Explorer({"seq_len": slider("encode.seq_len", 5, 100)}, step, seq_len=5)"""


def explorer(picture, more=""):
    return SETUP.replace("PICTURE", picture), EXPLORER, more


# name: the cells, and what must be said of them
BROKEN = {
    "frozen": (explorer("shown = 5"), "seq_len, ArrowRight: the picture stays as it was"),
    # only the explorer on the page is late: the kernel moves sliders and runs cells in two threads
    "late": (
        explorer(
            "shown = seq_len",
            "late, seen = _, [20]\n"
            "late._step = lambda seq_len: seen.append(seq_len) or step(seen[-2])",
        ),
        "last picture is not that of the last",
    ),
    "refused": (explorer("shown = 5 // (seq_len == 5)"), "ZeroDivisionError"),
    "callback": (
        explorer(
            "shown = seq_len",
            "def moved(change):\n    raise OSError('moved')\n"
            "_.controls['seq_len'].observe(moved, 'value')",
        ),
        "kernel error: OSError: moved",
    ),
    "tooltip": (
        explorer("shown = seq_len", "_.controls['seq_len'].tooltip = None"),
        "cell [2]: a tooltip that says nothing",
    ),
    "hidden": (
        ("from course_utils import explorers", "explorers.add();"),
        "1 in the code, 0 in outputs",
    ),
    "cell": (("raise KeyError('cell')", "1"), "kernel error: KeyError: 'cell'"),
    "warning": (("import warnings; warnings.warn('careful')",), "UserWarning: careful"),
    "javascript": (
        ("from IPython.display import Javascript", "Javascript('setTimeout(() => nowhere(), 0)')"),
        "JavaScript error: nowhere is not defined",
    ),
    "host": (
        (
            "from IPython.display import HTML",
            """HTML('<img src="http://example.invalid/x.png">')""",
        ),
        "other host: http://example.invalid/x.png",
    ),
}


def write(server, name, cells):
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells if cell])
    normalise(notebook)
    (server.folder / f"{name}.ipynb").write_text(dump(notebook), encoding="utf-8")
    return f"{name}.ipynb"


@pytest.mark.parametrize("name", BROKEN)
def test_a_visit_names_what_is_wrong(context, server, name):
    cells, wanted = BROKEN[name]
    path = write(server, name, cells)
    assert wanted in "\n".join(visit(context, server, path, patience=2))


def test_a_notebook_that_is_not_broken(context, server):
    assert visit(context, server, write(server, "good", explorer("shown = seq_len"))) == []
