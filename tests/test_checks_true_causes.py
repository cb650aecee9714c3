"""Causes that were claimed of answers which they do not describe, and what is said instead."""

import sys

import numpy as np
import pytest

from course_utils import beyond, checks
from course_utils.checks import encodings
from course_utils.encoding import (
    angular_frequencies,
    rotation_matrix,
    sinusoidal_positional_encoding,
)


def halves(n, d):
    return encodings.halves(sinusoidal_positional_encoding(n, d))


def angles(n, d):
    return np.outer(np.arange(n), angular_frequencies(d))


IN_HALVES = {
    "swapped": lambda n, d: np.roll(halves(n, d), d // 2, axis=1),
    "sine_only": lambda n, d: np.hstack(2 * [np.sin(angles(n, d))]),
    "cosine_missing": lambda n, d: np.hstack([np.sin(angles(n, d)), 0 * angles(n, d)]),
    "zero_row": lambda n, d: halves(n, d) * (np.arange(n)[:, None] > 0),
    "below": lambda n, d: np.vstack([np.sin(angles(n, d)), np.cos(angles(n, d))]),
}


@pytest.mark.parametrize(("cause", "answer"), IN_HALVES.items())
def test_halves_are_spoken_of_as_halves(cause, answer):
    feedback = checks.check_encoding(answer, layout="halves")
    assert feedback.cause == cause
    assert not any(words in feedback.message for words in ("0::2", "even", "odd", "0, 1, 0, 1"))


def test_what_is_right_in_halves_is_not_told_another_row_0():
    assert "0, 1, 0" not in checks.check_encoding(halves, layout="halves").message


def with_slow_sine(row, other):
    return round((other[6] - row[6]) / 0.001)


def with_fast_hand(row, other):
    turned = np.arctan2(other[2], other[3]) - np.arctan2(row[2], row[3])
    return round(((turned + np.pi) % (2 * np.pi) - np.pi) / 0.1)


def ahead_only(row, other):
    k = np.arange(1001)[:, None] * angular_frequencies(8)
    s, c = row[0::2], row[1::2]
    ahead = np.stack([s * np.cos(k) + c * np.sin(k), c * np.cos(k) - s * np.sin(k)], axis=2)
    return int(np.argmin(np.abs(ahead.reshape(1001, 8) - other).sum(axis=1)))


STEPS = {with_slow_sine: "sine", with_fast_hand: "wraps", ahead_only: "forward_only"}


@pytest.mark.parametrize(("answer", "cause"), STEPS.items())
def test_a_hand_comes_round_only_if_it_does(answer, cause):
    assert checks.check_steps_between(answer).cause == cause


def differs(rows, other):
    return not np.allclose(rows, other)


def random_words(add):
    x = np.random.RandomState(0).randn(3, 4, 16)
    rows = add(x) - x
    return [axis for axis, r in ((0, rows[1, 0]), (1, rows[0, 1])) if differs(rows[0, 0], r)]


def one_sentence(add):
    rows = add(np.ones((1, 4, 16)))
    return [1] if differs(rows[0, 0], rows[0, 1]) else [0]


def either_or(add):
    rows = add(np.ones((3, 4, 16)))
    return [1] if differs(rows[0, 0], rows[0, 1]) else [0]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [(random_words, "words_remain"), (one_sentence, "one_sentence"), (either_or, "either_or")],
)
def test_a_misjudged_adder_is_told_its_own_cause(answer, cause):
    assert checks.check_position_axes(answer).cause == cause


@pytest.mark.parametrize("answer", ["(batch, seq_len)", ["1"]])
def test_words_are_no_axes(answer):
    assert checks.check_position_axes(lambda add: answer).cause == "not_axes"


def test_two_words_back_is_not_told_one_cause_of_two():
    message = checks.check_look_ahead(lambda d: rotation_matrix(2, d)).message
    assert message == checks.check_look_ahead(lambda d: rotation_matrix(-2, d).T).message
    assert "wrong way" in message


def test_a_tie_is_not_taken_for_a_look_at_itself():
    assert checks.check_square_head([[0, -1, -1], [0, 2, 0], [0, 0, 0]]).cause == "tie"
    assert checks.check_square_head([[0, 0, -1], [0, 2, 0], [-1, 0, 0]]).cause == "itself"


def test_a_mask_that_is_added_is_named():
    def added(q, k, v, mask):
        scores = np.exp(q @ k.T / np.sqrt(q.shape[1]) + mask)
        weights = scores / scores.sum(axis=1, keepdims=True)
        return weights @ v, weights

    assert checks.check_attention(added).cause == "mask_added"


def test_speeds_of_almost_a_fixed_factor_are_told_both_ends():
    assert "9.901 … 10" in checks.check_speeds([1, 0.1, 0.0101]).message


def test_a_fixed_factor_is_seen_where_every_speed_stands_twice():
    assert checks.check_speeds([1.0, 1.0, 0.1, 0.1, 0.01, 0.01]).cause == "fixed_factor"


def test_speeds_that_fall_too_little_at_first_are_not_told_of_the_last_decade():
    assert checks.check_speeds([1.0] * 8 + [0.1, 0.004]).cause == "near_is_lost"


def test_one_row_keeps_its_axis():
    assert checks.check_encoding(lambda n, d: halves(n, d).squeeze(), layout="halves").cause


def test_numbers_on_the_wrong_side_are_told_why():
    assert checks.check_score_deviation(-16).cause == "negative"
    assert checks.check_base((1e6 / (2 * np.pi)) ** (-16 / 14)).cause == "below_1"


