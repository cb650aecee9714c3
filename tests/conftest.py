"""Settings that all tests share."""

import tracemalloc

import matplotlib as mpl
import pytest
from hypothesis import settings
from nbformat.v4 import new_notebook

from course_utils import language, plots
from tests.canaries import good_cells
from tools import execute
from tools.notebooks import dump

# the same examples in every run, and no limit on time: two runs of a commit agree
settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    """A notebook that keeps all rules, as `python -m tools.execute` stores it."""
    path = tmp_path_factory.mktemp("good") / "good.ipynb"
    path.write_text(dump(new_notebook(cells=good_cells())), encoding="utf-8")
    execute.main([str(path)])
    return path


# how an answer is judged is the same in every language
@pytest.fixture(params=["en", pytest.param("zh", marks=pytest.mark.slow)])
def each_language(request):
    """Run a test once in each language of the course; in Chinese among the slow ones."""
    language.use_language(request.param)
    yield request.param
    language.use_language("en")


@pytest.fixture
def tracing():
    """Starts to count memory when called; a failed test does not go on counting."""
    yield tracemalloc.start
    tracemalloc.stop()


@pytest.fixture
def course_style():
    """Run a test in English and in the style of the course, and leave nothing of it behind."""
    with mpl.rc_context():
        plots.use_style()
        yield
    language.use_language("en")
