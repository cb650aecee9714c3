"""A lesson of 45 or 90 minutes on one chapter: its slides, its polls and its minutes.

    python -m tools.slides 45 notebooks/en/01_encode.ipynb [--open]
    python -m tools.slides --guide

The first writes the slides of the lesson to `slides/en/01_encode-45.ipynb`, with figures for a
projector, and prints the plan; `--open` opens them in JupyterLab. The second writes the minutes and
the numbers of slides into both teaching guides.

A cell says in `metadata.slideshow.lesson` which lesson shows it: 45 is both, 90 the long one only.
In `notebooks/lessons` a file for each chapter holds the polls, the notes for the speaker, and the
lines that stand above a cell, in both languages.
A poll has a slide of its own, before the cell that answers it.
"""

import argparse
import copy
import math
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from tools.contract import LABEL
from tools.notebooks import NOTEBOOKS, ROOT, Notebook, course_notebooks, dump, headings, load

LESSONS = (45, 90)
OPENS = {"slide", "subslide"}
SHOWN = OPENS | {"fragment"}
# minutes: to begin and to end, for a slide with a picture, for any other, for a vote;
# an exercise takes those that it names
BEGIN, END, PICTURE, TEXT, POLL = 3, 2, 1.5, 1, 3
LETTERS = "ABCD"
WORDS = {
    "en": {"vote": "Vote", "objectives": "After this lesson you can use"},
    "zh": {"vote": "表决", "objectives": "这节课的目标"},
}
GOAL = re.compile(r"^\*\*(?:You will learn|You will build|学习目标|动手内容)\*\*.*$", re.MULTILINE)
PLAN = {
    "en": "{} slides in 45 minutes, {} in 90",
    "zh": "短课 {} 张幻灯片，长课 {} 张",
}


@dataclass(frozen=True)
class Slide:
    """One slide of a lesson, and when it begins."""

    cells: list[NotebookNode]
    begins: float
    minutes: float

    @property
    def name(self) -> str:
        return self.cells[0].id

    @property
    def is_poll(self) -> bool:
        return self.name.startswith("poll-")


def script(name: str) -> dict:
    """What is asked and said beside a chapter, by its name: `poll`, `note` and `line`."""
    path = NOTEBOOKS / "lessons" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def lesson_of(cell: NotebookNode) -> int | None:
    """The shortest lesson that shows a cell, or None."""
    return cell.metadata.get("slideshow", {}).get("lesson")


def polls(name: str, minutes: int) -> dict[str, list[dict]]:
    """The polls of a lesson, by the cell that answers them."""
    found: dict[str, list[dict]] = {}
    for poll in script(name)["poll"]:
        if poll["lesson"] <= minutes:
            found.setdefault(poll["before"], []).append(poll)
    return found


def lesson(chapter: Notebook, minutes: int) -> NotebookNode:
    """The notebook of a lesson: the chapter, with other slides and some cells more."""
    asked, said = polls(chapter.name, minutes), script(chapter.name)
    words = WORDS[chapter.language]
    notebook = copy.deepcopy(chapter.nb)
    cells, opened = [], False
    for cell in notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "skip")
        shown = (lesson_of(cell) or math.inf) <= minutes
        opened = opened and kind not in OPENS
        if shown:
            for number, poll in enumerate(asked.get(cell.id, []), start=1):
                text = ballot(poll[chapter.language], words["vote"])
                cells.append(_slide(f"poll-{cell.id}" + f"-{number}" * (number > 1), text))
                # where no cell of the chapter gives the answer
                if poll.get("told"):
                    told = f"**{poll['key']}.** {poll[chapter.language]['key']}"
                    cells.append(_slide(f"answer-{cell.id}", told))
            # an exercise that is no slide of the chapter may be one of the lesson
            kind = "subslide" if kind == "skip" else kind
            # an answer begins a slide, and so does a fragment whose slide is left out
            if kind == "fragment" and (cell.id in asked or not opened):
                kind = "subslide"
            if cell.id in said.get("line", {}):
                line = said["line"][cell.id][chapter.language]
                cells.append(_slide(f"line-{cell.id}", f"**{line}**"))
                kind = "fragment"
            opened = True
        cell.metadata["slideshow"] = {"slide_type": kind if shown else "skip"}
        cell.source = _linked(cell.source, chapter.language)
        cells.append(cell)
        if cell.id == "contract":
            goals = "\n\n".join(GOAL.findall(cell.source))
            cells.append(_slide("objectives", goals))
        if cell.id == "setup":
            cell.source = cell.source.replace("use_style()", "use_style(projector=True)")
    notebook.cells = cells
    return notebook


def _slide(name: str, source: str) -> NotebookNode:
    cell = new_markdown_cell(source, id=name)
    cell.metadata["slideshow"] = {"slide_type": "subslide"}
    return cell


