"""Chapter 1: right answers pass in every form, and each usual mistake is named."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import checks, language
from course_utils.checks import encodings, rotation
from course_utils.encoding import (
    rotation_matrix,
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

# right encodings


def by_loops(seq_len, d_model):
    pe = []
    for pos in range(seq_len):
        row = []
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        pe.append(row)
    return pe


def handout(seq_len, d_model):
    pe = np.zeros((seq_len, d_model))
    position = np.arange(seq_len).reshape(-1, 1)
    div_term = np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term)
    return pe


def in_float32(seq_len, d_model):
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    position = np.arange(seq_len, dtype=np.float32)[:, None]
    angles = position * np.exp(-exponents * np.float32(math.log(10000.0)))
    pe = np.empty((seq_len, d_model), dtype=np.float32)
    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def of_scalars(seq_len, d_model):
    return [[np.array(value) for value in row] for row in handout(seq_len, d_model)]


def with_another_signature(*sizes, scale=1.0):
    return handout(*sizes) * scale


RIGHT = [
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
    by_loops,
    handout,
    in_float32,
    of_scalars,
    with_another_signature,
    lambda n, d: handout(n, d).astype(np.longdouble),
    lambda n, d: np.asfortranarray(handout(n, d)),
    lambda n, d: tuple(map(tuple, by_loops(n, d))),
]


@pytest.mark.parametrize("candidate", RIGHT)
def test_right_encodings_are_accepted(candidate):
    assert_told(checks.check_encoding(candidate), "")


def test_halves_are_accepted_when_told():
    def halves(seq_len, d_model):
        pe = handout(seq_len, d_model)
        return np.hstack([pe[:, 0::2], pe[:, 1::2]])

    assert_told(checks.check_encoding(halves), "halves")
    assert_told(checks.check_encoding(halves, layout="halves"), "")
    assert_told(checks.check_encoding(handout, layout="halves"), "interleaved")
    assert_told(checks.check_encoding(handout, layout="thirds"), "layout")


@pytest.mark.parametrize(("cause", "build"), encodings.WRONG)
def test_each_wrong_encoding_is_named(cause, build):
    assert_told(checks.check_encoding(build), cause)
    assert_told(checks.check_encoding(lambda n, d: build(n, d).tolist()), cause)
    if cause not in ("integer_buffer", "float16_angles"):
        narrow = checks.check_encoding(lambda n, d: build(n, d).astype(np.float32))
        assert_told(narrow, cause)


@pytest.mark.parametrize("base", [10.0, 500.0, 9999.0, 10001.0, 100_000.0])
def test_other_bases_are_named(base):
    feedback = checks.check_encoding(lambda n, d: sinusoidal_positional_encoding(n, d, base))
    assert_told(feedback, "base")
    assert f"{base:.6g}" in feedback.message
    words = "zeros_of_base" if base in (10.0, 100_000.0) else "base"
    assert feedback.message == language.text(f"check.encoding.{words}", base=f"{base:.6g}")


def test_one_word_bug_as_learners_write_it():
    def doubled(seq_len, d_model):
        pe = np.zeros((seq_len, d_model))
        for pos in range(seq_len):
            for i in range(0, d_model, 2):
                pe[pos, i] = math.sin(pos / 10000 ** (2 * i / d_model))
                pe[pos, i + 1] = math.cos(pos / 10000 ** (2 * (i + 1) / d_model))
        return pe

    def whole(seq_len, d_model):
        pe = np.zeros((seq_len, d_model), dtype=int)
        pe[:] = handout(seq_len, d_model)
        return pe

    def narrow_factors(seq_len, d_model):
        omega = (10000.0 ** (-np.arange(0, d_model, 2) / d_model)).astype(np.float16)
        angles = np.arange(seq_len, dtype=np.float16)[:, None] * omega
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)

    def narrow_exponential(seq_len, d_model):
        scale = np.float16(-math.log(10000.0) / d_model)
        omega = np.exp(np.arange(0, d_model, 2, dtype=np.float16) * scale)
        angles = np.arange(seq_len)[:, None] * omega
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)

    assert_told(checks.check_encoding(doubled), "doubled_exponent")
    assert_told(checks.check_encoding(whole), "integer_buffer")
    assert_told(checks.check_encoding(narrow_factors), "float16_angles")
    assert_told(checks.check_encoding(narrow_exponential), "float16_angles")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d).T), "transposed")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d).astype("f2")), "float16_stored")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d).round(4)), "rounded")
    assert_told(checks.check_encoding(lambda n, d: handout(4, 8)), "ignores_arguments")
    assert_told(checks.check_encoding(lambda n, d: handout(50, 16)), "ignores_arguments")
    assert_told(checks.check_encoding(lambda n, d: handout(n, 8)), "outer_d_model")
    assert_told(checks.check_encoding(lambda n, d: handout(4, d)), "outer_seq_len")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d)[None]), "shape")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d)[0]), "one_row_returned")
    last = checks.check_encoding(lambda n, d: np.tile(handout(n, d)[-1], (n, 1)))
    assert_told(last, "shared_rows")
    ones = checks.check_encoding(lambda n, d: np.ones((n, d)))
    assert_told(ones, "one_row")
    assert_told(checks.check_encoding(lambda n, d: handout(n, d) / 0), "not_finite")


def angles_by(power):
    def encode(seq_len, d_model):
        pe = np.zeros((seq_len, d_model))
        for pos in range(seq_len):
            for i in range(d_model // 2):
                angle = power(pos, i, d_model)
                pe[pos, 2 * i : 2 * i + 2] = math.sin(angle), math.cos(angle)
        return pe

    return encode


@pytest.mark.parametrize(
    ("power", "cause"),
    [
        (lambda pos, i, d: pos / 10000 ** (2 * i // d), "one_frequency"),
        (lambda pos, i, d: pos / 10000**2 * i / d, "precedence"),
        (lambda pos, i, d: pos // 10000 ** (2 * i / d), "floored"),
        (lambda pos, i, d: pos * math.exp(-2 * i * math.log10(10000) / d), "other_log"),
        (lambda pos, i, d: pos * math.exp(-2 * i * math.log2(10000) / d), "other_log"),
        (lambda pos, i, d: pos * math.exp(2 * i * math.log10(10000) / d), "other_log"),
        (lambda pos, i, d: pos * math.exp(-2 * i / d), "log_missing"),
        (lambda pos, i, d: pos / math.exp(-2 * i / d), "log_missing"),
        (lambda pos, i, d: pos * 10000 ** (2 * i / d), "exponent_sign"),
        (lambda pos, i, d: pos / 10000 ** (i / d), "halved_exponent"),
        (lambda pos, i, d: (pos + 1) / 10000 ** (2 * i / d), "starts_at_1"),
        (lambda pos, i, d: math.radians(pos / 10000 ** (2 * i / d)), "degrees"),
        (lambda pos, i, d: pos / (10000 ** (2 * i) / d), "rotation"),
        (lambda pos, i, d: pos / (10000 * (2 * i / d)), "raised"),
    ],
)
def test_slips_of_the_pen_in_the_angle(power, cause):
    assert_told(checks.check_encoding(angles_by(power)), cause)


@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize(
    ("rows", "columns", "part"),
    [(1, None, "first_row"), (1, 2, "first_entries"), (None, 2, "first_columns")],
)
def test_a_return_inside_the_loop_is_named(dtype, rows, columns, part):
    def early(seq_len, d_model):
        pe = np.zeros((seq_len, d_model), dtype=dtype)
        pe[:rows, :columns] = handout(seq_len, d_model)[:rows, :columns]
        return pe

    feedback = checks.check_encoding(early)
    assert_told(feedback, "early_return")
    assert language.text(f"part.{part}") in feedback.message
    assert_told(checks.check_encoding(lambda n, d: early(n, d).tolist()), "early_return")


def test_a_list_that_is_returned_inside_the_loop():
    assert_told(checks.check_encoding(lambda n, d: by_loops(n, d)[:1]), "one_row_returned")
    assert_told(checks.check_encoding(lambda n, d: []), "empty")


def test_shapes_on_the_way_to_the_right_one():
    def halves_of(seq_len, d_model):
        pe = handout(seq_len, d_model)
        return pe[:, 0::2], pe[:, 1::2]

    assert_told(checks.check_encoding(halves_of), "several_arrays")
    assert_told(checks.check_encoding(lambda n, d: (handout(n, d), np.arange(d))), "several_arrays")
    stacked = checks.check_encoding(lambda n, d: np.stack(halves_of(n, d), axis=-1))
    assert_told(stacked, "not_reshaped")
    assert "`.reshape(seq_len, d_model)`" in stacked.message
    for axis in (0, 1):
        elsewhere = checks.check_encoding(lambda n, d, a=axis: np.stack(halves_of(n, d), axis=a))
        assert_told(elsewhere, "stacked_elsewhere")


def test_a_variable_from_outside_is_suspected():
    message = checks.check_encoding(lambda n, d: handout(n, 16)).message
    assert " 16 " in message
    assert "`d_model`" in message


def test_who_returns_halves_is_told_where_to_say_so():
    message = checks.check_encoding(lambda n, d: encodings.halves(handout(n, d))).message
    assert '`checks.check_encoding(my_encoding, layout="halves")`' in message


def test_the_sine_in_place_overwrites_the_angles():
    def overwritten(seq_len, d_model):
        pe = np.empty((seq_len, d_model))
        angles = np.outer(np.arange(seq_len), 10_000.0 ** (-np.arange(0, d_model, 2) / d_model))
        pe[:, 0::2] = np.sin(angles, out=angles)
        pe[:, 1::2] = np.cos(angles)
        return pe

    assert_told(checks.check_encoding(overwritten), "overwritten")


@pytest.mark.parametrize("place", [0.5, (0.0, 1.0), [0.3]])
def test_what_holds_one_place_only_is_told(place):
    assert_told(checks.check_encoding(lambda n, d: place), "one_place")


def test_arguments_the_other_way_round():
    assert_told(checks.check_encoding(lambda d, n: handout(n, d)), "swapped_arguments")


def test_one_buffer_for_all_calls_is_read_in_time():
    buffer = np.zeros((600, 16))

    def reused(seq_len, d_model):
        buffer[:seq_len, :d_model] = handout(seq_len, d_model)
        return buffer[:seq_len, :d_model]

    assert_told(checks.check_encoding(reused), "")


def test_an_unnamed_difference_in_halves_is_placed_in_halves():
    def one_entry(seq_len, d_model):
        pe = handout(seq_len, d_model)
        pe = np.hstack([pe[:, 0::2], pe[:, 1::2]])
        pe[1, -1] += 0.5
        return pe

    feedback = checks.check_encoding(one_entry, layout="halves")
    assert_told(feedback, "rotation")
    assert "[1, 7]" in feedback.message


def test_an_unnamed_difference_is_placed():
    def one_entry(seq_len, d_model):
        pe = handout(seq_len, d_model)
        pe[3 % seq_len, 1] += 0.5
        return pe

    feedback = checks.check_encoding(one_entry)
    assert_told(feedback, "rotation")
    for part in ("[3, 1]", "-0.4900", "-0.9900"):
        assert part in feedback.message

    feedback = checks.check_encoding(lambda n, d: handout(n, d) + 0.25)
    assert_told(feedback, "row_zero")
    for part in ("[0, 0]", "0.2500", "0.0000"):
        assert part in feedback.message


@given(
    row=st.integers(0, 599),
    column=st.integers(0, 7),
    by=st.floats(1e-3, 10).flatmap(lambda size: st.sampled_from([size, -size])),
)
def test_any_changed_entry_is_rejected(row, column, by):
    def changed(seq_len, d_model):
        pe = handout(seq_len, d_model)
        pe[row % seq_len, column % d_model] += by
        return pe

    assert checks.check_encoding(changed).state == "incorrect"


@given(seed=st.integers(0, 10_000), size=st.floats(1e-3, 1))
def test_noise_is_rejected(seed, size):
    def noisy(seq_len, d_model):
        noise = np.random.RandomState(seed).uniform(-1, 1, (seq_len, d_model))
        return handout(seq_len, d_model) + size * noise

    assert checks.check_encoding(noisy).state == "incorrect"


@given(st.permutations(range(8)).filter(lambda order: list(order) != list(range(8))))
def test_any_other_order_of_columns_is_rejected(order):
    def shuffled(seq_len, d_model):
        pe = handout(seq_len, d_model)
        return pe[:, order] if d_model == 8 else pe

    assert checks.check_encoding(shuffled).state == "incorrect"


@given(
    base=st.floats(1.5, 1e6).filter(lambda base: abs(base - 1e4) > 1),
    start=st.integers(-3, 3),
)
def test_any_other_base_or_start_is_rejected(base, start):
    def other(seq_len, d_model):
        return encodings.pairs(encodings.angles(seq_len, d_model, base, start=start))

    assert checks.check_encoding(other).state == "incorrect"


# predictions


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ([0, 1, 0, 1, 0, 1, 0, 1], ""),
        ((0.0, 1.0) * 4, ""),
        (np.array([[0, 1] * 4], dtype=np.float32), ""),
        ([0] * 8, "all_zeros"),
        ([1, 0] * 4, "swapped"),
        ([1] * 8, "all_ones"),
        ([0] * 4 + [1] * 4, "halves"),
        ([0, 1, 0, 1], "wrong_length"),
        (0, "wrong_length"),
        ([[0, 1]] * 4, "wrong_shape"),
        ([[0] * 4, [1] * 4], "wrong_shape"),
        ([0, 1, 0, 1, 0, 0.5, 0, 1], "one_entry"),
        ([0, 1, 0, 1, 2, 1, 0, 1], "one_entry"),
        ([...] * 8, "not_attempted"),
        ([0, 1, ...], "not_attempted"),
        ("0 1 0 1 0 1 0 1", "not_an_array"),
    ],
)
def test_row_zero(answer, cause):
    assert_told(checks.check_row_zero(answer), cause)


def test_a_prediction_does_not_tell_of_a_later_audit():
    for key, words in language.STRINGS.items():
        if key.startswith("check."):
            assert "handout" not in words["en"], key
            assert "讲义" not in words["zh"], key
    assert "cos 0" in checks.check_row_zero([0] * 8).message


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("nothing", ""),
        (" Nothing. ", ""),
        ("a little", "a_little"),
        ("a lot", "a_lot"),
        ("A  LOT", "a_lot"),
        ("...", "not_attempted"),
        ("", "not_attempted"),
        ("everything", "not_a_choice"),
        (0, "not_a_choice"),
        (np.zeros(3), "not_a_choice"),
    ],
)
def test_same_output(answer, cause):
    assert_told(checks.check_same_output(answer), cause)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (2 * math.pi * 10_000 ** (14 / 16), ""),
        (19_869, ""),
        (19_800, ""),
        (20_000, ""),
        (19_671, ""),
        (20_067, ""),
        (19_670, "nearly"),
        (20_068, "nearly"),
        (20_500, "nearly"),
        (22_000, "too_long"),
        (2 * math.pi * 10_000 ** (-14 / 16), "multiplied"),
        (0.00199, "multiplied"),
        (np.float32(19_869.2), ""),
        ([19_869.2], ""),
        (2 * math.pi * 10_000, "folklore"),
        (10_000 ** (14 / 16), "no_turn"),
        (10_000 ** (-14 / 16), "frequency"),
        (2 * math.pi, "shortest"),
        (10_000, "base_only"),
        (2 * math.pi * 10_000 ** (6 / 8), "width_8"),
        (2 * math.pi * 10_000 ** (15 / 16), "column_index"),
        (2 * math.pi * 10_000 ** (7 / 16), "halved_exponent"),
        (2 * math.pi * 10_000 ** (28 / 16), "doubled_exponent"),
        (1e9, "too_long"),
        (100, "too_short"),
        (-1, "not_positive"),
        (0, "not_positive"),
        (-2 * math.pi * 10_000 ** (14 / 16), "not_positive"),
        (math.pi * 10_000 ** (14 / 16), "half_turn"),
        (360 * 10_000 ** (14 / 16), "degrees"),
        (2 * math.pi * 10_000 ** (14 // 16), "shortest"),
        (True, "not_a_number"),
        ([1, 2], "not_a_number"),
        ("19869", "not_an_array"),
        (math.inf, "not_finite"),
    ],
)
def test_longest_wavelength(answer, cause):
    assert_told(checks.check_longest_wavelength(answer), cause)


@pytest.mark.parametrize("answer", [None, "19869", {}, [[1], [1, 2]], np.array([1j])])
def test_for_one_number_one_number_is_wanted(answer, each_language):
    feedback = checks.check_longest_wavelength(answer)
    assert_told(feedback, "not_an_array")
    start = {"en": "One number is wanted", "zh": "这里需要一个数，"}[each_language]
    assert feedback.message.startswith(start)


def test_an_entry_of_row_0_that_is_nearly_right_reads_as_another_number():
    message = checks.check_row_zero([0, 1, 0, 0.99999, 0, 1, 0, 1]).message
    assert "0.99999" in message
    assert "1e-05" in checks.check_row_zero([0, 1, 1e-5, 1, 0, 1, 0, 1]).message


def test_a_number_that_is_not_finite_has_no_place():
    for number in (math.inf, np.nan, [np.nan]):
        feedback = checks.check_longest_wavelength(number)
        assert feedback.message == language.text("check.any.number_not_finite")


# the detector


def is_right(pe):
    d_model = pe.shape[1]
    starts = np.allclose(pe[0], np.tile([0, 1], d_model // 2), rtol=0, atol=1e-9)
    turned = pe[:-1] @ rotation_matrix(1, d_model).T
    return starts and np.allclose(pe[1:], turned, rtol=0, atol=1e-9)


def is_right_by_loops(pe):
    turn = rotation_matrix(1, len(pe[0]))
    for column, value in enumerate(pe[0]):
        if abs(value - column % 2) > 1e-9:
            return False
    return all(np.abs(pe[p + 1] - turn @ pe[p]).max() < 1e-9 for p in range(len(pe) - 1))


def test_right_detectors_are_accepted():
    assert_told(checks.check_detector(is_right), "")
    assert_told(checks.check_detector(is_right_by_loops), "")
    assert_told(checks.check_detector(lambda pe: np.array(is_right(pe))), "")
    assert_told(checks.check_detector(lambda pe: np.bool_(is_right(pe))), "")


def row_zero_only(pe):
    return np.allclose(pe[0], np.tile([0, 1], pe.shape[1] // 2))


def rotation_only(pe):
    return np.allclose(pe[1:], pe[:-1] @ rotation_matrix(1, pe.shape[1]).T, rtol=0, atol=1e-9)


def first_step_only(pe):
    return is_right(pe[:2])


def too_wide(pe):
    return np.abs(pe - handout(*pe.shape)).max() < 0.01


def all_but_last(pe):
    return is_right(pe[:-1])


@pytest.mark.parametrize(
    ("candidate", "name", "shows"),
    [
        (row_zero_only, "doubled_exponent", "rotation"),
        (rotation_only, "starts_at_1", "row_zero"),
        (first_step_only, "third_row", "rotation"),
        (too_wide, "nudged", "rotation"),
        (all_but_last, "last_row", "rotation"),
    ],
)
def test_what_slips_through_is_named(candidate, name, shows):
    feedback = checks.check_detector(candidate)
    assert_told(feedback, "slipped")
    assert language.text(f"wrong.{name}") in feedback.message
    assert language.text(f"shows.{shows}") in feedback.message


def exact(pe):
    if len(pe) == 1:
        return True
    return bool(row_zero_only(pe) and (pe[1:] == pe[:-1] @ rotation_matrix(1, pe.shape[1]).T).all())


def equal_to_the_formula(pe):
    return np.array_equal(pe, sinusoidal_positional_encoding(*pe.shape))


def width_8(pe):
    turn = rotation_matrix(1, 8)
    return np.allclose(pe[1:], pe[:-1] @ turn.T, rtol=0, atol=1e-9)


def turns_back(pe):
    turned = pe[:-1] @ rotation_matrix(1, pe.shape[1])
    return row_zero_only(pe) and np.allclose(pe[1:], turned, rtol=0, atol=1e-9)


def asserts(pe):
    np.testing.assert_allclose(pe, handout(*pe.shape), atol=1e-9)
    return True


def overwrites(pe):
    pe[0] = 0
    return True


@pytest.mark.parametrize(
    ("candidate", "cause"),
    [
        (lambda pe: True, "always_true"),
        (lambda pe: False, "always_false"),
        (turns_back, "turned_back"),
        (exact, "too_tight"),
        (equal_to_the_formula, "too_tight"),
        (width_8, "one_width"),
        (lambda pe: pe.shape[1] == 8 and is_right(pe), "one_width"),
        (lambda pe: pe.shape == (40, 8) and is_right(pe), "one_length"),
        (lambda pe: len(pe) < 100 and is_right(pe), "rejects"),
        (asserts, "raises_instead"),
        (overwrites, "changed_input"),
        (lambda pe: 1, "not_a_bool"),
        (lambda pe: pe[0] == 0, "not_a_bool"),
    ],
)
def test_other_faults_of_a_detector_are_named(candidate, cause):
    assert_told(checks.check_detector(candidate), cause)


def test_every_wrong_encoding_breaks_one_of_the_two_assertions():
    for name, build in encodings.WRONG:
        assert not is_right(build(40, 8)), name
    for name, pe in encodings.FINE:
        assert not is_right(pe), name


def leaps(step, start=0):
    def looks(pe):
        turn = rotation_matrix(step, pe.shape[1])
        later, earlier = pe[start + step :], pe[start:-step]
        return row_zero_only(pe) and np.allclose(later, earlier @ turn.T, rtol=0, atol=1e-9)

    return looks


def pair_by_pair(pe):
    even = pe[: len(pe) // 2 * 2]
    turned = even[0::2] @ rotation_matrix(1, pe.shape[1]).T
    return row_zero_only(pe) and np.allclose(even[1::2], turned, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("candidate", "name"),
    [
        (leaps(2), "second_row"),
        (leaps(3), "third_row"),
        (leaps(1, start=1), "integer_buffer"),
        (pair_by_pair, "jump"),
        (lambda pe: is_right(np.delete(pe, slice(20, None), axis=0)), "jump"),
    ],
)
def test_rows_that_are_never_looked_at_slip_through(candidate, name):
    feedback = checks.check_detector(candidate)
    assert_told(feedback, "slipped")
    assert language.text(f"wrong.{name}") in feedback.message
    rotation = language.text("shows.rotation")
    assert feedback.message.endswith(rotation)  # and no word of a tolerance


def wide(atol):
    def looks(pe):
        turned = pe[:-1] @ rotation_matrix(1, pe.shape[1]).T
        start = np.allclose(pe[0], np.arange(pe.shape[1]) % 2, rtol=0, atol=atol)
        return start and np.allclose(pe[1:], turned, rtol=0, atol=atol)

    return looks


@pytest.mark.parametrize("atol", [2e-3, 0.01, 0.1, 0.3])
def test_a_wide_tolerance_is_suspected(atol):
    feedback = checks.check_detector(wide(atol))
    assert_told(feedback, "slipped")
    shows = language.text("shows.rotation")
    assert feedback.message.endswith(language.text("shows.tolerance", shows=shows))


def test_a_tolerance_that_is_wide_in_row_0_only():
    def looks(pe):
        start = np.allclose(pe[0], np.arange(pe.shape[1]) % 2, rtol=0, atol=0.01)
        return start and rotation_only(pe)

    feedback = checks.check_detector(looks)
    assert_told(feedback, "slipped")
    assert language.text("wrong.phase") in feedback.message
    shows = language.text("shows.row_zero")
    assert feedback.message.endswith(language.text("shows.tolerance", shows=shows))


def bounded_only(pe):
    return bool(np.abs(pe).max() < 1 + 1e-9)


def test_what_lets_zeros_through_is_told_so():
    for candidate in (bounded_only, wide(2.0), lambda pe: np.isfinite(pe).all()):
        assert_told(checks.check_detector(candidate), "always_true")


@pytest.mark.parametrize(
    ("candidate", "cause"),
    [
        (lambda pe: not is_right(pe), "inverted"),
        (lambda pe: not row_zero_only(pe), "inverted"),
        (lambda pe: not rotation_only(pe), "inverted"),
        (lambda pe: row_zero_only(pe) and not rotation_only(pe), "inverted"),
        (lambda pe: not row_zero_only(pe) and rotation_only(pe), "inverted"),
        (lambda pe: not exact(pe), "inverted"),
        (lambda pe: not np.array_equal(pe, sinusoidal_positional_encoding(*pe.shape)), "inverted"),
        (
            lambda pe: np.allclose(pe, encodings.pairs(encodings.angles(*pe.shape, start=1))),
            "other",
        ),
    ],
)
def test_a_detector_that_is_turned_round(candidate, cause):
    assert_told(checks.check_detector(candidate), cause.replace("other", "accepts_other"))


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        (1, "bool"),
        (0.0, "bool"),
        (np.int64(1), "bool"),
        ("True", "quotes"),
        ((True, True), "and"),
        ([True, True], "all"),
        (np.array([True, True]), "all"),
    ],
)
def test_advice_on_what_is_no_bool_fits_what_came(answer, advice):
    feedback = checks.check_detector(lambda pe: answer)
    assert_told(feedback, "not_a_bool")
    assert feedback.message.endswith(language.text(f"advice.{advice}"))


def test_an_array_in_a_call_is_told_in_words():
    feedback = checks.check_detector(lambda pe: pe[:, 99])
    assert_told(feedback, "raised")
    assert language.text("call.array", shape=(4, 8)) in feedback.message
    assert "(4, 8)" in checks.check_encoding(lambda n, d: 1 / 0).message


# the rotation


def rotation_by_power(offset, d_model):
    return np.linalg.matrix_power(rotation_matrix(1, d_model), offset)


def rotation_by_loops(offset, d_model):
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        angle = offset / 10000 ** (2 * i / d_model)
        matrix[2 * i][2 * i] = matrix[2 * i + 1][2 * i + 1] = math.cos(angle)
        matrix[2 * i][2 * i + 1] = math.sin(angle)
        matrix[2 * i + 1][2 * i] = -math.sin(angle)
    return matrix


@pytest.mark.parametrize(
    "candidate",
    [
        rotation_matrix,
        rotation_by_power,
        rotation_by_loops,
        lambda k, d: rotation_matrix(k, d).astype(np.float32),
    ],
)
def test_right_rotations_are_accepted(candidate):
    assert_told(checks.check_rotation(candidate), "")


@pytest.mark.parametrize(("cause", "build"), rotation._WRONG_ROTATIONS)
def test_each_wrong_rotation_is_named(cause, build):
    assert_told(checks.check_rotation(build), cause)


def test_other_wrong_rotations():
    assert_told(checks.check_rotation(lambda k, d: rotation_matrix(k, d)[0]), "shape")
    assert_told(checks.check_rotation(lambda k, d: rotation_matrix(k, 8)), "outer_d_model")
    feedback = checks.check_rotation(lambda k, d: 2 * rotation_matrix(k, d))
    assert_told(feedback, "entry")
    assert "[0, 0]" in feedback.message


@pytest.mark.parametrize("rows", [50, 512])
def test_an_answer_that_holds_from_1_on(rows):
    def by_least_squares(offset, d_model):
        pe = sinusoidal_positional_encoding(rows, d_model)
        return np.linalg.lstsq(pe[:-offset], pe[offset:], rcond=None)[0].T

    feedback = checks.check_rotation(by_least_squares)
    assert_told(feedback, "stops_below_1")
    assert "LinAlgError" in feedback.message or "ValueError" in feedback.message
    assert "(0, 6)" in feedback.message

    def zero_apart(offset, d_model):
        return np.eye(d_model) if offset == 0 else by_least_squares(offset, d_model)

    assert_told(checks.check_rotation(zero_apart), "wrong_below_1")

    def untransposed(offset, d_model):
        return by_least_squares(offset, d_model).T

    if rows == 512:
        assert_told(checks.check_rotation(untransposed), "transposed")

    def for_all(offset, d_model):
        if offset < 0:
            return by_least_squares(-offset, d_model).T
        return zero_apart(offset, d_model)

    assert_told(checks.check_rotation(for_all), "imprecise" if rows == 50 else "")


@pytest.mark.parametrize("digits", [1, 2, 4])
def test_a_rotation_that_is_rounded(digits):
    assert_told(checks.check_rotation(lambda k, d: rotation_matrix(k, d).round(digits)), "rounded")


def test_the_block_of_one_pair_is_not_taken_for_a_width_from_outside():
    def block(offset, d_model):
        omega = 10000 ** (-2 / d_model)
        cos, sin = math.cos(offset * omega), math.sin(offset * omega)
        return [[cos, sin], [-sin, cos]]

    assert_told(checks.check_rotation(block), "one_block")
    assert_told(checks.check_rotation(lambda k, d: rotation_matrix(k, 2)), "one_block")


def test_a_rotation_in_half_precision():
    narrow = checks.check_rotation(lambda k, d: rotation_matrix(k, d).astype(np.float16))
    assert_told(narrow, "imprecise")


def in_blocks(block):
    def rotate(offset, d_model):
        matrix = np.zeros((d_model, d_model))
        for i in range(d_model // 2):
            angle = offset / 10000 ** (2 * i / d_model)
            matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(math.cos(angle), math.sin(angle))
        return matrix

    return rotate


@pytest.mark.parametrize(
    ("block", "cause"),
    [
        (lambda c, s: [[s, c], [-c, s]], "swapped"),
        (lambda c, s: [[s, c], [c, -s]], "swapped"),
        (lambda c, s: [[s, -c], [c, s]], "swapped"),
        (lambda c, s: [[s, c], [c, s]], "swapped"),
        (lambda c, s: [[-c, s], [s, c]], "signs"),
        (lambda c, s: [[-c, s], [-s, -c]], "signs"),
        (lambda c, s: [[c, -s], [-s, c]], "same_sign"),
        (lambda c, s: [[c, s], [s, c]], "same_sign"),
        (lambda c, s: [[c, -s], [s, c]], "transposed"),
    ],
)
def test_blocks_with_the_wrong_numbers(block, cause):
    assert_told(checks.check_rotation(in_blocks(block)), cause)


def test_other_slips_of_a_rotation():
    def early(rest):
        def rotate(offset, d_model):
            matrix = rest * np.eye(d_model)
            matrix[:2, :2] = rotation_matrix(offset, d_model)[:2, :2]
            return matrix

        return rotate

    def whole(offset, d_model):
        matrix = np.eye(d_model, dtype=int)
        matrix[:] = rotation_matrix(offset, d_model)
        return matrix

    def blocks(offset, d_model):
        matrix = rotation_matrix(offset, d_model)
        return [matrix[i : i + 2, i : i + 2] for i in range(0, d_model, 2)]

    def by_exponential(factor):
        def rotate(offset, d_model):
            angles = offset * np.exp(-np.arange(0, d_model, 2) / d_model * factor)
            return rotation._blocks(angles, np.cos, np.sin)

        return rotate

    assert_told(checks.check_rotation(early(0)), "early_return")
    assert_told(checks.check_rotation(early(1)), "early_return")
    assert_told(checks.check_rotation(whole), "integer_buffer")
    assert_told(checks.check_rotation(blocks), "blocks_apart")
    assert_told(checks.check_rotation(by_exponential(math.log10(1e4))), "other_log")
    assert_told(checks.check_rotation(by_exponential(1)), "log_missing")
    two = checks.check_rotation(lambda k, d: (rotation_matrix(k, d), np.eye(d)))
    assert_told(two, "several_arrays")
    positive = checks.check_rotation(lambda k, d: rotation_matrix(k + 1, d))
    assert_told(positive, "one_too_far")
    assert_told(checks.check_rotation(lambda k, d: rotation_matrix(k - 1, d)), "one_too_short")


def test_a_rotation_that_is_wrong_from_1_on_and_stops_at_0():
    def stops(offset, d_model):
        if offset < 1:
            raise ValueError(offset)
        return 2 * rotation_matrix(offset, d_model)

    assert_told(checks.check_rotation(stops), "entry")


@given(row=st.integers(0, 7), column=st.integers(0, 7), by=st.floats(1e-3, 10))
def test_any_changed_entry_of_a_rotation_is_rejected(row, column, by):
    def changed(offset, d_model):
        matrix = rotation_matrix(offset, d_model)
        matrix[row % d_model, column % d_model] += by
        return matrix

    assert checks.check_rotation(changed).state == "incorrect"
