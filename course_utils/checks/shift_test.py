"""Exercise 5.7: which bugs a shift of all positions can see."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from course_utils.beyond import rotate
from course_utils.checks.encodings import angles
from course_utils.checks.feedback import Wrong, exercise, in_short


def mixed(x: np.ndarray, start: int) -> np.ndarray:
    turns = np.tile(angles(len(x), x.shape[1], start=start), 2)
    other = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(turns) + other * np.sin(turns)


def _scores(w_q: np.ndarray, w_k: np.ndarray, x: np.ndarray) -> dict[str, Callable]:
    q, k, norm = x @ w_q, x @ w_k, np.sqrt(x.shape[1])
    return {
        "values": lambda s: rotate(q, start=s) @ rotate(k, start=s).T / norm,
        "mixed": lambda s: mixed(q, s) @ mixed(k, s).T / norm,
        "scaled": lambda s: rotate(q / norm, start=s) @ rotate(k, start=s).T,
        "before": lambda s: (rotate(x, start=s) @ w_q) @ (rotate(x, start=s) @ w_k).T / norm,
        "backwards": lambda s: rotate(q[::-1], start=-s) @ rotate(k[::-1], start=-s).T / norm,
    }


@exercise()
def check_shift_test(answer: Sequence[str]) -> None:
    """Check which of five changes to RoPE move the scores when all positions move on by 100.

    A list of names among "values", "mixed", "scaled", "before" and "backwards".

    >>> check_shift_test(["values"]).cause
    'values'
    """
    if isinstance(answer, list | tuple | set) and ... in answer:
        raise Wrong("not_attempted")
    rng = np.random.RandomState(0)
    scores = _scores(*rng.randn(2, 8, 8), rng.randn(6, 8))
    named = re.findall(r"\w+", answer) if isinstance(answer, str) else answer
    if isinstance(named, np.ndarray) and named.dtype.kind == "U":
        named = named.ravel().tolist()
    if isinstance(named, list | tuple | set):
        named = [str(name).strip().casefold() for name in named]
    if not isinstance(named, list) or not {*named} <= {*scores}:
        raise Wrong("not_names", got=in_short(answer), known=", ".join(scores))
    moved = {name for name, found in scores.items() if np.abs(found(100) - found(0)).max() > 1e-6}
    for name in scores:
        if name in named and name not in moved:
            raise Wrong(name)
    if moved - set(named):
        raise Wrong("missed")
