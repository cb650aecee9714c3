"""Chapter 3: softmax, attention whole, the spread of scores, and a head that looks ahead."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of, shown
from course_utils.attention import causal_mask, softmax
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    exercise,
    judge_choice,
    plain,
    read_array,
    read_number,
    refuse_rounded,
    require_function,
    usual_number,
)
from course_utils.encoding import sinusoidal_positional_encoding

__all__ = [
    "check_attention",
    "check_look_ahead",
    "check_most_attended",
    "check_score_deviation",
    "check_softmax",
]


@exercise(
    "sentence = ['the', 'cat', 'chased', 'the', 'dog']\n"
    "rng = np.random.RandomState(42)\n"
    "vector = {word: rng.randn(8) for word in dict.fromkeys(sentence)}\n"
    "x = np.array([vector[word] for word in sentence])\n"
    "for word, weight in zip(sentence, attention.attention_weights(x, x)[1], strict=True):\n"
    "    print(f'{word:8} {weight:.4f}')"
)
def check_most_attended(answer: str) -> Feedback:
    """Check a prediction: which token has the largest weight from ``cat``, without positions.

    Parameters
    ----------
    answer : str
        A word of the sentence, or ``"all alike"``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> check_most_attended("cat").state
    'correct'
    >>> check_most_attended("the").cause
    'the'
    """
    right = dict.fromkeys(("cat", "itself", "cat itself"), "")
    alike = dict.fromkeys(("all alike", "all the same", "all"), "all_alike")
    others = {"the": "the", "chased": "another_word", "dog": "another_word"}
    judge_choice(answer, right | alike | others)


@exercise(
    "q, k = np.random.RandomState(42).randn(2, 1000, 256)\n"
    "my_deviation = (q @ k.T).std()  # a million dot products"
)
def check_score_deviation(answer: float) -> Feedback:
    """Check the standard deviation of unscaled scores at width 256.

    Parameters
    ----------
    answer : float
        Right to 5 %, so that a measured value will do.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1, footnote 4.

    Examples
    --------
    >>> check_score_deviation(256).cause
    'variance'
    """
    found = read_number(answer)
    usual = {
        "": 16.0,
        "variance": 256.0,
        "scaled": 1.0,
        "factor": 1 / 16,
        "two_roots": 4.0,
        "half": 128.0,
        "two_widths": math.sqrt(512),
    }
    cause = usual_number(found, usual, rtol=0.05)
    if cause is None and abs(found) < 0.75:
        cause = "mean"
    if cause is None:
        raise Wrong("too_large" if found > 16 else "too_small", got=f"{found:.4g}")
    if cause:
        raise Wrong(cause)


# softmax


def _share(values: np.ndarray, axis: int | None = -1) -> np.ndarray:
    return values / values.sum(axis=axis, keepdims=True)


_WRONG_SOFTMAX: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("axis_0", lambda s: softmax(s, axis=0)),
    ("over_all", lambda s: _share(np.exp(s), axis=None)),
    ("no_exp", _share),
    ("no_exp", lambda s: _share(s - s.max(axis=-1, keepdims=True))),
    ("not_normalised", np.exp),
    ("not_normalised", lambda s: np.exp(s - s.max(axis=-1, keepdims=True))),
    ("not_normalised", lambda s: np.exp(s - s.max())),
    ("negative", lambda s: softmax(-s)),
    ("logarithm", lambda s: np.log(softmax(s))),
    ("base_2", lambda s: _share(2.0**s)),
    ("largest_only", lambda s: (s == s.max(axis=-1, keepdims=True)).astype(float)),
)
_LARGE_SCORES = (
    [[1000.0, 1001.0, 998.0], [1001.0, 1002.0, 1000.0]],
    [[-1000.0, -1001.0, -998.0], [-1001.0, -1000.5, -1002.0]],
    [[1000.0, -1000.0, -1001.0], [1001.0, -1000.0, -999.0]],
)
_ROWS_APART = [[1000.0, 1001.0, 999.0], [-1000.0, -1001.0, -999.0]]


@exercise(
    "def my_softmax(scores):\n"
    "    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
    "    return weights / weights.sum(axis=-1, keepdims=True)"
)
def check_softmax(candidate: Callable[[np.ndarray], npt.ArrayLike]) -> Feedback:
    """Check a learner's softmax along the last axis, also of scores of 1,000.

    Parameters
    ----------
    candidate : callable
        Takes scores of shape (..., n), returns weights of that shape.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> check_softmax(softmax).state
    'correct'
    >>> check_softmax(lambda scores: np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)).cause
    'overflow'
    """
    require_function(candidate, "scores")
    rng = np.random.RandomState(5)
    one, two, three = rng.randn(4), rng.randn(3, 5), rng.randn(2, 3, 4)
    matrix = _softmax_of(candidate, two)
    if not np.allclose(matrix, softmax(two), rtol=0, atol=1e-6):
        _name_wrong_softmax(matrix, two)
    for scores in (one, three):
        try:
            fine = np.allclose(_softmax_of(candidate, scores), softmax(scores), rtol=0, atol=1e-6)
        except Wrong as wrong:
            if wrong.cause not in ("raised", "shape"):
                raise
            fine = False
        if not fine:
            raise Wrong("fixed_axes", got=scores.shape)
    for large in map(np.array, _LARGE_SCORES):
        _refuse_large(candidate, large, "overflow")
    _refuse_large(candidate, np.array(_ROWS_APART), "one_maximum")


def _softmax_of(candidate: Callable[[np.ndarray], npt.ArrayLike], scores: np.ndarray) -> np.ndarray:
    try:
        return read_array(ask(candidate, scores), scores.shape)
    except Wrong as wrong:
        if "broadcast" in wrong.values.get("error", ""):
            raise Wrong("keepdims", got=scores.shape) from None
        raise


def _name_wrong_softmax(found: np.ndarray, scores: np.ndarray) -> None:
    for cause, build in _WRONG_SOFTMAX:
        if np.allclose(found, build(scores), rtol=0, atol=1e-6):
            raise Wrong(cause)
    _name_entry("entry", found, softmax(scores))


def _name_entry(cause: str, found: np.ndarray, wanted: np.ndarray) -> None:
    refuse_rounded([found], [wanted])
    off = np.abs(found - wanted) > 1e-6
    got, right = apart(found[off][0], wanted[off][0])
    total = found[int(off.any(axis=1).argmax())].sum()
    told = "1.0000" if abs(total - 1) < 1e-6 else apart(total, 1.0)[0]
    raise Wrong(cause, place=place_of(off), got=got, wanted=right, sum=told)


def _refuse_large(
    candidate: Callable[[np.ndarray], npt.ArrayLike], scores: np.ndarray, cause: str
) -> None:
    found = read_array(ask(candidate, scores), scores.shape, finite=False)
    row = scores[0].tolist()
    if not np.isfinite(found).all():
        raise Wrong(cause, row=row)
    right = softmax(scores)
    if not np.allclose(found, right, rtol=0, atol=1e-6):
        off = int(np.abs(found - right).max(axis=-1).argmax())
        # without its own maximum a row vanishes: all its exponentials are 0
        vanished = cause == "one_maximum" and found[off].sum() < 0.5
        got, wanted = apart(found[off], right[off])
        row = scores[off].tolist()
        raise Wrong(cause if vanished else "large_scores", row=row, got=got, wanted=wanted)


# attention

_SCALES: tuple[tuple[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]], ...] = (
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


_MASKS: tuple[tuple[str, Callable[[np.ndarray, np.ndarray], np.ndarray]], ...] = (
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


@exercise(
    "def my_attention(q, k, v, mask):\n"
    "    scores = q @ k.T / math.sqrt(q.shape[1])\n"
    "    weights = attention.softmax(np.where(mask, scores, -np.inf))\n"
    "    return weights @ v, weights"
)
def check_attention(
    candidate: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]],
) -> Feedback:
    """Check a learner's scaled dot-product attention with a mask.

    Parameters
    ----------
    candidate : callable
        Takes ``(q, k, v, mask)`` of shapes (n_queries, d_k), (n_keys, d_k), (n_keys, d_v) and
        (n_queries, n_keys), returns ``(output, weights)``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

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
        for scale, factor in _SCALES:
            for masking, weigh in _MASKS:
                try:
                    built = weigh(scores * factor(q, k, v), mask)
                except ValueError:  # a row that the inverted mask hides from end to end
                    continue
                if np.allclose(weights, built, rtol=0, atol=1e-6):
                    raise Wrong(product or masking or scale)
    if not np.isfinite(weights).all():
        raise Wrong("not_finite", place=place_of(~np.isfinite(weights)))
    _name_entry("weights", weights, right)


