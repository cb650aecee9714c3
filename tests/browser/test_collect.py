"""The page of a class in a browser: axe finds nothing, and what students wrote does nothing."""

import pytest

from course_utils.collect import report
from course_utils.collect.submissions import Row
from course_utils.language import LANGUAGES, use_language
from tests.browser.test_accessibility import findings, page  # noqa: F401
from tests.test_collect import SCRIPT

ROWS = [
    Row("a", "1.2", "incorrect", "halves", "`x` " + SCRIPT, f"my_row_zero = {SCRIPT!r}"),
    Row(SCRIPT, "1.2", "incorrect", "halves", "`" + SCRIPT, f"f'{SCRIPT}"),
    Row("b", "1.2", "incorrect", "x</code><script>window.ran=1</script>", "</style>" + SCRIPT),
    Row("c", "1.2", "correct", "", "ok"),
    Row("d", "3.3", "not attempted", "not_attempted", "a"),
    Row(SCRIPT, "", "not judged", "broken", f"`{SCRIPT}.ipynb` " + SCRIPT),
]


@pytest.fixture(params=LANGUAGES)
def path(request, tmp_path):
    use_language(request.param)
    path = tmp_path / "class.html"
    path.write_text(report.page(ROWS, named=True), encoding="utf-8")
    yield path
    use_language("en")


@pytest.mark.slow
def test_axe_finds_nothing_and_nothing_runs(page, path):  # noqa: F811
    assert findings(page, path) == {}
    assert page.evaluate("window.ran") is None
    assert "onerror" in page.inner_text("body")
    # also if a browser took no notice of the policy
    bare = path.read_text(encoding="utf-8").replace("Content-Security-Policy", "x")
    path.write_text(bare, encoding="utf-8")
    page.goto(path.as_uri())
    assert page.evaluate("window.ran") is None
    # a page that does let it through is seen
    path.write_text(bare.replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"'), "utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("window.ran === 1")


@pytest.mark.slow
def test_all_of_a_bar_is_seen(page, path):  # noqa: F811
    page.goto(path.as_uri())
    widths = page.eval_on_selector_all(
        ".bar", "bars => bars.map(bar => [...bar.children].map(part => part.offsetWidth))"
    )
    assert len(widths) >= 4
    assert all(width > 10 for parts in widths for width in parts)
