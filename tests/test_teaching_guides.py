"""The guides for teachers: links lead somewhere, the minutes add up, and both say the same."""

import re

import pytest
from nbformat.v4 import new_markdown_cell

from tests.links import dead_links
from tests.notebook_rules import printed_numbers, quoted_numbers
from tools.languages import (
    LINK,
    glossary,
    headings_as_shown,
    inline_code,
    numbers,
    sizes,
    wrong_words,
)
from tools.notebooks import (
    NOTEBOOKS,
    course_notebooks,
    load,
    shown,
    without_code_and_formulas,
)
from tools.slides import LESSONS, guided, lesson, slides, total

GUIDES = ("en", "zh")
CHAPTERS = [path for path in course_notebooks(NOTEBOOKS / "en") if path.stem[0].isdigit()]
CELL_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+|setup")


def read_guides(folder=NOTEBOOKS):
    return {code: (folder / code / "guide.md").read_text(encoding="utf-8") for code in GUIDES}


def as_cell(text):
    return new_markdown_cell(text)


def chapter_sections(text):
    """The sections of the five chapters, in order: those that hold a table of minutes."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return [part for part in parts if re.search(r"\| 45 \| 90 \|", part)]


def rows(section):
    """Cells of each row of its tables, without the two lines on top."""
    found = [line.strip().strip("|").split(" | ") for line in section.splitlines() if "|" in line]
    return [[cell.strip() for cell in row] for row in found if not row[0].startswith("---")][1:]


def lost_cells(text, language):
    """Cells that a chapter's section names and that its notebook lacks."""
    for path, section in zip(CHAPTERS, chapter_sections(text), strict=True):
        chapter = load(NOTEBOOKS / language / path.name)
        ids = {cell.id for cell in chapter.nb.cells}
        for name in inline_code(as_cell(section)):
            if CELL_NAME.fullmatch(name) and name not in ids:
                yield f"{path.stem}: no cell {name}"


def misplaced_cells(text, language):
    """Rows whose cell stands in another section than the one that the row links to."""
    for path, section in zip(CHAPTERS, chapter_sections(text), strict=True):
        # the first line is the title's, and no section's
        for part, *_, then in rows(section)[1:]:
            heading, inside = None, {}
            for cell in load(NOTEBOOKS / language / path.name).nb.cells:
                for level, title in headings_as_shown(cell):
                    heading = title if level == 2 else heading
                inside[cell.id] = heading
            title, link = re.match(r"\[(.*)\]\((.*)\)", part).groups()
            cell = re.match(r"`(.*?)`", then)[1]
            if f"{path.name}#{title.replace(' ', '-')}" != link:
                yield f"{path.stem}: {title} leads to {link}"
            # the closing part sends home with an exercise, which stands in its own section
            if inside.get(cell) != title and not cell.startswith("exercise-"):
                yield f"{path.stem}: {cell} is not in {title}"


def wrong_minutes(text):
    """Lines of the plan that are not what `python -m tools.slides --guide` counts."""
    language = "en" if "## Chapter 1" in text else "zh"
    counted = guided(text, language).splitlines()
    yield from (line for line, new in zip(text.splitlines(), counted, strict=True) if line != new)
    for path, section in zip(CHAPTERS, chapter_sections(text), strict=True):
        for column, minutes in enumerate(LESSONS, start=1):
            listed = sum(float(row[column]) for row in rows(section))
            needed = total(slides(lesson(load(NOTEBOOKS / language / path.name), minutes)))
            if listed != needed:
                yield f"{path.stem}: parts of {listed} minutes, slides of {needed}"


def unprinted_numbers(text, language):
    """Decimal fractions and percentages that the chapter does not print."""
    for path, section in zip(CHAPTERS, chapter_sections(text), strict=True):
        code = load(NOTEBOOKS / language / path.name).code
        values = [value for cell in code for value in printed_numbers(shown(cell))]
        section = re.sub(r"\| [\d.]+ \| [\d.]+ \|", "", section)  # minutes
        for number in quoted_numbers(without_exercises(section)):
            if not any(number.matches(value) for value in values):
                yield f"{path.stem}: no output shows {number.text}"


def without_exercises(text):
    """Without the numbers of exercises, also in a row such as *1.3 to 1.7*, and the threshold."""
    text = re.sub(r"\b[1-5]\.[1-7](?![\d%])", " ", text)
    return re.sub(r"(?<![\d.])0\.1(?!\d)", " ", text)


def differences(en, zh):
    """What one guide has and the other lacks: headings, tables, lists, numbers, code, links."""
    ours, theirs = as_cell(en), as_cell(zh)
    levels = [[level for level, _ in headings_as_shown(cell)] for cell in (ours, theirs)]
    if levels[0] != levels[1]:
        yield f"headings: {levels}"
    parts = [re.split(r"^#{2,3} ", text, flags=re.MULTILINE) for text in (en, zh)]
    for one, other in zip(*parts, strict=False):
        name = one.splitlines()[0]
        one, other = as_cell(in_english(one)), as_cell(in_english(other))
        for form in (sizes, numbers, inline_code):
            if form(one) != form(other):
                yield f"{name}: {form.__name__}: en has {form(one)}, zh has {form(other)}"
        links = [len(LINK.findall(cell.source)) for cell in (one, other)]
        if links[0] != links[1]:
            yield f"{name}: {links} links"
        tables = [[row[1:3] for row in rows(cell.source)] for cell in (one, other)]
        if "| 45 |" in one.source and tables[0] != tables[1]:
            yield f"{name}: minutes differ"


