"""What holds for any size: of weights, masks, batches, permutations and narrow types.

Beside these stand, with the functions that they are about: the norm of a row, similarity by offset
and the rotation (`test_encoding.py`); the four terms of the scores and the meters
(`test_compare.py`).
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.attention import (
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
    softmax,
)
from course_utils.compare import (
    energy_share,
    frobenius_difference,
    order_gap,
    score_terms,
    shift_gap,
)
from course_utils.encoding import (
    angular_frequencies,
    rotation_matrix,
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)

seeds = st.integers(0, 10_000)
lengths = st.integers(1, 40)
widths = st.integers(1, 24)
scales = st.floats(0.01, 30)


@st.composite
def tokens(draw):
    """Queries, keys, values and a mask that leaves each query a key: any sizes, any scale."""
    rng, scale = np.random.RandomState(draw(seeds)), draw(scales)
    n_queries, n_keys, d_k, d_v = draw(lengths), draw(lengths), draw(widths), draw(widths)
    q, k, v = rng.randn(n_queries, d_k), rng.randn(n_keys, d_k), rng.randn(n_keys, d_v)
    mask = rng.rand(n_queries, n_keys) < draw(st.floats(0, 1))
    mask[np.arange(n_queries), rng.randint(n_keys, size=n_queries)] = True
    return scale * q, k, v, mask if draw(st.booleans()) else None


def close(found, wanted, atol=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=atol)


# weights


@given(tokens())
def test_weights_are_shares_and_the_output_lies_among_the_values(given_tokens):
    q, k, v, mask = given_tokens
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert (weights >= 0).all()
    close(weights.sum(axis=-1), 1, 1e-12)
    assert (output <= v.max(axis=0) + 1e-12).all()
    assert (output >= v.min(axis=0) - 1e-12).all()
    if mask is not None:
        assert (weights[~mask] == 0).all()


@given(tokens(), st.floats(-100, 100))
def test_what_all_scores_of_a_query_gain_is_lost(given_tokens, gain):
    q, k, _, _ = given_tokens
    scores = q @ k.T / math.sqrt(q.shape[1])
    close(softmax(scores), attention_weights(q, k))
    close(softmax(scores + gain), softmax(scores))


@given(tokens(), seeds)
def test_queries_and_keys_may_come_in_any_order(given_tokens, seed):
    q, k, v, mask = given_tokens
    rng = np.random.RandomState(seed)
    rows, columns = rng.permutation(len(q)), rng.permutation(len(k))
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    moved = None if mask is None else mask[rows][:, columns]
    other, other_weights = scaled_dot_product_attention(q[rows], k[columns], v[columns], moved)
    close(other, output[rows])
    close(other_weights, weights[rows][:, columns])


@given(seeds, st.integers(2, 24), st.integers(1, 12), st.booleans())
def test_order_is_seen_with_positions_and_not_without(seed, n, pairs, with_positions):
    rng = np.random.RandomState(seed)
    x, (w_q, w_k) = rng.randn(n, 2 * pairs), rng.randn(2, 2 * pairs, 2 * pairs)
    pe = with_positions * sinusoidal_positional_encoding(n, 2 * pairs)
    gap = order_gap(
        lambda x: attention_weights((x + pe) @ w_q / pairs, (x + pe) @ w_k), x, range(n)[::-1]
    )
    assert gap > 1e-6 if with_positions else gap < 1e-9


# masks and batches


@given(seeds, lengths, widths)
def test_under_the_causal_mask_nothing_comes_from_later(seed, n, d_k):
    q, k, v = np.random.RandomState(seed).randn(3, n, d_k)
    mask = causal_mask(n)
    assert mask.sum() == n * (n + 1) // 2
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert (np.triu(weights, 1) == 0).all()
    close(output[0], v[0])
    last = seed % n
    part = slice(last + 1)
    early, _ = scaled_dot_product_attention(q[part], k[part], v[part], mask[part, part])
    close(output[part], early)


@given(seeds, st.integers(1, 4), st.integers(1, 3), st.integers(1, 9), widths, st.booleans())
def test_a_sentence_counts_the_same_in_any_batch(seed, outer, inner, n, d_k, masked):
    q, k, v = np.random.RandomState(seed).randn(3, outer, inner, n, d_k)
    mask = causal_mask(n) if masked else None
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    for place in np.ndindex(outer, inner):
        alone, alone_weights = scaled_dot_product_attention(q[place], k[place], v[place], mask)
        close(output[place], alone, 1e-12)
        close(weights[place], alone_weights, 1e-12)


# narrow types


@given(tokens())
def test_float32_agrees_with_float64(given_tokens):
    *arrays, mask = given_tokens
    narrow = [array.astype(np.float32) for array in arrays]
    wide = [array.astype(np.float64) for array in narrow]
    output, weights = scaled_dot_product_attention(*narrow, mask)
    assert output.dtype == weights.dtype == np.float32
    wanted, wanted_weights = scaled_dot_product_attention(*wide, mask)
    # an error of a score is an error of the same size, relative, of its weight
    largest = np.abs(wide[0]).max() * np.abs(wide[1]).max() * math.sqrt(wide[0].shape[1])
    atol = 1e-6 * (1 + largest)
    close(weights, wanted_weights, atol)
    close(output, wanted, atol * (1 + np.abs(wide[2]).max()) * 4)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@given(seq_len=st.integers(1, 300), pairs=widths)
def test_narrow_encodings_are_the_wide_one_rounded(dtype, seq_len, pairs):
    wide = sinusoidal_positional_encoding(seq_len, 2 * pairs)
    assert (
        sinusoidal_positional_encoding(seq_len, 2 * pairs, dtype=dtype) == wide.astype(dtype)
    ).all()
    turned = sinusoidal_positional_encoding_by_rotation(seq_len, 2 * pairs, dtype=dtype)
    close(turned.astype(float), wide, np.finfo(dtype).eps)


# the encoding as a whole


@given(st.integers(2, 60), widths, st.integers(-50, 50), st.floats(1, 1e6))
def test_moving_all_positions_changes_no_similarity(seq_len, pairs, offset, base):
    pe = sinusoidal_positional_encoding(seq_len, 2 * pairs, base)
    moved = pe @ rotation_matrix(offset, 2 * pairs, base).T
    close(moved @ moved.T, pe @ pe.T)
    assert shift_gap(moved) < 1e-9
    # an offset turns each pair by the same angle, wherever it starts
    z, turned = pe[:, 0::2] * 1j + pe[:, 1::2], moved[:, 0::2] * 1j + moved[:, 1::2]
    close(turned, z * np.exp(1j * offset * angular_frequencies(2 * pairs, base)))


@given(seeds, lengths, st.integers(1, 12), st.floats(0.01, 100))
def test_terms_grow_with_what_they_are_made_of(seed, n, pairs, factor):
    rng = np.random.RandomState(seed)
    x, pe = rng.randn(n, 2 * pairs), sinusoidal_positional_encoding(n, 2 * pairs)
    w_q, w_k = rng.randn(2, 2 * pairs, 3)
    terms, grown = score_terms(x, pe, w_q, w_k), score_terms(x, factor * pe, w_q, w_k)
    powers = {"content_content": 0, "content_position": 1, "position_content": 1}
    for name, term in terms.items():
        wanted = term * factor ** powers.get(name, 2)
        np.testing.assert_allclose(grown[name], wanted, rtol=1e-9, atol=1e-9 * factor**2)
    close(energy_share(x, pe) + energy_share(pe, x), 1)
    assert frobenius_difference(terms["content_content"], terms["content_content"]) == 0
