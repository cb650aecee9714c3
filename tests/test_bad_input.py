"""Bad input of any kind: a public function answers, or says in one sentence what it needs."""

import inspect
import math
import re
import tracemalloc
from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from course_utils import attention, beyond, compare, encoding, language, plots

MODULES = (encoding, attention, compare, beyond, plots)
FUNCTIONS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": getattr(module, name)
    for module in MODULES
    for name in module.__all__
}
# a call may take this much, beside what the bad value itself takes
BOUNDED = 64 * 2**20


@pytest.fixture(autouse=True)
def _as_before():
    with mpl.rc_context():
        yield
    language.use_language("en")


def attend(x):
    return attention.attention_weights(x, x)


class Empty:
    """Panels on which nothing was drawn: new ones take longer than a refusal."""

    axes = None

    def get(self):
        if self.axes is None:
            self.axes = Figure().subplots(1, 2)
        return self.axes


EMPTY = Empty()

# arguments that each function takes; a function that is new needs its own here
GOOD = {
    "ax": lambda: EMPTY.get()[0],
    "axes": EMPTY.get,
    "attend": lambda: attend,
    "axis": lambda: -1,
    "bar": lambda: True,
    "base": lambda: 100.0,
    "columns": lambda: [0, 2],
    "d_model": lambda: 4,
    "dtype": lambda: "float32",
    "i": lambda: 0,
    "j": lambda: 2,
    "k": lambda: np.eye(3, 4),
    "key": lambda: "plot.position",
    "layout": lambda: "halves",
    "limit": lambda: 2.0,
    "low": lambda: 0.5,
    "mask": lambda: np.tri(3, dtype=bool),
    "max_distance": lambda: 20,
    "n_buckets": lambda: 8,
    "n_heads": lambda: 3,
    "offset": lambda: -3,
    "order": lambda: [2, 0, 1],
    "other": lambda: np.eye(3, 4)[::-1],
    "pairs": lambda: [0, 1],
    "pe": lambda: encoding.sinusoidal_positional_encoding(3, 4),
    "projector": lambda: False,
    "q": lambda: np.ones((3, 4)),
    "scores": lambda: np.eye(3, 4),
    "seq_len": lambda: 3,
    "signed": lambda: True,
    "slope": lambda: 0.5,
    "start": lambda: 2,
    "similarities": lambda: {"a": [1.0, 0.5], "b": np.ones(3)},
    "similarity": lambda: np.eye(3),
    "spread": lambda: {"a": 0.1, "b": 0.2},
    "table": lambda: np.eye(3, 4),
    "tokens": lambda: ["the", "cat", "sat", "down"],
    "v": lambda: np.eye(3, 2),
    "value": lambda: 0.5,
    "values": lambda: np.eye(3, 4),
    "w_k": lambda: np.eye(4, 2),
    "w_q": lambda: np.ones((4, 2)),
    "weights": lambda: np.eye(3, 4),
    "x": lambda: np.eye(3, 4),
    "xlabel": lambda: "plot.position",
    "ylabel": lambda: "d_k",
    "ys": lambda: {"a": [1.0, 2.0], "b": np.ones(3)},
}
OF_ONE = {
    ("plots.bars", "values"): lambda: {"a": 0.5, "b": 0.25},
    ("beyond.shaw_scores", "q"): lambda: np.ones((3, 4)),
    ("plots.curves", "x"): lambda: np.arange(3),
}


def parameters(function):
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in kinds
    ]


def good(name):
    function = FUNCTIONS[name]
    return {each: OF_ONE.get((name, each), GOOD[each])() for each in parameters(function)}


SLOTS = [(name, each) for name, function in FUNCTIONS.items() for each in parameters(function)]


class ManyLines:
    def __repr__(self):
        return "first\nsecond" + 1000 * "x"


def frozen(array):
    array.flags.writeable = False
    return array


def holding(value, dtype=np.float64, shape=(3, 4)):
    array = np.ones(shape, dtype)
    array[-1, -1] = value
    return array


