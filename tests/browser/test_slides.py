"""Every slide of every chapter in jupyterlab-slideshow: it fits a projector, and sliders work.

Every key that the teaching guide names is pressed.
"""

import json
import re
from pathlib import Path

import pytest

from tools import lab as browser_lab
from tools import slides
from tools.notebooks import ROOT, course_notebooks, dump, load

pytestmark = pytest.mark.slow
# a projector
VIEWPORT = {"width": 1280, "height": 720}
CHAPTERS = [
    path.relative_to(ROOT).as_posix() for path in course_notebooks() if path.stem[0].isdigit()
]
SHOWN = {"slide", "subslide", "fragment"}

START = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = 0;
    await Promise.all(notebook.widgets.map(cell => cell.ready));
    await jupyterapp.commands.execute('deck:start');
}"""
SIZES = """() => ['.jp-RenderedMarkdown p', '.cm-content'].map(
    part => getComputedStyle(document.querySelector('.jp-Notebook ' + part)).fontSize)"""
# one step is what the space bar does; hidden fragments keep their place, so a slide never grows
WALK = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const unseen = 'mjx-assistive-mml, details:not([open]) > :not(summary)';
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
                if (each.closest(unseen)) continue;
                if (!each.getClientRects().length) continue;
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
    begin(lab)


def begin(lab):
    lab.call(f"({START})()")
    lab.page.wait_for_selector(".jp-deck-mod-visible", state="attached")
    assert lab.page.evaluate(SIZES) == ["28px", "24px"]


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


LESSONS = [(path, 45) for path in CHAPTERS] + [(path, 90) for path in CHAPTERS if "/en/" in path]
# the shorter side of each map
MAPS = """() => [...document.querySelectorAll('.jp-deck-mod-visible .course-heat img')].map(
    map => Math.min(map.offsetWidth, map.offsetHeight))"""


@pytest.mark.parametrize(("path", "minutes"), LESSONS)
def test_lessons(context, server, path, minutes):
    notebook = slides.lesson(load(ROOT / path), minutes)
    wanted = [cell.id for slide in slides.slides(notebook) for cell in slide.cells]
    target = server.folder / path.replace(".ipynb", f"-{minutes}.ipynb")
    target.write_text(dump(notebook), encoding="utf-8")
    name = target.relative_to(server.folder).as_posix()
    with browser_lab.open_notebook(context, server, name) as lab:
        start(lab)
        walked = lab.call(f"({WALK})()")
        assert walked["stops"] == wanted
        assert walked["cut"] == []
        for explorer in (name for name in wanted if name.startswith("explorer-")):
            lab.page.evaluate(GO_TO, explorer)
            assert min(lab.page.evaluate(MAPS), default=320) >= 320
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


# keys, by the name that the guide gives them; two of them are what one does after the first
NAMES = {
    "←": "ArrowLeft",
    "→": "ArrowRight",
    "↑": "ArrowUp",
    "↓": "ArrowDown",
    "Ctrl+Shift+K": "Control+Shift+k",
    "Ctrl+B": "Control+b",
    "Ctrl+Enter": "Control+Enter",
}
FORWARD = ["Space", "→", "↓", "PageDown"]
BACK = ["Shift+Space", "←", "↑", "PageUp"]
CELL = "() => jupyterapp.shell.currentWidget.content.activeCell.model.id"
SOURCE = "() => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.source"
IS_ON = "() => document.body.dataset.jpDeckMode === 'presenting'"


def keys_of_guide(language):
    """The keys in the first column of the guide's table of keys, row by row."""
    text = (ROOT / "notebooks" / language / "guide.md").read_text(encoding="utf-8")
    table = re.search(r"^\| (?:Key|按键) \|.*?\n\n", text, re.MULTILINE | re.DOTALL)[0]
    return [re.split(", ", line.split("|")[1].strip()) for line in table.splitlines()[2:] if line]


class Stage:
    """A deck, and somebody at the keyboard."""

    def __init__(self, lab):
        self.lab, self.page = lab, lab.page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(NAMES.get(key, key))
            self.page.wait_for_timeout(200)

    def at(self):
        return self.page.evaluate(CELL)

    def go(self, name):
        self.page.evaluate(GO_TO, name)
        self.page.wait_for_function(f"name => ({CELL})() === name", arg=name)

    def click_beside(self):
        self.page.mouse.click(640, 660)
        self.page.wait_for_function("() => document.activeElement === document.body")

    def is_on(self):
        return self.page.evaluate(IS_ON)


