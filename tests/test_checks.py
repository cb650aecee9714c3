"""Whatever an answer is, a check tells it in words and never raises; every cause has its words."""

import ast
import importlib
import inspect
import math
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from course_utils import checks, language
from course_utils.checks import feedback as mechanism
from course_utils.encoding import sinusoidal_positional_encoding as handout
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

CHECKS = [getattr(checks, name) for name in checks.__all__ if name.startswith("check_")]
ARRAY_CHECKS = [
    checks.check_add_positions,
    checks.check_encoding,
    checks.check_look_ahead,
    checks.check_order_gap,
    checks.check_rotation,
    checks.check_softmax,
]
FUNCTION_CHECKS = [check for check in CHECKS if "candidate" in inspect.signature(check).parameters]


# any candidate


class Hostile:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no")


def endless(*arguments):
    return endless(*arguments)


def leaves(*arguments):
    sys.exit(3)


def fails(*arguments):
    raise ValueError("a `b`\x1b[31m\nc" + 1000 * "d")


def fails_silently(*arguments):
    raise Silent


def not_written(*arguments):
    raise NotImplementedError


def half_written(*arguments):
    return np.sin(...)


def closes(*arguments):
    sys.stdout.close()


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
@pytest.mark.parametrize(
    ("candidate", "cause"),
    [
        (..., "not_attempted"),
        (lambda *arguments: ..., "not_attempted"),
        (not_written, "not_attempted"),
        (half_written, "not_attempted"),
        (lambda *arguments: None, "returned_nothing"),
        (closes, "returned_nothing"),
        (fails, "raised"),
        (fails_silently, "raised"),
        (leaves, "raised"),
        (endless, "recursion"),
        (None, "not_callable"),
        (np.eye(8), "not_callable"),
        (Hostile(), "not_callable"),
        (lambda: 1, "arguments"),
        (lambda a, b, c, d, e: 1, "arguments"),
    ],
)
def test_whatever_a_candidate_does_is_told(check, candidate, cause):
    assert_told(check(candidate), cause)


@pytest.mark.parametrize(
    ("junk", "cause"),
    [
        ("pe", "not_an_array"),
        ({"pe": 1}, "not_an_array"),
        ([[1, 2], [3]], "not_an_array"),
        (np.ones((4, 8), complex), "not_an_array"),
        (Hostile(), "not_an_array"),
        ((x for x in "ab"), "not_an_array"),
        ([[..., 1]], "not_attempted"),
        (np.array([[0.0, ...]], dtype=object), "not_an_array"),
    ],
)
def test_junk_is_told(junk, cause):
    for check in ARRAY_CHECKS:
        assert_told(check(lambda *arguments: junk), cause)


@pytest.mark.parametrize("answer", ["x", None, {}, Hostile(), [[1], [1, 2]], np.nan, 1j, [], b"0"])
@pytest.mark.parametrize("check", CHECKS)
def test_no_answer_makes_a_check_raise(check, answer):
    feedback = check(answer)
    assert feedback.state == "incorrect"
    assert_told(feedback, feedback.cause)


@pytest.mark.parametrize("check", CHECKS)
def test_an_ellipsis_is_not_attempted(check):
    assert_told(check(...), "not_attempted")


def test_printing_is_kept_off_the_page_and_told(capsys):
    def talks(seq_len, d_model):
        print("shape", seq_len, d_model)
        print("\x1b[31m", file=sys.stderr)
        return handout(seq_len, d_model)

    def only_prints(seq_len, d_model):
        print(handout(seq_len, d_model))

    note = language.text("check.printed", message="")
    feedback = checks.check_encoding(talks)
    assert_told(feedback, "")
    assert feedback.message.endswith(note.strip())
    feedback = checks.check_encoding(only_prints)
    assert_told(feedback, "returned_nothing")
    assert feedback.message.endswith(note.strip())
    assert capsys.readouterr() == ("", "")


def test_warnings_are_kept_off_the_page():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checks.check_encoding(lambda n, d: np.zeros((n, d)) / 0)


def test_an_interrupt_passes():
    def stopped(seq_len, d_model):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.check_encoding(stopped)


def test_foreign_words_cannot_break_the_page():
    feedback = checks.check_encoding(fails)
    assert "a 'b' [31m c" in feedback.message
    assert len(feedback.message) < 400


def test_feedback_is_frozen_and_checks_say_what_they_return():
    feedback = checks.check_row_zero(...)
    with pytest.raises(AttributeError):
        feedback.state = "correct"
    for check in CHECKS:
        assert inspect.signature(check).return_annotation is checks.Feedback


# the words


def test_every_cause_in_the_code_has_words():
    shared = inspect.getsource(mechanism)
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        source = shared + inspect.getsource(inspect.getmodule(inspect.unwrap(check)))
        for key in (f"check.{name}.correct", f"hint.{name}.nudge", f"hint.{name}.formula"):
            assert key in language.STRINGS
        for key in language.STRINGS:
            kind, exercise, cause = (*key.split("."), "", "")[:3]
            if kind == "check" and exercise == name and cause != "correct":
                assert f'"{cause}"' in source, key


