"""Where the browser comes from, and what a machine without one is told."""

import os

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import need_browser
from tests.browser.test_explorers import a_notebook
from tools import lab


def test_without_a_browser_tests_are_skipped_and_told_how_to_get_one():
    need_browser(True, {"COURSE_REQUIRE_BROWSER": "1"})
    with pytest.raises(pytest.skip.Exception, match="playwright install chromium"):
        need_browser(False, {})


def test_a_required_browser_that_is_missing_is_a_failure():
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        need_browser(False, {"COURSE_REQUIRE_BROWSER": "1"})


def test_a_browser_that_is_not_there_is_noticed(monkeypatch):
    monkeypatch.setenv("COURSE_BROWSER", "/no/browser/here")
    assert not lab.has_browser.__wrapped__()


def test_an_installed_browser_is_found(tmp_path):
    # Windows looks for names that end so
    end = ".EXE" if os.name == "nt" else ""
    for name in ("google-chrome", "chromium"):
        (tmp_path / f"{name}{end}").touch(mode=0o755)
    assert lab.find_browser({"PATH": str(tmp_path)}) == str(tmp_path / f"chromium{end}")
    named = {"PATH": str(tmp_path), "COURSE_BROWSER": "/opt/chrome"}
    assert lab.find_browser(named) == "/opt/chrome"
    assert lab.find_browser({"PATH": ""}) is None


# rough use of a notebook

CELL = "jupyterapp.shell.currentWidget.content"
SAID = (
    "There is no `np` yet: first run the cell under “Set up” that starts with "
    "`import matplotlib.pyplot as plt`."
)


def run_cell(page, cell_id):
    """Run one cell, and wait for its end, as a learner does who starts in the middle."""
    page.call(
        f"Promise.resolve({CELL}.activeCellIndex = {CELL}.widgets.findIndex("
        f"cell => cell.model.id === '{cell_id}'))"
    )
    page.call("jupyterapp.commands.execute('notebook:run-cell')")
    page.wait_until_idle()


@pytest.mark.slow
def test_a_cell_run_too_early_says_which_one_comes_first(context, server):
    with lab.open_notebook(context, server, "notebooks/en/01_encode.ipynb") as page:
        for _ in ("once", "after a restart"):
            run_cell(page, "encode-loop")
            shown = page.page.locator("[data-mime-type='application/vnd.jupyter.stderr']")
            expect(shown).to_have_text([SAID])
            run_cell(page, "setup")
            run_cell(page, "encode-loop")
            expect(shown).to_have_count(0)
            page.call(f"{lab.KERNEL}.restart()")
            page.wait_until_idle()
        # after a restart the debugger warns in the log
        wanted = "kernel error: NameError: name 'np' is not defined"
        assert [each for each in page.problems if not each.startswith("stderr: ")] == [wanted] * 2


@pytest.mark.slow
def test_a_notebook_open_in_two_pages_moves_in_both(context, server):
    path = a_notebook(server, "en", ["encode"])
    with (
        lab.open_notebook(context, server, path) as first,
        lab.open_notebook(context, server, path) as second,
    ):
        process = "__import__('os').getpid()"
        assert first.evaluate(process) == second.evaluate(process)
        first.run_all()
        second.run_all()
        for page in (first, second, first):
            picture = page.page.locator(".course-view img").first
            before = picture.get_attribute("src")
            page.page.get_by_role("slider").first.press("ArrowRight")
            page.page.wait_for_function(
                "before => document.querySelector('.course-view img').src !== before", arg=before
            )
        # each page hears of the comms of the other, and says so to the log and to nobody else
        unknown = ("stderr: No such comm", "console error: Comm not found")
        problems = first.problems + second.problems
        assert [each for each in problems if not each.startswith(unknown)] == []
