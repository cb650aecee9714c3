"""Sheets for paper: each vote stands on them, and no key before its time."""

import re
import tomllib

import pytest

from tools import lab, sheets, slides
from tools.languages import glossary, wrong_words
from tools.notebooks import NOTEBOOKS, without_code_and_formulas

LANGUAGES = tuple(sheets.WORDS)
EXAM = tomllib.loads((NOTEBOOKS / "lessons" / "exam.toml").read_text(encoding="utf-8"))
NAMES = [chapter.name for chapter in sheets.chapters("en")]


@pytest.fixture(scope="module")
def made():
    return {language: sheets.sheets(language) for language in LANGUAGES}


def plain(text, language):
    """Words of some Markdown as they stand on a page."""
    return re.sub(r"<[^>]*>", "", sheets.prose(text, language)).strip()


def words(page):
    return re.sub(r"<[^>]*>", "", page)


@pytest.mark.parametrize("minutes", slides.LESSONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_vote_is_on_paper_and_its_key_is_not(made, language, minutes):
    paper, said = (
        words(made[language][f"{kind}-{minutes}"]) for kind in ("predictions", "speaker")
    )
    asked = [
        each for name in NAMES for found in slides.polls(name, minutes).values() for each in found
    ]
    assert len(asked) >= 4 * len(NAMES)
    for poll in asked:
        mine = poll[language]
        assert plain(mine["ask"], language) in paper
        assert plain(mine["key"], language) not in paper
        camps = [mine[each] for each in slides.LETTERS if each != poll["key"]]
        for text in [mine["ask"], mine["key"], *camps]:
            assert plain(text, language) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_speaker_knows_the_minute(made, language):
    first = made[language]["speaker-45"].split("</section>")[0]
    minutes = [float(each) for each in re.findall(r"<p>(?:Minute|第) ([\d.]+)(?= 分钟|)", first)]
    assert minutes == sorted(minutes)
    assert minutes[0] == slides.BEGIN
    assert minutes[-1] <= 45 - slides.END


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_has_what_was_proved(made, language):
    for chapter in sheets.chapters(language):
        (points,) = (cell.source for cell in chapter.nb.cells if cell.id == "summary")
        last = points.strip().splitlines()[-1].removeprefix("- ")
        assert plain(last, language) in words(made[language]["summary"])
    assert made[language]["summary"].count('display="block"') >= 7


@pytest.mark.parametrize("kind", ["need", "exam"])
def test_questions(kind):
    assert len(EXAM[kind]) == {"need": 5, "exam": 10}[kind]
    keys = {each["key"] for each in EXAM[kind]}
    assert keys <= set(slides.LETTERS)
    assert len(keys) > 2
    for each in EXAM[kind]:
        for language in LANGUAGES:
            assert set(each[language]) == {"ask", "options", "why"}
            assert len(set(each[language]["options"])) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_on_a_page_of_their_own(made, language):
    for kind, name in (("need", "test"), ("exam", "exam")):
        asked, keys = (words(part) for part in made[language][name].split("</section>")[:2])
        for each in EXAM[kind]:
            why = plain(each[language]["why"], language)
            assert plain(each[language]["ask"], language) in asked
            assert why not in asked
            assert why in keys


def test_chinese_keeps_to_the_glossary():
    texts = {
        language: "\n\n".join(
            line
            for kind in EXAM.values()
            for each in kind
            for line in (each[language]["ask"], *each[language]["options"], each[language]["why"])
        )
        for language in LANGUAGES
    }
    zh = without_code_and_formulas(texts["zh"])
    assert list(wrong_words(texts["en"], zh, glossary())) == []


@pytest.mark.slow
def test_pages(tmp_path):
    if not lab.has_browser():
        pytest.skip("no browser")
    pages = {
        (path.parent.name, path.stem): len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
        for path in sheets.build(tmp_path)
    }
    assert len(pages) == 14
    for language in LANGUAGES:
        assert pages[language, "summary"] == 1
        assert pages[language, "predictions-45"] == len(NAMES)
        assert pages[language, "test"] == 2
