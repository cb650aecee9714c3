"""A folder of submissions becomes a table and a page, whatever the submissions hold."""

import csv
import io
import json
import os
import re
import tempfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import collect, language
from course_utils.collect import __main__ as command
from course_utils.collect import child, judge, report, submissions
from course_utils.collect.submissions import ANSWERS, Row
from tools import asks
from tools.notebooks import NOTEBOOKS, course_notebooks, read

CHECK = {exercise: f"checks.{call}" for exercise, call in ANSWERS.items()}
ROW_ZERO = f"my_row_zero = [0, 1] * 4\n{CHECK['1.2']}"
SCRIPT = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'
HALVES = f"def my_halves(seq_len, d_model):\n    {{}}\n\n{CHECK['1.3']}"


def cell(exercise, source, **more):
    name = f"exercise-{exercise.replace('.', '-')}-answer"
    return {"cell_type": "code", "id": name, "source": source, **more}


def hand_in(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One student for each kind of file, and one for each kind of answer."""
    folder = tmp_path_factory.mktemp("submitted")
    hand_in(
        folder / "an" / "01.ipynb",
        cell("1.1", 'my_prediction = "变很多"\n' + CHECK["1.1"]),
        cell("1.2", ROW_ZERO.splitlines(keepends=True)),
        cell("1.3", HALVES.format("return ...")),
        cell("1.4", "def steps_between(row, other):\n    return helper(row)\n\n" + CHECK["1.4"]),
        cell("1.5", "my_verdicts = {\n" + CHECK["1.5"]),
        cell("1.6", "%matplotlib inline\nprint('hello')\nmy_base = 1e6\n"),
        cell("1.7", "my_speeds = [1, 2\n]\n1 / 0\n" + CHECK["1.7"]),
        {"cell_type": "code", "id": "mine", "source": "def helper(row): return 1"},
        {"cell_type": "code", "id": "copy", "source": CHECK["1.1"]},
    )
    # answers that an untouched copy does not disturb, and one that there is twice
    untouched = "my_row_zero = ...\nchecks.check_row_zero(my_row_zero)"
    hand_in(folder / "bo" / "a.ipynb", cell("1.2", ROW_ZERO), cell("1.1", "my_prediction = ..."))
    hand_in(folder / "bo" / "b.ipynb", cell("1.2", untouched), cell("3.2", "my_deviation = 256"))
    hand_in(folder / "bo" / "c.ipynb", cell("3.2", "my_deviation = 1"))
    hand_in(folder / "bo" / ".ipynb_checkpoints" / "a.ipynb", cell("1.2", "my_row_zero = 1"))
    # names and answers that would be more than text
    hand_in(
        folder / '=1+1 <b onclick="window.ran=1">\u202e.ipynb',
        cell("1.1", f"my_prediction = {SCRIPT!r}  # by =1+1\n{CHECK['1.1']}"),
        cell("1.2", f"'''{SCRIPT}'''\nE = type({SCRIPT!r}, (Exception,), {{}})\nraise E('`<i>`')"),
        cell("1.3", HALVES.format(f"raise ValueError({SCRIPT!r})")),
        cell("1.4", "def steps_between(row, other): return {'b', 'a', 'c'}, object()"),
        cell("1.5", "my_verdicts = object()"),
    )
    (folder / "broken.ipynb").write_text('{"cells": [', encoding="utf-8")
    (folder / "deep.ipynb").write_text("[" * 100_000, encoding="utf-8")
    (folder / "binary.ipynb").write_bytes(bytes(range(256)))
    (folder / "list.ipynb").write_text("[1]", encoding="utf-8")
    (folder / "essay.pdf").write_bytes(b"%PDF")
    hand_in(folder / "other.ipynb", {"cell_type": "code", "id": "a", "source": "1"}, 7)
    with open(folder / "large.ipynb", "wb") as file:
        file.truncate(submissions.MOST_BYTES + 1)
    (folder / "nobody").mkdir()
    if os.name == "posix":
        (folder / "link.ipynb").symlink_to(NOTEBOOKS / "en" / "01_encode.ipynb")
        (folder / "linked").symlink_to(NOTEBOOKS)
        os.mkfifo(folder / "pipe.ipynb")
    return folder


@pytest.fixture(scope="module")
def rows(folder):
    return report.collect(folder)


def told(rows, student):
    """Exercise and cause, or state, of one student."""
    found = {}
    for row in rows:
        if row.student == student:
            found.setdefault(row.exercise, []).append(row.cause or row.state)
    return {
        exercise: causes[0] if len(causes) == 1 else causes for exercise, causes in found.items()
    }


def test_answers_are_judged_and_what_cannot_be_is_said(rows):
    assert told(rows, "an") == {
        "": "other_cell",
        "1.1": "a_lot",
        "1.2": "correct",
        "1.3": "not_attempted",
        "1.4": "elsewhere",
        "1.5": "syntax",
        "1.6": "wavelength",
        "1.7": "stopped",
    }
    assert told(rows, "bo") == {
        "": "reordered",
        "1.1": "not_attempted",
        "1.2": "correct",
        "3.2": "twice",
        **dict.fromkeys(("1.3", "1.4", "1.5", "1.6", "1.7"), "missing"),
        **dict.fromkeys(("3.1", "3.3", "3.4", "3.5", "3.6"), "missing"),
    }
    assert {row.state for row in rows} <= {*judge.STATES, "noted"}


@pytest.mark.parametrize(
    ("student", "cause"),
    [
        ("broken", "broken"),
        ("deep", "broken"),
        ("binary", "broken"),
        ("list", "not_a_notebook"),
        ("essay", "not_a_notebook"),
        ("other", "other_course"),
        ("large", "huge"),
        ("nobody", "empty"),
        ("link", "not_a_notebook"),
        ("linked", "not_a_notebook"),
        ("pipe", "not_a_notebook"),
    ],
)
def test_a_bad_file_gets_one_line_and_stops_nobody(folder, rows, student, cause):
    if not any(entry.name.startswith(student) for entry in folder.iterdir()):
        pytest.skip("this system has no such files")
    assert told(rows, student) == {"": cause}


def test_every_cause_without_a_verdict_is_reached_here_or_by_an_attack(rows):
    words = {key.rpartition(".")[2] for key in language.STRINGS if key.startswith("collect.cause")}
    seen = {row.cause for row in rows}
    # test_collect_attacks.py has these
    assert words - seen == {"ended", "no_answer", "no_time", "stalled"}


def test_answers_of_each_exercise_are_those_of_the_notebooks():
    lines = {}
    for path in course_notebooks(NOTEBOOKS / "en"):
        for each in read(path).cells:
            found = re.fullmatch(r"exercise-(\d)-(\d)-answer", each.id)
            if found:
                lines[f"{found[1]}.{found[2]}"] = each.source.splitlines()[-1]
    assert lines == CHECK


def test_set_up_gives_what_the_set_up_cells_give():
    given = child.set_up(pictures=True).keys() | {"use_language"}
    assert given == submissions.GIVEN
    for path in course_notebooks(NOTEBOOKS / "en"):
        source = next(each.source for each in read(path).cells if each.id == "setup")
        if "checks" in source:
            assert submissions.names(source)[0] <= given


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
SOURCES = (
    st.text()
    | st.sampled_from(["-" * 5000 + "1", "(" * 300, "\n" * 49_000, "x" * 60_000, "[" * 49_000])
    | st.sampled_from(["x = 0x" + "f" * 9000, "x = " + "(" * 150 + ")" * 150, "a" + ".a" * 9000])
    | st.sampled_from(
        ["\ud800", "\0", "f'{a!r:{b}}'", "return", "x = f\"{'\\n'}\"", "lambda: (yield)"]
    )
)
ID = st.sampled_from(["exercise-1-1-answer", "exercise-1-2-answer", "setup", "x"])


@settings(max_examples=40)
@given(JSON | st.lists(st.fixed_dictionaries({"id": ID | JSON, "source": SOURCES | JSON})))
def test_no_notebook_stops_the_others(cells):
    for cell in cells if isinstance(cells, list) else []:
        if isinstance(cell, dict):
            cell.setdefault("cell_type", "code")
    verdict = "incorrect", "halves", "m"
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "judge", lambda answers, language: [verdict] * len(answers))
        Path(folder, "a.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        rows = report.collect(Path(folder))
        report.page(rows, named=True).encode("utf-8")
        (report.table(rows) + report.summary(rows)).encode("utf-8")


# nothing that came from a student does anything


def test_nothing_reaches_the_page_unescaped(rows):
    page = report.page(rows, named=True)
    soup = BeautifulSoup(page, "html.parser")
    assert {tag.name for tag in soup.find_all()} <= {
        *(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "main",
            "section",
            "h1",
            "h2",
            "h3",
            "h4",
        ),
        *("p", "div", "span", "ul", "li", "code", "pre", "strong", "em", "details", "summary"),
    }
    attributes = {name for tag in soup.find_all() for name in tag.attrs}
    allowed = {"lang", "charset", "http-equiv", "content", "name", "class", "style", "aria-hidden"}
    assert attributes <= allowed
    assert "onerror" in soup.get_text()  # it was there to be escaped
    (policy,) = soup.find_all("meta", {"http-equiv": "Content-Security-Policy"})
    assert "default-src 'none'" in policy["content"]
    assert "script" not in policy["content"]
    assert "\u202e" not in page


def test_a_page_names_nobody_unless_asked(rows):
    page = BeautifulSoup(report.page(rows), "html.parser").get_text()
    named = BeautifulSoup(report.page(rows, named=True), "html.parser").get_text()
    for student in ("broken", "essay", "=1+1"):
        assert student not in page
        assert student in named


def test_an_example_has_no_comment_docstring_or_name():
    source = f'def f():\n    "Li Wei wrote it"\n    return "li", 1  # Li Wei\n\n{CHECK["1.1"]}'
    answer = report.anonymous(Row("Li_Wei 3", "1.1", "incorrect", "", "", source))
    assert answer == "def f():\n    return ('…', 1)"


def test_a_table_holds_no_formula(rows):
    lines = [*csv.reader(io.StringIO(report.table(rows)))]
    assert lines[0] == ["student", "exercise", "state", "cause", "message"]
    assert len(lines) == len(rows) + 1
    assert any(line[0].startswith("'=1+1") for line in lines)
    for line in lines:
        assert not any(each[:1] in {*"=+-@\t\r", "\uff1d"} for each in line)
        assert not any(ord(c) < 32 for each in line for c in each)


def test_an_answer_is_read_in_the_language_chosen(folder):
    language.use_language("zh")
    try:
        verdicts = judge.judge([("1.2", "my_row_zero = [0] * 8")], "zh")
        assert verdicts == [("incorrect", "all_zeros", language.text("check.row_zero.all_zeros"))]
        row = Row("学生", "1.2", *verdicts[0], "my_row_zero = [0] * 8")
        assert "全班" in report.page([row])
        assert "还不对" in report.summary([row])
    finally:
        language.use_language("en")


# the whole command


def test_the_command_writes_table_and_page_the_same_each_time(folder, rows, tmp_path, capsys):
    command.main([str(folder), "--out", str(tmp_path / "new")])
    files = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert files.keys() == {"class.csv", "class.html"}
    # the rows are those of another run
    assert files["class.csv"].decode("utf-8-sig") == report.table(rows)
    assert files["class.html"].decode("utf-8") == report.page(rows)
    printed = capsys.readouterr().out
    assert "1.1 What changes for dog" in printed
    assert "\x1b" not in printed


def test_the_most_frequent_cause_comes_first():
    many = [
        Row(f"s{k}", "1.2", "incorrect", "halves" if k < 3 else "swapped", "m") for k in range(5)
    ]
    (exercise,) = report.by_exercise([*many, Row("t", "1.2", "incorrect", "all_ones", "m")])
    assert [(each["name"], each["count"]) for each in exercise["causes"]] == [
        ("halves", 3),
        ("swapped", 2),
        ("all_ones", 1),
    ]
    assert exercise["causes"][0]["asks"] == [language.text("ask.row_zero.halves")]


@pytest.mark.parametrize("arguments", [["nowhere"], ["{empty}"], ["{empty}", "--language", "fr"]])
def test_a_bad_call_is_refused_in_a_sentence(arguments, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([each.format(empty=tmp_path) for each in arguments])
    assert ended.value.code == 2
    assert capsys.readouterr().err.strip()


def test_watching_looks_again_when_something_is_saved(tmp_path, monkeypatch, capsys):
    page = tmp_path / "out" / "class.html"
    steps, counts = iter([b"[]", b"[1]"]), []

    def save(seconds):
        if page.exists():
            counts.append(page.read_text(encoding="utf-8").count("a.ipynb") + 1)
        try:
            (tmp_path / "in" / "a.ipynb").write_bytes(next(steps))
        except StopIteration:
            raise KeyboardInterrupt from None

    (tmp_path / "in").mkdir()
    monkeypatch.setattr(command.time, "sleep", save)
    folder, out = str(tmp_path / "in"), str(tmp_path / "out")
    assert command.main([folder, "--watch", "--names", "--out", out]) == 0
    assert 'http-equiv="refresh"' in page.read_text(encoding="utf-8")
    assert counts == [1, 2, 2]


# the guide


def test_every_cause_has_a_question_that_helps():
    causes = [key for key in language.STRINGS if re.fullmatch(r"check\.\w+\.\w+", key)]
    causes = {key.removeprefix("check.") for key in causes} - {"state.incorrect", "state.correct"}
    causes = {key for key in causes if not key.endswith(".correct") and not key.startswith("hint.")}
    questions = {
        key.removeprefix("ask."): words
        for key, words in language.STRINGS.items()
        if key.startswith("ask.")
    }
    assert questions.keys() == causes
    for words in questions.values():
        assert "?" in words["en"]
        assert "？" in words["zh"]
        assert all(len(each) <= 200 for each in words.values())


def test_no_question_gives_the_answer_away():
    for key, words in language.STRINGS.items():
        if key.startswith("ask."):
            code = language.STRINGS.get(f"hint.{key.split('.')[1]}.code", {"en": ""})["en"]
            parts = [part.partition("= ")[2] or part for part in code.splitlines()]
            parts = [part.removeprefix("return ").strip() for part in map(str.strip, parts)]
            for part in parts:
                short = len(part) < 6 or part.isidentifier()
                assert short or part not in words["en"] + words["zh"], (key, part)


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_the_page_of_questions_is_as_its_tables_are(code):
    stored = (NOTEBOOKS / code / "ask.md").read_text(encoding="utf-8")
    assert stored == asks.page(code), "python -m tools.asks writes it anew"


def test_the_docstring_names_the_limits_that_hold():
    words = collect.__doc__
    assert f"{child.CELL_SECONDS} seconds an answer,\n{judge.SECONDS:g} a notebook" in words
    assert f"{child.LIMITS['AS'] >> 30} GiB of memory" in words
    assert f"{child.LIMITS['FSIZE'] >> 20} MiB a file" in words
    assert Path(child.__file__).exists()
