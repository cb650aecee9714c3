"""JupyterLab, started by the README's own words: what it shows, and where its links lead."""

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import TimeoutError

from course_utils.language import LANGUAGES
from tools import lab
from tools.notebooks import ROOT, course_notebooks, read, without_code

README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = {
    language: re.search(rf"uv run (jupyter lab notebooks/{language}/\S+)", README)[1]
    for language in LANGUAGES
}
pytestmark = pytest.mark.slow
BOXES = ".Toastify__toast, .jp-Dialog"
OPENED = "path => jupyterapp.shell.currentWidget?.context?.path === path"
BACK = """path => {
    const {shell} = jupyterapp;
    shell.activateById([...shell.widgets('main')].find(each => each.context?.path === path).id);
}"""


def relative_links(path):
    """Words and target of a link to each other file that a notebook links to."""
    texts = [without_code(cell.source) for cell in read(path).cells if cell.cell_type == "markdown"]
    found = re.findall(r"\[([^]]+)\]\(([^)]+)\)", "\n".join(texts))
    # one link to each file: a heading in it is looked for by tests/test_languages.py
    files = {target.partition("#")[0]: (words, target) for words, target in found}
    return [files[name] for name in files if name and not re.match(r"\w+:", name)]


def lost_links(page, path, patience=lab.PATIENCE):
    """Links of an open notebook that do not open their file."""
    for words, target in relative_links(path):
        links = page.page.locator(".jp-RenderedMarkdown a").get_by_text(words, exact=True)
        heading = target.partition("#")[2]
        # of links with the same words, by their end
        ends = [unquote(each.get_attribute("href")).endswith(heading) for each in links.all()]
        links.nth(ends.index(True)).click()
        try:
            page.page.wait_for_function(
                OPENED, arg=target.partition("#")[0], timeout=1000 * patience
            )
        except TimeoutError:
            yield f"{path.name}: {words}, {target}"
            page.page.keyboard.press("Escape")
        page.page.evaluate(BACK, path.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_opens_its_file(context, tmp_path, language):
    with lab.serve(tmp_path, words=WORDS[language]) as server:
        assert server.folder.name == language
        # the Chinese notebooks have the same links (tests/test_languages.py): one of them will do
        for path in course_notebooks(server.folder)[: None if language == "en" else 1]:
            with lab.open_notebook(context, server, path.name) as page:
                assert page.problems == []
                assert list(lost_links(page, path)) == []
                assert page.page.locator(BOXES).count() == 0
                # JupyterLab's own script stumbles where tabs change quickly
                assert [each for each in page.problems if not each.startswith("console")] == []


def test_a_lost_link_and_news_are_seen(context, tmp_path):
    announcements = "@jupyterlab/apputils-extension:announcements"
    news = {"first/labconfig/page_config.json": {"disabledExtensions": {announcements: False}}}
    with lab.serve(tmp_path, news, WORDS["en"]) as server:
        path = server.folder / "02_add.ipynb"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"# ', '"# [gone](../gone.md) ', 1), encoding="utf-8")
        with lab.open_notebook(context, server, path.name) as page:
            page.page.wait_for_selector(".Toastify__toast")
            assert list(lost_links(page, path, patience=3)) == ["02_add.ipynb: gone, ../gone.md"]
