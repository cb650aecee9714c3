"""Answers that try to break out, to forge a verdict, to stall the run; and a whole class.

What succeeds is told in `course_utils.collect`, and shown here.
"""

import csv
import io
import os
import random
import socket
import time
from pathlib import Path

import pytest

from course_utils import collect
from course_utils.collect import __main__ as command
from course_utils.collect import child, judge, report
from course_utils.collect.submissions import ANSWERS
from tests.test_collect import CHECK, cell, hand_in
from tools.notebooks import NOTEBOOKS, dump, read

pytestmark = pytest.mark.slow

RIGHT = [("1.2", "my_row_zero = [0, 1] * 4")]
LINUX_WALLS = bool(judge.namespaces()) and child.landlock() >= 4
needs_walls = pytest.mark.skipif(not LINUX_WALLS, reason="no namespaces, or no Landlock")


def causes(*sources):
    """What is said of these answers to exercise 1.2, and of a right one after them."""
    answers = [*(("1.2", source) for source in sources), *RIGHT]
    return [cause or state for state, cause, _ in judge.judge(answers, "en")]


def blocked(*lines):
    """An answer that is right if its lines end with an OSError."""
    body = "".join(f"    {line}\n" for line in lines)
    return (
        f"my_row_zero = [0] * 8\ntry:\n{body}except OSError as error:\n"
        "    my_row_zero = [0, 1] * 4\n"
    )


# breaking out


@needs_walls
@pytest.mark.parametrize(
    "lines",
    [
        ["open({outside!r}, 'w').write('mine')"],
        ["open({outside!r}).read()"],
        ["import os; os.listdir({folder!r})"],
        ["import os; os.remove({outside!r})"],
        ["import os; os.rename({outside!r}, {outside!r} + '2')"],
        ["open('left', 'w').write('mine')"],
        ["import os; os.makedirs('/'.join('d' * 900))"],
        ["import os; os.symlink('/etc/passwd', 'x')"],
        ["open('/etc/passwd').read()"],
        ["open('/proc/1/environ').read()"],
        ["import os; os.listdir(os.path.expanduser('~/..'))"],
        ["import socket; socket.create_connection(('127.0.0.1', {port}), timeout=3)"],
        [
            "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
            "s.sendto(b'x', ('127.0.0.1', {port}))",
        ],
        ["import os; os.kill({parent}, 9)"],
        ["import subprocess; subprocess.run(['cat', {outside!r}], check=True)", "raise SystemExit"],
    ],
)
def test_walls_hold(lines, tmp_path):
    outside = tmp_path / "secret"
    outside.write_text("secret", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        values = {"outside": str(outside), "folder": str(tmp_path), "parent": os.getpid()}
        values["port"] = server.getsockname()[1]
        lines = [line.format(**values) for line in lines]
        if "subprocess" in lines[0]:  # another program has the same walls
            lines = [lines[0].replace("check=True", "check=True, stderr=-3")]
            source = blocked(*lines).replace("OSError", "Exception")
        else:
            source = blocked(*lines)
        assert causes(source) == ["correct", "correct"]
    assert outside.read_text(encoding="utf-8") == "secret"


@needs_walls
def test_nothing_outlives_its_notebook(tmp_path):
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        os.execvp('sleep', ['sleep', '98765'])\n"
        "    os._exit(0)\n"
        "my_row_zero = [0, 1] * 4\n"
    )
    assert causes(source) == ["correct", "correct"]
    time.sleep(0.5)
    assert not any("98765" in words for words in running())


def running(what="cmdline"):
    for path in Path("/proc").glob(f"[0-9]*/{what}"):
        try:
            yield path.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue


def test_an_answer_finds_no_environment():
    source = "import os\nmy_row_zero = [0, 1] * 4 if len(os.environ) <= 8 else [1] * 8"
    os.environ["COURSE_SECRET"] = "secret"
    try:
        assert causes(source) == ["correct", "correct"]
    finally:
        del os.environ["COURSE_SECRET"]


# stalling


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("while True: pass", "stalled"),
        ("import os\nos._exit(0)", "ended"),
        ("import ctypes\nctypes.string_at(0)", "ended"),
        ("import sys\nsys.exit()", "stopped"),
        ("raise KeyboardInterrupt", "stopped"),
        ("my_row_zero = bytearray(4 << 30)", "stopped"),
        ("my_row_zero = 10 ** 10 ** 10", "stalled"),
        ("my_row_zero = '[' * 10 ** 6\nmy_row_zero = eval(my_row_zero)", "stopped"),
        ("while True: print('x' * 10 ** 6)", "stalled"),
        ("input()", "stopped"),
        ("pass", "no_answer"),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=[999]).start()",
            "no_answer",
        ),
    ],
)
def test_the_next_answer_is_judged_all_the_same(source, cause, monkeypatch):
    if os.name != "posix":
        pytest.skip("no limits here but those on time")
    assert causes(source) in ([cause, "correct"], ["ended", "correct"])


def test_one_that_cannot_be_stopped_costs_its_author_the_rest(monkeypatch):
    monkeypatch.setattr(judge, "SECONDS", 8.0)
    source = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    begin = time.monotonic()
    # its own alarm comes later than the end of the notebook's time
    assert causes(source) == ["stalled", "no_time"]
    assert time.monotonic() - begin < 60


