"""A head that looks two words ahead."""

from collections.abc import Callable

import numpy as np

from course_utils.checks.encodings import interleaved
from course_utils.checks.feedback import Wrong, ask, exercise, read_array
from course_utils.encoding import sinusoidal_positional_encoding

_STEPS = {-2: "looks_back", 1: "one_ahead", -1: "one_back", 0: "itself"}
# what makes a matrix right that has one of these mistakes
_TURNED = {"opposite": np.negative, "halves": lambda w: interleaved(interleaved(w).T).T}


@exercise("d_model", causes=(*_STEPS.values(), "other_step", *_TURNED))
def check_look_ahead(candidate: Callable[[int], np.ndarray]) -> None:
    """Check a learner's query projection: with keys ``pe``, each row looks two rows ahead.

    Takes ``d_model``, returns a matrix of shape (d_model, d_model): any for which row ``p`` of
    ``pe @ matrix`` has its largest dot product with ``pe[p + 2]``.

    >>> from course_utils.encoding import rotation_matrix
    >>> check_look_ahead(lambda d_model: rotation_matrix(2, d_model)).cause
    'looks_back'
    """
    widths, matrices = (16, 32, 64, 2), []
    for d_model in widths:
        w_q = read_array(ask(candidate, d_model))
        if w_q.shape != (d_model, d_model):
            if w_q.ndim == 2 and read_array(ask(candidate, 2 * d_model)).shape == w_q.shape:
                raise Wrong("outer_d_model", got=w_q.shape)
            raise Wrong("shape", wanted=(d_model, d_model), got=w_q.shape)
        matrices.append(w_q.astype(np.float64))
    if not any(map(np.any, matrices)):
        raise Wrong("zeros")
    steps = [_steps(w_q) for w_q in matrices]
    if all((each[:38] == 2).all() for each in steps):
        return
    inner = np.unique([each[4:36] for each in steps])
    if len(inner) == 1 and inner[0] != 2:
        raise Wrong(_STEPS.get(inner[0], "other_step"), got=int(inner[0]))
    for cause, turned in _TURNED.items():
        if all((_steps(turned(w_q))[:38] == 2).all() for w_q in matrices):
            raise Wrong(cause)
    at = next(i for i, each in enumerate(steps) if (each[:38] != 2).any())
    right = steps[at][:38] == 2
    row = int(np.argmin(right))
    looks, share = int(row + steps[at][row]), f"{right.mean():.2f}"
    raise Wrong("some_rows", width=widths[at], share=share, row=row, got=looks, wanted=row + 2)


def _steps(w_q: np.ndarray) -> np.ndarray:
    """Return by how many places each of 40 rows looks ahead."""
    pe = sinusoidal_positional_encoding(40, len(w_q))
    return np.argmax(pe @ w_q @ pe.T, axis=1) - np.arange(40)
