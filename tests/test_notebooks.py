"""Every notebook of the course keeps the rules; nbval compares their outputs besides."""

import subprocess
import sys

import pytest

from course_utils import attention, beyond, compare, encoding, training
from tests.notebook_rules import RULES, repeated_functions
from tools.notebooks import HOME_CHAPTERS, PUBLIC_FUNCTIONS, ROOT, course_notebooks, load

NOTEBOOKS = [
    pytest.param(path, id=path.relative_to(ROOT / "notebooks").as_posix())
    for path in course_notebooks()
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_rule(path, rule):
    assert list(rule(load(path))) == []


# tests/test_languages.py wants the same code and the same numbers in every language
@pytest.fixture(scope="module")
def sections(request):
    """What `python -m tools.sections` says of the chosen notebooks: one process imports once."""
    chosen = [
        item for item in request.session.items if "sections" in getattr(item, "fixturenames", ())
    ]
    paths = [str(item.callspec.params["path"]) for item in chosen]
    command = [sys.executable, "-m", "tools.sections", *paths]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=900)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", course_notebooks(ROOT / "notebooks" / "en"), ids=lambda path: path.stem
)
def test_sections_run_alone_and_twice_and_backwards(sections, path):
    told = [line for line in sections.stderr.splitlines() if line.startswith(f"{path.name}: ")]
    assert told == []
    assert sections.returncode == 0 or ".ipynb: " in sections.stderr, sections.stderr


def test_every_public_function_has_one_home():
    public = [name for module in (encoding, attention, compare, beyond) for name in module.__all__]
    # of the layer that learns, the gradients alone are arithmetic; the rest keeps the books
    public.append(training.loss_and_gradients.__name__)
    assert sorted(public) == sorted(PUBLIC_FUNCTIONS)
    assert sum(len(names) for names in HOME_CHAPTERS.values()) == len(PUBLIC_FUNCTIONS)


@pytest.mark.parametrize("language", sorted({path.parent for path in course_notebooks()}))
def test_no_function_is_written_out_in_two_chapters(language):
    assert list(repeated_functions(map(load, course_notebooks(language)))) == []
