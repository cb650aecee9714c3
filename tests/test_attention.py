"""Attention against the formula in loops, at its limits, and with bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course_utils.attention import (
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
    softmax,
)
from course_utils.encoding import sinusoidal_positional_encoding

finite = st.floats(-50, 50)
matrices = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=finite
)


def draw(*shape, seed=0, dtype=np.float64):
    return np.random.RandomState(seed).randn(*shape).astype(dtype)


def weights_by_loops(q, k, mask=None):
    weights = np.zeros((len(q), len(k)))
    for row in range(len(q)):
        scores = [
            sum(a * b for a, b in zip(q[row], k[col], strict=True)) / math.sqrt(len(q[row]))
            for col in range(len(k))
        ]
        kept = [mask is None or mask[row][col] for col in range(len(k))]
        largest = max(s for s, keep in zip(scores, kept, strict=True) if keep)
        grown = [
            math.exp(s - largest) if keep else 0.0 for s, keep in zip(scores, kept, strict=True)
        ]
        weights[row] = [value / sum(grown) for value in grown]
    return weights


def assert_refused(call, error, *parts):
    with pytest.raises(error) as raised:
        call()
    message = str(raised.value)
    assert type(raised.value) is error
    assert "\n" not in message
    for part in parts:
        assert part in message, message


# softmax


def test_softmax_by_hand():
    np.testing.assert_allclose(
        softmax([[0.0, math.log(3)], [5.0, 5.0]]), [[0.25, 0.75], [0.5, 0.5]], rtol=0, atol=1e-15
    )


@given(matrices)
def test_softmax_rows_sum_to_1_and_keep_their_order(scores):
    weights = softmax(scores)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
    by_definition = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(weights, by_definition, rtol=1e-12, atol=0)
    np.testing.assert_allclose(softmax(scores + 7), weights, rtol=1e-12, atol=0)


@pytest.mark.parametrize("factor", [1, 100, 1_000, 1e100])
def test_softmax_does_not_overflow(factor):
    with np.errstate(all="raise", under="ignore"):
        weights = softmax(factor * np.array([[1.0, 2.0, 3.0], [-3.0, -3.0, 1.0]]))
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert weights[0].argmax() == 2


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_softmax_along_any_axis(axis):
    scores = draw(2, 3, 4)
    weights = softmax(scores, axis=axis)
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=0, atol=1e-12)
    moved = softmax(np.moveaxis(scores, axis, -1))
    np.testing.assert_allclose(np.moveaxis(weights, axis, -1), moved, rtol=0, atol=1e-15)


def test_minus_infinity_means_not_this_one():
    assert softmax([[0.0, -math.inf], [-math.inf, 3.0]]).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("scores", "parts"),
    [
        ([[0.0, 1.0], [2.0, math.nan]], ["nan", "[1, 1]"]),
        ([[0.0, math.inf]], ["inf", "[0, 1]"]),
        ([[0.0, 1.0], [-math.inf, -math.inf]], ["row [1]", "masked"]),
        (-math.inf * np.ones(3), ["masked"]),
        ([], ["scores", "(0,)"]),
        (3.0, ["scores", "()"]),
    ],
)
def test_softmax_refuses(scores, parts):
    assert_refused(lambda: softmax(scores), ValueError, *parts)


@pytest.mark.parametrize("scores", ["ab", None, [[1], [1, 2]], 1j * np.ones(2), [object()]])
def test_softmax_refuses_what_is_no_array(scores):
    assert_refused(lambda: softmax(scores), TypeError, "scores", "array of real numbers")


def test_softmax_refuses_an_axis():
    assert_refused(lambda: softmax([[0.0]], axis=2), ValueError, "axis", "got 2", "-2 to 1")
    assert_refused(lambda: softmax([[0.0]], axis=0.5), TypeError, "axis", "0.5")


# weights and output


@given(
    n_queries=st.integers(1, 5),
    n_keys=st.integers(1, 5),
    d_k=st.integers(1, 6),
    seed=st.integers(0, 1000),
    masked=st.booleans(),
)
def test_the_formula_in_loops(n_queries, n_keys, d_k, seed, masked):
    rng = np.random.RandomState(seed)
    q, k, v = rng.randn(n_queries, d_k), rng.randn(n_keys, d_k), rng.randn(n_keys, 3)
    mask = None
    if masked:
        mask = rng.rand(n_queries, n_keys) < 0.5
        mask[:, rng.randint(n_keys)] = True
    wanted = weights_by_loops(q, k, mask)
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    np.testing.assert_allclose(weights, wanted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(output, wanted @ v, rtol=0, atol=1e-12)
    np.testing.assert_allclose(attention_weights(q, k, mask), wanted, rtol=0, atol=1e-12)
    if masked:
        assert (weights[~mask] == 0).all()


def test_the_handouts_true_numbers():
    words = np.random.RandomState(42).randn(4, 8).astype(np.float32)
    with_pe = words + sinusoidal_positional_encoding(4, 8)
    without, with_positions = attention_weights(words, words), attention_weights(with_pe, with_pe)
    np.testing.assert_allclose(without[0], [0.8550, 0.0226, 0.0190, 0.1034], rtol=0, atol=5e-5)
    np.testing.assert_allclose(
        with_positions[0], [0.9243, 0.0054, 0.0031, 0.0672], rtol=0, atol=5e-5
    )
    assert f"{np.linalg.norm(without - with_positions):.4f}" == "0.3200"


def test_inputs_a_thousand_times_larger():
    q = 1_000 * draw(5, 8)
    with np.errstate(all="raise", under="ignore"):
        weights = attention_weights(q, q)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (weights.argmax(axis=1) == (q @ q.T).argmax(axis=1)).all()
    np.testing.assert_allclose(weights.max(axis=1), 1, rtol=0, atol=1e-12)


def test_weights_are_not_symmetric_though_scores_are():
    x = draw(4, 8)
    weights = attention_weights(x, x)
    assert np.abs(weights - weights.T).max() > 0.01


@given(seed=st.integers(0, 1000))
def test_without_positions_attention_is_equivariant(seed):
    x, order = draw(6, 8, seed=seed), np.random.RandomState(seed).permutation(6)
    output, weights = scaled_dot_product_attention(x, x, x)
    permuted, permuted_weights = scaled_dot_product_attention(x[order], x[order], x[order])
    np.testing.assert_allclose(permuted, output[order], rtol=0, atol=1e-12)
    np.testing.assert_allclose(permuted_weights, weights[order][:, order], rtol=0, atol=1e-12)


# batches, masks, types


def test_batches_broadcast():
    q, k, v = draw(3, 1, 4, 8), draw(2, 5, 8, seed=1), draw(2, 5, 6, seed=2)
    output, weights = scaled_dot_product_attention(q, k, v)
    assert output.shape == (3, 2, 4, 6)
    assert weights.shape == (3, 2, 4, 5)
    for a in range(3):
        for b in range(2):
            alone = scaled_dot_product_attention(q[a, 0], k[b], v[b])
            np.testing.assert_allclose(output[a, b], alone[0], rtol=0, atol=1e-12)
            np.testing.assert_allclose(weights[a, b], alone[1], rtol=0, atol=1e-12)


def test_the_causal_mask_looks_back():
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    x = draw(2, 4, 8)
    weights = attention_weights(x, x, causal_mask(4))
    assert (weights[:, ~causal_mask(4)] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
    assert (weights[:, 0, 0] == 1).all()
    # what comes later cannot change what came before
    later = x.copy()
    later[:, 3] += 1
    changed = attention_weights(later, later, causal_mask(4))
    np.testing.assert_allclose(changed[:, :3], weights[:, :3], rtol=0, atol=1e-15)


@pytest.mark.parametrize("shape", [(5,), (1, 5), (4, 5), (3, 4, 5), (3, 1, 5), (4, 1)])
def test_masks_broadcast(shape):
    mask = np.ones(shape, bool)
    if shape[-1] == 5:
        mask[..., 2] = False
    q, k = draw(3, 4, 8), draw(5, 8, seed=1)
    weights = attention_weights(q, k, mask)
    full = np.broadcast_to(mask, (3, 4, 5))
    for b in range(3):
        wanted = weights_by_loops(q[b], k, full[b])
        np.testing.assert_allclose(weights[b], wanted, rtol=0, atol=1e-12)


# more numbers than one block of rows holds
LARGE = (3, 150, 180)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_softmax_of_many_rows(axis):
    scores = draw(*LARGE)
    wanted = np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)
    np.testing.assert_allclose(softmax(scores, axis), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [LARGE, LARGE[1:], (1, LARGE[2])])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_masks_of_many_rows(shape, dtype):
    mask = np.random.RandomState(1).rand(*shape) < 0.5
    q, k = draw(*LARGE[:2], 8, dtype=dtype), draw(LARGE[2], 8, seed=1, dtype=dtype)
    scores = np.where(mask, q @ k.T / math.sqrt(8), -np.inf)
    wanted = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(attention_weights(q, k, mask), wanted, rtol=0, atol=1e-6)


def test_a_fully_masked_row_far_down_is_named():
    x = draw(2, 300, 4)
    mask = np.ones((300, 300), bool)
    mask[290] = False
    assert_refused(lambda: attention_weights(x, x, mask), ValueError, "row [0, 290]", "masked")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_type_stays_as_it_came(dtype):
    x = draw(4, 8, dtype=dtype)
    output, weights = scaled_dot_product_attention(x, x, x, causal_mask(4))
    assert output.dtype == weights.dtype == dtype
    assert softmax(x).dtype == dtype


def test_whole_numbers_become_float64():
    weights = attention_weights([[1, 0]], [[1, 0], [0, 1]])
    assert weights.dtype == np.float64
    np.testing.assert_allclose(weights, softmax([[1 / math.sqrt(2), 0]]), rtol=0, atol=1e-15)


def test_the_callers_arrays_are_never_changed():
    arrays = [draw(4, 8), draw(4, 8, seed=1), draw(4, 8, seed=2)]
    mask = causal_mask(4)
    before = [array.copy() for array in arrays]
    for array in [*arrays, mask]:
        array.flags.writeable = False
    output, weights = scaled_dot_product_attention(*arrays, mask)
    softmax(arrays[0])
    softmax(arrays[0], axis=0)
    for array, copy in zip(arrays, before, strict=True):
        assert (array == copy).all()
    assert weights.flags.writeable
    assert output.flags.writeable


def test_arrays_of_other_layouts():
    x = draw(6, 8)
    wanted = attention_weights(x, x)
    wide = np.zeros((6, 16))
    wide[:, ::2] = x
    for other in (np.asfortranarray(x), wide[:, ::2], x.tolist(), np.flip(np.flip(x))):
        np.testing.assert_allclose(attention_weights(other, other), wanted, rtol=0, atol=1e-12)


# what is refused


@pytest.mark.parametrize("name", ["q", "k", "v"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_named_with_its_place(name, value):
    arrays = {"q": draw(2, 3, 4), "k": draw(2, 3, 4), "v": draw(2, 3, 4)}
    arrays[name][1, 2, 0] = value
    call = lambda: scaled_dot_product_attention(**arrays)  # noqa: E731 - used once
    assert_refused(call, ValueError, f"{name} must be finite", str(value), "[1, 2, 0]")


def test_a_fully_masked_row_is_named():
    x = draw(2, 3, 4)
    mask = np.ones((2, 3, 3), bool)
    mask[1, 2] = False
    assert_refused(lambda: attention_weights(x, x, mask), ValueError, "row [1, 2]", "masked")


def test_scores_that_overflow_are_named():
    x = np.full((2, 4), 1e4, dtype=np.float16)
    assert_refused(lambda: attention_weights(x, x), ValueError, "inf", "[0, 0]", "float16")
    x = np.full((2, 4), 1e200)
    assert_refused(lambda: attention_weights(x, x), ValueError, "inf", "[0, 0]", "float64")


@pytest.mark.parametrize(
    ("mask", "error", "parts"),
    [
        (np.ones((4, 4)), TypeError, ["boolean", "causal_mask"]),
        (np.ones((4, 4), int), TypeError, ["boolean"]),
        ("no", TypeError, ["boolean"]),
        ([[True], [True, False]], TypeError, ["boolean"]),
        (np.ones((3, 3), bool), ValueError, ["(4, 4)", "(3, 3)", "causal_mask(4)"]),
        (np.ones((2, 4, 4), bool), ValueError, ["(4, 4)", "(2, 4, 4)"]),
    ],
)
def test_masks_are_refused(mask, error, parts):
    x = draw(4, 8)
    assert_refused(lambda: attention_weights(x, x, mask), error, "mask", *parts)


@pytest.mark.parametrize(
    ("shapes", "parts"),
    [
        (((4, 8), (4, 6), (4, 8)), ["q and k", "width", "(4, 8)", "(4, 6)"]),
        (((4, 8), (5, 8), (4, 8)), ["k and v", "keys", "(5, 8)", "(4, 8)"]),
        (((2, 4, 8), (3, 4, 8), (3, 4, 8)), ["q and k", "batch"]),
        (((4, 8), (2, 4, 8), (3, 4, 8)), ["k and v", "batch"]),
        (((2, 4, 8), (4, 8), (3, 4, 8)), ["q and v", "batch"]),
        (((2, 4, 8), (3, 4, 8), (1, 4, 8)), ["q and k", "batch"]),
        (((2**20, 1), (1, 1), (200, 1, 1)), ["q, k, v", "GiB"]),
        (((8,), (4, 8), (4, 8)), ["q", "at least 2 axes", "(8,)"]),
        (((4, 8), (4, 8), (4,)), ["v", "at least 2 axes", "(4,)"]),
        (((0, 8), (4, 8), (4, 8)), ["q", "at least one number"]),
    ],
)
def test_shapes_are_refused(shapes, parts):
    arrays = [np.ones(shape) for shape in shapes]
    assert_refused(lambda: scaled_dot_product_attention(*arrays), ValueError, *parts)


def test_sizes_have_a_limit():
    row = np.broadcast_to(np.float64(1), (100_000, 1))
    assert_refused(lambda: attention_weights(row, row), ValueError, "GiB")
    assert_refused(lambda: causal_mask(100_000), ValueError, "seq_len", "GiB")
    assert_refused(lambda: softmax(np.broadcast_to(1.0, (10**6, 10**4))), ValueError, "GiB")


@pytest.mark.parametrize(
    ("seq_len", "error"), [(0, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_causal_mask_refuses(seq_len, error):
    assert_refused(lambda: causal_mask(seq_len), error, "seq_len", str(seq_len))
