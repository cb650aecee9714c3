"""The explorer of chapter 5: what a trained head looks at, and the bar of a long loop."""

from collections.abc import Iterator, Sequence

import ipywidgets as widgets
import numpy as np
from IPython.display import display

from course_utils import training
from course_utils.explorers.controls import choice, log_slider, slider, switch
from course_utils.explorers.explorer import Explorer, Step
from course_utils.explorers.pictures import metrics, weights_map
from course_utils.language import text


def beyond(
    arm: str = "sinusoidal",
    masked: bool = False,
    seq_len: int = 24,
    strength: float = 1.0,
    seed: int = 0,
) -> Explorer:
    """Explore the heads of chapter 5, trained on 16 tokens to write the word before.

    It shows the weights, the accuracy, and the mean weight one back. A layer is trained when it is
    shown for the first time, which takes a moment, and then kept.

    Parameters
    ----------
    arm : {"none", "placebo", "count", "random", "learned", "sinusoidal", "alibi", "t5", "rope"}
        How the layer is told positions.
    masked : bool
        Whether the future is hidden from it.
    seq_len : int
        Number of tokens that it reads, 4 to 128.
    strength : float
        Factor on the scores, 0.1 to 10; 1 is how it was trained.
    seed : int
        Which of its five trainings, 0 to 4.

    Examples
    --------
    >>> print(beyond(arm="t5", seq_len=64).summary())
    T5, 64 tokens, seed 0: 1.00 of the words right; over five seeds 1.00, from 1.00 to 1.00
    """
    heat = weights_map("explorer.weights")

    def step(arm: str, masked: bool, seq_len: int, strength: float, seed: int) -> Step:
        layers = training.train(arm, masked=masked)
        right = training.accuracy(layers, seq_len, strength)
        tokens = np.random.RandomState(seed).randint(training.VOCABULARY, size=seq_len)
        parameters = {name: each[seed : seed + 1] for name, each in layers.parameters.items()}
        x = layers.words[seed][tokens][None, None]
        weights = training.attend(arm, masked, x, parameters, strength)[-1][0, 0]
        found = {"own": right[seed], "mean": right.mean(), "low": right.min(), "high": right.max()}
        rounded = {name: f"{each:.2f}" for name, each in found.items()}
        said = text("beyond.summary", arm=text(f"arm.{arm}"), seq_len=seq_len, seed=seed, **rounded)
        measured = {
            "meter.accuracy": found["own"],
            "meter.mean_accuracy": found["mean"],
            "meter.back_1": np.trace(weights, -1) / (seq_len - 1),
        }
        return Step(said, [heat.show(weights), metrics("explorer.meters", measured)])

    controls = {
        "arm": choice("beyond.arm", [(text(f"arm.{name}"), name) for name in training.ARMS]),
        "masked": switch("attend.mask"),
        "seq_len": slider("beyond.seq_len", 4, training.LONGEST),
        "strength": log_slider("beyond.strength", -1, 1, ".2f"),
        "seed": slider("compare.seed", 0, 4),
    }
    values = {"arm": arm, "masked": masked, "strength": strength, "seed": seed}
    return Explorer(controls, step, seq_len=seq_len, **values)


class _Bar(widgets.IntProgress):
    """A bar in JupyterLab; where nothing moves, a line that says how much there is to do."""

    def __repr__(self) -> str:
        return text("explorer.to_do", count=self.max)


def progress(jobs: Sequence) -> Iterator:
    """Show a bar now, and return an iterator over a sequence of jobs that moves it on.

    Examples
    --------
    >>> sum(progress([1, 2]))
    2 to do
    3
    """
    style = {"description_width": "auto"}
    bar = _Bar(max=len(jobs), description=text("explorer.progress"), style=style)
    display(bar)

    def run() -> Iterator:
        for job in jobs:
            yield job
            bar.value += 1

    return run()
