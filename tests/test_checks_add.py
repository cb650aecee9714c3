"""Chapter 2: right answers pass in every form, and each usual mistake is named."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import checks, language
from course_utils.checks import position_axes as room
from course_utils.encoding import (
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from tests import test_checks_add_positions, test_checks_position_axes, test_checks_read_pair
from tests.told import assert_told, causes_of, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


# one word at two positions

DIFFERENCES = [
    ("the positions", ""),
    (" The  Positions. ", ""),
    ("the word", "the_word"),
    ("THE WORD", "the_word"),
    ("both", "both"),
    ("neither", "not_a_choice"),
    (0, "not_a_choice"),
    (np.zeros(3), "not_a_choice"),
    ("", "not_attempted"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), DIFFERENCES)
def test_difference(answer, cause):
    assert_told(checks.check_difference(answer), cause)


# positions added to a batch that is padded on the left


def rows(stop, d_model, start=0):
    return sinusoidal_positional_encoding(stop, d_model)[start:]


def by_slices(x, lengths):
    total = x.copy()
    for sentence, length in enumerate(lengths):
        total[sentence, x.shape[1] - length :] += rows(length, x.shape[2])
    return total


def by_loops(x, lengths):
    total = np.zeros(x.shape)
    for sentence in range(len(x)):
        for row in range(x.shape[1]):
            pos = row - (x.shape[1] - lengths[sentence])
            total[sentence, row] = x[sentence, row]
            if pos >= 0:
                total[sentence, row] += rows(pos + 1, x.shape[2])[pos]
    return total


def by_indices(x, lengths):
    pos = np.arange(x.shape[1]) - (x.shape[1] - lengths)[:, None]
    pe = rows(x.shape[1], x.shape[2])[np.maximum(pos, 0)]
    return x + np.where(pos[..., None] >= 0, pe, 0)


def from_the_end(x, lengths):
    out = [row.copy() for row in x]
    for row, length in zip(out, lengths, strict=True):
        row[-length:] = row[-length:] + rows(1000, x.shape[2])[:length]
    return out


def by_rotation(x, lengths):
    total = np.array(x)
    for sentence, length in enumerate(lengths):
        total[sentence, -length:] += sinusoidal_positional_encoding_by_rotation(length, x.shape[2])
    return total


RIGHT_SUMS = [
    by_slices,
    by_loops,
    by_indices,
    from_the_end,
    by_rotation,
    lambda x, lengths: by_slices(x, lengths).tolist(),
    lambda x, lengths: by_slices(x, lengths).astype(np.float32),
    lambda x, lengths: np.array([by_slices(x, lengths)[i] for i in range(len(x))]),
]


@pytest.mark.parametrize("candidate", RIGHT_SUMS)
def test_right_sums_are_accepted(candidate):
    assert_told(checks.check_add_positions(candidate), "")


def on_tokens(make):
    def add(x, lengths):
        total = x.copy()
        for sentence, length in enumerate(lengths):
            total[sentence, x.shape[1] - length :] += make(length, x.shape[2])
        return total

    return add


def in_place(x, lengths):
    for sentence, length in enumerate(lengths):
        x[sentence, x.shape[1] - length :] += rows(length, x.shape[2])
    return x


def running(x, lengths):
    total, start = x.copy(), 0
    for sentence, length in enumerate(lengths):
        total[sentence, -length:] += rows(start + length, x.shape[2], start)
        start += length
    return total


def right_padding(x, lengths):
    total = x.copy()
    for sentence, length in enumerate(lengths):
        total[sentence, :length] += rows(length, x.shape[2])
    return total


def counted_from_row_0(x, lengths):
    total = x.copy()
    for sentence, length in enumerate(lengths):
        start = x.shape[1] - length
        total[sentence, start:] += rows(x.shape[1], x.shape[2])[start:]
    return total


def row_0_for_filler(x, lengths):
    pos = np.maximum(np.arange(x.shape[1]) - (x.shape[1] - lengths)[:, None], 0)
    return x + rows(x.shape[1], x.shape[2])[pos]


def filler_to_0(x, lengths):
    total = by_slices(x, lengths)
    total[np.arange(x.shape[1]) < x.shape[1] - lengths[:, None]] = 0
    return total


def whole_numbers(length, d_model):
    buffer = np.zeros((length, d_model), dtype=int)
    buffer[:] = rows(length, d_model)
    return buffer


def one_entry(x, lengths):
    total = by_slices(x, lengths)
    total[0, -1, 1] += 0.5
    return total


def changes_lengths(x, lengths):
    total = by_slices(x, lengths)
    lengths += 1
    return total


def filler_counted(x, lengths):
    total = x.copy()
    for sentence, length in enumerate(lengths):
        if length < x.shape[1]:
            total[sentence, length:] += rows(x.shape[1] - length, x.shape[2])
    return total


def moved(x, lengths, by):
    total = x.copy()
    for sentence, length in enumerate(lengths):
        first = max(0, x.shape[1] - length + by)
        if first < x.shape[1]:
            total[sentence, first:] += rows(x.shape[1] - first, x.shape[2])
    return total


WRONG_SUMS = [
    ("padding_counted", lambda x, lengths: x + rows(*x.shape[1:])),
    ("padding_counted", counted_from_row_0),
    ("right_padding", right_padding),
    ("one_length", lambda x, lengths: by_slices(x, [lengths[0]] * len(x))),
    ("one_row", on_tokens(lambda length, d: rows(length + 1, d)[length])),
    ("one_row", on_tokens(lambda length, d: rows(length + 1, d)[length - 1])),
    ("one_row", on_tokens(lambda length, d: rows(1, d))),
    ("filler_counted", filler_counted),
    ("row_late", lambda x, lengths: moved(x, lengths, 1)),
    ("row_early", lambda x, lengths: moved(x, lengths, -1)),
    ("first_sentence", lambda x, lengths: np.vstack([by_slices(x, lengths)[:1], x[1:]])),
    ("changed_lengths", changes_lengths),
    ("running_count", running),
    ("starts_at_1", on_tokens(lambda length, d: rows(length + 1, d, 1))),
    ("backwards", on_tokens(lambda length, d: rows(length, d)[::-1])),
    ("integer_buffer", on_tokens(whole_numbers)),
    ("twice", lambda x, lengths: by_slices(by_slices(x, lengths), lengths)),
    ("subtracted", on_tokens(lambda length, d: -rows(length, d))),
    ("scaled", lambda x, lengths: by_slices(np.sqrt(x.shape[2]) * x, lengths)),
    ("only_pe", lambda x, lengths: by_slices(np.zeros(x.shape), lengths)),
    ("nothing_added", lambda x, lengths: x),
    ("filler_changed", row_0_for_filler),
    ("filler_changed", filler_to_0),
    ("changed_input", in_place),
    ("rounded", lambda x, lengths: by_slices(x, lengths).round(4)),
    ("entry", one_entry),
    ("shape", lambda x, lengths: by_slices(x, lengths)[..., :2]),
    ("raised", lambda x, lengths: x + rows(7, 10)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_SUMS)
def test_wrong_sums_are_named(cause, candidate):
    assert_told(checks.check_add_positions(candidate), cause)


@given(
    place=st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 15)),
    by=st.floats(1e-3, 10).flatmap(lambda size: st.sampled_from([size, -size])),
)
def test_any_changed_entry_of_a_sum_is_rejected(place, by):
    def changed(x, lengths):
        total = by_slices(x, lengths)
        if x.shape == (3, 6, 16):
            total[place] += by
        return total

    assert checks.check_add_positions(changed).state == "incorrect"


# the axes of the positions


def along(add):
    rows = add(np.tile(np.random.RandomState(42).randn(16), (3, 4, 1)))
    return not np.allclose(rows[0, 0], rows[1, 0]), not np.allclose(rows[0, 0], rows[0, 1])


def axes_of(add):
    return [axis for axis, differs in enumerate(along(add)) if differs]


def all_rows(add):
    rows = np.asarray(add(np.ones((5, 3, 8))))
    return [axis for axis in (0, 1) if np.ptp(rows, axis=axis).max() > 1e-6]


def by_hand(add):
    rows = np.asarray(add([[[1, 0], [1, 0]], [[1, 0], [1, 0]]]))
    found = ()
    if any(abs(a - b) > 1e-9 for a, b in zip(rows[0, 0], rows[1, 0], strict=True)):
        found += (0,)
    if any(abs(a - b) > 1e-9 for a, b in zip(rows[0, 0], rows[0, 1], strict=True)):
        found += (1,)
    return found


def by_standard_deviation(add):
    spread = [add(np.ones((3, 4, 6))).std(axis=axis).max() for axis in (0, 1)]
    return np.flatnonzero(np.array(spread) > 1e-8)


def backwards(add):
    return {1 - axis for axis in axes_of(lambda x: add(x.swapaxes(0, 1)).swapaxes(0, 1))}


@pytest.mark.parametrize(
    "candidate", [axes_of, all_rows, by_hand, by_standard_deviation, backwards]
)
def test_right_tests_of_the_axes_are_accepted(candidate):
    assert_told(checks.check_position_axes(candidate), "")


def exact(add):
    rows = add(np.tile(np.random.RandomState(42).randn(16), (3, 4, 1)))
    others = rows[1, 0], rows[0, 1]
    return [axis for axis in (0, 1) if (rows[0, 0] != others[axis]).any()]


def large_threshold(add):
    rows = add(np.ones((3, 4, 16)))
    return [axis for axis in (0, 1) if np.ptp(rows, axis=axis).max() > 0.1]


def compares_with_the_formula(add):
    rows = add(np.ones((3, 4, 16))) - 1
    if np.allclose(rows[0], sinusoidal_positional_encoding(4, 16)):
        return [1]
    return [0] if np.allclose(rows[:, 0], sinusoidal_positional_encoding(3, 16)) else []


def different_words(add):
    rows = add(np.random.RandomState(42).randn(3, 4, 16))
    others = rows[1, 0], rows[0, 1]
    return [axis for axis in (0, 1) if not np.allclose(rows[0, 0], others[axis])]


def words_subtracted(add):
    x = np.random.RandomState(42).randn(3, 4, 16)
    rows = add(x) - x
    return [
        axis for axis, row in ((0, rows[1, 0]), (1, rows[0, 1])) if not np.allclose(rows[0, 0], row)
    ]


def calls_and(answer):
    def say(add):
        add(np.ones((2, 3, 8)))
        return answer

    return say


WRONG_AXES = [
    ("never_calls", lambda add: [1]),
    ("always_same", calls_and([0])),
    ("always_same", calls_and([1])),
    ("always_same", calls_and([])),
    ("always_same", different_words),
    ("swapped", lambda add: [1 - axis for axis in axes_of(add)]),
    ("too_tight", exact),
    ("alike", lambda add: [axis for axis in (0, 1) if axis not in axes_of(add)]),
    ("swallows", lambda add: add(np.full((2, 5, 16), np.nan))),
    ("swallows", lambda add: [1] if np.ptp(add(np.full((2, 5, 16), 1e20))) else []),
    ("words_remain", words_subtracted),
    ("misjudged", large_threshold),
    ("misjudged", compares_with_the_formula),
    ("misjudged", lambda add: axes_of(add)[:1]),
    ("either_or", lambda add: [1] if along(add)[1] else [0]),
    ("not_three_axes", lambda add: add(np.ones((5, 16)))),
    ("not_axes", lambda add: 1),
    ("not_axes", along),
    ("not_axes", lambda add: [2]),
    ("not_axes", lambda add: add(np.ones((2, 3, 8)))),
    ("raised", lambda add: add(np.ones((2, 5, 7)))),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_AXES)
def test_wrong_tests_of_the_axes_are_named(cause, candidate):
    assert_told(checks.check_position_axes(candidate), cause)


@pytest.mark.parametrize(("name", "adder", "axes"), room.ADDERS)
def test_each_function_alone_is_told(name, adder, axes):
    def wrong(one):
        probe = np.random.RandomState(5).randn(3, 4, 6)
        return [] if np.array_equal(one(probe), adder(probe)) and axes else axes_of(one)

    feedback = checks.check_position_axes(wrong)
    assert_told(feedback, "misjudged" if axes else "")
    if axes:
        assert language.text(f"adder.{name}") in feedback.message


@pytest.mark.parametrize(("name", "adder", "axes"), room.ADDERS)
def test_each_function_is_what_it_is_called(name, adder, axes):
    assert axes_of(adder) == axes


# word and position read back


def nearest_sum(total, words, pe):
    distances = ((words[:, None] + pe - total) ** 2).sum(axis=-1)
    return np.unravel_index(np.argmin(distances), distances.shape)


def nearest_by_loops(total, words, pe):
    best = None
    for word in range(len(words)):
        for pos in range(len(pe)):
            distance = np.linalg.norm(words[word] + pe[pos] - total)
            if best is None or distance < best[0]:
                best = distance, word, pos
    return best[1:]


@pytest.mark.parametrize(
    "candidate",
    [
        nearest_sum,
        nearest_by_loops,
        lambda total, words, pe: np.array(nearest_sum(total, words, pe)),
        lambda total, words, pe: [float(i) for i in nearest_sum(total, words, pe)],
        lambda total, words, pe: divmod(
            int(np.argmin(np.abs((words[:, None] + pe).reshape(-1, len(total)) - total).sum(1))),
            len(pe),
        ),
    ],
)
def test_right_readers_are_accepted(candidate):
    assert_told(checks.check_read_pair(candidate), "")


def squares(vectors, total):
    return ((vectors - total) ** 2).sum(axis=1)


def separately(total, words, pe):
    return np.argmin(squares(words, total)), np.argmin(squares(pe, total))


def as_in_the_chapter(total, words, pe):
    return np.argmin((words**2).sum(axis=1) - 2 * words @ total), np.argmax(pe @ total)


def word_first(total, words, pe):
    word = np.argmin(squares(words, total))
    return word, np.argmax((total - words[word]) @ pe.T)


def position_first(total, words, pe):
    pos = np.argmin(squares(pe, total))
    return np.argmin(squares(words, total - pe[pos])), pos


def flat(total, words, pe):
    return np.argmin(((words[:, None] + pe - total) ** 2).sum(axis=-1))


def vectors(total, words, pe):
    word, pos = nearest_sum(total, words, pe)
    return words[word], pe[pos]


def equal(total, words, pe):
    return np.isclose(words[:, None] + pe, total, rtol=0, atol=1e-9).all(axis=-1)


def index(table):
    return np.unravel_index(np.argmin(table), table.shape)


def in_turns(total, words, pe):
    def nearest(row, table):
        return np.square(table - row).sum(axis=1).argmin()

    word = nearest(total - pe[nearest(total, pe)], words)
    return word, nearest(total - words[word], pe)


WRONG_READERS = [
    ("swapped", lambda t, w, p: nearest_sum(t, w, p)[::-1]),
    ("separately", separately),
    ("separately", as_in_the_chapter),
    ("in_turns", in_turns),
    ("difference", lambda t, w, p: nearest_sum(t, w, -p)),
    ("some_columns", lambda t, w, p: nearest_sum(t[:4], w[:, :4], p[:, :4])),
    ("one_by_one", word_first),
    ("one_by_one", position_first),
    ("dot_product", lambda t, w, p: (np.argmax(w @ t), np.argmax(p @ t))),
    (
        "dot_product",
        lambda t, w, p: np.unravel_index(np.argmax((w[:, None] + p) @ t), (len(w), len(p))),
    ),
    (
        "farthest",
        lambda t, w, p: np.unravel_index(
            np.argmax(((w[:, None] + p - t) ** 2).sum(-1)), (len(w), len(p))
        ),
    ),
    ("other_divisor", lambda t, w, p: divmod(int(flat(t, w, p)), len(w))),
    ("other_divisor", lambda t, w, p: np.unravel_index(flat(t, w, p), (len(p), len(w)))),
    ("no_such_pair", lambda t, w, p: (-1, 999)),
    ("no_such_pair", lambda t, w, p: [i + 1 for i in nearest_sum(t, w, p)]),
    ("no_such_pair", lambda t, w, p: (len(w), 0)),
    ("sums_do_not_fit", lambda t, w, p: np.argmin(((w + p - t) ** 2).sum(axis=-1))),
    ("only_word", lambda t, w, p: (nearest_sum(t, w, p)[0], 0)),
    ("only_pos", lambda t, w, p: (0, nearest_sum(t, w, p)[1])),
    ("wrong_pair", lambda t, w, p: (0, 0)),
    ("vectors", vectors),
    ("vectors", lambda t, w, p: t),
    ("one_number", flat),
    ("not_indices", lambda t, w, p: (0.5, 1)),
    ("not_indices", lambda t, w, p: (True, False)),
    ("not_indices", lambda t, w, p: "word"),
    ("exact", lambda t, w, p: []),
    ("exact", lambda t, w, p: np.argwhere(equal(t, w, p))[0]),
    ("exact", lambda t, w, p: np.where(equal(t, w, p))),
    ("not_squared", lambda t, w, p: index(np.abs((w[:, None] + p - t).sum(axis=-1)))),
    ("some_columns", lambda t, w, p: index(np.abs((w[:, None] + p - t)[..., 0]))),
    ("not_finite", lambda t, w, p: (np.nan, 1)),
    ("raised", lambda t, w, p: w @ p),
    ("not_attempted", lambda t, w, p: (..., ...)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_READERS)
def test_wrong_readers_are_named(cause, candidate):
    assert_told(checks.check_read_pair(candidate), cause)


def test_a_position_that_does_not_exist_is_told():
    message = checks.check_read_pair(lambda t, w, p: divmod(int(flat(t, w, p)), len(w))).message
    assert "`len(pe)`" in message
    place = int(re.search(r"\d+", message)[0])
    assert place >= 20


def test_dot_products_are_told_to_be_a_separate_search():
    message = checks.check_read_pair(lambda t, w, p: (np.argmax(w @ t), np.argmax(p @ t))).message
    assert {"en": "separately", "zh": "分开"}[language.current_language()] in message
    assert "`word @ total + row @ total`" in message


def test_a_reader_fails_at_width_4_first():
    assert "4" in checks.check_read_pair(as_in_the_chapter).message


@given(st.integers(-40, 40).filter(bool), st.booleans())
def test_any_other_index_is_rejected(by, which):
    def moved(total, words, pe):
        word, pos = nearest_sum(total, words, pe)
        return (word + by, pos) if which else (word, pos + by)

    assert checks.check_read_pair(moved).state == "incorrect"


# the factor

FACTORS = [
    (10, ""),
    (9.95, ""),
    (np.sqrt(100), ""),
    (np.float32(10.05), ""),
    ([10], ""),
    (np.sqrt(200), "root_of_width"),
    (14.1, "root_of_width"),
    (100, "not_rooted"),
    (200, "width"),
    (1 / 10, "inverse"),
    (0.707, "half_variance"),
    (1, "none"),
    (0, "not_positive"),
    (-10, "not_positive"),
    (5, "other"),
    (22.6, "other"),
    (1e6, "other"),
    ([10, 10], "not_a_number"),
    (True, "not_a_number"),
    ("10", "not_an_array"),
    (np.nan, "not_finite"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), FACTORS)
def test_even_factor(answer, cause):
    assert_told(checks.check_even_factor(answer), cause)


@given(st.floats(-10, 200).filter(lambda factor: abs(factor - 10) > 0.101))
def test_any_other_factor_is_rejected(factor):
    assert checks.check_even_factor(factor).state == "incorrect"


# the words


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("difference", {cause for _, cause in DIFFERENCES}),
        (
            "add_positions",
            causes_of(WRONG_SUMS, test_checks_add_positions.WRONG),
        ),
        (
            "position_axes",
            causes_of(WRONG_AXES, test_checks_position_axes.WRONG),
        ),
        (
            "read_pair",
            causes_of(WRONG_READERS, test_checks_read_pair.WRONG),
        ),
        ("even_factor", {cause for _, cause in FACTORS}),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
