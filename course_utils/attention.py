"""Scaled dot-product attention, with batches and masks.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
"""

import math

import numpy as np
import numpy.typing as npt

from course_utils import arguments
from course_utils.language import text

__all__ = ["attention_weights", "causal_mask", "scaled_dot_product_attention", "softmax"]


def softmax(scores: npt.ArrayLike, axis: int = -1) -> npt.NDArray[np.floating]:
    """Turn scores into weights that are at least 0 and sum to 1 along one axis.

    ``exp(s - max(s)) / sum(exp(s - max(s)))``: the maximum cancels, and nothing overflows.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Real numbers; minus infinity gives a weight of 0.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    ndarray, same shape
        Weights from 0 to 1, float64 unless the scores are of a narrower floating type.

    Raises
    ------
    TypeError, ValueError
        If the scores are not real numbers, or a row holds NaN, infinity, or minus infinity only.

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
    scores = arguments.real_array("scores", scores, finite=False)
    axis = arguments.integer("axis", axis, example=-1)
    if not -scores.ndim <= axis < scores.ndim:
        known = {"ndim": scores.ndim, "low": -scores.ndim, "high": scores.ndim - 1}
        raise ValueError(text("error.axis", name="axis", got=axis, **known))
    return _softmax_in_place(scores.copy(), axis)


def causal_mask(seq_len: int) -> npt.NDArray[np.bool_]:
    """Build the mask that lets each query attend to itself and to what came before.

    ``mask[query, key] = key <= query``.

    Parameters
    ----------
    seq_len : int
        Number of tokens, at least 1.

    Returns
    -------
    ndarray of bool, shape (seq_len, seq_len)
        True where the query (row) may attend to the key (column).

    Raises
    ------
    TypeError, ValueError
        If `seq_len` is not a positive integer, or the mask exceeds 1 GiB.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3.

    Examples
    --------
    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    seq_len = arguments.positive_integer("seq_len", seq_len)
    arguments.within_memory((seq_len, seq_len), "seq_len", itemsize=1)
    return np.tri(seq_len, dtype=bool)


def attention_weights(
    q: npt.ArrayLike, k: npt.ArrayLike, mask: npt.ArrayLike | None = None
) -> npt.NDArray[np.floating]:
    """Compute how much each query attends to each key.

    ``softmax(q @ k.T / sqrt(d_k))``, each row over the keys that `mask` allows.

    Parameters
    ----------
    q, k : array_like, shapes (..., n_queries, d_k) and (..., n_keys, d_k)
        Queries and keys; leading axes are batches and broadcast.
    mask : array_like of bool, shape (..., n_queries, n_keys), optional
        True where a query may attend.

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
    q, k = arguments.real_array("q", q, at_least=2), arguments.real_array("k", k, at_least=2)
    if q.shape[-1] != k.shape[-1]:
        raise arguments.mismatch("match.width", q=q, k=k)
    shape = (*_batch(q=q, k=k), q.shape[-2], k.shape[-2])
    arguments.within_memory(shape, "q, k", np.result_type(q, k).itemsize)
    if mask is not None:
        mask = _checked_mask(mask, shape)
    with np.errstate(over="ignore", invalid="ignore"):  # explained below
        scores = q @ k.mT
    scores /= math.sqrt(q.shape[-1])
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    return _softmax_in_place(scores)


def scaled_dot_product_attention(
    q: npt.ArrayLike, k: npt.ArrayLike, v: npt.ArrayLike, mask: npt.ArrayLike | None = None
) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]:
    """Average the values with the attention weights.

    ``weights = softmax(q @ k.T / sqrt(d_k))`` and ``output = weights @ v``.

    Parameters
    ----------
    q, k : array_like, shapes (..., n_queries, d_k) and (..., n_keys, d_k)
        Queries and keys; leading axes are batches and broadcast.
    v : array_like, shape (..., n_keys, d_v)
        Values, one for each key.
    mask : array_like of bool, shape (..., n_queries, n_keys), optional
        True where a query may attend.

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
    q, k = arguments.real_array("q", q, at_least=2), arguments.real_array("k", k, at_least=2)
    v = arguments.real_array("v", v, at_least=2)
    if k.shape[-2] != v.shape[-2]:
        raise arguments.mismatch("match.keys", k=k, v=v)
    _batch(q=q, k=k), _batch(k=k, v=v), _batch(q=q, v=v)
    batch = np.broadcast_shapes(*(array.shape[:-2] for array in (q, k, v)))
    arguments.within_memory((*batch, q.shape[-2], v.shape[-1]), "q, k, v", v.itemsize)
    weights = attention_weights(q, k, mask)
    return weights @ v, weights


def _softmax_in_place(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    largest = scores.max(axis=axis, keepdims=True)
    if not np.isfinite(largest).all():
        _explain_scores(scores, axis)
    scores -= largest
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=axis, keepdims=True)
    return scores


def _explain_scores(scores: np.ndarray, axis: int) -> None:
    broken = np.isnan(scores) | (scores == np.inf)
    if broken.any():
        got, place = float(scores[broken][0]), arguments.place_of(broken)
        raise ValueError(text("error.overflow", got=got, place=place, dtype=scores.dtype))
    place = arguments.place_of(scores.max(axis=axis) == -np.inf)
    raise ValueError(text("error.masked_row", place=place))


def _checked_mask(mask: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    array = arguments.any_array("mask", mask)
    if array is None or array.dtype != bool:
        raise TypeError(text("error.mask_type", got=arguments.shown(mask)))
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        message = text("error.mask_shape", wanted=shape, got=array.shape, example=shape[-1])
        raise ValueError(message) from None


def _batch(**pair: np.ndarray) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in pair.values()))
    except ValueError:
        raise arguments.mismatch("match.batch", **pair) from None
