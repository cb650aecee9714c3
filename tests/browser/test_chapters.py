"""Every notebook runs in JupyterLab, and all its explorers move.

That takes minutes; that each explorer moves is tried by `test_explorers.py` in every run.
The Chinese chapters, which have the same code, run as slides in `test_slides.py`.
"""

import pytest

from tests.browser.visit import visit
from tools.notebooks import ROOT, course_notebooks

pytestmark = pytest.mark.slow
NOTEBOOKS = [
    path.relative_to(ROOT).as_posix()
    for path in course_notebooks()
    if path.parent.name == "en" or not path.stem[0].isdigit()
]


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_nothing_goes_wrong(context, server, path):
    assert visit(context, server, path) == []
