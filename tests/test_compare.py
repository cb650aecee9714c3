"""The metrics: what each sees, what it is blind to, and bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.attention import attention_weights, softmax
from course_utils.compare import (
    energy_share,
    frobenius_difference,
    order_gap,
    repeated_word_gap,
    score_terms,
    shift_gap,
)
from course_utils.encoding import sinusoidal_positional_encoding

seeds = st.integers(0, 10_000)


def draw(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape)


def sentence(seed, n=6, d_model=8):
    """Tokens of which the first and the last are the same word, and two projections."""
    rng = np.random.RandomState(seed)
    x = rng.randn(n, d_model)
    x[-1] = x[0]
    w_q, w_k = rng.randn(2, d_model, d_model) / math.sqrt(d_model)
    return x, w_q, w_k, rng.permutation(n)


def attend_with(addition, w_q, w_k):
    return lambda x: attention_weights((x + addition) @ w_q, (x + addition) @ w_k)


def assert_refused(call, error, *parts):
    with pytest.raises(error) as raised:
        call()
    message = str(raised.value)
    assert type(raised.value) is error
    assert "\n" not in message
    for part in parts:
        assert part in message, message


# frobenius_difference


def test_frobenius_by_hand():
    assert frobenius_difference([[1, 2], [3, 4]], [[1, 0], [0, 0]]) == pytest.approx(
        math.sqrt(29), abs=1e-12
    )


@given(seed=seeds, n=st.integers(1, 8))
def test_frobenius_of_weights_is_bounded(seed, n):
    weights, other = softmax(5 * draw(2, n, n, seed=seed))
    difference = frobenius_difference(weights, other)
    assert 0 <= difference <= math.sqrt(2 * n) + 1e-12
    assert difference == pytest.approx(frobenius_difference(other, weights), abs=1e-12)
    assert frobenius_difference(weights, weights) == 0


def test_the_bound_is_reached():
    difference = frobenius_difference(np.eye(4), np.eye(4)[::-1])
    assert difference == pytest.approx(math.sqrt(8), abs=1e-12)


# order_gap and repeated_word_gap: what Frobenius cannot tell apart


@given(seeds)
def test_without_positions_no_order_is_seen(seed):
    x, w_q, w_k, order = sentence(seed)
    assert order_gap(attend_with(0, w_q, w_k), x, order) < 1e-9
    assert repeated_word_gap(attend_with(0, w_q, w_k)(x), 0, 5) < 1e-9


@given(seeds)
def test_one_vector_for_all_passes_frobenius_and_carries_no_order(seed):
    x, w_q, w_k, order = sentence(seed)
    placebo = attend_with(draw(8, seed=seed + 1), w_q, w_k)
    assert order_gap(placebo, x, order) < 1e-9
    assert repeated_word_gap(placebo(x), 0, 5) < 1e-9
    assert frobenius_difference(placebo(x), attend_with(0, w_q, w_k)(x)) > 0.01


@given(seeds)
def test_with_positions_order_is_seen(seed):
    x, w_q, w_k, _ = sentence(seed)
    attend = attend_with(sinusoidal_positional_encoding(6, 8), w_q, w_k)
    assert order_gap(attend, x, range(6)[::-1]) > 1e-3
    assert repeated_word_gap(attend(x), 0, 5) > 1e-3
    assert order_gap(attend, x, range(6)) < 1e-9


def test_order_gap_by_hand():
    def looks_at_the_first(x):
        return np.tile([1.0, 0.0], (2, 1))

    assert order_gap(looks_at_the_first, np.eye(2), [1, 0]) == pytest.approx(2, abs=1e-12)


def test_order_gap_protects_the_tokens():
    def overwrites(x):
        x[:] = 0
        return np.eye(len(x))

    x = draw(3, 4)
    before = x.copy()
    order_gap(overwrites, x, [2, 0, 1])
    assert (x == before).all()


def test_repeated_word_gap_by_hand():
    weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
    assert repeated_word_gap(weights, 0, 1) == pytest.approx(math.sqrt(2), abs=1e-12)
    assert repeated_word_gap(weights, 2, 0) == pytest.approx(math.sqrt(0.5), abs=1e-12)
    assert repeated_word_gap(weights, 1, 1) == 0


# shift_gap


@given(seq_len=st.integers(1, 60), pairs=st.integers(1, 16), base=st.floats(1, 1e5))
def test_shift_gap_of_the_encoding_is_0(seq_len, pairs, base):
    assert shift_gap(sinusoidal_positional_encoding(seq_len, 2 * pairs, base)) < 1e-10


def test_shift_gap_sees_what_is_shuffled_or_random():
    pe = sinusoidal_positional_encoding(8, 16)
    assert shift_gap(pe[np.random.RandomState(1).permutation(8)]) > 0.5
    assert shift_gap(draw(8, 16)) > 0.5
    assert shift_gap(np.tile(pe[3], (8, 1))) < 1e-10


def test_shift_gap_by_hand():
    assert shift_gap([[1.0], [2.0], [4.0]]) == pytest.approx(15, abs=1e-12)  # 1, 4, 16
    assert shift_gap([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]) == 0


# score_terms


@given(seed=seeds, n=st.integers(1, 6), d_model=st.integers(1, 8), d_k=st.integers(1, 8))
def test_the_four_terms_add_up_to_the_scores(seed, n, d_model, d_k):
    rng = np.random.RandomState(seed)
    x, pe = rng.randn(2, n, d_model)
    w_q, w_k = rng.randn(2, d_model, d_k)
    terms = score_terms(x, pe, w_q, w_k)
    assert list(terms) == [
        "content_content",
        "content_position",
        "position_content",
        "position_position",
    ]
    scores = ((x + pe) @ w_q) @ ((x + pe) @ w_k).T / math.sqrt(d_k)
    np.testing.assert_allclose(sum(terms.values()), scores, rtol=1e-12, atol=1e-12)
    alone = (x @ w_q) @ (x @ w_k).T / math.sqrt(d_k)
    np.testing.assert_allclose(terms["content_content"], alone, rtol=1e-12, atol=1e-12)
    asked = (pe @ w_q) @ (x @ w_k).T / math.sqrt(d_k)
    np.testing.assert_allclose(terms["position_content"], asked, rtol=1e-12, atol=1e-12)


def test_the_terms_make_the_weights():
    rng = np.random.RandomState(3)
    x, pe = rng.randn(5, 8), sinusoidal_positional_encoding(5, 8)
    w_q, w_k = rng.randn(2, 8, 4)
    weights = softmax(sum(score_terms(x, pe, w_q, w_k).values()))
    wanted = attention_weights((x + pe) @ w_q, (x + pe) @ w_k)
    np.testing.assert_allclose(weights, wanted, rtol=0, atol=1e-12)


# energy_share


def test_energy_share_by_hand():
    assert energy_share([[3.0, 0.0]], [[0.0, 4.0]]) == pytest.approx(0.64, abs=1e-12)
    assert energy_share([[1.0, 1.0]], [[0.0, 0.0]]) == 0
    assert energy_share([[0.0, 0.0]], [[0.0, 1.0]]) == 1


@given(seed=seeds, scale=st.floats(0.01, 100))
def test_energy_share_grows_with_the_scale_of_the_encoding(seed, scale):
    x, pe = draw(2, 6, 8, seed=seed)
    share = energy_share(x, scale * pe)
    assert 0 < share < 1
    assert energy_share(x, 1.1 * scale * pe) > share
    assert energy_share(1.1 * x, 1.1 * scale * pe) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_energy_share_of_narrow_types_does_not_overflow(dtype):
    x, pe = 300 * draw(5, 8), 300 * draw(5, 8, seed=1)
    share = energy_share(x.astype(dtype), pe.astype(dtype))
    assert share == pytest.approx(energy_share(x, pe), abs=1e-3)


def test_a_sentence_counts_the_same_alone_and_in_a_batch():
    x, pe = draw(5, 8), sinusoidal_positional_encoding(5, 8)
    batch = np.stack([x, x, x])
    assert energy_share(batch, pe) == pytest.approx(energy_share(x, pe), abs=1e-12)


def test_metrics_return_floats_and_change_nothing():
    x, w_q, w_k, order = sentence(0)
    pe = sinusoidal_positional_encoding(6, 8)
    arrays = [x, w_q, w_k, pe]
    before = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    attend = attend_with(0, w_q, w_k)
    found = [
        frobenius_difference(np.asfortranarray(x), pe),
        order_gap(attend, x, order),
        repeated_word_gap(attend(x), 0, 5),
        shift_gap(np.asfortranarray(pe)),
        energy_share(x, pe),
    ]
    score_terms(x, pe, w_q, w_k)
    assert [type(value) for value in found] == [float] * 5
    for array, copy in zip(arrays, before, strict=True):
        assert (array == copy).all()


# what is refused

X = draw(3, 4)
SQUARE = np.eye(4)


@pytest.mark.parametrize(
    ("call", "error", "parts"),
    [
        (lambda: frobenius_difference(X, X.T), ValueError, ["other", "(3, 4)", "(4, 3)"]),
        (lambda: frobenius_difference(X[0], X), ValueError, ["weights", "2 axes", "(4,)"]),
        (lambda: frobenius_difference(X, "x"), TypeError, ["other", "'x' (str)"]),
        (lambda: frobenius_difference(X, X * math.nan), ValueError, ["other", "nan", "[0, 0]"]),
        (lambda: order_gap(X, X, [0, 1, 2]), TypeError, ["attend", "function"]),
        (lambda: order_gap(attention_weights, X, [0, 1]), ValueError, ["order", "0 to 2"]),
        (lambda: order_gap(attention_weights, X, [0, 1, 1]), ValueError, ["order", "range(3)"]),
        (lambda: order_gap(attention_weights, X, [0.0, 1.0, 2.0]), TypeError, ["order"]),
        (lambda: order_gap(attention_weights, X, None), TypeError, ["order"]),
        (lambda: order_gap(attention_weights, X, [[0, 1, 2]]), ValueError, ["order"]),
        (lambda: order_gap(attention_weights, X[:1], 0), ValueError, ["order", "range(1)"]),
        (lambda: order_gap(lambda x: x, X, [0, 2, 1]), ValueError, ["attend(x)", "(3, 3)"]),
        (lambda: order_gap(lambda x: None, X, [0, 2, 1]), TypeError, ["attend(x)"]),
        (lambda: repeated_word_gap(X, 0, 3), ValueError, ["j", "0 to 2", "got 3"]),
        (lambda: repeated_word_gap(X, -1, 0), ValueError, ["i", "got -1"]),
        (lambda: repeated_word_gap(X, 0.0, 1), TypeError, ["i", "0.0 (float)"]),
        (lambda: shift_gap(X[0]), ValueError, ["pe", "2 axes"]),
        (lambda: shift_gap(np.broadcast_to(1.0, (10**5, 1))), ValueError, ["pe", "GiB"]),
        (lambda: score_terms(X, X[:2], SQUARE, SQUARE), ValueError, ["pe", "(3, 4)", "(2, 4)"]),
        (lambda: score_terms(X, X, SQUARE, SQUARE[:, :2]), ValueError, ["w_k", "(4, 4)", "(4, 2)"]),
        (lambda: score_terms(X, X, np.eye(3), np.eye(3)), ValueError, ["w_q", "(4, 3)"]),
        (lambda: energy_share(X, X[:2]), ValueError, ["pe", "(3, 4)", "(2, 4)"]),
        (lambda: energy_share(0 * X, 0 * X), ValueError, ["zero"]),
    ],
)
def test_bad_input_is_named(call, error, parts):
    assert_refused(call, error, *parts)
