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
MOST_DRAWN = 1e300


def whole(number: int) -> str:
    """Return an int as one reads it, however many digits it has."""
    if abs(number) < 10**24:
        return str(int(number))
    digits = round(abs(number).bit_length() * math.log10(2))
    return f"~{'-' * (number < 0)}10**{digits}"


class _Short(reprlib.Repr):
    def repr_int(self, number: int, level: int) -> str:
        return whole(number)


_short = _Short()
_short.maxstring = _short.maxother = 60


def shown(value: object) -> str:
    """Return a short, safe description of what came, in one line."""
    if isinstance(value, np.ndarray):
        return f"{_cut(value.dtype)} array of shape {value.shape}"
    return f"{brief(value)} ({type(value).__name__[:60]})"


def brief(value: object) -> str:
    """Return a value as Python writes it, cut to one short line."""
    try:
        return _cut(_short.repr(value))
    except Exception:
        return "?"


def _cut(value: object) -> str:
    words = "".join(c if c.isprintable() else " " for c in str(value)[:1000])
    words = " ".join(words.split())
    return words if len(words) <= 120 else words[:117] + "..."


def integer(name: str, value: object, example: int = 8) -> int:
    """Return `value` as an int; a bool or a float is not one."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(text("error.integer", name=name, got=shown(value), example=example))
    try:
        return operator.index(value)
    except Exception:
        message = text("error.integer", name=name, got=shown(value), example=example)
        raise TypeError(message) from None


def positive_integer(name: str, value: object, example: int = 8) -> int:
    """Return `value` as an int of at least 1."""
    number = integer(name, value, example)
    if number < 1:
        raise ValueError(text("error.positive", name=name, got=whole(number), example=example))
    return number


def even_width(name: str, value: object) -> int:
    """Return `value` as a positive even int."""
    number = integer(name, value)
    if number < 1 or number % 2:
        near = "2"
        if 1 < number < MOST_BYTES:
            near = text("example.either", one=number - 1, other=number + 1)
        raise ValueError(text("error.even", name=name, got=whole(number), example=near))
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
        raise ValueError(text("error.base", name=name, got=brief(value)))
    return number


def real_number(name: str, value: object, example: float = 1) -> float:
    """Return `value` as a float; infinity and NaN are numbers too."""
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(text("error.number", name=name, got=shown(value), example=example))
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def limit_number(name: str, value: object) -> float:
    """Return `value` as a float above 0 whose double is finite too."""
    number = real_number(name, value)
    if not 0 < number <= MOST_DRAWN:
        raise ValueError(text("error.limit", name=name, got=brief(value)))
    return number


def true_or_false(name: str, value: object) -> bool:
    """Return `value` as a bool; a number is not one."""
    if not isinstance(value, bool | np.bool_):
        known = [False, True]
        raise TypeError(text("error.choice", name=name, known=known, got=shown(value)))
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
        if not 1 <= len(values) <= count:
            raise ValueError(message)
        found = [operator.index(value) for value in values if not isinstance(value, bool)]
    except ValueError:
        raise ValueError(message) from None
    except Exception:
        raise TypeError(message) from None
    if len(found) < len(values):
        raise TypeError(message)
    if not all(0 <= number < count for number in found):
        raise ValueError(message)
    return found


def offset_number(name: str, value: object) -> int:
    """Return `value` as an int small enough for its angle to be exact."""
    number = integer(name, value, example=1)
    if abs(number) > MOST_OFFSET:
        raise ValueError(text("error.offset", name=name, got=whole(number), limit=MOST_OFFSET))
    return number


def float_dtype(value: npt.DTypeLike) -> np.dtype:
    """Return `value` as one of the three floating types the course stores."""
    try:
        dtype = np.dtype(value)
    except Exception:
        dtype = None
    if dtype is None or dtype not in (np.float64, np.float32, np.float16):
        raise TypeError(text("error.dtype", got=shown(value)))
    return dtype


def within_memory(shape: tuple[int, ...], names: str, itemsize: int = 8) -> None:
    """Refuse a shape that would fill more than one gibibyte."""
    need = math.prod(shape) * itemsize
    if need > MOST_BYTES:
        gibibytes = f"{need / 2**30:,.1f}" if need < 2**80 else whole(need // 2**30)
        lengths = f"({', '.join(map(whole, shape))}{',' * (len(shape) == 1)})"
        described = {"shape": lengths, "need": f"{gibibytes} GiB"}
        raise ValueError(text("error.size", names=names, **described))


def place_of(flags: np.ndarray) -> str:
    """Return the index of the first True, as one reads it in brackets."""
    return str([int(i) for i in np.unravel_index(np.argmax(flags), flags.shape)])


def any_array(name: str, value: npt.ArrayLike) -> np.ndarray | None:
    """Return `value` as an array within memory, or None if it cannot be one."""
    # a range, or a view of one number, takes no memory itself: what is made of it would
    if not isinstance(value, np.ndarray):
        within_memory((_length(value),), name, itemsize=64)
    try:
        array = np.asarray(value)
    except Exception:
        return None
    within_memory(array.shape, name, array.itemsize)
    return array


def _length(value: object) -> int:
    """Return how many objects NumPy would make of a sequence, by its first items."""
    count = 1
    for _ in range(4):
        try:
            count *= len(value)
            value = value[0] if isinstance(value, list | tuple) else None
        except Exception:
            break
    return count


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
    array = any_array(name, value)
    if array is None or array.dtype.kind not in "biuf":
        raise TypeError(text("error.array", name=name, got=shown(value)))
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
    array = any_array("order", order)
    whole_numbers = array is not None and array.dtype.kind in "iu"
    fits = whole_numbers and array.shape == (count,)
    if not fits or not np.array_equal(np.sort(array), np.arange(count)):
        kind = ValueError if whole_numbers else TypeError
        raise kind(text("error.order", got=shown(order), high=count - 1, count=count))
    return array