# five steps, two of which begin a slide, and one a section
STEPS = ["change-vector", "fig-change", "fig-change-caption", "placebo-heading", "exercise-4-1"]


def press_forward(stage, key):
    stage.go(STEPS[0])
    for wanted in STEPS[1:]:
        stage.press(key)
        assert stage.at() == wanted, key


def press_back(stage, key):
    press_forward(stage, "Space")
    for wanted in STEPS[-2::-1]:
        stage.press(key)
        assert stage.at() == wanted, key


def press_contents(stage, *keys):
    opens, closes = keys
    panel = stage.page.locator(".jp-TableOfContents-content")
    stage.go("title")
    stage.press(opens)
    panel.get_by_text("Try a placebo").click()
    stage.page.wait_for_function(f"() => ({CELL})() === 'placebo-heading'")
    stage.press(closes)
    panel.wait_for(state="hidden")
    stage.press("Space")
    assert stage.at() == "exercise-4-1"


def press_run(stage, *keys):
    on, stay = keys
    for key, wanted in ((on, "fig-change"), (stay, "change-vector")):
        stage.go("change-vector")
        before = stage.lab.evaluate("len(In)")
        stage.press(key)
        stage.lab.wait_until_idle()
        assert stage.lab.evaluate("len(In)") > before, key
        assert stage.at() == wanted, key


def press_edit(stage, *keys):
    stage.go("change-vector")
    source = stage.page.evaluate(SOURCE)
    stage.press(keys[0])
    # typed, all of it: a space too
    stage.page.keyboard.type("# a b")
    stage.press(keys[1])
    assert len(stage.page.evaluate(SOURCE)) == len(source) + len("# a b")
    assert stage.is_on()
    stage.press("PageDown")
    assert stage.at() == "fig-change"


def press_leave(stage, key):
    stage.press(key)
    assert not stage.is_on()
    begin(stage.lab)
    # nothing has the focus after a click beside the text; keys work all the same
    stage.go("title")
    stage.click_beside()
    stage.press("PageDown")
    assert stage.at() == "change-heading"
    stage.go("title")
    stage.click_beside()
    stage.press(key)
    assert not stage.is_on()
    begin(stage.lab)


def press_kernel(stage, *keys):
    restart, interrupt = (key.split() for key in keys)
    stage.go("change-vector")
    stage.press(*restart, "Enter")
    stage.lab.wait_until_idle()
    stage.page.wait_for_timeout(1000)
    assert stage.lab.evaluate("'np' in globals()") is False
    stage.press(*interrupt)
    assert stage.at() == "change-vector"


def press_slider(stage, *keys):
    stage.go("explorer-compare")
    cell = stage.page.locator(".jp-Cell.jp-deck-mod-visible")
    slider = cell.get_by_role("slider").first
    slider.focus()
    for key in keys[:-1]:
        before = slider.get_attribute("aria-valuetext")
        stage.press(key)
        assert slider.get_attribute("aria-valuetext") != before, key
        assert stage.at() == "explorer-compare"
    stage.press(keys[-1])
    assert stage.at() == "explorer-look"


# a row of the guide's table, by its keys, and what is to be seen
PRESSED = {
    tuple(FORWARD): lambda stage: [press_forward(stage, key) for key in FORWARD],
    tuple(BACK): lambda stage: [press_back(stage, key) for key in BACK],
    ("Ctrl+Shift+K", "Ctrl+B"): lambda stage: press_contents(stage, "Ctrl+Shift+K", "Ctrl+B"),
    ("Shift+Enter", "Ctrl+Enter"): lambda stage: press_run(stage, "Shift+Enter", "Ctrl+Enter"),
    ("Enter", "Escape"): lambda stage: press_edit(stage, "Enter", "Escape"),
    ("Escape",): lambda stage: press_leave(stage, "Escape"),
    ("→", "PageUp", "Space"): lambda stage: press_slider(stage, "→", "PageUp", "Space"),
    ("0 0", "I I"): lambda stage: press_kernel(stage, "0 0", "i i"),
}


def test_guides_name_the_keys_that_are_pressed():
    for language in ("en", "zh"):
        assert [tuple(row) for row in keys_of_guide(language)] == list(PRESSED)


def test_keys(context, server):
    with browser_lab.open_notebook(context, server, "notebooks/en/04_compare.ipynb") as lab:
        start(lab)
        stage = Stage(lab)
        for press in PRESSED.values():
            press(stage)
