"""Other ways to tell attention where it is: rotated queries and keys, and biases on the scores.

Sources: Shaw et al. (2018), Raffel et al. (2020), Su et al. (2021), Press et al. (2022).
"""

import math

import numpy as np
import numpy.typing as npt

from course_utils.arguments import (
    any_array,
    base_number,
    even_width,
    integer,
    limit_number,
    positive_integer,
    real_array,
    shown,
    string,
    true_or_false,
    within_memory,
)
from course_utils.encoding import angular_frequencies
from course_utils.language import text

__all__ = ["alibi_bias", "alibi_slopes", "rotate", "shaw_scores", "t5_bucket"]

LAYOUTS = ("interleaved", "halves")


def rotate(
    x: npt.ArrayLike, base: float = 10_000.0, start: int = 0, layout: str = "interleaved"
) -> npt.NDArray[np.floating]:
    """Turn each pair of columns by its own angle times the position (RoPE).

    ``(a, b) -> (a * cos - b * sin, a * sin + b * cos)`` with the angle ``pos * omega[i]``: row
    `pos` is ``rotation_matrix(-pos, d) @ x[pos]``, so that the product of a turned query and a
    turned key depends on their offset alone.

    Parameters
    ----------
    x : array_like, shape (..., seq_len, d)
        Queries, or keys; d is even.
    base : float
        At least 1; the paper uses 10,000.
    start : int
        Position of the first row, such as the number of rows that a cache already holds.
    layout : {"interleaved", "halves"}
        Pairs are columns 2i and 2i + 1 (the paper, GPT-J), or i and i + d / 2 (GPT-NeoX).

    Returns
    -------
    ndarray, shape (..., seq_len, d)
        Rows of the same norms.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the kind or range above.

    References
    ----------
    Su et al., "RoFormer" (2021), section 3.2.2 and equation 34.

    Examples
    --------
    >>> rotate([[1.0, 0.0], [1.0, 0.0]]).round(4).tolist()
    [[1.0, 0.0], [0.5403, 0.8415]]
    """
    x = real_array("x", x, at_least=2)
    d_model, base = even_width("x.shape[-1]", x.shape[-1]), base_number("base", base)
    start = integer("start", start, example=1)
    if string("layout", layout, LAYOUTS[0]) not in LAYOUTS:
        raise ValueError(text("error.choice", name="layout", known=LAYOUTS, got=shown(layout)))
    pos = start + np.arange(x.shape[-2])
    angles = np.outer(pos, angular_frequencies(d_model, base))
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    half = d_model // 2
    if layout == "interleaved":
        first, second = np.s_[..., 0::2], np.s_[..., 1::2]
    else:
        first, second = np.s_[..., :half], np.s_[..., half:]
    turned = np.empty_like(x)
    with np.errstate(over="ignore"):
        turned[first] = x[first] * cos - x[second] * sin
        turned[second] = x[first] * sin + x[second] * cos
    return _finite("x", turned)


