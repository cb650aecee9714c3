"""The explorer of chapter 3: what a head looks at."""

import functools
import math

import numpy as np

from course_utils import plots
from course_utils.attention import attention_weights, causal_mask
from course_utils.encoding import rotation_matrix, sinusoidal_positional_encoding
from course_utils.explorers.controls import choice, float_slider, log_slider, slider, switch
from course_utils.explorers.explorer import Explorer, Step, drawn
from course_utils.explorers.pictures import metrics, weights_map
from course_utils.language import text

LOOK_BACK = {"back_1": 1, "back_3": 3}


def attend(
    seq_len: int = 24,
    d_model: int = 64,
    temperature: float = 0.1,
    words: float = 0.0,
    mask: bool = False,
    head: str = "back_1",
) -> Explorer:
    """Explore the weights of chapter 3: heads, mask, temperature, and words that interfere.

    It shows the weights, and how much of them lies on the token itself, one back and three back.

    Parameters
    ----------
    seq_len, d_model : int
        Number of tokens, 4 to 128, and width, even, 2 to 256.
    temperature : float
        Divides the scores, 0.01 to 10.
    words : float
        Factor on the random word vectors that are added to the positions, 0 to 1.
    mask : bool
        Whether the future is hidden.
    head : {"back_1", "back_3", "same", "random"}
        Looks one or three words back, compares tokens with themselves, or projects at random.

    Examples
    --------
    >>> print(attend(seq_len=8).summary())
    seq_len 8, d_model 64: mean weight 0.2720 on itself, 0.6716 one back, 0.0064 three back
    """
    heat = weights_map("explorer.weights")

    def step(
        seq_len: int, d_model: int, temperature: float, words: float, mask: bool, head: str
    ) -> Step:
        pe = sinusoidal_positional_encoding(seq_len, d_model)
        x = words * drawn(seq_len, d_model) + pe
        w_q, w_k = _projections(head, d_model)
        hidden = causal_mask(seq_len) if mask else None
        weights = attention_weights(x @ w_q / temperature, x @ w_k, hidden)
        means = [np.trace(weights, -back) / (seq_len - back) for back in (0, 1, 3)]
        names = ("meter.back_0", "meter.back_1", "meter.back_3")
        measured = dict(zip(names, means, strict=True))
        itself, one, three = map(plots.number, means)
        back = {"itself": itself, "one": one, "three": three}
        said = text("attend.summary", seq_len=seq_len, d_model=d_model, **back)
        return Step(said, [heat.show(weights), metrics("explorer.mean_weights", measured)])

    heads = [(text(f"attend.{name}"), name) for name in (*LOOK_BACK, "same", "random")]
    controls = {
        "head": choice("attend.head", heads),
        "mask": switch("attend.mask"),
        "seq_len": slider("encode.seq_len", 4, 128),
        "d_model": slider("encode.d_model", 2, 256, step=2),
        "temperature": log_slider("attend.temperature", -2, 1, ".2f"),
        "words": float_slider("attend.words", 0, 1, 0.01),
    }
    values = {"temperature": temperature, "words": words, "mask": mask, "head": head}
    return Explorer(controls, step, seq_len=seq_len, d_model=d_model, **values)


@functools.lru_cache(maxsize=8)
def _projections(head: str, d_model: int) -> np.ndarray:
    """Return w_q and w_k of one head."""
    same = np.eye(d_model)
    if head in LOOK_BACK:
        return np.stack([rotation_matrix(-LOOK_BACK[head], d_model).T, same])
    if head == "random":
        return drawn(2, d_model, d_model) / math.sqrt(d_model)
    return np.stack([same, same])
