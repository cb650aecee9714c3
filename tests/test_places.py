"""The course reads and runs in other places: under other locales, in folders with odd names.

And on other machines: what `tools/matrix.py` varies, and what it says of a notebook that fails.
"""

import os
import shutil
import subprocess
import sys

import pytest

from course_utils.language import LANGUAGES
from tools import matrix
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


@pytest.fixture(scope="module", params=[*LOCALES, "C"])
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


def test_the_module_speaks_both_languages_under_any_locale(place):
    variables, encoding = place
    said = run(USES_THE_MODULE, **variables).decode(encoding)
    assert said.split()[-1].lower() == encoding
    assert ascii("位置（索引）") in said
    # a console that has no Chinese gets a question mark, and no error
    assert ("位置编码矩阵" in said) == (encoding == "gbk")


def test_notebooks_are_read_as_they_are_under_any_locale(place):
    run(READS_THE_NOTEBOOKS, **place[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notebook_runs_in_a_folder_with_a_space_and_chinese_in_its_name(language, tmp_path):
    folder = tmp_path / "我的 课程"
    shutil.copytree(ROOT / "course_utils", folder / "course_utils")
    notebook = folder / "第 1 章.ipynb"
    shutil.copy(ROOT / "notebooks" / language / "01_encode.ipynb", notebook)
    said = run(RUNS_A_NOTEBOOK, notebook, cwd=folder, LC_ALL="C.UTF-8").decode("utf-8")
    assert said.split()[-1] == "True"
    assert (folder / "picture.png").stat().st_size > 10_000


# files without an encoding of their own would be read in that of the machine

OURS_AS_ERRORS = """\
import warnings
ours = r"(course_utils|tests|tools)(\\.|$)"
warnings.filterwarnings("error", category=EncodingWarning, module=ours)
"""
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


def test_each_file_is_opened_with_its_encoding(tmp_path):
    own = {"PYTHONWARNDEFAULTENCODING": "1", "LC_ALL": "C.UTF-8"}
    for code in (USES_THE_MODULE, READS_THE_NOTEBOOKS, READS_AND_WRITES):
        run(OURS_AS_ERRORS + code, tmp_path / "new.ipynb", **own)
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


# the matrix


def test_the_matrix_varies_each_factor_alone_and_has_corners():
    centre = matrix.Combination()
    values = (matrix.PYTHONS, tuple(matrix.RELEASES), matrix.KERNELS, matrix.THREADS)
    for factor, choices in zip(centre._fields, values, strict=True):
        for choice in choices:
            assert centre._replace(**{factor: choice}) in matrix.FULL
    corners = [
        each for each in matrix.FULL if sum(a != b for a, b in zip(each, centre, strict=True)) > 1
    ]
    assert {each.releases for each in corners} == set(matrix.RELEASES)
    assert {each.kernel for each in matrix.SHORT} == set(matrix.KERNELS) - {"SkylakeX"}
    assert len(set(matrix.FULL)) == len(matrix.FULL)


def test_the_matrix_is_red_if_one_combination_is(monkeypatch, capsys):
    def run(combination, folder):
        failed = ["FAILED notebook::Cell 3"] if combination.kernel == "Haswell" else []
        return {"numpy": "2.0.0", "seconds": "1"}, failed

    monkeypatch.setattr(matrix, "run", run)
    assert matrix.main(["--short"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[-1].endswith("Haswell, threads 2: FAILED notebook::Cell 3")
    assert len(told) == 1 + len(matrix.SHORT) + 1
    assert {line.index("2.0.0") for line in told[1:-1]} == {told[0].index("numpy")}
    monkeypatch.setattr(matrix, "run", lambda *_: ({"seconds": "1"}, []))
    assert matrix.main(["--short"]) == 0
    # nothing ran, nothing is proved
    monkeypatch.setattr(matrix, "run", lambda *_: ({"python": "not on this machine"}, []))
    assert matrix.main(["--short"]) == 1


def test_the_matrix_tells_what_this_machine_cannot_run(monkeypatch, tmp_path):
    monkeypatch.setattr(matrix, "find_python", lambda version: version != "3.14" and sys.executable)
    monkeypatch.setattr(matrix, "has_avx512", lambda: False)
    assert matrix.run(matrix.Combination("3.14"), tmp_path) == (
        {"python": "not on this machine"},
        [],
    )
    told = matrix.run(matrix.Combination(kernel="SkylakeX"), tmp_path)
    assert told == ({"blas": "no AVX-512 here"}, [])
    assert matrix.count("failed", "== 2 failed, 31 passed in 3s ==") == "2"
    assert matrix.count("failed", "== 31 passed in 3s ==") == "0"
