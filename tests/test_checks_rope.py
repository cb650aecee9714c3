"""Exercise *RoPE in halves after a cache*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks, encoding
from course_utils.beyond import rotate
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

R = encoding.rotation_matrix
F = encoding.angular_frequencies


def halves(x, start=0, sign=1, base=10000.0, step=1):
    n, d = x.shape
    a = np.outer(start + step * np.arange(n), base ** (-np.arange(0, d, 2) / d))
    c, s = (np.cos(a), sign * np.sin(a))
    left, right = (x[:, : d // 2], x[:, d // 2 :])
    return np.hstack([left * c - right * s, left * s + right * c])


def inter(x, start=0, sign=1):
    n, d = x.shape
    a = np.outer(start + np.arange(n), F(d))
    c, s = (np.cos(a), sign * np.sin(a))
    e, o = (x[:, ::2], x[:, 1::2])
    return np.stack([e * c - o * s, e * s + o * c], -1).reshape(n, d)


def matrices(x, start):
    d = x.shape[1]
    cols = np.arange(d).reshape(2, -1).T.ravel()
    out = np.empty(x.shape)
    for p, row in enumerate(x):
        out[p, cols] = R(-(start + p), d) @ row[cols]
    return out


def cplx(x, start):
    n, d = x.shape
    z = (x[:, : d // 2] + 1j * x[:, d // 2 :]) * np.exp(1j * np.outer(start + np.arange(n), F(d)))
    return np.hstack([z.real, z.imag])


def hf(x, start):
    n, d = x.shape
    a = np.tile(np.outer(start + np.arange(n), F(d)), 2)
    rh = np.hstack([-x[:, d // 2 :], x[:, : d // 2]])
    return x * np.cos(a) + rh * np.sin(a)


RIGHT = {
    "halves": lambda x, s: halves(x, s),
    "matrices": matrices,
    "cplx": cplx,
    "hf": hf,
    "list": lambda x, s: halves(x, s).tolist(),
    "f32": lambda x, s: halves(x, s).astype(np.float32),
    "rowwise": lambda x, s: np.vstack([halves(x[i : i + 1], s + i) for i in range(len(x))]),
}
WRONG = {
    "interleaved": ("interleaved", lambda x, s: inter(x, s)),
    "no start": ("start_ignored", lambda x, s: halves(x, 0)),
    "start 1": ("from_1", lambda x, s: halves(x, s + 1)),
    "sign": ("sign", lambda x, s: halves(x, s, -1)),
    "inter sign": ("interleaved_sign", lambda x, s: inter(x, s, -1)),
    "base 1000": ("base", lambda x, s: halves(x, s, base=1000.0)),
    "base 5e5": ("base", lambda x, s: halves(x, s, base=500000.0)),
    "lib": ("calls_the_module", lambda x, start: rotate(x, start=start, layout="halves")),
    "mixed": (
        "mixed_neighbours",
        lambda x, s: (
            lambda a: (
                x * np.cos(a) + np.stack([-x[:, 1::2], x[:, ::2]], -1).reshape(x.shape) * np.sin(a)
            )
        )(np.tile(np.outer(s + np.arange(len(x)), F(x.shape[1])), 2)),
    ),
    "mixed2": (
        "mixed",
        lambda x, s: (
            lambda a: (
                x * np.cos(a)
                + np.hstack([-x[:, x.shape[1] // 2 :], x[:, : x.shape[1] // 2]]) * np.sin(a)
            )
        )(np.repeat(np.outer(s + np.arange(len(x)), F(x.shape[1])), 2, axis=1)),
    ),
    "unchanged": ("unchanged", lambda x, s: x.copy()),
    "added": (
        "added",
        lambda x, s: x + encoding.sinusoidal_positional_encoding(s + len(x), x.shape[1])[s:],
    ),
    "same for all": ("same_turn", lambda x, s: np.vstack([halves(r[None], s) for r in x])),
    "one freq": (
        "one_frequency",
        lambda x, s: (
            lambda a: np.hstack(
                [
                    x[:, : x.shape[1] // 2] * np.cos(a) - x[:, x.shape[1] // 2 :] * np.sin(a),
                    x[:, : x.shape[1] // 2] * np.sin(a) + x[:, x.shape[1] // 2 :] * np.cos(a),
                ]
            )
        )((s + np.arange(len(x)))[:, None] * 1.0),
    ),
    "rotated matrix plain": (
        "interleaved",
        lambda x, s: np.array([R(-(s + p), x.shape[1]) @ r for p, r in enumerate(x)]),
    ),
    "R plus": (
        "interleaved_sign",
        lambda x, s: np.array([R(s + p, x.shape[1]) @ r for p, r in enumerate(x)]),
    ),
    "output left in pairs": (
        "not_brought_back",
        lambda x, s: (
            lambda y: (
                y[:, np.r_[0 : x.shape[1] : 2, 1 : x.shape[1] : 2]] * 0
                + np.array(
                    [
                        R(-(s + p), x.shape[1]) @ r[np.arange(x.shape[1]).reshape(2, -1).T.ravel()]
                        for p, r in enumerate(x)
                    ]
                )
            )
        )(x),
    ),
    "permute only back": (
        "row",
        lambda x, s: inter(x, s)[:, np.r_[0 : x.shape[1] : 2, 1 : x.shape[1] : 2]],
    ),
    "minus start": ("row", lambda x, s: halves(x, -s)),
    "start+n": ("row", lambda x, s: halves(x, s + len(x))),
    "start only": ("same_turn", lambda x, s: halves(x, s, step=0)),
    "backwards": ("downwards", lambda x, s: halves(x[::-1], s)[::-1]),
    "second half lost": (
        "row",
        lambda x, s: np.hstack([halves(x, s)[:, : x.shape[1] // 2], x[:, x.shape[1] // 2 :]]),
    ),
    "half": ("shape", lambda x, s: halves(x, s)[:, : x.shape[1] // 2]),
    "swapped halves": (
        "halves_exchanged",
        lambda x, s: np.roll(halves(x, s), x.shape[1] // 2, axis=1),
    ),
    "degrees": ("row", lambda x, s: halves(x, np.radians(s), step=np.pi / 180)),
    "rounded": ("rounded", lambda x, s: halves(x, s).round(3)),
    "f16": ("half_precision", lambda x, s: halves(x, s).astype(np.float16)),
    "cos only": (
        "row",
        lambda x, s: x * np.cos(np.tile(np.outer(s + np.arange(len(x)), F(x.shape[1])), 2)),
    ),
    "both minus": ("row", lambda x, s: -halves(x, s)),
    "twice": ("row", lambda x, s: halves(halves(x, s), s)),
    "scaled": ("row", lambda x, s: halves(x, s) / np.sqrt(x.shape[1])),
    "norm": ("row", lambda x, s: halves(x, s) / np.linalg.norm(x, axis=1, keepdims=True)),
    "doubled exp": ("row", lambda x, s: halves(x, s, base=100000000.0)),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_rope(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_rope(answer), cause)
