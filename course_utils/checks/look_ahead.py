"""A head that looks two words ahead."""

from collections.abc import Callable

import numpy as np

from course_utils.checks.feedback import Wrong, ask, exercise, read_array
from course_utils.encoding import sinusoidal_positional_encoding

_STEPS = {-2: "looks_back", 1: "one_ahead", -1: "one_back", 0: "itself"}


@exercise("d_model", causes=(*_STEPS.values(), "other_step"))
def check_look_ahead(candidate: Callable[[int], np.ndarray]) -> None:
    """Check a learner's query projection: with keys ``pe``, each row looks two rows ahead.

    Takes ``d_model``, returns a matrix of shape (d_model, d_model): any for which row ``p`` of
    ``pe @ matrix`` has its largest dot product with ``pe[p + 2]``.

    >>> from course_utils.encoding import rotation_matrix
    >>> check_look_ahead(lambda d_model: rotation_matrix(2, d_model)).cause
    'looks_back'
    """
    for d_model in (16, 32, 64):
        w_q = read_array(ask(candidate, d_model))
        if w_q.shape != (d_model, d_model):
            if w_q.ndim == 2 and read_array(ask(candidate, 2 * d_model)).shape == w_q.shape:
                raise Wrong("outer_d_model", got=w_q.shape)
            raise Wrong("shape", wanted=(d_model, d_model), got=w_q.shape)
        w_q = w_q.astype(np.float64)
        if not w_q.any():
            raise Wrong("zeros")
        pe = sinusoidal_positional_encoding(40, d_model)
        steps = np.argmax(pe @ w_q @ pe.T, axis=1) - np.arange(40)
        inner = np.unique(steps[4:36])
        if (steps[:38] == 2).all():
            continue
        if len(inner) == 1 and inner[0] != 2:
            step = int(inner[0])
            raise Wrong(_STEPS.get(step, "other_step"), got=step)
        row = int(np.argmax(steps[:38] != 2))
        share = f"{np.mean(steps[:38] == 2):.2f}"
        looks = int(row + steps[row])
        raise Wrong("some_rows", width=d_model, share=share, row=row, got=looks, wanted=row + 2)
