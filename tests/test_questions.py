"""The page of questions points to cells that exist."""

import re

from tools.notebooks import ROOT, course_notebooks, read

ROW = re.compile(r"(\d\d) `([a-z0-9-]+)`")


def test_each_answer_is_a_cell_of_its_chapter():
    page = (ROOT / "notebooks" / "questions.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    cells = {(path.name[:2], cell.id) for path in course_notebooks() for cell in read(path).cells}
    assert len(rows) > 20
    for row in rows:
        answers = ROW.findall(row.rsplit("|", 2)[1])
        assert answers, row
        assert set(answers) <= cells, row
