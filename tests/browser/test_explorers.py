"""Every explorer moves, and stands whole on a small screen, with nothing in it cut off."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils import explorers
from tests.browser.visit import visit
from tests.test_explorers import NAMES
from tools.execute import normalise
from tools.lab import open_notebook
from tools.notebooks import dump

VIEWPORT = {"width": 1280, "height": 720}
# pixels that JupyterLab leaves for a notebook on such a screen
MOST = 600
SETUP = """\
from course_utils import explorers, plots
from course_utils.language import use_language
use_language("{}")
plots.use_style()"""
SAYS = "([view, words]) => view.querySelector('.course-status')?.innerText === words"
MEASURE = """explorer => {
    const box = explorer.getBoundingClientRect(), cut = [];
    for (const each of explorer.querySelectorAll('img, label, button, span, .widget-readout')) {
        const inner = each.getBoundingClientRect();
        if (!inner.width || !inner.height) continue;
        const clips = getComputedStyle(each).overflowX !== 'visible'
            && each.scrollWidth > each.clientWidth + 1;
        if (clips || inner.left < box.left - 1 || inner.right > box.right + 1
            || inner.top < box.top - 1 || inner.bottom > box.bottom + 1)
            cut.push(each.alt || each.innerText || each.className);
    }
    return {height: Math.round(box.height), cut};
}"""


def settings(explorer):
    """Each choice in turn, with the sliders where they start, and at both ends."""
    sliders = {name: each for name, each in explorer.controls.items() if hasattr(each, "max")}
    choices = {name: each for name, each in explorer.controls.items() if hasattr(each, "options")}
    ends = [
        {
            name: each.base ** getattr(each, end) if hasattr(each, "base") else getattr(each, end)
            for name, each in sliders.items()
        }
        for end in ("min", "max")
    ]
    turns = [{name: value} for name, each in choices.items() for _, value in each.options]
    return [end | turn for turn in turns or [{}] for end in ({}, *ends)]


def a_notebook(server, language, names=NAMES):
    """Write a notebook that shows these explorers; its path."""
    cells = [SETUP.format(language), *(f"explorers.{name}()" for name in names)]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    normalise(notebook)
    path = f"explorers-{language}.ipynb"
    (server.folder / path).write_text(dump(notebook), encoding="utf-8")
    return path


def too_large(context, server, language, style="", names=NAMES):
    """What does not fit, of these explorers in all their settings."""
    found = []
    with open_notebook(context, server, a_notebook(server, language, names)) as lab:
        lab.run_all()
        if style:
            lab.page.add_style_tag(content=style)
        for number, name in enumerate(names, start=2):
            shown = lab.page.locator(".jp-CodeCell").nth(number - 1).locator(".course-explorer")
            shown.locator("img").first.wait_for()
            for values in settings(getattr(explorers, name)()):
                said = lab.evaluate(f"[Out[{number}].set(**{values!r}), Out[{number}].summary()]")
                lab.page.wait_for_function(SAYS, arg=[shown.element_handle(), said[1]])
                measured = shown.evaluate(MEASURE)
                if measured["height"] > MOST or measured["cut"]:
                    found.append((name, values, measured))
        assert lab.problems == []
    return found


# the others move in their chapters, among the slow tests
def test_an_explorer_moves(context, server):
    assert visit(context, server, a_notebook(server, "en", ["add"])) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_explorer_stands_whole_on_a_small_screen(context, server, language):
    assert too_large(context, server, language) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "names"),
    [
        (".course-heat { --map: 500px !important }", ["add", "attend"]),
        (".course-controls .widget-label { max-width: 4em }", ["add", "compare"]),
    ],
)
def test_an_explorer_too_large_is_seen(context, server, style, names):
    assert {name for name, *_ in too_large(context, server, "en", style, names)} == {*names}
