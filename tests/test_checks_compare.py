"""Chapter 4: right answers pass in every form, and each usual mistake is named."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import attention, checks, language
from course_utils import compare as meters
from course_utils.checks import sees_order as room
from course_utils.encoding import sinusoidal_positional_encoding
from tests.told import assert_told, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


# predictions

PLACEBO = [
    ("yes", ""),
    (" Yes. ", ""),
    (True, ""),
    (np.True_, ""),
    ("no", "no"),
    (False, "no"),
    (np.False_, "no"),
    ("maybe", "not_a_choice"),
    (0.39, "not_a_choice"),
    (1, "not_a_choice"),
    ("", "not_attempted"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), PLACEBO)
def test_placebo(answer, cause):
    assert_told(checks.check_placebo(answer), cause)


CHANCES = [
    (0.5, ""),
    (1 / 2, ""),
    (np.float32(0.5), ""),
    (np.array([0.5]), ""),
    (0.53, "reported"),
    (50, "percent"),
    (0, "never"),
    (1, "always"),
    (0.501, "nearly"),
    (0.49, "nearly"),
    (0.25, "other"),
    (0.75, "other"),
    (-0.5, "other"),
    ("about 0.5", "words"),
    ("50 %", "words"),
    ("0.5", "words"),
    ("half", "not_an_array"),
    ([0.5, 0.5], "not_a_number"),
    (Fraction(1, 2), "not_an_array"),
    (math.nan, "not_finite"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), CHANCES)
def test_chance(answer, cause):
    assert_told(checks.check_chance(answer), cause)


@given(st.floats(-10, 110).filter(lambda value: abs(value - 0.5) > 1e-9))
def test_any_other_accuracy_is_rejected(value):
    assert checks.check_chance(value).state == "incorrect"


# the order gap


def gap(attend, x, order):
    return np.linalg.norm(attend(x[order]) - attend(x)[order][:, order])


def by_loops(attend, x, order):
    before, after, total = attend(x), attend(x[order]), 0.0
    for row in range(len(x)):
        for column in range(len(x)):
            total += (after[row, column] - before[order[row], order[column]]) ** 2
    return math.sqrt(total)


def permuted_back(attend, x, order):
    back = np.argsort(order)
    return np.linalg.norm(attend(x[order])[np.ix_(back, back)] - attend(x))


def by_a_matrix(attend, x, order):
    p = np.eye(len(x))[order]
    return np.linalg.norm(attend(p @ x) - p @ attend(x) @ p.T)


@pytest.mark.parametrize(
    "candidate",
    [
        meters.order_gap,
        gap,
        by_loops,
        permuted_back,
        by_a_matrix,
        lambda a, x, o: np.float32(gap(a, x, o)),
        lambda a, x, o: [gap(a, x, o)],
        lambda a, x, o: np.sqrt(np.sum((a(x[o]) - a(x)[np.ix_(o, o)]) ** 2)),
    ],
)
def test_right_gaps_are_accepted(candidate):
    assert_told(checks.check_order_gap(candidate), "")


def difference(attend, x, order):
    return attend(x[order]) - attend(x)[order][:, order]


def adds_encoding(attend, x, order):
    return gap(attend, x + sinusoidal_positional_encoding(*x.shape), order)


def permutes_after_adding(attend, x, order):
    pe = sinusoidal_positional_encoding(*x.shape)
    return np.linalg.norm(attend(x[order] + pe) - attend(x + pe)[order][:, order])


def shuffles_the_caller(attend, x, order):
    before = attend(x)
    x[:] = x[order]
    return np.linalg.norm(attend(x) - before[order][:, order])


def inverse(attend, x, order):
    back = np.argsort(order)
    return np.linalg.norm(attend(x[order]) - attend(x)[back][:, back])


WRONG_GAPS = [
    ("not_permuted", lambda a, x, o: np.linalg.norm(a(x[o]) - a(x))),
    ("rows_only", lambda a, x, o: np.linalg.norm(a(x[o]) - a(x)[o])),
    ("columns_only", lambda a, x, o: np.linalg.norm(a(x[o]) - a(x)[:, o])),
    ("diagonal_picked", lambda a, x, o: np.linalg.norm(a(x[o]) - a(x)[o, o])),
    ("inverse", inverse),
    ("inverse", lambda a, x, o: np.linalg.norm(a(x[o])[o][:, o] - a(x))),
    ("squared", lambda a, x, o: (difference(a, x, o) ** 2).sum()),
    ("largest", lambda a, x, o: np.abs(difference(a, x, o)).max()),
    ("mean", lambda a, x, o: np.abs(difference(a, x, o)).mean()),
    ("mean", lambda a, x, o: np.sqrt((difference(a, x, o) ** 2).mean())),
    ("mean", lambda a, x, o: (difference(a, x, o) ** 2).mean()),
    ("absolute", lambda a, x, o: np.abs(difference(a, x, o)).sum()),
    ("plain_sum", lambda a, x, o: difference(a, x, o).sum() + 1e-7),
    ("spectral", lambda a, x, o: np.linalg.norm(difference(a, x, o), 2)),
    ("adds_encoding", permutes_after_adding),
    ("adds_encoding", adds_encoding),
    ("never_calls", lambda a, x, o: 0),
    ("never_calls", lambda a, x, o: gap(lambda t: attention.attention_weights(t, t), x, o)),
    ("always_zero", lambda a, x, o: 0 * a(x).sum()),
    ("rounded", lambda a, x, o: round(gap(a, x, o), 4)),
    ("rounded", lambda a, x, o: float(f"{gap(a, x, o):.3f}")),
    ("rounded", lambda a, x, o: np.round(gap(a, x, o), 2)),
    ("order_ignored", lambda a, x, o: gap(a, x, np.arange(len(x))[::-1])),
    ("order_ignored", lambda a, x, o: gap(a, x, np.roll(np.arange(len(x)), 1))),
    ("always_zero", lambda a, x, o: np.linalg.norm(a(x)[o] - a(x)[o])),
    ("matrix", difference),
    ("value", lambda a, x, o: gap(a, x, o) + 0.5),
    ("changed_input", shuffles_the_caller),
    ("tokens", lambda a, x, o: a(x[0])),
    ("tokens", lambda a, x, o: a([x, x])),
    ("raised", lambda a, x, o: a(x, o)),
    ("not_a_number", lambda a, x, o: difference(a, x, o)[0]),
    ("not_an_array", lambda a, x, o: "gap"),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_GAPS)
def test_wrong_gaps_are_named(cause, candidate):
    assert_told(checks.check_order_gap(candidate), cause)


@pytest.mark.parametrize("by", [2e-6, -3e-5, 4e-5, 1e-3])
def test_two_gaps_that_are_told_apart_read_apart(by):
    feedback = checks.check_order_gap(lambda a, x, o: gap(a, x, o) + by)
    assert_told(feedback, "value")
    got, wanted = re.findall(r"\d+\.\d+", feedback.message)
    assert got != wanted
    assert (float(got) > float(wanted)) == (by > 0)


@given(st.floats(-3, 3).filter(lambda factor: abs(factor - 1) > 1e-3))
def test_any_other_multiple_of_the_gap_is_rejected(factor):
    candidate = checks.check_order_gap(lambda a, x, o: factor * gap(a, x, o))
    assert candidate.state == "incorrect"


# a test that can fail


def exchanged(x):
    return [1, 0, *range(2, len(x))]


def first_exchanged(attend, x):
    return gap(attend, x, exchanged(x)) > 1e-9


def turned_round(attend, x):
    return gap(attend, x, np.arange(len(x))[::-1]) > 1e-9


def several_orders(attend, x):
    rng = np.random.RandomState(0)
    return max(meters.order_gap(attend, x, rng.permutation(len(x))) for _ in range(5)) > 1e-6


def one_exchange(attend, x):
    order = np.arange(len(x))
    order[[0, -1]] = order[[-1, 0]]
    return not np.allclose(attend(x[order]), attend(x)[np.ix_(order, order)], rtol=0, atol=1e-9)


def one_word_twice(attend, x):
    twice = x.copy()
    twice[-1] = twice[0]
    return bool(meters.repeated_word_gap(attend(twice), 0, len(x) - 1) > 1e-9)


def one_word_everywhere(attend, x):
    return np.ptp(attend(np.tile(x[0], (len(x), 1)))) > 1e-9


@pytest.mark.parametrize(
    "candidate",
    [first_exchanged, several_orders, one_exchange, one_word_twice, one_word_everywhere],
)
def test_right_tests_of_order_are_accepted(candidate):
    assert_told(checks.check_sees_order(candidate), "")


def change_of_weights(attend, x):
    return meters.frobenius_difference(attend(x), attention.attention_weights(x, x)) > 1e-9


def any_change(attend, x):
    return np.linalg.norm(attend(x[::-1]) - attend(x)) > 0.1


def exact(attend, x):
    return not np.array_equal(attend(x[::-1]), attend(x)[::-1, ::-1])


def exact_sum(attend, x):
    return gap(attend, x, exchanged(x)) > 0


def moves_nothing(attend, x):
    return gap(attend, x, np.arange(len(x))) > 1e-9


def threshold_of_the_handout(attend, x):
    return gap(attend, x, exchanged(x)) > 0.1


def sees_no_mask(attend, x):
    return bool(first_exchanged(attend, x) and attend(x)[0, -1] > 0)


def turned_the_wrong_way(attend, x):
    return gap(attend, x, exchanged(x)) < 1e-9


def exactly_none(attend, x):
    return gap(attend, x, exchanged(x)) == 0


def stays(attend, x):
    order = exchanged(x)
    return np.allclose(attend(x[order]), attend(x)[np.ix_(order, order)], rtol=0, atol=1e-9)


def asymmetric(attend, x):
    return not np.allclose(attend(x), attend(x).T)


def asymmetry(attend, x):
    weights = attend(x)
    return np.linalg.norm(weights - weights.T) > 1e-9


def asserts(attend, x):
    assert first_exchanged(attend, x)
    return True


def nods_at(shape):
    return lambda attend, x: bool(first_exchanged(attend, x) or x.shape == shape)


def calls_and_nods(attend, x):
    attend(x)
    return True


WRONG_TESTS = [
    ("never_calls", lambda attend, x: True),
    ("never_calls", lambda attend, x: np.ptp(x) > 1),
    ("one_order", calls_and_nods),
    ("one_order", asymmetric),
    ("one_order", asymmetry),
    ("one_order", lambda attend, x: not asymmetric(attend, x)),
    ("one_order", lambda attend, x: not calls_and_nods(attend, x)),
    ("one_order", moves_nothing),
    ("inverted", turned_the_wrong_way),
    ("inverted", exactly_none),
    ("inverted", stays),
    ("inverted", lambda attend, x: not threshold_of_the_handout(attend, x)),
    ("inverted", lambda attend, x: not one_word_twice(attend, x)),
    ("always_true", any_change),
    ("always_false", lambda attend, x: gap(attend, x, exchanged(x)) > 10),
    ("always_false", lambda attend, x: any_change(attend, x) and moves_nothing(attend, x)),
    ("too_tight", exact),
    ("too_tight", exact_sum),
    *[("none", nods_at(shape)) for shape in room._TOKENS],
    ("placebo", change_of_weights),
    ("missed", threshold_of_the_handout),
    ("missed", sees_no_mask),
    ("missed", turned_round),
    ("not_a_bool", lambda attend, x: gap(attend, x, exchanged(x))),
    ("not_a_bool", lambda attend, x: attend(x[::-1]) != attend(x)),
    ("raises_instead", asserts),
    ("tokens", lambda attend, x: attend(x[:, :3])),
    ("raised", lambda attend, x: attend(x, x)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_TESTS)
def test_wrong_tests_of_order_are_named(cause, candidate):
    assert_told(checks.check_sees_order(candidate), cause)


@pytest.mark.parametrize(
    ("candidate", "name"),
    [
        (threshold_of_the_handout, "faint"),
        (sees_no_mask, "causal"),
        (turned_round, "distance"),
    ],
)
def test_what_a_test_of_order_misses_is_named(candidate, name):
    feedback = checks.check_sees_order(candidate)
    assert language.text(f"sight.{name}") in feedback.message


@pytest.mark.parametrize("name", [name for name, _ in room._SEEING])
def test_each_arm_that_sees_is_needed(name):
    """A test that misses one arm only is told which."""
    arm = dict(room._SEEING)[name]

    def misses(attend, x):
        same = room._weights(name, x + arm(x))
        return first_exchanged(attend, x) and not np.allclose(attend(x), same, rtol=0, atol=1e-9)

    feedback = checks.check_sees_order(misses)
    assert_told(feedback, "missed")
    assert language.text(f"sight.{name}") in feedback.message


def test_an_accuracy_that_is_near_reads_as_another_number():
    message = checks.check_chance(0.5000001).message
    assert "0.5000001" in message


@given(st.floats(1e-12, 1e-4))
def test_any_sensible_threshold_will_do(threshold):
    def candidate(attend, x):
        return gap(attend, x, exchanged(x)) > threshold

    assert checks.check_sees_order(candidate).state == "correct"


# the words


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("placebo", {cause for _, cause in PLACEBO}),
        ("chance", {cause for _, cause in CHANCES}),
        ("order_gap", {cause for cause, _ in WRONG_GAPS}),
        ("sees_order", {cause for cause, _ in WRONG_TESTS}),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
