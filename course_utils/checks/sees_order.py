"""A learner's test of whether an attention sees the order of its tokens."""

import itertools
from collections.abc import Callable

import numpy as np

from course_utils.attention import attention_weights, softmax
from course_utils.beyond import rotate
from course_utils.checks.encodings import like, rows
from course_utils.checks.feedback import Layer, Wrong, ask_bool, exercise, read_array
from course_utils.language import text


def _alike(x: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    return attention_weights(x, x, mask)


def _offset(x: np.ndarray) -> np.ndarray:
    return np.arange(len(x))[:, None] - np.arange(len(x))


_BLIND = (
    ("none", _alike),
    ("placebo", lambda x: _alike(x + rows(3, 4, x.shape[1]))),
    ("self_hidden", lambda x: _alike(x, _offset(x) != 0)),
)
_SEEING = (
    ("sinusoidal", lambda x: _alike(x + like(x))),
    ("shuffled", lambda x: _alike(x + np.random.RandomState(6).permutation(like(x)))),
    ("random", lambda x: _alike(x + np.random.RandomState(8).randn(*x.shape) / np.sqrt(2))),
    ("faint", lambda x: _alike(x + 1e-4 * like(x))),
    ("causal", lambda x: _alike(x, _offset(x) >= 0)),
    ("distance", lambda x: softmax(x @ x.T / np.sqrt(x.shape[1]) - np.abs(_offset(x)))),
    ("window", lambda x: _alike(x, np.abs(_offset(x)) <= 1)),
    ("middle", lambda x: _alike(x + (np.arange(len(x)) * 3 // len(x) == 1)[:, None])),
    # eight places or more stand on a circle
    ("circle", lambda x: softmax(x @ x.T / 3 + np.cos(_offset(x) * 2 * np.pi / max(len(x), 8)))),
    # the head of chapter 3, by position alone: the words are not looked at
    ("one_back", lambda x: softmax(np.where(_offset(x) == 1, 30.0, 0.0) + 0 * x[:, :1])),
    ("rotary", lambda x: attention_weights(rotate(x), rotate(x))),
)
_TOKENS = ((4, 8), (5, 16), (8, 8), (12, 16))


@exercise("attend", "x", causes=_BLIND)
def check_sees_order(candidate: Callable[[Layer, np.ndarray], bool]) -> None:
    """Check a learner's test of whether an attention sees the order of its tokens.

    Takes ``(attend, x)``: a function from tokens to weights, which adds what it adds by itself, and
    tokens of shape (n, d_model). Returns True if it sees their order. Names the arm that was judged
    wrongly.

    >>> check_sees_order(lambda attend, x: True).cause
    'never_calls'
    """
    rng, calls, moved = np.random.RandomState(2), [], []
    tokens = [0.7 * rng.randn(*shape) for shape in _TOKENS]

    def says(name: str, arm: Layer, x: np.ndarray) -> bool:
        def attend(tokens: np.ndarray) -> np.ndarray:
            calls.append(name)
            given = read_array(tokens).astype(np.float64)
            if given.shape != x.shape:
                raise Wrong("tokens", wanted=x.shape, got=given.shape)
            moved.append(not np.array_equal(given, x))
            if name == "exact":  # to the last digit, its sums too
                weights = np.floor(arm(given) * 2**30) / 2**30
                np.fill_diagonal(weights, 0)
                return weights + np.diag(1 - weights.sum(axis=1))
            # two ways of computing differ in the last digits; here each call goes its own way
            return arm(given) * (1 + 4e-16 * (len(calls) % 7))

        return ask_bool(candidate, attend, x)

    blind = {name: [says(name, arm, x) for x in tokens] for name, arm in _BLIND}
    seeing = {name: [says(name, arm, x) for x in tokens] for name, arm in _SEEING}
    exact = [says("exact", _alike, x) for x in tokens]
    if not calls:
        raise Wrong("never_calls")
    if not any(moved) and (any(blind["none"]) or not any(blind["placebo"])):
        raise Wrong("one_order")
    # yes and no exchanged, also where rounding hides it from all but `exact`
    no, yes = ([*itertools.chain(*arms.values())] for arms in (blind, seeing))
    if (all(no) and 2 * sum(yes) < len(yes)) or (not any(no + yes) and any(exact)):
        raise Wrong("inverted")
    if not any(no + yes):
        raise Wrong("always_false")
    if any(blind["none"]) and not any(exact):
        raise Wrong("too_tight")
    # by position alone nothing changes when the tokens move, so a measured change is 0 there
    others = [answers for name, answers in seeing.items() if name != "one_back"]
    if all(map(all, [blind["none"], blind["placebo"], *others])):
        raise Wrong("always_true")
    for name, answers in blind.items():
        if any(answers):
            raise Wrong(name, got=_TOKENS[answers.index(True)])
    for name, answers in seeing.items():
        if not all(answers):
            raise Wrong("missed", name=text(f"sight.{name}"), got=_TOKENS[answers.index(False)])
