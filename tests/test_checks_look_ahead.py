"""Exercise *a head that looks two words ahead*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks, encoding
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

R = encoding.rotation_matrix
P = encoding.sinusoidal_positional_encoding


def loops(d):
    m = np.zeros((d, d))
    for i, w in enumerate(encoding.angular_frequencies(d)):
        c, s = (np.cos(2 * w), np.sin(2 * w))
        m[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return m


def loops_base(d, base, k=2.0):
    m = np.zeros((d, d))
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        c, s = (np.cos(k * w), np.sin(k * w))
        m[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return m


RIGHT = {
    "T": lambda d: R(2, d).T,
    "-2": lambda d: R(-2, d),
    "loops": loops,
    "scaled": lambda d: 5 * R(-2, d),
    "twice": lambda d: R(-1, d) @ R(-1, d),
    "inv": lambda d: np.linalg.inv(R(2, d)),
    "lstsq": lambda d: np.linalg.lstsq(P(50, d)[:-2], P(50, d)[2:], rcond=None)[0],
    "list": lambda d: R(-2, d).tolist(),
    "pinv": lambda d: np.linalg.pinv(P(300, d)[:-2]) @ P(300, d)[2:],
    "another base": lambda d: loops_base(d, 1000.0),
    "mean of two turns": lambda d: R(-1, d) + R(-3, d),
}
WRONG = {
    "R2": ("looks_back", lambda d: R(2, d)),
    "R1": ("one_back", lambda d: R(1, d)),
    "R1T": ("one_ahead", lambda d: R(1, d).T),
    "eye": ("itself", np.eye),
    "R3T": ("other_step", lambda d: R(3, d).T),
    "zeros": ("zeros", lambda d: np.zeros((d, d))),
    "ones": ("some_rows", lambda d: np.ones((d, d))),
    "2R1": ("one_back", lambda d: 2 * R(1, d)),
    "2R1T": ("one_ahead", lambda d: 2 * R(1, d).T),
    "R1+R1": ("one_back", lambda d: R(1, d) + R(1, d)),
    "fixed": ("outer_d_model", lambda d: R(2, 16).T),
    "-": ("opposite", lambda d: -R(-2, d)),
    "pe": ("some_rows", lambda d: P(d, d)),
    "shift": ("some_rows", lambda d: np.eye(d, k=2)),
    "shift-": ("some_rows", lambda d: np.eye(d, k=-2)),
    "random": ("some_rows", lambda d: np.random.RandomState(0).randn(d, d)),
    "halves": ("halves", lambda d: (lambda c: R(-2, d)[np.ix_(c, c)])(np.r_[0:d:2, 1:d:2])),
    "one freq": (
        "some_rows",
        lambda d: np.kron(np.eye(d // 2), [[np.cos(2), -np.sin(2)], [np.sin(2), np.cos(2)]]),
    ),
    "fn": ("not_an_array", lambda d: R),
    "row": ("shape", lambda d: R(-2, d)[0]),
    "degrees": ("itself", lambda d: loops_base(d, 10000.0, np.pi / 180 * 2)),
    "int": ("zeros", lambda d: R(-2, d).astype(int)),
    "swapargs": ("outer_d_model", lambda d: R(d, 2)),
    "noise": ("some_rows", lambda d: R(-2, d) + 0.3 * np.random.RandomState(1).randn(d, d)),
    "R2@R2": ("other_step", lambda d: R(2, d) @ R(2, d)),
    "-4": ("other_step", lambda d: R(-4, d)),
    "none": ("returned_nothing", lambda d: None),
    "P.T P": ("some_rows", lambda d: P(50, d)[2:].T @ P(50, d)[:-2]),
    "PTP2": ("some_rows", lambda d: P(50, d)[:-2].T @ P(50, d)[2:]),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_look_ahead(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_look_ahead(answer), cause)
