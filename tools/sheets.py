"""Sheets for a lesson, on paper, in both languages.

    python -m tools.sheets [--to sheets]

Makes PDF files with the browser that the tests use, from the same sources as the slides:

- `predictions-45.pdf`, `predictions-90.pdf`: for learners, a page for each chapter, to vote on;
- `speaker-45.pdf`, `speaker-90.pdf`: minute by minute, what to say, and what to each wrong camp;
- `summary.pdf`: what was proved, with the formulas, on one page;
- `test.pdf`: five questions on what the course needs; `exam.pdf`: ten questions; each with its key.
"""

import argparse
import html
import re
import tomllib
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools import lab
from tools.notebooks import NOTEBOOKS, ROOT, Notebook, course_notebooks, load
from tools.pages import TAGS, prose
from tools.slides import END, LESSONS, LETTERS, ballot, lesson, polls, script, slides, total

WORDS = {
    "en": {
        "predictions": "Predictions", "speaker": "Speaker's notes", "summary": "Summary",
        "test": "What you need", "exam": "Exam", "key": "Key", "name": "Name",
        "rule": "Choose before the run. An answer with a reason earns the point, right or wrong.",
        "why": "because", "minutes": "{} minutes", "minute": "Minute {}",
        "here": "Minute {}: be here.",
        "split": "Expected, a guess until you have counted: {}.", "right": "{} is right.",
        "end": "Minute {}: sheets and questions.",
    },
    "zh": {
        "predictions": "预测单", "speaker": "教师备注", "summary": "一页小结",
        "test": "预备知识测试", "exam": "考试题", "key": "答案", "name": "姓名",
        "rule": "运行之前选定。写下理由就得分，对错不论。",
        "why": "理由", "minutes": "{} 分钟", "minute": "第 {} 分钟",
        "here": "第 {} 分钟讲到这里：",
        "split": "预计的分布（推测，以实际计数为准）：{}。", "right": "正确答案：{}。",
        "end": "第 {} 分钟：收预测单，答疑。",
    },
}  # fmt: skip
# cells whose displayed formulas stand in the summary
FORMULAS = (
    "formula-heading",
    "rotation-heading",
    "scale-formula",
    "stairs-matrix",
    "terms-heading",
)
STYLE = """
@page { size: A4; margin: 14mm }
body { font: 10.5pt/1.35 "DejaVu Sans", "Noto Sans CJK SC", sans-serif; margin: 0 }
h1 { font-size: 15pt; margin: 0 0 3mm } h2 { font-size: 11.5pt; margin: 4mm 0 1mm }
section { break-after: page } section:last-child { break-after: auto }
p, ul, ol { margin: 1mm 0 } li { margin: 0 } ul { padding-left: 6mm }
.keep { break-inside: avoid; margin: 0 0 3mm } .line { border-bottom: 0.3mm solid; height: 7mm }
.vote ul { list-style: none; padding-left: 4mm }
.two { columns: 2; column-gap: 7mm; font-size: 9pt }
.two h2 { font-size: 10.5pt; break-after: avoid }
.right { float: right; font-weight: normal; font-size: 10.5pt } code { font-size: 0.9em }
.wide { display: block; text-align: center } table { border-collapse: collapse }
"""


def chapters(language: str) -> list[Notebook]:
    found = course_notebooks(NOTEBOOKS / language)
    return [load(path) for path in found if path.stem[0].isdigit()]


def name(chapter: Notebook) -> str:
    """The title of a chapter, without its promise."""
    return re.split("[:\uff1a]", chapter.nb.cells[0].source.partition("\n")[0])[0].removeprefix(
        "# "
    )


def sheets(language: str) -> dict[str, str]:
    """Every sheet of a language as a page of HTML, by its name."""
    words = WORDS[language]
    made = {}
    for minutes in LESSONS:
        made[f"predictions-{minutes}"] = [predictions(each, minutes) for each in chapters(language)]
        made[f"speaker-{minutes}"] = [speaker(each, minutes) for each in chapters(language)]
    made["summary"] = [summary(language)]
    made["test"] = questions("need", words["test"], language)
    made["exam"] = questions("exam", words["exam"], language)
    return {each: page(each, parts, language) for each, parts in made.items()}


def page(name: str, parts: list[str], language: str) -> str:
    body = "".join(f"<section>{part}</section>" for part in parts)
    head = f'<meta charset="utf-8"><title>{WORDS[language][name.partition("-")[0]]}</title>'
    return f'<!doctype html><html lang="{TAGS[language]}">{head}<style>{STYLE}</style>{body}</html>'


def _head(title: str, note: str = "") -> str:
    return f'<h1><span class="right">{html.escape(note)}</span>{html.escape(title)}</h1>'


