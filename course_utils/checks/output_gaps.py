"""A learner's order gap of outputs, one for each sentence of a batch."""

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
    read_array,
    refuse_rounded,
    require_function,
)
from course_utils.encoding import (
    sinusoidal_positional_encoding,
)

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
    ("adds_encoding", lambda f, x, o: _norms(_left(f, x + encoding_of(x), o))),
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

    def like(gaps: Gaps) -> bool:
        wanted = [gaps(layer, x, np.array(order)) for layer, x, order in trials]
        return all(
            np.allclose(one, other, rtol=0, atol=1e-6)
            for one, other in zip(found, wanted, strict=True)
        )

    if like(lambda f, x, o: _norms(_left(f, x, o))):
        return
    if like(lambda f, x, o: np.zeros(len(x))):
        raise Wrong("always_zero")
    for cause, gaps in _WRONG_GAPS:
        if like(gaps):
            raise Wrong(cause)
    wanted = [_norms(_left(layer, x, np.array(order))) for layer, x, order in trials]
    refuse_rounded(found, wanted)
    first = next(
        i for i, got in enumerate(found) if not np.allclose(got, wanted[i], rtol=0, atol=1e-6)
    )
    got, right = apart(found[first], wanted[first])
    raise Wrong("value", order=orders[first % 2], got=got, wanted=right)


def _asked(candidate: Callable[..., object], given: tuple[object, ...]) -> object:
    try:
        return ask(candidate, *given)
    except Wrong as wrong:
        if "out of bounds" in wrong.values.get("error", ""):
            raise Wrong("batch_permuted", error=wrong.values["error"]) from None
        raise


def _layer(
    strength: float, w_v: np.ndarray, shape: tuple[int, ...], calls: list[np.ndarray]
) -> Layer:
    def layer(x: np.ndarray) -> np.ndarray:
        calls.append(x)
        tokens = read_tokens(x, shape)
        total = tokens + strength * encoding_of(tokens)
        return scaled_dot_product_attention(total, total, total @ w_v)[0]

    return layer


def read_tokens(x: object, shape: tuple[int, ...]) -> np.ndarray:
    tokens = read_array(x).astype(np.float64)
    if tokens.shape != shape:
        raise Wrong("tokens", wanted=shape, got=tokens.shape)
    return tokens


def _read_gaps(result: object, x: np.ndarray) -> np.ndarray:
    found = read_array(result)
    if found.shape == () or (found.shape == (1,) != x.shape[:1]):
        raise Wrong("one_for_all", count=len(x))
    if found.ndim == 3:
        raise Wrong("outputs", got=found.shape)
    if found.shape == x.shape[:1] + x.shape[1:2]:
        raise Wrong("one_a_token", got=found.shape, wanted=x.shape[:1])
    if found.shape != x.shape[:1]:
        raise Wrong("shape", wanted=x.shape[:1], got=found.shape)
    return found
