"""Exercise *axes of an unknown function*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def probe(add, m=3, n=4, tol=1e-09, x=None):
    x = np.zeros((m, n, 16)) if x is None else x
    d = add(x) - x
    out = []
    if np.abs(d - d[:1]).max() > tol:
        out.append(0)
    if np.abs(d - d[:, :1]).max() > tol:
        out.append(1)
    return out


def word(add):
    w = np.random.RandomState(0).randn(16)
    r = add(np.tile(w, (3, 5, 1)))
    return [a for a in (0, 1) if not np.allclose(r, np.take(r, [0], axis=a))]


def ptp(add):
    r = add(np.zeros((2, 6, 16)))
    return [a for a in range(2) if np.ptp(r, axis=a).max() > 1e-06]


def two(add):
    r = add(np.ones((2, 2, 16)))
    o = []
    if not np.allclose(r[0, 0], r[1, 0]):
        o.append(0)
    if not np.allclose(r[0, 0], r[0, 1]):
        o.append(1)
    return o


RIGHT = {
    "probe": probe,
    "word": word,
    "ptp": ptp,
    "two": two,
    "set": lambda a: set(probe(a)),
    "tuple": lambda a: tuple(probe(a)),
    "array": lambda a: np.array(probe(a), int),
    "rev": lambda a: probe(a)[::-1],
    "norm of words": lambda a: [
        i
        for i in (0, 1)
        if np.ptp(
            np.linalg.norm(a(np.tile(np.random.RandomState(0).randn(16), (3, 4, 1))), axis=-1),
            axis=i,
        ).max()
        > 1e-06
    ],
}
WRONG = {
    "random rows": (
        "always_same",
        lambda a: [
            i
            for i in (0, 1)
            if np.ptp(a(np.random.RandomState(0).randn(3, 4, 16)), axis=i).max() > 1e-09
        ],
    ),
    "exact": (
        "too_tight",
        lambda a: [
            i
            for i in (0, 1)
            if np.ptp(a(np.tile(np.random.RandomState(0).randn(16), (3, 4, 1))), axis=i).max() > 0
        ],
    ),
    "swapped": ("swapped", lambda a: [1 - i for i in probe(a)]),
    "always 1": ("always_same", lambda a: a(np.zeros((2, 3, 16))) is None or [1]),
    "const": ("never_calls", lambda a: [1]),
    "only 0 or 1": ("misjudged", lambda a: probe(a)[:1]),
    "first one": ("either_or", lambda a: [probe(a)[0]] if probe(a) else [1]),
    "bools": ("not_axes", lambda a: [0 in probe(a), 1 in probe(a)]),
    "int": ("not_axes", lambda a: probe(a)[0] if len(probe(a)) == 1 else probe(a)),
    "none for empty": ("returned_nothing", lambda a: probe(a) or None),
    "string": ("not_axes", lambda a: "batch"),
    "threshold .1": ("misjudged", lambda a: probe(a, tol=0.1)),
    "threshold .5": ("misjudged", lambda a: probe(a, tol=0.5)),
    "square shape": ("one_sentence", lambda a: probe(a, 1, 1)),
    "m=1": ("one_sentence", lambda a: probe(a, 1, 5)),
    "n=1": ("one_sentence", lambda a: probe(a, 5, 1)),
    "two axes": ("not_three_axes", lambda a: a(np.zeros((3, 16)))),
    "neg axes": ("not_axes", lambda a: [i - 3 for i in probe(a)]),
    "all three": (
        "not_axes",
        lambda a: [i for i in range(3) if np.ptp(a(np.zeros((3, 4, 16))), axis=i).max() > 1e-09],
    ),
    "norms": (
        "misjudged",
        lambda a: [
            i
            for i in (0, 1)
            if np.ptp(np.linalg.norm(a(np.zeros((3, 4, 16))), axis=-1), axis=i).max() > 1e-09
        ],
    ),
    "sums": (
        "misjudged",
        lambda a: [
            i for i in (0, 1) if np.ptp(a(np.zeros((3, 4, 16))).sum(-1), axis=i).max() > 1e-09
        ],
    ),
    "col 0": (
        "misjudged",
        lambda a: [
            i for i in (0, 1) if np.ptp(a(np.zeros((3, 4, 16)))[..., 0], axis=i).max() > 1e-09
        ],
    ),
    "col 1": (
        "misjudged",
        lambda a: [
            i for i in (0, 1) if np.ptp(a(np.zeros((3, 4, 16)))[..., 1], axis=i).max() > 1e-09
        ],
    ),
    "complement": ("alike", lambda a: [i for i in (0, 1) if i not in probe(a)]),
    "cmp to pe": (
        "misjudged",
        lambda a: (
            [1]
            if np.allclose(
                a(np.zeros((3, 4, 16)))[0],
                __import__("course_utils").encoding.sinusoidal_positional_encoding(4, 16),
            )
            else [0]
        ),
    ),
    "first vs last": (
        "misjudged",
        lambda a: (
            lambda r: [
                i
                for i, (p, q) in enumerate([((0, 0), (-1, 0)), ((0, 0), (0, -1))])
                if not np.allclose(r[p], r[q])
            ]
        )(a(np.zeros((3, 4, 16)))),
    ),
    "mean": (
        "misjudged",
        lambda a: [
            i
            for i in (0, 1)
            if np.ptp(a(np.zeros((3, 4, 16))).mean(axis=1 - i), axis=0).max() > 1e-09
        ],
    ),
    "changed at all": (
        "misjudged",
        lambda a: [1] if np.abs(a(np.zeros((3, 4, 16)))).max() > 0 else [],
    ),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_position_axes(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_position_axes(answer), cause)