@needs_walls
def test_a_fork_bomb_ends_with_its_notebook(monkeypatch, tmp_path):
    # its home, by which its children are known
    monkeypatch.setattr(judge.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(judge, "SECONDS", 5.0)
    causes("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")
    # the kernel takes a while to end so many
    end = time.monotonic() + 60
    while any(str(tmp_path) in words for words in running("environ")):
        assert time.monotonic() < end
        time.sleep(0.5)


# forging

FORGE = (
    "import os, json\n"
    "for number in range(3, 20):\n"
    "    try: os.write(number, {line!r}.encode() + b'\\n')\n"
    "    except OSError: pass\n"
    "os._exit(0)\n"
)


def test_a_verdict_can_be_forged_and_the_docstring_says_so():
    assert causes(FORGE.format(line='["correct", "", "Well done"]'))[0] == "correct"
    assert "can forge its\nverdict, though nobody else's" in collect.__doc__


@pytest.mark.parametrize(
    "line",
    [
        '["excellent", "", "x"]',
        '["correct", "<b>", "x"]',
        '["correct", "", 7]',
        '["correct", ""]',
        '{"state": "correct"}',
        "[" * 30_000,
        "correct",
        '["correct", "' + "a" * 300 + '", "x"]',
    ],
)
def test_what_is_no_verdict_is_not_taken_for_one(line):
    assert causes(FORGE.format(line=line))[0] == "ended"


def test_a_message_that_is_forged_is_one_plain_line():
    line = '["incorrect", "x", "\\u001b[31m\\n\\u202e' + "y" * 5000 + '"]'
    (_, cause, message), *_ = judge.judge([("1.2", FORGE.format(line=line)), *RIGHT], "en")
    assert cause == "x"
    assert message.isprintable()
    assert len(message) <= 1000


def test_who_spoils_a_module_spoils_it_for_nobody_else(tmp_path):
    spoil = "from course_utils import checks as real\nimport numpy\nnumpy.allclose = None\n"
    spoil += "real.feedback.ask = real.check_row_zero = None\n" + RIGHT[0][1]
    hand_in(tmp_path / "bad.ipynb", cell("1.2", spoil))
    hand_in(tmp_path / "good.ipynb", cell("1.2", RIGHT[0][1]))
    rows = {row.student: row for row in report.collect(tmp_path) if row.exercise == "1.2"}
    assert rows["good"].state == "correct"


# a class

WRONG = {
    "1.1": ['my_prediction = "a lot"', 'my_prediction = "变一点"'],
    "1.2": ["my_row_zero = [0] * 8", "my_row_zero = [0] * 4 + [1] * 4", "my_row_zero = {3, 1}"],
    "1.3": [
        "def my_halves(seq_len, d_model):\n"
        "    return encoding.sinusoidal_positional_encoding(seq_len, d_model)"
    ],
    "2.1": ['my_prediction = "both"'],
    "2.5": ["my_factor = 200 ** 0.5"],
    "3.2": ["my_deviation = 256", "my_deviation = 1 / 16"],
    "3.4": [
        "def my_mask(seq_len, width):\n"
        "    behind = np.arange(seq_len)[:, None] - np.arange(seq_len)\n"
        "    return (behind >= 0) & (behind <= width)"
    ],
    "4.1": ['my_prediction = "不能"'],
    "5.4": ["my_bucket = 10"],
}


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """40 students, in both languages, each with the chapters as the course has them."""
    folder, draw = tmp_path_factory.mktemp("class"), random.Random(1)
    solutions = {
        each.id.replace("solution-", "").replace("-", "."): each.source
        for each in read(NOTEBOOKS / "en" / "solutions.ipynb").cells
        if each.cell_type == "code"
    }
    expected = {}
    chapters = ["01_encode", "02_add", "03_attend", "04_compare", "05_beyond"]
    for number in range(40):
        code = ("en", "zh")[number % 2]
        student = f"student {number:02}" if code == "en" else f"学生 {number:02}"
        (folder / student).mkdir()
        for chapter in chapters[number % 5 :][: 1 + number % 2]:
            notebook = read(NOTEBOOKS / code / f"{chapter}.ipynb")
            for each in notebook.cells:
                exercise = each.id.removeprefix("exercise-")[:3].replace("-", ".")
                if not each.id.endswith("-answer") or exercise not in ANSWERS:
                    continue
                kind = draw.choice(["right", "wrong", "not attempted"])
                right = [s for name, s in solutions.items() if name.startswith(f"{exercise}.")]
                if kind == "right" and right:
                    each.source = right[0]
                elif kind == "wrong" and exercise in WRONG:
                    each.source = draw.choice(WRONG[exercise]) + f"\n{CHECK[exercise]}"
                else:
                    kind = "not attempted"
                expected[student, exercise] = kind
            (folder / student / f"{chapter}.ipynb").write_text(dump(notebook), encoding="utf-8")
    return folder, expected


def test_a_class_of_40_is_judged_in_one_command(classroom, tmp_path, capsys):
    folder, expected = classroom
    seen = []
    for name in ("one", "two"):
        assert command.main([str(folder), "--out", str(tmp_path / name)]) == 0
        seen.append([path.read_bytes() for path in sorted((tmp_path / name).iterdir())])
    assert seen[0] == seen[1]
    lines = [*csv.DictReader(io.StringIO(seen[0][0].decode("utf-8-sig")))]
    found = {(line["student"], line["exercise"]): line["state"] for line in lines}
    states = {"right": "correct", "wrong": "incorrect", "not attempted": "not attempted"}
    assert found == {key: states[kind] for key, kind in expected.items()}
