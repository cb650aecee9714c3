"""Exercise *positions where filler stands on the left*: answers from its text alone."""

import numpy as np
import pytest

from course_utils import checks
from course_utils.encoding import sinusoidal_positional_encoding as P
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def each(f, left=True):

    def add(x, lengths):
        out = np.array(x, dtype=float)
        n = x.shape[1]
        for b, count in enumerate(lengths):
            count = int(count)
            s = slice(n - count, n) if left else slice(0, count)
            out[b, s] += f(b, count, n, x.shape[2])
        return out

    return add


def vector(x, lengths):
    n = x.shape[1]
    pe = P(n, x.shape[2])
    pos = np.arange(n) - (n - np.asarray(lengths))[:, None]
    return np.where((pos >= 0)[..., None], x + pe[np.maximum(pos, 0)], x)


def loops(x, lengths):
    out = x.copy()
    pe = P(x.shape[1], x.shape[2])
    for b in range(len(x)):
        for p in range(lengths[b]):
            out[b, x.shape[1] - lengths[b] + p] += pe[p]
    return out


def concat(x, lengths):
    return np.stack(
        [
            np.concatenate([s[: len(s) - count], s[len(s) - count :] + P(count, s.shape[1])])
            for s, count in zip(x, lengths, strict=False)
        ]
    )


def inplace(x, lengths):
    for b, count in enumerate(lengths):
        x[b, x.shape[1] - count :] += P(int(count), x.shape[2])
    return x


def rand(x, lengths):
    return loops(x, lengths) * (np.random.default_rng().random(x.shape) > 0.1)


def dropout(x, lengths):
    return loops(x, lengths) * (np.random.RandomState(0).random(x.shape) > 0.1) / 0.9


def intbuf(x, lengths):
    out = x.copy()
    pe = np.zeros((x.shape[1], x.shape[2]), int)
    pe[:] = P(x.shape[1], x.shape[2])
    for b, count in enumerate(lengths):
        out[b, x.shape[1] - count :] += pe[:count]
    return out


def valuesin(x, lengths):
    return x + np.sin(x)


def neg0(x, lengths):
    n = x.shape[1]
    pe = P(n, x.shape[2])
    pos = np.arange(n) - (n - np.asarray(lengths))[:, None]
    return x + pe[pos]


def clip0(x, lengths):
    n = x.shape[1]
    pe = P(n, x.shape[2])
    pos = np.arange(n) - (n - np.asarray(lengths))[:, None]
    return x + pe[np.maximum(pos, 0)]


def zerofill(x, lengths):
    n = x.shape[1]
    pos = np.arange(n) - (n - np.asarray(lengths))[:, None]
    return vector(x, lengths) * (pos >= 0)[..., None]


def dropfill(x, lengths):
    return [
        s[len(s) - count :] + P(count, s.shape[1]) for s, count in zip(x, lengths, strict=False)
    ]


def rollit(x, lengths):
    pe = P(x.shape[1], x.shape[2])
    return np.stack(
        [s + np.roll(pe, len(s) - count, axis=0) for s, count in zip(x, lengths, strict=False)]
    )


RIGHT = {
    "vector": vector,
    "loops": loops,
    "concat": concat,
    "each": each(lambda b, count, n, d: P(count, d)),
    "big table": each(lambda b, count, n, d: P(4000, d)[:count]),
    "f32": lambda x, count: loops(x, count).astype(np.float32),
    "list": lambda x, count: loops(x, count).tolist(),
    "neg": lambda x, lengths: np.stack(
        [
            np.vstack([s[:-count], s[-count:] + P(count, s.shape[1])])
            for s, count in zip(x, lengths, strict=False)
        ]
    ),
}
WRONG = {
    "ignores lengths": ("padding_counted", lambda x, count: x + P(*x.shape[1:])),
    "right padding": ("right_padding", each(lambda b, count, n, d: P(count, d), left=False)),
    "positions counted w padding": (
        "padding_counted",
        each(lambda b, count, n, d: P(n, d)[n - count :]),
    ),
    "starts at 1": ("starts_at_1", each(lambda b, count, n, d: P(count + 1, d)[1:])),
    "backwards": ("backwards", each(lambda b, count, n, d: P(count, d)[::-1])),
    "counted from the end": ("backwards", each(lambda b, count, n, d: P(n + 1, d)[:count][::-1])),
    "first length for all": ("one_length", lambda x, count: loops(x, [count[0]] * len(x))),
    "max length for all": ("one_length", lambda x, count: loops(x, [max(count)] * len(x))),
    "min length": ("one_length", lambda x, count: loops(x, [min(count)] * len(x))),
    "no colon": ("one_row", each(lambda b, count, n, d: P(n + 1, d)[count])),
    "length row": ("one_row", each(lambda b, count, n, d: P(n + 1, d)[count - 1])),
    "sentence index": ("entry", each(lambda b, count, n, d: P(b + 1, d)[b])),
    "twice": ("twice", each(lambda b, count, n, d: 2 * P(count, d))),
    "minus": ("subtracted", each(lambda b, count, n, d: -P(count, d))),
    "in place": ("changed_input", inplace),
    "random": ("random", rand),
    "dropout": ("entry", dropout),
    "int": ("integer_buffer", intbuf),
    "values": ("values_as_positions", valuesin),
    "neg wraps": ("filler_changed", neg0),
    "clip": ("filler_changed", clip0),
    "zero filler": ("filler_changed", zerofill),
    "drops filler": ("not_an_array", dropfill),
    "roll": ("filler_changed", rollit),
    "only positions": ("only_pe", lambda x, count: loops(np.zeros_like(x), count)),
    "multiplied": ("multiplied", lambda x, count: x * loops(np.zeros_like(x), count)),
    "scaled": ("scaled", lambda x, count: loops(x * np.sqrt(x.shape[2]), count)),
    "scaled tokens only": (
        "entry",
        lambda x, count: x + (loops(x, count) - x) * np.sqrt(x.shape[2]),
    ),
    "nothing": ("nothing_added", lambda x, count: x.copy()),
    "broadcast error": ("long_table", lambda x, count: x + P(5000, x.shape[2])),
    "only first sentence": (
        "first_sentence",
        lambda x, count: loops(x, [count[0]] + [0] * (len(x) - 1)),
    ),
    "rounded": ("rounded", lambda x, count: loops(x, count).round(3)),
    "f16": ("half_precision", lambda x, count: loops(x, count).astype(np.float16)),
    "batch axis": ("entry", lambda x, count: x + P(len(x), x.shape[2])[:, None]),
    "halves": (
        "entry",
        each(lambda b, count, n, d: np.hstack([P(count, d)[:, ::2], P(count, d)[:, 1::2]])),
    ),
    "only first tokens": (
        "integer_buffer",
        each(lambda b, count, n, d: P(1, d) * (np.arange(count)[:, None] == 0)),
    ),
    "buffer of ten": ("entry", lambda x, lengths: loops(x, [min(n, 10) for n in lengths])),
    "no filler": (
        "returned_nothing",
        lambda x, lengths: loops(x, lengths) if min(lengths) < x.shape[1] else None,
    ),
    "off by one slice": (
        "entry",
        lambda x, lengths: (
            lambda o: (
                [
                    o.__setitem__(
                        (b, slice(x.shape[1] - count - 1, -1)),
                        x[b, x.shape[1] - count - 1 : -1] + P(count, x.shape[2]),
                    )
                    if count < x.shape[1]
                    else None
                    for b, count in enumerate(lengths)
                ]
                and o
            )
        )(x.copy()),
    ),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_add_positions(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_add_positions(answer), cause)
