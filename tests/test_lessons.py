"""Lessons of 45 and 90 minutes: they fit, and no slide answers a poll before it is asked."""

import copy
import re

import pytest

from tools import slides as tool
from tools.languages import glossary, wrong_words
from tools.notebooks import NOTEBOOKS, course_notebooks, load, shown, without_code_and_formulas

LANGUAGES = ("en", "zh")
NAMES = [path.stem for path in course_notebooks(NOTEBOOKS / "en") if path.stem[0].isdigit()]
ASKS = re.compile(r"\b[Pp]redict\b|[Bb]efore you run|Commit to|预测|运行之前|先认定")


@pytest.fixture(scope="module")
def chapters():
    return {
        (code, name): load(NOTEBOOKS / code / f"{name}.ipynb")
        for code in LANGUAGES
        for name in NAMES
    }


def broken_lesson(chapter, minutes):
    """A sentence for each rule that a lesson does not keep."""
    notebook = tool.lesson(chapter, minutes)
    found = tool.slides(notebook)
    if tool.total(found) > minutes:
        yield f"{tool.total(found)} minutes of {minutes}"
    asked = tool.polls(chapter.name, minutes)
    steps = [cell for slide in found for cell in slide.cells]
    place = {cell.id: at for at, cell in enumerate(steps)}
    for name, polls in asked.items():
        if name not in place:
            yield f"{name} answers a poll and is not shown"
            continue
        opens = {slide.name for slide in found}
        if name not in opens and f"line-{name}" not in opens:
            yield f"{name} answers on the slide of something else"
        for poll in polls:
            tells = poll[chapter.language]["tells"]
            before = "\n".join(map(seen, steps[: place[f"poll-{name}"]]))
            yield from (f"{name}: {each} is told before" for each in tells if each in before)
            after = "\n".join(map(seen, steps[place[name] :])) + poll[chapter.language]["key"]
            if not any(each in after for each in tells):
                yield f"{name}: nothing after it says {tells}: how does the chapter tell it now?"
    # a question that a text asks has its options on the next poll, before anything answers it
    for at, cell in enumerate(steps):
        if cell.cell_type == "markdown" and not cell.id.startswith("exercise-"):
            after = [each.id for each in steps[at + 1 :]]
            polled = next((k for k, each in enumerate(after) if each.startswith("poll-")), None)
            runs = (k for k, each in enumerate(steps[at + 1 :]) if each.cell_type == "code")
            if ASKS.search(cell.source) and (polled is None or next(runs) < polled):
                yield f"{cell.id}: a question without a poll"


def seen(cell):
    """What a step shows."""
    return cell.source + (shown(cell) if cell.cell_type == "code" else "")


def broken_script(script):
    """A sentence for each poll or note that lacks something."""
    for poll in script["poll"]:
        name = poll["before"]
        if sum(poll["split"]) != 100 or len(poll["split"]) != 4:
            yield f"{name}: split {poll['split']}"
        if poll["key"] not in tool.LETTERS or poll["lesson"] not in tool.LESSONS:
            yield f"{name}: key {poll['key']}, lesson {poll['lesson']}"
        for code in LANGUAGES:
            words = poll.get(code, {})
            wrong = set(tool.LETTERS) - {poll["key"]}
            if set(words) != {"ask", "options", "tells", "key", *wrong}:
                yield f"{name}: {code} has {sorted(words)}"
            elif len(set(words["options"])) != 4 or not words["tells"]:
                yield f"{name}: {code} has {words['options']}, {words['tells']}"
    for kind in ("note", "line"):
        for name, words in script.get(kind, {}).items():
            if set(words) != set(LANGUAGES):
                yield f"{kind} of {name}: {sorted(words)}"


@pytest.mark.parametrize("minutes", tool.LESSONS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_lessons(chapters, code, name, minutes):
    assert list(broken_lesson(chapters[code, name], minutes)) == []


@pytest.mark.parametrize("name", NAMES)
def test_scripts(name):
    assert list(broken_script(tool.script(name))) == []


@pytest.mark.parametrize("name", NAMES)
def test_notes_stand_where_they_are_needed(chapters, name):
    script = tool.script(name)
    long = tool.slides(tool.lesson(chapters["en", name], 90))
    ids = {cell.id for slide in long for cell in slide.cells}
    assert {*script["note"], *script["line"]} <= ids
    explorer = f"explorer-{name[3:]}"
    assert {"title", "summary", explorer} <= set(script["note"])
    assert explorer in script["line"]


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_lessons(chapters, name):
    en, zh = (
        [(c.id, tool.lesson_of(c)) for c in chapters[code, name].nb.cells] for code in LANGUAGES
    )
    assert en == zh


@pytest.mark.parametrize("name", NAMES)
def test_chinese_keeps_to_the_glossary(name):
    script = tool.script(name)
    parts = [poll[code] for code in LANGUAGES for poll in script["poll"]]
    assert parts
    texts = {code: [] for code in LANGUAGES}
    for code in LANGUAGES:
        for poll in script["poll"]:
            words = poll[code]
            texts[code] += [
                words["ask"],
                *words["options"],
                *(words[each] for each in words if len(each) == 1),
            ]
        texts[code] += [words[code] for kind in ("note", "line") for words in script[kind].values()]
    en, zh = ("\n\n".join(texts[code]) for code in LANGUAGES)
    assert list(wrong_words(en, without_code_and_formulas(zh), glossary())) == []


def test_links_on_slides_lead_to_the_chapters(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    path, found = tool.write(NOTEBOOKS / "en" / "04_compare.ipynb", 45)
    assert path == tmp_path / "slides" / "en" / "04_compare-45.ipynb"
    text = path.read_text(encoding="utf-8")
    assert "](../../notebooks/en/03_attend.ipynb#" in text
    assert "use_style(projector=True)" in text
    assert found[0].name == "title"
    assert found[1].name == "objectives"


def with_lesson(name, minutes):
    def change(chapter):
        {cell.id: cell for cell in chapter.nb.cells}[name].metadata["slideshow"]["lesson"] = minutes

    return change


def with_words(name, words):
    def change(chapter):
        {cell.id: cell for cell in chapter.nb.cells}[name].source += words

    return change


def long(chapter):
    for cell in chapter.nb.cells:
        cell.metadata["slideshow"]["lesson"] = 45


CANARIES = {
    "minutes": long,
    "hidden": with_lesson("placebo-run", 90),
    "told": with_words("title", " 0.3943"),
    "asks": with_words("summary", " Predict: what comes next?"),
}


@pytest.mark.parametrize("name", CANARIES)
def test_rules_see(name):
    chapter = load(NOTEBOOKS / "en" / "04_compare.ipynb")
    CANARIES[name](chapter)
    assert list(broken_lesson(chapter, 45))


SCRIPTS = {
    "split": lambda poll: poll["split"].append(1),
    "key": lambda poll: poll.update(key="E"),
    "camp": lambda poll: poll["zh"].pop("B"),
    "tells": lambda poll: poll["en"]["tells"].clear(),
    "option": lambda poll: poll["zh"]["options"].pop(),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_rules_see_scripts(name):
    script = copy.deepcopy(tool.script("01_encode"))
    SCRIPTS[name](script["poll"][0])
    assert list(broken_script(script))
