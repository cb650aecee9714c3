"""The course reads and runs in other places: under other locales, in folders with odd names."""

import os
import shutil
import subprocess
import sys

import pytest

from tools.notebooks import ROOT

# name of the locale: its source, its character map, and what Python then takes for the default
LOCALES = {
    "zh_CN.GBK": ("zh_CN", "GBK", "gbk"),
    "en_US.ISO-8859-1": ("en_US", "ISO-8859-1", "iso8859-1"),
}

USES_THE_MODULE = """\
import sys
from course_utils import attention, checks, compare, encoding, explorers, language, plots
from course_utils import positional_encoding_demo as demo
for code in language.LANGUAGES:
    language.use_language(code)
    plots.use_style()
    print(ascii(language.text("plot.position")), ascii(str(checks.check_row_zero([0, 0]))))
    print(ascii(explorers.encode().summary()))
    assert demo.main(["--language", code]) == 0
print(sys.stdout.encoding)
"""
READS_THE_NOTEBOOKS = """\
from tools import languages
from tools.notebooks import course_notebooks, dump, read
from tools.notebooks import load
for path in course_notebooks():
    assert dump(read(path)) == load(path).text
assert languages.glossary()
languages.reviewed()
"""
RUNS_A_NOTEBOOK = """\
import json, sys
from pathlib import Path
path = Path(sys.argv[1])
space = {}
for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "code":
        exec(compile(source, cell["id"], "exec"), space)
        if "plt.show()" in source:
            space["fig"].savefig("picture.png")
            break
print(Path(sys.modules["course_utils"].__file__).is_relative_to(Path.cwd()))
"""


def run(code, *arguments, cwd=ROOT, **variables):
    """What a new Python prints, as bytes; it knows none of the settings for its text."""
    unset = {"LANG", "LANGUAGE", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE"}
    kept = {k: v for k, v in os.environ.items() if k not in unset and not k.startswith("LC_")}
    command = [sys.executable, "-W", "error:::course_utils", "-c", code, *map(str, arguments)]
    env = {**kept, "MPLBACKEND": "agg", "PYTHONUTF8": "0", **variables}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


@pytest.fixture(
    scope="module",
    params=[
        "zh_CN.GBK",
        "en_US.ISO-8859-1",
        "C",
    ],
)
def place(request, tmp_path_factory):
    """The variables of a locale, and its encoding; made here, since few machines have them."""
    if request.param == "C":
        return {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}, "ascii"
    source, characters, encoding = LOCALES[request.param]
    maker = shutil.which("localedef")
    folder = tmp_path_factory.mktemp("locales")
    command = [maker, "-i", source, "-f", characters, str(folder / request.param)]
    if maker is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no localedef with these sources on this machine")
    return {"LC_ALL": request.param, "LOCPATH": str(folder)}, encoding


# files without an encoding of their own would be read in that of the machine
OURS_AS_ERRORS = """\
import warnings
ours = r"(course_utils|tests|tools)(\\.|$)"
warnings.filterwarnings("error", category=EncodingWarning, module=ours)
"""


@pytest.mark.slow
def test_all_is_said_and_read_in_both_languages_under_any_locale(place):
    variables, encoding = place
    code = OURS_AS_ERRORS + READS_THE_NOTEBOOKS + USES_THE_MODULE
    said = run(code, PYTHONWARNDEFAULTENCODING="1", **variables).decode(encoding)
    assert said.split()[-1].lower() == encoding
    assert ascii("位置（索引）") in said
    # a console that has no Chinese gets a question mark, and no error
    assert ("位置编码矩阵" in said) == (encoding == "gbk")


@pytest.mark.slow
def test_a_notebook_runs_in_a_folder_with_a_space_and_chinese_in_its_name(tmp_path):
    folder = tmp_path / "我的 课程"
    shutil.copytree(ROOT / "course_utils", folder / "course_utils")
    notebook = folder / "第 1 章.ipynb"
    shutil.copy(ROOT / "notebooks" / "zh" / "01_encode.ipynb", notebook)
    said = run(RUNS_A_NOTEBOOK, notebook, cwd=folder, LC_ALL="C.UTF-8").decode("utf-8")
    assert said.split()[-1] == "True"
    assert (folder / "picture.png").stat().st_size > 10_000


READS_AND_WRITES = """\
import sys
from pathlib import Path
from nbformat.v4 import new_code_cell, new_notebook
from tools import execute
from tools.notebooks import dump
path = Path(sys.argv[1])
path.write_text(dump(new_notebook(cells=[new_code_cell("1")])), encoding="utf-8")
execute.main([str(path)])
"""


@pytest.mark.slow
def test_each_file_is_written_with_its_encoding(tmp_path):
    own = {"PYTHONWARNDEFAULTENCODING": "1", "LC_ALL": "C.UTF-8"}
    run(OURS_AS_ERRORS + READS_AND_WRITES, tmp_path / "new.ipynb", **own)
    careless = "from pathlib import Path\nPath(__file__).read_text()\n"
    (tmp_path / "tests.py").write_text(careless, encoding="utf-8")
    with pytest.raises(AssertionError, match="EncodingWarning"):
        run(OURS_AS_ERRORS + "import tests", cwd=tmp_path, **own)


def test_line_ends_are_the_same_on_every_checkout():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git, or no checkout of it")
    command = ["git", "ls-files", "--eol"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    for line in done.stdout.splitlines():
        stored, _, attributes = line.partition("\t")[0].split(maxsplit=2)
        # whatever the settings of Git on a machine, .gitattributes comes before them
        assert (stored, attributes.split()[-1]) in {
            *[("i/lf", "eol=lf"), ("i/none", "eol=lf"), ("i/-text", "attr/-text")]
        }, line
