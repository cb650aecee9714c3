"""RoPE, ALiBi, T5's buckets and Shaw's vectors against references written another way."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.beyond import alibi_bias, alibi_slopes, rotate, shaw_scores, t5_bucket
from course_utils.encoding import rotation_matrix

SIZES = [(1, 2), (5, 4), (9, 6), (12, 16), (7, 64)]


def draw(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape)


def halves_from_pairs(d):
    """Columns 0, 2, 4, ... and then 1, 3, 5, ..."""
    return [*range(0, d, 2), *range(1, d, 2)]


# RoPE


@pytest.mark.parametrize(("n", "d"), SIZES)
@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 2.0])
def test_rotate_multiplies_complex_numbers(n, d, base):
    x = draw(3, n, d)
    z = x[..., 0::2] + 1j * x[..., 1::2]
    for pos in range(n):
        for pair in range(d // 2):
            z[:, pos, pair] *= np.exp(1j * (pos + 4) * base ** (-2 * pair / d))
    wanted = np.stack([z.real, z.imag], axis=-1).reshape(x.shape)
    np.testing.assert_allclose(rotate(x, base, start=4), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_halves_are_pairs_under_a_permutation_of_columns(n, d):
    x, columns = draw(n, d), halves_from_pairs(d)
    by_halves = rotate(x[:, columns], layout="halves")
    np.testing.assert_allclose(by_halves, rotate(x)[:, columns], rtol=0, atol=1e-12)
    if d > 2 and n > 1:
        assert np.abs(rotate(x, layout="halves") - rotate(x)).max() > 0.1


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_halves_as_llama_writes_them(n, d):
    x = draw(n, d)
    angles = np.outer(np.arange(n), 10_000.0 ** (-np.arange(0, d, 2) / d))
    angles = np.concatenate([angles, angles], axis=1)
    turned = np.concatenate([-x[:, d // 2 :], x[:, : d // 2]], axis=1)
    wanted = x * np.cos(angles) + turned * np.sin(angles)
    np.testing.assert_allclose(rotate(x, layout="halves"), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_rotate_is_the_rotation_of_chapter_1_the_other_way_round(n, d):
    x = draw(n, d)
    wanted = [rotation_matrix(-pos, d) @ row for pos, row in enumerate(x)]
    np.testing.assert_allclose(rotate(x), wanted, rtol=0, atol=1e-12)


@given(st.integers(-(10**6), 10**6), st.integers(1, 8), st.sampled_from(["interleaved", "halves"]))
def test_scores_of_rotated_rows_depend_on_the_offset_alone(start, pairs, layout):
    q, k = draw(2, 6, 2 * pairs)
    here = rotate(q, layout=layout) @ rotate(k, layout=layout).T
    there = rotate(q, start=start, layout=layout) @ rotate(k, start=start, layout=layout).T
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-8)


def test_rotate_keeps_norms_rows_at_zero_and_the_type():
    x = draw(2, 5, 8)
    np.testing.assert_allclose(
        np.linalg.norm(rotate(x), axis=-1), np.linalg.norm(x, axis=-1), rtol=0, atol=1e-12
    )
    np.testing.assert_array_equal(rotate(x)[:, 0], x[:, 0])
    assert rotate(x.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(rotate(x, start=3)[:, :2], rotate(draw(2, 5, 8), start=3)[:, :2])


def test_rotate_leaves_what_it_got():
    x = draw(4, 4)
    rotate(x)
    np.testing.assert_array_equal(x, draw(4, 4))


# ALiBi


def published_slopes(n):
    """The rule as the paper's code has it, by recursion."""
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    closest = 2 ** math.floor(math.log2(n))
    return published_slopes(closest) + published_slopes(2 * closest)[0::2][: n - closest]


@pytest.mark.parametrize("n", [*range(1, 21), 31, 32, 33, 48, 71, 112])
def test_slopes_as_published(n):
    np.testing.assert_allclose(alibi_slopes(n), published_slopes(n), rtol=1e-12)


def test_slopes_of_eight_heads():
    assert alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]


@pytest.mark.parametrize(("n", "slope"), [(1, 1.0), (4, 0.5), (9, 0.0625)])
def test_bias_falls_by_the_slope(n, slope):
    wanted = [[-slope * abs(key - query) for key in range(n)] for query in range(n)]
    np.testing.assert_array_equal(alibi_bias(n, slope), wanted)
    assert not np.signbit(np.diagonal(alibi_bias(n, slope))).any()


# T5


