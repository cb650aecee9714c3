"""Lessons in jupyterlab-slideshow: they fit a projector, and each key of the guide is pressed."""

import re

import pytest

from tests.browser.deck import CHAPTERS, GO_TO, VIEWPORT, begin, start, walk
from tools import lab as browser_lab
from tools import slides
from tools.notebooks import ROOT, dump, load

__all__ = ["VIEWPORT"]
pytestmark = pytest.mark.slow


# a server of its own, since its settings remember that slides are on, for every notebook
@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with browser_lab.serve(tmp_path_factory.mktemp("slides")) as server:
        yield server


# each chapter once, each language and each length with some of them: what a lesson adds to the
# slides of its chapter, the next test looks at in every lesson
LESSONS = [
    ("notebooks/en/01_encode.ipynb", 90),
    ("notebooks/zh/02_add.ipynb", 45),
    ("notebooks/zh/03_attend.ipynb", 90),
    ("notebooks/en/04_compare.ipynb", 45),
    ("notebooks/en/05_beyond.ipynb", 90),
]
# the shorter side of each map
MAPS = """() => [...document.querySelectorAll('.jp-deck-mod-visible .course-heat img')].map(
    map => Math.min(map.offsetWidth, map.offsetHeight))"""


@pytest.mark.parametrize(("path", "minutes"), LESSONS)
def test_lesson(context, server, path, minutes):
    notebook = slides.lesson(load(ROOT / path), minutes)
    wanted = [cell.id for slide in slides.slides(notebook) for cell in slide.cells]
    target = server.folder / path.replace(".ipynb", f"-{minutes}.ipynb")
    target.write_text(dump(notebook), encoding="utf-8")
    name = target.relative_to(server.folder).as_posix()
    with browser_lab.open_notebook(context, server, name) as lab:
        start(lab)
        assert walk(lab) == (wanted, [])
        for explorer in (name for name in wanted if name.startswith("explorer-")):
            lab.page.evaluate(GO_TO, explorer)
            assert min(lab.page.evaluate(MAPS), default=320) >= 320
        assert lab.problems == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_votes_and_their_answers_fit(context, server, language):
    added = []
    for path in (path for path in CHAPTERS if f"/{language}/" in path):
        chapter = load(ROOT / path)
        there = {cell.id for cell in chapter.nb.cells}
        longest = slides.lesson(chapter, max(slides.LESSONS))
        added += [cell for cell in longest.cells if cell.id not in there]
    for number, cell in enumerate(added):
        cell.id = f"{number}-{cell.id}"
    target = server.folder / f"votes-{language}.ipynb"
    longest.cells = added
    target.write_text(dump(longest), encoding="utf-8")
    with browser_lab.open_notebook(context, server, target.name) as lab:
        start(lab)
        assert walk(lab) == ([cell.id for cell in added], [])
    assert len(added) > 40


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
