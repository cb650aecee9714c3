"""Chapter 3: right answers pass in every form, and each usual mistake is named."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import attention, checks
from course_utils.encoding import rotation_matrix, sinusoidal_positional_encoding
from tests.told import assert_told, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


# predictions

LOOKS = [
    ("cat", ""),
    ("`cat`", "not_a_choice"),
    (" Cat. ", ""),
    ("itself", ""),
    ("the", "the"),
    ("chased", "another_word"),
    ("dog", "another_word"),
    ("all alike", "all_alike"),
    ("All the same", "all_alike"),
    ("mouse", "not_a_choice"),
    (1, "not_a_choice"),
    ("", "not_attempted"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), LOOKS)
def test_most_attended(answer, cause):
    assert_told(checks.check_most_attended(answer), cause)


DEVIATIONS = [
    (16, ""),
    (16.1, ""),
    (15.4, ""),
    (16.75, ""),
    (250, "variance"),
    (22.0, "two_widths"),
    (0.98, "scaled"),
    (-0.31, "mean"),
    (np.float32(15.95), ""),
    (np.array([16]), ""),
    (256, "variance"),
    (256.5, "variance"),
    (1, "scaled"),
    (1 / 16, "factor"),
    (1 / 256, "inverse"),
    (0.5, "too_small"),
    (4, "two_roots"),
    (128, "half"),
    (22.6, "two_widths"),
    (0, "mean"),
    (15.1, "too_small"),
    (16.9, "too_large"),
    (-16, "negative"),
    (15, "too_small"),
    (17, "too_large"),
    (65_536, "too_large"),
    ("16", "not_an_array"),
    ([16, 16], "not_a_number"),
    (True, "not_a_number"),
    (math.inf, "not_finite"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), DEVIATIONS)
def test_score_deviation(answer, cause):
    assert_told(checks.check_score_deviation(answer), cause)


@given(st.floats(-1e4, 1e4).filter(lambda value: abs(value - 16) > 0.801))
def test_any_other_deviation_is_rejected(value):
    assert checks.check_score_deviation(value).state == "incorrect"


# attention


def attend(q, k, v, mask, scale=None, weigh=None):
    scale = 1 / math.sqrt(q.shape[1]) if scale is None else scale
    weights = (weigh or hide)(q @ k.T * scale, mask)
    return weights @ v, weights


def hide(scores, mask):
    return attention.softmax(np.where(mask, scores, -np.inf))


def by_loops(q, k, v, mask):
    weights = np.zeros((len(q), len(k)))
    for query in range(len(q)):
        for key in range(len(k)):
            if mask[query, key]:
                weights[query, key] = math.exp(q[query] @ k[key] / math.sqrt(len(q[0])))
        weights[query] /= weights[query].sum()
    return weights @ v, weights


def masked_after_and_shared_out_again(q, k, v, mask):
    weights = attention.attention_weights(q, k) * mask
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights


@pytest.mark.parametrize(
    "candidate",
    [
        attention.scaled_dot_product_attention,
        attend,
        masked_after_and_shared_out_again,
        lambda q, k, v, mask: list(attend(q, k, v, mask)),
        lambda q, k, v, mask: tuple(part.tolist() for part in attend(q, k, v, mask)),
        lambda q, k, v, mask: tuple(part.astype(np.float32) for part in attend(q, k, v, mask)),
        lambda q, k, v, mask: attend(
            q, k, v, mask, weigh=lambda s, m: attention.softmax(np.where(m, s, -1e9))
        ),
        lambda q, k, v, mask: attend(
            q, k, v, mask, weigh=lambda s, m: attention.softmax(s + np.where(m, 0, -1e9))
        ),
    ],
)
def test_right_attentions_are_accepted(candidate):
    assert_told(checks.check_attention(candidate), "")


def scaled(scale):
    return lambda q, k, v, mask: attend(q, k, v, mask, scale=scale(q, k, v))


def weighed(weigh):
    return lambda q, k, v, mask: attend(q, k, v, mask, weigh=weigh)


def product(multiply):
    def candidate(q, k, v, mask):
        weights = hide(multiply(q, k) / math.sqrt(q.shape[1]), mask)
        return weights @ v, weights

    return candidate


def averaged(average):
    def candidate(q, k, v, mask):
        weights = attend(q, k, v, mask)[1]
        return average(weights, q, k, v), weights

    return candidate


def own_causal_mask(q, k, v, mask):
    return attend(q, k, v, attention.causal_mask(len(q)))


def own_lower_triangle(q, k, v, mask):
    return attend(q, k, v, np.tri(len(q), len(k), dtype=bool))


def own_lower_triangle_from_the_end(q, k, v, mask):
    return attend(q, k, v, np.tri(len(q), len(k), len(k) - len(q), dtype=bool))


def lower_triangle_after(q, k, v, mask):
    weights = np.tril(attention.attention_weights(q, k))
    return weights @ v, weights


def exchanged(q, k, v, mask):
    weights = hide(k @ q.T / math.sqrt(q.shape[1]), mask)
    return weights @ v, weights


def exchanged_without_a_mask(q, k, v, mask):
    weights = attention.softmax(k @ q.T / math.sqrt(q.shape[1]))
    return weights @ v, weights


def only_the_product(multiply):
    def candidate(q, k, v, mask):
        return attention.softmax(multiply(q, k)) @ v

    return candidate


def fills_the_caller(q, k, v, mask):
    k /= math.sqrt(q.shape[1])
    return attend(q, k, v, mask, scale=1)


WRONG_ATTENTIONS = [
    ("overflow", by_loops),
    ("no_scale", scaled(lambda q, k, v: 1)),
    ("times", scaled(lambda q, k, v: math.sqrt(q.shape[1]))),
    ("no_root", scaled(lambda q, k, v: 1 / q.shape[1])),
    ("other_scale", scaled(lambda q, k, v: 1 / math.sqrt(len(q)))),
    ("other_scale", scaled(lambda q, k, v: 1 / math.sqrt(len(k)))),
    ("other_scale", scaled(lambda q, k, v: 1 / math.sqrt(v.shape[1]))),
    ("axis_0", weighed(lambda s, m: attention.softmax(np.where(m, s, -1e9), axis=0))),
    ("axis_0", weighed(lambda s, m: attention.softmax(s, axis=0))),
    ("not_transposed", product(lambda q, k: q @ k)),
    ("not_transposed", product(lambda q, k: q.T @ k)),
    ("mask_after", weighed(lambda s, m: np.where(m, attention.softmax(s), 0))),
    ("mask_after", weighed(lambda s, m: attention.softmax(s) * m)),
    ("mask_inverted", weighed(lambda s, m: hide(s, ~m))),
    ("mask_inverted", weighed(lambda s, m: np.where(m, 0, attention.softmax(s)))),
    ("mask_ignored", weighed(lambda s, m: attention.softmax(s))),
    ("mask_zero", weighed(lambda s, m: attention.softmax(s * m))),
    ("mask_added", weighed(lambda s, m: attention.softmax(s + m))),
    ("not_softmax", weighed(lambda s, m: s)),
    ("not_softmax", weighed(lambda s, m: s * m)),
    ("not_softmax", weighed(lambda s, m: np.where(m, s, -np.inf))),
    ("only_weights", lambda q, k, v, mask: attend(q, k, v, mask)[1]),
    ("only_output", lambda q, k, v, mask: attend(q, k, v, mask)[0]),
    ("swapped_order", lambda q, k, v, mask: attend(q, k, v, mask)[::-1]),
    ("not_two", lambda q, k, v, mask: (*attend(q, k, v, mask), mask)),
    ("not_two", lambda q, k, v, mask: 0.5),
    ("values_unused", averaged(lambda w, q, k, v: w @ k)),
    ("values_unused", averaged(lambda w, q, k, v: v)),
    ("weights_transposed", averaged(lambda w, q, k, v: w.T @ v)),
    ("own_mask", own_causal_mask),
    ("own_mask", own_lower_triangle),
    ("own_mask", own_lower_triangle_from_the_end),
    ("own_mask", lower_triangle_after),
    ("not_transposed", product(lambda q, k: k @ q)),
    ("not_transposed", product(lambda q, k: np.dot(q, k))),
    ("product", only_the_product(lambda q, k: q @ k)),
    ("product", only_the_product(np.dot)),
    ("product", lambda q, k, v, mask: attend(q, k, v, mask, weigh=lambda s, m: s @ q @ k)),
    ("exchanged", exchanged),
    ("exchanged+mask_ignored", exchanged_without_a_mask),
    ("exchanged", lambda k, q, v, mask: attend(q, k, v, mask)),
    ("rounded", weighed(lambda s, m: hide(s, m).round(4))),
    ("rounded", averaged(lambda w, q, k, v: (w @ v).round(3))),
    ("half_precision", weighed(lambda s, m: hide(s, m).astype(np.float16))),
    ("square_only", averaged(lambda w, q, k, v: w @ v + 0 * q @ k)),
    ("weights_shape", lambda q, k, v, mask: (attend(q, k, v, mask)[0], np.ones((6, 4)))),
    ("output_shape", averaged(lambda w, q, k, v: (w @ v)[0])),
    ("output", averaged(lambda w, q, k, v: 2 * w @ v)),
    ("output", averaged(lambda w, q, k, v: attention.attention_weights(q, k) @ v)),
    ("weights", weighed(lambda s, m: hide(s + 0.1 * np.arange(s.shape[1]), m))),
    ("changed_input", fills_the_caller),
    ("raised", lambda q, k, v, mask: attend(q, k, v, mask, weigh=lambda s, m: s @ 1)),
    ("not_finite", weighed(lambda s, m: s / 0)),
    ("not_two", lambda q, k, v, mask: "weights"),
    ("not_an_array", lambda q, k, v, mask: ("output", "weights")),
    ("not_attempted", lambda q, k, v, mask: [[...], 1, 2]),
    ("not_attempted", lambda q, k, v, mask: (..., ...)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_ATTENTIONS)
def test_wrong_attentions_are_named(cause, candidate):
    assert_told(checks.check_attention(candidate), cause)


@given(st.floats(0.1, 3).filter(lambda factor: abs(factor - 1) > 1e-3))
def test_any_other_scale_is_rejected(factor):
    candidate = scaled(lambda q, k, v: factor / math.sqrt(q.shape[1]))
    assert checks.check_attention(candidate).state == "incorrect"


@given(row=st.integers(0, 3), column=st.integers(0, 4), by=st.floats(1e-3, 1))
def test_any_changed_output_is_rejected(row, column, by):
    def changed(q, k, v, mask):
        output, weights = attend(q, k, v, mask)
        output[row % len(output), column % len(output[0])] += by
        return output, weights

    assert_told(checks.check_attention(changed), "output")


# the head that looks two words ahead


def noisy(d_model):
    noise = np.random.RandomState(0).randn(d_model, d_model)
    return rotation_matrix(2, d_model).T + 1e-4 * noise


def fitted(d_model):
    pe = sinusoidal_positional_encoding(60, d_model)
    return np.linalg.lstsq(pe[:-2], pe[2:], rcond=None)[0]


@pytest.mark.parametrize(
    "candidate",
    [
        lambda d_model: rotation_matrix(2, d_model).T,
        lambda d_model: rotation_matrix(-2, d_model),
        lambda d_model: 20 * rotation_matrix(2, d_model).T,
        lambda d_model: np.linalg.matrix_power(rotation_matrix(1, d_model).T, 2),
        lambda d_model: np.linalg.inv(rotation_matrix(2, d_model)),
        lambda d_model: rotation_matrix(2, d_model).T.tolist(),
        lambda d_model: rotation_matrix(2, d_model).T.astype(np.float32),
        noisy,
        fitted,
    ],
)
def test_right_heads_are_accepted(candidate):
    assert_told(checks.check_look_ahead(candidate), "")


def in_halves(d_model):
    order = np.r_[0:d_model:2, 1:d_model:2]
    return rotation_matrix(2, d_model).T[np.ix_(order, order)]


WRONG_HEADS = [
    ("looks_back", lambda d_model: rotation_matrix(2, d_model)),
    ("looks_back", lambda d_model: rotation_matrix(-2, d_model).T),
    ("one_ahead", lambda d_model: rotation_matrix(1, d_model).T),
    ("one_back", lambda d_model: rotation_matrix(1, d_model)),
    ("itself", np.eye),
    ("other_step", lambda d_model: rotation_matrix(3, d_model).T),
    ("zeros", lambda d_model: np.zeros((d_model, d_model))),
    ("opposite", lambda d_model: -rotation_matrix(2, d_model).T),
    ("halves", in_halves),
    ("some_rows", lambda d_model: np.ones((d_model, d_model))),
    ("outer_d_model", lambda d_model: rotation_matrix(2, 64).T),
    ("outer_d_model", lambda d_model: rotation_matrix(2, 16).T),
    ("shape", lambda d_model: sinusoidal_positional_encoding(40, d_model)),
    ("not_finite", lambda d_model: np.full((d_model, d_model), np.inf)),
    ("raised", lambda d_model: rotation_matrix(2).T),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_HEADS)
def test_wrong_heads_are_named(cause, candidate):
    assert_told(checks.check_look_ahead(candidate), cause)


@given(st.integers(-4, 4).filter(lambda offset: offset != 2), st.floats(0.1, 10))
def test_any_other_step_is_rejected(offset, factor):
    def candidate(d_model):
        return factor * rotation_matrix(offset, d_model).T

    assert checks.check_look_ahead(candidate).state == "incorrect"


# a window


def window(seq_len, width):
    return np.tri(seq_len, dtype=bool) & ~np.tri(seq_len, k=-width, dtype=bool)


def by_two_loops(seq_len, width):
    mask = np.zeros((seq_len, seq_len), dtype=bool)
    for query in range(seq_len):
        mask[query, max(0, query - width + 1) : query + 1] = True
    return mask


@pytest.mark.parametrize(
    "candidate",
    [
        window,
        by_two_loops,
        lambda n, width: window(n, width).tolist(),
        lambda n, width: places(n) // width == 0,
        lambda n, width: np.isin(places(n), range(width)),
        lambda n, width: np.tri(n, dtype=bool) ^ np.tri(n, k=-width, dtype=bool),
        lambda n, width: np.tril(np.triu(np.ones((n, n), dtype=bool), 1 - width)),
        lambda n, width: attention.causal_mask(n) & ~np.tri(n, k=-width, dtype=bool),
        lambda n, width: [[0 <= q - k < width for k in range(n)] for q in range(n)],
    ],
)
def test_right_windows_are_accepted(candidate):
    assert_told(checks.check_window_mask(candidate), "")


def one_more_true(seq_len, width):
    mask = window(seq_len, width)
    mask[0, 2:3] = True
    return mask


def places(n):
    return np.arange(n)[:, np.newaxis] - np.arange(n)


def by_slices(seq_len, width):
    mask = np.zeros((seq_len, seq_len), dtype=bool)
    for query in range(seq_len):
        mask[query, query - width + 1 : query + 1] = True
    return mask


WRONG_WINDOWS = [
    ("width_ignored", lambda n, width: np.tri(n, dtype=bool)),
    ("width_ignored", lambda n, width: attention.causal_mask(n)),
    ("one_more", lambda n, width: window(n, width + 1)),
    ("one_less", lambda n, width: window(n, width - 1)),
    ("itself_hidden", lambda n, width: window(n, width) & ~np.eye(n, dtype=bool)),
    ("itself_hidden", lambda n, width: window(n, width + 1) & ~np.eye(n, dtype=bool)),
    ("both_sides", lambda n, width: window(n, width) | window(n, width).T),
    ("future_open", lambda n, width: ~np.tri(n, k=-width, dtype=bool)),
    ("ahead", lambda n, width: window(n, width).T),
    ("inverted", lambda n, width: ~window(n, width)),
    ("not_boolean", lambda n, width: window(n, width) * 1.0),
    ("entry", one_more_true),
    ("added", lambda n, width: np.where(window(n, width), 0, -np.inf)),
    ("added", lambda n, width: np.where(window(n, width), 0, -1e9)),
    ("swapped_arguments", lambda width, n: window(n, width)),
    ("entry", lambda n, width: np.eye(n, dtype=bool)),
    ("far_past", lambda n, width: np.tril(np.ones((n, n), dtype=bool), -width)),
    ("fixed", lambda n, width: window(n, 3)),
    ("entry", lambda n, width: np.triu(np.ones((n, n), dtype=bool), 1 - width).T),
    ("both_sides", lambda n, width: np.abs(places(n)) <= width),
    ("both_sides", lambda n, width: np.abs(places(n)) <= width / 2),
    ("near_start", lambda n, width: places(n) % n < width),
    ("near_start", by_slices),
    ("inverted", lambda n, width: ~window(n, width).astype(bool)),
    ("entry", lambda n, width: ~window(n, width).T),
    ("entry", lambda n, width: places(n) % width == 0),
    ("entry", lambda n, width: np.zeros((n, n), dtype=bool)),
    ("entry", lambda n, width: np.ones((n, n), dtype=bool)),
    ("shape", lambda n, width: np.ones((n, width), dtype=bool)),
    ("iterator", lambda n, width: (row for row in window(n, width))),
    (
        "not_an_array",
        lambda n, width: [list(range(max(0, q + 1 - width), q + 1)) for q in range(n)],
    ),
    ("shape", lambda n, width: window(n + 1, width)),
    ("raised", lambda n, width: window(width)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_WINDOWS)
def test_wrong_windows_are_named(cause, candidate):
    assert_told(checks.check_window_mask(candidate), cause)


@given(seq_len=st.sampled_from([4, 5, 8, 9]), row=st.integers(0, 3), column=st.integers(0, 3))
def test_any_changed_place_is_rejected(seq_len, row, column):
    def changed(n, width):
        mask = window(n, width)
        if n == seq_len:
            mask[row, column] = not mask[row, column]
        return mask

    assert checks.check_window_mask(changed).state == "incorrect"


# rows (1, p, p squared)


def parabola(back, factor=1.0):
    """The projection for scores of ``-factor * (p - back - r) ** 2``."""
    return factor * np.array([[-(back**2), -2 * back, -1], [2 * back, 2, 0], [-1, 0, 0]])


@pytest.mark.parametrize(
    "answer",
    [
        parabola(1),
        parabola(1).astype(int).tolist(),
        parabola(1, 0.001),
        # what does not depend on the key may be anything
        parabola(1) + np.outer([5, -3, 1], [1, 0, 0]),
        # and the peak may grow sharper with the place
        [[0, -2, -1], [0, 2, 0], [0, 0, 0]],
        [[0, 0, 0], [0, -2, -1], [0, 2, 0]],
    ],
)
def test_right_squares_are_accepted(answer):
    assert_told(checks.check_square_head(answer), "")


WRONG_SQUARES = [
    ("zeros", np.zeros((3, 3))),
    ("transposed", parabola(1).T),
    ("farthest", -parabola(1)),
    ("itself", parabola(0)),
    ("other_step", parabola(2)),
    ("transposed", parabola(-1)),
    ("other_step", parabola(-2)),
    ("end", np.eye(3)),
    ("end", [[0, -1, 0], [0, 1, 0], [0, 0, 0]]),
    ("fixed", [[0, 60, -1], [0, 0, 0], [0, 0, 0]]),
    ("misplaced", [[0, -1, -1], [0, 1, 0], [0, 0, 0]]),
    ("no_peak", [[0, -2, -50], [0, 2, 1], [0, 0, 0]]),
    # two keys share the top
    ("tie", parabola(0.5)),
    ("misplaced", parabola(1.5)),
    ("shape", np.eye(4)),
    ("not_finite", np.full((3, 3), np.nan)),
    ("not_an_array", "R"),
    ("not_attempted", ...),
]


@pytest.mark.parametrize(("cause", "answer"), WRONG_SQUARES)
def test_wrong_squares_are_named(cause, answer):
    assert_told(checks.check_square_head(answer), cause)


@given(st.floats(-5, 5).filter(lambda back: abs(back - 1) > 0.5), st.floats(0.1, 10))
def test_any_other_peak_is_rejected(back, factor):
    assert checks.check_square_head(parabola(back, factor)).state == "incorrect"


# the words


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("most_attended", {cause for _, cause in LOOKS}),
        ("score_deviation", {cause for _, cause in DEVIATIONS}),
        ("window_mask", {cause for cause, _ in WRONG_WINDOWS}),
        ("square_head", {cause for cause, _ in WRONG_SQUARES}),
        ("look_ahead", {cause for cause, _ in WRONG_HEADS}),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
