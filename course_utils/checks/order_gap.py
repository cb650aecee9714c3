"""A learner's order gap."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.attention import attention_weights
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    read_array,
    read_number,
    refuse_rounded,
    require_function,
)
from course_utils.encoding import (
    sinusoidal_positional_encoding,
)

__all__ = ["check_order_gap"]

Attend = Callable[[np.ndarray], np.ndarray]


# the order gap
def _difference(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return attend(x[order]) - attend(x)[order][:, order]


def _inverse(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    back = np.argsort(order)
    return attend(x[order]) - attend(x)[back][:, back]


def encoding_of(x: np.ndarray) -> np.ndarray:
    return sinusoidal_positional_encoding(*x.shape)


def _encoded_after(attend: Attend, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return attend(x[order] + encoding_of(x)) - attend(x + encoding_of(x))[order][:, order]


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
    ("adds_encoding", lambda a, x, o: _norm(_difference(a, x + encoding_of(x), o))),
)


@exercise()
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
        total = read_tokens(x, arm.shape) + arm
        return attention_weights(total, total)

    return attend


def read_tokens(x: object, shape: tuple[int, ...]) -> np.ndarray:
    tokens = read_array(x).astype(np.float64)
    if tokens.shape != shape:
        raise Wrong("tokens", wanted=shape, got=tokens.shape)
    return tokens


def _read_gap(result: object, n: int) -> float:
    if np.shape(read_array(result)) == (n, n):
        raise Wrong("matrix", got=(n, n))
    return read_number(result)
