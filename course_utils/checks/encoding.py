"""A learner's positional encoding."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from course_utils.checks import encodings
from course_utils.checks.feedback import (
    Wrong,
    apart,
    ask,
    exercise,
    in_short,
    read_array,
    refuse_rounded,
)
from course_utils.language import text

_SIZES = ((6, 8), (7, 6), (3, 2), (1, 4), (20, 16), (600, 8))
_WHERE = {
    "interleaved": {
        "pair": "`2 * i`, `2 * i + 1`", "row_zero": "0, 1, 0, 1, …",
        "sines": "pe[:, 0::2]", "cosines": "pe[:, 1::2]",
    },
    "halves": {
        "pair": "`i`, `d_model // 2 + i`", "row_zero": "0, 0, …, 1, 1, …",
        "sines": "pe[:, : d_model // 2]", "cosines": "pe[:, d_model // 2 :]",
    },
}  # fmt: skip


@exercise("seq_len", "d_model", causes=(*encodings.WRONG, "swapped_arguments", "transposed"))
def check_encoding(
    candidate: Callable[[int, int], np.ndarray],
    layout: Literal["interleaved", "halves"] = "interleaved",
) -> None:
    """Check a learner's positional encoding, and name the cause if it is wrong.

    Takes ``(seq_len, d_model)``, returns an array or a list of rows; float32 will do. `layout` says
    where the sines are: in every other column, or in the first half of them.

    >>> check_encoding(lambda seq_len, d_model: np.zeros((seq_len, d_model))).cause
    'zeros'
    """
    if layout not in ("interleaved", "halves"):
        raise Wrong("layout", got=in_short(layout))
    found = [_read_first(ask(candidate, *_SIZES[0]))]
    found += [read_array(ask(candidate, *size)) for size in _SIZES[1:]]
    _refuse_shapes([array.shape for array in found], layout)
    dtype, last = found[0].dtype, found[-1]
    found = [array.astype(np.float64) for array in found]
    if layout == "halves":
        if _like(found, encodings.right):
            raise Wrong("interleaved")
        found = [encodings.interleaved(array) for array in found]
    if not _like(found, encodings.right):
        if not np.array_equal(read_array(ask(candidate, *_SIZES[-1])), last):
            raise Wrong("random")
        _name_wrong_encoding(found, dtype, _WHERE[layout])
        _name_first_difference(found, layout)


def _read_first(result: object) -> np.ndarray:
    arrays = isinstance(result, tuple) and all(isinstance(part, np.ndarray) for part in result)
    if arrays and any(part.ndim > 1 for part in result):
        raise Wrong("several_arrays", count=len(result), wanted=_SIZES[0])
    first = read_array(result)
    if first.shape == _SIZES[0][::-1]:
        swapped = encodings.close(first, encodings.right(*first.shape))
        cause = "swapped_arguments" if swapped else "transposed"
        raise Wrong(cause, wanted=_SIZES[0], got=first.shape)
    return first


_SHAPES = (
    ("one_row_returned", lambda n, d: (1, d)),
    ("one_row_returned", lambda n, d: (d,)),
    ("not_reshaped", lambda n, d: (n, d // 2, 2)),
    ("stacked_elsewhere", lambda n, d: (2, n, d // 2)),
    ("stacked_elsewhere", lambda n, d: (n, 2, d // 2)),
)


def _refuse_shapes(shapes: list[tuple[int, ...]], layout: str) -> None:
    got = shapes[0]
    if all(0 in shape for shape in shapes):
        raise Wrong("empty", got=got)
    if set(shapes) <= {(), (1,), (2,)}:
        raise Wrong("one_place", got=got)
    if len(set(shapes)) == 1:
        raise Wrong("ignores_arguments", got=got)
    if layout == "halves" and shapes == [(2 * n, d // 2) for n, d in _SIZES]:
        raise Wrong("below", got=got)
    for cause, shape_of in _SHAPES:
        if shapes == [shape_of(*size) for size in _SIZES]:
            raise Wrong(cause, got=got)
    if shapes == [(n, got[-1]) for n, _ in _SIZES]:
        raise Wrong("outer_d_model", got=got[-1])
    if shapes == [(got[0], d) for _, d in _SIZES]:
        raise Wrong("outer_seq_len", got=got[0])
    for shape, size in zip(shapes, _SIZES, strict=True):
        if shape != size:
            raise Wrong("shape", wanted=size, got=shape)


def _like(found: list, build: Callable[[int, int], np.ndarray], slack: float = 1.0) -> bool:
    pairs = zip(found, _SIZES, strict=True)
    return all(encodings.close(array, build(*size), slack) for array, size in pairs)


_PARTS = (("first_row", 1, None), ("first_entries", 1, 2), ("first_columns", None, 2))


def _part(pe: np.ndarray, rows: int | None, columns: int | None) -> np.ndarray:
    """The first rows and columns, and zeros elsewhere: what an early `return` leaves behind."""
    part = np.zeros_like(pe)
    part[:rows, :columns] = pe[:rows, :columns]
    return part


_OTHER_LOGS = {"np.log10": np.log10(1e4), "np.log2": np.log2(1e4)}


def _name_base(base: float) -> None:
    exponent, shown_base = abs(np.log(base)), f"{base:.6g}"
    for log, power in _OTHER_LOGS.items():
        if np.isclose(exponent, power, rtol=1e-4):
            raise Wrong("other_log", base=shown_base, log=log)
    if np.isclose(exponent, 1, rtol=1e-4):
        raise Wrong("log_missing", base=shown_base)
    zeros = np.log10(base)
    if abs(zeros - round(zeros)) < 1e-6:
        raise Wrong("base", "zeros_of_base", base=shown_base)
    raise Wrong("base", base=shown_base)


def _name_wrong_encoding(found: list[np.ndarray], dtype: np.dtype, where: dict) -> None:
    rights = [encodings.right(*size) for size in _SIZES]
    short, long = found[0], found[-1]
    base = float((np.arctan2(short[1, 2], short[1, 3]) % (2 * np.pi)) ** -4)
    error = np.abs(long - rights[-1])
    growth = {"error": f"{error.max():.2g}", "place": int(error.max(axis=1).argmax())}
    if not any(np.ptp(array, axis=0).any() for array in found):
        if not any(array.any() for array in found):
            raise Wrong("zeros")
        last = _like(found, lambda n, d: np.tile(encodings.right(n, d)[-1], (n, 1)), slack=10)
        raise Wrong("shared_rows" if last else "one_row")
    for part, *ends in _PARTS if dtype.kind == "f" else ():
        if _like(found, lambda n, d, ends=ends: _part(encodings.right(n, d), *ends)):
            raise Wrong("early_return", part=text(f"part.{part}"))
    for cause, build in encodings.WRONG:
        if cause != "base" and _like(found, build, slack=10):
            raise Wrong(cause, **growth, **where)
    rebased = base > 0 and abs(base - 10_000) > 0.5
    if rebased and _like(found, lambda n, d: encodings.pairs(encodings.angles(n, d, base)), 10):
        _name_base(base)
    low, high = min(array.min() for array in found), max(array.max() for array in found)
    if max(-low, high) > 1.5 and (error > 1e-3).mean() > 0.5:
        raise Wrong("beyond_1", low=f"{low:.4g}", high=f"{high:.4g}")
    if all((array == np.rint(array)).all() for array in found):
        raise Wrong("whole_numbers")
    refuse_rounded(found, rights)
    if dtype == np.float16 and error.max() < 5e-4:
        raise Wrong("float16_stored", error=f"{error.max():.1e}")
    if any(np.abs(long - pe).max() < 2e-3 for pe in _in_half_precision(*_SIZES[-1])):
        raise Wrong("float16_angles", **growth)
    if _like(found, encodings.right, slack=5_000) and error[300:].max() > 20 * error[:10].max():
        raise Wrong("drifts", **growth)


def _in_half_precision(seq_len: int, d_model: int) -> Iterator[np.ndarray]:
    """Angles, or what they are made of, in float16."""
    half, omega = np.float16, encodings.angles(2, d_model)[1]
    places = np.arange(seq_len)[:, None]
    power = np.exp(np.arange(0, d_model, 2, dtype=half) * half(-np.log(10_000.0) / d_model))
    for angles in (
        (places * omega).astype(half),
        places.astype(half) * omega.astype(half),
        places * omega.astype(half).astype(float),
        places * power.astype(float),
    ):
        yield encodings.pairs(angles.astype(float))


def _name_first_difference(found: list[np.ndarray], layout: str) -> None:
    rights = [encodings.right(*size) for size in _SIZES]
    pairs = zip(found, rights, strict=True)
    array, right = next(pair for pair in pairs if not encodings.close(*pair))
    if layout == "halves":
        array, right = encodings.halves(array), encodings.halves(right)
    row, column = np.argwhere(np.abs(array - right) > encodings.allowed(len(right)))[0]
    got, wanted = apart(array[row, column], right[row, column])
    values = {"place": f"[{row}, {column}]", "got": got, "wanted": wanted, **_WHERE[layout]}
    cause = "rotation" if row else "row_zero"
    raise Wrong(cause, size=right.shape, before=row - 1, row=row, **values)
