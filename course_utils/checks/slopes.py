"""Exercise 5.3: the slopes of ALiBi, for any number of heads."""

from collections.abc import Callable
from types import FrameType

import numpy as np

from course_utils.beyond import alibi_slopes
from course_utils.checks.feedback import Wrong, ask, exercise, first_off, judge, read_array


def _powers(n: int, first: int = 1) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(first, first + n) / n)


def _with_rest(n: int, take: slice, first: int = 1) -> np.ndarray:
    power = 2 ** (n.bit_length() - 1)
    return np.concatenate([_powers(power, first), _powers(2 * power, first)[take][: n - power]])


_SLOPES = (
    ("", alibi_slopes),
    ("from_0", lambda n: _powers(n, 0)),
    ("from_0", lambda n: _with_rest(n, slice(None, None, 2), 0)),
    ("any_number", _powers),
    ("odd", lambda n: _with_rest(n, slice(1, None, 2))),
    ("not_every_other", lambda n: _with_rest(n, slice(None))),
    ("minus", lambda n: -alibi_slopes(n)),
    ("inverse", lambda n: 1 / alibi_slopes(n)),
    ("exponents", lambda n: -np.log2(alibi_slopes(n))),
    ("next_power", lambda n: _powers(2 ** (n - 1).bit_length())[:n]),
    ("eight_heads", lambda n: 2.0 ** -np.arange(1, n + 1)),
)


def _leaning(frame: FrameType) -> bool:
    """Whether the module is called, and not for a power of two, where the text has the formula."""
    n = frame.f_locals.get("n_heads", 0)
    return frame.f_code is alibi_slopes.__code__ and isinstance(n, int) and n & (n - 1) > 0


@exercise("n_heads", causes=_SLOPES)
def check_slopes(candidate: Callable[[int], np.ndarray]) -> None:
    """Check a learner's slopes of ALiBi: takes a number of heads, returns as many slopes.

    >>> check_slopes(lambda n: [2 ** (-8 * h / n) for h in range(n)]).cause
    'from_0'
    """
    given = [(n,) for n in (8, 4, 1, 12, 6, 20, 15)]
    found = [read_array(ask(candidate, n, leaning=_leaning), (n,)) for (n,) in given]
    if judge(_SLOPES, found, given):
        return
    judge([("sorted", lambda n: np.sort(alibi_slopes(n)))], [*map(np.sort, found)], given)
    trial, (head,), got, wanted = first_off(alibi_slopes, found, given, atol=0, rtol=1e-6)
    raise Wrong("value", n=given[trial][0], h=head + 1, got=got, wanted=wanted)
