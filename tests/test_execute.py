"""What `python -m tools.execute` writes, and what `python -m tools.sections` sees."""

import base64
import io
import re
import subprocess
import sys

import pytest
from PIL import Image

from tests.canaries import cell, put, source, stdout
from tools import execute
from tools.notebooks import ROOT, dump, read

# What `python -m tools.sections` must see


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
        notebook = read(good)
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


# What `python -m tools.execute` must do


def test_executing_again_changes_no_byte(good, tmp_path):
    again = tmp_path / good.name
    again.write_bytes(good.read_bytes())
    execute.main([str(again)])
    assert again.read_bytes() == good.read_bytes()


def test_executing_normalises(good, tmp_path):
    notebook = read(good)
    for number, each in enumerate(notebook.cells):
        each.metadata.update(scrolled=True, tags=["kept"])
        if each.cell_type == "code":
            each.execution_count = 70 + number
            each.outputs = []
    notebook.metadata.update(
        kernelspec={"name": "base", "display_name": "base", "language": "python"},
        language_info={"name": "python", "version": "3.11.7"},
        widgets={"application/vnd.jupyter.widget-state+json": {"state": {}}},
    )
    path = tmp_path / good.name
    path.write_text(dump(notebook), encoding="utf-8")
    execute.main([str(path)])
    for each in notebook.cells:
        assert each.metadata.pop("tags") == ["kept"]
    clean = path.read_text(encoding="utf-8").replace(TAGS, '"metadata": {},')
    assert clean == good.read_text(encoding="utf-8")


TAGS = '"metadata": {\n    "tags": [\n     "kept"\n    ]\n   },'


def test_executing_keeps_a_picture_that_only_was_saved_otherwise(good, tmp_path):
    notebook = read(good)
    picture = cell(notebook, "fig-heatmap").outputs[0].data
    with Image.open(io.BytesIO(base64.b64decode(picture["image/png"]))) as image:
        buffer = io.BytesIO()
        image.save(buffer, "png", compress_level=1)
    picture["image/png"] = base64.b64encode(buffer.getvalue()).decode()
    path = tmp_path / good.name
    path.write_text(dump(notebook), encoding="utf-8")
    before = path.read_bytes()
    execute.main([str(path)])
    assert before != good.read_bytes()
    assert path.read_bytes() == before


def test_executing_draws_a_changed_picture_anew(good, tmp_path):
    notebook = read(good)
    source("fig-heatmap", "(4, 8)", "(6, 8)")(notebook)
    path = tmp_path / good.name
    path.write_text(dump(notebook), encoding="utf-8")
    execute.main([str(path)])
    old, new = (cell(read(each), "fig-heatmap").outputs[0].data for each in (good, path))
    assert old["image/png"] != new["image/png"]


def test_executing_stops_at_a_failing_cell_and_leaves_the_file(good, tmp_path):
    notebook = read(good)
    source("check-zero", "== 0", "== 1")(notebook)
    path = tmp_path / good.name
    path.write_text(dump(notebook), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(SystemExit, match="cell check-zero: AssertionError"):
        execute.main([str(path)])
    assert path.read_bytes() == before
