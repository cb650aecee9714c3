"""Every slide of every chapter in jupyterlab-slideshow: it fits a projector, and sliders work."""

import json
from pathlib import Path

import pytest

from tools import lab as browser_lab
from tools.notebooks import ROOT, course_notebooks

pytestmark = pytest.mark.slow
# a projector
VIEWPORT = {"width": 1280, "height": 720}
CHAPTERS = [
    path.relative_to(ROOT).as_posix() for path in course_notebooks() if path.stem[0].isdigit()
]
SHOWN = {"slide", "subslide", "fragment"}

# the slides come first: starting them switches presentation mode off
START = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = 0;
    await Promise.all(notebook.widgets.map(cell => cell.ready));
    await jupyterapp.commands.execute('deck:start');
}"""
PROJECT = """async () => {
    if (!document.querySelector('#main.jp-mod-presentationMode'))
        await jupyterapp.commands.execute('application:toggle-presentation-mode');
    return getComputedStyle(document.querySelector('.jp-Notebook .jp-RenderedMarkdown')).fontSize;
}"""
# one step is what the space bar does; hidden fragments keep their place, so a slide never grows
WALK = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const stops = [], cut = [];
    for (;;) {
        await frame(); await frame();
        const id = notebook.activeCell.model.id;
        if (stops.at(-1) === id) break;
        stops.push(id);
        const cells = notebook.widgets.filter(
            cell => cell.node.classList.contains('jp-deck-mod-onscreen'));
        if (cells[0].model.id !== id) cells.length = 0;
        for (const cell of cells) {
            for (const each of [cell.node, ...cell.node.querySelectorAll('*')]) {
                if (each.closest('mjx-assistive-mml') || !each.getClientRects().length) continue;
                const box = each.getBoundingClientRect(), style = getComputedStyle(each);
                if (!box.width || !box.height || style.visibility === 'hidden') continue;
                const scrolls = style.overflowX !== 'visible' && each.clientWidth;
                const clips = scrolls && each.scrollWidth > each.clientWidth + 1;
                if (box.top < 0 || box.bottom > innerHeight || box.right > innerWidth || clips)
                    cut.push(`${id}: ${cell.model.id}: ${each.tagName}, ${Math.round(box.bottom)}`);
            }
        }
        await jupyterapp.commands.execute('deck:go', {direction: 'down', alternate: 'forward'});
    }
    return {stops, cut};
}"""
GO_TO = """id => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
}"""


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


def start(lab):
    lab.run_all()
    assert lab.page.evaluate("() => jupyterapp.commands.hasCommand('deck:start')"), (
        "no slides: install the extra `present`"
    )
    lab.call(f"({START})()")
    lab.page.wait_for_selector(".jp-deck-mod-visible", state="attached")
    assert lab.call(f"({PROJECT})()") == "17px"


@pytest.mark.parametrize("path", CHAPTERS)
def test_slides(context, server, path):
    cells = cells_of(ROOT / path)
    wanted = [cell["id"] for cell in cells if cell["metadata"]["slideshow"]["slide_type"] in SHOWN]
    copy = large(server.folder / path).relative_to(server.folder).as_posix()
    with browser_lab.open_notebook(context, server, copy) as lab:
        start(lab)
        walked = lab.call(f"({WALK})()")
        assert walked["stops"] == wanted
        assert walked["cut"] == []
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
        assert lab.call(f"({WALK})()")["cut"]
