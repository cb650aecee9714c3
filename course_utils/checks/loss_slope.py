"""Exercise 5.5: the gradient of softmax and cross-entropy, with a temperature."""

import itertools
from collections.abc import Callable

import numpy as np

from course_utils.attention import softmax
from course_utils.checks.feedback import Wrong, ask, exercise, first_off, judge, read_array, ways

# what an answer may be made of, step by step: each begins with the right one
_GUESSES = (
    ("", lambda z, t: softmax(z / t)),
    ("temperature", lambda z, t: softmax(z)),
    ("multiplied", lambda z, t: softmax(z * t)),
    ("axis", lambda z, t: softmax(z / t, axis=0)),
)
_DIFFERENCES = (
    ("", lambda p, wanted: p - wanted),
    ("sign", lambda p, wanted: wanted - p),
    ("target_lost", lambda p, wanted: p),
    ("diagonal_only", lambda p, wanted: (p - wanted) * wanted),
    ("every_row", lambda p, wanted: p - wanted.max(axis=0)),
    ("one_place_late", lambda p, wanted: p - np.vstack([0 * wanted[:1], wanted[:-1]])),
    ("first_lost", lambda p, wanted: (p - wanted) * (np.arange(len(p)) > 0)[:, None]),
    ("no_logarithm", lambda p, wanted: (p * wanted).sum(axis=1, keepdims=True) * (p - wanted)),
    ("no_softmax", lambda p, wanted: -wanted / p),
)
_MEANS = ("", len), ("mean", lambda z: 1), ("mean_over_all", np.size)
_MEANS += ("one_fewer", lambda z: len(z) - 1), ("mean_over_words", lambda z: z.shape[1])
_FACTORS = ("", float), ("factor", np.ones_like), ("inverse", np.reciprocal), ("squared", np.square)
_STEPS = _GUESSES, _DIFFERENCES, _MEANS, _FACTORS


def _slope(guess: Callable, differ: Callable, count: Callable, factor: Callable) -> Callable:
    return lambda z, y, t: differ(guess(z, t), np.eye(z.shape[1])[y]) / (count(z) * factor(t))


@exercise("logits", "target", "temperature", causes=itertools.chain(*_STEPS))
def check_loss_slope(candidate: Callable[..., np.ndarray]) -> None:
    """Check a learner's gradient of the mean cross-entropy of ``softmax(logits / temperature)``.

    Takes ``(logits, target, temperature)``, of shapes (n, words) and (n,), and a number; returns
    the gradient by the logits.

    >>> check_loss_slope(lambda z, y, t: (softmax(z / t) - np.eye(z.shape[1])[y]) / len(z)).cause
    'factor'
    """
    rng = np.random.RandomState(5)
    given = [
        (rng.randn(n, words), rng.randint(words, size=n), t)
        for n, words, t in [(4, 3, 2.0), (3, 5, 0.5), (1, 4, 3.0)]
    ]
    # one place less one is 0: what is divided by that is judged as it is
    found = [read_array(ask(candidate, *each), each[0].shape, finite=False) for each in given]
    answers = [*ways(_slope, *_STEPS)]
    if judge(answers, found, given, atol=1e-7):
        logits, *rest = given[1]
        if not np.isfinite(read_array(ask(candidate, logits + 380, *rest), finite=False)).all():
            raise Wrong("overflow")
        return
    found = [*map(read_array, found)]
    trial, place, got, wanted = first_off(answers[0][1], found, given, atol=1e-7)
    raise Wrong("entry", place=place, t=f"{given[trial][2]:g}", got=got, wanted=wanted)
