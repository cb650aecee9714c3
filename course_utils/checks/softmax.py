"""A learner's softmax."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.attention import softmax
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    read_array,
    refuse_entry,
    require_function,
)

__all__ = ["check_softmax"]


# softmax
def _share(values: np.ndarray, axis: int | None = -1) -> np.ndarray:
    return values / values.sum(axis=axis, keepdims=True)


_WRONG_SOFTMAX: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("axis_0", lambda s: softmax(s, axis=0)),
    ("over_all", lambda s: _share(np.exp(s), axis=None)),
    ("no_exp", _share),
    ("no_exp", lambda s: _share(s - s.max(axis=-1, keepdims=True))),
    ("not_normalised", np.exp),
    ("not_normalised", lambda s: np.exp(s - s.max(axis=-1, keepdims=True))),
    ("not_normalised", lambda s: np.exp(s - s.max())),
    ("negative", lambda s: softmax(-s)),
    ("logarithm", lambda s: np.log(softmax(s))),
    ("base_2", lambda s: _share(2.0**s)),
    ("largest_only", lambda s: (s == s.max(axis=-1, keepdims=True)).astype(float)),
)


_LARGE_SCORES = (
    [[1000.0, 1001.0, 998.0], [1001.0, 1002.0, 1000.0]],
    [[-1000.0, -1001.0, -998.0], [-1001.0, -1000.5, -1002.0]],
    [[1000.0, -1000.0, -1001.0], [1001.0, -1000.0, -999.0]],
)


_ROWS_APART = [[1000.0, 1001.0, 999.0], [-1000.0, -1001.0, -999.0]]


@exercise()
def check_softmax(candidate: Callable[[np.ndarray], npt.ArrayLike]) -> Feedback:
    """Check a learner's softmax along the last axis, also of scores of 1,000.

    Parameters
    ----------
    candidate : callable
        Takes scores of shape (..., n), returns weights of that shape.

    Examples
    --------
    >>> check_softmax(softmax).state
    'correct'
    >>> check_softmax(lambda scores: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)).cause
    'overflow'
    """
    require_function(candidate, "scores")
    rng = np.random.RandomState(5)
    one, two, three = rng.randn(4), rng.randn(3, 5), rng.randn(2, 3, 4)
    matrix = _softmax_of(candidate, two)
    if not np.allclose(matrix, softmax(two), rtol=0, atol=1e-6):
        _name_wrong_softmax(matrix, two)
    for scores in (one, three):
        try:
            fine = np.allclose(_softmax_of(candidate, scores), softmax(scores), rtol=0, atol=1e-6)
        except Wrong as wrong:
            if wrong.cause not in ("raised", "shape"):
                raise
            fine = False
        if not fine:
            raise Wrong("fixed_axes", got=scores.shape)
    for large in map(np.array, _LARGE_SCORES):
        _refuse_large(candidate, large, "overflow")
    _refuse_large(candidate, np.array(_ROWS_APART), "one_maximum")


def _softmax_of(candidate: Callable[[np.ndarray], npt.ArrayLike], scores: np.ndarray) -> np.ndarray:
    try:
        return read_array(ask(candidate, scores), scores.shape)
    except Wrong as wrong:
        if "broadcast" in wrong.values.get("error", ""):
            raise Wrong("keepdims", got=scores.shape) from None
        raise


def _name_wrong_softmax(found: np.ndarray, scores: np.ndarray) -> None:
    for cause, build in _WRONG_SOFTMAX:
        if np.allclose(found, build(scores), rtol=0, atol=1e-6):
            raise Wrong(cause)
    refuse_entry("entry", found, softmax(scores))


def _refuse_large(
    candidate: Callable[[np.ndarray], npt.ArrayLike], scores: np.ndarray, cause: str
) -> None:
    found = read_array(ask(candidate, scores), scores.shape, finite=False)
    row = scores[0].tolist()
    if not np.isfinite(found).all():
        raise Wrong(cause, row=row)
    right = softmax(scores)
    if not np.allclose(found, right, rtol=0, atol=1e-6):
        off = int(np.abs(found - right).max(axis=-1).argmax())
        # without its own maximum a row vanishes: all its exponentials are 0
        vanished = cause == "one_maximum" and found[off].sum() < 0.5
        got, wanted = apart(found[off], right[off])
        row = scores[off].tolist()
        raise Wrong(cause if vanished else "large_scores", row=row, got=got, wanted=wanted)
