"""Exercise *gradient with a temperature*: answers from the text of the exercise alone."""

import itertools

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def soft(z, axis=-1):
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def g(z, y, t):
    p = soft(z / t)
    p[np.arange(len(y)), y] -= 1
    return p / len(y) / t


def num(z, y, t):
    def L(z):
        return -np.log(soft(z / t)[np.arange(len(y)), y]).mean()

    out = np.zeros_like(z)
    for i in np.ndindex(z.shape):
        a = z.copy()
        a[i] += 1e-05
        b = z.copy()
        b[i] -= 1e-05
        out[i] = (L(a) - L(b)) / 2e-05
    return out


def loops(z, y, t):
    out = np.zeros(z.shape)
    for i in range(len(z)):
        p = soft(z[i] / t)
        for j in range(z.shape[1]):
            out[i, j] = (p[j] - (j == y[i])) / (t * len(z))
    return out


def num2(z, y, t):
    def L(z):
        return -np.log(soft(z / t)[np.arange(len(y)), y]).mean()

    out = np.zeros_like(z)
    for i in np.ndindex(z.shape):
        a = z.copy()
        a[i] += 0.01
        out[i] = (L(a) - L(z)) / 0.01
    return out


RIGHT = {
    "g": g,
    "num": num,
    "loops": loops,
    "eye": lambda z, y, t: (soft(z / t) - np.eye(z.shape[1])[y]) / (len(z) * t),
    "list": lambda z, y, t: g(z, y, t).tolist(),
    "f32": lambda z, y, t: g(z, y, t).astype("f4"),
    "jac": lambda z, y, t: np.stack(
        [
            (np.diag(p) - np.outer(p, p)) @ (-np.eye(len(p))[k] / p[k]) / t / len(z)
            for p, k in zip(soft(z / t), y, strict=False)
        ]
    ),
    "where": lambda z, y, t: (soft(z / t) - (np.arange(z.shape[1]) == y[:, None])) / t / len(y),
}
WRONG = {
    "no t": ("factor", lambda z, y, t: (soft(z / t) - np.eye(z.shape[1])[y]) / len(z)),
    "no mean": ("mean", lambda z, y, t: g(z, y, t) * len(z)),
    "neither": ("mean+factor", lambda z, y, t: soft(z / t) - np.eye(z.shape[1])[y]),
    "soft no t": ("temperature+factor", lambda z, y, t: (soft(z) - np.eye(z.shape[1])[y]) / len(z)),
    "soft no t /t": ("temperature", lambda z, y, t: (soft(z) - np.eye(z.shape[1])[y]) / len(z) / t),
    "times t": ("inverse", lambda z, y, t: (soft(z / t) - np.eye(z.shape[1])[y]) / len(z) * t),
    "z*t": (
        "multiplied+inverse",
        lambda z, y, t: (soft(z * t) - np.eye(z.shape[1])[y]) / len(z) * t,
    ),
    "sign": ("sign", lambda z, y, t: -g(z, y, t)),
    "no target": ("target_lost", lambda z, y, t: soft(z / t) / len(z) / t),
    "target only": ("diagonal_only", lambda z, y, t: g(z, y, t) * np.eye(z.shape[1])[y]),
    "col index": (
        "every_row",
        lambda z, y, t: (
            lambda p: (p.__setitem__((slice(None), y), p[:, y] - 1), p / len(y) / t)[1]
        )(soft(z / t)),
    ),
    "axis0": ("axis", lambda z, y, t: (soft(z / t, 0) - np.eye(z.shape[1])[y]) / len(z) / t),
    "mean all": ("mean_over_all", lambda z, y, t: g(z, y, t) / z.shape[1]),
    "loss": ("shape", lambda z, y, t: -np.log(soft(z / t)[np.arange(len(y)), y]).mean()),
    "losses": ("shape", lambda z, y, t: -np.log(soft(z / t)[np.arange(len(y)), y])),
    "1/p": (
        "no_softmax+factor",
        lambda z, y, t: -np.eye(z.shape[1])[y] / soft(z / t) / len(z),
    ),
    "prob jac": ("entry", lambda z, y, t: soft(z / t) * (1 - soft(z / t)) / t / len(z)),
    "t squared": ("squared", lambda z, y, t: g(z, y, t) / t),
    "mse": ("entry", lambda z, y, t: 2 * (soft(z / t) - np.eye(z.shape[1])[y]) / len(z)),
    "mse2": (
        "entry",
        lambda z, y, t: (lambda p, d: 2 * p * (d - (p * d).sum(1, keepdims=True)) / t / len(z))(
            soft(z / t), soft(z / t) - np.eye(z.shape[1])[y]
        ),
    ),
    "transposed": ("shape", lambda z, y, t: g(z, y, t).T),
    "rounded": ("rounded", lambda z, y, t: g(z, y, t).round(3)),
    "sub t": ("temperature+factor", lambda z, y, t: (soft(z - t) - np.eye(z.shape[1])[y]) / len(z)),
    "plus": ("entry", lambda z, y, t: (soft(z / t) + np.eye(z.shape[1])[y]) / len(z) / t),
    "in place": ("changed_input", lambda z, y, t: (z.__itruediv__(t), g(z, y, 1) / t)[1]),
    "sum rows": ("shape", lambda z, y, t: g(z, y, t).sum(0)),
    "log soft": (
        "entry",
        lambda z, y, t: (np.log(soft(z / t)) - np.eye(z.shape[1])[y]) / len(z) / t,
    ),
    "sigmoid": (
        "entry",
        lambda z, y, t: (1 / (1 + np.exp(-z / t)) - np.eye(z.shape[1])[y]) / len(z) / t,
    ),
    "forward diff coarse": ("entry", lambda z, y, t: num2(z, y, t)),
    "ignore y": ("entry", lambda z, y, t: (soft(z / t) - np.eye(z.shape[1])[0]) / len(z) / t),
    "/sqrt t": ("entry", lambda z, y, t: (soft(z / t) - np.eye(z.shape[1])[y]) / len(z) / t**0.5),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_loss_slope(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_loss_slope(answer), cause)


GUESSES = {"": lambda z, t: soft(z / t), "temperature": lambda z, t: soft(z)}
MEANS = {"": len, "mean": lambda z: 1, "mean_over_all": np.size}
FACTORS = {"": lambda t: t, "factor": lambda t: 1, "inverse": lambda t: 1 / t}
SIGNS = {"": 1, "sign": -1}


@pytest.mark.parametrize(
    ("guess", "sign", "mean", "factor"), itertools.product(GUESSES, SIGNS, MEANS, FACTORS)
)
def test_of_several_mistakes_none_is_named_alone(guess, sign, mean, factor):
    def candidate(z, y, t):
        difference = GUESSES[guess](z, t) - np.eye(z.shape[1])[y]
        return SIGNS[sign] * difference / (MEANS[mean](z) * FACTORS[factor](t))

    causes = filter(None, (guess, sign, mean, factor))
    assert_told(checks.check_loss_slope(candidate), "+".join(causes))
