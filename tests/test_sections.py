"""What `python -m tools.sections` sees."""

import re
import subprocess
import sys

import pytest

from tests.canaries import put, source, stdout, without_figure
from tools.notebooks import ROOT, dump, read


def together(*breakages):
    return lambda notebook: [breakage(notebook) for breakage in breakages]


FOR_SECTIONS = {
    "needs-another-section": source("check-zero", "assert", "encode(2, 8)\nassert"),
    "cannot-run-twice": source("check-zero", "assert", "new = 'new' not in dir()\nassert new and"),
    "prints-something-else": put("encode-number", outputs=[stdout("0.8423\n")]),
    "raises": source("check-zero", "== 0", "== 1"),
    "spoils-an-earlier-section": together(
        source("setup", "as np", "as np\n\nunit = 1"),
        source("encode-number", "[1, 0]", "[1, 0] * unit"),
        source("check-zero", "== 0", "== 0\nunit = 2"),
    ),
}


@pytest.fixture(scope="module")
def complaints(good, tmp_path_factory):
    """What is said of the good notebook and of the broken ones."""
    folder = tmp_path_factory.mktemp("sections")
    for name, breakage in FOR_SECTIONS.items():
        notebook = without_figure(read(good))
        breakage(notebook)
        (folder / f"{name}.ipynb").write_text(dump(notebook), encoding="utf-8")
    paths = [good, *(folder / f"{name}.ipynb" for name in FOR_SECTIONS)]
    command = [sys.executable, "-m", "tools.sections", *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 1
    return done.stderr


def test_sections_pass_the_good_notebook(complaints):
    assert "good.ipynb" not in complaints


@pytest.mark.parametrize("name", FOR_SECTIONS)
def test_sections_see(complaints, name):
    assert re.search(rf"^{name}.ipynb: cell (check-zero|encode-number),", complaints, re.MULTILINE)
