"""Scaled dot-product attention, with batches in front and masks.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
"""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from course_utils.arguments import (
    any_array,
    integer,
    place_of,
    positive_integer,
    real_array,
    shown,
    whole,
    within_memory,
)
from course_utils.language import text

__all__ = ["attention_weights", "causal_mask", "scaled_dot_product_attention", "softmax"]

# what softmax works on at a time; a processor's second cache holds 256 KiB or more
CACHE_BYTES = 2**18


def softmax(scores: npt.ArrayLike, axis: int = -1) -> npt.NDArray[np.floating]:
    """Turn scores into weights that are at least 0 and sum to 1 along one axis.

    ``exp(s - max(s)) / sum(exp(s - max(s)))``: the maximum cancels, and nothing overflows.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Real numbers; minus infinity means "not this one".
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    ndarray, same shape
        Weights from 0 to 1, float64 unless the scores are of a narrower floating type.

    Raises
    ------
    TypeError, ValueError
        If the scores are not real numbers, hold NaN or plus infinity, or a whole row is minus
        infinity.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> softmax([0.0, 0.0]).tolist()
    [0.5, 0.5]
    >>> softmax([1000.0, 0.0]).tolist()
    [1.0, 0.0]
    """
    scores = real_array("scores", scores, finite=False)
    axis = integer("axis", axis, example=-1)
    if not -scores.ndim <= axis < scores.ndim:
        low, high = -scores.ndim, scores.ndim - 1
        raise ValueError(
            text("error.axis", name="axis", ndim=scores.ndim, low=low, high=high, got=whole(axis))
        )
    within_memory(scores.shape, "scores", scores.itemsize)
    return _softmax_in_place(scores.copy(), axis)


