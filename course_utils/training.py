"""One attention layer that learns to write an earlier word; NumPy, its gradients by hand.

Word vectors are fixed and random. Positions enter queries, keys or scores; what is read is words,
in every arm. Seeds are trained side by side, along the first axis of each array.
"""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from course_utils.arguments import limit_number, positive_integer, string, true_or_false
from course_utils.attention import causal_mask, softmax
from course_utils.beyond import alibi_bias, rotate, t5_bucket
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.language import text

__all__ = ["Trained", "accuracy", "attend", "loss_and_gradients", "train"]

ARMS = ("none", "placebo", "count", "random", "learned", "sinusoidal", "alibi", "t5", "rope")
VOCABULARY, WIDTH, SEQ_LEN, LONGEST, SENTENCES, SLOPE, BUCKETS = 16, 32, 16, 128, 16, 0.5, 16
_kept: dict[tuple, "Trained"] = {}


class Trained(NamedTuple):
    """One layer for each seed; `parameters` are `w_q`, `w_k`, `w_out`, and `rows` or `bias`.

    `words` has shape (seeds, 16, width), `losses`, in nats, (steps, seeds). `rows` are added to
    the words; `bias` has one number for each of T5's buckets.
    """

    arm: str
    masked: bool
    back: int
    words: np.ndarray
    parameters: dict[str, np.ndarray]
    losses: np.ndarray


