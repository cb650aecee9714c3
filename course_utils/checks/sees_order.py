"""A learner's test of whether an attention sees the order of its tokens."""

from collections.abc import Callable

import numpy as np

from course_utils.attention import attention_weights, softmax
from course_utils.checks.encodings import like, rows
from course_utils.checks.feedback import Wrong, ask_bool, exercise, read_array
from course_utils.encoding import angular_frequencies
from course_utils.language import text

Attend = Callable[[np.ndarray], np.ndarray]


# a test that can fail: order-blind arms, and arms that see the order
def _shuffled(x: np.ndarray) -> np.ndarray:
    return like(x)[np.random.RandomState(6).permutation(len(x))]


def _random(x: np.ndarray) -> np.ndarray:
    return np.random.RandomState(8).randn(*x.shape) / np.sqrt(2)


_BLIND: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("none", np.zeros_like),
    ("placebo", lambda x: np.tile(rows(3, 4, x.shape[1]), (len(x), 1))),
    ("self_hidden", np.zeros_like),
)


_SEEING: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("sinusoidal", like),
    ("shuffled", _shuffled),
    ("random", _random),
    ("faint", lambda x: 0.05 * like(x)),
    ("causal", np.zeros_like),
    ("distance", np.zeros_like),
    ("window", np.zeros_like),
    ("one_back", np.zeros_like),
    ("rotary", np.zeros_like),
)


_TOKENS = ((4, 8), (5, 16), (8, 8), (12, 16))


def _weights(name: str, total: np.ndarray) -> np.ndarray:
    n, width = total.shape
    offset = np.arange(n)[:, None] - np.arange(n)
    masks = {"causal": offset >= 0, "window": np.abs(offset) <= 1, "self_hidden": offset != 0}
    if name == "distance":
        return softmax(total @ total.T / np.sqrt(width) - np.abs(offset))
    if name == "one_back":
        # the chapter's own head, by position alone: the words are not looked at
        return softmax(np.where(offset == 1, 30.0, 0.0) + 0 * total[:, :1])
    if name == "rotary":
        turns = np.exp(1j * np.outer(np.arange(n), angular_frequencies(width)))
        total = (total[:, 0::2] + 1j * total[:, 1::2]) * turns
        return softmax((total @ total.conj().T).real / np.sqrt(width))
    return attention_weights(total, total, masks.get(name))


@exercise("attend", "x")
def check_sees_order(candidate: Callable[[Attend, np.ndarray], bool]) -> None:
    """Check a learner's test of whether an attention sees the order of its tokens.

    Takes ``(attend, x)``: a function from tokens to weights, which adds what it adds by itself, and
    tokens of shape (n, d_model). Returns True if it sees their order. Names the arm that was judged
    wrongly.

    >>> check_sees_order(lambda attend, x: True).cause
    'never_calls'
    """
    rng, calls, moved = np.random.RandomState(2), [], []
    tokens = [0.7 * rng.randn(*shape) for shape in _TOKENS]

    def says(name: str, arm: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
        def attend(tokens: np.ndarray) -> np.ndarray:
            calls.append(name)
            total = _read_tokens(tokens, x.shape)
            moved.append(not np.array_equal(total, x))
            total = total + arm(total)
            weights = _weights(name, total)
            if name == "exact":
                return weights.round(9)
            # two ways of computing differ in the last digits; here each call goes its own way
            return weights * (1 + 4e-16 * (len(calls) % 7))

        return ask_bool(candidate, attend, x)

    blind = {name: [says(name, arm, x) for x in tokens] for name, arm in _BLIND}
    seeing = {name: [says(name, arm, x) for x in tokens] for name, arm in _SEEING}
    exact = [says("exact", np.zeros_like, x) for x in tokens]
    if not calls:
        raise Wrong("never_calls")
    if not any(moved) and (any(blind["none"]) or not any(blind["placebo"])):
        raise Wrong("one_order")
    if _is_inverted(blind, seeing, exact):
        raise Wrong("inverted")
    if not any(map(any, [*blind.values(), *seeing.values()])):
        raise Wrong("always_false")
    if any(blind["none"]) and not any(exact):
        raise Wrong("too_tight")
    # by position alone nothing changes when the tokens move, so a measured change is 0 there
    others = [answers for name, answers in seeing.items() if name != "one_back"]
    if all(map(all, [blind["none"], blind["placebo"], *others])):
        raise Wrong("always_true")
    if any(blind["none"]):
        raise Wrong("none", got=_TOKENS[blind["none"].index(True)])
    if any(blind["placebo"]):
        raise Wrong("placebo", got=_TOKENS[blind["placebo"].index(True)])
    if any(blind["self_hidden"]):
        raise Wrong("self_hidden", got=_TOKENS[blind["self_hidden"].index(True)])
    for name, answers in seeing.items():
        if not all(answers):
            raise Wrong("missed", name=text(f"sight.{name}"), got=_TOKENS[answers.index(False)])


def _is_inverted(
    blind: dict[str, list[bool]], seeing: dict[str, list[bool]], exact: list[bool]
) -> bool:
    """Whether yes and no are exchanged, also where rounding hides it from all but `exact`."""
    no, yes = ([say for says in arms.values() for say in says] for arms in (blind, seeing))
    return (all(no) and 2 * sum(yes) < len(yes)) or (not any(no + yes) and any(exact))


def _read_tokens(x: object, shape: tuple[int, ...]) -> np.ndarray:
    tokens = read_array(x).astype(np.float64)
    if tokens.shape != shape:
        raise Wrong("tokens", wanted=shape, got=tokens.shape)
    return tokens
