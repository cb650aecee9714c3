"""A head that looks one word back from rows (1, p, p squared)."""

import numpy as np
import numpy.typing as npt

from course_utils.checks.feedback import Wrong, exercise, read_array

LENGTH = 200


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
    looks = _looks(w_q)
    back = _steps_back(looks)
    if back == 1:
        return
    if _steps_back(_looks(w_q.T)) == 1:
        raise Wrong("transposed")
    if _steps_back(_looks(-w_q)) == 1:
        raise Wrong("farthest")
    if back == 0:
        scores = _scores(w_q)
        tie = np.allclose(np.diagonal(scores, -1), np.diagonal(scores)[1:], rtol=1e-12)
        raise Wrong("tie" if tie else "itself")
    if back is not None:
        raise Wrong("other_step", got=-back)
    if np.isin(looks[2:], (0, LENGTH - 1)).all():
        raise Wrong("end")
    row = 1 + int(np.argmax(looks[1:] != np.arange(LENGTH - 1)))
    raise Wrong("some_rows", row=row, got=int(looks[row]), wanted=row - 1)


def _scores(w_q: np.ndarray) -> np.ndarray:
    rows = np.arange(float(LENGTH))[:, None] ** np.arange(3)
    return rows @ w_q @ rows.T


def _looks(w_q: np.ndarray) -> np.ndarray:
    """Return the key that each row looks at; of several that share the top, not the one before."""
    places, scores = np.arange(LENGTH), _scores(w_q)
    first, last = np.argmax(scores, axis=1), LENGTH - 1 - np.argmax(scores[:, ::-1], axis=1)
    return np.where(first == places - 1, last, first)


def _steps_back(looks: np.ndarray) -> int | None:
    """Return how many places back all rows look that can, or None where they differ."""
    steps = np.unique((np.arange(LENGTH) - looks)[10:-10])
    if len(steps) != 1 or abs(steps[0]) > 9:
        return None
    back = int(steps[0])
    rows = np.arange(max(back, 0), LENGTH + min(back, 0))
    return back if np.array_equal(looks[rows], rows - back) else None
