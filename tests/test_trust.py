"""What a stranger's machine runs: no network, no other program, no file that says two things.

The form of the notebooks (imports, names, outputs, markup, characters in cells) is ruled in
`notebook_rules.py`; here stands what a rule about their text cannot see.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest

from tests.test_explorers import NAMES
from tools.execute import is_normal, main
from tools.notebooks import ROOT, course_files, course_notebooks, read

# importing these first fills their caches, which may ask the system for its fonts
RUN = """
import sys
import matplotlib; matplotlib.use("Agg")
import matplotlib.font_manager, matplotlib.pyplot as plt
import IPython.display, ipywidgets, course_utils.explorers, course_utils.checks

REFUSED = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "subprocess.", "os.system",
           "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "webbrowser.",
           "pty.", "os.remove", "os.rename", "os.rmdir", "shutil.")

def watch(event, arguments):
    if event.startswith(REFUSED):
        raise PermissionError(f"{event} {arguments}")
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        raise PermissionError(f"{event} {arguments}")

sys.dont_write_bytecode = True
sys.addaudithook(watch)
"""
RUN_CELLS = (
    RUN
    + """
import json
from pathlib import Path
for path in sys.argv[1:]:
    page = {"__name__": "__main__"}
    for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path}:{cell['id']}", "exec"), page)
    plt.close("all")
