"""What all explorers share: controls, pictures and a status line that always agree.

A chapter gives an `Explorer` its controls and one function from their values to a `Step`.
Everything below the controls is one message to the page, since messages, not numbers, are what a
step costs.
"""

import base64
import functools
import html
import importlib.util
import io
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure

from course_utils.explorers.controls import button, checked, play, rows
from course_utils.explorers.pictures import Picture, style
from course_utils.language import text


class Step(NamedTuple):
    """What one setting of the controls shows: a summary in numbers, and pictures in their order."""

    summary: str
    pictures: Sequence[Picture]

    def draw(self, figure: Figure) -> None:
        """Draw the pictures side by side on a Matplotlib figure, for readers without a kernel."""
        panels = sum(picture.panels for picture in self.pictures)
        axes = iter(figure.subplots(1, panels, squeeze=False)[0] if panels else ())
        for picture in self.pictures:
            picture.draw([next(axes) for _ in range(picture.panels)])


@functools.lru_cache(maxsize=8)
def drawn(*shape: int) -> np.ndarray:
    """Return normal numbers that are the same at every call: never write into them."""
    return np.random.RandomState(42).randn(*shape)


class Explorer:
    """Controls, pictures and a status line that always agree.

    `step` takes the values of the controls by their names, and returns a `Step`. The controls start
    at `values`, and *reset* returns there; a button moves on the slider that `plays` names. What is
    not of the kind or range of its control, or is refused by `step`, ends in a `TypeError` or
    `ValueError`; pictures and controls stay as they were, and the status line says why.

    Examples
    --------
    >>> from course_utils.explorers.controls import log_slider
    >>> controls = {"base": log_slider("encode.base", 0, 6)}
    >>> explorer = Explorer(controls, lambda base: Step(f"base {base:.0f}", []), base=10.0)
    >>> explorer.set(base=100.0)
    >>> explorer
    base 100
    """

    def __init__(
        self, controls: Mapping, step: Callable, plays: str | None = None, **values: object
    ) -> None:
        self.controls, self._step = dict(controls), step
        # JupyterLab moves controls in a thread of its own, while a cell may be running
        self._lock = threading.RLock()
        self.view = widgets.HTML()
        self._show(self._checked(values))
        start = self.values
        for name, control in self.controls.items():
            control.observe(functools.partial(self._moved, name), "value")
        reset = button("explorer.reset", "undo")
        reset.on_click(lambda _: self.set(**start))
        sheet = widgets.HTML(style(), layout=widgets.Layout(display="none"))
        buttons = [reset] if plays is None else [*play(self.controls[plays]), reset]
        self.box = widgets.VBox([sheet, *rows(self.controls.values(), buttons), self.view])
        self.box.add_class("course-explorer")

    def set(self, **values: object) -> None:
        """Move controls, by their names, from code; the others stay."""
        with self._lock:
            try:
                self._show(self.values | self._checked(values))
            except Exception as error:
                self._align()
                said = str(error) if isinstance(error, TypeError | ValueError) else repr(error)
                alert = 'role="alert" style="border-left:4px solid #D55E00;padding:0 0.5em"'
                self._say(text("explorer.refused", message=said), alert)
                raise

    def summary(self) -> str:
        """Say in numbers what is shown, in the language that was in use at the last step."""
        return self._shown.summary

    def __repr__(self) -> str:
        return self.summary()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        """Give the live view, and a picture and a sentence where no kernel runs."""
        with self._lock:
            shown: dict[str, object] = {"text/plain": self.summary()}
            # where fonts cannot be opened there are still sliders and the sentence
            with suppress(OSError):
                shown["image/png"] = base64.b64encode(self.png()).decode("ascii")
        if _can_move():
            view = {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}
            shown["application/vnd.jupyter.widget-view+json"] = view
        else:
            _say_still()
        return shown

    def png(self) -> bytes:
        """Draw the present state once, with axes, as one PNG."""
        figure = Figure(figsize=(9, 4.5), layout="constrained")
        with self._lock:
            self._shown.draw(figure)
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()

    def _moved(self, name: str, change: Mapping[str, object]) -> None:
        # an exception in here would reach no page: the status line has said it
        with self._lock, suppress(Exception):
            # not what the control holds by now: `_align` may just have set it back
            if change["new"] != self.values[name]:
                self.set(**{name: change["new"]})

    def _checked(self, values: Mapping[str, object]) -> dict[str, object]:
        for name in values:
            if name not in self.controls:
                raise TypeError(text("error.control", known=", ".join(self.controls), got=name))
        return {name: checked(name, self.controls[name], value) for name, value in values.items()}

    def _show(self, values: dict[str, object]) -> None:
        self._shown, self.values = self._step(**values), values
        self._align()
        self._say(self._shown.summary)

    def _align(self) -> None:
        for name, value in self.values.items():
            self.controls[name].value = value

    def _say(self, words: str, attributes: str = "") -> None:
        status = f'<div class="course-status" {attributes}>{html.escape(words)}</div>'
        pictures = "".join(picture.html for picture in self._shown.pictures)
        self.view.value = f'<div class="course-view">{pictures}{status}</div>'


def _can_move() -> bool:
    # a JupyterLab in another environment, or another page, brings its own half of the widgets
    lab, half = map(importlib.util.find_spec, ("jupyterlab", "jupyterlab_widgets"))
    old = int(widgets.__version__.partition(".")[0]) < 8
    return not old and (half is not None or lab is None)


@functools.cache
def _say_still() -> None:
    print(text("explorer.still"))
