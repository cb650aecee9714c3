"""A learner's rotation matrix."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of
from course_utils.checks import encodings
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    read_array,
    refuse_rounded,
    refuse_several_arrays,
    require_function,
)
from course_utils.encoding import (
    rotation_matrix,
)
from course_utils.language import text

__all__ = ["check_rotation"]


def _rotation(offset: float, d_model: int, stretch: float = 1.0, base: float = 1e4) -> np.ndarray:
    angles = offset * encodings.angles(2, d_model, base, stretch)[1]
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
    ("swapped", lambda k, d: _blocks(encodings.angles(2, d)[1] * k, np.sin, np.cos)),
    ("signs", rotation_matrix),
)


_TURNS = ((1, 8), (3, 8), (0, 6), (5, 2), (17, 16), (-2, 8))


@exercise()
def check_rotation(candidate: Callable[[int, int], npt.ArrayLike]) -> Feedback:
    """Check a learner's rotation matrix: ``pe[pos + offset] == matrix @ pe[pos]``.

    Parameters
    ----------
    candidate : callable
        Takes ``(offset, d_model)``, returns a matrix of shape (d_model, d_model).

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
        refuse_several_arrays(result, (d_model, d_model))
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
    pe = encodings.right(first + abs(offset) + 16, d_model)
    here, there = pe[first : first + 16], pe[first + offset : first + offset + 16]
    return _near(here @ got.T, there, 1e-6)


def _first_block(offset: int, d_model: int, rest: int) -> np.ndarray:
    matrix = rest * np.eye(d_model)
    matrix[:2, :2] = rotation_matrix(offset, d_model)[:2, :2]
    return matrix
