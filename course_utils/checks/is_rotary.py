"""Exercise 5.6: a test that tells RoPE from an added sinusoid, from outside."""

from collections.abc import Callable

import numpy as np

from course_utils.attention import attention_weights
from course_utils.beyond import rotate
from course_utils.checks.encodings import like
from course_utils.checks.feedback import Layer, Wrong, ask_bool, exercise, read_array

SHAPES = ((6, 8), (5, 16), (8, 4))
_STRENGTHS = {"rope": 0.0, "added": 1.0, "strong": 3.0, "faint": 0.03}


@exercise("attend", "x", causes=[f"missed_{kind}" for kind in _STRENGTHS])
def check_is_rotary(candidate: Callable[[Layer, np.ndarray], bool]) -> None:
    """Check a learner's test of whether an attention turns queries and keys, or adds rows.

    Takes ``(attend, x)``: a function from tokens of shape (n, d) to weights of shape (n, n), and
    tokens. Returns True for RoPE, False for an added sinusoidal encoding.

    >>> check_is_rotary(lambda attend, x: True).cause
    'never_calls'
    """
    calls = []

    def says(kind: str, shape: tuple[int, int], *, exact: bool = False) -> bool:
        rng = np.random.RandomState(SHAPES.index(shape))
        x, projections = rng.randn(*shape), rng.randn(2, shape[1], shape[1])
        attend = _attend(_STRENGTHS[kind], projections, calls)
        return ask_bool(candidate, (lambda x: attend(x).round(9)) if exact else attend, x)

    told = {(kind, shape): says(kind, shape) for kind in _STRENGTHS for shape in SHAPES}
    if not calls:
        raise Wrong("never_calls")
    if all(told.values()):
        raise Wrong("always_true")
    if not any(told.values()):
        tight = any(says("rope", shape, exact=True) for shape in SHAPES)
        raise Wrong("too_tight" if tight else "always_false")
    wrong = [key for key, said in told.items() if said != (key[0] == "rope")]
    if len(wrong) == len(told):
        raise Wrong("inverted")
    if wrong:
        kind, shape = wrong[0]
        if kind == "added" and not any(told["strong", each] for each in SHAPES):
            raise Wrong("wide_margin", got=shape)
        raise Wrong(f"missed_{kind}", got=shape)


def _attend(strength: float, projections: np.ndarray, calls: list[np.ndarray]) -> Layer:
    w_q, w_k = projections / np.sqrt(len(projections[0]))

    def attend(x: np.ndarray) -> np.ndarray:
        x = read_array(x).astype(float)
        if x.ndim != 2 or x.shape[1] != len(w_q):
            raise Wrong("tokens", wanted=f"(n, {len(w_q)})", got=x.shape)
        calls.append(x)
        # two ways of computing differ in the last digits
        noise = 1 + 4e-16 * np.random.RandomState(len(calls)).randn(len(x), len(x))
        if not strength:
            return noise * attention_weights(rotate(x @ w_q), rotate(x @ w_k))
        h = x + strength * like(x)
        return noise * attention_weights(h @ w_q, h @ w_k)

    return attend
