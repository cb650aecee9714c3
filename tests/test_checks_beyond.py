"""Chapter 5: right answers pass in every form, and each usual mistake is named."""

import math

import numpy as np
import pytest

from course_utils import checks, encoding
from course_utils.attention import softmax
from course_utils.beyond import alibi_slopes, rotate, t5_bucket
from course_utils.checks.encodings import like
from tests.told import assert_told, causes_of, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


TURNED = [
    ("yes", ""),
    (" Yes. ", ""),
    (True, ""),
    ("会变", ""),
    ("no", "no"),
    ("不变", "no"),
    (np.False_, "no"),
    ("perhaps", "not_a_choice"),
    (..., "not_attempted"),
]
BUCKETS = [
    (26, ""),
    (np.int64(26), ""),
    (t5_bucket(20), ""),
    (t5_bucket(-20), "sign_lost"),
    (27, "rounded_up"),
    (33, "unsigned_ahead"),
    (36, "offset_ahead"),
    (11, "rounded_up_behind"),
    (t5_bucket(-20, signed=False), "unsigned"),
    (t5_bucket(20, signed=False), "future_of_decoder"),
    (31, "last"),
    (20, "offset"),
    (24 + 8 * math.log(2.5) / math.log(16), "not_floored"),
    (5, "other"),
    (..., "not_attempted"),
]
SHIFTED = [
    (["mixed", "before"], ""),
    (("before", "mixed"), ""),
    (["mixed"], "missed"),
    ([], "missed"),
    (["mixed", "before", "scaled"], "scaled"),
    (["mixed", "before", "backwards"], "backwards"),
    (["values", "mixed", "before"], "values"),
    ("mixed", "missed"),
    (["turned"], "not_names"),
    ([["mixed"]], "not_names"),
    (3, "not_names"),
    (..., "not_attempted"),
    ([...], "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), TURNED)
def test_turned_values(answer, cause):
    assert_told(checks.check_turned_values(answer), cause)


@pytest.mark.parametrize(("answer", "cause"), BUCKETS)
def test_bucket(answer, cause):
    assert_told(checks.check_bucket(answer), cause)


@pytest.mark.parametrize(("answer", "cause"), SHIFTED)
def test_shift_test(answer, cause):
    assert_told(checks.check_shift_test(answer), cause)


# RoPE


def as_neighbours(x):
    """Columns 0, d / 2, 1, d / 2 + 1, ..."""
    return np.arange(x.shape[1]).reshape(2, -1).T.ravel()


def by_rotation(x, start, sign=-1):
    order, turned = as_neighbours(x), np.empty(x.shape)
    for row in range(len(x)):
        matrix = encoding.rotation_matrix(sign * (start + row), x.shape[1])
        turned[row, order] = matrix @ x[row, order]
    return turned


def as_written(x, start, omega=None, base=10_000.0, pos=None):
    half = x.shape[1] // 2
    omega = encoding.angular_frequencies(x.shape[1], base) if omega is None else omega
    angles = np.outer(start + np.arange(len(x)) if pos is None else pos, omega)
    if angles.shape[1] == half:
        angles = np.concatenate([angles, angles], axis=1)
    other = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + other * np.sin(angles)


def repeated(x, start):
    return as_written(x, start, np.repeat(encoding.angular_frequencies(x.shape[1]), 2))


def speeds(x):
    return encoding.angular_frequencies(x.shape[1])


def neighbours(x, start, omega):
    angles = np.outer(start + np.arange(len(x)), omega)
    other = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + other * np.sin(angles)


def reordered(x, start, there, back):
    orders = {1: as_neighbours(x), -1: np.argsort(as_neighbours(x))}
    return neighbours(x[:, orders[there]], start, np.repeat(speeds(x), 2))[:, orders[back]]


ROPES = [
    ("", by_rotation),
    ("", as_written),
    ("", lambda x, start: as_written(x, start).tolist()),
    ("calls_the_module", lambda x, start: rotate(x, start=start, layout="halves").tolist()),
    ("sign", lambda x, start: by_rotation(x, start, sign=1)),
    ("interleaved", lambda x, start: neighbours(x, start, np.repeat(speeds(x), 2))),
    ("mixed_neighbours", lambda x, start: neighbours(x, start, np.tile(speeds(x), 2))),
    ("order_twice", lambda x, start: reordered(x, start, 1, 1)),
    ("orders_exchanged", lambda x, start: reordered(x, start, -1, 1)),
    ("one_back", lambda x, start: as_written(x, start - 1)),
    ("downwards", lambda x, start: as_written(x, start, pos=start - np.arange(len(x)))),
    ("halves_exchanged", lambda x, start: np.roll(as_written(x, start), x.shape[1] // 2, 1)),
    (
        "interleaved_sign",
        lambda x, start: np.array(
            [encoding.rotation_matrix(start + r, x.shape[1]) @ row for r, row in enumerate(x)]
        ),
    ),
    ("mixed", repeated),
    ("start_ignored", lambda x, start: as_written(x, 0)),
    ("from_1", lambda x, start: as_written(x, start + 1)),
    ("same_turn", lambda x, start: as_written(x, start, pos=np.full(len(x), start))),
    ("one_frequency", lambda x, start: as_written(x, start, np.ones(x.shape[1] // 2))),
    ("not_brought_back", lambda x, start: by_rotation(x, start)[:, as_neighbours(x)]),
    ("base", lambda x, start: as_written(x, start, base=1e3)),
    ("base", lambda x, start: as_written(x, start, base=5e5)),
    (
        "added",
        lambda x, start: (
            x
            + np.tile(
                np.sin(
                    np.outer(start + np.arange(len(x)), encoding.angular_frequencies(x.shape[1]))
                ),
                2,
            )
        ),
    ),
    ("unchanged", lambda x, start: x),
    ("rounded", lambda x, start: as_written(x, start).round(3)),
    ("row", lambda x, start: as_written(x, start) + np.eye(*x.shape)),
    ("shape", lambda x, start: as_written(x, start)[:1]),
    ("not_attempted", lambda x, start: ...),
    ("arguments", lambda x: x),
]


@pytest.mark.parametrize(("cause", "candidate"), ROPES)
def test_rope(cause, candidate):
    assert_told(checks.check_rope(candidate), cause)


# slopes


def published(n):
    if math.log2(n).is_integer():
        return [2 ** (-8 * h / n) for h in range(1, n + 1)]
    power = 2 ** math.floor(math.log2(n))
    return published(power) + published(2 * power)[0::2][: n - power]


def with_rest(n, take):
    power = 2 ** (n.bit_length() - 1)
    return published(power) + published(2 * power)[take][: n - power]


SLOPES = [
    ("", published),
    ("", lambda n: alibi_slopes(n) if n in (1, 4, 8) else published(n)),
    ("calls_the_module", alibi_slopes),
    ("inverse", lambda n: [1 / slope for slope in published(n)]),
    ("exponents", lambda n: -np.log2(published(n))),
    ("from_0", lambda n: [2 ** (-8 * h / n) for h in range(n)]),
    ("any_number", lambda n: [2 ** (-8 * h / n) for h in range(1, n + 1)]),
    ("odd", lambda n: with_rest(n, slice(1, None, 2))),
    ("not_every_other", lambda n: with_rest(n, slice(None))),
    ("sorted", lambda n: sorted(published(n), reverse=True)),
    ("minus", lambda n: [-slope for slope in published(n)]),
    ("next_power", lambda n: published(2 ** math.ceil(math.log2(n)))[:n]),
    ("eight_heads", lambda n: [2.0**-h for h in range(1, n + 1)]),
    ("value", lambda n: np.array(published(n)) + 0.1),
    ("shape", lambda n: [0.5]),
    ("not_attempted", lambda n: ...),
]


@pytest.mark.parametrize(("cause", "candidate"), SLOPES)
def test_slopes(cause, candidate):
    assert_told(checks.check_slopes(candidate), cause)


# the slope of the loss


def slope(z, y, t):
    return (softmax(z / t) - np.eye(z.shape[1])[y]) / (len(z) * t)


def by_differences(z, y, t, eps=1e-6):
    """Nothing but the definition."""

    def loss(z):
        shares = softmax(z / t)
        return -np.log(shares[np.arange(len(y)), y]).mean()

    found = np.zeros_like(z)
    for place in np.ndindex(*z.shape):
        nudge = np.zeros_like(z)
        nudge[place] = eps
        found[place] = (loss(z + nudge) - loss(z - nudge)) / (2 * eps)
    return found


def at_target(z, y, t):
    return slope(z, y, t) * np.eye(z.shape[1])[y]


def everywhere(z, y, t):
    guess = softmax(z / t)
    guess[:, y] -= 1
    return guess / (len(z) * t)


def naive(z, y, t):
    shares = np.exp(z / t) / np.exp(z / t).sum(axis=1, keepdims=True)
    return (shares - np.eye(z.shape[1])[y]) / (len(z) * t)


def one_late(z, y):
    wanted = np.zeros_like(z)
    wanted[range(1, len(z)), y[:-1]] = 1
    return wanted


LOSSES = [
    ("", slope),
    ("", by_differences),
    ("mean", lambda z, y, t: len(z) * slope(z, y, t)),
    ("overflow", naive),
    ("mean_over_words", lambda z, y, t: slope(z, y, t) * len(z) / z.shape[1]),
    ("one_fewer", lambda z, y, t: slope(z, y, t) * len(z) / (len(z) - 1)),
    ("first_lost", lambda z, y, t: slope(z, y, t) * np.sign(np.arange(len(z)))[:, None]),
    ("one_place_late", lambda z, y, t: (softmax(z / t) - one_late(z, y)) / (len(z) * t)),
    ("no_logarithm", lambda z, y, t: slope(z, y, t) * softmax(z / t)[range(len(z)), y, None]),
    ("no_softmax", lambda z, y, t: -np.eye(z.shape[1])[y] / softmax(z / t) / (len(z) * t)),
    ("squared", lambda z, y, t: slope(z, y, t) / t),
    ("mean_over_all", lambda z, y, t: slope(z, y, t) / z.shape[1]),
    ("sign", lambda z, y, t: -slope(z, y, t)),
    ("diagonal_only", at_target),
    ("every_row", everywhere),
    ("factor", lambda z, y, t: t * slope(z, y, t)),
    ("temperature+factor", lambda z, y, t: slope(z, y, 1)),
    ("multiplied+inverse", lambda z, y, t: slope(z, y, 1 / t)),
    (
        "axis",
        lambda z, y, t: (softmax(z / t, axis=0) - np.eye(z.shape[1])[y]) / (len(z) * t),
    ),
    ("target_lost", lambda z, y, t: softmax(z / t) / (len(z) * t)),
    ("temperature", lambda z, y, t: slope(z, y, 1) / t),
    ("multiplied", lambda z, y, t: slope(z, y, 1 / t) / t**2),
    ("inverse", lambda z, y, t: slope(z, y, t) * t**2),
    ("entry", lambda z, y, t: slope(z, y, t) + 0.1 * np.eye(*z.shape)),
    ("not_attempted", lambda z, y, t: ...),
]


@pytest.mark.parametrize(("cause", "candidate"), LOSSES)
def test_loss_slope(cause, candidate):
    assert_told(checks.check_loss_slope(candidate), cause)


# a test from outside


def repeats(attend, x):
    scores = np.log(attend(np.tile(x[0], (len(x), 1))))
    return bool(np.ptp(scores[:-1, 1:].diagonal() - scores.diagonal()[:-1]) < 1e-6)


ROTARY = [
    ("", repeats),
    ("", lambda attend, x: np.ptp(attend(np.zeros_like(x))) < 1e-9),
    ("never_calls", lambda attend, x: True),
    ("always_true", lambda attend, x: attend(x).shape == (len(x), len(x))),
    ("always_false", lambda attend, x: np.ptp(attend(x)) == 0),
    ("too_tight", lambda attend, x: bool((attend(x) == attend(-x)).all())),
    ("wide_margin", lambda attend, x: np.ptp(attend(0 * x)) < 0.3),
    ("missed_strong", lambda attend, x: np.ptp(attend(-like(x))) > 1e-9),
    ("inverted", lambda attend, x: not repeats(attend, x)),
    ("missed_rope", lambda attend, x: repeats(attend, x) and len(x) > 5),
    ("missed_added", lambda attend, x: repeats(attend, x) or len(x) == 5),
    ("missed_faint", lambda attend, x: np.ptp(attend(np.zeros_like(x))) < 0.01),
    ("tokens", lambda attend, x: bool(attend(x[:, :2]).any())),
    ("not_attempted", lambda attend, x: ...),
]


@pytest.mark.parametrize(("cause", "candidate"), ROTARY)
def test_is_rotary(cause, candidate):
    assert_told(checks.check_is_rotary(candidate), cause)


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("turned_values", {cause for _, cause in TURNED}),
        ("bucket", {cause for _, cause in BUCKETS}),
        ("shift_test", {cause for _, cause in SHIFTED}),
        ("rope", {cause for cause, _ in ROPES}),
        ("slopes", {cause for cause, _ in SLOPES}),
        ("loss_slope", causes_of(LOSSES)),
        ("is_rotary", {cause for cause, _ in ROTARY}),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
