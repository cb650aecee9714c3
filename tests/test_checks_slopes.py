"""Exercise *slopes for any number of heads*: answers from the text of the exercise alone."""

import math

import numpy as np
import pytest

from course_utils import checks
from course_utils.beyond import alibi_slopes
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")


def p2(n):
    return [2 ** (-8 * (h + 1) / n) for h in range(n)]


def pub(n):
    if math.log2(n).is_integer():
        return p2(n)
    c = 2 ** math.floor(math.log2(n))
    return p2(c) + p2(2 * c)[0::2][: n - c]


def ratio(n):
    c = 1
    while 2 * c <= n:
        c *= 2
    s = 2 ** (-8 / c)
    out = [s ** (i + 1) for i in range(c)]
    t = 2 ** (-4 / c)
    return out + [t ** (2 * i + 1) for i in range(n - c)]


RIGHT = {
    "lib for powers": lambda n: (lambda c: [*alibi_slopes(c), *alibi_slopes(2 * c)[::2]][:n])(
        1 << n.bit_length() - 1
    ),
    "pub": pub,
    "ratio": ratio,
    "np": lambda n: np.array(pub(n)),
    "f32": lambda n: np.array(pub(n), np.float32),
    "tuple": lambda n: tuple(pub(n)),
    "bits": lambda n: (
        lambda c: (
            [2 ** (-8 * h / c) for h in range(1, c + 1)]
            + [2 ** (-4 * h / c) for h in range(1, 2 * (n - c), 2)]
        )
    )(1 << n.bit_length() - 1),
    "reversed twice": lambda n: pub(n)[::-1][::-1],
}
WRONG = {
    "lib": ("calls_the_module", alibi_slopes),
    "plain": ("any_number", p2),
    "from 0": ("from_0", lambda n: [2 ** (-8 * h / n) for h in range(n)]),
    "next power": ("next_power", lambda n: p2(2 ** math.ceil(math.log2(n)))[:n]),
    "odd": ("odd", lambda n: (lambda c: p2(c) + p2(2 * c)[1::2][: n - c])(2 ** int(math.log2(n)))),
    "all of 2c": (
        "not_every_other",
        lambda n: (lambda c: p2(c) + p2(2 * c)[: n - c])(2 ** int(math.log2(n))),
    ),
    "sorted": ("sorted", lambda n: sorted(pub(n), reverse=True)),
    "asc": ("sorted", lambda n: sorted(pub(n))),
    "neg": ("minus", lambda n: [-s for s in pub(n)]),
    "powers": ("eight_heads", lambda n: [2.0 ** (-h) for h in range(1, n + 1)]),
    "linspace": ("value", lambda n: np.linspace(0.5, 2 ** (-8), n)),
    "logspace": ("value", lambda n: np.logspace(-1, -8, n, base=2)),
    "const": ("value", lambda n: [0.5] * n),
    "exp8": ("value", lambda n: [8 ** (-2 * h / n) for h in range(1, n + 1)]),
    "tail": (
        "value",
        lambda n: (lambda c: p2(c) + p2(2 * c)[0::2][-(n - c) :] if n > c else p2(c))(
            2 ** int(math.log2(n))
        ),
    ),
    "every other first": (
        "sorted",
        lambda n: (lambda c: p2(2 * c)[0::2][: n - c] + p2(c))(2 ** int(math.log2(n))),
    ),
    "round log": (
        "value",
        lambda n: (lambda c: (p2(c) + p2(2 * c)[0::2])[:n])(2 ** round(math.log2(n))),
    ),
    "exponents": ("value", lambda n: [8 * h / n for h in range(1, n + 1)]),
    "column": ("shape", lambda n: np.array(pub(n))[:, None]),
    "too many": ("shape", lambda n: (lambda c: p2(c) + p2(2 * c)[0::2])(2 ** int(math.log2(n)))),
    "log": ("value", lambda n: np.log2(pub(n))),
    "12 only": ("shape", lambda n: pub(12)),
    "eight": ("shape", lambda n: pub(8)[:n]),
    "inverse": ("inverse", lambda n: [1 / s for s in pub(n)]),
    "-4": ("value", lambda n: [2 ** (-4 * h / n) for h in range(1, n + 1)]),
    "16": ("value", lambda n: [2 ** (-16 * h / n) for h in range(1, n + 1)]),
    "rounded": ("rounded", lambda n: np.round(pub(n), 3)),
    "error": ("raised", lambda n: p2(n)[n]),
    "gen": ("iterator", lambda n: (s for s in pub(n))),
    "none": ("returned_nothing", lambda n: print(pub(n))),
    "interleaved": (
        "sorted",
        lambda n: (lambda c: sorted(p2(c) + p2(2 * c)[0::2][: n - c])[::-1])(
            2 ** int(math.log2(n))
        ),
    ),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_slopes(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_slopes(answer), cause)
