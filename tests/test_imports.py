"""Imports cost little, and arrows between the modules point one way, in every folder."""

import ast
import importlib
import inspect
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import course_utils

PACKAGE = Path(course_utils.__file__).parent
NUMBERS = {"encoding", "attention", "compare", "beyond"}
BASE = {"arguments", "language"}

# what a module or a folder of modules may import from the package, besides itself
ARROWS = {
    "": set(),
    "language": set(),
    "arguments": {"language"},
    "too_early": {"language"},
    "server": set(),
    "encoding": BASE,
    "attention": BASE,
    "compare": BASE | NUMBERS,
    "beyond": BASE | {"encoding"},
    "training": BASE | NUMBERS,
    "plots": BASE,
    "explorers": BASE | NUMBERS | {"plots", "training"},
    "checks": BASE | NUMBERS | {"training"},
    "positional_encoding_demo": BASE | NUMBERS,
    "collect": BASE | NUMBERS | {"training", "checks", "plots", "explorers"},
}
# and from outside the standard library; NumPy, if nothing is said
OUTSIDE = {
    "": set(),
    "language": set(),
    "too_early": set(),
    "server": {"jupyter_server"},
    "plots": {"numpy", "matplotlib"},
    "explorers": {"numpy", "matplotlib", "ipywidgets", "PIL", "IPython"},
    "collect": {"numpy", "matplotlib", "jinja2"},
}
INTERNAL = {"arguments", "language"}


def module_name(path):
    """`checks.add`; a folder has the name of its `__init__`, and the package none."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


FILES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def group(name):
    return name.partition(".")[0]


def imported(source):
    """Full names of all that a source imports, wherever it does so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in {"import_module", "__import__"}:
                yield f".{called}"


def inside(full):
    """The module of the package that an import names, or None."""
    first, *rest = full.split(".")
    if first != "course_utils":
        return None
    return next(
        ".".join(rest[:k])
        for k in range(len(rest), -1, -1)
        if ".".join(rest[:k]) in FILES or k == 0
    )


def complaints(name, source):
    """Imports that one module may not have."""
    for full in imported(source):
        module, first = inside(full), full.partition(".")[0]
        if full.startswith("."):
            yield f"{name}: {full}: imports of the package are absolute, and written out"
        elif module is not None:
            if group(module) not in ARROWS[group(name)] | {group(name)}:
                yield f"{name} imports {module or full}"
        elif first not in OUTSIDE.get(group(name), {"numpy"}) | sys.stdlib_module_names:
            yield f"{name} imports {first}"


def test_every_module_has_its_arrows():
    assert {group(name) for name in FILES} == set(ARROWS)
    assert set(ARROWS) >= set(OUTSIDE)


@pytest.mark.parametrize("name", FILES)
def test_arrows_point_one_way(name):
    assert list(complaints(name, FILES[name].read_text(encoding="utf-8"))) == []


def test_nothing_imports_what_a_learner_sees_last():
    for name in ARROWS.keys() - {"collect"}:  # it runs what learners wrote
        arrows = ARROWS[name]
        assert not arrows - {name} & {"checks", "explorers", "positional_encoding_demo"}


def graph(sources):
    return {
        name: {inside(full) for full in imported(source)} - {None, name}
        for name, source in sources.items()
    }


def test_no_arrow_leads_back():
    sources = {name: path.read_text(encoding="utf-8") for name, path in FILES.items()}
    order = [*TopologicalSorter(graph(sources)).static_order()]
    assert set(order) == set(FILES)
    # also between two files of one folder
    last = order[-1]
    first = next(name for name in order if name and group(name) == group(last))
    sources[first] += f"\nimport course_utils.{last}\n"
    sources[last] += f"\nimport course_utils.{first}\n"
    with pytest.raises(CycleError):
        TopologicalSorter(graph(sources)).prepare()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("explorers.encode", "import nbconvert"),
        ("explorers.encode", "from course_utils import checks"),
        ("explorers", "from course_utils.checks import check_encoding"),
        ("explorers.new", "def draw():\n    import course_utils.checks.feedback"),
        ("checks.feedback", "import matplotlib.pyplot as plt"),
        ("checks.rooms.new", "from course_utils import explorers"),
        ("encoding", "from course_utils import plots"),
        ("plots", "from course_utils import encoding"),
        ("compare", "from . import encoding"),
        ("compare", "from tools import notebooks"),
        ("language", "import numpy"),
        ("", "import numpy"),
        ("checks", "import importlib\nimportlib.import_module('torch')"),
    ],
)
def test_an_arrow_that_points_back_is_seen(name, line):
    assert list(complaints(name, line))


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


@pytest.mark.parametrize("name", sorted(FILES.keys() - {""}))
def test_no_function_hides_a_module_of_its_name(name):
    folder, _, last = f"course_utils.{name}".rpartition(".")
    module = importlib.import_module(f"course_utils.{name}")
    assert getattr(importlib.import_module(folder), last) is module


def own(module):
    """The functions and classes that a module defines for others, by their names."""
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(thing) or inspect.isclass(thing))
        and thing.__module__ == module.__name__
    }


def unlisted(module, folder):
    """What a module, or its folder, offers and does not list."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        yield from own(module).keys() - {*listed}
    # a check gives a Feedback, an explorer is an Explorer: that is what these folders are for
    kinds = [thing for thing in vars(folder).values() if inspect.isclass(thing)]
    for name, thing in own(module).items():
        given = inspect.isfunction(thing) and inspect.signature(thing).return_annotation
        if any(given is kind for kind in kinds) and name not in folder.__all__:
            yield name


@pytest.mark.parametrize("name", sorted(FILES.keys() - INTERNAL - {""}))
def test_what_others_use_is_listed(name):
    module = importlib.import_module(f"course_utils.{name}")
    folder = importlib.import_module(f"course_utils.{name}".rpartition(".")[0])
    assert sorted(unlisted(module, folder)) == []


@pytest.mark.parametrize("full", ["beyond.rotate", "checks.rope.check_rope"])
def test_what_is_not_listed_is_seen(full, monkeypatch):
    path, _, name = f"course_utils.{full}".rpartition(".")
    module, folder = map(importlib.import_module, (path, path.rpartition(".")[0]))
    offers = module if hasattr(module, "__all__") else folder
    monkeypatch.setattr(offers, "__all__", [each for each in offers.__all__ if each != name])
    assert list(unlisted(module, folder)) == [name]


@pytest.mark.parametrize("name", sorted(FILES.keys() - INTERNAL - {""}))
def test_what_a_module_offers_is_listed_and_documented(name):
    module = importlib.import_module(f"course_utils.{name}")
    offered = getattr(module, "__all__", None)
    # what a folder is divided into is its own affair; it lists what it offers itself
    assert offered is not None or "." in name
    assert list(offered or ()) == sorted(offered or ())
    for each in offered or ():
        thing = getattr(module, each)
        assert thing.__doc__
        assert f"{thing.__module__}.".startswith(f"{module.__name__}.")