def in_float32(q, k, v, mask):
    scores = q.astype(np.float32) @ k.astype(np.float32).T / np.float32(np.sqrt(q.shape[1]))
    weights = np.exp(
        np.where(mask, scores, -np.inf)
        - scores.max(axis=1, keepdims=True, where=mask, initial=-np.inf)
    )
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ v.astype(np.float32), weights


def test_float32_will_do_where_scores_are_large():
    assert checks.check_attention(in_float32).state == "correct"


def of_one_block(d_model):
    turn = np.eye(d_model)
    turn[:2, :2] = rotation_matrix(-2, d_model)[:2, :2]
    return turn


def of_other_hands(d_model):
    omega = 10_000.0 ** (-np.arange(d_model // 2) / d_model)
    turn = np.kron(np.diag(np.cos(2 * omega)), np.eye(2))
    return turn + np.kron(np.diag(np.sin(2 * omega)), [[0, -1], [1, 0]])


@pytest.mark.parametrize("answer", [of_one_block, of_other_hands])
def test_a_step_is_claimed_only_if_it_is_taken_at_every_width(answer):
    assert checks.check_look_ahead(answer).cause == "some_rows"


@pytest.mark.parametrize("first", [-2, -4])
def test_a_parabola_that_opens_downwards_is_not_told_to(first):
    """The peak is at `first / 2 - p`, before the first key, so every row looks at an end."""
    feedback = checks.check_square_head([[0, first, -1], [0, -2, 0], [0, 0, 0]])
    assert feedback.cause == "misplaced"
    assert f"r = {first / 2 - 2:g}" in feedback.message


def test_a_matrix_that_is_right_transposed_need_not_look_ahead():
    feedback = checks.check_square_head(np.transpose([[5, -2, -1], [7, 2, 0], [-3, 0, 0]]))
    assert feedback.cause == "transposed"
    assert "ahead" not in feedback.message


def moved_only(attend, x):
    order = np.roll(np.arange(len(x)), 1)
    return bool(np.abs(attend(x[order]) - attend(x)).max() > 1e-9)


def test_what_misses_a_head_by_position_is_not_said_to_say_true_to_all():
    feedback = checks.check_sees_order(moved_only)
    assert feedback.cause == "always_true"
    assert "everything" not in feedback.message


def test_a_peak_that_drifts_is_found_in_a_long_sentence():
    assert checks.check_square_head([[0, -2, -1], [0, 1.9998, 0], [0, 0, 0]]).cause == "misplaced"


def wrong_way(layer, x, order):
    return np.linalg.norm(layer(x[:, order])[:, order] - layer(x), axis=(1, 2))


def axes_kept(layer, x, order):
    return np.linalg.norm(layer(x[:, order]) - layer(x)[:, order], axis=(1, 2), keepdims=True)


def test_outputs_are_spoken_of_as_they_are():
    assert "or the other way round" in checks.check_output_gaps(wrong_way).message
    assert "keepdims" in checks.check_output_gaps(axes_kept).message
    one = checks.check_output_gaps(lambda f, x, o: axes_kept(f, x, o).sum(keepdims=True))
    assert one.cause == "one_for_all"


def sums_of_rows(attend, x):
    moved = attend(x[::-1]).sum(axis=1)
    return bool(np.abs(moved - attend(x).sum(axis=1)).max() > 1e-9)


def test_a_test_that_never_says_yes_is_not_called_inverted():
    assert checks.check_sees_order(sums_of_rows).cause == "always_false"


def test_shares_in_place_of_booleans_stand_in_the_right_places():
    def shares(seq_len, width):
        mask = np.tri(seq_len) - np.tri(seq_len, k=-width)
        return mask / mask.sum(axis=1, keepdims=True)

    assert checks.check_window_mask(shares).cause == "not_boolean"


def test_a_function_that_wants_other_lengths_is_told_of_the_lengths():
    def sorts(x, lengths):
        lengths.sort()
        return x

    message = checks.check_add_positions(sorts).message
    assert "`lengths`" in message
    assert "x.copy" not in message


def test_exchanged_arguments_are_among_what_a_turned_pair_is_told():
    def reads(total, pe, words):
        distances = np.square(words[:, None] + pe - total).sum(axis=2)
        return np.unravel_index(distances.argmin(), distances.shape)

    assert "`total, words, pe`" in checks.check_read_pair(reads).message


def test_the_module_does_not_do_an_exercise_by_another_name():
    def helped(x, start):
        def turn(*given):
            return beyond.rotate(*given, layout="halves")

        return turn(x, 10_000.0, start)

    assert checks.check_rope(helped).cause == "calls_the_module"
    assert checks.check_slopes(lambda n: [*beyond.alibi_slopes(n)]).cause == "calls_the_module"


def test_the_profiler_of_a_learner_is_kept():
    def mine(*_):
        pass

    sys.setprofile(mine)
    try:
        checks.check_rope(lambda x, start: x)
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)


def test_slopes_are_asked_where_five_lie_between():
    def at_most_four(n):
        power = 2 ** (n.bit_length() - 1)
        return [*beyond.alibi_slopes(power), *beyond.alibi_slopes(2 * power)[:8:2][: n - power]]

    assert checks.check_slopes(at_most_four).cause == "shape"


def test_a_factor_is_told_the_energy_that_it_gives():
    assert "0.25" in checks.check_even_factor(0.5).message
