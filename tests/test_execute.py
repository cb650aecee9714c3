"""What `python -m tools.execute` writes."""

import base64
import io

import pytest
from PIL import Image

from tests.canaries import cell, source, without_figure
from tools import execute
from tools.notebooks import dump, read


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


def saved_otherwise(png):
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        buffer = io.BytesIO()
        image.save(buffer, "png", compress_level=1)
    return base64.b64encode(buffer.getvalue()).decode()


def test_a_picture_that_only_was_saved_otherwise_is_kept(good):
    notebook, stored = read(good), read(good)
    picture = cell(notebook, "fig-heatmap").outputs[0].data
    before = picture["image/png"]
    picture["image/png"] = saved_otherwise(before)
    assert picture["image/png"] != before
    assert execute.keep_equal_pictures(notebook, stored) == []
    assert picture["image/png"] == before


def test_a_changed_picture_is_drawn_anew(good):
    notebook, stored = read(good), read(good)
    picture = cell(notebook, "fig-heatmap").outputs[0].data
    with Image.open(io.BytesIO(base64.b64decode(picture["image/png"]))) as image:
        image.putpixel((0, 0), 0)
        buffer = io.BytesIO()
        image.save(buffer, "png")
    picture["image/png"] = changed = base64.b64encode(buffer.getvalue()).decode()
    assert execute.keep_equal_pictures(notebook, stored) == ["fig-heatmap"]
    assert picture["image/png"] == changed


def test_executing_stops_at_a_failing_cell_and_leaves_the_file(good, tmp_path):
    notebook = without_figure(read(good))
    source("check-zero", "== 0", "== 1")(notebook)
    path = tmp_path / good.name
    path.write_text(dump(notebook), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(SystemExit, match="cell check-zero: AssertionError"):
        execute.main([str(path)])
    assert path.read_bytes() == before


def test_an_unknown_option_is_answered_with_what_there_is():
    for asked in ("--help", "--chek"):
        with pytest.raises(SystemExit, match="--check"):
            execute.main([asked])
