"""Whatever an answer is, a check tells it in words and never raises; every cause has its words."""

import inspect
import sys
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


def test_the_code_hints_compile():
    for check in CHECKS:
        compile(check(...).hints[2], "hint", "exec")
