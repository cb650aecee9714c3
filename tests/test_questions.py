"""The pages of questions point to cells that exist, and both list the same."""

import re

import pytest

from course_utils.language import LANGUAGES
from tools.languages import table_rows
from tools.notebooks import NOTEBOOKS, course_notebooks, read

ANSWER = re.compile(r"(\d\d|further|handout) `([a-z0-9-]+)`")
PAGES = {
    code: table_rows((NOTEBOOKS / code / "questions.md").read_text(encoding="utf-8"))
    for code in LANGUAGES
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_answer_is_a_cell_of_its_chapter(code):
    cells = {
        (name, cell.id)
        for path in course_notebooks(NOTEBOOKS / code)
        for cell in read(path).cells
        for name in (path.stem, path.stem[:2])
    }
    assert len(PAGES[code]) > 20
    for row in PAGES[code]:
        answers = ANSWER.findall(row[-1])
        assert answers, row
        assert set(answers) <= cells, row


def test_both_pages_list_the_same():
    en, zh = (
        [
            (re.findall(r"\S+#\d+", asked), ANSWER.findall(answer))
            for asked, _, answer in PAGES[code]
        ]
        for code in LANGUAGES
    )
    assert en == zh
