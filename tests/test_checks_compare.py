"""Chapter 4: right answers pass in every form, and each usual mistake is named."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import attention, checks, language
from course_utils import compare as meters
from course_utils.checks import sees_order as room
from course_utils.encoding import sinusoidal_positional_encoding
from tests import test_checks_output_gaps, test_checks_sees_order
from tests.told import assert_told, causes_of, causes_with_words

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
    (1 / 3, ""),
    (2 / 6, ""),
    (0.333, ""),
    (0.3333, ""),
    (np.float32(1 / 3), ""),
    (np.array([1 / 3]), ""),
    (0.5, "two_words"),
    (1 / 6, "six_orders"),
    (0.167, "six_orders"),
    (0.36, "reported"),
    (33.3, "percent"),
    (33, "percent"),
    (0, "never"),
    (1, "always"),
    (0.33, "nearly"),
    (0.34, "nearly"),
    (0.25, "other"),
    (0.75, "other"),
    (-0.5, "other"),
    ("about 0.3", "words"),
    ("33 %", "words"),
    ("1/3", "words"),
    ("a third", "not_an_array"),
    ([0.5, 0.5], "not_a_number"),
    (Fraction(1, 3), ""),
    (Fraction(1, 2), "two_words"),
    (math.nan, "not_finite"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), CHANCES)
def test_chance(answer, cause):
    assert_told(checks.check_chance(answer), cause)


@given(st.floats(-10, 110).filter(lambda value: abs(value - 1 / 3) > 1.1e-3))
def test_any_other_accuracy_is_rejected(value):
    assert checks.check_chance(value).state == "incorrect"


# the order gaps of outputs


def norms(difference):
    return np.linalg.norm(difference, axis=(1, 2))


def left(layer, x, order):
    return layer(x[:, order]) - layer(x)[:, order]


def gaps(layer, x, order):
    return norms(left(layer, x, order))


def gaps_by_loops(layer, x, order):
    before, after, found = layer(x), layer(x[:, order]), []
    for sentence in range(len(x)):
        total = 0.0
        for row in range(x.shape[1]):
            for column in range(before.shape[2]):
                total += (after[sentence, row, column] - before[sentence, order[row], column]) ** 2
        found.append(math.sqrt(total))
    return found


def permuted_back(layer, x, order):
    return norms(layer(x[:, order])[:, np.argsort(order)] - layer(x))


@pytest.mark.parametrize(
    "candidate",
    [
        gaps,
        gaps_by_loops,
        permuted_back,
        lambda f, x, o: np.sqrt(np.square(left(f, x, o)).sum(axis=(-2, -1))),
        lambda f, x, o: np.sqrt(np.einsum("bij,bij->b", left(f, x, o), left(f, x, o))),
        lambda f, x, o: [float(np.linalg.norm(each)) for each in left(f, x, o)],
        lambda f, x, o: np.linalg.norm(left(f, x, o).reshape(len(x), -1), axis=1),
        lambda f, x, o: np.linalg.norm(left(f, x, o), "fro", axis=(1, 2)),
        lambda f, x, o: gaps(f, x, o).astype(np.float32),
    ],
)
def test_right_gaps_are_accepted(candidate):
    assert_told(checks.check_output_gaps(candidate), "")


def shuffles_the_caller(layer, x, order):
    before = layer(x)
    x[:] = x[:, order]
    return norms(layer(x) - before[:, order])


def its_own_layer(layer, x, order):
    return gaps(lambda t: attention.scaled_dot_product_attention(t, t, t)[0], x, order)


def adds_encoding(layer, x, order):
    return gaps(layer, x + sinusoidal_positional_encoding(*x.shape[1:]), order)


WRONG_GAPS = [
    ("not_permuted", lambda f, x, o: norms(f(x[:, o]) - f(x))),
    ("inverse", lambda f, x, o: norms(f(x[:, o]) - f(x)[:, np.argsort(o)])),
    ("inverse", lambda f, x, o: norms(f(x[:, o])[:, o] - f(x))),
    ("squared", lambda f, x, o: gaps(f, x, o) ** 2),
    ("largest", lambda f, x, o: np.abs(left(f, x, o)).max(axis=(1, 2))),
    ("mean", lambda f, x, o: np.abs(left(f, x, o)).mean(axis=(1, 2))),
    ("mean", lambda f, x, o: (left(f, x, o) ** 2).mean(axis=(1, 2))),
    ("mean", lambda f, x, o: np.sqrt((left(f, x, o) ** 2).mean(axis=(1, 2)))),
    ("absolute", lambda f, x, o: np.abs(left(f, x, o)).sum(axis=(1, 2))),
    ("plain_sum", lambda f, x, o: left(f, x, o).sum(axis=(1, 2))),
    ("spectral", lambda f, x, o: np.linalg.norm(left(f, x, o), 2, axis=(1, 2))),
    ("input_stays", lambda f, x, o: norms(f(x) - f(x)[:, o])),
    ("other_order", lambda f, x, o: gaps(f, x, np.argsort(o))),
    ("norm_of_rows", lambda f, x, o: np.linalg.norm(left(f, x, o), axis=2).sum(axis=1)),
    ("relative", lambda f, x, o: gaps(f, x, o) / norms(f(x))),
    ("kept_axes", lambda f, x, o: np.linalg.norm(left(f, x, o), axis=(1, 2), keepdims=True)),
    ("adds_encoding", adds_encoding),
    ("always_zero", lambda f, x, o: 0 * gaps(f, x, o)),
    ("always_zero", lambda f, x, o: norms(f(x)[:, o] - f(x)[:, o])),
    ("one_for_all", lambda f, x, o: np.linalg.norm(left(f, x, o))),
    ("one_for_all", lambda f, x, o: gaps(f, x, o).mean()),
    ("outputs", left),
    ("one_a_token", lambda f, x, o: np.linalg.norm(left(f, x, o), axis=2)),
    ("tokens", lambda f, x, o: f(x[0])),
    ("batch_permuted", lambda f, x, o: norms(f(x[o]) - f(x)[o])),
    ("rounded", lambda f, x, o: gaps(f, x, o).round(3)),
    ("never_calls", lambda f, x, o: np.zeros(len(x))),
    ("never_calls", its_own_layer),
    ("value", lambda f, x, o: gaps(f, x, o) + 0.5),
    ("order_ignored", lambda f, x, o: gaps(f, x, list(range(len(o)))[::-1])),
    ("changed_input", shuffles_the_caller),
    ("shape", lambda f, x, o: gaps(f, x, o)[:, None]),
    ("raised", lambda f, x, o: f(x, o)),
    ("not_an_array", lambda f, x, o: "gap"),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_GAPS)
def test_wrong_gaps_are_named(cause, candidate):
    assert_told(checks.check_output_gaps(candidate), cause)


@given(st.floats(-3, 3).filter(lambda factor: abs(factor - 1) > 1e-3))
def test_any_other_multiple_of_the_gaps_is_rejected(factor):
    found = checks.check_output_gaps(lambda f, x, o: factor * gaps(f, x, o))
    assert found.state == "incorrect"


# a test that can fail


def gap(attend, x, order):
    return np.linalg.norm(attend(x[order]) - attend(x)[order][:, order])


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


def by_sorted_rows(attend, x):
    """Each pair of tokens keeps its weight, wherever the two stand."""
    weights, pairs = attend(x), [*np.ndindex(len(x), len(x))]
    for order in [exchanged(x), np.roll(np.arange(len(x)), 1)]:
        moved = attend(x[order])
        if any(abs(moved[i, j] - weights[order[i], order[j]]) > 1e-9 for i, j in pairs):
            return True
    return False


def moved_along(attend, x):
    return gap(attend, x, np.roll(np.arange(len(x)), 1)) > 1e-9


def one_word_twice(attend, x):
    twice = x.copy()
    twice[-1] = twice[0]
    return bool(meters.repeated_word_gap(attend(twice), 0, len(x) - 1) > 1e-9)


def one_word_everywhere(attend, x):
    return np.ptp(attend(np.tile(x[0], (len(x), 1)))) > 1e-9


@pytest.mark.parametrize(
    "candidate",
    [several_orders, by_sorted_rows],
)
def test_right_tests_of_order_are_accepted(candidate):
    assert_told(checks.check_sees_order(candidate), "")


def change_of_weights(attend, x):
    return meters.frobenius_difference(attend(x), attention.attention_weights(x, x)) > 1e-9


def entries(attend, x):
    return attend(x[exchanged(x)]), attend(x)


def other_norm(attend, x):
    moved, weights = entries(attend, x)
    return bool(abs(np.linalg.norm(moved) - np.linalg.norm(weights)) > 1e-9)


def other_sorted_entries(attend, x):
    moved, weights = entries(attend, x)
    return not np.allclose(np.sort(moved.ravel()), np.sort(weights.ravel()), rtol=0, atol=1e-9)


def other_diagonal(attend, x):
    moved, weights = entries(attend, x)
    return bool(abs(np.diag(moved).mean() - np.diag(weights).mean()) > 1e-9)


def not_even(attend, x):
    return bool(np.ptp(attend(np.zeros(x.shape))) > 1e-9)


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
    ("self_hidden", one_word_twice),
    ("self_hidden", one_word_everywhere),
    ("self_hidden", not_even),
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
    ("missed", other_norm),
    ("missed", other_sorted_entries),
    ("missed", other_diagonal),
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
        (first_exchanged, "middle"),
        (one_exchange, "middle"),
        (moved_along, "circle"),
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
        return several_orders(attend, x) and not np.allclose(attend(x), arm(x), rtol=0, atol=1e-9)

    feedback = checks.check_sees_order(misses)
    assert_told(feedback, "missed")
    assert language.text(f"sight.{name}") in feedback.message


@given(st.floats(1e-12, 1e-5))
def test_any_sensible_threshold_will_do(threshold):
    def candidate(attend, x):
        orders = [exchanged(x), np.roll(np.arange(len(x)), 1)]
        return max(gap(attend, x, order) for order in orders) > threshold

    assert checks.check_sees_order(candidate).state == "correct"


# the words


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("placebo", {cause for _, cause in PLACEBO}),
        ("chance", {cause for _, cause in CHANCES}),
        (
            "output_gaps",
            causes_of(WRONG_GAPS, test_checks_output_gaps.WRONG),
        ),
        (
            "sees_order",
            causes_of(WRONG_TESTS, test_checks_sees_order.WRONG),
        ),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