def published_bucket(relative, bidirectional, num_buckets, max_distance):
    """The rule as T5's code has it, for one number."""
    found, n = 0, -relative
    if bidirectional:
        num_buckets //= 2
        found += num_buckets if n < 0 else 0
        n = abs(n)
    else:
        n = max(n, 0)
    exact = num_buckets // 2
    if n < exact:
        return found + n
    far = exact
    # the first distance of the next bucket, without logarithms
    ratio = max_distance / exact
    while (
        far < num_buckets - 1
        and n >= exact * ratio ** ((far + 1 - exact) / (num_buckets - exact)) - 1e-6
    ):
        far += 1
    return found + far


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(("buckets", "most"), [(32, 128), (16, 16), (8, 20), (64, 256), (4, 3)])
def test_buckets_as_published(signed, buckets, most):
    offsets = np.arange(-2 * most, 2 * most + 1)
    wanted = [published_bucket(int(offset), signed, buckets, most) for offset in offsets]
    assert t5_bucket(offsets, buckets, most, signed).tolist() == wanted


def test_buckets_of_a_matrix_of_a_decoder():
    back = -np.arange(200)
    found = t5_bucket(back, signed=False)
    assert found[:17].tolist() == list(range(17))
    assert len(set(found[16:19])) == 1
    assert found[18] < found[19]
    assert found[112] < found[113] == found[199] == 31
    assert t5_bucket([3, 2, 1], signed=False).tolist() == [0, 0, 0]
    assert t5_bucket(np.zeros((2, 3), dtype=np.int8)).shape == (2, 3)


def test_signed_buckets_are_exact_to_seven():
    assert t5_bucket(np.arange(-8, 9)).tolist() == [*range(8, -1, -1), *range(17, 25)]


@given(st.integers(-(2**62), 2**62), st.booleans(), st.integers(1, 40), st.integers(1, 10**6))
def test_buckets_stay_in_range(offset, signed, half, more):
    count = 2 * half + 2
    exact = count // 4 if signed else count // 2
    found = t5_bucket(offset, count, exact + more, signed)
    assert 0 <= found < count


# Shaw


@pytest.mark.parametrize(("n", "d", "clip"), [(1, 2, 1), (5, 4, 2), (6, 3, 0), (7, 8, 10)])
def test_shaw_by_loops(n, d, clip):
    q, k = draw(2, 3, n, d)
    table = draw(2 * clip + 1, d, seed=1)
    wanted = np.zeros((3, n, n))
    for sentence in range(3):
        for i in range(n):
            for j in range(n):
                row = clip + max(-clip, min(clip, j - i))
                key = k[sentence, j] + table[row]
                wanted[sentence, i, j] = q[sentence, i] @ key / math.sqrt(d)
    np.testing.assert_allclose(shaw_scores(q, k, table), wanted, rtol=0, atol=1e-12)


# bad input


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: rotate(draw(4, 3)), ValueError, ["x.shape[-1]", "even", "3"]),
        (lambda: rotate(draw(4)), ValueError, ["x", "(4,)"]),
        (lambda: rotate([[math.nan, 0.0]]), ValueError, ["x", "nan"]),
        (lambda: rotate(draw(4, 2), layout="pairs"), ValueError, ["layout", "halves", "pairs"]),
        (lambda: rotate(draw(4, 2), layout=np.ones(3)), TypeError, ["layout"]),
        (lambda: rotate(draw(4, 2), base=0.5), ValueError, ["base", "0.5"]),
        (lambda: rotate(draw(4, 2), start=0.5), TypeError, ["start", "0.5"]),
        (lambda: alibi_slopes(0), ValueError, ["n_heads", "0"]),
        (lambda: alibi_slopes(2.0), TypeError, ["n_heads", "2.0"]),
        (lambda: alibi_slopes(10**10), ValueError, ["n_heads", "GiB"]),
        (lambda: alibi_bias(3, -0.5), ValueError, ["slope", "-0.5"]),
        (lambda: alibi_bias(3, math.nan), ValueError, ["slope", "nan"]),
        (lambda: alibi_bias(10**6, 0.5), ValueError, ["seq_len", "GiB"]),
        (lambda: t5_bucket(0.5), TypeError, ["offset", "0.5"]),
        (lambda: t5_bucket(1, 3), ValueError, ["n_buckets", "3"]),
        (lambda: t5_bucket(1, 32, 8), ValueError, ["max_distance", "8"]),
        (lambda: t5_bucket(1, signed=1), TypeError, ["signed"]),
        (lambda: shaw_scores(draw(3, 2), draw(4, 2), draw(3, 2)), ValueError, ["(3, 2)", "(4, 2)"]),
        (lambda: shaw_scores(draw(3, 2), draw(3, 2), draw(4, 2)), ValueError, ["table", "(4, 2)"]),
        (lambda: shaw_scores(draw(3, 2), draw(3, 2), draw(3, 4)), ValueError, ["table", "(3, 4)"]),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, error, words):
    with pytest.raises(error) as told:
        call()
    message = str(told.value)
    assert all(word in message for word in words)
    assert "\n" not in message
