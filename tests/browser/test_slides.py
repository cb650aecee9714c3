"""Every slide of every chapter in jupyterlab-slideshow: it fits a projector, and sliders work."""

import json
from pathlib import Path

import pytest

from tests.browser.deck import CHAPTERS, GO_TO, VIEWPORT, start, walk
from tools import lab as browser_lab
from tools.notebooks import ROOT

__all__ = ["VIEWPORT"]
pytestmark = pytest.mark.slow
SHOWN = {"slide", "subslide", "fragment"}


# a server of its own, since its settings remember that slides are on, for every notebook
@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with browser_lab.serve(tmp_path_factory.mktemp("slides")) as server:
        yield server


def cells_of(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["cells"]


def large(path):
    """Write a copy beside a notebook, with the projector's style in its set-up cell."""
    written = path.read_text(encoding="utf-8")
    assert written.count("use_style()") == 1
    copy = path.with_name(f"slides-{path.name}")
    copy.write_text(written.replace("use_style()", "use_style(projector=True)"), encoding="utf-8")
    return copy


@pytest.mark.parametrize("path", CHAPTERS)
def test_slides(context, server, path):
    cells = cells_of(ROOT / path)
    wanted = [cell["id"] for cell in cells if cell["metadata"]["slideshow"]["slide_type"] in SHOWN]
    copy = large(server.folder / path).relative_to(server.folder).as_posix()
    with browser_lab.open_notebook(context, server, copy) as lab:
        start(lab)
        assert walk(lab) == (wanted, [])
        explorer = f"explorer-{Path(path).stem[3:]}"
        assert explorer in wanted
        lab.page.evaluate(GO_TO, explorer)
        cell = lab.page.locator(".jp-Cell.jp-deck-mod-visible")
        picture = cell.locator(".course-view img").last
        before = picture.get_attribute("src")
        # a click on the line moves the handle there
        slider = cell.locator(".noUi-target").first
        size = slider.bounding_box()
        slider.click(position={"x": size["width"] * 0.9, "y": size["height"] / 2})
        lab.page.wait_for_function(
            "([picture, before]) => picture.src !== before || !picture.isConnected",
            arg=[picture.element_handle(), before],
        )
        assert cell.locator(".course-view img").last.get_attribute("src") != before
        assert lab.problems == []


def test_a_slide_too_long_is_seen(context, server):
    path = server.folder / "notebooks" / "long.ipynb"
    notebook = json.loads((ROOT / CHAPTERS[0]).read_text(encoding="utf-8"))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"][:12]
    for cell in notebook["cells"][1:]:
        cell["metadata"]["slideshow"] = {"slide_type": "fragment"}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with browser_lab.open_notebook(context, server, "notebooks/long.ipynb") as lab:
        start(lab)
        assert walk(lab)[1]
