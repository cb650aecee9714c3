"""From a folder of notebooks to a table, a page, and lines for the terminal."""

import ast
import csv
import html
import io
import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from pathlib import Path

import jinja2

from course_utils.checks.feedback import plain
from course_utils.collect.judge import Verdict, judge
from course_utils.collect.submissions import (
    ANSWERS,
    Row,
    Submission,
    names,
    read_submissions,
    readable,
)
from course_utils.language import STRINGS, current_language, text

STATES = ("correct", "incorrect", "not attempted", "not judged")
COLUMNS = ("student", "exercise", "state", "cause", "message")
# what spreadsheets take for the beginning of a formula, also in full width
_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")

Known = dict[tuple, list[Verdict]]


def collect(
    folder: Path,
    progress: Callable[[int, int], None] = lambda done, of: None,
    known: Known | None = None,
) -> list[Row]:
    """Judge every answer in a folder; `known` keeps verdicts, so that only what is new runs.

    `progress` is told how many students are done, and of how many.
    """
    submissions, rows = read_submissions(folder), []
    known = {} if known is None else known
    # as many as this process may use, where the system says it
    free = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with ThreadPoolExecutor(free) as pool:
        for done, found in enumerate(pool.map(lambda each: _rows(each, known), submissions), 1):
            rows += found
            progress(done, len(submissions))
    return sorted(rows)


def _rows(submission: Submission, known: Known) -> list[Row]:
    """Judge one student's answers."""
    student, answers = submission.student, []
    for exercise, sources in submission.answers.items():
        for source in sources:
            lost = names(readable(source) or "")[1] & submission.elsewhere
            if lost:
                submission.say("elsewhere", exercise, names=plain(", ".join(sorted(lost))))
            else:
                answers.append((exercise, source))
    found: dict[str, list[Row]] = {}
    # a process for each chapter, as for each notebook
    for _, part in itertools.groupby(sorted(answers), key=lambda each: each[0][0]):
        key = (current_language(), *part)
        if key not in known:
            known[key] = judge(key[1:], key[0])
        for (exercise, source), verdict in zip(key[1:], known[key], strict=True):
            found.setdefault(exercise, []).append(Row(student, exercise, *verdict, source))
    for exercise, rows in found.items():
        # an untouched copy beside an answer is no second answer
        tried = [row for row in rows if row.state != "not attempted"] or rows[:1]
        if len(tried) == 1:
            submission.rows += tried
        else:
            submission.say("twice", exercise)
    return submission.rows


def table(rows: Sequence[Row]) -> str:
    """Return the rows as CSV, without anything that a spreadsheet would compute."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        cells = astuple(row)[: len(COLUMNS)]
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells])
    return out.getvalue()


def by_exercise(rows: Sequence[Row]) -> Iterator[dict]:
    """For each exercise its states and its causes, the most frequent first."""
    for exercise, call in ANSWERS.items():
        here = [row for row in rows if row.exercise == exercise and row.state in STATES]
        if not here:
            continue
        name = call.partition("(")[0].removeprefix("check_")
        causes = Counter(row.cause for row in here if row.state == "incorrect")
        yield {
            "number": exercise,
            "title": text(f"title.{name}"),
            "count": len(here),
            "states": [
                (state, text(f"collect.state.{state}"), sum(row.state == state for row in here))
                for state in STATES
            ],
            "causes": [
                _cause(name, cause, [row for row in here if row.cause == cause])
                for cause in sorted(causes, key=lambda each: (-causes[each], each))
            ],
        }


def _cause(name: str, cause: str, rows: Sequence[Row]) -> dict:
    answer, row = min((len(each), each, row) for row in rows for each in [anonymous(row)])[1:]
    asks = [f"ask.{of}.{part}" for part in cause.split("+") for of in (name, "any")]
    return {
        "name": cause,
        "count": len(rows),
        "message": row.message,
        "asks": [text(key) for key in asks if key in STRINGS],
        "answer": answer,
        "students": [each.student for each in rows],
    }


def anonymous(row: Row) -> str:
    """Return an answer without comments, docstrings, its last line, and its author's name."""
    tree = ast.parse(readable(row.answer) or "")
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant()), _, *_]:
                del node.body[0]
    try:
        lines = [ast.unparse(node) for node in tree.body]
    except (ValueError, RecursionError, MemoryError):  # too deep, or too long a number
        return ""
    words = "\n".join([line for line in lines if "checks.check_" not in line] or lines)
    for part in re.findall(r"[^\W_]{2,}", row.student):
        words = re.sub(re.escape(part), "…", words, flags=re.IGNORECASE)
    words = "".join(c if c.isprintable() or c == "\n" else " " for c in words)
    return words if len(words) <= 1500 else words[:1500] + " …"


def summary(rows: Sequence[Row]) -> str:
    """Say the class in lines, for a terminal."""
    return _render("summary.txt.j2", rows, False, others=_others(rows))


def page(rows: Sequence[Row], *, named: bool = False, refresh: int = 0) -> str:
    """Return the class as one page of HTML that loads nothing and runs nothing."""
    others = _others(rows)
    if not named:  # a name of a file is mostly its author's
        others = [
            replace(row, student="", message=re.sub(r"`[^`]*\.\w+`", "`…`", row.message))
            for row in others
        ]
    others = sorted(Counter((row.exercise, row.student, row.message) for row in others).items())
    return _render("page.html.j2", rows, True, others=others, named=named, refresh=refresh)


def _others(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.state not in STATES[:3]]


def _render(template: str, rows: Sequence[Row], escape: bool, **values: object) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=escape,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    exercises = [*by_exercise(rows)]
    values |= {
        "text": text,
        "told": told,
        "language": {"zh": "zh-CN"}.get(current_language(), "en"),
    }
    return environment.get_template(template).render(
        exercises=exercises,
        chapters=sorted({each["number"][0] for each in exercises}),
        students=len({row.student for row in rows}),
        **values,
    )


def told(message: str) -> str:
    """Escape a message, and show its code and its emphasis."""
    parts = html.escape(message).split("`")
    for k, part in enumerate(parts):
        if k % 2 and k < len(parts) - 1:
            parts[k] = f"<code>{part}</code>"
        else:
            part = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", part)
            parts[k] = re.sub(r"\*(\S.*?)\*", r"<em>\1</em>", part)
    return "".join(parts)
