"""Every notebook, in every language, runs in JupyterLab and all its explorers move.

That takes minutes; that each explorer moves is tried by `test_explorers.py` in every run.
"""

import pytest

from tests.browser.visit import visit
from tools.notebooks import ROOT, course_notebooks

pytestmark = pytest.mark.slow
NOTEBOOKS = [path.relative_to(ROOT).as_posix() for path in course_notebooks()]


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_nothing_goes_wrong(context, server, path):
    assert visit(context, server, path) == []
