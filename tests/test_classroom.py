"""Faults of a room of computers: what is missing or locked is told in a sentence, or no matter.

The superuser may write everywhere; where the tests run as that, `setpriv` takes this right away.
"""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

from course_utils import explorers, plots
from course_utils.explorers import explorer as engine
from course_utils.language import STRINGS, text
from tools.execute import LIVE_VIEW
from tools.notebooks import ROOT, course_notebooks

RUN_CELLS = """
import json, sys
from pathlib import Path
cells = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["cells"]
space = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), space)
        space.get("plt") and space["plt"].close("all")
print(sys.modules["course_utils"].__file__)
"""
TRY_TO_WRITE = """
import sys
from pathlib import Path
for folder in sys.argv[1:]:
    try:
        Path(folder, "left").write_text("something", encoding="utf-8")
    except OSError:
        print("refused")
"""
WITHOUT_THE_COURSE = """
import json, sys
from pathlib import Path

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == "course_utils":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
for path in sys.argv[1:]:
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    first = next(cell for cell in cells if cell["cell_type"] == "code")
    try:
        exec("".join(first["source"]), {})
    except ModuleNotFoundError as error:
        print(first["id"], error)
"""
WITHOUT_FONTS = """
from importlib import metadata
from matplotlib import font_manager

def distribution(name, real=metadata.distribution):
    if name == "zhplot":
        raise metadata.PackageNotFoundError(name)
    return real(name)

metadata.distribution = distribution
manager = font_manager.fontManager
manager.ttflist = [font for font in manager.ttflist if font.name == "DejaVu Sans"]
"""


def run_bound(code, *arguments, cwd, **variables):
    """Run as somebody whom the modes of files bind."""
    prefix = []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("the superuser runs the tests, and there is no setpriv")
        prefix = ["setpriv", "--bounding-set=-all"]
    env = {**os.environ, "MPLBACKEND": "agg", "PYTHONUTF8": "1", **variables}
    command = [*prefix, sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, encoding="utf-8", timeout=120
    )


@pytest.fixture
def locked(tmp_path):
    """A course in which nobody may write, with a home folder in which nobody may write."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "course_utils", tmp_path / "course" / "course_utils", ignore=ignored)
    shutil.copytree(ROOT / "notebooks" / "en", tmp_path / "course" / "notebooks", ignore=ignored)
    (tmp_path / "home").mkdir()
    places = sorted(tmp_path.rglob("*"))
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    yield tmp_path
    for place in places:
        place.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="folders have no such mode on Windows")
def test_a_chapter_runs_where_nothing_may_be_written(locked):
    course, home = locked / "course", locked / "home"
    folders = [course / "course_utils", course / "notebooks", home]
    tried = run_bound(TRY_TO_WRITE, *folders, cwd=course)
    assert tried.stdout.split() == ["refused"] * 3
    own = {"HOME": str(home), "PYTHONPATH": str(course), "MPLCONFIGDIR": str(home / "mpl")}
    path = course / "notebooks" / "03_attend.ipynb"
    done = run_bound(RUN_CELLS, path, cwd=path.parent, **own)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == str(course / "course_utils" / "__init__.py")
    # Matplotlib's own words, once: it takes a temporary folder for its cache
    assert "Matplotlib created a temporary cache directory" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_without_the_course_each_notebook_stops_in_its_set_up_cell(tmp_path):
    """Nothing of ours can speak here: the line that stops must be the one about the course."""
    notebooks = course_notebooks()
    done = run_bound(WITHOUT_THE_COURSE, *notebooks, cwd=tmp_path)
    assert done.stdout.splitlines() == ["setup No module named 'course_utils'"] * len(notebooks)


@pytest.mark.slow
def test_without_the_chinese_font_one_sentence_says_so(tmp_path):
    path = ROOT / "notebooks" / "zh" / "03_attend.ipynb"
    done = run_bound(WITHOUT_FONTS + RUN_CELLS, path, cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count(STRINGS["plot.no_font"]["zh"]) == 1
    assert done.stderr == ""


# sliders


@pytest.fixture
def room(monkeypatch):
    """Whatever is told once has not been told yet."""
    engine._say_still.cache_clear()
    yield monkeypatch
    engine._say_still.cache_clear()


def hide(monkeypatch, *names):
    find_spec = importlib.util.find_spec

    def find(name, package=None):
        return None if name in names else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)


def test_an_explorer_moves_here(room, capsys):
    assert LIVE_VIEW in explorers.encode()._repr_mimebundle_()
    # in an environment without JupyterLab the page brings what it needs
    hide(room, "jupyterlab", "jupyterlab_widgets")
    assert LIVE_VIEW in explorers.encode()._repr_mimebundle_()
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("course_style")
@pytest.mark.usefixtures("each_language")
@pytest.mark.parametrize("fault", ["old ipywidgets", "no jupyterlab_widgets"])
def test_an_explorer_that_cannot_move_says_why_once(room, capsys, fault):
    plots.use_style()
    if fault == "old ipywidgets":
        room.setattr(engine.widgets, "__version__", "7.8.5")
    else:
        hide(room, "jupyterlab_widgets")
    for make in (explorers.encode, explorers.add, explorers.attend, explorers.compare):
        assert make()._repr_mimebundle_().keys() == {"image/png", "text/plain"}
    assert capsys.readouterr().out == text("explorer.still") + "\n"
