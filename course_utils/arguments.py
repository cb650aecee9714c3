"""What an argument must be, said in one sentence before anything is allocated."""

import math
import numbers
import reprlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from course_utils.language import text

MOST_BYTES = 2**30

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


def brief(value: object) -> str:
    """Return a value as Python writes it, cut to one short line."""
    return " ".join(_short.repr(value).split())


def shown(value: object) -> str:
    """Return a short description of what came, in one line."""
    if isinstance(value, np.ndarray):
        return text("shown.array", dtype=value.dtype, shape=value.shape)
    return f"{brief(value)} ({type(value).__name__})"


def place_of(flags: np.ndarray) -> str:
    """Return the index of the first True, as one reads it in brackets."""
    return str([int(i) for i in np.unravel_index(np.argmax(flags), flags.shape)])


def within_memory(shape: tuple[int, ...], names: str, itemsize: int = 8) -> None:
    """Refuse a shape that would fill more than one gibibyte."""
    need = math.prod(shape) * itemsize
    if need > MOST_BYTES:
        gibibytes = f"{need / 2**30:,.1f} GiB"
        raise ValueError(text("error.size", names=names, shape=shape, need=gibibytes))


def integer(name: str, value: object, example: int = 8) -> int:
    """Return `value` as an int; a bool or a float is not one."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(text("error.integer", name=name, got=shown(value), example=example))
    return int(value)


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
        near = text("example.either", one=number - 1, other=number + 1) if number > 1 else "2"
        raise ValueError(text("error.even", name=name, got=number, example=near))
    return number


def real_number(name: str, value: object, example: float = 1) -> float:
    """Return `value` as a float; infinity and NaN are numbers too."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(text("error.number", name=name, got=shown(value), example=example))
    return float(value)


def base_number(name: str, value: object) -> float:
    """Return `value` as a finite float of at least 1."""
    number = real_number(name, value, example=10000)
    if not 1 <= number < math.inf:
        raise ValueError(text("error.base", name=name, got=brief(value)))
    return number


def limit_number(name: str, value: object) -> float:
    """Return `value` as a float above 0 whose double is finite too."""
    number = real_number(name, value)
    if not 0 < number <= 1e300:
        raise ValueError(text("error.limit", name=name, got=brief(value)))
    return number


def true_or_false(name: str, value: object) -> bool:
    """Return `value` as a bool; a number is not one."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(text("error.choice", name=name, known=[False, True], got=shown(value)))
    return bool(value)


def string(name: str, value: object, example: str) -> str:
    """Return `value` as it is, if it is text."""
    if not isinstance(value, str):
        raise TypeError(text("error.text", name=name, example=repr(example), got=shown(value)))
    return value


def row_numbers(name: str, values: object, count: int) -> list[int]:
    """Return `values` as a list of whole numbers from 0 to count - 1, at most `count` of them."""
    message = text("error.numbered", name=name, high=count - 1, got=shown(values))
    try:
        found = [integer(name, value) for value in values] if len(values) <= count else []
    except TypeError:
        raise TypeError(message) from None
    if not found or not all(0 <= number < count for number in found):
        raise ValueError(message)
    return found


def float_dtype(value: npt.DTypeLike) -> np.dtype:
    """Return `value` as one of the three floating types the course stores."""
    try:
        dtype = np.dtype(value)
    except Exception:
        dtype = None
    if dtype not in (np.float64, np.float32, np.float16):
        raise TypeError(text("error.dtype", got=shown(value)))
    return dtype


def any_array(name: str, value: npt.ArrayLike) -> np.ndarray | None:
    """Return `value` as an array within memory, or None if it cannot be one."""
    try:
        array = np.asarray(value)
    except Exception:
        return None
    # a view of one number takes no memory itself: what is made of it would
    within_memory(array.shape, name, array.itemsize)
    return array


def real_array(
    name: str, value: object, *, ndim: int | None = None, at_least: int = 1, finite: bool = True
) -> np.ndarray:
    """Return `value` as a floating array; float16, float32 and float64 keep their type.

    The caller's array itself may come back: never write into it.
    """
    array = any_array(name, value)
    if array is not None and array.dtype.kind in "biu":
        array = array.astype(np.float64)
    if array is None or array.dtype not in (np.float64, np.float32, np.float16):
        raise TypeError(text("error.array", name=name, got=shown(value)))
    if array.ndim < at_least or (ndim is not None and array.ndim != ndim):
        rule = text("ndim.exactly", count=ndim) if ndim else text("ndim.at_least", count=at_least)
        example = (4, 8, 8)[: ndim or at_least]
        raise ValueError(text("error.ndim", name=name, rule=rule, got=array.shape, example=example))
    if array.size == 0:
        raise ValueError(text("error.empty", name=name, got=array.shape))
    if finite and not np.isfinite(array).all():
        broken = ~np.isfinite(array)
        got, place = float(array[broken][0]), place_of(broken)
        raise ValueError(text("error.finite", name=name, got=got, place=place))
    return array


def mismatch(what: str, **pair: np.ndarray) -> ValueError:
    """Return the error of two arrays, each given by its name, that must agree in something."""
    (name, array), (other, second) = pair.items()
    shapes = {"got": array.shape, "other_got": second.shape}
    return ValueError(text("error.match", name=name, other=other, what=text(what), **shapes))


def permutation(order: Sequence[int], count: int) -> np.ndarray:
    """Return `order` as an index array that holds each of 0 to count - 1 once."""
    array = any_array("order", order)
    whole = array is not None and array.dtype.kind in "iu"
    if not whole or array.shape != (count,) or sorted(array.tolist()) != [*range(count)]:
        message = text("error.order", got=shown(order), high=count - 1, count=count)
        raise (ValueError if whole else TypeError)(message)
    return array
