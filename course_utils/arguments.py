"""What an argument must be, said in one sentence before anything is allocated."""

import math
import numbers
import operator
import reprlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from course_utils.language import text

MOST_BYTES = 2**30
MOST_OFFSET = 2**40

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


def shown(value: object) -> str:
    """Return a short, safe description of what came."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array of shape {value.shape}"
    try:
        described = _short.repr(value)
    except Exception:
        described = "?"
    return f"{described} ({type(value).__name__})"


def integer(name: str, value: object, example: int = 8) -> int:
    """Return `value` as an int; a bool or a float is not one."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(text("error.integer", name=name, got=shown(value), example=example))
    try:
        return operator.index(value)
    except TypeError:
        message = text("error.integer", name=name, got=shown(value), example=example)
        raise TypeError(message) from None


def positive_integer(name: str, value: object, example: int = 8) -> int:
    """Return `value` as an int of at least 1."""
    number = integer(name, value, example)
    if number < 1:
        raise ValueError(text("error.positive", name=name, got=number, example=example))
    return number


def even_width(name: str, value: object) -> int:
    """Return `value` as a positive even int."""
    number = integer(name, value)
    if number < 1 or number % 2:
        near = "2" if number < 2 else f"{number - 1} / {number + 1}"
        raise ValueError(text("error.even", name=name, got=number, example=near))
    return number


def base_number(name: str, value: object) -> float:
    """Return `value` as a finite float of at least 1."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(text("error.number", name=name, got=shown(value), example=10000))
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number < 1:
        raise ValueError(text("error.base", name=name, got=_short.repr(value)))
    return number


def offset_number(name: str, value: object) -> int:
    """Return `value` as an int small enough for its angle to be exact."""
    number = integer(name, value, example=1)
    if abs(number) > MOST_OFFSET:
        raise ValueError(text("error.offset", name=name, got=number, limit=MOST_OFFSET))
    return number


def float_dtype(value: npt.DTypeLike) -> np.dtype:
    """Return `value` as one of the three floating types the course stores."""
    try:
        dtype = np.dtype(value)
    except (TypeError, ValueError, SyntaxError):
        dtype = None
    if dtype is None or dtype not in (np.float64, np.float32, np.float16):
        raise TypeError(text("error.dtype", got=shown(value)))
    return dtype


def within_memory(shape: tuple[int, ...], names: str, itemsize: int = 8) -> None:
    """Refuse a shape that would fill more than one gibibyte."""
    need = math.prod(shape) * itemsize
    if need > MOST_BYTES:
        described = f"{need / 2**30:,.1f} GiB"
        raise ValueError(text("error.size", shape=shape, need=described, names=names))


def place_of(flags: np.ndarray) -> str:
    """Return the index of the first True, as one reads it in brackets."""
    return str([int(i) for i in np.unravel_index(np.argmax(flags), flags.shape)])


def real_array(
    name: str,
    value: npt.ArrayLike,
    *,
    ndim: int | None = None,
    at_least: int = 1,
    finite: bool = True,
) -> np.ndarray:
    """Return `value` as a floating array; float16, float32 and float64 keep their type.

    The caller's array itself may come back: never write into it.
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise TypeError(text("error.array", name=name, got=shown(value))) from None
    if array.dtype.kind in "biu":
        within_memory(array.shape, name)
        array = array.astype(np.float64)
    if array.dtype not in (np.float64, np.float32, np.float16):
        raise TypeError(text("error.array", name=name, got=shown(value)))
    if array.ndim < at_least or (ndim is not None and array.ndim != ndim):
        rule = text("ndim.exactly", count=ndim) if ndim else text("ndim.at_least", count=at_least)
        example = (4, 8, 8)[: ndim or at_least]
        raise ValueError(text("error.ndim", name=name, rule=rule, got=array.shape, example=example))
    if array.size == 0:
        raise ValueError(text("error.empty", name=name, got=array.shape))
    if finite:
        _refuse_not_finite(name, array)
    return array


def _refuse_not_finite(name: str, array: np.ndarray) -> None:
    # a sum is finite only if every term is; the slow look happens only when it is not
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return
    broken = ~np.isfinite(array)
    if broken.any():
        got, place = float(array[broken][0]), place_of(broken)
        raise ValueError(text("error.finite", name=name, got=got, place=place))


def permutation(order: Sequence[int], count: int) -> np.ndarray:
    """Return `order` as an index array that holds each of 0 to count - 1 once."""
    try:
        array = np.asarray(order)
    except (TypeError, ValueError):
        array = np.empty(0)
    whole, flat = array.dtype.kind in "iu", array.ndim == 1
    if not (whole and flat) or sorted(array.tolist()) != list(range(count)):
        kind = ValueError if whole else TypeError
        raise kind(text("error.order", got=shown(order), high=count - 1, count=count))
    return array
