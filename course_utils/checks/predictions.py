"""Predictions and single numbers: what is asked for, and the usual wrong answers."""

import math

import numpy as np
import numpy.typing as npt

from course_utils.arguments import shown
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    exercise,
    judge_choice,
    plain,
    read_array,
    read_number,
    usual_number,
)
from course_utils.language import text

__all__ = [
    "check_base",
    "check_bucket",
    "check_chance",
    "check_difference",
    "check_even_factor",
    "check_most_attended",
    "check_placebo",
    "check_row_zero",
    "check_same_output",
    "check_score_deviation",
    "check_turned_values",
]


@exercise()
def check_row_zero(answer: npt.ArrayLike) -> Feedback:
    """Check a prediction of row 0 of the encoding for ``d_model = 8``.

    Parameters
    ----------
    answer : sequence of float, length 8
        The eight numbers of row 0.

    Examples
    --------
    >>> check_row_zero([0, 1, 0, 1, 0, 1, 0, 1]).state
    'correct'
    >>> check_row_zero([0, 0, 0, 0, 0, 0, 0, 0]).cause
    'all_zeros'
    """
    row = np.squeeze(read_array(answer))
    if row.size != 8:
        raise Wrong("wrong_length", got=row.size)
    if row.shape != (8,):
        raise Wrong("wrong_shape", got=row.shape)
    usual = {
        "all_zeros": [0] * 8,
        "swapped": [1, 0] * 4,
        "all_ones": [1] * 8,
        "halves": [0] * 4 + [1] * 4,
    }
    for cause, wrong in usual.items():
        if np.allclose(row, wrong, rtol=0, atol=1e-6):
            raise Wrong(cause)
    off = np.abs(row - [0, 1] * 4) > 1e-6
    if off.any():
        column = int(np.argmax(off))
        wave = text("wave.cosine" if column % 2 else "wave.sine")
        got, _ = apart(row[column], column % 2, "4g")
        raise Wrong("one_entry", column=column, got=got, wave=wave)


@exercise()
def check_same_output(answer: str) -> Feedback:
    """Check the opening prediction: what changes for ``dog`` when the words change places.

    Parameters
    ----------
    answer : {"nothing", "a little", "a lot"}
        How much the output of attention without positions changes.

    Examples
    --------
    >>> check_same_output("a lot").state
    'incorrect'
    >>> check_same_output(...).state
    'not attempted'
    """
    judge_choice(answer, {"nothing": "", "a little": "a_little", "a lot": "a_lot"})


@exercise()
def check_base(answer: float) -> Feedback:
    """Check the base for which the longest wavelength is 1,000,000 positions, ``d_model = 16``.

    Parameters
    ----------
    answer : float
        The base, right to 1 %.

    Examples
    --------
    >>> check_base(1_000_000 / (2 * np.pi)).cause
    'folklore'
    """
    found = read_number(answer)
    if found <= 0:
        raise Wrong("not_positive", got=f"{found:.6g}")
    wave, turn = 1e6, 2 * np.pi
    usual = {
        "": (wave / turn) ** (16 / 14),
        "folklore": wave / turn,
        "no_turn": wave ** (16 / 14),
        "multiplied": (wave * turn) ** (16 / 14),
        "exponent_turned": (wave / turn) ** (14 / 16),
        "wavelength": wave,
        "column_index": (wave / turn) ** (16 / 15),
        "halved_exponent": (wave / turn) ** (16 / 7),
        "width_8": (wave / turn) ** (8 / 6),
        "half_turn": (2 * wave / turn) ** (16 / 14),
    }
    cause = usual_number(found, usual, rtol=0.01)
    if cause is None:
        longest = turn * found ** (14 / 16)
        cause = "longer" if longest > wave else "shorter"
        raise Wrong(cause, got=f"{found:.6g}", wave=f"{longest:,.0f}")
    if cause:
        raise Wrong(cause)


@exercise()
def check_difference(answer: str) -> Feedback:
    """Check a prediction: on what the difference of one word at two positions depends.

    Parameters
    ----------
    answer : {"the word", "the positions", "both"}
        What remains in ``(word + pe[p]) - (word + pe[q])``.

    Examples
    --------
    >>> check_difference("the positions").state
    'correct'
    >>> check_difference("both").cause
    'both'
    """
    judge_choice(answer, {"the positions": "", "the word": "the_word", "both": "both"})


@exercise()
def check_even_factor(answer: float) -> Feedback:
    """Check the factor that gives words of width 200, of variance 1/200, half of the energy.

    Parameters
    ----------
    answer : float
        Right to 1 %.

    Examples
    --------
    >>> check_even_factor(200**0.5).cause
    'root_of_width'
    """
    found = read_number(answer)
    usual = {
        "": 10.0,
        "root_of_width": math.sqrt(200),
        "not_rooted": 100.0,
        "width": 200.0,
        "inverse": 1 / 10,
        "half_variance": math.sqrt(0.5),
        "none": 1.0,
    }
    cause = usual_number(found, usual, rtol=0.01)
    if cause is None and found <= 0:
        raise Wrong("not_positive", got=f"{found:.4g}")
    if cause is None:
        share = 100 / (found * found + 100)
        raise Wrong("other", got=f"{found:.4g}", share=f"{share:.2g}")
    if cause:
        raise Wrong(cause)


