"""An assignment for nbgrader, and its way through a real nbgrader."""

import csv
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.test_collect import CHECK
from tools import nbgrader
from tools.notebooks import NOTEBOOKS, ROOT, dump, read

PATHS = [NOTEBOOKS / code / f"{name}.ipynb" for code in ("en", "zh") for name in nbgrader.CHAPTERS]
ANSWERS = {
    "exercise-1-1-answer": 'my_prediction = "a lot"\nchecks.check_same_output(my_prediction)',
    "exercise-1-6-answer": f"my_base = (1e6 / (2 * np.pi)) ** (16 / 14)\n{CHECK['1.6']}",
    "exercise-1-7-answer": f"my_speeds = [1, 2, 4]\n{CHECK['1.7']}",
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_exercise_has_its_cell_and_its_points(path):
    made = nbgrader.assignment(path)
    roles = {c.id: c.metadata.nbgrader for c in made.cells if "nbgrader" in c.metadata}
    names = {cell.id for cell in made.cells if re.fullmatch(r"exercise-\d-\d", cell.id)}
    assert roles["setup"].locked
    for name in names:
        assert roles[name].locked
        answer, test = roles[f"{name}-answer"], roles.get(f"{name}-test")
        assert answer.solution
        assert not answer.locked
        graded = [role for role in (answer, test) if role and role.grade]
        assert [role.points in {1, 2} for role in graded] == [True]
    assert len({role.grade_id for role in roles.values()}) == len(roles)
    # an answer that waits in a fold is not handed out
    explained = [c for c in made.cells if c.cell_type == "markdown" and c.id.endswith("-answer")]
    texts = {cell.id: cell.source for cell in made.cells}
    for cell in explained:
        assert "<details>" not in texts[cell.id.removesuffix("-answer")]
    # a chapter is otherwise as it was
    kept = [c.id for c in made.cells if c.id in {cell.id for cell in read(path).cells}]
    assert kept == [cell.id for cell in read(path).cells]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A real nbgrader, with the course beside it."""
    uv = shutil.which("uv") or pytest.skip("no uv to install nbgrader with")
    folder = tmp_path_factory.mktemp("nbgrader") / "venv"
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    install = [uv, "pip", "install", "--quiet", "--python", folder, "nbgrader", "-e", ROOT]
    if subprocess.run(install).returncode:
        pytest.skip("nbgrader cannot be installed here")
    return scripts / "nbgrader"


@pytest.mark.slow
def test_the_way_through_a_real_nbgrader(program, tmp_path, monkeypatch):
    course, home = tmp_path / "course", tmp_path / "home"
    assert nbgrader.main(["01_encode", "--out", str(course)]) == 0
    exchange = f"--Exchange.root={tmp_path / 'exchange'}"
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    home.mkdir()
    env = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    }

    def run(*arguments, folder=course):
        done = subprocess.run(
            [program, *arguments], cwd=folder, env=env, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert "ERROR" not in done.stderr, done.stderr[-3000:]

    run("generate_assignment", "01_encode")
    run("release_assignment", "01_encode", exchange)
    # a student
    student = tmp_path / "student"
    student.mkdir()
    arguments = ["01_encode", "--course", "positional_encoding", exchange]
    run("fetch_assignment", *arguments, folder=student)
    path = student / "01_encode" / "01_encode.ipynb"
    notebook = read(path)
    for cell in notebook.cells:
        cell.source = ANSWERS.get(cell.id, cell.source)
        if cell.id.endswith("-test"):  # what a student does to a locked cell is undone
            cell.source = "pass"
    path.write_text(dump(notebook), encoding="utf-8")
    run("submit", *arguments, folder=student)
    # the teacher
    run("collect", "01_encode", exchange)
    run("autograde", "01_encode")
    run("generate_feedback", "01_encode")
    run("export")
    with open(course / "grades.csv", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    # the prediction is there, and wrong; the base is right; the speeds are not
    assert (float(row["score"]), float(row["max_score"])) == (1 + 2, 12)
    (feedback,) = course.glob("feedback/*/01_encode/01_encode.html")
    words = feedback.read_text(encoding="utf-8")
    assert "fixed factor" in words