BAD = {
    # sizes
    "0": lambda: 0,
    "-1": lambda: -1,
    "-8": lambda: -8,
    "7": lambda: 7,
    "1e9": lambda: 10**9,
    "1e12": lambda: 10**12,
    "2**62": lambda: 2**62,
    "1e12 of NumPy": lambda: np.int64(10**12),
    # numbers
    "True": lambda: True,
    "NumPy's True": lambda: np.True_,
    "8.0": lambda: 8.0,
    "NaN": lambda: math.nan,
    "infinity": lambda: math.inf,
    "minus infinity": lambda: -math.inf,
    "1j": lambda: 1j,
    "fraction": lambda: Fraction(1, 3),
    "float16": lambda: np.float16(2),
    "int8": lambda: np.int8(4),
    "datetime": lambda: np.datetime64("2020-01-01"),
    # text, and things
    "None": lambda: None,
    "dots": lambda: ...,
    "no text": lambda: "",
    "text": lambda: "8",
    "formula": lambda: "$\\foo{",
    "long text": lambda: "x" * 100_000,
    "bytes": lambda: b"pe",
    "class": lambda: int,
    "function": lambda: lambda: None,
    "generator": lambda: (value for value in [0, 1]),
    "many lines": ManyLines,
    "list of many lines": lambda: [ManyLines()],
    "dict": lambda: {},
    "dict of text": lambda: {"a": "b"},
    "dict by number": lambda: {1: [0.5]},
    "dict of NaN": lambda: {"a": math.nan, "b": math.inf},
    "set": lambda: {1, 2},
    # sequences
    "empty list": list,
    "ragged list": lambda: [[1, 2], [3]],
    "list of None": lambda: [None],
    "list of text": lambda: ["a", "b", "c"],
    "list with a bool": lambda: [0, True],
    "list of NaN": lambda: [math.nan, 0.0, 1.0],
    "list with dots": lambda: [[..., 1.0]],
    "deep list": lambda: [[[[[[[[1]]]]]]]],
    "range": lambda: range(3),
    # arrays
    "no axes": lambda: np.array(2.0),
    "no rows": lambda: np.ones((0, 4)),
    "no columns": lambda: np.ones((3, 0)),
    "no batch": lambda: np.ones((0, 3, 4)),
    "a row": lambda: np.ones(4),
    "a column": lambda: np.ones((3, 1)),
    "1 by 1": lambda: np.ones((1, 1)),
    "transposed": lambda: np.ones((4, 3)),
    "batch": lambda: np.ones((2, 3, 4)),
    "six axes": lambda: np.ones((1, 2, 1, 2, 3, 4)),
    "Fortran's order": lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "every second": lambda: np.arange(24.0).reshape(3, 8)[:, ::2],
    "backwards": lambda: np.arange(12.0).reshape(3, 4)[::-1, ::-1],
    "read-only": lambda: frozen(np.arange(12.0).reshape(3, 4)),
    "float16 array": lambda: np.ones((3, 4), np.float16),
    "float32 array": lambda: np.ones((3, 4), np.float32),
    "long double": lambda: np.ones((3, 4), np.longdouble),
    "whole numbers": lambda: np.ones((3, 4), int),
    "bytes of numbers": lambda: np.ones((3, 4), np.uint8),
    "booleans": lambda: np.ones((3, 4), bool),
    "nothing allowed": lambda: np.zeros((3, 3), bool),
    "mask of wrong shape": lambda: np.ones((2, 5), bool),
    "mask with a batch": lambda: np.ones((2, 3, 3), bool),
    "all zeros": lambda: np.zeros((3, 4)),
    "negative": lambda: -np.ones((3, 4)),
    "with NaN": lambda: holding(np.nan),
    "with infinity": lambda: holding(np.inf),
    "with minus infinity": lambda: holding(-np.inf),
    "float16 with infinity": lambda: holding(np.inf, np.float16),
    "all NaN": lambda: np.full((3, 4), np.nan),
    "complex": lambda: np.ones((3, 4), complex),
    "objects": lambda: np.array([[1, None], ["a", 2.0]], dtype=object),
    "numbers as objects": lambda: np.ones((3, 4), object),
    "words": lambda: np.array([["a", "b"]]),
    "records": lambda: np.zeros(3, [("a", float), ("b", int)]),
    "dates": lambda: np.zeros((3, 4), "M8[s]"),
    "masked": lambda: np.ma.masked_array(np.ones((3, 4)), np.eye(3, 4)),
    "1e12 by 1": lambda: np.broadcast_to(1.0, (10**12, 1)),
    "1 by 1e12": lambda: np.broadcast_to(1.0, (1, 10**12)),
    "1e6 by 1e6": lambda: np.broadcast_to(1.0, (10**6, 10**6)),
    "3 by 1e12": lambda: np.broadcast_to(np.float16(1), (3, 10**12)),
    "1e6 by 1e6 booleans": lambda: np.broadcast_to(True, (10**6, 10**6)),
    "1e12 whole numbers": lambda: np.broadcast_to(0, 10**12),
}
bad_values = st.sampled_from(sorted(BAD))


