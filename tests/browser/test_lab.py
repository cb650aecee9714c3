"""Where the browser comes from, and what a machine without one is told."""

import pytest
from playwright.sync_api import Error

from tests.browser import lab


class NoBrowser:
    """A playwright that finds nothing."""

    @property
    def chromium(self):
        return self

    def launch(self, **_):
        raise Error("Executable doesn't exist at /nowhere")


def test_without_a_browser_tests_are_skipped_and_told_how_to_get_one():
    with pytest.raises(pytest.skip.Exception, match="playwright install chromium"):
        lab.launch(NoBrowser(), {})


def test_a_required_browser_that_is_missing_is_a_failure():
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        lab.launch(NoBrowser(), {"COURSE_REQUIRE_BROWSER": "1"})


def test_an_installed_browser_is_found(tmp_path):
    for name in ("google-chrome", "chromium"):
        (tmp_path / name).touch(mode=0o755)
    assert lab.find_browser({"PATH": str(tmp_path)}) == str(tmp_path / "chromium")
    named = {"PATH": str(tmp_path), "COURSE_BROWSER": "/opt/chrome"}
    assert lab.find_browser(named) == "/opt/chrome"
    assert lab.find_browser({"PATH": ""}) is None
