"""Where the browser comes from, and what a machine without one is told."""

import pytest

from tests.browser import lab


def test_without_a_browser_tests_are_skipped_and_told_how_to_get_one():
    lab.need_browser(True, {"COURSE_REQUIRE_BROWSER": "1"})
    with pytest.raises(pytest.skip.Exception, match="playwright install chromium"):
        lab.need_browser(False, {})


def test_a_required_browser_that_is_missing_is_a_failure():
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        lab.need_browser(False, {"COURSE_REQUIRE_BROWSER": "1"})


def test_a_browser_that_is_not_there_is_noticed(monkeypatch):
    monkeypatch.setenv("COURSE_BROWSER", "/no/browser/here")
    assert not lab.has_browser.__wrapped__()


def test_an_installed_browser_is_found(tmp_path):
    for name in ("google-chrome", "chromium"):
        (tmp_path / name).touch(mode=0o755)
    assert lab.find_browser({"PATH": str(tmp_path)}) == str(tmp_path / "chromium")
    named = {"PATH": str(tmp_path), "COURSE_BROWSER": "/opt/chrome"}
    assert lab.find_browser(named) == "/opt/chrome"
    assert lab.find_browser({"PATH": ""}) is None
