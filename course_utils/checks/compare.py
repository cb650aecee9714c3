"""Chapter 4: the placebo, the order gap, a test that can fail, and chance."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.arguments import shown
from course_utils.attention import attention_weights, causal_mask, softmax
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    ask_bool,
    exercise,
    judge_choice,
    plain,
    read_array,
    read_number,
    refuse_rounded,
    require_function,
    usual_number,
)
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.language import text

__all__ = ["check_chance", "check_order_gap", "check_placebo", "check_sees_order"]

Attend = Callable[[np.ndarray], np.ndarray]


@exercise(
    "x = np.random.RandomState(42).randn(4, 8)\n"
    "placebo = np.tile(encoding.sinusoidal_positional_encoding(4, 8)[3], (4, 1))\n"
    "without = attention.attention_weights(x, x)\n"
    "with_placebo = attention.attention_weights(x + placebo, x + placebo)\n"
    "print(f'{compare.frobenius_difference(with_placebo, without):.4f}')"
)
def check_placebo(answer: str | bool) -> Feedback:
    """Check a prediction: whether one vector for all passes the test of the handout.

    Parameters
    ----------
    answer : {"yes", "no"} or bool
        Whether the weights change by more than 0.1.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    The course's own comparison; chapter 4 runs it.

    Examples
    --------
    >>> check_placebo("no").cause
    'no'
    """
    if isinstance(answer, bool | np.bool_):
        answer = "yes" if answer else "no"
    judge_choice(answer, {"yes": "", "no": "no"})


# the order gap


def _difference(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return attend(x[order]) - attend(x)[order][:, order]


def _inverse(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    back = np.argsort(order)
    return attend(x[order]) - attend(x)[back][:, back]


def _rows(x: np.ndarray) -> np.ndarray:
    return sinusoidal_positional_encoding(*x.shape)


def _encoded_after(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return attend(x[order] + _rows(x)) - attend(x + _rows(x))[order][:, order]


_norm = np.linalg.norm
_WRONG_GAPS: tuple[tuple[str, Callable[[Attend, np.ndarray, np.ndarray], float]], ...] = (
    ("not_permuted", lambda a, x, o: _norm(a(x[o]) - a(x))),
    ("rows_only", lambda a, x, o: _norm(a(x[o]) - a(x)[o])),
    ("columns_only", lambda a, x, o: _norm(a(x[o]) - a(x)[:, o])),
    ("diagonal_picked", lambda a, x, o: _norm(a(x[o]) - a(x)[o, o])),
    ("inverse", lambda a, x, o: _norm(_inverse(a, x, o))),
    ("squared", lambda a, x, o: _norm(_difference(a, x, o)) ** 2),
    ("largest", lambda a, x, o: np.abs(_difference(a, x, o)).max()),
    ("mean", lambda a, x, o: np.abs(_difference(a, x, o)).mean()),
    ("mean", lambda a, x, o: np.square(_difference(a, x, o)).mean()),
    ("mean", lambda a, x, o: np.sqrt(np.square(_difference(a, x, o)).mean())),
    ("absolute", lambda a, x, o: np.abs(_difference(a, x, o)).sum()),
    ("plain_sum", lambda a, x, o: _difference(a, x, o).sum()),
    ("spectral", lambda a, x, o: _norm(_difference(a, x, o), 2)),
    ("adds_encoding", lambda a, x, o: _norm(_encoded_after(a, x, o))),
    ("adds_encoding", lambda a, x, o: _norm(_difference(a, x + _rows(x), o))),
)


@exercise(
    "def my_order_gap(attend, x, order):\n"
    "    after, before = attend(x[order]), attend(x)\n"
    "    return np.linalg.norm(after - before[order][:, order])"
)
def check_order_gap(
    candidate: Callable[[Attend, np.ndarray, Sequence[int]], float],
) -> Feedback:
    """Check a learner's order gap.

    Parameters
    ----------
    candidate : callable
        Takes ``(attend, x, order)``: a function from tokens to weights, tokens of shape
        (n, d_model), a permutation of 0 to n - 1. Returns
        ``|| attend(x[order]) - attend(x)[order][:, order] ||``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Lee et al., "Set Transformer" (2019), property 1.

    Examples
    --------
    >>> from course_utils.compare import order_gap
    >>> check_order_gap(order_gap).state
    'correct'
    >>> check_order_gap(lambda attend, x, order: 0.0).cause
    'never_calls'
    """
    require_function(candidate, "attend", "x", "order")
    rng = np.random.RandomState(4)
    arms = [sinusoidal_positional_encoding(5, 8), rng.randn(6, 4), np.zeros((5, 8))]
    orders = [[3, 0, 4, 1, 2], [2, 0, 1, 5, 3, 4], [1, 2, 4, 0, 3]]
    calls = []
    trials = [
        (_attend_with(arm, calls), rng.randn(*arm.shape), order)
        for arm, order in zip(arms, orders, strict=True)
    ]
    found = [_read_gap(ask(candidate, *given), len(given[1])) for given in trials]
    if not calls:
        raise Wrong("never_calls")

    def like(gap: Callable[[Attend, np.ndarray, np.ndarray], float]) -> bool:
        wanted = [gap(attend, x, np.array(order)) for attend, x, order in trials]
        return np.allclose(found, wanted, rtol=0, atol=1e-6)

    if like(lambda a, x, o: _norm(_difference(a, x, o))):
        return
    if np.allclose(found, 0, rtol=0, atol=1e-9):
        raise Wrong("always_zero")
    for cause, gap in _WRONG_GAPS:
        if like(gap):
            raise Wrong(cause)
    wanted = [_norm(_difference(attend, x, np.array(order))) for attend, x, order in trials]
    refuse_rounded(found, wanted)
    _refuse_own_order(candidate, trials[:2], found)
    first = int(np.argmax(np.abs(np.subtract(found, wanted)) > 1e-6))
    got, right = apart(found[first], wanted[first])
    raise Wrong("value", order=orders[first], got=got, wanted=right)


def _refuse_own_order(
    candidate: Callable[..., float],
    trials: list[tuple[Attend, np.ndarray, list[int]]],
    found: list[float],
) -> None:
    """Name a gap that stays the same whatever the order is."""
    again = [
        _read_gap(ask(candidate, attend, x, order[1:] + order[:1]), len(x))
        for attend, x, order in trials
    ]
    if np.allclose(again, found[: len(again)], rtol=0, atol=1e-12):
        raise Wrong("order_ignored")


def _attend_with(arm: np.ndarray, calls: list[np.ndarray]) -> Attend:
    def attend(x: np.ndarray) -> np.ndarray:
        calls.append(x)
        total = _tokens(x, arm.shape) + arm
        return attention_weights(total, total)

    return attend


def _tokens(x: object, shape: tuple[int, ...]) -> np.ndarray:
    tokens = read_array(x).astype(np.float64)
    if tokens.shape != shape:
        raise Wrong("tokens", wanted=shape, got=tokens.shape)
    return tokens


def _read_gap(result: object, n: int) -> float:
    if np.shape(read_array(result)) == (n, n):
        raise Wrong("matrix", got=(n, n))
    return read_number(result)


# a test that can fail: order-blind arms, and arms that see the order


def _shuffled(x: np.ndarray) -> np.ndarray:
    return _rows(x)[np.random.RandomState(6).permutation(len(x))]


def _random(x: np.ndarray) -> np.ndarray:
    return np.random.RandomState(8).randn(*x.shape) / np.sqrt(2)


_BLIND: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("none", np.zeros_like),
    ("placebo", lambda x: np.tile(sinusoidal_positional_encoding(4, x.shape[1])[3], (len(x), 1))),
)
_SEEING: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("sinusoidal", _rows),
    ("shuffled", _shuffled),
    ("random", _random),
    ("faint", lambda x: 0.05 * _rows(x)),
    ("causal", np.zeros_like),
    ("distance", np.zeros_like),
)
_TOKENS = ((4, 8), (5, 16), (8, 8), (12, 16))


def _weights(name: str, total: np.ndarray) -> np.ndarray:
    if name == "distance":
        places = np.arange(len(total))
        distance = np.abs(places[:, None] - places)
        return softmax(total @ total.T / np.sqrt(total.shape[1]) - distance)
    return attention_weights(total, total, causal_mask(len(total)) if name == "causal" else None)


@exercise(
    "def sees_order(attend, x):\n"
    "    order = [1, 0, *range(2, len(x))]\n"
    "    return compare.order_gap(attend, x, order) > 1e-9"
)
def check_sees_order(candidate: Callable[[Attend, np.ndarray], bool]) -> Feedback:
    """Check a learner's test of whether an attention sees the order of its tokens.

    Parameters
    ----------
    candidate : callable
        Takes ``(attend, x)``: a function from tokens to weights, which adds what it adds by
        itself, and tokens of shape (n, d_model). Returns True if it sees their order.

    Returns
    -------
    Feedback
        Shown, never raised; names the arm that was judged wrongly.

    References
    ----------
    Lee et al., "Set Transformer" (2019), property 1.

    Examples
    --------
    >>> check_sees_order(lambda attend, x: True).cause
    'never_calls'
    """
    require_function(candidate, "attend", "x")
    rng, calls, moved = np.random.RandomState(2), [], []
    tokens = [0.7 * rng.randn(*shape) for shape in _TOKENS]

    def says(name: str, arm: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
        def attend(tokens: np.ndarray) -> np.ndarray:
            calls.append(name)
            total = _tokens(tokens, x.shape)
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
    if all(map(all, [*blind.values(), *seeing.values()])):
        raise Wrong("always_true")
    if any(blind["none"]):
        raise Wrong("none", got=_TOKENS[blind["none"].index(True)])
    if any(blind["placebo"]):
        raise Wrong("placebo", got=_TOKENS[blind["placebo"].index(True)])
    for name, answers in seeing.items():
        if not all(answers):
            raise Wrong("missed", name=text(f"sight.{name}"), got=_TOKENS[answers.index(False)])


def _is_inverted(
    blind: dict[str, list[bool]], seeing: dict[str, list[bool]], exact: list[bool]
) -> bool:
    """Whether yes and no are exchanged, also where rounding hides it from all but `exact`."""
    no, yes = ([say for says in arms.values() for say in says] for arms in (blind, seeing))
    return (all(no) and 2 * sum(yes) < len(yes)) or (not any(no + yes) and any(exact))


@exercise(
    "pairs = 1000  # a sentence and its twin get the same answer\nmy_accuracy = pairs / (2 * pairs)"
)
def check_chance(answer: float) -> Feedback:
    """Check the accuracy of a pooled layer without positions on a balanced order task.

    Parameters
    ----------
    answer : float
        A share between 0 and 1, exact.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Lee et al., "Set Transformer" (2019), property 1.

    Examples
    --------
    >>> check_chance(0.53).cause
    'reported'
    """
    if isinstance(answer, str) and answer.strip(" .") and any(c.isdigit() for c in answer):
        raise Wrong("words", got=plain(shown(answer)))
    found = read_number(answer)
    usual = {"": 0.5, "reported": 0.53, "percent": 50.0, "never": 0.0, "always": 1.0}
    cause = usual_number(found, usual, atol=1e-12)
    if cause is None and abs(found - 0.5) < 0.02:
        raise Wrong("nearly", got=apart(found, 0.5, "6g")[0])
    if cause is None:
        raise Wrong("other", got=f"{found:.4g}")
    if cause:
        raise Wrong(cause)
