"""Exercise 5.3: the slopes of ALiBi, for any number of heads."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.beyond import alibi_slopes
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    explains,
    read_array,
    refuse_rounded,
    require_function,
)

__all__ = ["check_slopes"]


def _powers(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def _with_rest(n: int, take: slice) -> np.ndarray:
    power = 2 ** (n.bit_length() - 1)
    return np.concatenate([_powers(power), _powers(2 * power)[take][: n - power]])


_WRONG: tuple[tuple[str, Callable[[int], np.ndarray]], ...] = (
    ("from_0", lambda n: 2.0 ** (-8 * np.arange(n) / n)),
    ("any_number", _powers),
    ("odd", lambda n: _with_rest(n, slice(1, None, 2))),
    ("not_every_other", lambda n: _with_rest(n, slice(None))),
    ("sorted", lambda n: -np.sort(-alibi_slopes(n))),
    ("sorted", lambda n: np.sort(alibi_slopes(n))),
    ("minus", lambda n: -alibi_slopes(n)),
    ("next_power", lambda n: _powers(2 ** (n - 1).bit_length())[:n]),
    ("eight_heads", lambda n: 2.0 ** -np.arange(1, n + 1)),
)


@exercise()
def check_slopes(candidate: Callable[[int], npt.ArrayLike]) -> Feedback:
    """Check a learner's slopes of ALiBi.

    Parameters
    ----------
    candidate : callable
        Takes a number of heads, returns as many slopes.

    Examples
    --------
    >>> check_slopes(alibi_slopes).state
    'correct'
    >>> check_slopes(lambda n: [2 ** (-8 * h / n) for h in range(n)]).cause
    'from_0'
    """
    require_function(candidate, "n_heads")
    heads = [8, 4, 1, 12, 6, 20]
    found = [read_array(ask(candidate, n), (n,)) for n in heads]
    given = [(n,) for n in heads]
    if explains(alibi_slopes, found, given, atol=1e-6):
        return
    for cause, build in _WRONG:
        if explains(build, found, given, atol=1e-6):
            raise Wrong(cause)
    wanted = [alibi_slopes(n) for n in heads]
    refuse_rounded(found, wanted)
    off = next(n for n in range(6) if not np.allclose(found[n], wanted[n], rtol=1e-6, atol=0))
    place = int(np.argmax(~np.isclose(found[off], wanted[off], rtol=1e-6, atol=0)))
    got, right = apart(found[off][place], wanted[off][place])
    raise Wrong("value", n=heads[off], h=place + 1, got=got, wanted=right)
