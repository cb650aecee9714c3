"""Positions added to a batch that is padded on the left."""

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    read_array,
    refuse_rounded,
    require_function,
)
from course_utils.encoding import sinusoidal_positional_encoding

__all__ = ["check_add_positions"]

Add = Callable[[np.ndarray, np.ndarray], np.ndarray]


def rows_between(start: int, stop: int, d_model: int) -> np.ndarray:
    return sinusoidal_positional_encoding(stop, d_model)[start:]


def positions(x: np.ndarray) -> np.ndarray:
    return rows_between(0, x.shape[1], x.shape[2])


def _each(rows: Callable[[int, int, int, int], np.ndarray], *, left: bool = True) -> Add:
    """Add, to the tokens of each sentence, rows made of its number, length, row count and width."""

    def add(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        total, n = x.copy(), x.shape[1]
        for sentence, length in enumerate(lengths):
            tokens = slice(n - length, n) if left else slice(0, length)
            total[sentence, tokens] += rows(sentence, length, n, x.shape[2])
        return total

    return add


def _own(sentence: int, length: int, n: int, d: int) -> np.ndarray:
    return rows_between(0, length, d)


def _running(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    starts = np.cumsum([0, *lengths])
    return _each(lambda s, length, n, d: rows_between(starts[s], starts[s] + length, d))(x, lengths)


def _one_length(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    return _each(_own)(x, np.full(len(x), lengths[0]))


def _waves_of(x: np.ndarray) -> np.ndarray:
    return np.where(np.arange(x.shape[2]) % 2 == 0, np.sin(x), np.cos(x))


_right = _each(_own)
_WRONG_SUMS: tuple[tuple[str, Add], ...] = (
    ("padding_counted", lambda x, lengths: x + positions(x)),
    ("values_as_positions", lambda x, lengths: x + np.sin(x)),
    ("values_as_positions", lambda x, lengths: x + _waves_of(x)),
    ("multiplied", lambda x, lengths: x * (_right(x, lengths) - x)),
    ("padding_counted", _each(lambda s, length, n, d: rows_between(n - length, n, d))),
    ("right_padding", _each(_own, left=False)),
    ("one_length", _one_length),
    ("one_length", lambda x, lengths: _each(_own)(x, np.full(len(x), max(lengths)))),
    ("one_length", lambda x, lengths: _each(_own)(x, np.full(len(x), min(lengths)))),
    ("one_row", _each(lambda s, length, n, d: rows_between(length, length + 1, d))),
    ("one_row", _each(lambda s, length, n, d: rows_between(length - 1, length, d))),
    ("one_row", _each(lambda s, length, n, d: rows_between(0, 1, d))),
    ("running_count", _running),
    ("starts_at_1", _each(lambda s, length, n, d: rows_between(1, length + 1, d))),
    ("backwards", _each(lambda s, length, n, d: rows_between(0, length, d)[::-1])),
    ("integer_buffer", _each(lambda *given: np.trunc(_own(*given)))),
    ("twice", _each(lambda *given: 2 * _own(*given))),
    ("subtracted", _each(lambda *given: -_own(*given))),
    ("scaled", lambda x, lengths: _right(x * np.sqrt(x.shape[2]), lengths)),
    ("only_pe", lambda x, lengths: _right(np.zeros(x.shape), lengths)),
    ("nothing_added", lambda x, lengths: x),
)


@exercise()
def check_add_positions(
    candidate: Callable[[np.ndarray, np.ndarray], npt.ArrayLike],
) -> Feedback:
    """Check a learner's sum of a batch and the encoding, where filler stands on the left.

    Parameters
    ----------
    candidate : callable
        Takes a batch of shape (batch, seq_len, d_model) and the number of tokens of each sentence,
        which stand at its end; returns a new batch of that shape.

    Examples
    --------
    >>> check_add_positions(lambda x, lengths: x + positions(x)).cause
    'padding_counted'
    """
    require_function(candidate, "x", "lengths")
    rng = np.random.RandomState(7)
    shapes = (3, 6, 16), (2, 5, 8), (1, 4, 6), (4, 3, 8), (2, 9, 4)
    batches = [rng.randn(*shape) for shape in shapes]
    lengths = [np.array(each) for each in ([4, 6, 1], [3, 2], [3], [1, 2, 3, 2], [5, 8])]
    given = list(zip(batches, lengths, strict=True))
    wanted = [_right(*each) for each in given]
    found = [read_array(_asked(candidate, *each)) for each in given]
    if not np.array_equal(found[0], read_array(ask(candidate, *given[0]))):
        raise Wrong("random")
    for got, right in zip(found, wanted, strict=True):
        if got.shape != right.shape:
            raise Wrong("shape", wanted=right.shape, got=got.shape)
    if _near(found, wanted):
        return
    refuse_rounded(found, wanted)
    for cause, add in _WRONG_SUMS:
        if _near(found, [add(*each) for each in given]):
            raise Wrong(cause)
    filler = [np.arange(x.shape[1]) < x.shape[1] - n[:, None] for x, n in given]
    if all(
        np.allclose(got[~out], right[~out], rtol=0, atol=1e-6)
        for got, right, out in zip(found, wanted, filler, strict=True)
    ):
        raise Wrong("filler_changed")
    for got, right, (x, n) in zip(found, wanted, given, strict=True):
        off = np.abs(got - right) > 1e-6
        if off.any():
            place, (said, told) = place_of(off), apart(got[off][0], right[off][0])
            values = {"place": place, "got": said, "wanted": told}
            raise Wrong("entry", shape=x.shape, lengths=n.tolist(), **values)


def _asked(candidate: Add, x: np.ndarray, lengths: np.ndarray) -> object:
    try:
        return ask(candidate, x, lengths)
    except Wrong as wrong:
        # two shapes in a sentence of NumPy's: the batch, and rows of its width, but too many
        rows = re.findall(rf"(\d+),{x.shape[2]}\)", wrong.values.get("error", ""))
        if wrong.words == "shapes" and max(map(int, rows), default=0) > x.shape[1]:
            raise Wrong("long_table", rows=max(map(int, rows)), got=x.shape[1]) from None
        raise


def _near(found: list[np.ndarray], wanted: list[np.ndarray]) -> bool:
    return all(
        got.shape == right.shape and np.allclose(got, right, rtol=0, atol=1e-6)
        for got, right in zip(found, wanted, strict=True)
    )
