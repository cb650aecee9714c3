"""One server for each worker, and one browser for each file of tests."""

import os
from collections.abc import Mapping

import pytest
from playwright.sync_api import sync_playwright

from tools import lab

NO_BROWSER = (
    "no browser: run `python -m uv run playwright install chromium`, "
    "or `apt install chromium`, or set COURSE_BROWSER to the path of one"
)


def need_browser(has: bool, environment: Mapping[str, str] = os.environ) -> None:
    """Skip a test without a browser, or fail it where COURSE_REQUIRE_BROWSER is 1."""
    if not has and environment.get("COURSE_REQUIRE_BROWSER") == "1":
        pytest.fail(NO_BROWSER, pytrace=False)
    if not has:
        pytest.skip(NO_BROWSER)


def pytest_runtest_setup(item):
    # here and not in a fixture, so that all skipped tests share one line of the summary
    if "context" in item.fixturenames:
        need_browser(lab.has_browser())


# not for the session: while playwright runs, no other test can run an event loop of its own
@pytest.fixture(scope="module")
def context(request):
    viewport = getattr(request.module, "VIEWPORT", {"width": 1280, "height": 1000})
    with sync_playwright() as playwright, lab.launch(playwright) as browser:
        yield browser.new_context(viewport=viewport)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with lab.serve(tmp_path_factory.mktemp("lab")) as server:
        yield server
