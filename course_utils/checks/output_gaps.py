"""A learner's order gap of outputs, one for each sentence of a batch."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from course_utils.attention import scaled_dot_product_attention
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    explains,
    read_array,
    refuse_rounded,
    require_function,
)
from course_utils.encoding import sinusoidal_positional_encoding

__all__ = ["check_output_gaps"]

Layer = Callable[[np.ndarray], np.ndarray]
Gaps = Callable[[Layer, np.ndarray, np.ndarray], np.ndarray]


def encoding_of(x: np.ndarray) -> np.ndarray:
    return sinusoidal_positional_encoding(*x.shape[-2:])


def _norms(difference: np.ndarray) -> np.ndarray:
    return np.sqrt(np.square(difference).sum(axis=(1, 2)))


def _left(layer: Layer, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return layer(x[:, order]) - layer(x)[:, order]


def _inverse(layer: Layer, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return _norms(layer(x[:, order]) - layer(x)[:, np.argsort(order)])


def _encodes_both(layer: Layer, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    pe = encoding_of(x)
    return _norms(layer(x[:, order] + pe) - layer(x + pe)[:, order])


_WRONG_GAPS: tuple[tuple[str, Gaps], ...] = (
    ("not_permuted", lambda f, x, o: _norms(f(x[:, o]) - f(x))),
    ("inverse", _inverse),
    ("squared", lambda f, x, o: _norms(_left(f, x, o)) ** 2),
    ("largest", lambda f, x, o: np.abs(_left(f, x, o)).max(axis=(1, 2))),
    ("mean", lambda f, x, o: np.abs(_left(f, x, o)).mean(axis=(1, 2))),
    ("mean", lambda f, x, o: np.square(_left(f, x, o)).mean(axis=(1, 2))),
    ("mean", lambda f, x, o: np.sqrt(np.square(_left(f, x, o)).mean(axis=(1, 2)))),
    ("absolute", lambda f, x, o: np.abs(_left(f, x, o)).sum(axis=(1, 2))),
    ("plain_sum", lambda f, x, o: _left(f, x, o).sum(axis=(1, 2))),
    ("spectral", lambda f, x, o: np.linalg.norm(_left(f, x, o), 2, axis=(1, 2))),
    ("norms_first", lambda f, x, o: np.abs(_norms(f(x[:, o])) - _norms(f(x)))),
    ("norms_first", lambda f, x, o: _norms(f(x[:, o])) - _norms(f(x))),
    ("adds_encoding", lambda f, x, o: _norms(_left(f, x + encoding_of(x), o))),
    ("adds_encoding", _encodes_both),
)


@exercise(["always_zero", "rounded"])
def check_output_gaps(
    candidate: Callable[[Layer, np.ndarray, Sequence[int]], npt.ArrayLike],
) -> Feedback:
    """Check a learner's order gap of a layer that returns outputs, for a batch.

    Parameters
    ----------
    candidate : callable
        Takes ``(layer, x, order)``: a function from tokens of shape (batch, n, d_model) to outputs
        of shape (batch, n, d_v), such tokens, a permutation of 0 to n - 1. Returns
        ``|| layer(x[:, order]) - layer(x)[:, order] ||`` for each sentence, shape (batch,).

    Examples
    --------
    >>> check_output_gaps(lambda layer, x, order: np.zeros(len(x))).cause
    'never_calls'
    """
    require_function(candidate, "layer", "x", "order")
    rng, calls = np.random.RandomState(4), []
    shapes, orders = ((3, 5, 8), (2, 4, 6), (2, 5, 8)), ([3, 0, 4, 1, 2], [2, 0, 3, 1])
    strengths = (1.0, 1.0, 0.0)
    trials = [
        (_layer(strength, rng.randn(shape[2], 3), shape, calls), rng.randn(*shape), orders[i % 2])
        for i, (shape, strength) in enumerate(zip(shapes, strengths, strict=True))
    ]
    found = [_read_gaps(_asked(candidate, given), given[1]) for given in trials]
    if not calls:
        raise Wrong("never_calls")

    given = [(layer, x, np.array(order)) for layer, x, order in trials]
    if explains(lambda f, x, o: _norms(_left(f, x, o)), found, given):
        return
    if not any(map(np.any, found)):
        raise Wrong("always_zero")
    for cause, gaps in _WRONG_GAPS:
        if explains(gaps, found, given):
            raise Wrong(cause)
    wanted = [_norms(_left(*each)) for each in given]
    refuse_rounded(found, wanted)
    others = [(layer, x, order[1:] + order[:1]) for layer, x, order in trials]
    again = [_read_gaps(_asked(candidate, each), each[1]) for each in others]
    if explains(lambda gaps: gaps, found, [(gaps,) for gaps in again], atol=1e-12):
        raise Wrong("order_ignored")
    first = next(
        i for i, got in enumerate(found) if not np.allclose(got, wanted[i], rtol=0, atol=1e-6)
    )
    got, right = apart(found[first], wanted[first])
    raise Wrong("value", order=orders[first % 2], got=got, wanted=right)


def _asked(candidate: Callable[..., object], given: tuple[object, ...]) -> object:
    try:
        return ask(candidate, *given)
    except Wrong as wrong:
        axis = re.search(r"out of bounds for axis (\d)", wrong.values.get("error", ""))
        if axis and axis[1] in "02":
            cause = "batch_permuted" if axis[1] == "0" else "columns_permuted"
            raise Wrong(cause, error=wrong.values["error"]) from None
        raise


def _layer(
    strength: float, w_v: np.ndarray, shape: tuple[int, ...], calls: list[np.ndarray]
) -> Layer:
    def layer(x: np.ndarray) -> np.ndarray:
        calls.append(x)
        tokens = read_array(x).astype(np.float64)
        if tokens.ndim != 3 or tokens.shape[1:] != shape[1:]:  # sentence by sentence will do
            raise Wrong("tokens", wanted=shape, got=tokens.shape)
        total = tokens + strength * encoding_of(tokens)
        return scaled_dot_product_attention(total, total, total @ w_v)[0]

    return layer


def _read_gaps(result: object, x: np.ndarray) -> np.ndarray:
    found = read_array(result)
    if found.dtype == bool:
        raise Wrong("truths")
    if found.shape == () or (found.shape == (1,) != x.shape[:1]):
        raise Wrong("one_for_all", count=len(x))
    if found.ndim == 3:
        raise Wrong("outputs", got=found.shape)
    if found.shape == x.shape[:1] + x.shape[1:2]:
        raise Wrong("one_a_token", got=found.shape, wanted=x.shape[:1])
    if found.shape != x.shape[:1]:
        raise Wrong("shape", wanted=x.shape[:1], got=found.shape)
    return found
