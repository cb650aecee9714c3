"""Chapter 1: right answers pass in every form, and each usual mistake is named."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import checks, language
from course_utils.checks import encodings
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
        pe[1:2, -1] += 0.5
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


MILLION = 1_000_000 / (2 * math.pi)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (MILLION ** (16 / 14), ""),
        (np.float32(MILLION ** (16 / 14)), ""),
        ([MILLION ** (16 / 14)], ""),
        (1.009 * MILLION ** (16 / 14), ""),
        (1.011 * MILLION ** (16 / 14), "longer"),
        (0.989 * MILLION ** (16 / 14), "shorter"),
        (MILLION, "folklore"),
        (1_000_000 ** (16 / 14), "no_turn"),
        ((2 * math.pi * 1_000_000) ** (16 / 14), "multiplied"),
        (MILLION ** (14 / 16), "exponent_turned"),
        (1_000_000, "wavelength"),
        (MILLION ** (16 / 15), "column_index"),
        (MILLION ** (16 / 7), "halved_exponent"),
        (MILLION ** (8 / 6), "width_8"),
        ((2 * MILLION) ** (16 / 14), "half_turn"),
        (10_000, "shorter"),
        (1e9, "longer"),
        (0, "not_positive"),
        (-5, "not_positive"),
        (True, "not_a_number"),
        ([1, 2], "not_a_number"),
        ("880000", "not_an_array"),
        (math.inf, "not_finite"),
    ],
)
def test_base(answer, cause):
    assert_told(checks.check_base(answer), cause)


def test_a_base_is_told_by_its_wave():
    assert "2,650" in checks.check_base(1_000).message


@pytest.mark.parametrize("answer", [None, "880000", {}, [[1], [1, 2]], np.array([1j])])
def test_for_one_number_one_number_is_wanted(answer, each_language):
    feedback = checks.check_base(answer)
    assert_told(feedback, "not_an_array")
    start = {"en": "One number is wanted", "zh": "这里需要一个数"}[each_language]
    assert feedback.message.startswith(start)


def test_an_entry_of_row_0_that_is_nearly_right_reads_as_another_number():
    message = checks.check_row_zero([0, 1, 0, 0.99999, 0, 1, 0, 1]).message
    assert "0.99999" in message
    assert "1e-05" in checks.check_row_zero([0, 1, 1e-5, 1, 0, 1, 0, 1]).message


def test_a_number_that_is_not_finite_has_no_place():
    for number in (math.inf, np.nan, [np.nan]):
        feedback = checks.check_base(number)
        assert feedback.message == language.text("check.any.number_not_finite")


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
    feedback = checks.check_sees_order(lambda attend, x: answer)
    assert_told(feedback, "not_a_bool")
    assert feedback.message.endswith(language.text(f"advice.{advice}"))


def test_an_array_in_a_call_is_told_in_words():
    feedback = checks.check_steps_between(lambda row, other: row[99])
    assert_told(feedback, "raised")
    assert language.text("call.array", shape=(8,)) in feedback.message
    assert "(6, 8)" in checks.check_encoding(lambda n, d: 1 / 0).message


# steps from one row to another


def by_angle(row, other):
    turned = np.arctan2(other[-2], other[-1]) - np.arctan2(row[-2], row[-1])
    return round(turned / 0.001)


def by_trying(row, other):
    ways = range(-1000, 1001)
    return min(ways, key=lambda way: np.abs(rotation_matrix(way, 8) @ row - other).max())


def by_position(row, other):
    pe = sinusoidal_positional_encoding(1100, 8)
    return np.argmax(pe @ other) - np.argmax(pe @ row)


def by_hand(pair):
    """As many do: the angle of one hand that may have come round."""

    def steps(row, other):
        sines, cosines = row[0::2][pair] * 1j + row[1::2][pair], other[0::2][pair] * 1j
        return np.angle((other[1::2][pair] + cosines) / sines) * 10**pair

    return steps


@pytest.mark.parametrize("candidate", [by_angle, by_trying, by_position, by_hand(3)])
def test_steps_are_found_in_several_ways(candidate):
    assert_told(checks.check_steps_between(candidate), "")


@pytest.mark.parametrize(
    ("candidate", "cause"),
    [
        (lambda row, other: -by_angle(row, other), "turned_round"),
        (lambda row, other: abs(by_angle(row, other)), "unsigned"),
        (
            lambda row, other: by_angle(sinusoidal_positional_encoding(1, 8)[0], row),
            "first_position",
        ),
        (
            lambda row, other: by_angle(sinusoidal_positional_encoding(1, 8)[0], other),
            "second_position",
        ),
        (lambda row, other: by_angle(row, other) / 1000, "angle"),
        (lambda row, other: 0, "always_the_same"),
        (lambda row, other: by_angle(row, other) + 0.3, "nearly"),
        (lambda row, other: row @ other, "other"),
        (by_hand(0), "wraps"),
        (by_hand(1), "wraps"),
        (by_hand(2), "wraps"),
        (lambda row, other: row, "not_a_number"),
        (lambda row, other: None, "returned_nothing"),
        (lambda row, other: ..., "not_attempted"),
        (lambda row: 0, "arguments"),
    ],
)
def test_each_wrong_count_of_steps_is_named(candidate, cause):
    assert_told(checks.check_steps_between(candidate), cause)


# which assertion notices what

VERDICTS = {
    "doubled": "one step",
    "from_one": "row 0",
    "backwards": "both",
    "degrees": "one step",
    "negated": "row 0",
    "swapped": "both",
}


def test_the_verdicts_are_those_of_the_two_assertions():
    right = sinusoidal_positional_encoding(50, 16)
    wrong = {
        "doubled": sinusoidal_positional_encoding(50, 16, base=1e8),
        "from_one": sinusoidal_positional_encoding(51, 16)[1:],
        "backwards": right[::-1],
        "degrees": encodings.pairs(np.radians(encodings.angles(50, 16))),
        "negated": -right,
        "swapped": encodings.pairs(encodings.angles(50, 16), np.cos, np.sin),
    }
    for name, pe in wrong.items():
        row_zero = not np.allclose(pe[0], right[0])
        one_step = not np.allclose(pe[1:], pe[:-1] @ rotation_matrix(1, 16).T)
        assert (row_zero, one_step) == (VERDICTS[name] != "one step", VERDICTS[name] != "row 0")
    assert_told(checks.check_verdicts(VERDICTS), "")


def test_verdicts_may_be_said_in_chinese():
    said = {"one step": "一步", "row 0": "第 0 行", "both": "两条"}
    assert_told(checks.check_verdicts({name: said[it] for name, it in VERDICTS.items()}), "")


@pytest.mark.parametrize("name", VERDICTS)
def test_each_wrong_verdict_is_named(name):
    for said in {"row 0", "one step", "both"} - {VERDICTS[name]}:
        feedback = checks.check_verdicts({**VERDICTS, name: said})
        assert_told(feedback, f"wrong_{name}")
        assert "5" in feedback.message
        assert name in feedback.message


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (..., "not_attempted"),
        (dict.fromkeys(VERDICTS, ...), "not_attempted"),
        ({**VERDICTS, "backwards": ...}, "open"),
        ({**VERDICTS, "backwards": "neither"}, "not_a_verdict"),
        ({**VERDICTS, "backwards": 0}, "not_a_verdict"),
        ({}, "lost"),
        ("both", "not_a_table"),
    ],
)
def test_what_is_no_verdict_is_told(answer, cause):
    assert_told(checks.check_verdicts(answer), cause)


# speeds without a fixed factor


def passes(speeds):
    """The wishes of the chapter, on rows: smallest distance, and similarity by decade."""
    angles = np.outer(np.arange(1000), speeds)
    rows = np.concatenate([np.sin(angles), np.cos(angles)], axis=1) / np.sqrt(len(speeds))
    alike = rows @ rows.T
    distances = np.sqrt(np.maximum(0, 2 - 2 * alike[np.triu_indices(1000, 1)]))
    means = [np.diagonal(alike, k).mean() for k in range(1000)]
    parts = [np.mean(means[1:10]), np.mean(means[10:100]), np.mean(means[100:])]
    return distances.min() >= 0.1 and np.diff(parts).max() <= -0.1


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ((np.arange(1, 17) / 16) ** 4, ""),
        (1 / np.arange(1, 9) ** 3.0, ""),
        (1 / np.cumprod(np.arange(1.0, 8.0)), ""),
        ([0.5, 0.03, 0.0021], ""),
        (10_000.0 ** (-np.arange(8) / 8), "fixed_factor"),
        (10_000.0 ** (-np.arange(8)[::-1] / 8), "fixed_factor"),
        ([1.0, 1.0, 1.0], "fixed_factor"),
        ([1.0, 0.1], "too_few"),
        (1.0, "too_few"),
        (np.linspace(0.001, 3, 500), "too_many"),
        ([1.0, 0.1, 0.0], "out_of_range"),
        ([1.0, 0.1, -0.01], "out_of_range"),
        ([4.0, 1.0, 0.1], "out_of_range"),
        ([0.01, 0.002, 0.001], "hardly_moves"),
        ([1.0, 0.9, 0.8], "comes_back"),
        (1 / np.arange(1.0, 33.0), "far_is_lost"),
        (np.random.RandomState(42).uniform(0, np.pi, 8), "far_is_lost"),
        ([1.0, 0.9, 0.001, 0.0007, 0.0003], "near_is_lost"),
        ([1.1, 0.83, 0.37, 0.11, 0.07, 0.0002, 0.0001, 0.00007, 0.00005], "far_is_near"),
        ("1, 2, 3", "not_an_array"),
        ([1.0, ...], "not_attempted"),
    ],
)
def test_speeds(answer, cause):
    assert_told(checks.check_speeds(answer), cause)


@given(st.lists(st.floats(1e-4, np.pi), min_size=3, max_size=8))
def test_speeds_are_judged_as_the_chapter_judges_them(speeds):
    feedback = checks.check_speeds(speeds)
    if feedback.cause != "fixed_factor":
        assert (feedback.state == "correct") == passes(speeds)
