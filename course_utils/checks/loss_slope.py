"""Exercise 5.5: the gradient of softmax and cross-entropy, with a temperature."""

import itertools
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
    explains,
    place_of,
    read_array,
    refuse_rounded,
    require_function,
    several,
)

__all__ = ["check_loss_slope"]


def _right(z: np.ndarray, y: np.ndarray, t: float) -> np.ndarray:
    return (softmax(z / t) - np.eye(z.shape[1])[y]) / (len(z) * t)


# what an answer may be made of, step by step: each begins with the right one
_WRONG_GUESSES: tuple[tuple[str, Callable[[np.ndarray, float], np.ndarray]], ...] = (
    ("", lambda z, t: softmax(z / t)),
    ("temperature", lambda z, t: softmax(z)),
    ("multiplied", lambda z, t: softmax(z * t)),
    ("axis", lambda z, t: softmax(z / t, axis=0)),
)
_WRONG_DIFFERENCES: tuple[tuple[str, Callable[[np.ndarray, np.ndarray], np.ndarray]], ...] = (
    ("", lambda p, wanted: p - wanted),
    ("sign", lambda p, wanted: wanted - p),
    ("target_lost", lambda p, wanted: p),
    ("diagonal_only", lambda p, wanted: (p - wanted) * wanted),
)
_WRONG_MEANS: tuple[tuple[str, Callable[[np.ndarray], float]], ...] = (
    ("", len),
    ("mean", lambda z: 1),
    ("mean_over_all", np.size),
)
_WRONG_FACTORS: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("", lambda t: t),
    ("factor", lambda t: 1),
    ("inverse", lambda t: 1 / t),
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
    if explains(_right, found, given, atol=1e-7):
        return
    _name_steps(found, given)
    wanted = [_right(*each) for each in given]
    refuse_rounded(found, wanted)
    off = next(n for n in range(3) if not np.allclose(found[n], wanted[n], rtol=0, atol=1e-7))
    entries = np.abs(found[off] - wanted[off]) > 1e-7
    got, right = apart(found[off][entries][0], wanted[off][entries][0])
    raise Wrong("entry", place=place_of(entries), t=f"{given[off][2]:g}", got=got, wanted=right)


def _name_steps(found: list[np.ndarray], given: list[tuple[np.ndarray, np.ndarray, float]]) -> None:
    tables = _WRONG_GUESSES, _WRONG_DIFFERENCES, _WRONG_MEANS, _WRONG_FACTORS
    ways = sorted(itertools.product(*tables), key=lambda way: sum(bool(name) for name, _ in way))
    for way in ways:
        names, (guess, differ, count, factor) = zip(*way, strict=True)

        def build(z, y, t, guess=guess, differ=differ, count=count, factor=factor):
            return differ(guess(z, t), np.eye(z.shape[1])[y]) / (count(z) * factor(t))

        if explains(build, found, given, atol=1e-7):
            raise several("loss_slope", [name for name in names if name])