def _kept(parts: str, kind: str = "") -> str:
    return f'<div class="keep {kind}">{parts}</div>'


def predictions(chapter: Notebook, minutes: int) -> str:
    """The page on which learners vote."""
    words = WORDS[chapter.language]
    parts = [
        _head(f"{words['predictions']}: {name(chapter)}", f"{words['name']}: ____________________"),
        prose(words["rule"], chapter.language),
    ]
    votes = [poll for found in _in_order(chapter, minutes) for poll in found]
    for number, poll in enumerate(votes, start=1):
        asked = ballot(poll[chapter.language], str(number))
        parts.append(
            _kept(prose(asked, chapter.language) + f'<p class="line">{words["why"]}: </p>', "vote")
        )
    return "".join(parts)


def _in_order(chapter: Notebook, minutes: int) -> list[list[dict]]:
    found = polls(chapter.name, minutes)
    return [found[cell.id] for cell in chapter.nb.cells if cell.id in found]


def speaker(chapter: Notebook, minutes: int) -> str:
    """What the speaker has beside the slides."""
    words, language = WORDS[chapter.language], chapter.language
    notes, asked = script(chapter.name)["note"], _in_order(chapter, minutes)
    waiting = [poll for found in asked for poll in found]
    parts = [_head(f"{words['speaker']}: {name(chapter)}", words["minutes"].format(minutes))]
    made = slides(lesson(chapter, minutes))
    for slide in made:
        said = [notes[cell.id][language] for cell in slide.cells if cell.id in notes]
        title = re.match(r"#+ (.*)", slide.cells[0].source)
        if slide.is_poll:
            said.append(_camps(waiting.pop(0), language))
        if not said and not title:
            continue
        mark = words["here" if title else "minute"].format(f"{slide.begins:g}")
        what = f" **{title[1]}**" if title else ""
        text = f"{mark}{what} `{slide.name}`\n\n" + "\n\n".join(said)
        parts.append(_kept(prose(text, language)))
    parts.append(prose(words["end"].format(f"{total(made) - END:g}"), language))
    return "".join(parts)


def _camps(poll: dict, language: str) -> str:
    words, said = WORDS[language], poll[language]
    split = ", ".join(f"{a} {b} %" for a, b in zip(LETTERS, poll["split"], strict=True))
    camps = [f"- **{each}**: {said[each]}" for each in LETTERS if each != poll["key"]]
    right = f"**{words['right'].format(poll['key'])}** {said['key']} {words['split'].format(split)}"
    return f"{said['ask']}\n\n{right}\n\n" + "\n".join(camps)


def summary(language: str) -> str:
    """What the chapters have proved, with the formulas."""
    parts = []
    for chapter in chapters(language):
        cells = {cell.id: cell.source for cell in chapter.nb.cells}
        formulas = [
            formula
            for cell in FORMULAS
            for shown in re.findall(r"\$\$(.*?)\$\$", cells.get(cell, ""), re.DOTALL)
            for formula in shown.split(r"\qquad")
        ]
        points = cells["summary"].partition("\n")[2].strip()
        lines = [f"$${formula.strip().rstrip(',')}$$" for formula in formulas]
        parts.append("\n\n".join([f"## {name(chapter)}", points, *lines]))
    body = prose("\n\n".join(parts), language)
    return _head(WORDS[language]["summary"]) + f'<div class="two">{body}</div>'


def questions(kind: str, title: str, language: str) -> list[str]:
    """A page of questions, and their key on another one."""
    words = WORDS[language]
    path = NOTEBOOKS / "lessons" / "exam.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))[kind]
    asked = [
        _kept(prose(ballot(each[language], str(number)), language), "vote")
        for number, each in enumerate(found, start=1)
    ]
    keys = [
        f"{number}. **{each['key']}** {each[language]['why']}"
        for number, each in enumerate(found, 1)
    ]
    note = f"{words['name']}: ____________________"
    return [
        _head(title, note) + "".join(asked),
        _head(f"{title}: {words['key']}") + prose("\n".join(keys), language),
    ]


def build(folder: Path) -> list[Path]:
    """Print every sheet of both languages into a folder."""
    built = []
    with sync_playwright() as playwright, lab.launch(playwright) as browser:
        view = browser.new_page()
        for language in WORDS:
            for sheet, text in sheets(language).items():
                path = folder / language / f"{sheet}.pdf"
                path.parent.mkdir(parents=True, exist_ok=True)
                view.set_content(text)
                view.pdf(path=path, prefer_css_page_size=True)
                built.append(path)
    return built


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.sheets")
    parser.add_argument("--to", type=Path, default=ROOT / "sheets", metavar="FOLDER")
    for path in build(parser.parse_args().to):
        print(path)


if __name__ == "__main__":
    main()
