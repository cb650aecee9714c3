"""A learner's attention, masks included."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of, shown
from course_utils.attention import causal_mask, softmax
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    ask,
    exercise,
    plain,
    read_array,
    refuse_entry,
    refuse_rounded,
    require_function,
)

__all__ = ["check_attention"]

# attention
_WRONG_SCALES: tuple[tuple[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]], ...] = (
    ("", lambda q, k, v: 1 / math.sqrt(q.shape[1])),
    ("no_scale", lambda q, k, v: 1.0),
    ("times", lambda q, k, v: math.sqrt(q.shape[1])),
    ("no_root", lambda q, k, v: 1 / q.shape[1]),
    ("other_scale", lambda q, k, v: 1 / math.sqrt(len(q))),
    ("other_scale", lambda q, k, v: 1 / math.sqrt(len(k))),
    ("other_scale", lambda q, k, v: 1 / math.sqrt(v.shape[1])),
)


def _masked(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return softmax(np.where(mask, scores, -np.inf))


_WRONG_MASKS: tuple[tuple[str, Callable[[np.ndarray, np.ndarray], np.ndarray]], ...] = (
    ("", _masked),
    ("mask_ignored", lambda scores, mask: softmax(scores)),
    ("own_mask", lambda scores, mask: _masked(scores, np.tri(*scores.shape))),
    (
        "own_mask",
        lambda scores, mask: _masked(scores, np.tri(*scores.shape, len(scores.T) - len(scores))),
    ),
    ("own_mask", lambda scores, mask: np.tri(*scores.shape) * softmax(scores)),
    ("mask_after", lambda scores, mask: np.where(mask, softmax(scores), 0)),
    ("mask_inverted", lambda scores, mask: softmax(np.where(mask, -np.inf, scores))),
    ("mask_inverted", lambda scores, mask: np.where(mask, 0, softmax(scores))),
    ("mask_zero", lambda scores, mask: softmax(np.where(mask, scores, 0))),
    ("mask_zero", lambda scores, mask: softmax(scores + mask)),
    ("axis_0", lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=0)),
    ("axis_0", lambda scores, mask: softmax(scores, axis=0)),
    ("not_softmax", lambda scores, mask: np.where(mask, scores, -np.inf)),
    ("not_softmax", lambda scores, mask: np.where(mask, scores, 0)),
    ("not_softmax", lambda scores, mask: scores),
)


# four queries and six keys; each row and column of the mask holds both kinds
_MASK = np.array(
    [[1, 0, 0, 1, 0, 1], [0, 1, 1, 0, 1, 0], [1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 1]], dtype=bool
)


_SQUARE_MASK = np.array(
    [[0, 1, 0, 0, 1], [1, 0, 0, 1, 0], [0, 0, 1, 1, 0], [1, 0, 1, 0, 1], [0, 1, 0, 1, 1]],
    dtype=bool,
)


@exercise()
def check_attention(
    candidate: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]],
) -> Feedback:
    """Check a learner's scaled dot-product attention with a mask.

    Parameters
    ----------
    candidate : callable
        Takes ``(q, k, v, mask)`` of shapes (n_queries, d_k), (n_keys, d_k), (n_keys, d_v) and
        (n_queries, n_keys), returns ``(output, weights)``.

    Examples
    --------
    >>> from course_utils.attention import scaled_dot_product_attention
    >>> check_attention(scaled_dot_product_attention).state
    'correct'
    """
    require_function(candidate, "q", "k", "v", "mask")
    rng = np.random.RandomState(9)
    q, k, v = rng.randn(4, 9), rng.randn(6, 9), rng.randn(6, 5)
    square = (*rng.randn(3, 5, 5), _SQUARE_MASK)
    try:
        _judge_attention(candidate, q, k, v, _MASK)
    except Wrong as wrong:
        if wrong.cause == "raised":
            _name_what_needs_a_square(candidate, square, wrong)
        raise
    _judge_attention(candidate, *square)
    _judge_attention(candidate, *square[:3], causal_mask(5))
    everything = np.ones((3, 4), dtype=bool)
    _judge_attention(candidate, rng.randn(3, 16), rng.randn(4, 16), rng.randn(4, 2), everything)


def _name_what_needs_a_square(
    candidate: Callable[..., object], square: tuple[np.ndarray, ...], raised: Wrong
) -> None:
    """Name a slip that stops elsewhere, and runs where all sizes are equal."""
    try:
        _judge_attention(candidate, *square)
    except Wrong as wrong:
        if wrong.cause in ("not_transposed", "weights_transposed", "exchanged", "own_mask"):
            raise
        if raised.words == "shapes" and "broadcast" not in raised.values["error"]:
            raise Wrong("product", error=raised.values["error"]) from None
        return
    raise Wrong("square_only", error=raised.values["error"])


def _judge_attention(
    candidate: Callable[..., object], q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray
) -> None:
    output, weights = _read_two(ask(candidate, q, k, v, mask), mask.shape, (len(q), v.shape[1]))
    weights = read_array(weights, finite=False)
    scores = q @ k.T
    right = softmax(np.where(mask, scores / math.sqrt(q.shape[1]), -np.inf))
    if weights.shape != right.shape:
        raise Wrong("weights_shape", wanted=right.shape, got=weights.shape)
    if not np.allclose(weights, right, rtol=0, atol=1e-6):
        _name_wrong_weights(weights, right, q, k, v, mask)
    output = read_array(output)
    wrong_outputs = [v, weights @ k, *([weights @ q] if len(q) == len(k) else [])]
    if any(_like(output, wrong) for wrong in wrong_outputs):
        raise Wrong("values_unused")
    if len(q) == len(k) and _like(output, weights.T @ v):
        raise Wrong("weights_transposed")
    if output.shape != (len(q), v.shape[1]):
        raise Wrong("output_shape", wanted=(len(q), v.shape[1]), got=output.shape)
    if not _like(output, weights @ v):
        refuse_rounded([output], [weights @ v])
        raise Wrong("output")


def _like(found: np.ndarray, wanted: np.ndarray) -> bool:
    return found.shape == wanted.shape and np.allclose(found, wanted, rtol=0, atol=1e-6)


def _read_two(
    result: object, weights: tuple[int, ...], output: tuple[int, ...]
) -> tuple[object, object]:
    if not isinstance(result, tuple | list) or len(result) != 2:
        try:
            shape = read_array(result, finite=False).shape
        except Wrong as wrong:
            if wrong.cause == "not_attempted":
                raise
            shape = None
        if shape in (weights, output):
            raise Wrong("only_weights" if shape == weights else "only_output")
        raise Wrong("not_two", got=plain(shown(result)))
    first, second = (read_array(part, finite=False) for part in result)
    if weights != output and (first.shape, second.shape) == (weights, output):
        raise Wrong("swapped_order")
    return first, second


def _name_wrong_weights(
    weights: np.ndarray,
    right: np.ndarray,
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    mask: np.ndarray,
) -> None:
    tables = [("", q @ k.T)]
    if len(q) == len(k) == q.shape[1]:
        tables += [
            ("not_transposed", q @ k),
            ("not_transposed", q.T @ k),
            ("not_transposed", k @ q),
            ("exchanged", k @ q.T),
        ]
    for product, scores in tables:
        for scale, factor in _WRONG_SCALES:
            for masking, weigh in _WRONG_MASKS:
                try:
                    built = weigh(scores * factor(q, k, v), mask)
                except ValueError:  # a row that the inverted mask hides from end to end
                    continue
                if np.allclose(weights, built, rtol=0, atol=1e-6):
                    raise Wrong(product or masking or scale)
    if not np.isfinite(weights).all():
        raise Wrong("not_finite", place=place_of(~np.isfinite(weights)))
    refuse_entry("weights", weights, right)
