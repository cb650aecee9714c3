"""Meters for a comparison that can fail: what changed, and whether order is seen."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from course_utils.arguments import integer, permutation, real_array, shown, whole, within_memory
from course_utils.language import text

__all__ = [
    "energy_share",
    "frobenius_difference",
    "order_gap",
    "repeated_word_gap",
    "score_terms",
    "shift_gap",
]

P, R = ParamSpec("P"), TypeVar("R")


def _finite(names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse arguments so large that what is measured is infinity or NaN."""

    def decorate(measure: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(measure)
        def measured(*arguments: P.args, **options: P.kwargs) -> R:
            with np.errstate(over="ignore", invalid="ignore"):
                found = measure(*arguments, **options)
            for value in found.values() if isinstance(found, dict) else [found]:
                if not np.isfinite(value).all():
                    got = float(np.ravel(value)[~np.isfinite(np.ravel(value))][0])
                    raise ValueError(text("error.too_large", names=names, got=got))
            return found

        return measured

    return decorate


@_finite("weights, other")
def frobenius_difference(weights: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Measure how far apart two weight matrices are.

    ``sqrt(sum((weights - other) ** 2))``.

    Parameters
    ----------
    weights, other : array_like, shape (n_queries, n_keys)
        Two matrices of one shape.

    Returns
    -------
    float
        At least 0; at most ``sqrt(2 * n_queries)`` when both are attention weights.

    Raises
    ------
    TypeError, ValueError
        If they are not finite matrices of one shape.

    References
    ----------
    Golub and Van Loan, "Matrix Computations" (4th edition, 2013), section 2.3.

    Examples
    --------
    >>> frobenius_difference([[1.0, 0.0]], [[0.0, 1.0]])
    1.4142135623730951
    """
    weights, other = real_array("weights", weights, ndim=2), real_array("other", other, ndim=2)
    _same_shape("weights", weights, "other", other)
    return float(np.linalg.norm(weights - other))


@_finite("attend(x)")
def order_gap(
    attend: Callable[[np.ndarray], np.ndarray], x: npt.ArrayLike, order: Sequence[int]
) -> float:
    """Measure what permuting the tokens does beyond permuting the weights.

    ``|| attend(x[order]) - attend(x)[order][:, order] ||``; 0 means that attention is
    permutation-equivariant: it cannot see the order.

    Parameters
    ----------
    attend : callable
        Takes tokens of shape (n, d_model), returns weights of shape (n, n).
    x : array_like, shape (n, d_model)
        Tokens before any positional encoding; `attend` adds it.
    order : sequence of int
        Each of 0 to n - 1 once.

    Returns
    -------
    float
        Frobenius norm, at least 0.

    Raises
    ------
    TypeError, ValueError
        If an argument, or what `attend` returns, is not of the kind above.

    References
    ----------
    Lee et al., "Set Transformer" (2019), property 1.

    Examples
    --------
    >>> from course_utils.attention import attention_weights
    >>> order_gap(lambda x: attention_weights(x, x), np.eye(3), [2, 0, 1]) < 1e-9
    True
    """
    if not callable(attend):
        example = "lambda x: attention_weights(x, x)"
        message = text("error.callable", name="attend", example=example, got=shown(attend))
        raise TypeError(message)
    x = real_array("x", x, ndim=2)
    index = permutation(order, len(x))
    square = (len(x), len(x))
    before = _shaped("attend(x)", attend(x.copy()), square)
    after = _shaped("attend(x[order])", attend(x[index]), square)
    return float(np.linalg.norm(after - before[index][:, index]))


@_finite("weights")
def repeated_word_gap(weights: npt.ArrayLike, i: int, j: int) -> float:
    """Measure whether two tokens, the same word, look at different things.

    ``|| weights[i] - weights[j] ||``.

    Parameters
    ----------
    weights : array_like, shape (n_queries, n_keys)
        Attention weights.
    i, j : int
        The two rows, from 0.

    Returns
    -------
    float
        From 0 (they look at the same things) to ``sqrt(2)``.

    Raises
    ------
    TypeError, ValueError
        If the weights are not a finite matrix or there is no such row.

    References
    ----------
    The course's own meter; chapter 4 builds it.

    Examples
    --------
    >>> repeated_word_gap([[0.5, 0.5], [0.5, 0.5]], 0, 1)
    0.0
    """
    weights = real_array("weights", weights, ndim=2)
    rows = []
    for name, value in (("i", i), ("j", j)):
        row = integer(name, value, example=0)
        if not 0 <= row < len(weights):
            message = text("error.index", name=name, high=len(weights) - 1, got=whole(row))
            raise ValueError(message)
        rows.append(weights[row])
    return float(np.linalg.norm(rows[0] - rows[1]))


@_finite("pe")
def shift_gap(pe: npt.ArrayLike) -> float:
    """Measure how far the similarity of two rows is from depending on their offset alone.

    The largest spread (maximum minus minimum) of ``pe @ pe.T`` along any of its diagonals.

    Parameters
    ----------
    pe : array_like, shape (seq_len, d_model)
        An encoding, one row a position.

    Returns
    -------
    float
        At least 0; 0 for the sinusoidal encoding, up to rounding.

    Raises
    ------
    TypeError, ValueError
        If `pe` is not a finite matrix, or ``pe @ pe.T`` would pass 1 GiB.

    References
    ----------
    The course's own meter; chapter 4 builds it.

    Examples
    --------
    >>> shift_gap([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
    3.0
    """
    pe = real_array("pe", pe, ndim=2)
    within_memory((len(pe), len(pe)), "pe")
    gram = pe @ pe.T
    return float(max(np.ptp(np.diagonal(gram, offset)) for offset in range(len(gram))))


@_finite("x, pe, w_q, w_k")
def score_terms(
    x: npt.ArrayLike, pe: npt.ArrayLike, w_q: npt.ArrayLike, w_k: npt.ArrayLike
) -> dict[str, npt.NDArray[np.floating]]:
    """Split the scaled scores of ``x + pe`` into four terms that add up to them.

    ``((a @ w_q) @ (b @ w_k).T) / sqrt(d_k)`` for `a` and `b` each `x` or `pe`.

    Parameters
    ----------
    x : array_like, shape (seq_len, d_model)
        Tokens.
    pe : array_like, shape (seq_len, d_model)
        Their positional encoding.
    w_q, w_k : array_like, shape (d_model, d_k)
        Projections of queries and of keys.

    Returns
    -------
    dict of ndarray, each of shape (seq_len, seq_len)
        Keys ``content_content``, ``content_position``, ``position_content`` and
        ``position_position``: the query's part first, the key's second.

    Raises
    ------
    TypeError, ValueError
        If the arguments are not finite matrices whose shapes fit.

    References
    ----------
    Dai et al., "Transformer-XL" (2019), section 3.3.

    Examples
    --------
    >>> terms = score_terms([[1.0]], [[2.0]], [[1.0]], [[1.0]])
    >>> {name: term.item() for name, term in terms.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'content_content': 1.0, 'content_position': 2.0,
     'position_content': 2.0, 'position_position': 4.0}
    """
    x, pe = real_array("x", x, ndim=2), real_array("pe", pe, ndim=2)
    _same_shape("x", x, "pe", pe)
    w_q, w_k = real_array("w_q", w_q, ndim=2), real_array("w_k", w_k, ndim=2)
    _same_shape("w_q", w_q, "w_k", w_k)
    _shaped("w_q", w_q, (x.shape[1], w_q.shape[1]))
    within_memory((len(x), max(len(x), w_q.shape[1])), "x, w_q")
    scale = math.sqrt(w_q.shape[1])
    parts = {"content": x, "position": pe}
    return {
        f"{query}_{key}": (parts[query] @ w_q) @ (parts[key] @ w_k).T / scale
        for query in parts
        for key in parts
    }


def energy_share(x: npt.ArrayLike, pe: npt.ArrayLike) -> float:
    """Measure which share of the squared norm of ``x + pe`` is the position's.

    ``sum(pe ** 2) / (sum(x ** 2) + sum(pe ** 2))``: the cross term ``2 * x @ pe`` has no sign of
    its own and is left out.

    Parameters
    ----------
    x : array_like, shape (..., seq_len, d_model)
        Tokens; axes in front are batches.
    pe : array_like, shape (seq_len, d_model)
        Their positional encoding.

    Returns
    -------
    float
        From 0 (all content) to 1 (all position).

    Raises
    ------
    TypeError, ValueError
        If the arguments are not finite, their shapes do not fit, or both are all zeros.

    References
    ----------
    The course's own meter; chapter 2 builds it.

    Examples
    --------
    >>> energy_share([[3.0, 0.0]], [[0.0, 1.0]])
    0.1
    """
    x, pe = real_array("x", x, at_least=2), real_array("pe", pe, ndim=2)
    _shaped("pe", pe, x.shape[-2:])
    # by a power of two, which rounds nothing: squares neither overflow nor vanish
    exponent = -np.frexp(max(np.abs(x).max(), np.abs(pe).max()))[1]
    x, pe = np.ldexp(x, exponent, dtype=np.float64), np.ldexp(pe, exponent, dtype=np.float64)
    # mean over the batch, so that a sentence counts the same alone and in a batch
    content = float(np.square(x, dtype=np.float64).sum() / math.prod(x.shape[:-2]))
    position = float(np.square(pe, dtype=np.float64).sum())
    if content + position == 0:
        raise ValueError(text("error.no_energy"))
    return position / (content + position)


def _shaped(name: str, value: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    array = real_array(name, value, ndim=len(shape))
    if array.shape != shape:
        raise ValueError(text("error.shape", name=name, wanted=shape, got=array.shape))
    return array


def _same_shape(name: str, array: np.ndarray, other: str, other_array: np.ndarray) -> None:
    if array.shape != other_array.shape:
        what = text("match.shape")
        shapes = {"got": array.shape, "other_got": other_array.shape}
        raise ValueError(text("error.match", name=name, other=other, what=what, **shapes))