def causal_mask(seq_len: int) -> npt.NDArray[np.bool_]:
    """Build the mask that lets each query look at itself and at what came before.

    ``mask[query, key] = key <= query``.

    Parameters
    ----------
    seq_len : int
        Number of tokens, at least 1.

    Returns
    -------
    ndarray of bool, shape (seq_len, seq_len)
        True where the query (row) may look at the key (column).

    Raises
    ------
    TypeError, ValueError
        If `seq_len` is not a positive integer, or the mask would pass 1 GiB.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3.

    Examples
    --------
    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    seq_len = positive_integer("seq_len", seq_len)
    within_memory((seq_len, seq_len), "seq_len", itemsize=1)
    return np.tri(seq_len, dtype=bool)


def attention_weights(
    q: npt.ArrayLike, k: npt.ArrayLike, mask: npt.ArrayLike | None = None
) -> npt.NDArray[np.floating]:
    """Compute how much each query looks at each key.

    ``softmax(q @ k.T / sqrt(d_k))``, each row over the keys that `mask` lets it see.

    Parameters
    ----------
    q : array_like, shape (..., n_queries, d_k)
        Queries; axes in front are batches and broadcast.
    k : array_like, shape (..., n_keys, d_k)
        Keys.
    mask : array_like of bool, shape (..., n_queries, n_keys), optional
        True where a query may look.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        Weights from 0 to 1; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or shape, is not finite, or a row is fully masked.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> attention_weights(np.zeros((2, 4)), np.zeros((3, 4))).round(4).tolist()
    [[0.3333, 0.3333, 0.3333], [0.3333, 0.3333, 0.3333]]
    """
    q, k = real_array("q", q, at_least=2), real_array("k", k, at_least=2)
    if q.shape[-1] != k.shape[-1]:
        raise _mismatch("q", q, "k", k, "match.width")
    shape = (*_batch("q", q, "k", k), q.shape[-2], k.shape[-2])
    within_memory(shape, "q, k", np.result_type(q, k).itemsize)
    visible = None if mask is None else _visible(mask, shape)
    with np.errstate(over="ignore", invalid="ignore"):
        # divided before the product: q has fewer numbers than the scores
        scores = (q / math.sqrt(q.shape[-1])) @ k.mT
    if visible is not None:
        for rows in _row_blocks(scores):
            np.copyto(scores[rows], -np.inf, where=~visible[rows])
    return _softmax_in_place(scores)


def scaled_dot_product_attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    mask: npt.ArrayLike | None = None,
) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]:
    """Average the values with the attention weights.

    ``weights = softmax(q @ k.T / sqrt(d_k))`` and ``output = weights @ v``.

    Parameters
    ----------
    q : array_like, shape (..., n_queries, d_k)
        Queries.
    k : array_like, shape (..., n_keys, d_k)
        Keys.
    v : array_like, shape (..., n_keys, d_v)
        Values, one for each key.
    mask : array_like of bool, shape (..., n_queries, n_keys), optional
        True where a query may look.

    Returns
    -------
    output : ndarray, shape (..., n_queries, d_v)
        One weighted mean of the values for each query.
    weights : ndarray, shape (..., n_queries, n_keys)
        Weights from 0 to 1; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or shape, is not finite, or a row is fully masked.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> output, weights = scaled_dot_product_attention([[0.0]], [[1.0], [2.0]], [[4.0], [6.0]])
    >>> output.tolist(), weights.tolist()
    ([[5.0]], [[0.5, 0.5]])
    """
    # attention_weights looks whether q and k are finite
    q, k = (real_array(*each, at_least=2, finite=False) for each in (("q", q), ("k", k)))
    v = real_array("v", v, at_least=2)
    if k.shape[-2] != v.shape[-2]:
        raise _mismatch("k", k, "v", v, "match.keys")
    _batch("q", q, "k", k), _batch("k", k, "v", v), _batch("q", q, "v", v)
    batch = np.broadcast_shapes(*(array.shape[:-2] for array in (q, k, v)))
    within_memory((*batch, q.shape[-2], v.shape[-1]), "q, k, v", v.itemsize)
    weights = attention_weights(q, k, mask)
    return weights @ v, weights


def _softmax_in_place(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    lines = scores.swapaxes(axis, -1)
    for rows in _row_blocks(lines):
        block = lines[rows]
        largest = block.max(axis=-1, keepdims=True)
        if not np.isfinite(largest).all():
            _explain_scores(scores, axis)
        with np.errstate(over="ignore"):
            block -= largest
        np.exp(block, out=block)
        block /= block.sum(axis=-1, keepdims=True)
    return scores


def _row_blocks(array: np.ndarray) -> Iterator[tuple]:
    """Yield indices of a few rows each, which stay in the processor's cache meanwhile."""
    if array.ndim == 1:
        yield (...,)
        return
    count = array.shape[-2]
    step = max(1, CACHE_BYTES * count // array.nbytes)
    for start in range(0, count, step):
        yield ..., slice(start, start + step), slice(None)


def _explain_scores(scores: np.ndarray, axis: int) -> None:
    broken = np.isnan(scores) | (scores == np.inf)
    if broken.any():
        got, place = float(scores[broken][0]), place_of(broken)
        raise ValueError(text("error.overflow", got=got, place=place, dtype=scores.dtype))
    row = place_of(scores.max(axis=axis) == -np.inf)
    raise ValueError(text("error.masked_row", place=row))


def _visible(mask: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    visible = any_array("mask", mask)
    if visible is None or visible.dtype != bool:
        raise TypeError(text("error.mask_type", got=shown(mask)))
    try:
        return np.broadcast_to(visible, shape)
    except ValueError:
        message = text("error.mask_shape", wanted=shape, got=visible.shape, example=shape[-1])
        raise ValueError(message) from None


def _batch(name: str, array: np.ndarray, other: str, other_array: np.ndarray) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(array.shape[:-2], other_array.shape[:-2])
    except ValueError:
        raise _mismatch(name, array, other, other_array, "match.batch") from None


def _mismatch(
    name: str, array: np.ndarray, other: str, other_array: np.ndarray, what: str
) -> ValueError:
    return ValueError(
        text(
            "error.match",
            name=name,
            other=other,
            what=text(what),
            got=array.shape,
            other_got=other_array.shape,
        )
    )
