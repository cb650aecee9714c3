"""Exercise *word and position of a noisy sum*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def sums(w, p):
    return w[:, None] + p


def dist(t, w, p):
    return ((sums(w, p) - t) ** 2).sum(-1)


def un(i, shape):
    return tuple(int(v) for v in np.unravel_index(i, shape))


def loops(t, w, p):
    best = None
    for i in range(len(w)):
        for j in range(len(p)):
            d = np.linalg.norm(t - w[i] - p[j])
            if best is None or d < best[0]:
                best = (d, i, j)
    return (best[1], best[2])


def expand(t, w, p):
    g = (w**2).sum(1)[:, None] + 2 * w @ p.T + (p**2).sum(1) - 2 * ((w @ t)[:, None] + p @ t)
    return un(g.argmin(), g.shape)


def alt(t, w, p):
    i = ((w - t) ** 2).sum(1).argmin()
    for _ in range(20):
        j = ((t - w[i] - p) ** 2).sum(1).argmin()
        i = ((t - p[j] - w) ** 2).sum(1).argmin()
    return (int(i), int(j))


RIGHT = {
    "dist": lambda t, w, p: un(dist(t, w, p).argmin(), (len(w), len(p))),
    "loops": loops,
    "expand": expand,
    "abs": lambda t, w, p: un(np.abs(sums(w, p) - t).sum(-1).argmin(), (len(w), len(p))),
    "max": lambda t, w, p: un(np.abs(sums(w, p) - t).max(-1).argmin(), (len(w), len(p))),
    "divmod": lambda t, w, p: divmod(int(dist(t, w, p).argmin()), len(p)),
    "pos first": lambda t, w, p: un(dist(t, w, p).T.argmin(), (len(p), len(w)))[::-1],
    "per pos": lambda t, w, p: (
        lambda d: (int(d[:, d.min(0).argmin()].argmin()), int(d.min(0).argmin()))
    )(dist(t, w, p)),
    "list": lambda t, w, p: list(loops(t, w, p)),
    "close": lambda t, w, p: un(
        (np.linalg.norm(sums(w, p) - t, axis=-1) / np.sqrt(len(t))).argmin(), (len(w), len(p))
    ),
}
WRONG = {
    "signed sum": (
        "not_squared",
        lambda t, w, p: un((sums(w, p) - t).sum(-1).argmin(), (len(w), len(p))),
    ),
    "abs of signed sum": (
        "not_squared",
        lambda t, w, p: un(np.abs((sums(w, p) - t).sum(-1)).argmin(), (len(w), len(p))),
    ),
    "col 0": (
        "some_columns",
        lambda t, w, p: un(np.abs(sums(w, p) - t)[..., 0].argmin(), (len(w), len(p))),
    ),
    "cols 0 1": (
        "some_columns",
        lambda t, w, p: un(np.abs(sums(w, p) - t)[..., :2].sum(-1).argmin(), (len(w), len(p))),
    ),
    "exact": (
        "exact",
        lambda t, w, p: tuple(int(v) for v in np.argwhere((sums(w, p) == t).all(-1))[0]),
    ),
    "exact loop": (
        "exact",
        lambda t, w, p: next(
            (
                (i, j)
                for i in range(len(w))
                for j in range(len(p))
                if np.array_equal(w[i] + p[j], t)
            ),
            None,
        ),
    ),
    "allclose loop": (
        "exact",
        lambda t, w, p: next(
            ((i, j) for i in range(len(w)) for j in range(len(p)) if np.allclose(w[i] + p[j], t)),
            None,
        ),
    ),
    "allclose 1e-2 ": (
        "wrong_pair",
        lambda t, w, p: next(
            (
                (i, j)
                for i in range(len(w))
                for j in range(len(p))
                if np.allclose(w[i] + p[j], t, atol=0.5)
            ),
            (0, 0),
        ),
    ),
    "argwhere": ("exact", lambda t, w, p: np.argwhere((sums(w, p) == t).all(-1))),
    "norms": (
        "wrong_pair",
        lambda t, w, p: un(
            np.abs((sums(w, p) ** 2).sum(-1) - (t**2).sum()).argmin(), (len(w), len(p))
        ),
    ),
    "dot": ("dot_product", lambda t, w, p: un((sums(w, p) @ t).argmax(), (len(w), len(p)))),
    "cosine": (
        "directions",
        lambda t, w, p: un(
            (sums(w, p) @ t / np.linalg.norm(sums(w, p), axis=-1)).argmax(), (len(w), len(p))
        ),
    ),
    "separately": (
        "separately",
        lambda t, w, p: (int(((w - t) ** 2).sum(1).argmin()), int(((p - t) ** 2).sum(1).argmin())),
    ),
    "sep dot": ("dot_product", lambda t, w, p: (int((w @ t).argmax()), int((p @ t).argmax()))),
    "word first": (
        "one_by_one",
        lambda t, w, p: (lambda i: (int(i), int(((t - w[i] - p) ** 2).sum(1).argmin())))(
            ((w - t) ** 2).sum(1).argmin()
        ),
    ),
    "pos first": (
        "one_by_one",
        lambda t, w, p: (lambda j: (int(((t - p[j] - w) ** 2).sum(1).argmin()), int(j)))(
            ((p - t) ** 2).sum(1).argmin()
        ),
    ),
    "alternate": ("wrong_pair", lambda t, w, p: alt(t, w, p)),
    "argmax": ("farthest", lambda t, w, p: un(dist(t, w, p).argmax(), (len(w), len(p)))),
    "swapped": ("swapped", lambda t, w, p: loops(t, w, p)[::-1]),
    "flat": ("one_number", lambda t, w, p: int(dist(t, w, p).argmin())),
    "divmod words": ("other_divisor", lambda t, w, p: divmod(int(dist(t, w, p).argmin()), len(w))),
    "vectors": ("vectors", lambda t, w, p: (w[loops(t, w, p)[0]], p[loops(t, w, p)[1]])),
    "sum vector": ("vectors", lambda t, w, p: w[loops(t, w, p)[0]] + p[loops(t, w, p)[1]]),
    "no newaxis": (
        "sums_do_not_fit",
        lambda t, w, p: un(((w + p - t) ** 2).sum(-1).argmin(), (len(w), len(p))),
    ),
    "zip": (
        "wrong_pair",
        lambda t, w, p: min(
            ((np.linalg.norm(a + b - t), i, i) for i, (a, b) in enumerate(zip(w, p, strict=False)))
        )[1:],
    ),
    "shape swapped": (
        "other_divisor",
        lambda t, w, p: un(dist(t, w, p).argmin(), (len(p), len(w))),
    ),
    "no minimum over axis": (
        "not_indices",
        lambda t, w, p: (dist(t, w, p).argmin(0), dist(t, w, p).argmin(1)),
    ),
    "axis 0": (
        "raised",
        lambda t, w, p: un(((sums(w, p) - t) ** 2).sum(0).argmin(), (len(w), len(p))),
    ),
    "distances": ("vectors", lambda t, w, p: dist(t, w, p)),
    "min": ("one_number", lambda t, w, p: dist(t, w, p).min()),
    "zero": ("wrong_pair", lambda t, w, p: (0, 0)),
    "floats": (
        "not_indices",
        lambda t, w, p: (
            tuple(float(v) for v in loops(t, w, p))
            and tuple(float(v) + 0.5 for v in loops(t, w, p))
        ),
    ),
    "plus one": ("no_such_pair", lambda t, w, p: tuple(v + 1 for v in loops(t, w, p))),
    "lstsq": (
        "wrong_pair",
        lambda t, w, p: (
            int(np.abs(np.linalg.lstsq(w.T, t, rcond=None)[0]).argmax()),
            int(np.abs(np.linalg.lstsq(p.T, t, rcond=None)[0]).argmax()),
        ),
    ),
    # right for some numbers of words and positions only
    "skips word 0": (
        "wrong_pair",
        lambda t, w, p: (lambda i, j: (i + 1, j))(
            *un(dist(t, w[1:], p).argmin(), (len(w) - 1, len(p)))
        ),
    ),
    "30 words": (
        "wrong_pair",
        lambda t, w, p: un(dist(t, w[:30], p).argmin(), (min(len(w), 30), len(p))),
    ),
    "20 positions": (
        "only_word",
        lambda t, w, p: un(dist(t, w, p[:20]).argmin(), (len(w), min(len(p), 20))),
    ),
    "divisor 20": ("no_such_pair", lambda t, w, p: divmod(int(dist(t, w, p).argmin()), 20)),
    "norm of the rest": (
        "wrong_pair",
        lambda t, w, p: (lambda i: (int(i), int(dist(t, w[[i]], p).argmin())))(
            np.abs(np.linalg.norm(t - w, axis=1) - np.sqrt(len(t) / 2)).argmin()
        ),
    ),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_read_pair(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_read_pair(answer), cause)
