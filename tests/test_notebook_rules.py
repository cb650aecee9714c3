"""Canary notebooks, each broken in one way: every gate must see its own."""

import re
import subprocess
import sys
from copy import deepcopy
from xml.etree import ElementTree

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output

from tests.canaries import FIGURE, cell, code, prose, put, source, stdout, value
from tests.notebook_rules import (
    RULES,
    defines_at_home_only,
    quotes_what_it_prints,
    repeated_functions,
    shakes_hands,
    speaks_its_language,
)
from tools import execute
from tools.notebooks import ROOT, Notebook, dump, load, read

# What nbval, as pyproject.toml sets it, must fail: cells of one notebook, which share a kernel

IN_ONE_KERNEL = {
    # 0.1 % off, in what is printed and in what a slider's picture says
    "number": ("encode-number", {"outputs": [stdout("0.8423\n")]}),
    "summary": ("explore", {"outputs": [value(text_plain="position 1: 0.0999")]}),
    "last-digit": ("encode-number", {"outputs": [stdout("0.8414\n")]}),
    "stripped": ("encode-number", {"outputs": []}),
    "exception": ("check-zero", {"source": "assert np.sin(0) == 1"}),
    "warning": ("check-zero", {"source": "import warnings\nwarnings.warn('x')"}),
    "more-printed": ("check-zero", {"source": "print(1)"}),
    "constant": ("encode-number", {"source": "print(f'{encode(2, 8)[1, 0] + 1:.4f}')"}),
    "no-figure": ("fig-heatmap", {"source": FIGURE.replace("plt.show()", "plt.close()")}),
}
# and what must be refused before anything runs
UNPROVEN = {
    "not-run": put("encode-number", outputs=[], execution_count=None),
    "out-of-order": put("encode-number", execution_count=7),
    "tag-skip": put("encode-number", metadata={"tags": ["nbval-skip"]}),
    "tag-ignore": put("encode-number", metadata={"tags": ["nbval-ignore-output"]}),
    "tag-raises": put("check-zero", metadata={"tags": ["raises-exception"]}),
    "comment-skip": source("encode-number", "print", "# NBVAL_" + "SKIP\nprint"),
    "no-code": lambda notebook: notebook.update(cells=[new_markdown_cell("# T", id="title")]),
}


