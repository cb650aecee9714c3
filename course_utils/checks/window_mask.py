"""A mask that lets a query attend to the last few tokens only."""

from collections.abc import Callable

import numpy as np

from course_utils.checks.feedback import Wrong, ask, exercise, judge, read_array

# each of the distance of a key behind its query, (seq_len, seq_len), and the width
_MASKS = (
    ("", lambda behind, width: (behind >= 0) & (behind < width)),
    ("width_ignored", lambda behind, width: behind >= 0),
    ("one_more", lambda behind, width: (behind >= 0) & (behind <= width)),
    ("one_less", lambda behind, width: (behind >= 0) & (behind < width - 1)),
    ("one_less", lambda behind, width: (behind >= 0) & (behind < max(width - 1, 1))),
    *(("fixed", lambda behind, width, w=w: (behind >= 0) & (behind < w)) for w in (2, 3, 4, 5)),
    *(("far_past", lambda behind, width, by=by: behind >= width - by) for by in (0, 1)),
    *(("itself_hidden", lambda b, width, by=by: (b >= 1) & (b < width + by)) for by in (0, 1)),
    *(("both_sides", lambda b, width, by=by: np.abs(b) < width + by) for by in (0, 1)),
    ("both_sides", lambda behind, width: np.abs(behind) <= width // 2),
    ("future_open", lambda behind, width: behind < width),
    *(("ahead", lambda b, width, by=by: (b <= 0) & (b > -width - by)) for by in (0, 1)),
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
    given = [(np.arange(n)[:, np.newaxis] - np.arange(n), width) for n, width in _SIZES]
    pairs = [(mask, _MASKS[0][1](*each)) for mask, each in zip(found, given, strict=True)]
    if all((mask[right] == 0).all() and (mask[~right] < -10).all() for mask, right in pairs):
        raise Wrong("added")
    seq_len, width = _SIZES[0]
    if all(np.array_equal(mask != 0, right) for mask, right in pairs):
        if any(mask.dtype != bool for mask in found):
            raise Wrong("not_boolean", got=found[0].dtype)
        return
    judge(_MASKS, found, given, seq_len=seq_len, width=width)
    at = [np.argwhere(mask != right) for mask, right in pairs]
    late = any((each[:, 0] >= w - 1).any() for each, (_, w) in zip(at, _SIZES, strict=True))
    seq_len, width, place = next(
        (*size, each[0].tolist()) for each, size in zip(at, _SIZES, strict=True) if len(each)
    )
    raise Wrong("entry" if late else "near_start", seq_len=seq_len, width=width, place=place)


def _mask(candidate: Callable[[int, int], np.ndarray], seq_len: int, width: int) -> np.ndarray:
    mask = read_array(ask(candidate, seq_len, width), finite=False)
    if mask.shape == (width, width) != (seq_len, seq_len):
        raise Wrong("swapped_arguments")
    return read_array(mask, (seq_len, seq_len), finite=False)
