"""Positions added to a batch that is padded on the left."""

import re
from collections.abc import Callable

import numpy as np

from course_utils.checks.encodings import like, rows
from course_utils.checks.feedback import Wrong, ask, exercise, first_off, judge, read_array

Add = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _each(make: Callable[[int, int, int, int], np.ndarray], *, left: bool = True) -> Add:
    """Add ``make(before, length, n, d)`` to the tokens of each sentence.

    `before` counts the tokens of all sentences before it, `length` its own, among `n` places.
    """

    def add(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        total, n = x.copy(), x.shape[1]
        for sentence, length in enumerate(lengths):
            tokens = slice(n - length, n) if left else slice(0, length)
            total[sentence, tokens] += make(sum(lengths[:sentence]), length, n, x.shape[2])
        return total

    return add


def _own(before: int, length: int, n: int, d: int) -> np.ndarray:
    return rows(0, length + 1, d)[:-1]  # none for no token


def _kept(make: Add) -> Add:
    """The same, with the filler as it was."""

    def add(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        filler = np.arange(x.shape[1]) < x.shape[1] - np.asarray(lengths)[:, None]
        return np.where(filler[..., None], x, make(x, lengths))

    return add


_right = _each(_own)
_SUMS = (
    ("", _right),
    ("padding_counted", lambda x, lengths: x + like(x)),
    ("values_as_positions", lambda x, lengths: x + np.sin(x)),
    ("values_as_positions", lambda x, _: x + np.sin(x + np.pi / 2 * (np.arange(x.shape[2]) % 2))),
    ("multiplied", lambda x, lengths: x * (_right(x, lengths) - x)),
    ("multiplied", _kept(lambda x, lengths: x * (_right(x, lengths) - x))),
    ("padding_counted", _each(lambda before, length, n, d: rows(n - length, n, d))),
    ("right_padding", _each(_own, left=False)),
    ("filler_counted", lambda x, lengths: _right(x, x.shape[1] - np.asarray(lengths))),
    ("row_late", lambda x, lengths: _right(x, np.asarray(lengths) - 1)),
    ("row_early", lambda x, lengths: _right(x, np.minimum(lengths + 1, x.shape[1]))),
    ("first_sentence", lambda x, lengths: np.vstack([_right(x, lengths)[:1], x[1:]])),
    ("one_length", lambda x, lengths: _right(x, [lengths[0]] * len(x))),
    ("one_length", lambda x, lengths: _right(x, [max(lengths)] * len(x))),
    ("one_length", lambda x, lengths: _right(x, [min(lengths)] * len(x))),
    ("one_row", _each(lambda before, length, n, d: rows(length, length + 1, d))),
    ("one_row", _each(lambda before, length, n, d: rows(length - 1, length, d))),
    ("one_row", _each(lambda before, length, n, d: rows(0, 1, d))),
    ("running_count", _each(lambda before, length, n, d: rows(before, before + length, d))),
    ("starts_at_1", _each(lambda before, length, n, d: rows(1, length + 1, d))),
    ("backwards", _each(lambda before, length, n, d: rows(0, length, d)[::-1])),
    ("integer_buffer", _each(lambda *given: np.trunc(_own(*given)))),
    ("twice", _each(lambda *given: 2 * _own(*given))),
    ("subtracted", _each(lambda *given: -_own(*given))),
    ("scaled", lambda x, lengths: _right(x * np.sqrt(x.shape[2]), lengths)),
    ("scaled", _kept(lambda x, lengths: _right(x * np.sqrt(x.shape[2]), lengths))),
    ("only_pe", lambda x, lengths: _right(np.zeros(x.shape), lengths)),
    ("only_pe", _kept(lambda x, lengths: _right(np.zeros(x.shape), lengths))),
    ("nothing_added", lambda x, lengths: x),
)


@exercise("x", "lengths", causes=_SUMS)
def check_add_positions(candidate: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    """Check a learner's sum of a batch and the encoding, where filler stands on the left.

    Takes a batch of shape (batch, seq_len, d_model) and the number of tokens of each sentence,
    which stand at its end; returns a new batch of that shape.

    >>> check_add_positions(lambda x, lengths: x + like(x)).cause
    'padding_counted'
    """
    rng = np.random.RandomState(7)
    shapes = (3, 6, 16), (2, 5, 8), (1, 4, 6), (4, 3, 8), (2, 9, 4), (2, 40, 6), (2, 3, 4)
    lengths = [4, 6, 1], [3, 2], [3], [1, 2, 3, 2], [5, 8], [40, 17], [3, 3]
    given = [(rng.randn(*s), np.array(n)) for s, n in zip(shapes, lengths, strict=True)]
    found = [read_array(_asked(candidate, *each)) for each in given]
    if not np.array_equal(found[0], read_array(ask(candidate, *given[0]))):
        raise Wrong("random")
    for total, shape in zip(found, shapes, strict=True):
        if total.shape != shape:
            raise Wrong("shape", wanted=shape, got=total.shape)
    if judge(_SUMS, found, given):
        return
    trial, place, got, wanted = first_off(_right, found, given)
    for total, (x, n) in zip(found, given, strict=True):
        filler = np.arange(x.shape[1]) < x.shape[1] - n[:, None]
        total[filler] = _right(x, n)[filler]
    if judge(_SUMS[:1], found, given):
        raise Wrong("filler_changed")
    values = {"place": place, "got": got, "wanted": wanted}
    raise Wrong("entry", shape=shapes[trial], lengths=lengths[trial], **values)


def _asked(candidate: Add, x: np.ndarray, lengths: np.ndarray) -> object:
    try:
        return ask(candidate, x, lengths)
    except Wrong as wrong:
        if wrong.values.get("argument") is lengths:
            raise Wrong("changed_lengths") from None
        # two shapes in a sentence of NumPy's: the batch, and rows of its width, but too many
        found = re.findall(rf"(\d+),{x.shape[2]}\)", wrong.values.get("error", ""))
        if wrong.words == "shapes" and max(map(int, found), default=0) > x.shape[1]:
            raise Wrong("long_table", rows=max(map(int, found)), got=x.shape[1]) from None
        raise