def fingerprint(value):
    """What an array holds; of a long one, the first numbers."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        first = [value.flat[place] for place in range(min(value.size, 48))]
        return value.shape, value.dtype, value.strides, repr(first)
    if isinstance(value, list | dict):
        return repr([type(each) for each in value])
    return None


def words_of(error):
    """The sentence of an error of the two kinds that are allowed."""
    assert type(error) in (TypeError, ValueError), repr(error)
    said = str(error)
    assert "\n" not in said
    assert len(said) < 500, said
    return said


def throw(name, arguments):
    """Call, and return the answer, or the error if it is one that may be."""
    before = {each: fingerprint(value) for each, value in arguments.items()}
    answer, error = None, None
    try:
        answer = FUNCTIONS[name](**arguments)
        EMPTY.axes = None
    except Exception as raised:
        # what a caller's own function raises is the caller's
        if not callable(arguments.get("attend")) or arguments["attend"] is attend:
            words_of(raised)
        error = raised
    for each, value in arguments.items():
        assert fingerprint(value) == before[each], f"{name} changed {each}"
    return answer, error


def numbers_in(answer):
    if isinstance(answer, dict):
        return [part for value in answer.values() for part in numbers_in(value)]
    if isinstance(answer, tuple):
        return [part for value in answer for part in numbers_in(value)]
    return [answer] if isinstance(answer, float | np.ndarray) else []


def assert_answered(name, answer):
    for numbers in numbers_in(answer):
        if numbers.dtype != object if isinstance(numbers, np.ndarray) else True:
            assert np.isfinite(numbers).all(), name


# how a sentence tells what came
SHOWN = ("got ", "is masked", "would need")


@pytest.mark.parametrize(("name", "slot"), SLOTS, ids=[f"{name}-{each}" for name, each in SLOTS])
def test_a_bad_value_in_one_place_is_answered_or_named(name, slot):
    for label, make in BAD.items():
        arguments = good(name) | {slot: make()}
        try:
            answer, error = throw(name, arguments)
        except AssertionError as error:
            raise AssertionError(f"{name}({slot}={label})") from error
        if slot == "attend" and callable(arguments[slot]):
            continue
        if slot == "x" and name == "compare.order_gap" and "q and k" in str(error):
            continue  # what `attend` says of it
        if error is None:
            assert_answered(f"{name}({slot}={label})", answer)
        else:
            # what is no array is wrong alone; shapes and sizes may be wrong with another's
            alone = isinstance(error, TypeError)
            called = [slot] if alone else [*parameters(FUNCTIONS[name]), "every row"]
            said = str(error)
            assert any(re.search(rf"\b{each}\b", said) for each in called), (label, said)
            assert any(part in said for part in SHOWN), (label, said)


@settings(max_examples=200)
@given(st.data())
def test_bad_values_everywhere_are_refused_in_a_sentence(data):
    name = data.draw(st.sampled_from(sorted(FUNCTIONS)))
    arguments = good(name)
    for each in arguments:
        chosen = data.draw(st.none() | bad_values, label=each)
        if chosen:
            arguments[each] = BAD[chosen]()
    answer, error = throw(name, arguments)
    if error is None:
        assert_answered(name, answer)


@settings(max_examples=60)
@example(("attention.attention_weights", "mask"), "1e6 by 1e6 booleans")
@given(
    st.sampled_from([slot for slot in SLOTS if not slot[0].startswith("plots.")]),
    st.sampled_from([label for label in BAD if re.search(r"\de(6|9|12)", label)]),
)
def test_nothing_is_allocated_before_the_size_is_looked_at(place, label):
    name, slot = place
    arguments = good(name) | {slot: BAD[label]()}
    tracemalloc.start()
    try:
        throw(name, arguments)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < BOUNDED, f"{name}({slot}={label}) took {most / 2**20:.0f} MiB"


@settings(max_examples=150)
@given(st.sampled_from(SLOTS), bad_values)
def test_the_sentence_comes_in_both_languages(place, label):
    name, slot = place
    arguments = good(name) | {slot: BAD[label]()}
    if slot == "attend":
        return
    _, english = throw(name, arguments)
    language.use_language("zh")
    arguments = good(name) | {slot: BAD[label]()}
    _, error = throw(name, arguments)
    language.use_language("en")
    assert type(error) is type(english)
    if error is not None:
        assert any("\u4e00" <= c <= "\u9fff" for c in str(error))


@pytest.mark.parametrize("label", sorted(BAD))
def test_no_bad_value_is_a_language(label):
    with pytest.raises(ValueError, match="the language must be") as raised:
        language.use_language(BAD[label]())
    words_of(raised.value)
    assert language.current_language() == "en"
