"""Exercise *a test that can fail*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import attention, checks, compare
from course_utils.compare import order_gap
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def swap(x):
    return [1, 0, *range(2, len(x))]


def gap(a, x, o):
    return np.linalg.norm(a(x[o]) - a(x)[np.ix_(o, o)])


def comp(f, tol=1e-09):
    return lambda a, x: bool(
        np.max(np.abs(np.asarray(f(a(x))) - np.asarray(f(a(x[swap(x)]))))) > tol
    )


RIGHT = {
    "random orders": lambda a, x: any(
        gap(a, x, np.random.RandomState(s).permutation(len(x))) > 1e-08 for s in range(6)
    ),
    "all swaps": lambda a, x: (
        max(gap(a, x, [*range(i), i + 1, i, *range(i + 2, len(x))]) for i in range(len(x) - 1))
        > 1e-09
    ),
    "swap and roll": lambda a, x: (
        max(gap(a, x, swap(x)), gap(a, x, np.roll(np.arange(len(x)), 1))) > 1e-05
    ),
    "not allclose": lambda a, x: any(
        not np.allclose(a(x[o]), a(x)[np.ix_(o, o)])
        for o in (np.random.RandomState(s).permutation(len(x)) for s in range(6))
    ),
}
WRONG = {
    "gap swap": ("missed", lambda a, x: gap(a, x, swap(x)) > 1e-09),
    "order_gap": ("missed", lambda a, x: order_gap(a, x, swap(x)) > 1e-06),
    "roll": ("missed", lambda a, x: gap(a, x, np.roll(np.arange(len(x)), 1)) > 1e-09),
    "first and last": (
        "missed",
        lambda a, x: gap(a, x, [len(x) - 1, *range(1, len(x) - 1), 0]) > 1e-09,
    ),
    "not allclose": (
        "missed",
        lambda a, x: not np.allclose(a(x[swap(x)]), a(x)[swap(x)][:, swap(x)], atol=1e-10),
    ),
    "roll both": (
        "missed",
        lambda a, x: bool(np.abs(a(np.roll(x, 1, 0)) - np.roll(a(x), 1, (0, 1))).max() > 1e-09),
    ),
    "threshold 1e-3": ("missed", lambda a, x: gap(a, x, swap(x)) > 0.001),
    "norms": ("missed", comp(np.linalg.norm)),
    "sorted entries": ("missed", comp(lambda w: np.sort(w.ravel()))),
    "diag mean": ("missed", comp(lambda w: np.diag(w).mean())),
    "trace": ("missed", comp(np.trace)),
    "zeros constant": ("self_hidden", lambda a, x: bool(np.ptp(a(np.zeros_like(x))) > 1e-09)),
    "zeros norm": ("self_hidden", lambda a, x: not np.allclose(a(0 * x), 1 / len(x))),
    "ones": ("self_hidden", lambda a, x: not np.allclose(a(np.ones_like(x)), 1 / len(x))),
    "singular values": ("missed", comp(lambda w: np.linalg.svd(w, compute_uv=False))),
    "eigenvalues": ("missed", comp(lambda w: np.sort(np.abs(np.linalg.eigvals(w))))),
    "column sums sorted": ("missed", comp(lambda w: np.sort(w.sum(0)))),
    "max": ("missed", comp(np.max)),
    "mean": ("always_false", comp(np.mean)),
    "det": ("missed", comp(np.linalg.det, 1e-12)),
    "entropy": ("missed", comp(lambda w: -(w * np.log(w + 1e-300)).sum())),
    "sorted rows": ("missed", comp(lambda w: np.sort(np.sort(w, axis=1), axis=0))),
    "argmax multiset": ("none", comp(lambda w: np.sort(w.argmax(1)))),
    "frobenius no permute": (
        "always_true",
        lambda a, x: bool(np.linalg.norm(a(x) - a(x[swap(x)])) > 1e-09),
    ),
    "rows only": (
        "always_true",
        lambda a, x: bool(np.linalg.norm(a(x)[swap(x)] - a(x[swap(x)])) > 1e-09),
    ),
    "threshold .1": ("missed", lambda a, x: gap(a, x, swap(x)) > 0.1),
    "threshold .01": ("missed", lambda a, x: gap(a, x, swap(x)) > 0.01),
    "no tolerance": ("too_tight", lambda a, x: gap(a, x, swap(x)) > 0),
    "array_equal": (
        "too_tight",
        lambda a, x: not np.array_equal(a(x[swap(x)]), a(x)[np.ix_(swap(x), swap(x))]),
    ),
    "reverse": ("missed", lambda a, x: gap(a, x, list(range(len(x)))[::-1]) > 1e-09),
    "vs softmax": (
        "placebo",
        lambda a, x: bool(np.linalg.norm(a(x) - attention.attention_weights(x, x)) > 1e-09),
    ),
    "asym": ("one_order", lambda a, x: not np.allclose(a(x), a(x).T)),
    "deterministic": ("one_order", lambda a, x: not np.allclose(a(x), a(x))),
    "True": ("never_calls", lambda a, x: True),
    "False calls": ("one_order", lambda a, x: bool(a(x) is None)),
    "repeated word first two": (
        "one_order",
        lambda a, x: bool(np.abs(a(x)[0] - a(x)[1]).max() > 1e-09),
    ),
    "meter repeated no repeat": (
        "one_order",
        lambda a, x: compare.repeated_word_gap(a(x), 0, 1) > 1e-09,
    ),
    "repeated adjacent row": (
        "self_hidden",
        lambda a, x: bool(
            np.linalg.norm((lambda w: w[0] - w[1])(a(np.vstack([x[:1], x[:1], x[2:]])))) > 1e-09
        ),
    ),
    "repeated columns": (
        "self_hidden",
        lambda a, x: bool(
            np.abs((lambda w: w[:, 0] - w[:, 1])(a(np.vstack([x[:1], x[:1], x[2:]])))).max() > 1e-09
        ),
    ),
    "one word rows differ": (
        "self_hidden",
        lambda a, x: bool(np.ptp(a(np.tile(x[0], (len(x), 1))), axis=0).max() > 1e-09),
    ),
    "one word cols differ": (
        "self_hidden",
        lambda a, x: bool(np.ptp(a(np.tile(x[0], (len(x), 1))), axis=1).max() > 1e-09),
    ),
    "last row only": (
        "missed",
        lambda a, x: bool(np.abs(a(x)[-1] - a(x[swap(x)])[-1][swap(x)]).max() > 1e-09),
    ),
    "inverse": ("inverted", lambda a, x: gap(a, x, swap(x)) < 1e-09),
    "shuffle dims": ("placebo", lambda a, x: bool(np.abs(a(x[:, ::-1]) - a(x)).max() > 1e-09)),
    "drop token": ("tokens", lambda a, x: bool(np.abs(a(x[1:]) - a(x)[1:, 1:]).max() > 1e-09)),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_sees_order(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_sees_order(answer), cause)
