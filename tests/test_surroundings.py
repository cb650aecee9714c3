"""Figures in a kernel whose surroundings would hide them: they show, or one line says why."""

import sys

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.language import STRINGS
from tools.notebooks import ROOT

CELLS = (
    "import matplotlib.pyplot as plt\nfrom course_utils import explorers, plots\nSTYLE",
    "fig, ax = plt.subplots()\nplots.heat_map(ax, [[0.0, 1.0], [0.5, 0.5]])\nplt.show()",
    "explorers.encode()",
)
STYLE = "plots.use_style()"
# each starts a kernel of its own
pytestmark = pytest.mark.slow
# a kernel has about sixty files open before it draws anything; what pyzmq opens for its first
# large message comes before the limit, since without it the kernel itself breaks
FEW_FILES = """\
import os, resource
from zmq.utils import garbage
garbage.gc.start()
files = len(os.listdir("/proc/self/fd")) + 1
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
"""
SETTINGS = ("text.usetex: True", "image.origin: lower")


def outputs(style=STYLE):
    """What the set-up, a figure and an explorer put out in a kernel of their own."""
    cells = [new_code_cell(cell.replace("STYLE", style)) for cell in CELLS]
    notebook = new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, allow_errors=True).execute(cwd=ROOT)
    return [cell.outputs for cell in notebook.cells]


def pictures(found):
    data = [output.get("data", {}) for output in found]
    return [each["image/png"] for each in data if "image/png" in each]


@pytest.fixture(autouse=True)
def _no_backend(monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)


@pytest.fixture(scope="module")
def usual():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MPLBACKEND", raising=False)
        return outputs()


def test_figures_are_shown(usual):
    assert [len(pictures(found)) for found in usual] == [0, 1, 1]


def test_figures_are_shown_where_the_environment_names_a_backend_without_windows(
    monkeypatch, usual
):
    monkeypatch.setenv("MPLBACKEND", "agg")
    assert pictures(outputs("")[1]) == []
    assert [*map(pictures, outputs())] == [*map(pictures, usual)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_figures_are_the_same_whatever_a_matplotlibrc_says(monkeypatch, tmp_path, usual, setting):
    (tmp_path / "matplotlibrc").write_text(setting, encoding="utf-8")
    monkeypatch.setenv("MATPLOTLIBRC", str(tmp_path / "matplotlibrc"))
    assert [*map(pictures, outputs())] == [*map(pictures, usual)]


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_where_too_few_files_can_be_opened_one_line_says_so():
    set_up, *shown = outputs(FEW_FILES + STYLE)
    assert [output["text"] for output in set_up] == [STRINGS["plot.no_files"]["en"] + "\n"]
    assert pictures(shown[0]) == []
    assert not [output for found in shown for output in found if output.output_type == "error"]
    assert "text/plain" in shown[1][0]["data"]