def attend(
    arm: str, masked: bool, x: np.ndarray, parameters: dict[str, np.ndarray], strength: float = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the words with their rows, queries, keys and weights, all (seeds, sentences, n, ...).

    `x` holds word vectors, (seeds, sentences, n, width); `strength` is a factor on the scores.
    """
    n = x.shape[-2]
    h = x + parameters["rows"][:, None, :n] if "rows" in parameters else x
    q, k = h @ parameters["w_q"][:, None], h @ parameters["w_k"][:, None]
    if arm == "rope":
        q, k = rotate(q), rotate(k)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if arm == "alibi":
        scores += alibi_bias(n, SLOPE)
    elif arm == "t5":
        scores += parameters["bias"][:, None, _buckets(n, masked)]
    if masked:
        scores[..., ~causal_mask(n)] = -np.inf
    return h, q, k, softmax(strength * scores)


def loss_and_gradients(
    arm: str, masked: bool, x: np.ndarray, target: np.ndarray, parameters: dict[str, np.ndarray]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the mean cross-entropy, in nats, and its gradient by each learned parameter.

    `target`, (seeds, sentences, n), is the word to write at each place, -1 where none is wanted.
    Source: Goodfellow et al., "Deep Learning" (2016), section 6.5.
    """
    n, scale = x.shape[-2], math.sqrt(parameters["w_q"].shape[-1])
    h, q, k, weights = attend(arm, masked, x, parameters)
    read = weights @ x
    guess = softmax(read @ parameters["w_out"][:, None])
    asked, wanted = target >= 0, target[..., None] == np.arange(guess.shape[-1])
    count = asked.sum(axis=(1, 2))
    right = np.where(asked, np.take_along_axis(guess, target[..., None], -1)[..., 0], 1)
    loss = -np.log(right).sum(axis=(1, 2)) / count
    d_out = (guess - wanted) * (asked / count[:, None, None])[..., None]
    d_weights = d_out @ parameters["w_out"][:, None].mT @ x.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    d_q, d_k = d_scores @ k / scale, d_scores.mT @ q / scale
    if arm == "rope":
        d_q, d_k = (rotate(d[..., ::-1, :], start=1 - n)[..., ::-1, :] for d in (d_q, d_k))
    pairs = {"w_q": (h, d_q), "w_k": (h, d_k), "w_out": (read, d_out)}
    gradients = {name: (a.mT @ b).sum(axis=1) for name, (a, b) in pairs.items()}
    if arm == "learned":
        d_h = d_q @ parameters["w_q"][:, None].mT + d_k @ parameters["w_k"][:, None].mT
        gradients["rows"] = np.zeros_like(parameters["rows"])
        gradients["rows"][:, :n] = d_h.sum(axis=1)
    elif arm == "t5":
        in_bucket = _buckets(n, masked).ravel()[:, None] == np.arange(BUCKETS)
        gradients["bias"] = d_scores.sum(axis=1).reshape(len(x), -1) @ in_bucket
    return loss, gradients


def train(
    arm: str,
    seeds: int = 5,
    steps: int = 200,
    masked: bool = False,
    back: int = 1,
    rate: float = 0.02,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Trained:
    """Train a layer for each of the seeds 0 to seeds - 1 to write the word `back` places before.

    Adam (Kingma and Ba 2015, algorithm 1), 16 new sentences of 16 tokens a step. Results are kept.

    Parameters
    ----------
    arm, masked : str, bool
        One of `ARMS`; whether the future is hidden.
    seeds, steps, back, rate : int, int, int, float
        At least 1; back at most 15; the rate of Adam is above 0.
    progress : callable
        Wraps the range of steps while training runs, as `tqdm` does.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the kind or range above.

    Examples
    --------
    >>> train("rope", seeds=1, steps=2).losses.shape
    (2, 1)
    """
    if string("arm", arm, ARMS[-1]) not in ARMS:
        raise ValueError(text("error.choice", name="arm", known=ARMS, got=arm))
    seeds, steps = positive_integer("seeds", seeds, 5), positive_integer("steps", steps, 200)
    if positive_integer("back", back, 1) >= SEQ_LEN:
        raise ValueError(text("error.range", name="back", low=1, high=SEQ_LEN - 1, got=back))
    key = (arm, seeds, steps, true_or_false("masked", masked), back, limit_number("rate", rate))
    if key in _kept:
        return _kept[key]
    draws = [np.random.RandomState(seed) for seed in range(seeds)]
    starts = [_start(arm, rng) for rng in draws]
    parameters = {name: np.stack([each[name] for each in starts]) for name in starts[0]}
    words, mean, square, losses = parameters.pop("words"), {}, {}, []
    for step in progress(range(1, steps + 1)):
        x, target = _sentences(words, draws, SENTENCES, SEQ_LEN, back)
        loss, gradients = loss_and_gradients(arm, masked, x, target, parameters)
        losses.append(loss)
        for name, slope in gradients.items():
            mean[name] = 0.9 * mean.get(name, 0) + 0.1 * slope
            square[name] = 0.999 * square.get(name, 0) + 0.001 * slope**2
            size = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
            moved = parameters[name] - rate * mean[name] / (1 - 0.9**step) / size
            # in few digits, so that what is trained does not hang on the order of a sum
            parameters[name] = moved.astype(np.float32).astype(float)
    for array in (words, *parameters.values()):
        array.flags.writeable = False
    _kept[key] = Trained(arm, masked, back, words, parameters, np.array(losses))
    return _kept[key]


def accuracy(trained: Trained, seq_len: int = SEQ_LEN, strength: float = 1.0) -> np.ndarray:
    """Return, for each seed, the share of words written rightly in new sentences.

    There are about a thousand words; `seq_len` is above `trained.back` and at most 128.
    """
    arm, masked, back, words, parameters, _ = trained
    draws = [np.random.RandomState(1000 + seed) for seed in range(len(words))]
    x, target = _sentences(words, draws, max(1, 1024 // seq_len), seq_len, back)
    weights = attend(arm, masked, x, parameters, strength)[-1]
    guess = (weights @ x @ parameters["w_out"][:, None]).argmax(axis=-1)
    return (guess == target).sum(axis=(1, 2)) / (target >= 0).sum(axis=(1, 2))


def _start(arm: str, rng: np.random.RandomState) -> dict[str, np.ndarray]:
    start = {
        "words": rng.randn(VOCABULARY, WIDTH),
        **{name: rng.randn(WIDTH, WIDTH) / math.sqrt(WIDTH) for name in ("w_q", "w_k")},
        "w_out": rng.randn(WIDTH, VOCABULARY) / 100,
    }
    pe = sinusoidal_positional_encoding(LONGEST, WIDTH)
    rows = {
        "placebo": np.tile(pe[3], (LONGEST, 1)),
        "count": np.outer(np.arange(LONGEST), np.eye(WIDTH)[0]),
        "random": rng.randn(LONGEST, WIDTH) / math.sqrt(2),
        "learned": rng.randn(LONGEST, WIDTH) / 10,
        "sinusoidal": pe,
    }
    if arm == "t5":
        start["bias"] = np.zeros(BUCKETS)
    return start | ({"rows": rows[arm]} if arm in rows else {})


def _sentences(words: np.ndarray, draws: list, count: int, seq_len: int, back: int) -> tuple:
    tokens = np.stack([rng.randint(VOCABULARY, size=(count, seq_len)) for rng in draws])
    target = np.pad(tokens[..., :-back], ((0, 0), (0, 0), (back, 0)), constant_values=-1)
    return words[np.arange(len(words))[:, None, None], tokens], target


def _buckets(n: int, masked: bool) -> np.ndarray:
    pos = np.arange(n)
    return t5_bucket(pos - pos[:, None], BUCKETS, SEQ_LEN, signed=not masked)