@pytest.fixture(scope="module")
def verdicts(good, tmp_path_factory):
    """One run of pytest over all canaries: file and name of the cell to number of failures."""
    folder = tmp_path_factory.mktemp("canaries")
    hook = (ROOT / "notebooks" / "conftest.py").read_text(encoding="utf-8")
    (folder / "conftest.py").write_text(hook, encoding="utf-8")
    together = read(good)
    for name, (original, values) in IN_ONE_KERNEL.items():
        broken = deepcopy(cell(together, original))
        broken.update(deepcopy(values) | {"id": f"{name}-broken"})
        together.cells.append(broken)
    code = [each for each in together.cells if each.cell_type == "code"]
    for number, each in enumerate(code, start=1):
        each.execution_count = number
    (folder / "together.ipynb").write_text(dump(together), encoding="utf-8")
    for name, breakage in UNPROVEN.items():
        notebook = read(good)
        breakage(notebook)
        (folder / f"{name}.ipynb").write_text(dump(notebook), encoding="utf-8")
    settings = [f"--rootdir={folder}", "-c", str(ROOT / "pyproject.toml"), "-n0"]
    options = ["--continue-on-collection-errors", "--junit-xml=report.xml"]
    command = [sys.executable, "-m", "pytest", *settings, *options, "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 1, done.stdout
    found = {}
    for case in ElementTree.parse(folder / "report.xml").iter("testcase"):
        name = re.sub(r"\.ipynb$", "", case.get("classname") or case.get("name"))
        if name == "together":
            name = code[int(case.get("name").removeprefix("Cell "))].id
        broken = len(case.findall("failure")) + len(case.findall("error"))
        found[name] = found.get(name, 0) + broken
    return found


def test_nbval_passes_the_cells_of_the_good_notebook(good, verdicts):
    cells = {each.id for each in load(good).code}
    assert {name: verdicts[name] for name in cells} == dict.fromkeys(cells, 0)


@pytest.mark.parametrize("name", IN_ONE_KERNEL)
def test_nbval_sees(verdicts, name):
    assert verdicts[f"{name}-broken"]


@pytest.mark.parametrize("name", UNPROVEN)
def test_what_proves_nothing_is_refused(verdicts, name):
    assert verdicts[name]


# What the rules must see

PNG = value(image_png="iVBORw0KGgo=", text_plain="<Figure size 640x480 with 1 Axes>")

FOR_RULES = {
    "is_run_in_order": [
        put("setup", execution_count=None),
        put("setup", execution_count=2),
        lambda notebook: notebook.update(cells=notebook.cells[:1]),
    ],
    "skips_nothing": [
        put("setup", metadata={"tags": ["nbval-ignore-output"]}),
        put("setup", metadata={"tags": ["skip-execution"]}),
        put("setup", metadata={"tags": ["raises-exception"]}),
        code("# NBVAL_IGNORE" + "_OUTPUT\nprint(1)"),
        lambda notebook: cell(notebook, "title").update(cell_type="raw"),
    ],
    "is_valid": [put("setup", metadata={"tags": "setup"})],
    "is_normal": [
        put("setup", metadata={"execution": {"iopub.status.busy": "2020-01-01T00:00:00Z"}}),
        put("explore", outputs=[value(**{execute.LIVE_VIEW: {}, "text_plain": "0.0998"})]),
        lambda notebook: notebook.metadata.kernelspec.update(name="base"),
        lambda notebook: notebook.metadata.language_info.update(version="3.11.7"),
    ],
    "is_small": [code("", stdout("x" * 1_000_000))],
    "has_speaking_ids": [
        put("title", id="3f2a9c1b"),
        put("title", id="b0a1c2d3-0000-4000-8000-000000000000"),
        put("title", id="Title_1"),
        put("title", id="setup"),
        put("setup", id="imports"),
    ],
    "is_plain_python": [
        code("%matplotlib inline"),
        code("%%time\nx = 1"),
        code("!ls"),
        code("np.sin?"),
        code("import os"),
        code("from urllib import request"),
        code("import subprocess as s"),
        code("eval('1')"),
        code("text = open('a').read()"),
        code("get_ipython().run_line_magic('time', '')"),
        code("plt.savefig('a.png')"),
        code("from matplotlib.pyplot import savefig as keep\nkeep('a.png')"),
        code("import IPython\nIPython.get_ipython().run_line_magic('time', '')"),
        code("__builtins__['open']('a')"),
        code("print('\u4f4d\u7f6e')"),
        code("x = 1  # \u03c9"),
    ],
    "defines_at_home_only": [
        code("def softmax(scores):\n    return scores"),
        code("energy_share = lambda x, pe: 0.5"),
    ],
    "shows_text_and_png_only": [
        code("", value(text_html="<b>1</b>")),
        code("", value(**{"image_svg+xml": "<svg/>"})),
        code("", new_output("error", ename="E", evalue="", traceback=[])),
        code("", new_output("stream", name="stderr", text="warning")),
        lambda notebook: notebook.metadata.update(widgets={"state": {}}),
    ],
    "shows_the_same_everywhere": [
        code("", stdout("<function f at 0x7f12ab34cd56>\n")),
        code("", value(text_plain="np.float64(0.5)")),
    ],
    "tells_its_figures": [
        code("plt.show()", PNG),
        code("plt.show()", PNG, stdout("no number\n")),
        code("plt.show()", stdout("1.5\n")),
        code("explorer", value(image_png="iVBORw0KGgo=", text_plain="Explorer()")),
    ],
    "is_clean_markdown": [
        prose("a <b>word</b>"),
        prose('<img src="x.png">'),
        prose("<details onclick='x'>"),
        prose("<!-- hidden -->"),
        prose("![picture](https://example.org/a.png)"),
        prose("zero\u200bwidth"),
        prose("right\u202eto left"),
        prose("**\u7b2c 0 \u884c\u3002**\u5176\u4f59"),
        prose("\u8fd9\u53eb**\u201c\u5934\u201d**"),
    ],
    "nests_headings": [
        prose("# Second title"),
        prose("## Section\n\n#### Too deep"),
        lambda notebook: notebook.cells.insert(0, notebook.cells.pop(2)),
        source("title", "# Canary", "Canary"),
    ],
    "names_its_links": [
        prose("The proof is [here](02_add.ipynb)."),
        prose("\u8bc1\u660e\u89c1[\u8fd9\u91cc](02_add.ipynb)\u3002"),
        prose("See [https://example.org/a](https://example.org/a)."),
        prose("See https://example.org/a for more."),
        prose("See <https://example.org/a>."),
        prose("An empty link: [](02_add.ipynb)."),
    ],
    "speaks_its_language": [
        prose("The position is \u4f4d\u7f6e."),
        code("", stdout("\u4f4d\u7f6e 0.5\n")),
        code("", value(text_markdown="**Not yet.** \u4f4d\u7f6e")),
        code('use_language("zh")'),
    ],
    "quotes_what_it_prints": [
        prose("It is 0.8424."),
        prose("It is \u22120.8415."),
        prose("\u5b83\u662f0.843\u3002"),
        prose("It is 83 %."),
        prose("Between 0.84-0.55."),
        source("title", "`0.12345`", "0.12345"),
        source("title", "$x = 0.54321$", "x = 0.54321"),
    ],
}


def test_each_rule_has_a_canary():
    assert {rule.__name__ for rule in RULES} == FOR_RULES.keys() | {"shakes_hands"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_passes_the_good_notebook(good, rule):
    assert list(rule(load(good))) == []


@pytest.mark.parametrize(
    ("name", "breakage"),
    [
        pytest.param(name, breakage, id=f"{name}-{number}")
        for name, breakages in FOR_RULES.items()
        for number, breakage in enumerate(breakages)
    ],
)
def test_rule_sees(good, name, breakage):
    notebook = load(good).nb
    breakage(notebook)
    rule = next(rule for rule in RULES if rule.__name__ == name)
    assert list(rule(Notebook("canary", dump(notebook), notebook)))


IN_CHINESE = {
    "# \u4f4d\u7f6e": True,
    "`none`\uff1a\u65e0\u3002\n\n$$x + y$$\n\n- [A Title](b.ipynb)": True,
    "Nothing is translated.": False,
    "# \u4f4d\u7f6e\n\nThis line is left over.": False,
    "- \u4f4d\u7f6e\n- one more item": False,
    "\u4f4d\u7f6e\n\n<details><summary>An answer</summary>\n\n\u4f4d\n\n</details>": False,
}


@pytest.mark.parametrize(("text", "good"), IN_CHINESE.items())
def test_each_line_of_a_chinese_notebook_is_chinese(text, good):
    notebook = new_notebook(cells=[new_markdown_cell(text, id="title")])
    assert (not list(speaks_its_language(Notebook("n", "", notebook, "zh")))) == good


def test_the_folder_is_the_language(good, tmp_path):
    for folder, language in (("zh", "zh"), ("en", "en"), ("elsewhere", "en")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.ipynb").write_bytes(good.read_bytes())
        notebook = load(tmp_path / folder / "a.ipynb")
        assert notebook.language == language
        assert bool(list(speaks_its_language(notebook))) == (language == "zh")
        code('use_language("en")')(notebook.nb)
        assert ("use_language" in " ".join(speaks_its_language(notebook))) == (language == "zh")


HANDSHAKES = {
    "np.testing.assert_allclose(mine, encoding.rotation_matrix(1, 2), atol=1e-10)": True,
    "np.testing.assert_allclose(encoding.rotation_matrix(1, 2), mine)": True,
    "np.testing.assert_allclose(mine, encoding.rotation_matrix(1, 2)[0])": True,
    "np.testing.assert_allclose(mine, theirs)": False,
    "np.allclose(mine, encoding.rotation_matrix(1, 2))": False,
    "np.testing.assert_allclose(encoding.rotation_matrix(1, 2), "
    "encoding.rotation_matrix(1, 2))": False,
}


@pytest.mark.parametrize(("call", "shaken"), HANDSHAKES.items())
def test_handshake(good, call, shaken):
    notebook = load(good).nb
    code(call)(notebook)
    home = Notebook("01_encode", dump(notebook), notebook)
    complaints = " ".join(shakes_hands(home))
    assert ("rotation_matrix" not in complaints) == shaken
    assert "angular_frequencies" in complaints
    assert not list(shakes_hands(Notebook("02_other", home.text, notebook)))


def test_a_function_may_be_written_out_at_home(good):
    notebook = load(good).nb
    code("def softmax(scores):\n    return scores")(notebook)
    assert not list(defines_at_home_only(Notebook("03_attend", dump(notebook), notebook)))


def test_a_function_is_written_out_in_one_chapter(good):
    one, other = (Notebook(name, "", load(good).nb) for name in ("one", "other"))
    assert not list(repeated_functions([one]))
    source("encode-lines", "def encode", "def otherwise")(other.nb)
    assert len(list(repeated_functions([one, other]))) == 1


QUOTATIONS = [
    "It is 0.8415, 0.841 or 0.84 (84.1 %, 84%).",
    "\u5b83\u662f0.84\uff0c\u7ea6\u4e3a84\uff05\u3002",
    "**Exercise 1.2**, section 3.5, NumPy 2.0, Python 3.11.7, 1,024 rows, 2017.",
    "The handout prints `0.5234`; $0.1$ and $$0.2$$ are formulas.",
    "See [the paper](https://example.org/1706.03762v7), <https://example.org/0.9>.",
    "## 1.3 A heading\n\n```python\nx = 0.7777\n```",
    "\u7ec3\u4e60 1.2\uff0c\u7b2c 3.5 \u8282\uff0cNumPy 2.0\u3002",
]


@pytest.mark.parametrize("text", QUOTATIONS)
def test_quotation_is_found_or_exempt(good, text):
    notebook = load(good).nb
    prose(text)(notebook)
    assert list(quotes_what_it_prints(Notebook("canary", dump(notebook), notebook))) == []
