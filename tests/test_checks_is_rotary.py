"""Exercise *rotary or added, from outside*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def lg(a, x):
    return np.log(a(x))


def tile(x):
    return np.tile(x[0], (len(x), 1))


def rowdiff(a, x):
    s = lg(a, tile(x))
    d = s[:-1, 1:].diagonal() - s.diagonal()[:-1]
    return np.ptp(d) < 1e-06


def toep(a, x):
    w = a(tile(x))
    r = w / np.diag(w)[:, None]
    return all(np.ptp(np.diagonal(r, k)) < 1e-08 for k in range(-len(x) + 1, len(x)))


RIGHT = {
    "zeros": lambda a, x: np.allclose(a(0 * x), 1 / len(x), atol=1e-06),
    "zeros ptp": lambda a, x: np.ptp(a(np.zeros_like(x))) < 1e-06,
    "rowdiff": rowdiff,
    "toep": toep,
    "rows": lambda a, x: np.ptp(a(np.zeros(x.shape)), axis=1).max() < 1e-09,
    "small": lambda a, x: np.allclose(a(1e-09 * x), 1 / len(x), atol=1e-05),
    "scale invariance": lambda a, x: (
        np.allclose(a(0 * x)[0], a(0 * x)[-1]) and np.allclose(a(0 * x)[0, 0], a(0 * x)[0, 1])
    ),
    "even": lambda a, x: np.allclose(a(x), a(-x)),
    "first col": lambda a, x: np.ptp(a(0 * x)[:, 0]) < 1e-06,
    "first row": lambda a, x: np.ptp(a(0 * x)[0]) < 1e-06,
    "last row": lambda a, x: np.ptp(a(0 * x)[-1]) < 1e-06,
    "longer": lambda a, x: np.allclose(a(np.zeros((20, x.shape[1]))), 0.05),
    "col sums": lambda a, x: np.allclose(a(0 * x).sum(0), 1, atol=1e-06),
}
WRONG = {
    "True": ("never_calls", lambda a, x: True),
    "False": ("never_calls", lambda a, x: False),
    "calls True": ("always_true", lambda a, x: a(x) is not None),
    "calls False": ("always_false", lambda a, x: a(x) is None),
    "invert": ("inverted", lambda a, x: np.ptp(a(0 * x)) > 1e-06),
    "order": ("always_true", lambda a, x: not np.allclose(a(x[::-1]), a(x)[::-1, ::-1])),
    "diag largest": (
        "always_false",
        lambda a, x: bool((a(x).argmax(1) == np.arange(len(x))).all()),
    ),
    "sym": ("always_false", lambda a, x: np.allclose(a(x), a(x).T)),
    "rows equal": ("always_false", lambda a, x: np.allclose(a(tile(x))[0], a(tile(x))[1])),
    "toeplitz raw": (
        "always_false",
        lambda a, x: (
            lambda w: all(np.ptp(np.diagonal(w, k)) < 1e-06 for k in range(-len(w) + 1, len(w)))
        )(a(tile(x))),
    ),
    "ones": ("always_false", lambda a, x: np.allclose(a(np.ones_like(x)), 1 / len(x))),
    "random thr": ("missed_rope", lambda a, x: np.std(a(x)) > 0.1),
    "loose": ("wide_margin", lambda a, x: np.ptp(a(0 * x)) < 0.5),
    "loose .1": ("wide_margin", lambda a, x: np.ptp(a(0 * x)) < 0.1),
    "exact eq": ("too_tight", lambda a, x: bool((a(0 * x) == 1 / len(x)).all())),
    "exact rows": ("too_tight", lambda a, x: bool((a(0 * x) == a(0 * x)[0, 0]).all())),
    "eps eq": ("too_tight", lambda a, x: np.ptp(a(0 * x)) == 0),
    "norm": ("always_true", lambda a, x: np.linalg.norm(a(x)) > 1),
    "mean": ("always_true", lambda a, x: abs(a(0 * x).mean() - 1 / len(x)) < 1e-09),
    "row sums": ("always_true", lambda a, x: np.allclose(a(x).sum(1), 1)),
    "shift roll": (
        "always_false",
        lambda a, x: np.allclose(a(np.roll(x, 1, 0))[1:, 1:], a(x)[:-1, :-1]),
    ),
    "swap": (
        "always_false",
        lambda a, x: np.allclose(a(x[[1, 0, *range(2, len(x))]])[2:, 2:], a(x)[2:, 2:]),
    ),
    "same word rows differ": ("always_true", lambda a, x: np.ptp(a(tile(x)), axis=0).max() > 1e-06),
    "shape": ("tokens", lambda a, x: a(x[0])),
    "assert": ("raises_instead", lambda a, x: not np.testing.assert_allclose(a(0 * x), 1 / len(x))),
    "big": ("always_true", lambda a, x: a(100 * x).max() > 0.99),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_is_rotary(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_is_rotary(answer), cause)
