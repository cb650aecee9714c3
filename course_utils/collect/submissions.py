"""Read what was handed in: students, their notebooks, and the answer cells in them."""

import ast
import builtins
import contextlib
import json
import os
import re
import stat
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.checks.feedback import plain
from course_utils.language import text

# exercise, and the last line of its answer cell
ANSWERS = json.loads(Path(__file__).with_name("answers.json").read_text(encoding="utf-8"))
# what the set-up cells of the chapters bring
PICTURES = {"explorers", "plots", "plt"}
GIVEN = PICTURES | {"attention", "beyond", "checks", "compare", "encoding", "math", "np"}
GIVEN |= {"training", "use_language"}
MOST_BYTES, MOST_CODE, MOST_LETTERS = 20 << 20, 1_000_000, 50_000  # a file, its code, a cell


@dataclass(frozen=True, order=True)
class Row:
    """What is said of one answer, or of a file.

    `state` is one of `Feedback`'s, ``"not judged"``, or ``"noted"``.
    """

    student: str
    exercise: str
    state: str
    cause: str
    message: str
    answer: str = ""


@dataclass
class Submission:
    """The answers of one student by exercise, and what there is to say before any of them runs."""

    student: str
    answers: dict[str, list[str]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)

    def say(self, cause: str, exercise: str = "", state: str = "not judged", **values: str) -> None:
        message = text(f"collect.cause.{cause}", **values)
        self.rows.append(Row(self.student, exercise, state, cause, message))


def read_submissions(folder: Path) -> list[Submission]:
    """Read a folder: a notebook in it is a student, and so is a folder in it."""
    found: dict[str, list[Path]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in {"class.csv", "class.html"}:
            continue
        if entry.is_dir() and not entry.is_symlink():
            found.setdefault(plain(entry.name), []).extend(_notebooks(entry))
        else:
            found.setdefault(plain(entry.stem), []).append(entry)
    return [_read_student(student, paths, folder) for student, paths in sorted(found.items())]


def _notebooks(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(".ipynb") and not name.startswith("."):
                yield Path(place, name)


def _read_student(student: str, paths: list[Path], folder: Path) -> Submission:
    submission, chapters = Submission(student), set()
    for path in paths:
        name, cells = plain(path.relative_to(folder)), _cells(path)
        if isinstance(cells, str):
            submission.say(cells, file=name)
            continue
        ids = [str(cell.get("id")) for cell in cells]
        here = {each[1] for each in map(re.compile(r"exercise-(\d)-").match, ids) if each}
        # the handout's notebook, the further reading and the solutions have no answer cells
        if not here and "setup" not in ids:
            submission.say("other_course", file=name)
        chapters |= here
        _take_answers(submission, cells, name)
    for exercise in ANSWERS:
        if exercise[0] in chapters and exercise not in submission.answers:
            submission.say("missing", exercise, id=_id(exercise))
    if not paths:
        submission.say("empty")
    return submission


def _cells(path: Path) -> list[dict] | str:
    """Return the cells of a notebook, or the cause why there are none."""
    try:
        if path.suffix != ".ipynb" or not stat.S_ISREG(path.lstat().st_mode):
            return "not_a_notebook"
        if path.stat().st_size > MOST_BYTES:
            return "huge"
        match json.loads(path.read_bytes()):
            case {"cells": [*cells]}:
                return [cell for cell in cells if isinstance(cell, dict)]
        return "not_a_notebook"
    except (OSError, ValueError, RecursionError, MemoryError):
        return "broken"


def _take_answers(submission: Submission, cells: list[dict], name: str) -> None:
    exercises, found = {_id(exercise): exercise for exercise in ANSWERS}, []
    code = [cell for cell in cells if cell.get("cell_type") == "code"]
    sources = [cell.get("source", "") for cell in code]
    sources = ["".join(map(str, s)) if isinstance(s, list) else str(s) for s in sources]
    if sum(map(len, sources)) > MOST_CODE:
        submission.say("huge", file=name)
        return
    for cell, lines in zip(code, sources, strict=True):
        submission.elsewhere |= names(readable(lines) or "")[0]
        exercise = exercises.get(str(cell.get("id")))
        if exercise:
            found.append(exercise)
            answers = submission.answers.setdefault(exercise, [])
            if lines not in answers:
                answers.append(lines)
        elif called := sorted({*re.findall(r"\bchecks\.(check_\w+)\(", lines[:MOST_LETTERS])}):
            submission.say("other_cell", state="noted", file=name, checks=plain(", ".join(called)))
    if found != sorted(found):
        submission.say("reordered", state="noted", file=name)


def _id(exercise: str) -> str:
    return f"exercise-{exercise.replace('.', '-')}-answer"


def readable(source: str) -> str | None:
    """Return a cell that Python can parse, without its magics where it holds some, or None."""
    for lines in (source, re.sub(r"^[ \t]*[%!].*$", "", source[:MOST_LETTERS], flags=re.M)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            if len(source) <= MOST_LETTERS and ast.parse(lines):
                return lines
    return None


def names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell defines, and those that it takes from elsewhere."""
    defined, used = set(), set()
    with contextlib.suppress(SyntaxError, RecursionError):
        tables = [symtable.symtable(source, "cell", "exec")]
        for table in tables:
            tables += table.get_children()
            top = table.get_type() == "module"
            for symbol in table.get_symbols():
                if top and symbol.is_assigned():
                    defined.add(symbol.get_name())
                if symbol.is_referenced() and (top or symbol.is_global()):
                    used.add(symbol.get_name())
    return defined, used - defined - GIVEN - {*dir(builtins)}
