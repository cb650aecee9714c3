"""The explorer of chapter 4: six arms, with and without, and three metrics."""

import math

import numpy as np

from course_utils import plots
from course_utils.attention import attention_weights
from course_utils.compare import frobenius_difference, order_gap, repeated_word_gap
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.explorers.controls import choice, float_slider, slider
from course_utils.explorers.explorer import Explorer, Step
from course_utils.explorers.pictures import metrics, weights_map
from course_utils.language import text

ARMS = ("none", "placebo", "count", "sinusoidal", "shuffled", "random")
FIRST, SECOND = 0, 3  # the same word stands in both places


def compare(
    seq_len: int = 8, d_model: int = 16, scale: float = 1.0, arm: str = "sinusoidal", seed: int = 0
) -> Explorer:
    """Explore the comparison of chapter 4: weights without an arm and with it, and three metrics.

    Parameters
    ----------
    seq_len, d_model : int
        Number of tokens, 4 to 64, and width, even, 2 to 128.
    scale : float
        Factor on what is added, 0 to 4.
    arm : {"none", "placebo", "count", "sinusoidal", "shuffled", "random"}
        What is added to the tokens.
    seed : int
        Draws words, projections and the random arms, 0 to 99.

    Examples
    --------
    >>> explorer = compare(arm="placebo")
    >>> print(explorer.summary())
    placebo, seq_len 8: Frobenius difference 0.7496, order gap 0.0000, repeated-word gap 0.0000
    """
    heat = weights_map("compare.without", "compare.with")

    def step(seq_len: int, d_model: int, scale: float, arm: str, seed: int) -> Step:
        rng = np.random.RandomState(seed)
        x, projections = rng.randn(seq_len, d_model), rng.randn(2, d_model, d_model)
        x[SECOND] = x[FIRST]
        w_q, w_k = projections / math.sqrt(d_model)
        added = scale * _arm(arm, seq_len, d_model, rng)

        def attend(x: np.ndarray) -> np.ndarray:
            return attention_weights((x + added) @ w_q, (x + added) @ w_k)

        base, weights = attention_weights(x @ w_q, x @ w_k), attend(x)
        order = rng.permutation(seq_len)
        order = order if np.any(np.diff(order) < 0) else order[::-1]  # one that moves tokens
        measured = {
            "meter.frobenius": frobenius_difference(weights, base),
            "meter.order_gap": order_gap(attend, x, order),
            "meter.repeated_word_gap": repeated_word_gap(weights, FIRST, SECOND),
        }
        row = zip(["frobenius", "order", "word"], map(plots.number, measured.values()), strict=True)
        said = text("compare.summary", arm=text(f"arm.{arm}"), seq_len=seq_len, **dict(row))
        return Step(said, [heat.show(base, weights), metrics("explorer.meters", measured)])

    controls = {
        "arm": choice("compare.arm", [(text(f"arm.{name}"), name) for name in ARMS]),
        "scale": float_slider("compare.scale", 0, 4, 0.05),
        "seq_len": slider("encode.seq_len", 4, 64),
        "d_model": slider("encode.d_model", 2, 128, step=2),
        "seed": slider("compare.seed", 0, 99),
    }
    values = {"scale": scale, "arm": arm, "seed": seed}
    return Explorer(controls, step, seq_len=seq_len, d_model=d_model, **values)


def _arm(name: str, seq_len: int, d_model: int, rng: np.random.RandomState) -> np.ndarray:
    pe, noise = sinusoidal_positional_encoding(seq_len, d_model), rng.randn(seq_len, d_model)
    count = np.outer(np.arange(seq_len), np.eye(d_model)[0])
    return {
        "none": np.zeros_like(pe),
        "placebo": np.tile(pe[SECOND], (seq_len, 1)),
        "count": count * np.linalg.norm(pe) / np.linalg.norm(count),
        "sinusoidal": pe,
        "shuffled": rng.permutation(pe),
        "random": noise * math.sqrt(d_model / 2) / np.linalg.norm(noise, axis=1, keepdims=True),
    }[name]
