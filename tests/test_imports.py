"""Imports cost little, and arrows between the modules point one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import course_utils

PACKAGE = Path(course_utils.__file__).parent
CHECKS = {f"checks.{path.stem}" for path in PACKAGE.glob("checks/*.py")} - {"checks.__init__"}
MODULES = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"} | CHECKS
NUMBERS = {"encoding", "attention", "compare"}
BASE = {"arguments", "language"}

# what each module may import from the package
ARROWS = {
    "language": set(),
    "arguments": {"language"},
    "pages": {"language"},
    "too_early": {"language"},
    "server": set(),
    "encoding": BASE,
    "attention": BASE,
    "compare": BASE | NUMBERS,
    "plots": BASE,
    "explorers": BASE | NUMBERS | {"plots"},
    **dict.fromkeys(CHECKS, BASE | NUMBERS | {"checks"}),
    "checks.feedback": BASE,
    "positional_encoding_demo": BASE | NUMBERS,
}
# and from outside the standard library
OUTSIDE = {
    "language": set(),
    "pages": {"latex2mathml", "nbconvert", "nbformat"},
    "too_early": set(),
    "server": {"jupyter_server"},
    "plots": {"numpy", "matplotlib"},
    "explorers": {"numpy", "matplotlib", "ipywidgets", "PIL", "IPython"},
}


def imported(name):
    """The modules of the package, and the distributions, that one module names."""
    inside, outside = set(), set()
    for node in ast.walk(
        ast.parse((PACKAGE / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8"))
    ):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            module = node.module
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for full in names:
            first, *rest = full.split(".")
            if first == "course_utils":
                inside.add(rest[0])
            elif first not in sys.stdlib_module_names:
                outside.add(first)
    return inside, outside


def test_every_module_has_its_arrows():
    assert set(ARROWS) >= MODULES


@pytest.mark.parametrize("name", sorted(MODULES))
def test_arrows_point_one_way(name):
    inside, outside = imported(name)
    assert inside <= ARROWS[name]
    assert outside <= OUTSIDE.get(name, {"numpy"})


def test_no_arrow_leads_back():
    assert not any("checks" in ARROWS[name] for name in MODULES - CHECKS)

    def reached(name, seen=()):
        assert name not in seen, (*seen, name)
        for other in ARROWS[name]:
            if other != name:
                reached(other, (*seen, name))

    for name in ARROWS:
        if name not in CHECKS | {"compare"}:
            reached(name)


@pytest.mark.parametrize(
    "statement",
    [
        "import course_utils",
        "from course_utils import encoding, attention, compare",
        "from course_utils import checks, language",
        "import course_utils.positional_encoding_demo",
    ],
)
def test_no_picture_library_comes_in_unasked(statement):
    code = (
        f"import sys; {statement}; "
        "print([m for m in ('matplotlib', 'ipywidgets', 'IPython', 'PIL') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(MODULES - {"arguments", "language"}))
def test_what_a_module_offers_is_listed_and_documented(name):
    module = __import__(f"course_utils.{name}", fromlist=["__all__"])
    assert module.__all__ == sorted(module.__all__)
    for offered in module.__all__:
        thing = getattr(module, offered)
        assert thing.__doc__
        assert thing.__module__ == module.__name__