"""
)
# each must be noticed, or the watch watches nothing
FORBIDDEN = {
    "a socket": "import socket; socket.create_connection(('127.0.0.1', 9), timeout=1)",
    "a name": "import socket; socket.getaddrinfo('localhost', 80)",
    "a page": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
    "a program": "import subprocess; subprocess.run([sys.executable, '--version'])",
    "a shell": "import os; os.system('exit')",
    "a file": "open('left_behind.txt', 'w')",
}


def run(code, *arguments, folder=ROOT, seconds=300):
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "MPLBACKEND": "Agg"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=seconds
    )


# all languages share the code cells
@pytest.mark.slow
@pytest.mark.parametrize(
    "path", course_notebooks(ROOT / "notebooks" / "en"), ids=lambda path: path.stem
)
def test_notebooks_run_without_network_programs_or_written_files(path):
    done = run(RUN_CELLS, path)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_explorers_and_demo_run_without_network_programs_or_written_files():
    code = RUN + (
        "import course_utils.positional_encoding_demo, runpy\n"
        "from course_utils import explorers\n"
        f"for name in {NAMES}:\n"
        "    explorer = getattr(explorers, name)()\n"
        "    explorer.set(**explorer.values)\n"
        "    explorer._repr_mimebundle_()\n"
        "runpy.run_path(course_utils.positional_encoding_demo.__file__, run_name='__main__')\n"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_watch_sees(tmp_path):
    tries = "".join(
        f"try:\n    {line}\nexcept PermissionError:\n    print({what!r})\n"
        for what, line in FORBIDDEN.items()
    )
    done = run(RUN + tries, folder=tmp_path)
    assert done.stdout.splitlines() == list(FORBIDDEN), done.stderr
    assert not list(tmp_path.iterdir())


# the package itself

UNWANTED = {
    *("asyncio", "ftplib", "http", "multiprocessing", "os", "pickle", "requests", "shelve"),
    *("shutil", "smtplib", "socket", "subprocess", "tempfile", "urllib", "webbrowser"),
}
UNWANTED_CALLS = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open"}
# methods that write, delete or start something, whatever they belong to
UNWANTED_METHODS = {
    *("chmod", "fromfile", "hardlink_to", "import_module", "mkdir", "popen", "rename", "rmdir"),
    *("save", "savefig", "savetxt", "savez", "savez_compressed", "symlink_to", "system", "tofile"),
    *("touch", "unlink", "write_bytes", "write_text"),
}
# which notebook a kernel runs stands in its environment, and a cell is looked at before it runs;
# a picture is saved to memory
WANTED = {
    "too_early.py": {"compile", "os"},
    "explorers/": {"save", "savefig"},
    # it runs what learners wrote, in processes of their own, and writes what it found
    "collect/child.py": {"compile", "exec", "os"},
    "collect/judge.py": {"os", "shutil", "subprocess", "tempfile"},
    "collect/report.py": {"os"},
    "collect/submissions.py": {"os"},
    "collect/__main__.py": {"mkdir", "os", "write_text"},
}


def unwanted(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Name):
            if node.id in UNWANTED_CALLS:
                yield node.id
            continue
        elif isinstance(node, ast.Attribute):
            if node.attr in UNWANTED_METHODS:
                yield node.attr
            continue
        else:
            continue
        yield from {name.partition(".")[0] for name in names} & UNWANTED


def test_the_package_asks_for_no_network_program_file_or_evaluation():
    package = ROOT / "course_utils"
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        allowed = {
            each for place, names in WANTED.items() if name.startswith(place) for each in names
        }
        assert {*unwanted(path.read_text(encoding="utf-8"))} <= allowed, name
    source = "import os.path\nfrom urllib import request\nrun = eval\nf = Path('a').write_text"
    assert {*unwanted(source)} == {"os", "urllib", "eval", "write_text"}


# characters that a reader does not see

INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def test_no_file_holds_an_invisible_character():
    seen = 0
    for path in course_files():
        if path.suffix == ".png":
            continue
        words = path.read_bytes().decode("utf-8")
        if path.suffix in {".ipynb", ".json"}:  # also what is written as an escape
            words += json.dumps(json.loads(words), ensure_ascii=False)
        found = INVISIBLE.search(words)
        assert not found, (path, f"U+{ord(found[0]):04X}")
        seen += 1
    assert seen > 60
    assert all(INVISIBLE.search(chr(code)) for code in (0xAD, 0x200B, 0x200F, 0x202E, 0x2066))


# what is stored, and with what it is opened


def test_no_link_or_picture_of_a_notebook_can_run_anything():
    texts = {
        path.name: [path.read_text(encoding="utf-8")]
        for path in course_files()
        if path.suffix == ".md"
    }
    for path in course_notebooks():
        for cell in read(path).cells:
            shown = [
                out.get("data", {}).get("text/markdown", "") for out in cell.get("outputs", [])
            ]
            source = [cell.source] if cell.cell_type == "markdown" else []
            texts[f"{path}, {cell.id}"] = [*source, *shown]
    for place, each in texts.items():
        for words in each:
            for target in re.findall(r"\]\(\s*<?([A-Za-z][\w+.-]*):", words):
                assert target == "https", (place, target)
            tag = r"<(?!/?(?:details|summary)\b)/?[a-z]\w*[\s>]"
            assert not re.search(tag, outside(words)), place


def outside(words):
    """Markdown without code and formulas."""
    return re.sub(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", " ", words, flags=re.DOTALL)


# https://github.com/jupyterlab/jupyterlab/security/advisories: GHSA-mqcg-5x36-vfcg and
# GHSA-37w4-hwhx-4rc4 (4.5.7), GHSA-vmhf-c436-hxj4 (4.5.9), and five of July 2026, among them
# GHSA-gx64-gj6p-pc4c and GHSA-pppj-hq3g-57pj, are mended in 4.6.2
SAFE_JUPYTERLAB = (4, 6, 2)


def test_no_jupyterlab_with_a_known_hole_is_admitted():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (low,) = [each for each in project["dependencies"] if each.startswith("jupyterlab>=")]
    assert tuple(map(int, low.partition(">=")[2].split("."))) >= SAFE_JUPYTERLAB


# what a fork runs

PUBLISH = {"pages": "write", "id-token": "write"}
ACTION = r"[\w-]+/[\w./-]+@[0-9a-f]{40}"


def parsed(name):
    yaml = pytest.importorskip("yaml")  # comes with JupyterLab
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_github_runs_the_workflows_alone():
    assert {path.parent.relative_to(ROOT).as_posix() for path in course_files(".github")} == {
        ".github/workflows"
    }


@pytest.mark.parametrize("path", course_files(".github"), ids=lambda path: path.name)
def test_a_workflow_reads_only_and_runs_pinned_actions(path):
    workflow = parsed(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert "secrets" not in job
        if "permissions" in job:
            # to publish takes a right, and the job that has it runs no line of ours
            assert (path.name, name, job["permissions"]) == ("pages.yml", "publish", PUBLISH)
            assert not any("run" in step for step in job["steps"])
        for step in job["steps"]:
            assert re.fullmatch(ACTION, step.get("uses", "")) or "run" in step
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            # a value of the event, pasted into a script, would run
            assert "${{" not in step.get("run", "")
    for line in path.read_text(encoding="utf-8").splitlines():
        assert "uses:" not in line or re.search(ACTION + r" # v\d+\.\d+\.\d+$", line), line


def test_the_workflow_runs_what_the_readme_promises():
    workflow = parsed(".github/workflows/ci.yml")
    test = workflow["jobs"]["test"]
    matrix = test["strategy"]["matrix"]
    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "macos", "windows"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert matrix["python"][0] == project["requires-python"].removeprefix(">=")
    commands = [step.get("run", "") for step in test["steps"]]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert any(command and f"\n{command}\n" in readme for command in commands)


def test_the_hooks_are_local():
    (repository,) = parsed(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        module = re.match(r"python -m ([\w.]+)", hook["entry"])
        if module:
            assert (ROOT / f"{module[1].replace('.', '/')}.py").exists()


def test_the_check_of_the_normal_form_can_fail(good, tmp_path):
    assert is_normal(good)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["--check", str(good)])
    touched = tmp_path / "touched.ipynb"
    touched.write_text(good.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    before = touched.read_bytes()
    with pytest.raises(SystemExit, match=r"touched\.ipynb: run"):
        main(["--check", str(touched)])
    assert touched.read_bytes() == before
