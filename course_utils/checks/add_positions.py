"""Positions added to a batch."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    read_array,
    refuse_rounded,
    require_function,
)
from course_utils.encoding import (
    sinusoidal_positional_encoding,
)

__all__ = ["check_add_positions"]


def rows_between(start: int, stop: int, d_model: int) -> np.ndarray:
    return sinusoidal_positional_encoding(stop, d_model)[start:]


def positions(x: np.ndarray) -> np.ndarray:
    return rows_between(0, x.shape[1], x.shape[2])


def _first_only(x: np.ndarray) -> np.ndarray:
    total = x.copy()
    total[0] += positions(x)
    return total


# each may fail on some shapes: a candidate that fails on the same ones is the same
_WRONG_SUMS: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("batch_axis", lambda x: x + rows_between(0, len(x), x.shape[2])),
    ("integer_buffer", lambda x: x + np.trunc(positions(x))),
    ("twice", lambda x: x + 2 * positions(x)),
    ("subtracted", lambda x: x - positions(x)),
    ("scaled", lambda x: x * np.sqrt(x.shape[2]) + positions(x)),
    ("scaled", lambda x: (x + positions(x)) * np.sqrt(x.shape[2])),
    ("multiplied", lambda x: x * positions(x)),
    ("only_pe", lambda x: np.broadcast_to(positions(x), x.shape)),
    ("only_pe", positions),
    ("starts_at_1", lambda x: x + rows_between(1, x.shape[1] + 1, x.shape[2])),
    (
        "running_count",
        lambda x: x + rows_between(0, len(x) * x.shape[1], x.shape[2]).reshape(x.shape),
    ),
    ("first_sentence", lambda x: x[0] + positions(x)),
    ("first_sentence", _first_only),
    ("batch_of_one", lambda x: np.squeeze(x + positions(x))),
    ("concatenated", lambda x: np.concatenate([x, np.tile(positions(x), (len(x), 1, 1))], -1)),
    ("half_stored", lambda x: x + positions(x).astype(np.float16)),
)


def _batches() -> list[np.ndarray]:
    rng = np.random.RandomState(7)
    shapes = (2, 5, 16), (3, 3, 16), (1, 4, 16), (3, 5, 6), (2, 4, 8), (4, 2, 8), (2, 600, 16)
    batches = [rng.randn(*shape) for shape in shapes]
    batches[5] = batches[5].astype(np.float32)
    return batches


@exercise()
def check_add_positions(candidate: Callable[[np.ndarray], npt.ArrayLike]) -> Feedback:
    """Check a learner's sum of a batch and the encoding, and name the cause if it is wrong.

    Parameters
    ----------
    candidate : callable
        Takes a batch of shape (batch, seq_len, d_model), returns a new one of that shape.

    Examples
    --------
    >>> check_add_positions(lambda x: x + sinusoidal_positional_encoding(*x.shape[1:])).state
    'correct'
    >>> check_add_positions(lambda x: x + sinusoidal_positional_encoding(100, x.shape[2])[0]).cause
    'one_row'
    """
    require_function(candidate, "x")
    batches = _batches()
    found = [_result(candidate, x) for x in batches]
    fine = [_near(got, x + positions(x)) for got, x in zip(found, batches, strict=True)]
    if all(fine):
        return
    if all(_fits(got, x) for got, x in zip(found, batches, strict=True)):
        refuse_rounded(found, [x + positions(x) for x in batches])
    for cause, add in _WRONG_SUMS:
        if all(_same(got, add, x) for got, x in zip(found, batches, strict=True)):
            raise Wrong(cause)
    came = [(got, x) for got, x in zip(found, batches, strict=True) if _fits(got, x)]
    _name_repeated_rows([got - x for got, x in came])
    _name_half_angles(came)
    _name_failing_shapes(found, batches, fine)


def _result(candidate: Callable[[np.ndarray], npt.ArrayLike], x: np.ndarray) -> np.ndarray | Wrong:
    try:
        return read_array(ask(candidate, x))
    except Wrong as wrong:
        if wrong.cause != "raised":
            raise
        # x.shape unpacked into two, or handed on as it is
        if any(word in wrong.values["error"] for word in ("unpack", "d_model")):
            raise Wrong("three_axes") from None
        return wrong


def _fits(got: np.ndarray | Wrong, x: np.ndarray) -> bool:
    return isinstance(got, np.ndarray) and got.shape == x.shape


def _near(got: np.ndarray | Wrong, wanted: np.ndarray) -> bool:
    if isinstance(got, Wrong) or got.shape != wanted.shape:
        return False
    rows = np.arange(wanted.shape[-2])[:, None] if wanted.ndim > 1 else 0.0
    return bool((np.abs(got - wanted) <= 1e-6 + 3e-7 * rows).all())


def _same(got: np.ndarray | Wrong, add: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
    try:
        return _near(got, add(x))
    except ValueError:
        return isinstance(got, Wrong)


def _name_repeated_rows(added: list[np.ndarray]) -> None:
    """Name what was added if all tokens of each sentence got the same."""
    if not added or any(np.ptp(rows, axis=1).max() > 1e-5 for rows in added):
        return
    if all(np.abs(rows).max() < 1e-5 for rows in added):
        raise Wrong("nothing_added")
    each_sentence = any(np.ptp(rows, axis=0).max() > 1e-5 for rows in added)
    raise Wrong("batch_axis" if each_sentence else "one_row")


def _name_half_angles(came: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Name angles in half precision: right at first, and worse with every position."""
    for got, x in came:
        error = np.abs(got - x - positions(x)).max(axis=(0, 2))
        near = error[:8].max()
        if len(error) > 500 and 10 * near < error[300:].max() < 1.5 and near < 0.01:
            place = int(error.argmax())
            raise Wrong("half_angles", error=f"{error.max():.2f}", place=place)


def _name_failing_shapes(
    found: list[np.ndarray | Wrong], batches: list[np.ndarray], fine: list[bool]
) -> None:
    right = [x.shape for x, holds in zip(batches, fine, strict=True) if holds]
    got, x = found[fine.index(False)], batches[fine.index(False)]
    widths = {shape[2] for shape in right}
    if len(right) > 1 and len(widths) == 1:
        raise Wrong("one_width", width=widths.pop(), got=x.shape)
    if right:
        raise Wrong("some_shapes", right=right[0], got=x.shape)
    if isinstance(got, Wrong):
        raise got
    if got.shape != x.shape:
        raise Wrong("shape", wanted=x.shape, got=got.shape)
    wanted = x + positions(x)
    off = np.abs(got - wanted) > 1e-5
    place, (got, wanted) = place_of(off), apart(got[off][0], wanted[off][0])
    raise Wrong("entry", shape=x.shape, place=place, got=got, wanted=wanted)
