"""Predictions and single numbers: what is asked for, and the usual wrong answers.

Each is a declaration: the answers and the causes of the wrong ones (the right one has none), and in
the docstring what is asked. The body of a number says what any other number is told.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.checks.feedback import (
    Wrong,
    apart,
    exercise,
    in_short,
    judge,
    read_array,
    read_choice,
    read_number,
)
from course_utils.language import text


def choice(causes: dict[str, str]) -> Callable:
    """Declare a prediction in words; True and False stand for yes and no."""

    def declare(asked: Callable[[str], None]) -> Callable:
        @functools.wraps(asked)
        def verdict(answer: object) -> None:
            if isinstance(answer, bool | np.bool_) and "yes" in causes:
                answer = "yes" if answer else "no"
            if cause := causes[read_choice(answer, causes)]:
                raise Wrong(cause)

        return exercise(causes=causes.values())(verdict)

    return declare


def number(
    right: float, *, atol: float = 0.0, rtol: float = 0.0, quoted: str = "", **causes: float
) -> Callable:
    """Declare a number, right to a tolerance; `quoted` is the cause of digits in quotes."""

    def declare(say_of_others: Callable[[float], None]) -> Callable:
        @functools.wraps(say_of_others)
        def verdict(answer: object) -> None:
            if quoted and isinstance(answer, str) and any(c.isdigit() for c in answer):
                raise Wrong(quoted, got=in_short(answer))
            found = read_number(answer)
            for cause, value in {"": right, **causes}.items():
                if abs(found - value) <= atol + rtol * abs(value):
                    if cause:
                        raise Wrong(cause)
                    return
            say_of_others(found)

        return exercise(causes=causes)(verdict)

    return declare


_ROWS = (
    ("", lambda: [0, 1] * 4),
    ("all_zeros", lambda: [0] * 8),
    ("swapped", lambda: [1, 0] * 4),
    ("all_ones", lambda: [1] * 8),
    ("halves", lambda: [0] * 4 + [1] * 4),
)


@exercise(causes=_ROWS)
def check_row_zero(answer: npt.ArrayLike) -> None:
    """Check a prediction of row 0 of the encoding for ``d_model = 8``: eight numbers.

    >>> check_row_zero([0, 0, 0, 0, 0, 0, 0, 0]).cause
    'all_zeros'
    """
    row = np.squeeze(read_array(answer))
    if row.size != 8:
        raise Wrong("wrong_length", got=row.size)
    if row.shape != (8,):
        raise Wrong("wrong_shape", got=row.shape)
    if judge(_ROWS, [row], [()]):
        return
    column = int(np.argmax(np.abs(row - _ROWS[0][1]()) > 1e-6))
    wave = text("wave.cosine" if column % 2 else "wave.sine")
    got, _ = apart(row[column], column % 2, "4g")
    raise Wrong("one_entry", column=column, got=got, wave=wave)


@choice({"nothing": "", "a little": "a_little", "a lot": "a_lot"})
def check_same_output(answer: str) -> None:
    """Check the opening prediction: what changes for ``dog`` when the words change places.

    >>> check_same_output("a lot").cause
    'a_lot'
    """


_WAVE, _TURN = 1e6, 2 * math.pi


@number(
    (_WAVE / _TURN) ** (16 / 14), rtol=0.01,
    folklore=_WAVE / _TURN, wavelength=_WAVE, no_turn=_WAVE ** (16 / 14),
    multiplied=(_WAVE * _TURN) ** (16 / 14), half_turn=(2 * _WAVE / _TURN) ** (16 / 14),
    exponent_turned=(_WAVE / _TURN) ** (14 / 16), column_index=(_WAVE / _TURN) ** (16 / 15),
    halved_exponent=(_WAVE / _TURN) ** (16 / 7), width_8=(_WAVE / _TURN) ** (8 / 6),
)  # fmt: skip
def check_base(answer: float) -> None:
    """Check the base for which the longest wavelength is 1,000,000 positions, ``d_model = 16``.

    >>> check_base(1_000_000 / (2 * np.pi)).cause
    'folklore'
    """
    if answer < 1:
        raise Wrong("below_1" if answer > 0 else "not_positive", got=f"{answer:.6g}")
    longest = _TURN * answer ** (14 / 16)
    cause = "longer" if longest > _WAVE else "shorter"
    raise Wrong(cause, got=f"{answer:.6g}", wave=f"{longest:,.0f}")


@choice({"the positions": "", "the word": "the_word", "both": "both"})
def check_difference(answer: str) -> None:
    """Check a prediction: what remains in ``(word + pe[p]) - (word + pe[q])``.

    >>> check_difference("both").cause
    'both'
    """


@number(
    10.0, rtol=0.01, root_of_width=math.sqrt(200), not_rooted=100.0, width=200.0, inverse=1 / 10,
    half_variance=math.sqrt(0.5), none=1.0,
)  # fmt: skip
def check_even_factor(answer: float) -> None:
    """Check the factor that gives words of width 200, of variance 1/200, half of the energy.

    >>> check_even_factor(200**0.5).cause
    'root_of_width'
    """
    if answer <= 0:
        raise Wrong("not_positive", got=f"{answer:.4g}")
    raise Wrong("other", got=f"{answer:.4g}", norm=f"{answer * answer:.4g}")


@choice(
    {"cat": "", "itself": "", "all alike": "all_alike", "the": "the"}
    | dict.fromkeys(("chased", "dog"), "another_word")
)
def check_most_attended(answer: str) -> None:
    """Check a prediction: which token has the largest weight from ``cat``, without positions.

    >>> check_most_attended("the").cause
    'the'
    """


@number(
    16.0, rtol=0.05,  # so that a measured value will do
    negative=-16.0, variance=256.0, scaled=1.0, factor=1 / 16, inverse=1 / 256, two_roots=4.0,
    half=128.0, two_widths=math.sqrt(512),
)  # fmt: skip
def check_score_deviation(answer: float) -> None:
    """Check the standard deviation of unscaled scores at width 256.

    >>> check_score_deviation(256).cause
    'variance'
    """
    if -1 < answer < 1e-6:
        raise Wrong("mean")
    raise Wrong("too_large" if answer > 16 else "too_small", got=f"{answer:.4g}")


@choice({"yes": "", "no": "no"})
def check_placebo(answer: str | bool) -> None:
    """Check a prediction: whether one vector for all passes the test of the handout.

    >>> check_placebo("no").cause
    'no'
    """


@number(
    1 / 3, atol=1e-3, quoted="words",  # so that three decimals will do
    two_words=1 / 2, six_orders=1 / 6, reported=0.36, never=0.0, always=1.0,
)  # fmt: skip
def check_chance(answer: float) -> None:
    """Check the accuracy of a pooled layer without positions: which of three words comes first.

    >>> check_chance(0.5).cause
    'two_words'
    """
    if abs(answer - 100 / 3) < 0.4:
        raise Wrong("percent")
    nearly = abs(answer - 1 / 3) < 0.02
    raise Wrong("nearly" if nearly else "other", got=apart(answer, 1 / 3, "4g")[0])


@choice({"yes": "", "no": "no"})
def check_turned_values(answer: str | bool) -> None:
    """Check a prediction: whether RoPE on the values changes the output on a shift.

    >>> check_turned_values("no").cause
    'no'
    """


@number(
    26.0, atol=1e-3, sign_lost=10.0, rounded_up=27.0, rounded_up_behind=11.0, not_floored=26.644,
    unsigned=17.0, unsigned_ahead=33.0, offset=20.0, offset_ahead=36.0, last=31.0,
    future_of_decoder=0.0,
)  # fmt: skip
def check_bucket(answer: float) -> None:
    """Check the bucket of a key 20 places ahead, of T5's 32 signed buckets up to 128.

    >>> check_bucket(10).cause
    'sign_lost'
    """
    raise Wrong("other", got=f"{answer:.6g}")
