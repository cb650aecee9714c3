"""The encoding against its formula, its theorem, and bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import encoding
from course_utils.encoding import (
    angular_frequencies,
    rotation_matrix,
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)

BOTH = [sinusoidal_positional_encoding, sinusoidal_positional_encoding_by_rotation]
lengths = st.integers(1, 300)
widths = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1, 1e6)


def by_loops(seq_len, d_model, base=10_000):
    pe = [[0.0] * d_model for _ in range(seq_len)]
    for pos in range(seq_len):
        for i in range(d_model // 2):
            angle = pos / base ** (2 * i / d_model)
            pe[pos][2 * i], pe[pos][2 * i + 1] = math.sin(angle), math.cos(angle)
    return np.array(pe)


# the numbers


@pytest.mark.parametrize("build", BOTH)
def test_hand_numbers(build):
    pe = build(4, 8)
    assert pe.shape == (4, 8)
    assert pe.dtype == np.float64
    wanted = [
        [0, 1, 0, 1, 0, 1, 0, 1],
        [0.84147098, 0.54030231, 0.09983342, 0.99500417, 0.00999983, 0.99995, 0.001, 0.9999995],
        [0.90929743, -0.41614684, 0.19866933, 0.98006658, 0.01999867, 0.99980001, 0.002, 0.999998],
    ]
    np.testing.assert_allclose(pe[:3], wanted, rtol=0, atol=5e-9)


@pytest.mark.parametrize("build", BOTH)
@given(seq_len=lengths, d_model=widths, base=bases)
def test_the_two_loops_of_the_formula(build, seq_len, d_model, base):
    wanted = by_loops(seq_len, d_model, base)
    np.testing.assert_allclose(build(seq_len, d_model, base), wanted, rtol=0, atol=1e-10)


def test_long_and_wide():
    formula = sinusoidal_positional_encoding(4096, 512)
    turned = sinusoidal_positional_encoding_by_rotation(4096, 512)
    np.testing.assert_allclose(turned, formula, rtol=0, atol=1e-10)
    assert formula[4095, 0] == pytest.approx(math.sin(4095), abs=1e-12)


@given(d_model=widths, base=bases)
def test_frequencies_fall_from_1(d_model, base):
    omega = angular_frequencies(d_model, base)
    assert omega.shape == (d_model // 2,)
    assert omega[0] == 1
    assert (np.diff(omega) <= 0).all()
    assert omega[-1] == pytest.approx(base ** (-(d_model - 2) / d_model))


def test_exp_of_a_log_is_the_same_number():
    d_model = 512
    by_exp = np.exp(np.arange(0, d_model, 2) * (-np.log(10_000.0) / d_model))
    np.testing.assert_allclose(by_exp, angular_frequencies(d_model), rtol=1e-14, atol=0)


@given(seq_len=lengths, d_model=widths)
def test_every_row_has_the_norm_of_half_the_width(seq_len, d_model):
    norms = np.linalg.norm(sinusoidal_positional_encoding(seq_len, d_model), axis=1)
    np.testing.assert_allclose(norms, math.sqrt(d_model / 2), rtol=0, atol=1e-12)


@given(seq_len=lengths, d_model=widths, base=bases)
def test_similarity_depends_on_the_offset_only(seq_len, d_model, base):
    pe = sinusoidal_positional_encoding(seq_len, d_model, base)
    offsets = np.subtract.outer(np.arange(seq_len), np.arange(seq_len))
    wanted = np.cos(offsets[..., None] * angular_frequencies(d_model, base)).sum(axis=-1)
    np.testing.assert_allclose(pe @ pe.T, wanted, rtol=0, atol=1e-10)


# narrow storage


@pytest.mark.parametrize("build", BOTH)
def test_float32_is_computed_wide(build):
    wide, narrow = build(100_000, 8), build(100_000, 8, dtype=np.float32)
    assert narrow.dtype == np.float32
    assert np.abs(narrow[99_999] - wide[99_999]).max() <= 1e-7
    assert np.abs(narrow - sinusoidal_positional_encoding(100_000, 8)).max() <= 1e-7


@pytest.mark.parametrize("build", BOTH)
@pytest.mark.parametrize("dtype", [np.float16, "float16", np.dtype("float16")])
def test_float16_loses_only_what_it_cannot_hold(build, dtype):
    narrow = build(4096, 16, dtype=dtype)
    assert narrow.dtype == np.float16
    assert np.abs(narrow - sinusoidal_positional_encoding(4096, 16)).max() < 2.5e-4


@pytest.mark.parametrize("seq_len", [1, 2, 15, 16, 17, 31, 32, 33, 300])
@pytest.mark.parametrize("d_model", [256, 8192])
def test_blocks_of_narrow_rows_meet(seq_len, d_model):
    narrow = sinusoidal_positional_encoding_by_rotation(seq_len, d_model, dtype=np.float32)
    wanted = sinusoidal_positional_encoding(seq_len, d_model)
    np.testing.assert_allclose(narrow, wanted, rtol=0, atol=1e-7)


# the rotation


@given(pos=st.integers(0, 2000), offset=st.integers(0, 2000), pairs=st.integers(1, 16), base=bases)
def test_the_rotation_carries_any_row_on(pos, offset, pairs, base):
    d_model = 2 * pairs
    pe = sinusoidal_positional_encoding(4001, d_model, base)
    rotation = rotation_matrix(offset, d_model, base)
    np.testing.assert_allclose(rotation @ pe[pos], pe[pos + offset], rtol=0, atol=1e-10)
    back = rotation_matrix(-offset, d_model, base)
    np.testing.assert_allclose(back @ pe[pos + offset], pe[pos], rtol=0, atol=1e-10)


@given(offset=st.integers(-5000, 5000), other=st.integers(-5000, 5000), d_model=widths)
def test_rotations_are_orthogonal_and_add_their_offsets(offset, other, d_model):
    rotation = rotation_matrix(offset, d_model)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(d_model), rtol=0, atol=1e-12)
    both = rotation @ rotation_matrix(other, d_model)
    np.testing.assert_allclose(both, rotation_matrix(offset + other, d_model), rtol=0, atol=1e-10)
    assert np.count_nonzero(rotation) <= 2 * d_model


def test_offset_0_is_the_identity():
    assert (rotation_matrix(0, 8) == np.eye(8)).all()


def test_two_assertions_fix_the_matrix():
    pe = np.empty((512, 8))
    pe[0] = [0, 1] * 4
    turn = rotation_matrix(1, 8)
    for pos in range(511):
        pe[pos + 1] = turn @ pe[pos]
    wanted = sinusoidal_positional_encoding(512, 8)
    np.testing.assert_allclose(pe, wanted, rtol=0, atol=1e-10)


# what arguments may be


@pytest.mark.parametrize("build", BOTH)
def test_whole_numbers_of_numpy_are_whole_numbers(build):
    pe = build(np.int64(4), np.uint8(8), np.float32(10_000))
    np.testing.assert_allclose(pe, by_loops(4, 8), rtol=0, atol=1e-12)


@pytest.mark.parametrize("build", BOTH)
def test_smallest_sizes(build):
    assert build(1, 2).tolist() == [[0.0, 1.0]]
    np.testing.assert_allclose(build(2, 2, base=1), by_loops(2, 2), rtol=0, atol=1e-12)


def each_function(seq_len=4, d_model=8, base=10_000.0, offset=1):
    calls = [
        (angular_frequencies, (d_model, base)),
        *((build, (seq_len, d_model, base)) for build in BOTH),
        (rotation_matrix, (offset, d_model, base)),
    ]
    for function, arguments in calls:
        yield lambda function=function, arguments=arguments: function(*arguments)


def assert_refused(call, error, *parts):
    with pytest.raises(error) as raised:
        call()
    message = str(raised.value)
    assert type(raised.value) is error
    assert "\n" not in message
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize(
    ("width", "error", "parts"),
    [
        (7, ValueError, ["got 7", "try 6 or 8", "even", "sine, cosine"]),
        (1, ValueError, ["got 1", "try 2"]),
        (0, ValueError, ["got 0", "try 2"]),
        (-8, ValueError, ["got -8", "try 2"]),
        (8.0, TypeError, ["8.0 (float)", "such as 8"]),
        ("8", TypeError, ["'8' (str)"]),
        (True, TypeError, ["True (bool)"]),
        (np.True_, TypeError, ["bool"]),
        (None, TypeError, ["None"]),
        ([8], TypeError, ["[8] (list)"]),
        (np.ones((2, 2)), TypeError, ["float64 array of shape (2, 2)"]),
    ],
)
def test_d_model_is_refused(width, error, parts):
    for call in each_function(d_model=width):
        assert_refused(call, error, "d_model", *parts)


@pytest.mark.parametrize(
    ("base", "error", "parts"),
    [
        (0.5, ValueError, ["0.5", "try 10000"]),
        (-1, ValueError, ["-1"]),
        (math.inf, ValueError, ["inf"]),
        (math.nan, ValueError, ["nan"]),
        ("10000", TypeError, ["'10000' (str)"]),
        (True, TypeError, ["True (bool)"]),
        (1j, TypeError, ["1j (complex)"]),
    ],
)
def test_base_is_refused(base, error, parts):
    for call in each_function(base=base):
        assert_refused(call, error, "base", *parts)


@pytest.mark.parametrize("build", BOTH)
@pytest.mark.parametrize(
    ("seq_len", "error"),
    [(0, ValueError), (-1, ValueError), (4.0, TypeError), (False, TypeError), ("4", TypeError)],
)
def test_seq_len_is_refused(build, seq_len, error):
    assert_refused(lambda: build(seq_len, 8), error, "seq_len", str(seq_len))


@pytest.mark.parametrize("build", BOTH)
@pytest.mark.parametrize("dtype", [int, complex, "float8", "half a float", None, object, {}])
def test_dtype_is_refused(build, dtype):
    if dtype is None:  # NumPy reads None as float64
        assert build(4, 8, dtype=dtype).dtype == np.float64
    else:
        assert_refused(lambda: build(4, 8, dtype=dtype), TypeError, "dtype", "float32")


@pytest.mark.parametrize(
    ("offset", "error"),
    [(0.5, TypeError), (True, TypeError), ("1", TypeError), (None, TypeError)],
)
def test_offset_is_refused(offset, error):
    assert_refused(lambda: rotation_matrix(offset, 8), error, "offset", str(offset))


@pytest.mark.parametrize("build", BOTH)
def test_a_million_wide_rows_are_answered_at_once(build, monkeypatch):
    def allocates(*arguments, **options):
        raise AssertionError("allocated before the size was looked at")

    for name in ("empty", "outer", "arange", "zeros"):
        monkeypatch.setattr(encoding.np, name, allocates)
    call = lambda: build(1_000_000, 4096)  # noqa: E731 - called once, inside the check
    assert_refused(call, ValueError, "seq_len", "d_model", "30.5 GiB", "1 GiB")


def test_other_sizes_have_a_limit_too():
    assert_refused(lambda: rotation_matrix(1, 20_000), ValueError, "d_model", "GiB")
    assert_refused(lambda: angular_frequencies(2 * 10**9), ValueError, "d_model", "GiB")
    assert_refused(lambda: sinusoidal_positional_encoding(10**30, 2), ValueError, "seq_len", "GiB")
