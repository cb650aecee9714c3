"""One sentence for a cell run too early, a name overwritten, a file in the way; the rest stays."""

import ast
import builtins
import dis
import inspect
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

from course_utils.language import LANGUAGES
from course_utils.too_early import which_cell_first
from tools.notebooks import ROOT, course_notebooks, headings, load

HEADINGS = {"en": ("Set up", "Draw `pe`"), "zh": ("准备", "画出 `pe`")}
SAID = {
    "en": "There is no `{}` yet: first run the cell under “{}” that starts with `{}`.",
    "zh": "`{}` 还没有定义：请先运行“{}”一节中以 `{}` 开头的单元格。",
}
SETUP = 'import numpy as np\n\nfrom course_utils.language import use_language\n\nuse_language("{}")'
NOTEBOOKS = [
    pytest.param(
        path,
        id=f"{path.parent.name}/{path.stem}",
        marks=[] if path.parent.name == "en" else pytest.mark.slow,
    )
    for path in course_notebooks()
]
EACH_LANGUAGE = ["en", pytest.param("zh", marks=pytest.mark.slow)]


def notebook(language="en"):
    setup, section = HEADINGS[language]
    texts = [
        ("markdown", f"# Title\n\n## {setup}\n\n```\n# not a heading\n```\nRun this."),
        ("code", SETUP.format(language)),
        ("markdown", f"## {section}"),
        ("code", "pe = np.eye(3)\nfor row in pe:\n    pass"),
        ("code", "def norm(x):\n    inner = x @ x\n    return inner"),
        ("code", "print(pe, norm(pe), row)"),
        ("code", "pe = 2 * pe\nspare = [each for each in pe]"),
        ("code", "%timeit norm(pe)\ntimed = 1\nimport os.path as place, math"),
        ("code", "broken = = 1"),
        ("code", "del spare\ngone = 1\ndel gone"),
        ("markdown", "## Last"),
        ("code", "print(spare, timed)\nlate = pe"),
    ]
    return [
        {"id": f"cell-{k}", "cell_type": kind, "source": text.splitlines(keepends=True)}
        for k, (kind, text) in enumerate(texts)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "here", "heading", "line"),
    [
        ("np", 3, 0, "import numpy as np"),
        ("np", 11, 0, "import numpy as np"),
        ("pe", 5, 1, "pe = np.eye(3)"),
        ("row", 5, 1, "pe = np.eye(3)"),
        ("norm", 7, 1, "def norm(x):"),
        # the nearest above, and not the cell itself
        ("pe", 11, 1, "pe = 2 * pe"),
        ("pe", 6, 1, "pe = np.eye(3)"),
        # above the cell that only deletes it
        ("spare", 11, 1, "pe = 2 * pe"),
        ("timed", 11, 1, "%timeit norm(pe)"),
        ("place", 11, 1, "%timeit norm(pe)"),
        ("math", 11, 1, "%timeit norm(pe)"),
    ],
)
def test_the_cell_to_run_first_is_named(language, name, here, heading, line):
    wanted = SAID[language].format(name, HEADINGS[language][heading], line)
    cells = notebook(language)
    assert which_cell_first(cells, name, cell_id=f"cell-{here}") == wanted
    # known by its text alone, or by its id while its text is not saved yet
    code = "".join(cells[here]["source"])
    assert which_cell_first(cells, name, code) == wanted
    assert which_cell_first(cells, name, "changed", f"cell-{here}") == wanted


def test_a_cell_that_moved_up_names_the_first_below():
    said = which_cell_first(notebook(), "late", cell_id="cell-3")
    assert said == SAID["en"].format("late", "Last", "print(spare, timed)")
    # as does one that the file does not hold
    assert "`pe = np.eye(3)`" in which_cell_first(notebook(), "pe", "new", "unknown")


@pytest.mark.parametrize("name", ["nmupy", "inner", "x", "each", "broken", "print", "late", "gone"])
def test_a_name_that_no_other_cell_leaves_behind_is_not_explained(name):
    assert which_cell_first(notebook(), name, cell_id="cell-11") is None


def test_a_notebook_that_chooses_no_language_of_the_course_is_left_alone():
    cells = notebook()
    for source in ([], ["use_language('xx')"], ["import numpy as np"]):
        cells[1]["source"] = source
        assert which_cell_first(cells, "pe", cell_id="cell-5") is None


def test_old_notebooks_have_no_ids():
    cells = [{key: cell[key] for key in ("cell_type", "source")} for cell in notebook()]
    assert "`pe = np.eye(3)`" in which_cell_first(cells, "pe", "print(pe, norm(pe), row)")


# every cell of every chapter, without what stands above it


