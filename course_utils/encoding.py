"""The sinusoidal positional encoding, by its formula and by its rotation.

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
"""

import numpy as np
import numpy.typing as npt

from course_utils import arguments

__all__ = [
    "angular_frequencies", "rotation_matrix", "sinusoidal_positional_encoding",
    "sinusoidal_positional_encoding_by_rotation",
]  # fmt: skip


def angular_frequencies(d_model: int, base: float = 10_000.0) -> npt.NDArray[np.float64]:
    """Return the angular frequency of each pair of columns.

    ``omega[i] = base ** (-2 * i / d_model)`` for the pair index ``i``.

    Parameters
    ----------
    d_model : int
        Width of the encoding, even and at least 2.
    base : float
        At least 1; the paper uses 10,000.

    Returns
    -------
    ndarray, shape (d_model // 2,)
        Radians per position, from 1 downwards, never 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another type or out of range.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> angular_frequencies(4)
    array([1.  , 0.01])
    """
    d_model, base = arguments.even_width("d_model", d_model), arguments.base_number("base", base)
    arguments.within_memory((d_model,), "d_model")
    return base ** (-np.arange(0, d_model, 2) / d_model)


def sinusoidal_positional_encoding(
    seq_len: int, d_model: int, base: float = 10_000.0, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[np.floating]:
    """Build the encoding from its formula.

    ``pe[pos, 2 * i] = sin(pos * omega[i])`` and ``pe[pos, 2 * i + 1] = cos(pos * omega[i])``.

    Parameters
    ----------
    seq_len, d_model : int
        Number of positions, at least 1, and width, even and at least 2.
    base : float
        At least 1; the paper uses 10,000.
    dtype : float64, float32 or float16
        Type of the result; the angles are always computed in float64.

    Returns
    -------
    ndarray, shape (seq_len, d_model)
        Values from -1 to 1, dimensionless.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another type or out of range, or the array exceeds 1 GiB.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> sinusoidal_positional_encoding(2, 4).round(4).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]
    """
    seq_len, d_model, base, dtype = _layout(seq_len, d_model, base, dtype)
    angles = np.outer(np.arange(seq_len), angular_frequencies(d_model, base))
    pe = np.empty((seq_len, d_model), dtype)
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


def sinusoidal_positional_encoding_by_rotation(
    seq_len: int, d_model: int, base: float = 10_000.0, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[np.floating]:
    """Build the same encoding by rotating the rows that are already there.

    Each pair of columns is one complex number ``z = sin + 1j * cos``, so that
    ``z[pos + k] = z[pos] * exp(-1j * k * omega)``: rows 0 to k - 1 give rows k to 2k - 1.

    Parameters
    ----------
    seq_len, d_model : int
        Number of positions, at least 1, and width, even and at least 2.
    base : float
        At least 1; the paper uses 10,000.
    dtype : float64, float32 or float16
        Type of the result; the rows are always computed in float64.

    Returns
    -------
    ndarray, shape (seq_len, d_model)
        Values from -1 to 1; in float64, up to a million positions, equal to the formula's to 1e-10.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another type or out of range, or the array exceeds 1 GiB.

    References
    ----------
    Vaswani et al. (2017), section 3.5: PE(pos + k) is a linear function of PE(pos).

    Examples
    --------
    >>> by_rotation = sinusoidal_positional_encoding_by_rotation(50, 16)
    >>> np.allclose(by_rotation, sinusoidal_positional_encoding(50, 16), rtol=0, atol=1e-10)
    True
    """
    seq_len, d_model, base, dtype = _layout(seq_len, d_model, base, dtype)
    omega = angular_frequencies(d_model, base)
    pe = np.empty((seq_len, d_model))
    z = pe.view(complex)
    z[0] = 1j
    rows = 1
    while rows < seq_len:
        new = z[rows : 2 * rows]
        np.multiply(z[: len(new)], np.exp(-1j * rows * omega), out=new)
        rows *= 2
    return pe.astype(dtype, copy=False)


def rotation_matrix(offset: int, d_model: int, base: float = 10_000.0) -> npt.NDArray[np.float64]:
    """Build the matrix that moves any row of the encoding forward by `offset` positions.

    ``pe[pos + offset] == rotation_matrix(offset, d_model) @ pe[pos]``; each pair of columns has
    its own block ``[[cos, sin], [-sin, cos]]`` of the angle ``offset * omega[i]``.

    Parameters
    ----------
    offset : int
        Number of positions to move; may be 0 or negative.
    d_model : int
        Width, even and at least 2.
    base : float
        At least 1; the paper uses 10,000.

    Returns
    -------
    ndarray, shape (d_model, d_model)
        An orthogonal matrix, zero outside the 2 by 2 blocks.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another type or out of range, or the matrix exceeds 1 GiB.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> rotation_matrix(1, 2).round(4).tolist()
    [[0.5403, 0.8415], [-0.8415, 0.5403]]
    """
    offset = arguments.integer("offset", offset, example=1)
    d_model, base = arguments.even_width("d_model", d_model), arguments.base_number("base", base)
    arguments.within_memory((d_model, d_model), "d_model")
    angles = offset * angular_frequencies(d_model, base)
    even = np.arange(0, d_model, 2)
    rotation = np.zeros((d_model, d_model))
    rotation[even, even] = rotation[even + 1, even + 1] = np.cos(angles)
    rotation[even, even + 1] = np.sin(angles)
    rotation[even + 1, even] = -np.sin(angles)
    return rotation


def _layout(
    seq_len: int, d_model: int, base: float, dtype: npt.DTypeLike
) -> tuple[int, int, float, np.dtype]:
    seq_len = arguments.positive_integer("seq_len", seq_len)
    d_model = arguments.even_width("d_model", d_model)
    base, dtype = arguments.base_number("base", base), arguments.float_dtype(dtype)
    arguments.within_memory((seq_len, d_model), "seq_len, d_model")
    return seq_len, d_model, base, dtype
