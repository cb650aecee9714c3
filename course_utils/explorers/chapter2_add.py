"""The explorer of chapter 2: the sum of words and positions."""

import numpy as np

from course_utils import plots
from course_utils.compare import energy_share
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.explorers.controls import log_slider, slider
from course_utils.explorers.explorer import Explorer, Step, drawn
from course_utils.explorers.pictures import encoding_map, metrics
from course_utils.language import text

# the cat chased the dog, as rows of the vocabulary
SENTENCE = (0, 1, 2, 0, 3)
VOCABULARY = 100


def add(seq_len: int = 20, d_model: int = 64, scale: float = 1.0) -> Explorer:
    """Explore the sum of chapter 2: what the scale of the words does to it.

    It shows the sum, the energy share, and which share of words and of positions a nearest
    neighbour reads back.

    Parameters
    ----------
    seq_len, d_model : int
        Number of tokens, 5 to 100, the sentence of five words over and over; width, even, 2 to 256.
    scale : float
        Factor on word vectors with entries of variance 1, 0.01 to 10.

    Examples
    --------
    >>> print(add(seq_len=5, d_model=8, scale=10.0).summary())
    seq_len 5, d_model 8, scale 10.00: the position has 0.0058 of the energy
    """
    heat = encoding_map("explorer.sum", limit=3.0)

    def step(seq_len: int, d_model: int, scale: float) -> Step:
        word = np.resize(SENTENCE, seq_len)
        words = scale * drawn(VOCABULARY, d_model)
        pe = sinusoidal_positional_encoding(seq_len, d_model)
        total = words[word] + pe
        found = np.argmin(np.square(words).sum(axis=1) - 2 * total @ words.T, axis=1)
        near = np.argmax(total @ pe.T, axis=1)
        measured = {
            "meter.energy_share": energy_share(words[word], pe),
            "meter.words_read": np.mean(found == word),
            "meter.positions_read": np.mean(near == np.arange(seq_len)),
        }
        sizes = {"seq_len": seq_len, "d_model": d_model, "scale": f"{scale:.2f}"}
        said = text("add.summary", **sizes, share=plots.number(measured["meter.energy_share"]))
        return Step(said, [heat.show(total), metrics("explorer.meters", measured)])

    controls = {
        "seq_len": slider("encode.seq_len", 5, 100),
        "d_model": slider("encode.d_model", 2, 256, step=2),
        "scale": log_slider("add.scale", -2, 1, ".2f"),
    }
    return Explorer(controls, step, seq_len=seq_len, d_model=d_model, scale=scale)
