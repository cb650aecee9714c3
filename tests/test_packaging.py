"""The ways in agree with each other, and what the README says of files and functions is so."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from course_utils import attention, beyond, compare, encoding, training
from course_utils.language import LANGUAGES
from tests.links import dead_links
from tools.languages import readme_halves
from tools.notebooks import HOME_CHAPTERS, NOTEBOOKS, ROOT, course_files

README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks" / "en").glob("[0-9]*.ipynb"))
# conda-forge's name for what is called otherwise in the Python index
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
PAGES = [path for path in course_files() if path.suffix == ".md"]
COMMANDS = [block.strip() for block in re.findall(r"^```\n(.*?)^```", README, re.M | re.DOTALL)]


def bounds(requirements):
    """Name to lower bound: the only kind of requirement in use."""
    pairs = [re.fullmatch(r"([a-z0-9-]+)>=([\d.]+)", each) for each in requirements]
    return {pair[1]: pair[2] for pair in pairs}


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_environment_agrees_with_pyproject(project):
    requirements = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    wanted = {CONDA_NAMES.get(name, name): low for name, low in bounds(requirements).items()}
    wanted["python"] = project["project"]["requires-python"].removeprefix(">=")
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    listed = re.findall(
        r"^ +- (.*[^:\n])$", environment.partition("dependencies:")[2], re.MULTILINE
    )
    assert bounds(each for each in listed if each not in {"pip", "-e ."}) == wanted
    assert {"pip", "-e ."} <= set(listed)


def test_everything_imported_is_declared(project):
    requirements = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    declared = bounds(requirements).keys() - {"pillow"} | {"PIL", "course_utils", "tests", "tools"}
    declared |= {name.replace("-", "_") for name in declared} | {"bs4", "yaml"}
    # what a benchmark compares with, where it is installed
    declared |= {"positional_encodings", "torch"}
    # in the settings that are written for it, where it is installed
    declared |= {"nbgrader"}
    # parts of JupyterLab's and Matplotlib's own interfaces
    declared |= {"IPython", "cycler", "jupyter_client", "jupyter_server", "tornado", "zmq"}
    for path in course_files():
        if path.suffix == ".py":
            text = path.read_text(encoding="utf-8")
            imported = set(re.findall(r"^\s*(?:from|import) (\w+)[ .\n]", text, re.MULTILINE))
            assert imported - sys.stdlib_module_names <= declared, path


def test_ci_runs_the_test_command_of_the_readme():
    lab, test = COMMANDS[:2]
    assert lab.endswith("python -m uv run jupyter lab notebooks/en/01_encode.ipynb")
    assert f"\n{test}\n" in CI
    # the runner reads pytest's closing line
    assert CI.rstrip().splitlines()[-1].split('"')[2].startswith(" -m pytest")


def test_ci_script_is_bash():
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash on this machine")
    subprocess.run([bash, "-n", str(ROOT / ".ci" / "run")], check=True)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_pages_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    assert list(dead_links(text, path.parent)) == []
    # JupyterLab, as the README starts it, shows the folder of the notebook and nothing above it
    if path.is_relative_to(NOTEBOOKS):
        assert "](.." not in text


# what a text calls by its name is there

TEXTS = [path for path in course_files() if path.suffix in {".md", ".py", ".yaml", ".yml", ""}]


def lost(text):
    """Modules that a text tells to run, and files that it names, which are not there."""
    for module in re.findall(r"python -m ((?:tools|tests|course_utils)(?:\.\w+)+)", text):
        path = ROOT / module.replace(".", "/")
        if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists():
            yield module
    for name in re.findall(r"`((?:\w+/)+\w+\.\w+)`", text):
        if name.partition("/")[0] in FOLDERS and not (ROOT / name).exists():
            yield name


FOLDERS = {path.relative_to(ROOT).parts[0] for path in course_files() if path.parent != ROOT}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_text_names_is_there(path):
    assert list(lost(path.read_text(encoding="utf-8"))) == []


def test_a_name_that_is_lost_is_seen():
    text = "`tests/{}.py`, `python -m tools.{}`, `tests/test_packaging.py`, `a/b.py`"
    assert list(lost(text.format("gone", "gone"))) == ["tools.gone", "tests/gone.py"]


@pytest.mark.parametrize("half", readme_halves(README), ids=LANGUAGES)
def test_readme_says_what_lives_in_each_folder(half):
    listed = set(re.findall(r"^\| `(\w+)/` \| ", half, re.MULTILINE))
    assert listed == {name for name in FOLDERS if not name.startswith(".")}


def test_contributing_says_what_each_module_is_for():
    modules = {
        path.relative_to(ROOT / "course_utils").parts[0]
        for path in course_files("course_utils")
        if path.name != "__init__.py" or path.parent.name != "course_utils"
    }
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (layout,) = re.findall(r"^## Layout\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"(\w+(?:\.\w+)+|\w+(?=/`))", layout))
    assert modules - named == set()


def unexplained(names, page):
    """Test files that neither have the name of what they test nor stand on the page of tests."""
    files = [path for folder in ("course_utils", "tools") for path in course_files(folder)]
    tested = {name for path in files for name in (path.stem, path.parent.name)}
    for name in names:
        what = name.removeprefix("test_").removesuffix(".py")
        if what not in tested and not what.startswith("checks_") and name not in page:
            yield name


def test_the_page_of_tests_knows_each_file():
    page = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    names = [path.name for path in course_files("tests") if path.name.startswith("test_")]
    assert list(unexplained(names, page)) == []
    assert list(unexplained(["test_weather.py"], page)) == ["test_weather.py"]


def untold(tools, text):
    """Commands of `tools` that no page and no script tells anybody to run."""
    yield from (tool for tool in tools if not re.search(rf"-m tools\.{tool}\b", text))


def test_each_tool_is_told_to_be_run_somewhere():
    tools = {
        path.parent.name if path.stem == "__main__" else path.stem
        for path in course_files("tools")
        if path.suffix == ".py" and "__main__" in path.stem + path.read_text(encoding="utf-8")
    }
    told = [path for path in course_files() if path.suffix in {".md", ".yaml", ".yml", ""}]
    text = "\n".join(path.read_text(encoding="utf-8") for path in told)
    assert list(untold(tools, text)) == []
    assert list(untold(["weather"], text)) == ["weather"]


def test_readme_lists_the_chapters():
    listed = re.findall(r"\]\(notebooks/en/(\d\w+)\.ipynb\)", README)
    assert sorted(set(listed)) == CHAPTERS


@pytest.mark.parametrize("half", readme_halves(README), ids=LANGUAGES)
def test_readme_knows_each_function_and_its_home(half):
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (?:(\d) )?\w+ \|$", half, re.MULTILINE)
    numbered = {name[1]: name for name in HOME_CHAPTERS if name.startswith("0")}
    listed = {(name, module, numbered.get(number, "further")) for name, module, number in rows}
    homes = {name: chapter for chapter, names in HOME_CHAPTERS.items() for name in names}
    assert listed == {
        (name, module.__name__.rpartition(".")[2], homes[name])
        for module in (encoding, attention, compare, beyond, training)
        for name in module.__all__
        if name in homes
    }


@pytest.mark.parametrize("half", readme_halves(README), ids=LANGUAGES)
def test_readme_names_each_module(half):
    modules = {path.stem for path in (ROOT / "course_utils").iterdir() if is_module(path)} - {
        "__init__"
    }
    assert modules <= set(re.findall(r"`(\w+)`", half))


def is_module(path):
    return path.suffix == ".py" or (path / "__init__.py").is_file()


# the module stays thin: a lesson is read in notebooks

THIN, LARGEST = 5_600, 700
# what was asked for on its own has a ceiling of its own, and is not in `THIN`
BESIDE = {("beyond.py", "training.py"): 500, ("collect",): 1_000}
SMALLER = {("encoding.py", "attention.py", "compare.py"): 700, ("plots.py",): 600}


def too_long(lines):
    """Sentences about a package, from the lines of its files, where it is longer than it may be."""

    def those(names):
        return sum(count for path, count in lines.items() if path.partition("/")[0] in names)

    beside = {name for names in BESIDE for name in names}
    sums = {("all else",): (sum(lines.values()) - those(beside), THIN)}
    sums |= {names: (those(names), most) for names, most in (BESIDE | SMALLER).items()}
    sums |= {(path,): (count, LARGEST) for path, count in lines.items() if count > LARGEST}
    for names, (count, most) in sums.items():
        if count > most:
            yield f"{' + '.join(names)}: {count:,} lines, at most {most:,}"


@pytest.fixture(scope="module")
def lines():
    """How many lines each Python file of the package has, wherever it lies."""
    package = ROOT / "course_utils"
    return {
        path.relative_to(package).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in course_files("course_utils")
        if path.suffix == ".py"
    }


def test_the_module_stays_thin(lines):
    assert list(too_long(lines)) == []


@pytest.mark.parametrize(
    ("path", "count", "said"),
    [
        ("new.py", 701, "new.py"),
        ("checks/deep/new.py", 701, "checks/deep/new.py"),
        ("checks/new.py", 690, "all else"),
        ("new/__init__.py", 690, "all else"),
        ("collect/new.py", 690, "collect"),
        ("beyond.py", 500, "beyond.py + training.py"),
        ("compare.py", 300, "encoding.py + attention.py + compare.py"),
        ("plots.py", 601, "plots.py"),
    ],
)
def test_a_module_that_grows_is_seen(lines, path, count, said):
    assert said in {each.partition(":")[0] for each in too_long(lines | {path: count})}
