"""Speeds of clock hands that tell positions apart, and far from near."""

import numpy as np
import numpy.typing as npt

from course_utils.checks.feedback import Wrong, exercise, read_array


@exercise()
def check_speeds(answer: npt.ArrayLike) -> None:
    """Check a list of speeds: the hands pass all wishes, and no fixed factor makes the list.

    At least three speeds between 0 and pi, in radians a step, in any order.

    >>> check_speeds([1.0, 0.1, 0.01]).cause
    'fixed_factor'
    """
    speeds = np.sort(read_array(answer).astype(np.float64).ravel())[::-1]
    if len(speeds) < 3:
        raise Wrong("too_few", count=len(speeds))
    if len(speeds) >= 500:
        raise Wrong("too_many", count=len(speeds))
    if speeds[-1] <= 0 or speeds[0] > np.pi + 1e-9:
        off = speeds[-1] if speeds[-1] <= 0 else speeds[0]
        raise Wrong("out_of_range", got=f"{off:.6g}")
    # a speed that stands there as often as every other changes nothing
    once, often = np.unique(speeds.round(12), return_counts=True)
    kept = once[::-1] if len(once) > 2 and not np.ptp(often) else speeds
    factors = kept[:-1] / kept[1:]
    if np.ptp(np.log(factors)) < 0.01:
        ends = dict.fromkeys(f"{factor:.4g}" for factor in (factors.min(), factors.max()))
        raise Wrong("fixed_factor", factor=" … ".join(ends))
    similarity = np.cos(np.outer(np.arange(1000), speeds)).mean(axis=1)
    near, middle, far = (similarity[first : 10 * first].mean() for first in (1, 10, 100))
    closest = 1 + int(np.argmax(similarity[1:]))
    distance = np.sqrt(max(0.0, 2 - 2 * similarity[closest]))
    if distance < 0.1:
        cause = "hardly_moves" if closest == 1 else "comes_back"
        raise Wrong(cause, distance=f"{distance:.4f}", offset=closest)
    told = {"near": f"{near:.4f}", "middle": f"{middle:.4f}", "far": f"{far:.4f}"}
    if near - middle < 0.1:
        lost = "far_is_lost" if middle - far < 0.1 and middle < 0.1 else "near_is_lost"
        raise Wrong(lost, **told)
    if middle - far < 0.1:
        raise Wrong("far_is_lost" if middle < 0.2 else "far_is_near", **told)
