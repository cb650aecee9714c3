"""From a folder of notebooks to a table, a page, and lines for the terminal."""

import ast
import csv
import html
import io
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
    defined_elsewhere,
    parse,
    read_submissions,
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
    """Judge every answer in a folder of submitted notebooks.

    Parameters
    ----------
    folder : Path
        Holds a notebook for each student, or a folder for each.
    progress : callable, optional
        Is told how many students are done, and of how many.
    known : dict, optional
        Keeps verdicts from call to call, so that only what has changed runs again.

    Returns
    -------
    list of Row
        One for each answer, and for what could not be judged, in order.
    """
    submissions = read_submissions(folder)
    known = {} if known is None else known
    rows: list[Row] = []
    with ThreadPoolExecutor(_processors()) as pool:
        for done, found in enumerate(pool.map(lambda each: _rows(each, known), submissions), 1):
            rows += found
            progress(done, len(submissions))
    return sorted(rows)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _rows(submission: Submission, known: Known) -> list[Row]:
    """Judge one student's answers."""
    student, answers = submission.student, []
    for exercise, sources in submission.answers.items():
        for source in sources:
            tree = parse(source)
            names = defined_elsewhere(tree, submission.elsewhere) if tree else set()
            if names:
                submission.say("elsewhere", exercise, names=plain(", ".join(sorted(names))))
            else:
                answers.append((exercise, source))
    key = (current_language(), *answers)
    if key not in known:
        known[key] = judge(answers, current_language())
    found: dict[str, list[Row]] = {}
    for (exercise, source), verdict in zip(answers, known[key], strict=True):
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
            "states": [(state, sum(row.state == state for row in here)) for state in STATES],
            "causes": [
                _cause(name, cause, [row for row in here if row.cause == cause])
                for cause in sorted(causes, key=lambda each: (-causes[each], each))
            ],
        }


def _cause(name: str, cause: str, rows: Sequence[Row]) -> dict:
    answer, row = min((len(each), each, row) for row in rows for each in [anonymous(row)])[1:]
    asks = [
        key
        for part in cause.split("+")
        for key in [f"ask.{name}.{part}", f"ask.any.{part}"]
        if key in STRINGS
    ]
    return {
        "name": cause,
        "count": len(rows),
        "message": row.message,
        "asks": [text(key) for key in asks],
        "answer": answer,
        "students": [each.student for each in rows],
    }


def anonymous(row: Row) -> str:
    """Return an answer without comments, docstrings, its last line, and its author's name."""
    tree = parse(row.answer)
    if tree is None:
        return ""
    tree.body = [
        node for node in tree.body if "checks.check_" not in ast.unparse(node)
    ] or tree.body
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant()), _, *_]:
                del node.body[0]
    lines = ast.unparse(tree)
    for part in re.findall(r"[^\W_]{2,}", row.student):
        lines = re.sub(re.escape(part), "…", lines, flags=re.IGNORECASE)
    lines = "".join(c if c.isprintable() or c == "\n" else " " for c in lines)
    return lines if len(lines) <= 1500 else lines[:1500] + " …"


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Say the class in lines, for a terminal."""
    for exercise in by_exercise(rows):
        states = ", ".join(
            f"{count} {text(f'collect.state.{state}')}"
            for state, count in exercise["states"]
            if count
        )
        yield f"\n{exercise['number']} {exercise['title']}: {states}"
        for cause in exercise["causes"]:
            yield f"{cause['count']:5}  {cause['name']}: {cause['message']}"
    others = [row for row in rows if row.state not in STATES[:3]]
    if others:
        yield f"\n{text('collect.page.not_judged')}"
    for row in others:
        place = f"{row.student} {row.exercise}".strip()
        yield f"  {place}: {row.message}"


def page(rows: Sequence[Row], *, names: bool = False, refresh: int = 0) -> str:
    """Return the class as one page of HTML that loads nothing and runs nothing."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    others = [row for row in rows if row.state not in STATES[:3]]
    if not names:  # a name of a file is mostly its author's
        others = [
            replace(row, message=re.sub(r"`[^`]*\.\w+`", "`…`", row.message)) for row in others
        ]
    lines = Counter((row.exercise, row.message, row.student if names else "") for row in others)
    exercises = [*by_exercise(rows)]
    return environment.get_template("page.html.j2").render(
        language={"en": "en", "zh": "zh-CN"}[current_language()],
        students=len({row.student for row in rows}),
        chapters=sorted({each["number"][0] for each in exercises}),
        exercises=exercises,
        others=sorted(lines.items()),
        names=names,
        refresh=refresh,
        text=text,
        told=told,
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
