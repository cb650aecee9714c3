"""Read what was handed in: students, their notebooks, and the answer cells in them."""

import ast
import builtins
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
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
MOST_BYTES, MOST_LETTERS = 20 << 20, 50_000  # of a notebook, of an answer


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
    for cell in cells:
        lines = cell.get("source", "")
        lines = "".join(map(str, lines)) if isinstance(lines, list) else str(lines)
        if cell.get("cell_type") != "code":
            continue
        tree = parse(lines)
        submission.elsewhere |= {*_bound(tree.body, top=True)} if tree else set()
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


def parse(source: str) -> ast.Module | None:
    """Parse a cell, without its magics where it holds some."""
    if len(source) > MOST_LETTERS:
        return None
    for lines in (source, re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE)):
        try:
            return ast.parse(lines)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _bound(nodes: Iterable[ast.AST], top: bool = False) -> Iterator[str]:
    """Names that code gives something to: on its top level, or anywhere."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            if top:
                continue
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        yield from _bound(ast.iter_child_nodes(node), top)


def defined_elsewhere(tree: ast.Module, elsewhere: set[str]) -> set[str]:
    """Names that an answer uses, and only other cells define."""
    loads = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return (loads & elsewhere) - {*_bound(tree.body)} - GIVEN - {*dir(builtins)}
