"""Exercise *order gap of a layer for a batch*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from course_utils.encoding import sinusoidal_positional_encoding as P
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def d(f, x, o):
    o = np.asarray(o)
    return f(x[:, o]) - f(x)[:, o]


def N(a):
    return np.sqrt((a**2).sum((1, 2)))


RIGHT = {
    "N": lambda f, x, o: N(d(f, x, o)),
    "linalg": lambda f, x, o: np.linalg.norm(d(f, x, o), axis=(1, 2)),
    "loop": lambda f, x, o: [np.linalg.norm(m) for m in d(f, x, o)],
    "take": lambda f, x, o: np.linalg.norm(
        f(np.take(x, o, axis=1)) - np.take(f(x), o, axis=1), axis=(1, 2)
    ),
    "back": lambda f, x, o: N(f(x[:, o])[:, np.argsort(o)] - f(x)),
    "reshape": lambda f, x, o: np.linalg.norm(d(f, x, o).reshape(len(x), -1), axis=1),
    "P": lambda f, x, o: N(f(np.eye(len(o))[o] @ x) - np.eye(len(o))[o] @ f(x)),
    "f32": lambda f, x, o: N(d(f, x, o)).astype(np.float32),
    "sentence by sentence 3d": lambda f, x, o: [
        np.linalg.norm(f(s[None, o]) - f(s[None])[:, o]) for s in x
    ],
}
WRONG = {
    "one norm": ("one_for_all", lambda f, x, o: np.linalg.norm(d(f, x, o))),
    "mean of norms": ("one_for_all", lambda f, x, o: N(d(f, x, o)).mean()),
    "per token": ("one_a_token", lambda f, x, o: np.linalg.norm(d(f, x, o), axis=-1)),
    "axis 1": ("shape", lambda f, x, o: np.linalg.norm(d(f, x, o), axis=1)),
    "matrix": ("outputs", lambda f, x, o: d(f, x, o)),
    "batch permuted": ("batch_permuted", lambda f, x, o: N(f(x[o]) - f(x)[o])),
    "not permuted": ("not_permuted", lambda f, x, o: N(f(x[:, o]) - f(x))),
    "both cols": ("columns_permuted", lambda f, x, o: N(f(x[:, o]) - f(x)[:, o][:, :, o])),
    "inverse": ("inverse", lambda f, x, o: N(f(x[:, o]) - f(x)[:, np.argsort(o)])),
    "squared": ("squared", lambda f, x, o: (d(f, x, o) ** 2).sum((1, 2))),
    "rms": ("mean", lambda f, x, o: np.sqrt((d(f, x, o) ** 2).mean((1, 2)))),
    "max": ("largest", lambda f, x, o: np.abs(d(f, x, o)).max((1, 2))),
    "abs sum": ("absolute", lambda f, x, o: np.abs(d(f, x, o)).sum((1, 2))),
    "sum": ("plain_sum", lambda f, x, o: d(f, x, o).sum((1, 2))),
    "spectral": ("spectral", lambda f, x, o: np.array([np.linalg.norm(m, 2) for m in d(f, x, o)])),
    "nuclear": ("value", lambda f, x, o: np.array([np.linalg.norm(m, "nuc") for m in d(f, x, o)])),
    "half": ("value", lambda f, x, o: N(d(f, x, o)) / 2),
    "rounded": ("rounded", lambda f, x, o: N(d(f, x, o)).round(4)),
    "diff of norms": ("norms_first", lambda f, x, o: np.abs(N(f(x[:, o])) - N(f(x)[:, o]))),
    "norm diff 2": ("norms_first", lambda f, x, o: N(f(x[:, o])) - N(f(x))),
    "own attention": ("never_calls", lambda f, x, o: N(d(lambda t: t, x, o))),
    "zeros": ("never_calls", lambda f, x, o: np.zeros(len(x))),
    "adds pe": ("adds_encoding", lambda f, x, o: N(d(f, x + P(*x.shape[1:]), o))),
    "adds pe after": (
        "adds_encoding",
        lambda f, x, o: N(f(x[:, o] + P(*x.shape[1:])) - f(x + P(*x.shape[1:]))[:, o]),
    ),
    "reversed": ("order_ignored", lambda f, x, o: N(d(f, x, list(range(x.shape[1]))[::-1]))),
    "swap only": ("order_ignored", lambda f, x, o: N(d(f, x, [1, 0, *range(2, x.shape[1])]))),
    "sentence by sentence 2d": (
        "tokens",
        lambda f, x, o: [np.linalg.norm(f(s[o]) - f(s)[o]) for s in x],
    ),
    "random order": (
        "value",
        lambda f, x, o: N(d(f, x, np.random.default_rng().permutation(x.shape[1]))),
    ),
    "inputs": ("never_calls", lambda f, x, o: N(x[:, o] - x)),
    "outputs vs inputs": (
        "value",
        lambda f, x, o: N(f(x[:, o]) - f(x)[:, o] + 0 * 0) + N(f(x)) * 0 + 0.001,
    ),
    "bool": ("truths", lambda f, x, o: N(d(f, x, o)) > 1e-09),
    "list shape (b,1)": ("shape", lambda f, x, o: N(d(f, x, o))[:, None]),
    "sorted": ("value", lambda f, x, o: np.sort(N(d(f, x, o)))),
    "relative": ("relative", lambda f, x, o: N(d(f, x, o)) / N(f(x))),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_output_gaps(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_output_gaps(answer), cause)
