"""Exercise 5.2: RoPE in halves, after a cache, from the rotation of chapter 1."""

import functools
from collections.abc import Callable

import numpy as np

from course_utils.beyond import rotate
from course_utils.checks.encodings import angles, rows
from course_utils.checks.feedback import Wrong, ask, exercise, first_off, judge, read_array
from course_utils.checks.shift_test import mixed


def _halves(x: np.ndarray, start: int, base: float = 10_000.0) -> np.ndarray:
    return rotate(x, base, start, "halves")


def _mixed(x: np.ndarray, start: int) -> np.ndarray:
    """Pairs of halves, with the frequencies laid out for neighbours."""
    turns, half = np.repeat(_waves(x, start), 2, axis=1), x.shape[1] // 2
    other = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(turns) + other * np.sin(turns)


def _one_frequency(x: np.ndarray, start: int) -> np.ndarray:
    half = x.shape[1] // 2
    pairs = [rotate(x[:, [i, i + half]], start=start) for i in range(half)]
    return np.stack(pairs, axis=2).reshape(x.shape)


def _reordered(x: np.ndarray, start: int, there: int, back: int) -> np.ndarray:
    """Put the columns of each pair side by side (1) or the other way (-1), turn, reorder again."""
    side_by_side = np.arange(x.shape[1]).reshape(2, -1).T.ravel()
    orders = {0: slice(None), 1: side_by_side, -1: np.argsort(side_by_side)}
    return rotate(x[:, orders[there]], start=start)[:, orders[back]]


def _downwards(x: np.ndarray, start: int) -> np.ndarray:
    """Row r at place start - r."""
    return _halves(x[::-1], start - len(x) + 1)[::-1]


def _waves(x: np.ndarray, start: int) -> np.ndarray:
    return angles(len(x), x.shape[1], start=start)


_ROPES = (
    ("", _halves),
    ("unchanged", lambda x, start: x),
    ("interleaved", lambda x, start: rotate(x, start=start)),
    ("interleaved_sign", lambda x, start: rotate(x[::-1], start=-(start + len(x) - 1))[::-1]),
    ("sign", lambda x, start: _downwards(x, -start)),
    ("mixed", _mixed),
    ("start_ignored", lambda x, start: _halves(x, 0)),
    ("from_1", lambda x, start: _halves(x, start + 1)),
    ("same_turn", lambda x, start: np.array([_halves(row[None], start)[0] for row in x])),
    ("one_frequency", _one_frequency),
    ("not_brought_back", lambda x, start: _reordered(x, start, 1, 0)),
    ("order_twice", lambda x, start: _reordered(x, start, 1, 1)),
    ("orders_exchanged", lambda x, start: _reordered(x, start, -1, 1)),
    ("mixed_neighbours", mixed),
    ("one_back", lambda x, start: _halves(x, start - 1)),
    ("downwards", _downwards),
    ("downwards", lambda x, start: _halves(x[::-1], start)[::-1]),
    ("halves_exchanged", lambda x, s: np.roll(_halves(x, s), x.shape[1] // 2, axis=1)),
    ("base", lambda x, start: _halves(x, start, 1_000.0)),
    ("base", lambda x, start: _halves(x, start, 500_000.0)),
    ("added", lambda x, start: x + np.tile(np.sin(_waves(x, start)), 2)),
    ("added", lambda x, s: x + np.hstack([np.sin(_waves(x, s)), np.cos(_waves(x, s))])),
    ("added", lambda x, start: x + rows(start, start + len(x), x.shape[1])),
)


@exercise("x", "start", causes=_ROPES)
def check_rope(candidate: Callable[[np.ndarray, int], np.ndarray]) -> None:
    """Check a learner's RoPE: columns i and i + d / 2 paired, positions from `start`.

    Takes rows of shape (n, d) and the position of the first, returns them turned.

    >>> check_rope(lambda x, start: x).cause
    'unchanged'
    """
    shapes = [((5, 8), 3), ((3, 4), 0), ((4, 16), 7)]
    given = [(np.random.RandomState(start).randn(*shape), start) for shape, start in shapes]
    asked = functools.partial(ask, candidate, leaning=lambda frame: frame.f_code is rotate.__code__)
    found = [read_array(asked(*each), each[0].shape) for each in given]
    if judge(_ROPES, found, given):
        return
    trial, (row, column), got, wanted = first_off(_halves, found, given)
    shape, start = shapes[trial]
    raise Wrong("row", row=row, column=column, shape=shape, start=start, got=got, wanted=wanted)