# the set-up cell of every chapter, and the exercise cells with a function
SET_UP = ["attention", "checks", "compare", "encoding", "explorers", "plots"]
SIGNATURES = {
    "add_positions": "x",
    "attention": "q, k, v, mask",
    "detector": "pe",
    "encoding": "seq_len, d_model",
    "look_ahead": "d_model",
    "order_gap": "attend, x, order",
    "pair_test": "add",
    "read_pair": "total, words, pe",
    "rotation": "offset, d_model",
    "sees_order": "attend, x",
    "softmax": "scores",
}
# hints that use names of a section, which the set-up cell does not define
NOT_YET = {"difference", "most_attended", "pair_test", "placebo", "score_deviation"}
WHOLE = [checks.check_detector, checks.check_encoding, checks.check_rotation]
NUMBERS = {"chance", "energy_share", "longest_wavelength", "score_deviation"}


def run_hint(name):
    """What the learner has who pastes the third hint: a function, or the last value."""
    page = {module: importlib.import_module(f"course_utils.{module}") for module in SET_UP}
    page |= {"np": np, "math": math}
    code = ast.parse(getattr(checks, f"check_{name}")(...).hints[2])
    if isinstance(code.body[-1], ast.Expr) and not isinstance(code.body[0], ast.FunctionDef):
        code.body[-1] = ast.Return(code.body[-1].value)
    elif isinstance(code.body[-1], ast.Assign):
        code.body.append(ast.Return(code.body[-1].value))
    if isinstance(code.body[0], ast.FunctionDef):
        answer = code.body[0].name
    else:
        frame = ast.parse(f"def answer({SIGNATURES.get(name, '')}): ...")
        frame.body[0].body = code.body
        code, answer = frame, "answer"
    exec(compile(ast.fix_missing_locations(code), "hint", "exec"), page)
    return page[answer]


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_hints_run_as_they_stand(check, request):
    name = check.__name__.removeprefix("check_")
    if name in NOT_YET:
        request.applymarker(pytest.mark.xfail(strict=True, reason="uses names of its section"))
    answer = run_hint(name)
    if name in SIGNATURES:
        assert list(inspect.signature(answer).parameters) == SIGNATURES[name].split(", ")
        assert_told(check(answer), "")
    elif name in NUMBERS:
        assert_told(check(answer()), "")
    else:
        answer()


@pytest.mark.parametrize("check", WHOLE)
def test_the_code_hints_of_functions_are_whole(check):
    (function,) = ast.parse(check(...).hints[2]).body
    assert isinstance(function, ast.FunctionDef)
    assert any(isinstance(node, ast.Return) for node in ast.walk(function))


# time


@pytest.fixture
def interruptible(monkeypatch):
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("only the main thread can be interrupted")
    monkeypatch.setattr(mechanism, "TIME_LIMIT", 0.2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def never_ends(*arguments):
    while True:
        pass


def falls_asleep(*arguments):
    time.sleep(30)


@pytest.mark.parametrize("candidate", [never_ends, falls_asleep])
@pytest.mark.usefixtures("interruptible")
def test_what_never_returns_is_stopped_and_told(candidate):
    if candidate is falls_asleep and not hasattr(signal, "pthread_kill"):
        pytest.skip("a sleep is interrupted by a signal only")
    start = time.monotonic()
    feedback = checks.check_encoding(candidate)
    assert time.monotonic() - start < 5
    assert_told(feedback, "too_slow")
    assert "0.2" in feedback.message


@pytest.mark.usefixtures("interruptible")
def test_the_limit_leaves_nothing_behind():
    threads = threading.active_count()
    for delay in (0.0, 0.15, 0.199, 0.2, 0.201, 0.21):

        def slow(seq_len, d_model, delay=delay):
            time.sleep(delay if (seq_len, d_model) == (4, 8) else 0)
            return handout(seq_len, d_model)

        assert checks.check_encoding(slow).cause in ("", "too_slow")
    assert threading.active_count() == threads
    time.sleep(0.3)  # a late interrupt would arrive here
    assert_told(checks.check_encoding(handout), "")


@pytest.mark.usefixtures("interruptible")
def test_the_learner_can_still_stop_a_check():
    def stopped(seq_len, d_model):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.check_encoding(stopped)


def test_off_the_main_thread_there_is_no_limit(monkeypatch):
    monkeypatch.setattr(mechanism, "TIME_LIMIT", 0.0)
    told = []
    worker = threading.Thread(target=lambda: told.append(checks.check_encoding(handout)))
    worker.start()
    worker.join()
    assert_told(told[0], "")


def test_where_an_interrupt_is_ignored_there_is_no_limit(monkeypatch):
    monkeypatch.setattr(mechanism, "TIME_LIMIT", 0.0)
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert_told(checks.check_encoding(handout), "")
