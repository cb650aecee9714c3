"""Runs in the kernel: an explorer, and plain `interact` with pyplot that shows the same."""

import math
import time
from collections.abc import Mapping
from unittest.mock import patch

import ipywidgets as widgets
import matplotlib.pyplot as plt

from course_utils import explorers
from course_utils.explorers import pictures


class Pair:
    """Two ways to show the same: `ours` and `theirs`, which one control moves."""

    def __init__(
        self, chapter: str, moved: str, values: Mapping[str, object], layout: str | None
    ) -> None:
        self._moved, self._layout = moved, layout
        self.explorer = getattr(explorers, chapter)()
        self.explorer.set(**values)
        self.ours = self.explorer.box
        self._theirs_moves = self._copy(self.explorer.controls[moved])
        start, step = self._theirs_moves.value, 0.05
        logarithmic = hasattr(self._theirs_moves, "base")
        # ten steps down and up again
        self._values = [
            start * 10 ** (-k * step) if logarithmic else start - k * step / 5
            for k in (*range(1, 11), *range(9, -1, -1))
        ]
        others = {
            name: widgets.fixed(value)
            for name, value in self.explorer.values.items()
            if name != moved
        }
        self.theirs = widgets.interactive(self._draw, **{moved: self._theirs_moves}, **others)

    @staticmethod
    def _copy(control: widgets.Widget) -> widgets.Widget:
        names = ("min", "max", "step", "value", "base", "description", "readout_format")
        return type(control)(
            **{name: getattr(control, name) for name in names if hasattr(control, name)}
        )

    def _draw(self, **values: object) -> None:
        # the same numbers, without the explorer's own pictures
        with (
            patch.object(pictures.HeatMap, "_one", lambda *_: ""),
            patch.object(pictures._BlittedFigure, "html", lambda *_: ""),
        ):
            step = self.explorer._step(**values)
        step.draw(plt.figure(figsize=(9, 4.5), layout=self._layout))
        plt.show()
        print(step.summary)

    def handle(self, side: str) -> int:
        """Return the place of the moved slider among those of its side."""
        if side == "theirs":
            return 0
        sliders = [name for name, each in self.explorer.controls.items() if hasattr(each, "step")]
        return sliders.index(self._moved)

    def last_shown(self) -> float:
        """Return where the handle stands that belongs to the picture of the explorer."""
        value = float(self.explorer.values[self._moved])
        logarithmic = hasattr(self._theirs_moves, "base")
        return math.log10(value) if logarithmic else value

    def cpu(self, steps: int) -> dict[str, list[float]]:
        """Return the CPU seconds of the kernel for each step, the two in turn."""
        seconds: dict[str, list[float]] = {"ours": [], "theirs": []}
        for k in range(steps):
            for name, control in self._controls().items():
                value = self._values[k % len(self._values)]
                start = time.process_time()
                control.value = value
                seconds[name].append(time.process_time() - start)
        return seconds

    def _controls(self) -> dict[str, widgets.Widget]:
        return {"ours": self.explorer.controls[self._moved], "theirs": self._theirs_moves}
