"""Every notebook of the course keeps the rules; nbval compares their outputs besides."""

import ast
import subprocess
import sys

import pytest

from course_utils import attention, compare, encoding
from tests.execute import ROOT, course_notebooks
from tests.notebook_rules import (
    HOME_CHAPTERS,
    PUBLIC_FUNCTIONS,
    RULES,
    definitions,
    load,
    parsed,
)

NOTEBOOKS = [
    pytest.param(path, id=path.relative_to(ROOT / "notebooks").as_posix())
    for path in course_notebooks()
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_rule(path, rule):
    assert list(rule(load(path))) == []


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_sections_run_alone_and_twice(path):
    command = [sys.executable, "-m", "tests.sections", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr


def test_every_public_function_has_one_home():
    public = [name for module in (encoding, attention, compare) for name in module.__all__]
    assert sorted(public) == sorted(PUBLIC_FUNCTIONS)
    assert sum(len(names) for names in HOME_CHAPTERS.values()) == len(PUBLIC_FUNCTIONS)


def test_no_function_is_written_out_in_two_chapters():
    seen: dict[tuple[str, str], str] = {}
    for path in course_notebooks():
        for cell, tree in parsed(load(path)):
            bodies = map(_body, definitions(tree).values())
            # one line may be written again
            for body in (body for body in bodies if "\n" in body):
                place = f"{path.name}, cell {cell.id}"
                first = seen.setdefault((path.parent.name, body), place)
                assert first.startswith(path.name), f"{place} repeats a function of {first}"


def _body(function: ast.AST) -> str:
    """The statements of a function, whatever it is called."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return "\n".join(map(ast.unparse, body))
