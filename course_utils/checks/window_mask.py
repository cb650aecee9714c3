"""A mask that lets a query attend to the last few tokens only."""

from collections.abc import Callable

import numpy as np

from course_utils.arguments import place_of
from course_utils.checks.feedback import Wrong, ask, exercise, judge, read_array

# each of the distance of a key behind its query, (seq_len, seq_len), and the width
_MASKS = (
    ("", lambda behind, width: (behind >= 0) & (behind < width)),
    ("width_ignored", lambda behind, width: behind >= 0),
    ("one_more", lambda behind, width: (behind >= 0) & (behind <= width)),
    ("one_less", lambda behind, width: (behind >= 0) & (behind < width - 1)),
    ("itself_hidden", lambda behind, width: (behind >= 1) & (behind <= width)),
    ("itself_hidden", lambda behind, width: (behind >= 1) & (behind < width)),
    ("both_sides", lambda behind, width: np.abs(behind) < width),
    ("future_open", lambda behind, width: behind < width),
    ("ahead", lambda behind, width: (behind <= 0) & (behind > -width)),
    ("inverted", lambda behind, width: (behind < 0) | (behind >= width)),
)
_SIZES = (8, 3), (9, 4), (5, 1), (4, 7)  # lengths and widths


@exercise("seq_len", "width", causes=_MASKS)
def check_window_mask(candidate: Callable[[int, int], np.ndarray]) -> None:
    """Check a learner's mask of a window: itself and the tokens before it, `width` in all.

    Takes ``(seq_len, width)``, returns booleans of shape (seq_len, seq_len), True where the query
    (row) may attend to the key (column).

    >>> check_window_mask(lambda n, width: np.tri(n, dtype=bool)).cause
    'width_ignored'
    """
    found = [_mask(candidate, *size) for size in _SIZES]
    distances = [np.arange(n)[:, np.newaxis] - np.arange(n) for n, _ in _SIZES]
    given = [(behind, width) for behind, (_, width) in zip(distances, _SIZES, strict=True)]
    rights = [_MASKS[0][1](*each) for each in given]
    if all(
        (mask[right] == 0).all() and (mask[~right] < -10).all()
        for mask, right in zip(found, rights, strict=True)
    ):
        raise Wrong("added")
    seq_len, width = _SIZES[0]
    if judge(_MASKS, found, given, seq_len=seq_len, width=width):
        if any(mask.dtype != bool for mask in found):
            raise Wrong("not_boolean", got=found[0].dtype)
        return
    for mask, right, (seq_len, width) in zip(found, rights, _SIZES, strict=True):
        if (mask != right).any():
            raise Wrong("entry", seq_len=seq_len, width=width, place=place_of(mask != right))


def _mask(candidate: Callable[[int, int], np.ndarray], seq_len: int, width: int) -> np.ndarray:
    mask = read_array(ask(candidate, seq_len, width), finite=False)
    if mask.shape == (width, width) != (seq_len, seq_len):
        raise Wrong("swapped_arguments")
    return read_array(mask, (seq_len, seq_len), finite=False)
