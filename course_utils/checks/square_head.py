"""A head that looks one word back from rows (1, p, p squared)."""

import numpy as np
import numpy.typing as npt

from course_utils.checks.feedback import Wrong, exercise, read_array

_ROWS = np.array([*range(1, 200), 1_000, 10_000])


@exercise()
def check_square_head(answer: npt.ArrayLike) -> None:
    """Check a query projection for which rows (1, p, p**2) look one word back at such keys.

    Any matrix of shape (3, 3) for which the score of row ``p`` is largest at key ``p - 1``, from 1
    on.

    >>> check_square_head([[0, 0, -1], [0, 2, 0], [-1, 0, 0]]).cause
    'itself'
    """
    w_q = read_array(answer, (3, 3)).astype(np.float64)
    if not w_q.any():
        raise Wrong("zeros")
    peaks = _peaks(w_q, _ROWS)
    if _near(peaks).all():
        return
    if _near(_peaks(w_q.T, _ROWS)).all():
        raise Wrong("transposed")
    if _near(_peaks(-w_q, _ROWS)).all():
        raise Wrong("farthest")
    steps = (peaks - _ROWS)[9:]  # of rows whose peak is not before the first key
    if np.abs(steps + 0.5).max() < 1e-9:
        raise Wrong("tie")
    if np.isinf(peaks[1:]).all():
        raise Wrong("end")
    if np.isinf(peaks).any():
        raise Wrong("no_peak", row=int(_ROWS[np.argmax(np.isinf(peaks))]))
    if np.ptp(np.round(steps)) == 0 and abs(steps[0] % 1 - 0.5) > 1e-9:
        step = round(steps[0])
        raise Wrong("other_step" if step else "itself", got=step)
    if np.ptp(peaks) < 1e-6:
        raise Wrong("fixed", got=f"{peaks[0]:.6g}")
    row = int(_ROWS[np.argmin(_near(peaks))])
    got, later = (f"{peak:.6g}" for peak in _peaks(w_q, np.array([row, 2 * row])))
    raise Wrong("misplaced", row=row, got=got, wanted=row - 1, twice=2 * row, later=later)


def _near(peaks: np.ndarray) -> np.ndarray:
    """Return of which rows the key before, of all from 0 on, is the nearest to the peak."""
    return np.abs(np.maximum(peaks, 0) - _ROWS + 1) < 0.5


def _peaks(w_q: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return at which key the parabola of each row peaks, infinity where it does not."""
    _, slopes, bends = (rows[:, None] ** np.arange(3) @ w_q).T
    return np.where(bends < 0, -slopes / (2 * bends), np.inf)