def steps(code):
    """What Python does in a cell and in the functions it defines; no syntax tree is asked."""
    yield from dis.get_instructions(code)
    for inner in filter(inspect.iscode, code.co_consts):
        yield from steps(inner)


def needed(source):
    """The global names that a cell looks up and does not bind."""
    found = list(steps(compile(source, "cell", "exec")))
    looked_up = {each.argval for each in found if each.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
    bound = {each.argval for each in found if each.opname == "STORE_NAME"}
    return looked_up - bound - set(dir(builtins))


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_each_cell_of_the_course_is_sent_to_its_own_section_or_to_the_set_up_cell(path):
    rules = load(path)
    pattern = re.escape(SAID[rules.language]).replace(re.escape("{}"), "(.+)")
    titles = {title for cell in rules.nb.cells for _, title in headings(cell)}
    (setup,) = (cell for cell in rules.code if cell.id == "setup")
    count = 0
    for section in rules.sections():
        for number, cell in enumerate(section):
            lines = {each.source.partition("\n")[0] for each in (setup, *section[:number])}
            for name in needed(cell.source):
                said = which_cell_first(rules.nb.cells, name, cell.source, cell.id)
                found = re.fullmatch(pattern, said or "nothing")
                assert found, (cell.id, name, said)
                assert found[1] == name
                assert found[2] in titles
                assert found[3] in lines, (cell.id, said)
                count += 1
    assert count > 20


# in a kernel

INSTALLED = Path(sys.prefix, "etc", "ipython", "ipython_config.py")


def test_the_environment_has_what_loads_it():
    ours = ROOT / "etc" / "ipython" / INSTALLED.name
    assert INSTALLED.read_text(encoding="utf-8") == ours.read_text(encoding="utf-8")


FORGET = """
get_ipython().execution_count = 100
for name in [*globals()]:
    if name[0] != "_" and name not in ("In", "Out", "get_ipython", "exit", "quit", "open"):
        del globals()[name]
"""


class Kernel:
    """A kernel as JupyterLab starts it: it knows the path of its notebook, and ids of cells."""

    def __init__(self, folder, path=""):
        env = {**os.environ, "IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(ROOT)}
        env["JPY_SESSION_NAME"] = self.path = str(path)
        self.manager, self.client = start_new_kernel(kernel_name="python3", env=env, cwd=folder)

    def run(self, code, cell_id=None):
        """The error that a cell shows, or None."""
        self.send(code, cell_id)
        return self.wait()

    def send(self, code, cell_id=None):
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        content |= {"user_expressions": {}, "stop_on_error": False}
        message = self.client.session.msg("execute_request", content)
        message["metadata"] = {"cellId": cell_id} if cell_id else {}
        self.client.shell_channel.send(message)
        self.sent = message["header"]["msg_id"]

    def wait(self, kind="status", state="idle"):
        """What the cell says until it is idle, or until it says something of that kind."""
        error = None
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") == self.sent:
                content = message["content"]
                error = content if message["msg_type"] == "error" else error
                if message["msg_type"] == kind and content.get("execution_state", state) == state:
                    return error

    def forget(self):
        """Be as after a restart."""
        assert self.run(FORGET) is None

    @contextmanager
    def at(self, path):
        """Run another notebook."""
        line = "import os; os.environ['JPY_SESSION_NAME'] = {!r}"
        assert self.run(line.format(str(path))) is None
        yield
        assert self.run(line.format(self.path)) is None

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """One that runs a notebook of the course, and one that runs no notebook."""
    folder = tmp_path_factory.mktemp("kernels")
    path = folder / "a notebook.ipynb"
    path.write_text(json.dumps({"cells": notebook("zh")}, ensure_ascii=False), encoding="utf-8")
    pair = Kernel(folder, path), Kernel(folder)
    yield pair
    for kernel in pair:
        kernel.close()


def test_a_kernel_says_it_in_one_line_and_the_cell_stays_red(kernels):
    course, _ = kernels
    draws = "print(pe, norm(pe), row)"
    for code, cell_id, name, heading, line in [
        (draws, "cell-5", "pe", 1, "pe = np.eye(3)"),
        (f"1\n{draws}", "cell-5", "pe", 1, "pe = np.eye(3)"),
        ("pe = np.eye(3)", "cell-3", "np", 0, "import numpy as np"),
    ]:
        error = course.run(code, cell_id)
        assert error["ename"] == "NameError"
        assert error["evalue"] == f"name '{name}' is not defined"
        assert error["traceback"] == [SAID["zh"].format(name, HEADINGS["zh"][heading], line)]
    for code in [SETUP.format("zh"), "pe = np.eye(3)", "row = 0\ndef norm(x): return x", draws]:
        assert course.run(code) is None
    # once more, after the learner deleted it, and inside a function of theirs
    error = course.run("del pe\ndef mine():\n    return pe\nmine()", "cell-11")
    assert error["traceback"] == [SAID["zh"].format("pe", HEADINGS["zh"][1], "pe = 2 * pe")]


SAME = {
    "unknown": "nmupy.zeros(3)",
    "in a function": "def mine():\n    return nmupy\nmine()",
    "in a library": "space = {}\nexec('f = lambda: norm', space)\nspace['f']()",
    "raised by hand": "raise NameError(\"name 'norm' is not defined\")",
    "a kind of it": "def mine():\n    norm\n    norm = 1\nmine()",
    "free": "def mine():\n    def inner(): return norm\n    inner()\n    norm = 1\nmine()",
    "another error": "1 / 0",
    "syntax": "norm = = 1",
}


@pytest.mark.parametrize("name", SAME)
def test_all_other_errors_look_as_everywhere(kernels, name):
    course, plain = kernels
    course.forget(), plain.forget()
    error = plain.run(SAME[name])
    assert error is not None
    assert course.run(SAME[name], "cell-11") == error


def test_a_missing_or_unreadable_notebook_changes_nothing(kernels, tmp_path):
    course, plain = kernels
    (tmp_path / "half.ipynb").write_text('{"cells": [', encoding="utf-8")
    (tmp_path / "latin.ipynb").write_bytes(b'{"cells": ["\xe9"]}')
    (tmp_path / "odd.ipynb").write_text('{"cells": [{"source": 3}, 4]}', encoding="utf-8")
    for path in [*sorted(tmp_path.iterdir()), tmp_path, tmp_path / "none.ipynb", ""]:
        with course.at(path):
            course.forget(), plain.forget()
            assert course.run("norm", "cell-5") == plain.run("norm")
    course.forget()
    assert course.run("norm", "cell-5")["traceback"][0].startswith("`norm` 还没有定义")


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_each_cell_of_a_chapter_runs_first(kernels, language):
    course, _ = kernels
    path = ROOT / "notebooks" / language / "01_encode.ipynb"
    cells = [cell for cell in load(path).code if cell.id != "setup"]
    start = SAID[language].partition("{}")[0]
    count = 0
    with course.at(path):
        for cell in cells:
            course.forget()
            error = course.run(cell.source, cell.id)
            if error:
                assert error["ename"] == "NameError"
                (line,) = error["traceback"]
                assert line.startswith(start), cell.id
                count += 1
    # a few cells only define functions
    assert count > 0.8 * len(cells)


def test_a_running_cell_is_interrupted_and_the_next_one_works(kernels):
    for kernel in kernels:
        kernel.send("print('begun')\nwhile True: pass")
        kernel.wait("stream")
        kernel.manager.interrupt_kernel()
        assert kernel.wait()["ename"] == "KeyboardInterrupt"
        assert kernel.run("1 + 1") is None


def test_the_start_of_a_kernel_imports_nothing_large():
    code = (
        "import sys, ipykernel.kernelapp; before = {*sys.modules}; "
        "import course_utils.too_early; print({*sys.modules} - before)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    own = {"course_utils", "course_utils.language", "course_utils.too_early"}
    found = {name for name in ast.literal_eval(done.stdout) if not name.startswith("tomllib")}
    assert found == own


# a name of the set-up cell that is something else by now

IMPORTS = (
    "import numpy as np\nfrom course_utils import attention, compare, encoding, plots\n"
    "from course_utils.language import use_language\n\nuse_language('{}')"
)
OVERWRITTEN = {
    "en": "`{}` is no longer what the set-up cell imported: cell [{}], which starts with `{}`, "
    "gave this name to something else. Choose another name there, then run the cell under “Set up” "
    "that starts with `import numpy as np` once more.",
    "zh": "`{}` 已经不是准备单元格导入的那一个：以 `{}` 开头的单元格 [{}] 把这个名字给了别的值。"
    "请在那里换一个变量名，再重新运行“准备”一节中以 `import numpy as np` 开头的单元格。",
}


def overwritten(language, name, count, line):
    values = (name, count, line) if language == "en" else (name, line, count)
    return OVERWRITTEN[language].format(*values)


@contextmanager
def set_up(kernel, folder, language):
    """A notebook whose set-up cell has run as cell [1]."""
    cells = notebook(language)
    cells[1]["source"] = IMPORTS.format(language)
    path = folder / "set up.ipynb"
    path.write_text(json.dumps({"cells": cells}, ensure_ascii=False), encoding="utf-8")
    with kernel.at(path):
        kernel.forget()
        assert (
            kernel.run("get_ipython().history_manager.reset(); get_ipython().execution_count = 0")
            is None
        )
        assert kernel.run(cells[1]["source"], "cell-1") is None
        yield cells


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize(
    ("name", "line", "later"),
    [
        (
            "encoding",
            "encoding = encoding.sinusoidal_positional_encoding(4, 8)",
            "print(encoding.rotation_matrix(1, 8))",
        ),
        ("attention", "attention = np.eye(3)", "w = attention.softmax(np.eye(3))"),
        ("compare", "for compare in [0.39, 0.5]: pass", "compare.shift_gap(np.eye(3))"),
        ("plots", "def plots(): pass", "def mine():\n    plots.use_style()\n\n\nmine()"),
        ("np", "np = 8", "np.zeros(np)"),
    ],
)
def test_an_overwritten_name_is_told_with_the_cell_that_did_it(
    kernels, tmp_path, language, name, line, later
):
    course, _ = kernels
    with set_up(course, tmp_path, language) as cells:
        assert course.run(f"{line}\nelse_ = 1") is None
        assert course.run("print('between')") is None
        error = course.run(later, "cell-5")
        assert error["ename"] == "AttributeError"
        assert error["traceback"] == [overwritten(language, name, 2, line)]
        # the cure works
        assert course.run(cells[1]["source"], "cell-1") is None
        assert course.run(later) is None or name == "np"


@pytest.mark.parametrize(
    "code",
    [
        "encoding.sinusoidal",  # a slip, and the module is there
        "encoded = np.eye(3)\nencoded.rotation_matrix",  # a value of the learner's own
        "compare = 0.39\n(0.5).shift_gap",
        "plots.figure = None\nplots.figure.axes",
    ],
)
def test_other_missing_attributes_look_as_everywhere(kernels, tmp_path, code):
    course, plain = kernels
    with set_up(course, tmp_path, "en") as cells:
        plain.forget()
        assert plain.run(cells[1]["source"]) is None
        said, wanted = course.run(code, "cell-5"), plain.run(code)
        assert len(said["traceback"]) == len(wanted["traceback"]) > 1
        assert said["evalue"] == wanted["evalue"]


# a file beside the notebook that has the name of a library

IN_THE_WAY = {
    "en": "The file `{0}.py` beside this notebook is in the way: `import {0}` finds it and not the "
    "library. Rename it or move it elsewhere, then restart the kernel.",
    "zh": "笔记本旁边的 `{0}.py` 与库同名：`import {0}` 导入的是它，而不是库。"
    "请给它改名或把它移到别处，再重启内核。",
}


def run_beside(folder, files, *cells, language="en"):
    """Run cells in a notebook of the course with files beside it; what the last one shows."""
    for name, source in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(source, encoding="utf-8")
    path = folder / "lesson.ipynb"
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(nb, path)
    env = {**os.environ, "IPYTHONDIR": str(folder / "ipython"), "JPY_SESSION_NAME": str(path)}
    client = NotebookClient(nb, kernel_name="python3", allow_errors=True, timeout=120)
    client.execute(cwd=str(folder), env=env)
    return nb.cells[-1].outputs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "name", "source"),
    [
        ("en", "numpy", "x = 1"),
        ("zh", "numpy", "import numpy as np\n\nprint(np.zeros(3))"),
        ("zh", "PIL", ""),
        ("en", "matplotlib", "figure = 1"),
    ],
)
def test_a_file_with_the_name_of_a_library_is_named(tmp_path, language, name, source):
    setup = (
        f"import numpy as np\nnp.zeros(3)\nimport matplotlib.pyplot\nimport PIL.Image\n"
        f"use_language('{language}')"
    )
    (shown,) = run_beside(tmp_path, {f"{name}.py": source}, setup)
    assert shown.traceback == [IN_THE_WAY[language].format(name)]


def test_a_folder_may_be_in_the_way_too(tmp_path):
    setup = "import numpy as np\nnp.zeros(3)\nuse_language('en')"
    (shown,) = run_beside(tmp_path, {"numpy/__init__.py": ""}, setup)
    assert shown.traceback == [IN_THE_WAY["en"].format("numpy").replace(".py", "")]


@pytest.mark.slow
def test_a_course_utils_beside_the_notebook_does_no_harm(tmp_path):
    setup = (
        "from course_utils import encoding\nfrom course_utils.language import use_language\n"
        "use_language('en')\nprint(encoding.angular_frequencies(2))"
    )
    (shown,) = run_beside(tmp_path, {"course_utils.py": "x = 1"}, setup)
    assert shown.text == "[1.]\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"helper.py": "x = 1"}, "import helper\nhelper.y"),  # the name of no library
        ({"numpy.py": "x = 1"}, "from json import nothing"),  # and one that is not imported
        ({}, "import nothing"),
    ],
)
def test_other_failed_imports_look_as_everywhere(tmp_path, files, line):
    (shown,) = run_beside(tmp_path, files, f"{line}\nuse_language('en')")
    assert len(shown.traceback) > 1
