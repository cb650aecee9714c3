"""Exercise *write the encoding*: answers of fresh minds, and mixtures of two mistakes."""

import itertools
import math

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def table(omega_of, even=np.sin, odd=np.cos, start=0, join="pairs"):
    """An encoding of the frequencies that `omega_of` makes of the width."""

    def build(n, d):
        angles = np.outer(np.arange(start, start + n), omega_of(d))
        parts = [even(angles), odd(angles)]
        return np.hstack(parts) if join == "halves" else np.stack(parts, -1).reshape(n, -1)

    return build


def usual(d):
    return 10000 ** (-np.arange(0, d, 2) / d)


def entry_by_entry(angle_of, even=math.sin, odd=math.cos):
    """A double loop over positions and columns."""

    def build(n, d):
        return [
            [(odd if col % 2 else even)(angle_of(pos, col, d)) for col in range(d)]
            for pos in range(n)
        ]

    return build


def right_angle(pos, col, d):
    return pos / 10000 ** (2 * (col // 2) / d)


def assigned(n, d):
    pe = np.zeros((n, d))
    pos = np.arange(n)[:, np.newaxis]
    div = np.power(10000, np.arange(0, d, 2) / d)
    pe[:, ::2] = np.sin(pos / div)
    pe[:, 1::2] = np.cos(pos / div)
    return pe


def by_complex_numbers(n, d):
    turned = np.exp(1j * np.outer(np.arange(n), usual(d)))
    return np.stack([turned.imag, turned.real], axis=-1).reshape(n, d)


def by_phase(n, d):
    columns = np.arange(d)
    angles = np.arange(n)[:, None] * 1e4 ** (-(columns - columns % 2) / d)
    return np.sin(angles + np.pi / 2 * (columns % 2))


def turned_row_by_row(n, d):
    rows, omega = [np.tile([0.0, 1.0], d // 2)], usual(d)
    for _ in range(n - 1):
        sine, cosine = rows[-1][::2], rows[-1][1::2]
        there = sine * np.cos(omega) + cosine * np.sin(omega)
        here = cosine * np.cos(omega) - sine * np.sin(omega)
        rows.append(np.stack([there, here], axis=-1).ravel())
    return np.array(rows)


RIGHT = [
    assigned,
    entry_by_entry(right_angle),
    table(usual),
    table(lambda d: np.exp(-np.arange(0, d, 2) * math.log(1e4) / d)),
    by_complex_numbers,
    by_phase,
    turned_row_by_row,
    lambda n, d: assigned(n, d).astype(np.float32),
    lambda n, d: assigned(n, d).tolist(),
    lambda n, d: np.concatenate([assigned(1, d), assigned(n, d)[1:]]),
]


@pytest.mark.parametrize("candidate", RIGHT)
def test_right_answers_in_any_style(candidate):
    assert_told(checks.check_encoding(candidate), "")


def filled_in_whole_numbers(n, d):
    pe = np.zeros((n, d), dtype=int)
    pe[:, 0::2], pe[:, 1::2] = assigned(n, d)[:, 0::2], assigned(n, d)[:, 1::2]
    return pe


def returns_in_the_loop(n, d):
    pe = np.zeros((n, d))
    for pos in range(n):
        pe[pos] = assigned(n, d)[pos]
        return pe


def overwrites_the_angles(n, d):
    angles = np.repeat(np.outer(np.arange(n), usual(d)), 2, axis=1)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 0::2])
    return angles


def one_list_for_all(n, d):
    pe = [[0.0] * d] * n
    for pos in range(n):
        for col in range(d):
            pe[pos][col] = float(assigned(n, d)[pos, col])
    return pe


def added_up(n, d):
    return np.cumsum(assigned(n, d), axis=0)


def drops_out(n, d):
    return assigned(n, d) * (np.random.default_rng().random((n, d)) > 0.1)


WRONG = [
    # the exponent
    ("unpaired", entry_by_entry(lambda pos, col, d: pos / 10000 ** (col / d))),
    ("doubled_exponent", entry_by_entry(lambda pos, col, d: pos / 10000 ** (2 * col / d))),
    ("doubled_exponent", table(lambda d: 1e4 ** (-2 * np.arange(0, d, 2) / d))),
    ("halved_exponent", table(lambda d: 1e4 ** (-np.arange(d // 2) / d))),
    ("exponent_sign", table(lambda d: 1e4 ** (np.arange(0, d, 2) / d))),
    ("one_frequency", table(lambda d: np.ones(d // 2))),
    ("one_frequency", table(lambda d: 1e4 ** -(np.arange(0, d, 2) // d).astype(float))),
    ("precedence", table(lambda d: 1 / 10000**2 * np.arange(d // 2) / d)),
    ("stretched", table(lambda d: 1e4 ** -np.linspace(0, 1, d // 2))),
    ("floored_exponent", entry_by_entry(lambda pos, col, d: pos / 10000 ** (2 * col // d))),
    ("floored_factor", table(lambda d: np.exp(np.arange(0, d, 2) * (-math.log(1e4) / d // 2)))),
    ("quotient", entry_by_entry(lambda pos, col, d: (pos / 10000) ** (2 * (col // 2) / d))),
    # the base
    ("base", table(lambda d: 1e3 ** (-np.arange(0, d, 2) / d))),
    ("base", table(lambda d: 1e5 ** (-np.arange(0, d, 2) / d))),
    ("base", table(lambda d: 5e5 ** (-np.arange(0, d, 2) / d))),
    ("other_log", table(lambda d: np.exp(-np.arange(0, d, 2) * math.log10(1e4) / d))),
    ("log_missing", table(lambda d: np.exp(-np.arange(0, d, 2) / d))),
    # sine and cosine
    ("swapped", table(usual, np.cos, np.sin)),
    ("sine_only", table(usual, np.sin, np.sin)),
    ("cosine_only", table(usual, np.cos, np.cos)),
    ("cosine_missing", table(usual, np.sin, np.zeros_like)),
    ("sine_missing", table(usual, np.zeros_like, np.cos)),
    ("halves", table(usual, join="halves")),
    ("overwritten", overwrites_the_angles),
    ("degrees", table(lambda d: np.radians(usual(d)))),
    ("sign_flipped", table(lambda d: -usual(d))),
    (
        "even_positions",
        lambda n, d: np.where(
            np.arange(n)[:, None] % 2 == 0,
            np.sin(np.arange(n)[:, None] * np.repeat(usual(d), 2)),
            np.cos(np.arange(n)[:, None] * np.repeat(usual(d), 2)),
        ),
    ),
    # positions
    ("starts_at_1", table(usual, start=1)),
    ("starts_at_2", table(usual, start=2)),
    ("rolled", lambda n, d: np.roll(assigned(n, d), -1, axis=0)),
    ("normalised", lambda n, d: table(lambda d: usual(d) / n)(n, d)),
    ("one_row", lambda n, d: np.tile(assigned(1, d), (n, 1))),
    ("shared_rows", one_list_for_all),
    # the matrix
    ("integer_buffer", filled_in_whole_numbers),
    ("whole_numbers", lambda n, d: np.floor(assigned(n, d)).astype(int)),
    ("early_return", returns_in_the_loop),
    ("transposed", lambda n, d: assigned(n, d).T),
    ("swapped_arguments", lambda d, n: assigned(n, d)),
    ("several_arrays", lambda n, d: (assigned(n, d)[:, ::2], assigned(n, d)[:, 1::2])),
    ("not_reshaped", lambda n, d: assigned(n, d).reshape(n, -1, 2)),
    ("zeros", lambda n, d: np.zeros((n, d))),
    ("rounded", lambda n, d: assigned(n, d).round(3)),
    ("float16_stored", lambda n, d: assigned(n, d).astype(np.float16)),
    ("beyond_1", lambda n, d: np.outer(np.arange(n), np.arange(d))),
    ("beyond_1", lambda n, d: np.outer(np.arange(n), usual(d)).repeat(2, axis=1)),
    ("beyond_1", added_up),
    ("random", lambda n, d: np.random.default_rng().standard_normal((n, d))),
    ("random", drops_out),
    ("beyond_1", lambda n, d: np.random.RandomState(0).randn(n, d)),
    ("drifts", table(lambda d: usual(d) * (1 + 1e-6))),
    ("rotation", lambda n, d: assigned(n, d) + 0.01 * (np.arange(n)[:, None] == 1)),
    ("row_zero", lambda n, d: assigned(n, d) + 0.25),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG)
def test_wrong_answers_are_named_as_what_they_are(cause, candidate):
    assert_told(checks.check_encoding(candidate), cause)


MISTAKES = [
    ("base", {"base": 1e3}),
    ("doubled_exponent", {"stretch": 2}),
    ("halved_exponent", {"stretch": 0.5}),
    ("exponent_sign", {"stretch": -1}),
    ("starts_at_1", {"start": 1}),
    ("swapped", {"even": np.cos, "odd": np.sin}),
    ("sine_only", {"odd": np.sin}),
    ("degrees", {"unit": math.pi / 180}),
    ("sign_flipped", {"unit": -1}),
    ("halves", {"join": "halves"}),
    ("integer_buffer", {"dtype": int}),
]


def mixture(base=1e4, stretch=1, unit=1, dtype=float, **others):
    build = table(lambda d: unit * base ** (-stretch * np.arange(0, d, 2) / d), **others)
    return lambda n, d: build(n, d).astype(dtype)


@pytest.mark.parametrize(("cause", "mistake"), MISTAKES)
def test_one_mistake_is_named(cause, mistake):
    assert_told(checks.check_encoding(mixture(**mistake)), cause)


PAIRS = [
    (one, other)
    for one, other in itertools.combinations(MISTAKES, 2)
    # a base and a factor of the exponent are one number: another base
    if not one[1].keys() & other[1].keys() and {*one[1], *other[1]} != {"base", "stretch"}
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda each: each[0])
def test_of_two_mistakes_none_is_named_alone(one, other):
    candidate = mixture(**one[1], **other[1])
    feedback = checks.check_encoding(candidate)
    assert feedback.state == "incorrect"
    for cause, mistake in (one, other):
        if feedback.cause == cause:  # then the other one changes nothing
            np.testing.assert_allclose(candidate(7, 8), mixture(**mistake)(7, 8), atol=1e-9)