# a head that looks two words ahead

_STEPS = {-2: "looks_back", 1: "one_ahead", -1: "one_back", 0: "itself"}


@exercise("def my_w_q(d_model):\n    return encoding.rotation_matrix(2, d_model).T")
def check_look_ahead(candidate: Callable[[int], npt.ArrayLike]) -> Feedback:
    """Check a learner's query projection: with keys ``pe``, each row looks two rows ahead.

    Parameters
    ----------
    candidate : callable
        Takes ``d_model``, returns a matrix of shape (d_model, d_model). Any will do for which
        row ``p`` of ``pe @ matrix`` has its largest dot product with ``pe[p + 2]``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> from course_utils.encoding import rotation_matrix
    >>> check_look_ahead(lambda d_model: rotation_matrix(2, d_model).T).state
    'correct'
    >>> check_look_ahead(lambda d_model: rotation_matrix(2, d_model)).cause
    'looks_back'
    """
    require_function(candidate, "d_model")
    for d_model in (16, 32, 64):
        w_q = read_array(ask(candidate, d_model))
        if w_q.shape != (d_model, d_model):
            _name_fixed_width(candidate, w_q.shape, d_model)
        w_q = w_q.astype(np.float64)
        if not w_q.any():
            raise Wrong("zeros")
        pe = sinusoidal_positional_encoding(40, d_model)
        steps = np.argmax(pe @ w_q @ pe.T, axis=1) - np.arange(40)
        inner = np.unique(steps[4:36])
        if (steps[:38] == 2).all():
            continue
        if len(inner) == 1 and inner[0] in _STEPS:
            raise Wrong(_STEPS[int(inner[0])])
        if len(inner) == 1 and inner[0] != 2:
            raise Wrong("other_step", got=int(inner[0]))
        row = int(np.argmax(steps[:38] != 2))
        share = float(np.mean(steps[:38] == 2))
        looks = int(row + steps[row])
        raise Wrong(
            "some_rows", width=d_model, share=f"{share:.2f}", row=row, got=looks, wanted=row + 2
        )


def _name_fixed_width(
    candidate: Callable[[int], npt.ArrayLike], got: tuple[int, ...], d_model: int
) -> None:
    if len(got) == 2 and read_array(ask(candidate, 2 * d_model)).shape == got:
        raise Wrong("outer_d_model", got=got)
    raise Wrong("shape", wanted=(d_model, d_model), got=got)
