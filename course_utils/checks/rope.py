"""Exercise 5.2: RoPE in halves, after a cache, from the rotation of chapter 1."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.beyond import rotate
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
from course_utils.encoding import angular_frequencies, sinusoidal_positional_encoding

__all__ = ["check_rope"]


def _halves(x: np.ndarray, start: int, base: float = 10_000.0) -> np.ndarray:
    return rotate(x, base, start, "halves")


def _angles(x: np.ndarray, start: int) -> np.ndarray:
    return np.outer(start + np.arange(len(x)), angular_frequencies(x.shape[1]))


def _mixed(x: np.ndarray, start: int) -> np.ndarray:
    """Pairs of halves, with the frequencies laid out for neighbours."""
    angles, half = np.repeat(_angles(x, start), 2, axis=1), x.shape[1] // 2
    other = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + other * np.sin(angles)


def _backwards(x: np.ndarray, start: int) -> np.ndarray:
    return _halves(x[::-1], -(start + len(x) - 1))[::-1]


def _one_frequency(x: np.ndarray, start: int) -> np.ndarray:
    half = x.shape[1] // 2
    pairs = [rotate(x[:, [i, i + half]], start=start) for i in range(half)]
    return np.concatenate([pair[:, :1] for pair in pairs] + [pair[:, 1:] for pair in pairs], axis=1)


def _shuffled(x: np.ndarray, start: int) -> np.ndarray:
    """Turned rightly and not brought back to their places."""
    columns = np.arange(x.shape[1]).reshape(2, -1).T.ravel()
    return rotate(x[:, columns], start=start)


_WRONG: tuple[tuple[str, Callable[[np.ndarray, int], np.ndarray]], ...] = (
    ("unchanged", lambda x, start: x),
    ("interleaved", lambda x, start: rotate(x, start=start)),
    ("interleaved_sign", lambda x, start: rotate(x[::-1], start=-(start + len(x) - 1))[::-1]),
    ("sign", _backwards),
    ("mixed", _mixed),
    ("start_ignored", lambda x, start: _halves(x, 0)),
    ("from_1", lambda x, start: _halves(x, start + 1)),
    ("same_turn", lambda x, start: np.array([_halves(row[None], start)[0] for row in x])),
    ("one_frequency", _one_frequency),
    ("not_brought_back", _shuffled),
    ("base", lambda x, start: _halves(x, start, 1_000.0)),
    ("base", lambda x, start: _halves(x, start, 500_000.0)),
    ("added", lambda x, start: x + np.tile(np.sin(_angles(x, start)), 2)),
    (
        "added",
        lambda x, start: x + sinusoidal_positional_encoding(start + len(x), x.shape[1])[start:],
    ),
)


@exercise()
def check_rope(candidate: Callable[[np.ndarray, int], npt.ArrayLike]) -> Feedback:
    """Check a learner's RoPE: columns i and i + d / 2 paired, positions from `start`.

    Parameters
    ----------
    candidate : callable
        Takes rows of shape (n, d) and the position of the first, returns them turned.

    Examples
    --------
    >>> check_rope(lambda x, start: rotate(x, start=start, layout="halves")).state
    'correct'
    >>> check_rope(lambda x, start: rotate(x, start=start)).cause
    'interleaved'
    """
    require_function(candidate, "x", "start")
    shapes = [((5, 8), 3), ((3, 4), 0), ((4, 16), 7)]
    given = [(np.random.RandomState(start).randn(*shape), start) for shape, start in shapes]
    found = [read_array(ask(candidate, *each), each[0].shape) for each in given]
    if explains(_halves, found, given):
        return
    for cause, build in _WRONG:
        if explains(build, found, given):
            raise Wrong(cause)
    wanted = [_halves(*each) for each in given]
    refuse_rounded(found, wanted)
    off = next(n for n in range(3) if not np.allclose(found[n], wanted[n], rtol=0, atol=1e-6))
    row = int(np.argmax(np.abs(found[off] - wanted[off]).max(axis=1) > 1e-6))
    column = int(np.argmax(np.abs(found[off][row] - wanted[off][row]) > 1e-6))
    got, right = apart(found[off][row, column], wanted[off][row, column])
    shape, start = shapes[off]
    raise Wrong("row", row=row, column=column, shape=shape, start=start, got=got, wanted=right)