def _linked(source: str, language: str) -> str:
    """With links to the files beside the chapter, from the folder of the slides."""
    return re.sub(r"\]\((?=[\w-]+\.(?:ipynb|md))", f"](../../notebooks/{language}/", source)


def ballot(poll: dict, vote: str) -> str:
    """The text of the slide of a poll."""
    pairs = zip(LETTERS, poll["options"], strict=True)
    options = [f"- **{letter}** {option}" for letter, option in pairs]
    return f"**{vote}.** {poll['ask']}\n\n" + "\n".join(options)


def slides(notebook: NotebookNode) -> list[Slide]:
    """The slides of a lesson, one after the other."""
    groups: list[list[NotebookNode]] = []
    for cell in notebook.cells:
        kind = cell.metadata["slideshow"]["slide_type"]
        if kind in OPENS:
            groups.append([])
        if kind in SHOWN:
            groups[-1].append(cell)
    found, now = [], float(BEGIN)
    for cells in groups:
        found.append(Slide(cells, now, duration(cells)))
        now += found[-1].minutes
    return found


def duration(cells: list[NotebookNode]) -> float:
    """The minutes of one slide."""
    if cells[0].id.startswith("poll-"):
        return POLL
    if label := LABEL.search(cells[0].source if cells[0].id.startswith("exercise-") else ""):
        return int(label[1])
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return PICTURE if any("image/png" in each.get("data", {}) for each in outputs) else TEXT


def total(found: list[Slide]) -> float:
    """The minutes of a lesson, its begin and end included."""
    return BEGIN + sum(slide.minutes for slide in found) + END


def by_section(notebook: NotebookNode, found: list[Slide]) -> dict[str, float]:
    """Minutes under each second-level heading; what stands before the first one is under ''."""
    heading, place = "", {}
    for cell in notebook.cells:
        heading = next((title for level, title in headings(cell) if level == 2), heading)
        place[cell.id] = heading if cell.id not in ("title", "objectives") else ""
    # a poll or a line belongs to the section of its answer
    minutes: dict[str, float] = {}
    for slide in found:
        minutes[place[slide.name]] = minutes.get(place[slide.name], 0) + slide.minutes
    return minutes


def write(path: Path, minutes: int) -> tuple[Path, list[Slide]]:
    """Write the slides of a lesson, and return where they are and what they are."""
    chapter = load(path)
    notebook = lesson(chapter, minutes)
    target = ROOT / "slides" / chapter.language / f"{chapter.name}-{minutes}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(dump(notebook), encoding="utf-8")
    return target, slides(notebook)


def guided(text: str, language: str) -> str:
    """A teaching guide with the minutes and the numbers of slides of all lessons."""
    for path in course_notebooks(NOTEBOOKS / language):
        if not path.stem[0].isdigit():
            continue
        chapter = load(path)
        made = [lesson(chapter, minutes) for minutes in LESSONS]
        found = [slides(notebook) for notebook in made]
        spent = [by_section(*pair) for pair in zip(made, found, strict=True)]
        start = text.index(f"({path.name}){': ' if language == 'en' else '：'}")
        end = text.find("\n## ", start)
        section = text[start:end]
        plan = PLAN[language]
        section = re.sub(plan.format(r"\d+", r"\d+"), plan.format(*map(len, found)), section)
        lines = section.split("\n")
        for at, line in enumerate(lines):
            cells = line.split(" | ")
            if len(cells) == 6:
                title = re.match(r"\| \[(.*)\]\(", cells[0])
                if title:
                    cells[1:3] = [f"{each.get(title[1], 0):g}" for each in spent]
                elif cells[0].startswith(("| Begin", "| 开头")):
                    cells[1:3] = [f"{BEGIN + END + each['']:g}" for each in spent]
                lines[at] = " | ".join(cells)
        text = text[:start] + "\n".join(lines) + text[end:]
    return text


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=int, choices=LESSONS, nargs="?")
    parser.add_argument("chapter", type=Path, nargs="?")
    parser.add_argument("--open", action="store_true", help="open the slides in JupyterLab")
    parser.add_argument("--guide", action="store_true", help="write the plan into the guides")
    given = parser.parse_args(arguments)
    if given.guide:
        for language in WORDS:
            path = NOTEBOOKS / language / "guide.md"
            path.write_text(guided(path.read_text(encoding="utf-8"), language), encoding="utf-8")
        return
    if not given.minutes or not given.chapter:
        parser.error("a lesson is asked for as in: 45 notebooks/en/01_encode.ipynb")
    path, found = write(given.chapter, given.minutes)
    for slide in found:
        print(f"{slide.begins:5.1f}  {slide.name}")
    print(f"{total(found):5.1f}  {path.relative_to(ROOT)}, {len(found)} slides")
    if given.open:
        subprocess.run([sys.executable, "-m", "jupyter", "lab", str(path)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
