"""Metrics for a comparison that can fail: what changed, and whether order matters."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from course_utils.arguments import integer, permutation, real_array, shown, within_memory
from course_utils.language import text

__all__ = [
    "energy_share", "frobenius_difference", "order_gap", "repeated_word_gap", "score_terms",
    "shift_gap",
]  # fmt: skip


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
    weights = real_array("weights", weights, ndim=2)
    other = _shaped("other", other, weights.shape)
    return float(np.linalg.norm(weights - other))


def order_gap(
    attend: Callable[[np.ndarray], np.ndarray], x: npt.ArrayLike, order: Sequence[int]
) -> float:
    """Measure the permutation-equivariance error of an attention function.

    ``|| attend(x[order]) - attend(x)[order][:, order] ||``; 0 for every order means that
    permuting the tokens only permutes the weights, so that attention cannot see their order.

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
        If an argument, or what `attend` returns, is of another type or shape.

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
        raise TypeError(text("error.callable", name="attend", example=example, got=shown(attend)))
    x = real_array("x", x, ndim=2)
    index = permutation(order, len(x))
    square = (len(x), len(x))
    before = _shaped("attend(x)", attend(x.copy()), square)
    after = _shaped("attend(x[order])", attend(x[index]), square)
    return float(np.linalg.norm(after - before[index][:, index]))


def repeated_word_gap(weights: npt.ArrayLike, i: int, j: int) -> float:
    """Measure how differently two tokens that are the same word attend.

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
        From 0 (both rows are equal) to ``sqrt(2)``.

    Raises
    ------
    TypeError, ValueError
        If the weights are not a finite matrix or there is no such row.

    References
    ----------
    The course's own metric; chapter 4 builds it.

    Examples
    --------
    >>> repeated_word_gap([[0.5, 0.5], [0.5, 0.5]], 0, 1)
    0.0
    """
    weights = real_array("weights", weights, ndim=2)
    for name, row in (("i", i), ("j", j)):
        if not 0 <= integer(name, row, example=0) < len(weights):
            raise ValueError(text("error.index", name=name, high=len(weights) - 1, got=row))
    return float(np.linalg.norm(weights[i] - weights[j]))


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
        If `pe` is not a finite matrix, or ``pe @ pe.T`` exceeds 1 GiB.

    References
    ----------
    The course's own metric; chapter 4 builds it.

    Examples
    --------
    >>> shift_gap([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
    3.0
    """
    pe = real_array("pe", pe, ndim=2)
    within_memory((len(pe), len(pe)), "pe")
    gram = pe @ pe.T
    return float(max(np.ptp(np.diagonal(gram, offset)) for offset in range(len(gram))))


def score_terms(
    x: npt.ArrayLike, pe: npt.ArrayLike, w_q: npt.ArrayLike, w_k: npt.ArrayLike
) -> dict[str, npt.NDArray[np.floating]]:
    """Split the scaled scores of ``x + pe`` into four terms that add up to them.

    ``((a @ w_q) @ (b @ w_k).T) / sqrt(d_k)`` for `a` and `b` each `x` or `pe`.

    Parameters
    ----------
    x, pe : array_like, shape (seq_len, d_model)
        Tokens and their positional encoding.
    w_q, w_k : array_like, shape (d_model, d_k)
        Projections of queries and of keys.

    Returns
    -------
    dict of ndarray, each of shape (seq_len, seq_len)
        Keys ``content_content``, ``content_position``, ``position_content`` and
        ``position_position``: first the part in the query, then the part in the key.

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
    >>> [term.item() for term in terms.values()]
    [1.0, 2.0, 2.0, 4.0]
    """
    x, w_q = real_array("x", x, ndim=2), real_array("w_q", w_q, ndim=2)
    pe, w_q = _shaped("pe", pe, x.shape), _shaped("w_q", w_q, (x.shape[1], w_q.shape[1]))
    w_k = _shaped("w_k", w_k, w_q.shape)
    within_memory((len(x), max(len(x), w_q.shape[1])), "x, w_q")
    parts = {"content": x, "position": pe}
    return {
        f"{query}_{key}": (parts[query] @ w_q) @ (parts[key] @ w_k).T / math.sqrt(w_q.shape[1])
        for query in parts
        for key in parts
    }


def energy_share(x: npt.ArrayLike, pe: npt.ArrayLike) -> float:
    """Measure the share of the squared norm of ``x + pe`` that comes from `pe`.

    ``sum(pe ** 2) / (sum(x ** 2) + sum(pe ** 2))``; the cross term ``2 * sum(x * pe)``, which can
    have either sign, is left out. With a batch, ``sum(x ** 2)`` is the mean over its sentences.

    Parameters
    ----------
    x : array_like, shape (..., seq_len, d_model)
        Tokens; leading axes are batches.
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
    The course's own metric; chapter 2 builds it.

    Examples
    --------
    >>> energy_share([[3.0, 0.0]], [[0.0, 1.0]])
    0.1
    """
    x, pe = real_array("x", x, at_least=2), real_array("pe", pe, ndim=2)
    _shaped("pe", pe, x.shape[-2:])
    # float64 sums: squares of narrow types overflow
    content = np.square(x, dtype=np.float64).sum() / math.prod(x.shape[:-2])
    position = np.square(pe, dtype=np.float64).sum()
    if content + position == 0:
        raise ValueError(text("error.no_energy"))
    return float(position / (content + position))


def _shaped(name: str, value: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    array = real_array(name, value, ndim=len(shape))
    if array.shape != shape:
        raise ValueError(text("error.shape", name=name, wanted=shape, got=array.shape))
    return array
