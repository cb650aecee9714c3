"""Chapter 2: right answers pass in every form, and each usual mistake is named."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils import checks, language
from course_utils.checks import pair_test as room
from course_utils.encoding import (
    angular_frequencies,
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from tests.told import assert_told, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


def encode(start, stop, d_model):
    return sinusoidal_positional_encoding(stop, d_model)[start:]


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


# positions added to a batch


def broadcast(x):
    return x + sinusoidal_positional_encoding(x.shape[1], x.shape[2])


def sliced(x):
    return x + sinusoidal_positional_encoding(1000, x.shape[-1])[: x.shape[-2]]


def by_loops(x):
    batch, seq_len, d_model = x.shape
    pe = sinusoidal_positional_encoding(seq_len, d_model)
    total = np.zeros(x.shape)
    for sentence in range(batch):
        for pos in range(seq_len):
            total[sentence, pos] = x[sentence, pos] + pe[pos]
    return total


def on_a_copy(x):
    total = x.copy()
    total += sinusoidal_positional_encoding(*x.shape[1:]).astype(x.dtype)
    return total


RIGHT_SUMS = [
    broadcast,
    sliced,
    by_loops,
    on_a_copy,
    lambda x: broadcast(x).tolist(),
    lambda x: broadcast(x).astype(np.float32),
    lambda x: x + sinusoidal_positional_encoding(*x.shape[1:], dtype=np.float32),
    lambda x: x + sinusoidal_positional_encoding_by_rotation(*x.shape[1:])[None],
    lambda x: np.array([row + encode(0, len(row), row.shape[1]) for row in x]),
]


@pytest.mark.parametrize("candidate", RIGHT_SUMS)
def test_right_sums_are_accepted(candidate):
    assert_told(checks.check_add_positions(candidate), "")


def in_place(x):
    x += sinusoidal_positional_encoding(*x.shape[1:])
    return x


def integer_buffer(x):
    buffer = np.zeros(x.shape[1:], dtype=int)
    buffer[:] = sinusoidal_positional_encoding(*x.shape[1:])
    return x + buffer


def half_angles(x):
    pos = np.arange(x.shape[1], dtype=np.float16)[:, None]
    angles = pos * angular_frequencies(x.shape[2]).astype(np.float16)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(x.shape[1:])


def half_angles_of_width_16(x):
    pos = np.arange(x.shape[1], dtype=np.float16)[:, None]
    angles = pos * angular_frequencies(16).astype(np.float16)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(-1, 16)


def unpacks_two(x):
    seq_len, d_model = x.shape
    return x + sinusoidal_positional_encoding(seq_len, d_model)


def first_sentence(x):
    total = x.copy()
    total[0] += sinusoidal_positional_encoding(*x.shape[1:])
    return total


def side_by_side(x):
    pe = np.broadcast_to(sinusoidal_positional_encoding(*x.shape[1:]), x.shape)
    return np.concatenate([x, pe], axis=-1)


def one_entry(x):
    total = broadcast(x)
    total[0, 1, 1] += 0.5
    return total


def short_only(x):
    if x.shape[1] > 100:
        raise IndexError("only 100 positions")
    return broadcast(x)


WRONG_SUMS = [
    ("batch_axis", lambda x: x + encode(0, 1000, x.shape[2])[: x.shape[0]]),
    ("batch_axis", lambda x: x + encode(0, 1000, x.shape[2])[: x.shape[0], None]),
    ("batch_axis", lambda x: x + encode(0, 4000, 16)[: x.shape[0], None]),
    ("one_row", lambda x: x + encode(0, 1000, x.shape[2])[x.shape[1]]),
    ("one_row", lambda x: x + encode(0, 1000, x.shape[2])[0]),
    ("one_row", lambda x: x + encode(0, 4000, 16)[x.shape[1]]),
    ("nothing_added", lambda x: x),
    ("nothing_added", lambda x: x.copy()),
    ("integer_buffer", integer_buffer),
    ("half_angles", half_angles),
    ("half_angles", half_angles_of_width_16),
    ("half_stored", lambda x: x + encode(0, *x.shape[1:]).astype(np.float16)),
    ("changed_input", in_place),
    ("twice", lambda x: broadcast(broadcast(x))),
    ("subtracted", lambda x: x - encode(0, *x.shape[1:])),
    ("scaled", lambda x: np.sqrt(x.shape[2]) * x + encode(0, *x.shape[1:])),
    ("scaled", lambda x: np.sqrt(x.shape[2]) * broadcast(x)),
    ("multiplied", lambda x: x * encode(0, *x.shape[1:])),
    ("only_pe", lambda x: encode(0, *x.shape[1:])),
    ("only_pe", lambda x: np.zeros(x.shape) + encode(0, *x.shape[1:])),
    ("starts_at_1", lambda x: x + encode(1, x.shape[1] + 1, x.shape[2])),
    (
        "running_count",
        lambda x: x + encode(0, len(x) * x.shape[1], x.shape[2]).reshape(x.shape),
    ),
    ("first_sentence", lambda x: x[0] + encode(0, *x.shape[1:])),
    ("first_sentence", first_sentence),
    ("batch_of_one", lambda x: broadcast(x).squeeze()),
    ("concatenated", side_by_side),
    ("three_axes", unpacks_two),
    ("three_axes", lambda x: x + sinusoidal_positional_encoding(*x.shape)),
    ("three_axes", lambda x: x + sinusoidal_positional_encoding(*x.shape[:2])),
    ("one_width", lambda x: x + encode(0, 4000, 16)[: x.shape[1]]),
    ("one_width", lambda x: broadcast(x) if x.shape[2] == 16 else x),
    ("some_shapes", lambda x: x + encode(0, 4, 8)),
    ("some_shapes", short_only),
    ("shape", lambda x: broadcast(x)[..., :2]),
    ("rounded", lambda x: broadcast(x).round(4)),
    ("rounded", lambda x: broadcast(x).round(2).tolist()),
    ("half_precision", lambda x: broadcast(x).astype(np.float16)),
    ("entry", one_entry),
    ("raised", lambda x: x + encode(0, 7, 10)),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_SUMS)
def test_wrong_sums_are_named(cause, candidate):
    assert_told(checks.check_add_positions(candidate), cause)


@given(
    sentence=st.integers(0, 1),
    pos=st.integers(0, 599),
    column=st.integers(0, 15),
    by=st.floats(1e-3, 10).flatmap(lambda size: st.sampled_from([size, -size])),
)
def test_any_changed_entry_of_a_sum_is_rejected(sentence, pos, column, by):
    def changed(x):
        total = broadcast(x)
        if x.shape[1] == 600:
            total[sentence, pos, column] += by
        return total

    assert checks.check_add_positions(changed).state == "incorrect"


# the pair test


def pair_test(adder):
    word = np.random.RandomState(42).randn(16)
    rows = adder(np.tile(word, (2, 5, 1)))
    return not np.allclose(rows[0, 0], rows[0, 3]) and np.allclose(rows[0, 3], rows[1, 3])


def all_positions(add):
    rows = add(np.ones((3, 4, 6)))
    spread = np.linalg.norm(rows[0, 1:] - rows[0, :-1], axis=1)
    return (spread > 1e-6).all() and np.ptp(rows, axis=0).max() < 1e-6


def by_hand(add):
    rows = np.asarray(add([[[1, 0], [1, 0]], [[1, 0], [1, 0]]]))
    differ = any(abs(a - b) > 1e-9 for a, b in zip(rows[0, 0], rows[0, 1], strict=True))
    agree = all(abs(a - b) < 1e-9 for a, b in zip(rows[0, 1], rows[1, 1], strict=True))
    return differ and agree


def two_calls(add):
    one = np.random.RandomState(1).randn(2, 6, 8)
    other = np.random.RandomState(2).randn(2, 6, 8)
    one[:, 1:] = one[0, 0]
    other[1, 4] = one[0, 0]
    first, second = add(one), add(other)
    return not np.allclose(first[0, 1], first[0, 4]) and np.allclose(first[0, 4], second[1, 4])


@pytest.mark.parametrize("candidate", [pair_test, all_positions, by_hand, two_calls])
def test_right_pair_tests_are_accepted(candidate):
    assert_told(checks.check_pair_test(candidate), "")


def rows_of(add, batch=2):
    return add(np.tile(np.random.RandomState(42).randn(16), (batch, 5, 1)))


def exact(add):
    rows = rows_of(add)
    return not (rows[0, 0] == rows[0, 3]).all() and bool((rows[0, 3] == rows[1, 3]).all())


def differ(add):
    return not np.allclose(rows_of(add)[0, 0], rows_of(add)[0, 3])


def agree(add):
    return np.allclose(rows_of(add)[0, 3], rows_of(add)[1, 3])


def large_threshold(add):
    rows = rows_of(add)
    return bool(np.abs(rows[0, 0] - rows[0, 3]).max() > 0.1) and agree(add)


def compares_with_the_formula(add):
    rows = rows_of(add) - np.random.RandomState(42).randn(16)
    return np.allclose(rows, sinusoidal_positional_encoding(5, 16))


def different_words(add):
    rows = add(np.random.RandomState(42).randn(2, 5, 16))
    return not np.allclose(rows[0, 0], rows[0, 3]) and np.allclose(rows[0, 3], rows[1, 3])


def no_batch(add):
    rows = add(np.ones((5, 16)))
    return not np.allclose(rows[0], rows[3])


def asserts(add):
    assert not np.allclose(rows_of(add)[0, 0], rows_of(add)[0, 3])
    return True


def calls_and_nods(add):
    rows_of(add)
    return True


WRONG_PAIR_TESTS = [
    ("never_calls", lambda add: True),
    ("never_calls", lambda add: False),
    ("always_true", calls_and_nods),
    ("always_false", different_words),
    ("inverted", lambda add: not differ(add) and not agree(add)),
    ("inverted", lambda add: not pair_test(add)),
    ("inverted", lambda add: not differ(add) and agree(add)),
    ("inverted", lambda add: differ(add) and not agree(add)),
    ("always_false", lambda add: differ(add) and np.allclose(*rows_of(add)[0, [0, 3]])),
    ("too_tight", exact),
    ("rejects", large_threshold),
    ("rejects", compares_with_the_formula),
    ("slipped", differ),
    ("slipped", agree),
    ("not_a_batch", no_batch),
    ("not_a_bool", lambda add: rows_of(add)[0, 0] == rows_of(add)[0, 3]),
    ("not_a_bool", lambda add: 1),
    ("raises_instead", asserts),
    ("raised", lambda add: add(np.ones((2, 5, 7)))),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG_PAIR_TESTS)
def test_wrong_pair_tests_are_named(cause, candidate):
    assert_told(checks.check_pair_test(candidate), cause)


@pytest.mark.parametrize(
    ("candidate", "name", "question"),
    [(differ, "running_count", "agree"), (agree, "no_colon", "differ")],
)
def test_the_question_that_would_have_shown_it_is_told(candidate, name, question):
    message = checks.check_pair_test(candidate).message
    assert language.text(f"adder.{name}") in message
    assert language.text(f"adder.shown_by.{question}") in message


def same_on_a_probe(one, other):
    probe = np.random.RandomState(5).randn(2, 4, 6)
    return np.array_equal(one(probe), other(probe))


@pytest.mark.parametrize(("name", "question", "adder"), room._WRONG_ADDERS)
def test_each_adder_that_slips_through_alone_is_told(name, question, adder):
    feedback = checks.check_pair_test(
        lambda one: bool(pair_test(one) or same_on_a_probe(one, adder))
    )
    assert_told(feedback, "slipped")
    assert language.text(f"adder.{name}") in feedback.message
    assert language.text(f"adder.shown_by.{question}") in feedback.message


@pytest.mark.parametrize(("name", "adder"), room._RIGHT_ADDERS)
def test_each_right_adder_that_is_refused_alone_is_told(name, adder):
    feedback = checks.check_pair_test(
        lambda one: bool(pair_test(one) and not same_on_a_probe(one, adder))
    )
    assert_told(feedback, "too_tight" if name == "another_order" else "rejects")
    if name != "another_order":
        assert language.text(f"adder.{name}") in feedback.message


@pytest.mark.parametrize(("name", "question", "adder"), room._WRONG_ADDERS)
def test_each_wrong_adder_fails_the_question_named(name, question, adder):
    assert not pair_test(adder)
    assert (question in ("differ", "both")) == (not differ(adder))
    assert (question in ("agree", "both")) == (not agree(adder))


def test_every_right_adder_passes_both_questions():
    assert all(pair_test(adder) for _, adder in room._RIGHT_ADDERS)


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
        lambda total, words, pe: np.argwhere(
            np.isclose(words[:, None] + pe, total, rtol=0, atol=1e-9).all(axis=-1)
        )[0],
        lambda total, words, pe: np.where(
            np.isclose(words[:, None] + pe, total, rtol=0, atol=1e-9).all(axis=-1)
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


WRONG_READERS = [
    ("swapped", lambda t, w, p: nearest_sum(t, w, p)[::-1]),
    ("separately", separately),
    ("separately", as_in_the_chapter),
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
    ("not_indices", lambda t, w, p: []),
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


# the share of the energy

SHARES = [
    (64 / 65, ""),
    (0.98, ""),
    (0.9846, ""),
    (np.float32(0.985), ""),
    ([0.985], ""),
    (1 / 3, "with_root"),
    (0.33, "with_root"),
    (0.5, "even"),
    (1 / 65, "word_share"),
    (0.0154, "word_share"),
    (1, "all"),
    (128 / 129, "no_half"),
    (0.9961, "width_512"),
    (64, "ratio"),
    (98.46, "percent"),
    (98, "percent"),
    (-0.5, "not_a_share"),
    (1e6, "not_a_share"),
    (0.9, "too_small"),
    (0.97, "too_small"),
    (0.75, "too_small"),
    (0.99, "too_large"),
    (0.9945, "too_large"),
    ([0.98, 0.98], "not_a_number"),
    (True, "not_a_number"),
    ("0.98", "not_an_array"),
    (np.nan, "not_finite"),
    (..., "not_attempted"),
]


@pytest.mark.parametrize(("answer", "cause"), SHARES)
def test_energy_share(answer, cause):
    assert_told(checks.check_energy_share(answer), cause)


@given(st.floats(-10, 110).filter(lambda share: abs(share - 64 / 65) > 0.0051))
def test_any_other_share_is_rejected(share):
    assert checks.check_energy_share(share).state == "incorrect"


# the words


@pytest.mark.parametrize(
    ("exercise", "causes"),
    [
        ("difference", {cause for _, cause in DIFFERENCES}),
        ("add_positions", {cause for cause, _ in WRONG_SUMS}),
        ("pair_test", {cause for cause, _ in WRONG_PAIR_TESTS}),
        ("read_pair", {cause for cause, _ in WRONG_READERS}),
        ("energy_share", {cause for _, cause in SHARES}),
    ],
)
def test_every_cause_with_words_can_be_reached(exercise, causes):
    assert causes_with_words(exercise) <= causes