@exercise()
def check_most_attended(answer: str) -> Feedback:
    """Check a prediction: which token has the largest weight from ``cat``, without positions.

    Parameters
    ----------
    answer : str
        A word of the sentence, or ``"all alike"``.

    Examples
    --------
    >>> check_most_attended("cat").state
    'correct'
    >>> check_most_attended("the").cause
    'the'
    """
    right = dict.fromkeys(("cat", "itself", "cat itself"), "")
    alike = dict.fromkeys(("all alike", "all the same", "all"), "all_alike")
    others = {"the": "the", "chased": "another_word", "dog": "another_word"}
    judge_choice(answer, right | alike | others)


@exercise()
def check_score_deviation(answer: float) -> Feedback:
    """Check the standard deviation of unscaled scores at width 256.

    Parameters
    ----------
    answer : float
        Right to 5 %, so that a measured value will do.

    Examples
    --------
    >>> check_score_deviation(256).cause
    'variance'
    """
    found = read_number(answer)
    usual = {
        "": 16.0,
        "variance": 256.0,
        "scaled": 1.0,
        "factor": 1 / 16,
        "inverse": 1 / 256,
        "two_roots": 4.0,
        "half": 128.0,
        "two_widths": math.sqrt(512),
    }
    cause = usual_number(found, usual, rtol=0.05)
    if cause is None and -1 < found < 1e-6:
        cause = "mean"
    if cause is None:
        raise Wrong("too_large" if found > 16 else "too_small", got=f"{found:.4g}")
    if cause:
        raise Wrong(cause)


@exercise()
def check_placebo(answer: str | bool) -> Feedback:
    """Check a prediction: whether one vector for all passes the test of the handout.

    Parameters
    ----------
    answer : {"yes", "no"} or bool
        Whether the weights change by more than 0.1.

    Examples
    --------
    >>> check_placebo("no").cause
    'no'
    """
    if isinstance(answer, bool | np.bool_):
        answer = "yes" if answer else "no"
    judge_choice(answer, {"yes": "", "no": "no"})


@exercise()
def check_chance(answer: float) -> Feedback:
    """Check the accuracy of a pooled layer without positions: which of three words comes first.

    Parameters
    ----------
    answer : float
        A share between 0 and 1; right to 0.001, so that three decimals will do.

    Examples
    --------
    >>> check_chance(0.5).cause
    'two_words'
    """
    if isinstance(answer, str) and answer.strip(" .") and any(c.isdigit() for c in answer):
        raise Wrong("words", got=plain(shown(answer)))
    found = read_number(answer)
    usual = {
        "": 1 / 3,
        "two_words": 1 / 2,
        "six_orders": 1 / 6,
        "reported": 0.36,
        "percent": 100 / 3,
        "never": 0.0,
        "always": 1.0,
    }
    cause = usual_number(found, usual, atol=1e-3) or (
        "percent" if abs(found - 100 / 3) < 0.4 else None
    )
    if cause is None and usual_number(found, {"": 1 / 3}, atol=1e-3) is None:
        nearly = abs(found - 1 / 3) < 0.02
        raise Wrong("nearly" if nearly else "other", got=apart(found, 1 / 3, "4g")[0])
    if cause:
        raise Wrong(cause)


@exercise()
def check_turned_values(answer: str | bool) -> Feedback:
    """Check a prediction: whether RoPE on the values changes the output on a shift.

    Parameters
    ----------
    answer : {"yes", "no"} or bool
        The same in Chinese.

    Examples
    --------
    >>> check_turned_values("no").cause
    'no'
    """
    if isinstance(answer, bool | np.bool_):
        answer = "yes" if answer else "no"
    no = {"no": "no", "不": "no", "不会": "no", "不变": "no", "不会变": "no"}
    judge_choice(answer, {"yes": "", "会": "", "变": "", "会变": "", "会改变": "", **no})


@exercise()
def check_bucket(answer: float) -> Feedback:
    """Check the bucket of a key 20 places ahead, of T5's 32 signed buckets up to 128.

    Parameters
    ----------
    answer : int
        From 0 to 31.

    Examples
    --------
    >>> check_bucket(26).state
    'correct'
    >>> check_bucket(10).cause
    'sign_lost'
    """
    found = read_number(answer)
    usual = {
        "": 26.0,
        "sign_lost": 10.0,
        "rounded_up": 27.0,
        "rounded_up_behind": 11.0,
        "unsigned": 17.0,
        "future_of_decoder": 0.0,
        "last": 31.0,
        "offset": 20.0,
        "not_floored": 26.644,
    }
    cause = usual_number(found, usual, atol=1e-3)
    if cause is None:
        raise Wrong("other", got=f"{found:.6g}")
    if cause:
        raise Wrong(cause)
