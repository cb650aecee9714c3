"""A mask that lets a query attend to the last few tokens only."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    ask,
    exercise,
    read_array,
    require_function,
)

__all__ = ["check_window_mask"]

# each of the distance of a key behind its query, (seq_len, seq_len), and the width
_WRONG_MASKS: tuple[tuple[str, Callable[[np.ndarray, int], np.ndarray]], ...] = (
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


@exercise()
def check_window_mask(candidate: Callable[[int, int], npt.ArrayLike]) -> Feedback:
    """Check a learner's mask of a window: itself and the tokens before it, `width` in all.

    Parameters
    ----------
    candidate : callable
        Takes ``(seq_len, width)``, returns booleans of shape (seq_len, seq_len), True where the
        query (row) may attend to the key (column).

    Examples
    --------
    >>> check_window_mask(lambda n, width: np.tri(n, dtype=bool) & ~np.tri(n, k=-width, dtype=bool))
    Correct: Each query attends to itself and to the tokens before it, as many as the window holds.
    >>> check_window_mask(lambda n, width: np.tri(n, dtype=bool)).cause
    'width_ignored'
    """
    require_function(candidate, "seq_len", "width")
    for seq_len, width in ((8, 3), (9, 4), (5, 1), (4, 7)):
        mask = read_array(ask(candidate, seq_len, width), (seq_len, seq_len), finite=False)
        places = np.arange(seq_len)
        behind = places[:, np.newaxis] - places
        right = (behind >= 0) & (behind < width)
        if not np.array_equal(mask, right):
            for cause, build in _WRONG_MASKS:
                if np.array_equal(mask, build(behind, width)):
                    raise Wrong(cause, seq_len=seq_len, width=width)
            place = place_of(mask != right)
            raise Wrong("entry", seq_len=seq_len, width=width, place=place)
        if mask.dtype != bool:
            raise Wrong("not_boolean", got=mask.dtype)
