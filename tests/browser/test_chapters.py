"""Every English notebook runs in JupyterLab, and all its explorers move.

The Chinese chapters, which have the same code, run as slides in `test_slides.py`.
"""

import pytest

from tests.browser.visit import visit
from tools.notebooks import ROOT, course_notebooks

pytestmark = pytest.mark.slow
NOTEBOOKS = [path.relative_to(ROOT).as_posix() for path in course_notebooks(ROOT / "notebooks/en")]


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_nothing_goes_wrong(context, server, path):
    assert visit(context, server, path) == []
