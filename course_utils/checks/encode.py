"""Chapter 1: an encoding, its row 0, rotation and wavelength, and a detector of wrong ones."""

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of, shown
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    ask_bool,
    exercise,
    judge_choice,
    plain,
    read_array,
    read_number,
    refuse_rounded,
    require_function,
    usual_number,
)
from course_utils.encoding import (
    rotation_matrix,
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from course_utils.language import text

__all__ = [
    "check_detector",
    "check_encoding",
    "check_longest_wavelength",
    "check_rotation",
    "check_row_zero",
    "check_same_output",
]

# deliberately wrong encodings: what a candidate is compared with, and what a detector must refuse


def _angles(
    seq_len: int, d_model: int, base: float = 10_000.0, stretch: float = 1.0, start: int = 0
) -> np.ndarray:
    exponents = stretch * np.arange(0, d_model, 2) / d_model
    return np.outer(np.arange(start, start + seq_len), base**-exponents)


def _pairs(angles: np.ndarray, even: Callable = np.sin, odd: Callable = np.cos) -> np.ndarray:
    return np.stack([even(angles), odd(angles)], axis=-1).reshape(len(angles), -1)


def _by_column(seq_len: int, exponents: np.ndarray) -> np.ndarray:
    angles = np.outer(np.arange(seq_len), 10_000.0**-exponents)
    return np.where(np.arange(len(exponents)) % 2 == 0, np.sin(angles), np.cos(angles))


def _by_position(angles: np.ndarray) -> np.ndarray:
    even = np.arange(len(angles))[:, None] % 2 == 0
    return np.where(even, np.sin(angles), np.cos(angles))


def _right(seq_len: int, d_model: int) -> np.ndarray:
    return sinusoidal_positional_encoding(seq_len, d_model)


def _zero_row(seq_len: int, d_model: int) -> np.ndarray:
    return np.where(np.arange(seq_len)[:, None] == 0, 0.0, _right(seq_len, d_model))


def _halves(pe: np.ndarray) -> np.ndarray:
    return np.hstack([pe[:, 0::2], pe[:, 1::2]])


def _interleaved(pe: np.ndarray) -> np.ndarray:
    sines, cosines = np.hsplit(pe, 2)
    return np.stack([sines, cosines], axis=-1).reshape(pe.shape)


_WRONG: tuple[tuple[str, Callable[[int, int], np.ndarray]], ...] = (
    ("doubled_exponent", lambda n, d: _pairs(_angles(n, d, stretch=2))),
    ("doubled_exponent", lambda n, d: _by_column(n, 2 * np.arange(d) / d)),
    ("halved_exponent", lambda n, d: _pairs(_angles(n, d, stretch=0.5))),
    ("unpaired", lambda n, d: _by_column(n, np.arange(d) / d)),
    ("unpaired", lambda n, d: _by_column(n, (np.arange(d) + np.arange(d) % 2) / d)),
    ("exponent_sign", lambda n, d: _pairs(_angles(n, d, stretch=-1))),
    ("one_frequency", lambda n, d: _pairs(_angles(n, d, stretch=0))),
    ("precedence", lambda n, d: _pairs(np.outer(np.arange(n), np.arange(d // 2) / d / 1e8))),
    ("precedence", lambda n, d: _pairs(np.outer(np.arange(n), np.arange(0, d, 2) / d / 1e8))),
    ("floored", lambda n, d: _pairs(np.floor(_angles(n, d)))),
    ("overwritten", lambda n, d: _pairs(_angles(n, d), odd=lambda a: np.cos(np.sin(a)))),
    ("stretched", lambda n, d: _pairs(_angles(n, d, stretch=d / max(d - 2, 1)))),
    ("base", lambda n, d: _pairs(_angles(n, d, base=1_000.0))),
    ("starts_at_1", lambda n, d: _pairs(_angles(n, d, start=1))),
    ("starts_at_2", lambda n, d: _pairs(_angles(n, d, start=2))),
    ("rolled", lambda n, d: np.roll(_right(n, d), -1, axis=0)),
    ("swapped", lambda n, d: _pairs(_angles(n, d), np.cos, np.sin)),
    ("zero_row", _zero_row),
    ("halves", lambda n, d: _halves(_right(n, d))),
    ("degrees", lambda n, d: _pairs(np.radians(_angles(n, d)))),
    ("degrees", lambda n, d: _pairs(np.degrees(_angles(n, d)))),
    ("integer_buffer", lambda n, d: _right(n, d).astype(int)),
    ("zeros", lambda n, d: np.zeros((n, d))),
    ("one_row", lambda n, d: np.tile(_right(1, d), (n, 1))),
    ("float16_angles", lambda n, d: _pairs(_angles(n, d).astype(np.float16).astype(float))),
    ("cosine_missing", lambda n, d: _pairs(_angles(n, d), odd=np.zeros_like)),
    ("sine_missing", lambda n, d: _pairs(_angles(n, d), even=np.zeros_like)),
    ("sine_only", lambda n, d: _pairs(_angles(n, d), np.sin, np.sin)),
    ("cosine_only", lambda n, d: _pairs(_angles(n, d), np.cos, np.cos)),
    ("sign_flipped", lambda n, d: _pairs(-_angles(n, d))),
    ("sign_flipped", lambda n, d: -_right(n, d)),
    ("sign_flipped", lambda n, d: _pairs(np.pi - _angles(n, d))),
    ("normalised", lambda n, d: _pairs(_angles(n, d) / n)),
    ("normalised", lambda n, d: _pairs(_angles(n, d) / max(n - 1, 1))),
    ("even_positions", lambda n, d: _by_position(np.repeat(_angles(n, d), 2, axis=1))),
    (
        "even_positions",
        lambda n, d: _by_position(np.outer(np.arange(n), 10_000.0 ** (-np.arange(d) / d))),
    ),
)


def _changed(row: int, column: int | slice, by: float) -> np.ndarray:
    pe = _right(40, 8)
    pe[row, column] += by
    return pe


def _ahead(rows: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The right encoding, but that some rows are turned on by 15 positions."""
    return np.where(rows(np.arange(40))[:, None], _right(55, 8)[15:], _right(40, 8))


# what a detector must refuse too: few entries are off, or every step of 2 or of 3 is right
_FINE: tuple[tuple[str, np.ndarray], ...] = (
    ("second_row", _ahead(lambda pos: pos % 2 == 1)),
    ("third_row", _ahead(lambda pos: pos % 3 == 1)),
    ("third_row", _ahead(lambda pos: pos % 3 == 2)),
    ("jump", _ahead(lambda pos: pos > 0)),
    ("jump", _ahead(lambda pos: pos >= 20)),
    ("middle_row", _changed(20, slice(None), 1.0)),
    ("one_entry", _changed(13, 7, 0.5)),
    ("nudged", _changed(20, 2, 1e-3)),
    ("nudged", _changed(13, 7, 1e-3)),
    ("last_row", _changed(39, 2, 1e-3)),
    ("last_row", _changed(39, slice(None), 1.0)),
    ("phase", _pairs(_angles(40, 8) + 1e-3)),
)


def _row_zero_holds(pe: np.ndarray) -> bool:
    return _close(pe[:1], _right(1, pe.shape[1]))


def _close(got: np.ndarray, wanted: np.ndarray, slack: float = 1.0) -> bool:
    """Compare row by row: as near as angles in float32 come, which is less near further down."""
    if got.shape != wanted.shape:
        return False
    return bool((np.abs(got - wanted) <= slack * _allowed(len(wanted))).all())


def _allowed(seq_len: int) -> np.ndarray:
    return 1e-6 + 3e-7 * np.arange(seq_len)[:, None]


# chapter 1

_SIZES = ((4, 8), (7, 6), (3, 2), (20, 16), (600, 8))


@exercise(
    "def my_encoding(seq_len, d_model):\n"
    "    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)\n"
    "    angles = np.outer(np.arange(seq_len), omega)\n"
    "    pe = np.empty((seq_len, d_model))\n"
    "    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)\n"
    "    return pe"
)
def check_encoding(
    candidate: Callable[[int, int], npt.ArrayLike],
    layout: Literal["interleaved", "halves"] = "interleaved",
) -> Feedback:
    """Check a learner's positional encoding, and name the cause if it is wrong.

    Parameters
    ----------
    candidate : callable
        Takes ``(seq_len, d_model)``, returns an array or a list of rows; float32 will do.
    layout : {"interleaved", "halves"}
        Where the sines are: in every other column, or in the first half of them.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_encoding(sinusoidal_positional_encoding).state
    'correct'
    >>> check_encoding(lambda seq_len, d_model: np.zeros((seq_len, d_model))).cause
    'zeros'
    """
    if layout not in ("interleaved", "halves"):
        raise Wrong("layout", got=plain(shown(layout)))
    require_function(candidate, "seq_len", "d_model")
    first = ask(candidate, *_SIZES[0])
    _refuse_several_arrays(first, _SIZES[0])
    found = [read_array(first)]
    _refuse_orientation(found[0])
    found += [read_array(ask(candidate, *size)) for size in _SIZES[1:]]
    _refuse_shapes([array.shape for array in found])
    dtype = found[0].dtype
    found = [array.astype(np.float64) for array in found]
    if layout == "halves":
        if _like(found, _right):
            raise Wrong("interleaved")
        found = [_interleaved(array) for array in found]
    if not _like(found, _right):
        _name_wrong_encoding(found, dtype)
        _name_first_difference(found, layout)


def _refuse_orientation(first: np.ndarray) -> None:
    wanted = _SIZES[0]
    if first.shape == wanted[::-1]:
        cause = "swapped_arguments" if _close(first, _right(*first.shape)) else "transposed"
        raise Wrong(cause, wanted=wanted, got=first.shape)


def _refuse_several_arrays(result: object, wanted: tuple[int, int]) -> None:
    arrays = isinstance(result, tuple) and all(isinstance(part, np.ndarray) for part in result)
    if arrays and any(part.ndim > 1 for part in result):
        raise Wrong("several_arrays", count=len(result), wanted=wanted)


def _refuse_shapes(shapes: list[tuple[int, ...]]) -> None:
    def all_are(*builds: Callable[[int, int], tuple[int, ...]]) -> bool:
        return any(shapes == [build(*size) for size in _SIZES] for build in builds)

    got = shapes[0]
    if all(0 in shape for shape in shapes):
        raise Wrong("empty", got=got)
    if set(shapes) <= {(), (1,), (2,)}:
        raise Wrong("one_place", got=got)
    if len(set(shapes)) == 1:
        raise Wrong("ignores_arguments", got=got)
    if all_are(lambda n, d: (1, d), lambda n, d: (d,)):
        raise Wrong("one_row_returned", got=got)
    if all_are(lambda n, d: (n, d // 2, 2)):
        raise Wrong("not_reshaped", got=got)
    if all_are(lambda n, d: (2, n, d // 2), lambda n, d: (n, 2, d // 2)):
        raise Wrong("stacked_elsewhere", got=got)
    if all_are(lambda n, d: (n, got[-1])):
        raise Wrong("outer_d_model", got=got[-1])
    if all_are(lambda n, d: (got[0], d)):
        raise Wrong("outer_seq_len", got=got[0])
    for shape, size in zip(shapes, _SIZES, strict=True):
        if shape != size:
            raise Wrong("shape", wanted=size, got=shape)


def _like(
    found: list[np.ndarray], build: Callable[[int, int], np.ndarray], slack: float = 1.0
) -> bool:
    return all(
        _close(array, build(*size), slack) for array, size in zip(found, _SIZES, strict=True)
    )


_PARTS = (("first_row", 1, None), ("first_entries", 1, 2), ("first_columns", None, 2))


def _part(pe: np.ndarray, rows: int | None, columns: int | None) -> np.ndarray:
    """The first rows and columns, and zeros elsewhere: what an early `return` leaves behind."""
    part = np.zeros_like(pe)
    part[:rows, :columns] = pe[:rows, :columns]
    return part


_OTHER_LOGS = {"np.log10": np.log10(1e4), "np.log2": np.log2(1e4)}


def _name_base(base: float) -> None:
    exponent = abs(np.log(base))
    shown_base = f"{base:.6g}"
    for log, power in _OTHER_LOGS.items():
        if np.isclose(exponent, power, rtol=1e-4):
            raise Wrong("other_log", base=shown_base, log=log)
    if np.isclose(exponent, 1, rtol=1e-4):
        raise Wrong("log_missing", base=shown_base)
    zeros = np.log10(base)
    if abs(zeros - round(zeros)) < 1e-6:
        raise Wrong("base", "zeros_of_base", base=shown_base)
    raise Wrong("base", base=shown_base)


def _name_wrong_encoding(found: list[np.ndarray], dtype: np.dtype) -> None:
    rights = [_right(*size) for size in _SIZES]
    short, long = found[0], found[-1]
    base = float((np.arctan2(short[1, 2], short[1, 3]) % (2 * np.pi)) ** -4)
    error = np.abs(long - rights[-1])
    growth = {"error": f"{error.max():.2g}", "place": int(error.max(axis=1).argmax())}
    if not any(np.ptp(array, axis=0).any() for array in found):
        if not any(array.any() for array in found):
            raise Wrong("zeros")
        last = _like(found, lambda n, d: np.tile(_right(n, d)[-1], (n, 1)), slack=10)
        raise Wrong("shared_rows" if last else "one_row")
    for part, *ends in _PARTS if dtype.kind == "f" else ():
        if _like(found, lambda n, d, ends=ends: _part(_right(n, d), *ends)):
            raise Wrong("early_return", part=text(f"part.{part}"))
    for cause, build in _WRONG:
        if cause != "base" and _like(found, build, slack=10):
            raise Wrong(cause, **growth)
    if base > 0 and _like(found, lambda n, d: _pairs(_angles(n, d, base=base)), slack=10):
        _name_base(base)
    if all((array == np.rint(array)).all() for array in found):
        raise Wrong("integer_buffer")
    for digits in range(1, 6):
        if all(
            (np.abs(array - right) <= 0.51 * 10.0**-digits).all()
            and (np.abs(array - np.round(array, digits)) < 1e-7).all()
            for array, right in zip(found, rights, strict=True)
        ):
            raise Wrong("rounded", digits=digits)
    if dtype == np.float16 and error.max() < 5e-4:
        raise Wrong("float16_stored", error=f"{error.max():.1e}")
    if _like(found, _right, slack=5_000) and error[300:].max() > 20 * error[:10].max():
        raise Wrong("float16_angles", **growth)


def _name_first_difference(found: list[np.ndarray], layout: str) -> None:
    for array, size in zip(found, _SIZES, strict=True):
        right = _right(*size)
        if _close(array, right):
            continue
        if layout == "halves":
            array, right = _halves(array), _halves(right)
        off = np.abs(array - right) > _allowed(len(right))
        row, column = (int(i) for i in np.unravel_index(np.argmax(off), off.shape))
        got, wanted = array[row, column], right[row, column]
        got, wanted = apart(got, wanted)
        raise Wrong(
            "rotation" if row else "row_zero",
            size=right.shape,
            place=f"[{row}, {column}]",
            got=got,
            wanted=wanted,
            before=row - 1,
            row=row,
        )


@exercise("print(np.sin(0.0), np.cos(0.0))")
def check_row_zero(answer: npt.ArrayLike) -> Feedback:
    """Check a prediction of row 0 of the encoding for ``d_model = 8``.

    Parameters
    ----------
    answer : sequence of float, length 8
        The eight numbers of row 0.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_row_zero([0, 1, 0, 1, 0, 1, 0, 1]).state
    'correct'
    >>> check_row_zero([0, 0, 0, 0, 0, 0, 0, 0]).cause
    'all_zeros'
    """
    row = np.squeeze(read_array(answer))
    if row.size != 8:
        raise Wrong("wrong_length", got=row.size)
    if row.shape != (8,):
        raise Wrong("wrong_shape", got=row.shape)
    usual = {
        "all_zeros": [0] * 8,
        "swapped": [1, 0] * 4,
        "all_ones": [1] * 8,
        "halves": [0] * 4 + [1] * 4,
    }
    for cause, wrong in usual.items():
        if np.allclose(row, wrong, rtol=0, atol=1e-6):
            raise Wrong(cause)
    off = np.abs(row - [0, 1] * 4) > 1e-6
    if off.any():
        column = int(np.argmax(off))
        wave = text("wave.cosine" if column % 2 else "wave.sine")
        got, _ = apart(row[column], column % 2, "4g")
        raise Wrong("one_entry", column=column, got=got, wave=wave)


@exercise(
    "x = np.random.RandomState(42).randn(3, 8)\n"
    "order = [2, 1, 0]\n"
    "before = attention.attention_weights(x, x) @ x\n"
    "after = attention.attention_weights(x[order], x[order]) @ x[order]\n"
    "print(before[0].round(4), after[2].round(4), sep='\\n')"
)
def check_same_output(answer: str) -> Feedback:
    """Check the opening prediction: what changes for ``dog`` when the words change places.

    Parameters
    ----------
    answer : {"nothing", "a little", "a lot"}
        How much the output of attention without positions changes.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Lee et al., "Set Transformer" (2019), property 1.

    Examples
    --------
    >>> check_same_output("a lot").state
    'incorrect'
    >>> check_same_output(...).state
    'not attempted'
    """
    judge_choice(answer, {"nothing": "", "a little": "a_little", "a lot": "a_lot"})


_RIGHT_SIZES = ((4, 8), (2, 8), (2, 6), (2, 16), (7, 6), (40, 16), (200, 8), (3, 2))


@exercise(
    "def is_right(pe):\n"
    "    d_model = pe.shape[1]\n"
    "    starts = np.allclose(pe[0], np.arange(d_model) % 2, rtol=0, atol=1e-9)\n"
    "    turned = pe[:-1] @ encoding.rotation_matrix(1, d_model).T\n"
    "    return starts and np.allclose(pe[1:], turned, rtol=0, atol=1e-9)"
)
def check_detector(candidate: Callable[[np.ndarray], bool]) -> Feedback:
    """Check a learner's detector, on right encodings and on wrong ones.

    Parameters
    ----------
    candidate : callable
        Takes an encoding of shape (seq_len, d_model), returns True if it is the right one: row 0
        is 0, 1, 0, 1, … and each next row is the one before it, turned by one position.

    Returns
    -------
    Feedback
        Shown, never raised; names which encoding slipped through and what would have shown it.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_detector(lambda pe: True).cause
    'always_true'
    >>> check_detector(lambda pe: bool((pe[0, 1::2] == 1).all())).cause
    'slipped'
    """
    require_function(candidate, "pe")
    rights = [_right(*size) for size in _RIGHT_SIZES]
    by_rotation = sinusoidal_positional_encoding_by_rotation(40, 8)
    accepted = [_verdict(candidate, pe, _RIGHT_SIZES[0]) for pe in [*rights, by_rotation]]
    wrongs = [(name, build(40, 8)) for name, build in _WRONG] + list(_FINE)
    wrongs.sort(key=lambda wrong: wrong[0] == "float16_angles")  # the least wrong one, last
    verdicts = [_verdict(candidate, pe) for _, pe in wrongs]
    slipped = [wrong for wrong, yes in zip(wrongs, verdicts, strict=True) if yes]
    refused = [pe for (_, pe), yes in zip(wrongs, verdicts, strict=True) if not yes]
    if not any(accepted) or not (refused or all(accepted)):
        _name_refusal(slipped, len(wrongs))
    _refuse_rejections(accepted)
    if slipped:
        if {"zeros", "doubled_exponent"} <= {name for name, _ in slipped}:
            raise Wrong("always_true")  # neither of the two facts is looked at
        name, pe = slipped[0]
        shows = text("shows.rotation" if _row_zero_holds(pe) else "shows.row_zero")
        looks_further = any(_row_zero_holds(pe) for pe in refused)
        if looks_further and max(_residual(pe) for _, pe in slipped) < 1:
            shows = text("shows.tolerance", shows=shows)
        raise Wrong("slipped", name=text(f"wrong.{name}"), shows=shows, count=len(slipped))


def _name_refusal(slipped: list[tuple[str, np.ndarray]], count: int) -> None:
    """Name what a detector does that refuses the right encoding."""
    turn = rotation_matrix(1, 8)
    if len(slipped) > count / 4:
        raise Wrong("inverted")
    names = [name for name, _ in slipped]
    if "sign_flipped" in names and all(_close(pe[1:], pe[:-1] @ turn) for _, pe in slipped):
        raise Wrong("turned_back")
    if len(set(names)) > 1 and all(_close(pe[1:], pe[:-1] @ turn.T) for _, pe in slipped):
        raise Wrong("inverted")  # of the two facts, row 0 is asked for the wrong way round
    if names:
        raise Wrong("accepts_other", name=text(f"wrong.{names[0]}"))
    raise Wrong("always_false")


def _residual(pe: np.ndarray) -> float:
    """How far the matrix is off in row 0 or in one step, whichever is more."""
    turned = np.vstack([_right(1, 8), pe[:-1] @ rotation_matrix(1, 8).T])
    return float(np.abs(pe - turned).max())


def _verdict(
    candidate: Callable[[np.ndarray], bool], pe: np.ndarray, first: tuple[int, int] | None = None
) -> bool:
    try:
        return ask_bool(candidate, pe)
    except Wrong as wrong:
        if wrong.cause == "raised" and first and pe.shape[1] != first[1]:
            raise Wrong("one_width", width=first[1], got=pe.shape) from None
        raise


def _refuse_rejections(accepted: list[bool]) -> None:
    sizes = [*_RIGHT_SIZES, (40, 8)]
    if all(accepted):
        return
    taken = {size for size, yes in zip(sizes, accepted, strict=True) if yes}
    refused = sizes[accepted.index(False)]
    widths, lengths = {d for _, d in taken}, {n for n, _ in taken}
    if len(widths) == 1 and len(taken) > 1:
        raise Wrong("one_width", width=widths.pop(), got=refused)
    if len(lengths) == 1 and lengths != {2}:
        raise Wrong("one_length", length=lengths.pop(), got=refused)
    # two rows are exact in floating point; further rows differ in the last digits
    raise Wrong("rejects" if accepted[-1] else "too_tight", got=refused)


def _rotation(offset: float, d_model: int, stretch: float = 1.0, base: float = 1e4) -> np.ndarray:
    angles = offset * _angles(2, d_model, base, stretch)[1]
    return _blocks(angles, np.cos, np.sin)


def _blocks(angles: np.ndarray, diagonal: Callable, beside: Callable) -> np.ndarray:
    even = np.arange(0, 2 * len(angles), 2)
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    matrix[even, even] = matrix[even + 1, even + 1] = diagonal(angles)
    matrix[even, even + 1], matrix[even + 1, even] = beside(angles), -beside(angles)
    return matrix


def _rotation_in_halves(offset: int, d_model: int) -> np.ndarray:
    columns = np.r_[0:d_model:2, 1:d_model:2]
    return rotation_matrix(offset, d_model)[np.ix_(columns, columns)]


_WRONG_ROTATIONS: tuple[tuple[str, Callable[[int, int], np.ndarray]], ...] = (
    ("transposed", lambda k, d: rotation_matrix(k, d).T),
    ("halves", _rotation_in_halves),
    ("halves_transposed", lambda k, d: _rotation_in_halves(k, d).T),
    ("degrees", lambda k, d: _rotation(np.radians(k), d)),
    ("degrees", lambda k, d: _rotation(np.degrees(k), d)),
    ("zeros", lambda k, d: np.zeros((d, d))),
    ("identity", lambda k, d: np.eye(d)),
    ("one_frequency", lambda k, d: _rotation(k, d, stretch=0)),
    ("doubled_exponent", lambda k, d: _rotation(k, d, stretch=2)),
    ("halved_exponent", lambda k, d: _rotation(k, d, stretch=0.5)),
    ("exponent_sign", lambda k, d: _rotation(k, d, stretch=-1)),
    ("base_1000", lambda k, d: _rotation(k, d, base=1_000.0)),
    ("other_log", lambda k, d: _rotation(k, d, base=np.exp(np.log10(1e4)))),
    ("log_missing", lambda k, d: _rotation(k, d, base=np.e)),
    ("offset_ignored", lambda k, d: rotation_matrix(1, d)),
    ("negative_offset", lambda k, d: rotation_matrix(abs(k), d)),
    ("negative_offset", lambda k, d: rotation_matrix(max(k, 0), d)),
    ("one_too_far", lambda k, d: rotation_matrix(k + 1, d)),
    ("one_too_short", lambda k, d: rotation_matrix(k - 1, d)),
    ("integer_buffer", lambda k, d: rotation_matrix(k, d).astype(int)),
    ("diagonal_only", lambda k, d: np.diag(np.diag(rotation_matrix(k, d)))),
    (
        "same_sign",
        lambda k, d: np.triu(rotation_matrix(k, d)) + np.triu(rotation_matrix(k, d), 1).T,
    ),
    (
        "same_sign",
        lambda k, d: np.tril(rotation_matrix(k, d)) + np.tril(rotation_matrix(k, d), -1).T,
    ),
)


# right or wrong, whatever the signs
_WRONG_UP_TO_SIGNS: tuple[tuple[str, Callable[[int, int], np.ndarray]], ...] = (
    ("swapped", lambda k, d: _blocks(_angles(2, d)[1] * k, np.sin, np.cos)),
    ("signs", rotation_matrix),
)

_TURNS = ((1, 8), (3, 8), (0, 6), (5, 2), (17, 16), (-2, 8))


@exercise(
    "def my_rotation(offset, d_model):\n"
    "    matrix = np.zeros((d_model, d_model))\n"
    "    for i, omega in enumerate(encoding.angular_frequencies(d_model)):\n"
    "        cos, sin = np.cos(offset * omega), np.sin(offset * omega)\n"
    "        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]\n"
    "    return matrix"
)
def check_rotation(candidate: Callable[[int, int], npt.ArrayLike]) -> Feedback:
    """Check a learner's rotation matrix: ``pe[pos + offset] == matrix @ pe[pos]``.

    Parameters
    ----------
    candidate : callable
        Takes ``(offset, d_model)``, returns a matrix of shape (d_model, d_model).

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_rotation(rotation_matrix).state
    'correct'
    >>> check_rotation(lambda offset, d_model: rotation_matrix(offset, d_model).T).cause
    'transposed'
    """
    require_function(candidate, "offset", "d_model")
    found, stopped = _turned(candidate)

    def like(build: Callable[[int, int], np.ndarray], seen: Callable = np.asarray) -> bool:
        return all(_near(seen(got), seen(build(*turn))) for turn, got in found.items())

    if all(_near(got, rotation_matrix(*turn), 1e-5) for turn, got in found.items()):
        if stopped:
            raise stopped
        return
    refuse_rounded(list(found.values()), [rotation_matrix(*turn) for turn in found])
    for cause, build in _WRONG_ROTATIONS:
        if like(build):
            raise Wrong(cause)
    off = [
        turn
        for turn, got in found.items()
        if not _near(got, rotation_matrix(*turn)) and not _carries(got, *turn)
    ]
    if stopped and not off:
        raise stopped
    if off and all(offset < 1 for offset, _ in off):
        raise Wrong("wrong_below_1", call=f"{off[0][0]}, {off[0][1]}")
    if not off:
        errors = [np.abs(got - rotation_matrix(*turn)).max() for turn, got in found.items()]
        raise Wrong("imprecise", error=f"{max(errors):.1g}")
    for cause, build in _WRONG_UP_TO_SIGNS:
        if like(build, seen=np.abs):
            raise Wrong(cause)
    if any(like(lambda k, d, rest=rest: _first_block(k, d, rest)) for rest in (0, 1)):
        raise Wrong("early_return", part=text("part.first_block"))
    wanted, got = rotation_matrix(*off[0]), found[off[0]]
    entries = np.abs(got - wanted) > 1e-2
    got, wanted = apart(got[entries][0], wanted[entries][0], "6g")
    call = f"{off[0][0]}, {off[0][1]}"
    raise Wrong("entry", call=call, place=place_of(entries), got=got, wanted=wanted)


def _turned(
    candidate: Callable[[int, int], npt.ArrayLike],
) -> tuple[dict[tuple[int, int], np.ndarray], Wrong | None]:
    """Return the matrices by offset and width, and what stopped the code below offset 1."""
    found, stopped = {}, None
    for offset, d_model in _TURNS:
        try:
            result = ask(candidate, offset, d_model)
        except Wrong as wrong:
            if wrong.cause != "raised" or offset > 0:
                raise
            error = f"{wrong.values['name']}: {wrong.values['error']}"
            call = f"{offset}, {d_model}"
            stopped = stopped or Wrong("stops_below_1", call=call, error=error)
            continue
        _refuse_several_arrays(result, (d_model, d_model))
        found[offset, d_model] = read_array(result).astype(np.float64)
    if stopped:
        found = {turn: got for turn, got in found.items() if turn[0] > 0}
    shape = found[_TURNS[0]].shape
    if all(got.shape == (2, 2) for got in found.values()):
        raise Wrong("one_block", got=shape)
    if all(got.shape == shape == 2 * shape[:1] for got in found.values()):
        raise Wrong("outer_d_model", got=shape)
    for (_, d_model), got in found.items():
        if got.shape == (d_model // 2, 2, 2):
            raise Wrong("blocks_apart", got=got.shape, wanted=(d_model, d_model))
        if got.shape != (d_model, d_model):
            raise Wrong("shape", wanted=(d_model, d_model), got=got.shape)
    return found, stopped


def _near(got: np.ndarray, wanted: np.ndarray, atol: float = 1e-2) -> bool:
    return np.allclose(got, wanted, rtol=0, atol=atol)


def _carries(got: np.ndarray, offset: int, d_model: int) -> bool:
    """Whether it moves the first rows, as a matrix fitted to them does, the rotation or not."""
    first = max(0, -offset)
    pe = _right(first + abs(offset) + 16, d_model)
    here, there = pe[first : first + 16], pe[first + offset : first + offset + 16]
    return _near(here @ got.T, there, 1e-6)


def _first_block(offset: int, d_model: int, rest: int) -> np.ndarray:
    matrix = rest * np.eye(d_model)
    matrix[:2, :2] = rotation_matrix(offset, d_model)[:2, :2]
    return matrix


@exercise(
    "omega = 10000.0 ** (-np.arange(0, 16, 2) / 16)\n"
    "my_longest_wavelength = 2 * np.pi / omega.min()"
)
def check_longest_wavelength(answer: float) -> Feedback:
    """Check the longest wavelength of the encoding, in positions, for ``d_model = 16``.

    Parameters
    ----------
    answer : float
        The number of positions after which the slowest pair of columns comes round; right to
        1 %.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_longest_wavelength(2 * np.pi * 10_000).cause
    'folklore'
    """
    found = read_number(answer)
    if found <= 0:
        raise Wrong("not_positive", got=f"{found:.6g}")
    turn = 2 * np.pi
    usual = {
        "": turn * 1e4 ** (14 / 16),
        "folklore": turn * 1e4,
        "no_turn": 1e4 ** (14 / 16),
        "frequency": 1e4 ** -(14 / 16),
        "multiplied": turn * 1e4 ** -(14 / 16),
        "shortest": turn,
        "base_only": 1e4,
        "width_8": turn * 1e4 ** (6 / 8),
        "column_index": turn * 1e4 ** (15 / 16),
        "halved_exponent": turn * 1e4 ** (7 / 16),
        "doubled_exponent": turn * 1e4 ** (28 / 16),
        "half_turn": turn / 2 * 1e4 ** (14 / 16),
        "degrees": 360 * 1e4 ** (14 / 16),
    }
    right = usual.pop("")
    if usual_number(found, {"": right}, rtol=0.01) == "":
        return
    cause = usual_number(found, usual, rtol=5e-3)
    if cause is None and abs(found - right) <= 0.05 * right:
        raise Wrong("nearly", got=apart(found, right, "6g")[0])
    if cause is None:
        raise Wrong("too_long" if found > right else "too_short", got=f"{found:.6g}")
    raise Wrong(cause)
