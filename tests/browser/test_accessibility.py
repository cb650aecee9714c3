"""Each page opens from a file, without a network, and axe finds nothing in it."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tools import lab, pages

SOURCES = {
    path.relative_to(pages.NOTEBOOKS).with_suffix(".html").as_posix(): path
    for path in pages.sources()
}
# the others, from the same template, are among the slow ones
AT_ONCE = {"en/glossary.html"}
AXE = Axe()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


def written(folder, name, change=str):
    """A page in the folder, as the course makes it or with one thing broken."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(change(pages.page(SOURCES[name])), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(context):
    # narrow: what is too wide has to scroll, and the keyboard has to reach it
    offline = context.browser.new_context(offline=True, viewport={"width": 400, "height": 900})
    page = offline.new_page()
    page.set_default_timeout(1000 * lab.PATIENCE)
    yield page
    offline.close()


def findings(page, path):
    """What axe says of a page with all its folds open, and what the page asked for."""
    requests = []

    def note(request):
        requests.append(request.url)

    page.on("request", note)
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    found = {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in found}
    page.remove_listener("request", note)
    elsewhere = {url for url in requests if not url.startswith(("file:", "data:"))}
    return (
        found
        | ({"requests": elsewhere} if elsewhere else {})
        | ({"wide": wide} if wide > 0 else {})
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in AT_ONCE else pytest.mark.slow) for name in SOURCES],
)
def test_axe_finds_nothing(page, folder, name):
    assert findings(page, written(folder, name)) == {}


BROKEN = {
    "image-alt": (' alt="', ' data-was="'),
    "heading-order": ("<h2 ", "<h4 "),
    "html-has-lang": ('<html lang="en">', "<html>"),
    "color-contrast": ("color: #1a1a1a", "color: #b0b0b0"),
    "scrollable-region-focusable": (' tabindex="0"', ""),
    "wide": ("max-width: 100%", "max-width: none"),
    "requests": ("</main>", '<img alt="x" src="http://example.invalid/x.png"></main>'),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_page_is_found(page, folder, rule):
    old, new = BROKEN[rule]

    def broken(good):
        assert old in good
        return good.replace(old, new)

    assert rule in findings(page, written(folder, "en/01_encode.html", broken))