def alibi_slopes(n_heads: int) -> npt.NDArray[np.float64]:
    """Return the slope of each head of ALiBi.

    ``2 ** (-8 * h / n_heads)`` for h = 1 to n_heads, a power of two; for any other number, all
    slopes of the next smaller power of two, then every other slope of the next larger one.

    Parameters
    ----------
    n_heads : int
        Number of heads, at least 1.

    Returns
    -------
    ndarray, shape (n_heads,)
        Score per position of distance, above 0 and below 1.

    Raises
    ------
    TypeError, ValueError
        If `n_heads` is not a positive integer, or the array would pass 1 GiB.

    References
    ----------
    Press et al., "Train Short, Test Long" (2022), section 3, and `get_slopes` in its code.

    Examples
    --------
    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    n_heads = positive_integer("n_heads", n_heads)
    within_memory((4 * n_heads,), "n_heads")
    power = 2 ** (n_heads.bit_length() - 1)
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * power + 1, 2) / power)
    return np.concatenate([slopes, between])[:n_heads]


def alibi_bias(seq_len: int, slope: float) -> npt.NDArray[np.float64]:
    """Build what ALiBi adds to the scores: the further away, the less.

    ``-slope * abs(key - query)``.

    Parameters
    ----------
    seq_len : int
        Number of tokens, at least 1.
    slope : float
        Score per position of distance, above 0.

    Returns
    -------
    ndarray, shape (seq_len, seq_len)
        At most 0; query down, key across.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the kind or range above, or the matrix would pass 1 GiB.

    References
    ----------
    Press et al., "Train Short, Test Long" (2022), section 3.

    Examples
    --------
    >>> alibi_bias(3, 0.5).tolist()
    [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    seq_len, slope = positive_integer("seq_len", seq_len), limit_number("slope", slope)
    within_memory((seq_len, seq_len), "seq_len")
    pos = np.arange(seq_len)
    return slope * -np.abs(pos - pos[:, None])


def t5_bucket(
    offset: npt.ArrayLike, n_buckets: int = 32, max_distance: int = 128, signed: bool = True
) -> npt.NDArray[np.int64]:
    """Sort offsets into the buckets of T5: near ones alone, far ones together.

    Of m buckets for a distance the first m // 2 hold one distance each; in the others the
    distance grows by a fixed factor up to `max_distance`, and the last one holds all beyond.

    Parameters
    ----------
    offset : array_like of int
        Place of the key minus place of the query.
    n_buckets : int
        At least 2; if signed, even and at least 4.
    max_distance : int
        Above the number of distances with a bucket of their own.
    signed : bool
        Whether keys behind and ahead have half of the buckets each; if not, all keys ahead share
        bucket 0 with the token itself, as under a causal mask.

    Returns
    -------
    ndarray of int, same shape
        Bucket numbers from 0 to n_buckets - 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the kind or range above.

    References
    ----------
    Raffel et al., "Exploring the Limits of Transfer Learning" (2020), section 2.1, and
    `_relative_position_bucket` in its code.

    Examples
    --------
    >>> t5_bucket([-200, -16, -1, 0, 1, 16]).tolist()
    [15, 10, 1, 0, 17, 26]
    """
    array = any_array("offset", offset)
    if array is None or array.dtype.kind not in "iu":
        raise TypeError(text("error.integers", name="offset", got=shown(offset)))
    signed = true_or_false("signed", signed)
    n_buckets = integer("n_buckets", n_buckets, example=1)
    if n_buckets < (4 if signed else 2) or (signed and n_buckets % 2):
        raise ValueError(text("error.buckets", got=n_buckets))
    count = n_buckets // 2 if signed else n_buckets
    exact = count // 2
    max_distance = integer("max_distance", max_distance, example=1)
    if max_distance <= exact:
        raise ValueError(text("error.max_distance", exact=exact, got=max_distance))
    distance = np.abs(array.astype(float)) if signed else np.maximum(-array.astype(float), 0)
    factor = np.log(np.maximum(distance, exact) / exact) / math.log(max_distance / exact)
    # so that rounding cannot choose at the edge of a bucket
    far = np.minimum(exact + (factor * (count - exact) + 1e-9).astype(int), count - 1)
    bucket = np.where(distance < exact, distance, far).astype(int)
    return bucket + count * (array > 0) if signed else bucket


def shaw_scores(
    q: npt.ArrayLike, k: npt.ArrayLike, table: npt.ArrayLike
) -> npt.NDArray[np.floating]:
    """Score keys to which a learned vector of their offset is added.

    ``q[i] @ (k[j] + table[clip + min(max(j - i, -clip), clip)]) / sqrt(d_k)``.

    Parameters
    ----------
    q, k : array_like, shape (..., seq_len, d_k)
        Queries and keys of one sentence.
    table : array_like, shape (2 * clip + 1, d_k)
        One vector for each offset from -clip to clip; all beyond share the outermost.

    Returns
    -------
    ndarray, shape (..., seq_len, seq_len)
        Scaled scores, before softmax.

    Raises
    ------
    TypeError, ValueError
        If the arguments are not finite, or their shapes do not fit.

    References
    ----------
    Shaw et al., "Self-Attention with Relative Position Representations" (2018), sections 3.1
    and 3.2.

    Examples
    --------
    >>> shaw_scores(np.ones((2, 1)), np.zeros((2, 1)), [[-1.0], [0.0], [1.0]]).tolist()
    [[0.0, 1.0], [-1.0, 0.0]]
    """
    q, k = real_array("q", q, at_least=2), real_array("k", k, at_least=2)
    table = real_array("table", table, ndim=2)
    if q.shape != k.shape:
        what = text("match.shape")
        shapes = {"got": q.shape, "other_got": k.shape}
        raise ValueError(text("error.match", name="q", other="k", what=what, **shapes))
    rows, width = table.shape
    if rows % 2 == 0 or width != q.shape[-1]:
        raise ValueError(text("error.offset_table", width=q.shape[-1], got=table.shape))
    seq_len, clip = q.shape[-2], rows // 2
    within_memory((*q.shape[:-1], max(seq_len, rows)), "q, k, table")
    pos = np.arange(seq_len)
    row = clip + np.clip(pos - pos[:, None], -clip, clip)
    row = np.broadcast_to(row, (*q.shape[:-1], seq_len))
    with np.errstate(over="ignore", invalid="ignore"):
        by_offset = np.take_along_axis(q @ table.T, row, axis=-1)
        return _finite("q, k, table", (q @ k.mT + by_offset) / math.sqrt(width))


def _finite(names: str, found: np.ndarray) -> np.ndarray:
    if not np.isfinite(found).all():
        got = float(found[~np.isfinite(found)][0])
        raise ValueError(text("error.too_large", names=names, got=got))
    return found
