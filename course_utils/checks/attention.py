"""A learner's attention, masks included."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of
from course_utils.attention import causal_mask
from course_utils.checks.feedback import (
    Wrong,
    apart,
    ask,
    exercise,
    explains,
    first_off,
    in_short,
    judge,
    read_array,
    refuse_rounded,
    ways,
)


def _hidden(scores: np.ndarray, mask: np.ndarray, fill: float = -np.inf) -> np.ndarray:
    return np.where(mask, scores, fill)


def _shared(exponentials: np.ndarray, axis: int = -1) -> np.ndarray:
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _soft(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax, and nan where all is hidden."""
    return _shared(np.exp(scores - scores.max(axis=axis, keepdims=True)), axis)


def _masked(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return _soft(_hidden(scores, mask))


_SCORES = (
    ("", lambda q, k: q @ k.T),
    *(("not_transposed", turn) for turn in (np.matmul, lambda q, k: q.T @ k, lambda q, k: k @ q)),
    ("exchanged", lambda q, k: k @ q.T),
    *(("one_of_two", alone) for alone in (lambda q, k: q @ q.T, lambda q, k: k @ k.T)),
)
_SCALES = (
    ("", lambda q, k, v: 1 / math.sqrt(q.shape[1])),
    ("no_scale", lambda q, k, v: 1.0),
    ("times", lambda q, k, v: math.sqrt(q.shape[1])),
    ("no_root", lambda q, k, v: 1 / q.shape[1]),
    *(("other_scale", lambda *qkv, i=i: qkv[i].shape[i // 2] ** -0.5) for i in range(3)),
    *(("fixed_scale", lambda q, k, v, by=by: 1 / by) for by in (2, 4, 8, math.sqrt(8))),
)
_MASKS = (
    ("", _masked),
    ("mask_ignored", lambda s, mask: _soft(s)),
    ("own_mask", lambda s, mask: _masked(s, np.tri(*s.shape))),
    ("own_mask", lambda s, mask: _masked(s, np.tri(*s.shape, len(s.T) - len(s)))),
    ("own_mask", lambda s, mask: np.tri(*s.shape) * _soft(s)),
    ("mask_after", lambda s, mask: _hidden(_soft(s), mask, 0)),
    ("mask_inverted", lambda s, mask: _soft(np.where(mask, -np.inf, s))),
    ("mask_inverted", lambda s, mask: _soft(np.where(mask, -1e9, s))),
    ("mask_inverted", lambda s, mask: np.where(mask, 0, _soft(s))),
    ("mask_turned", lambda s, mask: _masked(s, mask.T)),
    ("mask_zero", lambda s, mask: _soft(_hidden(s, mask, 0))),
    ("mask_added", lambda s, mask: _soft(s + mask)),
    ("axis_0", lambda s, mask: _soft(_hidden(s, mask, -1e9), axis=0)),
    ("axis_0", lambda s, mask: _soft(s, axis=0)),
    ("one_sum", lambda s, mask: _shared(np.exp(_hidden(s, mask)), axis=None)),
    ("no_sum", lambda s, mask: np.exp(_hidden(s, mask))),
    ("no_keepdims", lambda s, mask: np.exp(_hidden(s, mask)) / np.exp(_hidden(s, mask)).sum(-1)),
    ("no_keepdims", lambda s, m: (e := np.exp((h := _hidden(s, m)) - h.max(-1))) / e.sum(-1)),
    ("not_softmax", _hidden),
    ("not_softmax", lambda s, mask: _hidden(s, mask, 0)),
    ("not_softmax", lambda s, mask: s),
)
_OUTPUTS = (
    ("", lambda w, q, k, v: w @ v),
    ("values_unused", lambda w, q, k, v: v),
    ("values_unused", lambda w, q, k, v: w @ k),
    ("values_unused", lambda w, q, k, v: w @ q),
    ("weights_transposed", lambda w, q, k, v: w.T @ v),
)
# right for small scores, and not for large ones; but for the first two
_SHIFTS = (
    ("", _masked),
    ("", lambda s, mask: _shared(_soft(s) * mask)),  # the same, until hidden scores tower
    ("overflow", lambda s, mask: _shared(np.exp(_hidden(s, mask)))),
    ("overflow", lambda s, mask: _shared(np.exp(s) * mask)),
    ("one_maximum", lambda s, mask: _shared(np.exp(_hidden(s, mask) - s[mask].max()))),
    ("one_maximum", lambda s, mask: _shared(np.exp(_hidden(s, mask) - s.max()))),
)

# four queries and six keys; each row and column of the mask holds both kinds
_MASK = np.array([*map(list, ("100101", "011010", "110011", "001101"))]) == "1"
_SQUARE_MASK = np.array([*map(list, ("01001", "10010", "00110", "10101", "01011"))]) == "1"
# where a row may leak, overflow or vanish: scores of the keys that are seen
_LARGE = np.array([[-4e4], [4e4], [0.0], [900.0]])
# mistakes that stop where sizes differ
_OF_SQUARES = {"not_transposed", "weights_transposed", "exchanged", "own_mask", "one_of_two"}
_OF_SQUARES |= {"mask_turned", "no_keepdims", "values_unused"}


def _weights(multiply: Callable, factor: Callable, weigh: Callable) -> Callable:
    return lambda q, k, v, mask: weigh(multiply(q, k) * factor(q, k, v), mask)


_WEIGHTS = tuple(ways(_weights, _SCORES, _SCALES, _MASKS))
_right = _WEIGHTS[0][1]


@exercise("q", "k", "v", "mask", causes=[*_SCORES, *_SCALES, *_MASKS, *_OUTPUTS, *_SHIFTS])
def check_attention(candidate: Callable[..., tuple[npt.ArrayLike, npt.ArrayLike]]) -> None:
    """Check a learner's scaled dot-product attention with a mask, also of large scores.

    Takes ``(q, k, v, mask)`` of shapes (n_queries, d_k), (n_keys, d_k), (n_keys, d_v) and
    (n_queries, n_keys), returns ``(output, weights)``.

    >>> check_attention(lambda q, k, v, mask: (v, np.ones(mask.shape))).cause
    'hidden_seen'
    """
    rng = np.random.RandomState(9)
    oblong = (rng.randn(4, 9), rng.randn(6, 9), rng.randn(6, 5), _MASK)
    square = rng.randn(3, 5, 5)
    squares = [(*square, _SQUARE_MASK), (*square, causal_mask(5))]
    all_seen = (rng.randn(3, 16), rng.randn(4, 16), rng.randn(4, 2), np.ones((3, 4), dtype=bool))
    try:
        _judge(candidate, [oblong, *squares, all_seen])
    except Wrong as wrong:
        if wrong.cause == "raised":
            _name_slip(candidate, squares, wrong)
        raise
    scores = _LARGE * np.where(_MASK | (_LARGE > 0), 1, 0) + rng.randn(*_MASK.shape)
    q = 3 * scores @ np.linalg.pinv(oblong[1].T)  # so that q @ k.T / 3 is those
    _judge_large(candidate, (q, *oblong[1:]))


def _name_slip(candidate: Callable, squares: list[tuple], raised: Wrong) -> None:
    """Name a slip that stops elsewhere, and runs where all sizes are equal."""
    if "nan" in raised.values["error"]:
        raise Wrong("all_nan") from None
    try:
        _judge(candidate, squares)
    except Wrong as wrong:
        if _OF_SQUARES & set(wrong.cause.split("+")):
            raise
        if raised.words == "shapes" and "broadcast" not in raised.values["error"]:
            raise Wrong("product", error=raised.values["error"]) from None
        return
    raise Wrong("square_only", error=raised.values["error"])


def _judge(candidate: Callable[..., object], trials: list[tuple]) -> None:
    """Compare the weights, then the outputs; a mistake is named if it explains all trials."""
    found, stopped = [], None
    for trial in trials:
        try:
            found.append(_read_two(ask(candidate, *trial), trial))
        except Wrong as wrong:
            if wrong.cause != "raised" or not found:
                raise
            stopped, trials = wrong, trials[: len(found)]  # the mistake shows in those before
            break
    outputs, weights = zip(*found, strict=True)
    for each, trial in zip(weights, trials, strict=True):
        if each.shape != trial[3].shape:
            raise Wrong("weights_shape", wanted=trial[3].shape, got=each.shape)
    _judge_weights(outputs, weights, trials)
    given = [(w, q, k, v) for w, (q, k, v, _) in zip(weights, trials, strict=True)]
    if judge(_OUTPUTS, outputs, given):
        if stopped:
            raise stopped
        return
    right = [w @ v for w, _, _, v in given]
    for output, wanted in zip(outputs, right, strict=True):
        read_array(output)
        if output.shape != wanted.shape:
            raise Wrong("output_shape", wanted=wanted.shape, got=output.shape)
    refuse_rounded(outputs, right)
    raise Wrong("output")


def _read_two(result: object, trial: tuple) -> tuple[np.ndarray, np.ndarray]:
    q, _, v, mask = trial
    weights, output = mask.shape, (len(q), v.shape[1])
    if not isinstance(result, tuple | list) or len(result) != 2:
        try:
            shape = read_array(result, finite=False).shape
        except Wrong as wrong:
            if wrong.cause == "not_attempted":
                raise
            shape = None
        cause = {output: "only_output", weights: "only_weights"}.get(shape, "not_two")
        raise Wrong(cause, got=in_short(result))
    first, second = (read_array(part, finite=False) for part in result)
    if weights != output and (first.shape, second.shape) == (weights, output):
        raise Wrong("swapped_order")
    return first, second


def _judge_weights(outputs: tuple, weights: tuple, trials: list[tuple]) -> None:
    if explains(_right, weights, trials):
        return
    if explains(lambda *trial: _right(*trial) @ trial[2], outputs, trials):
        raise Wrong("other_weights")
    try:
        judge(_WEIGHTS, weights, trials)
    except Wrong as wrong:
        given = [(w, v, mask) for w, (_, _, v, mask) in zip(weights, trials, strict=True)]
        if wrong.cause == "mask_ignored" and explains(lambda w, v, m: (w * m) @ v, outputs, given):
            raise Wrong("mask_in_output") from None
        raise
    if all(np.isnan(each).all() for each in weights):
        raise Wrong("all_nan")
    for found, (_, _, _, mask) in zip(weights, trials, strict=True):
        seen = read_array(found) * ~mask > 1e-6
        if seen.any():
            raise Wrong("hidden_seen", place=place_of(seen), got=f"{found[seen][0]:.2g}")
    trial, place, got, wanted = first_off(_right, weights, trials)
    total = weights[trial][place[0]].sum()
    told = "1.0000" if abs(total - 1) < 1e-6 else apart(total, 1.0)[0]
    raise Wrong("weights", place=place, got=got, wanted=wanted, sum=told)


def _judge_large(candidate: Callable[..., object], trial: tuple) -> None:
    q, k, _, mask = trial
    try:
        _, weights = _read_two(ask(candidate, *trial), trial)
    except Wrong as wrong:
        if wrong.values.get("name") == "OverflowError":
            raise Wrong("overflow") from None
        raise
    scores = q @ k.T / math.sqrt(q.shape[1])
    if judge(_SHIFTS, [weights], [(scores, mask)], atol=5e-3):  # float32 will do
        return
    leaks = np.nan_to_num(weights) * ~mask > 1e-6
    if leaks.any():
        raise Wrong("leaks", place=place_of(leaks), got=f"{weights[leaks][0]:.4f}")
    right = _masked(scores, mask)
    row = int(np.abs(np.nan_to_num(weights, nan=2.0) - right).max(axis=1).argmax())
    raise Wrong("large", row=row, got=weights[row].round(4), wanted=right[row].round(4))
