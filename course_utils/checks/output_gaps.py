"""A learner's order gap of outputs, one for each sentence of a batch."""

import re
from collections.abc import Callable

import numpy as np

from course_utils.attention import scaled_dot_product_attention
from course_utils.checks.encodings import like
from course_utils.checks.feedback import (
    Layer,
    Wrong,
    apart,
    ask,
    exercise,
    explains,
    first_off,
    judge,
    read_array,
    ways,
)


def _norms(difference: np.ndarray) -> np.ndarray:
    return np.sqrt(np.square(difference).sum(axis=(1, 2)))


def _left(layer: Layer, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    return layer(x[:, order]) - layer(x)[:, order]


# what is measured, and by what number
_DIFFERENCES = (
    ("", _left),
    ("not_permuted", lambda f, x, o: f(x[:, o]) - f(x)),
    ("inverse", lambda f, x, o: f(x[:, o]) - f(x)[:, np.argsort(o)]),
    ("input_stays", lambda f, x, o: f(x) - f(x)[:, o]),
    ("other_order", lambda f, x, o: _left(f, x, np.argsort(o))),
    ("adds_encoding", lambda f, x, o: _left(f, x + like(x), o)),
    ("adds_encoding", lambda f, x, o: f(x[:, o] + like(x)) - f(x + like(x))[:, o]),
)
_NUMBERS = (
    ("", _norms),
    ("squared", lambda d: np.square(d).sum(axis=(1, 2))),
    ("largest", lambda d: np.abs(d).max(axis=(1, 2))),
    ("mean", lambda d: np.abs(d).mean(axis=(1, 2))),
    ("mean", lambda d: np.square(d).mean(axis=(1, 2))),
    ("mean", lambda d: np.sqrt(np.square(d).mean(axis=(1, 2)))),
    ("absolute", lambda d: np.abs(d).sum(axis=(1, 2))),
    ("plain_sum", lambda d: d.sum(axis=(1, 2))),
    ("spectral", lambda d: np.linalg.norm(d, 2, axis=(1, 2))),
    ("norm_of_rows", lambda d: np.linalg.norm(d, axis=2).sum(axis=1)),
    ("norm_of_rows", lambda d: np.linalg.norm(d, axis=2).mean(axis=1)),
)
_WHOLE = (
    ("norms_first", lambda f, x, o: np.abs(_norms(f(x[:, o])) - _norms(f(x)))),
    ("norms_first", lambda f, x, o: _norms(f(x[:, o])) - _norms(f(x))),
    ("relative", lambda f, x, o: _norms(_left(f, x, o)) / _norms(f(x))),
)


_JOINED = ways(lambda d, n: lambda f, x, o: n(d(f, x, o)), _DIFFERENCES, _NUMBERS)
_GAPS = (*_JOINED, *_WHOLE)
_TRIALS = (  # a shape, an order, and how much of the encoding is added
    ((3, 5, 8), [3, 0, 4, 1, 2], 1.0),
    ((2, 4, 6), [2, 0, 3, 1], 1.0),
    ((2, 5, 8), [3, 0, 4, 1, 2], 0.0),
)


@exercise("layer", "x", "order", causes=[*_DIFFERENCES, *_NUMBERS, *_WHOLE])
def check_output_gaps(candidate: Callable[..., np.ndarray]) -> None:
    """Check a learner's order gap of a layer that returns outputs, for a batch.

    Takes ``(layer, x, order)``: a function from tokens of shape (batch, n, d_model) to outputs of
    shape (batch, n, d_v), such tokens, a permutation of 0 to n - 1. Returns
    ``|| layer(x[:, order]) - layer(x)[:, order] ||`` for each sentence, shape (batch,).

    >>> check_output_gaps(lambda layer, x, order: np.zeros(len(x))).cause
    'never_calls'
    """
    rng, calls = np.random.RandomState(4), []
    trials = [
        (_layer(strength, rng.randn(shape[2], 3), shape, calls), rng.randn(*shape), order)
        for shape, order, strength in _TRIALS
    ]
    found = [_asked(candidate, *each) for each in trials]
    if not calls:
        raise Wrong("never_calls")
    if not any(map(np.any, found)):
        raise Wrong("always_zero")
    given = [(layer, x, np.array(order)) for layer, x, order in trials]
    if judge(_GAPS, found, given):
        return
    trial, *_ = first_off(_GAPS[0][1], found, given)
    again = [_asked(candidate, layer, x, order[1:] + order[:1]) for layer, x, order in trials]
    if explains(lambda gaps: gaps, found, [(gaps,) for gaps in again], atol=1e-12):
        raise Wrong("order_ignored")
    got, wanted = apart(found[trial], _norms(_left(*given[trial])))
    raise Wrong("value", order=trials[trial][2], got=got, wanted=wanted)


def _asked(candidate: Callable, layer: Layer, x: np.ndarray, order: list[int]) -> np.ndarray:
    try:
        found = read_array(ask(candidate, layer, x, order))
    except Wrong as wrong:
        axis = re.search(r"out of bounds for axis (\d)", wrong.values.get("error", ""))
        if axis and axis[1] in "02":
            cause = "batch_permuted" if axis[1] == "0" else "columns_permuted"
            raise Wrong(cause, error=wrong.values["error"]) from None
        raise
    if found.dtype == bool:
        raise Wrong("truths")
    if found.size == 1 < len(x):
        raise Wrong("one_for_all", count=len(x))
    if found.ndim == 3:
        kept = "kept_axes" if found.shape[1:] == (1, 1) else "outputs"
        raise Wrong(kept, got=found.shape)
    if found.shape == x.shape[:1] + x.shape[1:2]:
        raise Wrong("one_a_token", got=found.shape, wanted=x.shape[:1])
    if found.shape != x.shape[:1]:
        raise Wrong("shape", wanted=x.shape[:1], got=found.shape)
    return found


def _layer(strength: float, w_v: np.ndarray, shape: tuple, calls: list) -> Layer:
    def layer(x: np.ndarray) -> np.ndarray:
        calls.append(x)
        tokens = read_array(x).astype(np.float64)
        if tokens.ndim != 3 or tokens.shape[1:] != shape[1:]:  # sentence by sentence will do
            raise Wrong("tokens", wanted=shape, got=tokens.shape)
        total = tokens + strength * like(tokens)
        return scaled_dot_product_attention(total, total, total @ w_v)[0]

    return layer
