"""Exercise 5.5: the gradient of softmax and cross-entropy, with a temperature."""

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
    place_of,
    read_array,
    refuse_rounded,
    require_function,
)

__all__ = ["check_loss_slope"]


def _slope(
    logits: np.ndarray, target: np.ndarray, inside: float, outside: float, axis: int = -1
) -> np.ndarray:
    wanted = np.eye(logits.shape[1])[target]
    return (softmax(logits / inside, axis=axis) - wanted) / (len(logits) * outside)


def _right(logits: np.ndarray, target: np.ndarray, t: float) -> np.ndarray:
    return _slope(logits, target, t, t)


def _at_target(logits: np.ndarray, target: np.ndarray, t: float) -> np.ndarray:
    return _right(logits, target, t) * np.eye(logits.shape[1])[target]


_WRONG: tuple[tuple[str, Callable[..., np.ndarray]], ...] = (
    ("mean", lambda z, y, t: len(z) * _right(z, y, t)),
    ("mean_over_all", lambda z, y, t: _right(z, y, t) / z.shape[1]),
    ("sign", lambda z, y, t: -_right(z, y, t)),
    ("diagonal_only", _at_target),
    ("diagonal_only", lambda z, y, t: len(z) * _at_target(z, y, t)),
    ("factor", lambda z, y, t: _slope(z, y, t, 1)),
    ("factor", lambda z, y, t: len(z) * _slope(z, y, t, 1)),
    ("temperature", lambda z, y, t: _slope(z, y, 1, 1)),
    ("temperature", lambda z, y, t: _slope(z, y, 1, t)),
    ("inverse", lambda z, y, t: _slope(z, y, 1 / t, 1 / t)),
    ("axis", lambda z, y, t: _slope(z, y, t, t, axis=0)),
    ("target_lost", lambda z, y, t: softmax(z / t) / (len(z) * t)),
)


@exercise()
def check_loss_slope(
    candidate: Callable[[np.ndarray, np.ndarray, float], npt.ArrayLike],
) -> Feedback:
    """Check a learner's gradient of the mean cross-entropy of ``softmax(logits / temperature)``.

    Parameters
    ----------
    candidate : callable
        Takes ``(logits, target, temperature)``, of shapes (n, words) and (n,), and a number;
        returns the gradient by the logits.

    Examples
    --------
    >>> check_loss_slope(_right).state
    'correct'
    >>> check_loss_slope(lambda z, y, t: -_right(z, y, t)).cause
    'sign'
    """
    require_function(candidate, "logits", "target", "temperature")
    rng = np.random.RandomState(5)
    given = [
        (rng.randn(n, words), rng.randint(words, size=n), t)
        for n, words, t in [(4, 3, 2.0), (3, 5, 0.5), (1, 4, 3.0)]
    ]
    found = [read_array(ask(candidate, *each), each[0].shape) for each in given]
    wanted = [_right(*each) for each in given]

    def like(right: list[np.ndarray]) -> bool:
        return all(np.allclose(a, b, rtol=0, atol=1e-7) for a, b in zip(found, right, strict=True))

    if like(wanted):
        return
    for cause, build in _WRONG:
        if like([build(*each) for each in given]):
            raise Wrong(cause)
    refuse_rounded(found, wanted)
    off = next(n for n in range(3) if not np.allclose(found[n], wanted[n], rtol=0, atol=1e-7))
    entries = np.abs(found[off] - wanted[off]) > 1e-7
    got, right = apart(found[off][entries][0], wanted[off][entries][0])
    raise Wrong("entry", place=place_of(entries), t=f"{given[off][2]:g}", got=got, wanted=right)