def in_english(text):
    """The Chinese folders under the names of the English ones."""
    return re.sub(r"\b(notebooks|sheets|slides)/zh", r"\1/en", text)


@pytest.fixture(scope="module")
def guides():
    return read_guides()


@pytest.mark.parametrize("code", GUIDES)
def test_links_lead_somewhere(guides, code):
    assert list(dead_links(guides[code], NOTEBOOKS / code)) == []


@pytest.mark.parametrize("code", GUIDES)
def test_cells_are_there(guides, code):
    assert list(lost_cells(guides[code], code)) == []
    assert list(misplaced_cells(guides[code], code)) == []


@pytest.mark.parametrize("code", GUIDES)
def test_minutes_add_up(guides, code):
    assert len(chapter_sections(guides[code])) == len(CHAPTERS)
    assert list(wrong_minutes(guides[code])) == []


@pytest.mark.parametrize("code", GUIDES)
def test_numbers_are_printed(guides, code):
    assert list(unprinted_numbers(guides[code], code)) == []


def test_both_say_the_same(guides):
    assert list(differences(guides["en"], guides["zh"])) == []


def test_every_exercise_is_graded(guides):
    assert list(wrongly_graded(guides["en"])) == []


def test_chinese_keeps_to_the_glossary(guides):
    zh = without_code_and_formulas(guides["zh"])
    assert list(wrong_words(guides["en"], zh, glossary())) == []


def wrongly_graded(text):
    """Exercises that do not stand, once, in the row of their kind in the table of grades."""
    cells = (cell for path in CHAPTERS for cell in load(path).nb.cells)
    firsts = (re.match(r"\*\*Exercise (\d\.\d)\*\* \((\w+)", cell.source) for cell in cells)
    exercises = {(first[1], first[2]) for first in firsts if first}
    (section,) = re.findall(r"^## Grade.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    listed = [
        (number, row[0])
        for row in rows(section.split("\n\n")[2])
        for number in re.findall(r"\d\.\d", row[1])
    ]
    found = {(number, kind) for number, row in listed for kind in row.split(", ")}
    yield from (f"{number} is no row of {kind}" for number, kind in exercises - found)
    numbers = [number for number, _ in listed]
    if sorted(numbers) != sorted(number for number, _ in exercises):
        yield f"listed: {sorted(numbers)}"


EN = NOTEBOOKS / "en"
# a change to a guide, and the rule that sees it
CANARIES = {
    "file": ("(questions.md)", "(question.md)", lambda text: dead_links(text, EN)),
    "heading": (
        "#Write-the-formula)",
        "#Write-a-formula)",
        lambda text: dead_links(text, EN),
    ),
    "anchor": ("(#chapter-4)", "(#chapter-6)", lambda text: dead_links(text, EN)),
    "cell": ("`back-fail` is", "`back-fails` is", lambda text: lost_cells(text, "en")),
    "section": ("`task-run`: ", "`arms-run`: ", lambda text: misplaced_cells(text, "en")),
    "link": ("01_encode.ipynb#Write", "02_add.ipynb#Write", lambda t: misplaced_cells(t, "en")),
    "minutes": ("| 6 | 10 |", "| 6 | 11 |", wrong_minutes),
    "number": ("0.3943", "0.3944", lambda text: unprinted_numbers(text, "en")),
    "kind": ("2.2, 2.4, 3.3", "2.2, 2.3, 3.3", wrongly_graded),
    "grade": ("1.2, 2.1, 2.5", "1.2, 2.1", wrongly_graded),
    "percent": ("from 38 %", "from 39 %", lambda text: unprinted_numbers(text, "en")),
}


@pytest.mark.parametrize("name", CANARIES)
def test_rules_see(guides, name):
    old, new, rule = CANARIES[name]
    assert old in guides["en"]
    assert list(rule(guides["en"].replace(old, new)))


UNLIKE = {
    "heading": ("### 开始放幻灯片", "#### 开始放幻灯片"),
    "row": ("| 左边被文件列表挡住 | 刚才点到了左边缘：按 Ctrl+B |\n", ""),
    "number": ("24 像素", "25 像素"),
    "code": ("`twice-code`", "`add-one`"),
    "link": ("[安慰剂](#第-4-章)", "安慰剂"),
    "minutes": ("| 6 | 10 |", "| 10 | 6 |"),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_a_difference_is_seen(guides, name):
    old, new = UNLIKE[name]
    assert old in guides["zh"]
    assert list(differences(guides["en"], guides["zh"].replace(old, new)))


def test_a_word_that_is_not_used_is_seen(guides):
    zh = without_code_and_formulas(guides["zh"].replace("安慰剂的顺序差", "安慰剂的顺序差距"))
    assert list(wrong_words(guides["en"], zh, glossary()))
