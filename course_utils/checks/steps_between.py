"""A learner's answer to: how many steps lead from one row of the encoding to another?"""

from collections.abc import Callable

import numpy as np

from course_utils.checks.feedback import Wrong, ask, exercise, read_number
from course_utils.encoding import angular_frequencies, sinusoidal_positional_encoding

# two positions each, short ways first
_WAYS = ((0, 1), (5, 3), (7, 7), (2, 40), (300, 293), (0, 250), (980, 12), (100, 1000))


@exercise("row", "other")
def check_steps_between(candidate: Callable[[np.ndarray, np.ndarray], float]) -> None:
    """Check a learner's function that tells how many steps lead from one row to another.

    Takes two rows of an encoding of width 8, returns a number, right to 0.01.

    >>> check_steps_between(lambda row, other: 1).cause
    'always_the_same'
    """
    pe = sinusoidal_positional_encoding(1001, 8)
    found = np.array([read_number(ask(candidate, pe[p], pe[q])) for p, q in _WAYS])
    start, end = np.array(_WAYS).T
    steps = end - start
    if _agree(found, steps):
        return
    if not np.ptp(found):
        raise Wrong("always_the_same", got=f"{found[0]:.4g}")
    usual = {
        "turned_round": -steps,
        "unsigned": np.abs(steps),
        "first_position": start,
        "second_position": end,
        "angle": steps * angular_frequencies(8)[-1],
    }
    for cause, wrong in usual.items():
        if _agree(found, wrong, 1e-6 if cause == "angle" else 0.01):
            raise Wrong(cause)
    # the slowest hand turns by half a circle in 3,142 steps, the others in 314, 31 and 3
    right = np.abs(found - steps) <= 0.01
    wrong = int(np.argmin(right))
    values = {"start": start[wrong], "end": end[wrong], "wanted": steps[wrong]}
    short = int(np.abs(steps[right]).max(initial=0))
    if short and short < np.abs(steps[~right]).min():
        raise Wrong("wraps", short=short, got=f"{found[wrong]:.6g}", **values)
    if _agree(found, steps, 0.6):
        raise Wrong("nearly", got=f"{found[wrong]:.6g}", **values)
    raise Wrong("other", got=f"{found[wrong]:.6g}", **values)


def _agree(found: np.ndarray, wanted: np.ndarray, atol: float = 0.01) -> bool:
    return np.allclose(found, wanted, rtol=0, atol=atol)
