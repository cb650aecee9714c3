"""A learner's answer to: how many steps lead from one row of the encoding to another?"""

from collections.abc import Callable

import numpy as np

from course_utils.checks.feedback import Wrong, ask, exercise, explains, judge, read_number
from course_utils.encoding import angular_frequencies, sinusoidal_positional_encoding

# two positions each, short ways first; from 0 to 14 an angle falls a little short of 14 steps
_FROM = 0, 5, 7, 0, 2, 300, 0, 980, 100, 23, 90, 6
_TO = 1, 3, 7, 14, 40, 293, 250, 12, 1000, 40, 250, 0
_WAYS = tuple(zip(_FROM, _TO, strict=True))


_COUNTS = (
    ("", lambda p, q: q - p),
    ("turned_round", lambda p, q: p - q),
    ("unsigned", lambda p, q: abs(q - p)),
    ("first_position", lambda p, q: p),
    ("second_position", lambda p, q: q),
)
_ANGLES = (("angle", lambda p, q: (q - p) * angular_frequencies(8)[-1]),)


@exercise(
    "row", "other", causes=(*_COUNTS, *_ANGLES, "wraps", "forward_only", "sine", "nearly", "other")
)
def check_steps_between(candidate: Callable[[np.ndarray, np.ndarray], float]) -> None:
    """Check a learner's function that tells how many steps lead from one row to another.

    Takes two rows of an encoding of width 8, returns a number, right to 0.01.

    >>> check_steps_between(lambda row, other: 1).cause
    'always_the_same'
    """
    pe = sinusoidal_positional_encoding(1001, 8)
    found = np.array([read_number(ask(candidate, pe[p], pe[q])) for p, q in _WAYS])
    if not np.ptp(found):
        raise Wrong("always_the_same", got=f"{found[0]:.4g}")
    if judge(_COUNTS, found, _WAYS, atol=0.01) or judge(_ANGLES, found, _WAYS):
        return
    # the slowest hand turns by half a circle in 3,142 steps, the others in 314, 31 and 3
    steps = np.array([q - p for p, q in _WAYS])
    right = np.abs(found - steps) <= 0.01
    wrong = int(np.argmin(right))
    short = int(np.abs(steps[right]).max(initial=0))
    # rounded too early, or cut off where the others are right
    off = 1.01 if right.any() else 0.6
    cause = "nearly" if explains(_COUNTS[0][1], found, _WAYS, atol=off) else "other"
    miss = (found - steps)[~right]
    turns = miss[:, None] * angular_frequencies(8) / (2 * np.pi)
    # steps are rounded, so a turn is whole to within half a step
    whole = np.abs(turns - turns.round()) < 0.01 + angular_frequencies(8) / (4 * np.pi)
    if not right[steps < 0].any() and right[steps >= 0].all():
        cause = "forward_only"
    elif (whole & (turns.round() != 0)).all(axis=0).any():
        cause = "wraps"
    elif np.all(np.abs(miss) < 0.25 * np.abs(steps[~right])) and np.all(miss * steps[~right] < 0):
        cause = "nearly" if cause == "nearly" else "sine"
    values = {"start": _WAYS[wrong][0], "end": _WAYS[wrong][1], "wanted": steps[wrong]}
    raise Wrong(cause, short=short, got=f"{found[wrong]:.6g}", **values)
