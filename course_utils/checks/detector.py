"""A learner's detector of wrong encodings."""

from collections.abc import Callable

import numpy as np

from course_utils.checks import encodings
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    ask_bool,
    exercise,
    require_function,
)
from course_utils.encoding import (
    rotation_matrix,
    sinusoidal_positional_encoding_by_rotation,
)
from course_utils.language import text

__all__ = ["check_detector"]

_RIGHT_SIZES = ((4, 8), (2, 8), (2, 6), (2, 16), (7, 6), (40, 16), (200, 8), (3, 2))


@exercise()
def check_detector(candidate: Callable[[np.ndarray], bool]) -> Feedback:
    """Check a learner's detector, on right encodings and on wrong ones.

    Parameters
    ----------
    candidate : callable
        Takes an encoding of shape (seq_len, d_model), returns True if it is the right one: row 0
        is 0, 1, 0, 1, … and each next row is the one before it, turned by one position.

    Names which encoding slipped through and what would have shown it.

    Examples
    --------
    >>> check_detector(lambda pe: True).cause
    'always_true'
    >>> check_detector(lambda pe: bool((pe[0, 1::2] == 1).all())).cause
    'slipped'
    """
    require_function(candidate, "pe")
    rights = [encodings.right(*size) for size in _RIGHT_SIZES]
    by_rotation = sinusoidal_positional_encoding_by_rotation(40, 8)
    accepted = [_verdict(candidate, pe, _RIGHT_SIZES[0]) for pe in [*rights, by_rotation]]
    wrongs = [(name, build(40, 8)) for name, build in encodings.WRONG] + list(encodings.FINE)
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
        shows = text("shows.rotation" if encodings.row_zero_holds(pe) else "shows.row_zero")
        looks_further = any(encodings.row_zero_holds(pe) for pe in refused)
        if looks_further and max(_residual(pe) for _, pe in slipped) < 1:
            shows = text("shows.tolerance", shows=shows)
        raise Wrong("slipped", name=text(f"wrong.{name}"), shows=shows, count=len(slipped))


def _name_refusal(slipped: list[tuple[str, np.ndarray]], count: int) -> None:
    """Name what a detector does that refuses the right encoding."""
    turn = rotation_matrix(1, 8)
    if len(slipped) > count / 4:
        raise Wrong("inverted")
    names = [name for name, _ in slipped]
    if "sign_flipped" in names and all(
        encodings.close(pe[1:], pe[:-1] @ turn) for _, pe in slipped
    ):
        raise Wrong("turned_back")
    if len(set(names)) > 1 and all(encodings.close(pe[1:], pe[:-1] @ turn.T) for _, pe in slipped):
        raise Wrong("inverted")  # of the two facts, row 0 is asked for the wrong way round
    if names:
        raise Wrong("accepts_other", name=text(f"wrong.{names[0]}"))
    raise Wrong("always_false")


def _residual(pe: np.ndarray) -> float:
    """How far the matrix is off in row 0 or in one step, whichever is more."""
    turned = np.vstack([encodings.right(1, 8), pe[:-1] @ rotation_matrix(1, 8).T])
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
