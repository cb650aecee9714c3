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
from matplotlib.figure import Figure

from course_utils.explorers.controls import button, checked, play, rows
from course_utils.explorers.pictures import Picture, style
from course_utils.language import text


class Step(NamedTuple):
    """What one setting of the controls shows.

    Parameters
    ----------
    summary : str
        One or two sentences of numbers, the same on every machine.
    pictures : sequence of Picture
        In their order on the page.
    """

    summary: str
    pictures: Sequence[Picture]

    def draw(self, figure: Figure) -> None:
        """Draw the pictures side by side on a Matplotlib figure, for readers without a kernel."""
        drawn = [picture for picture in self.pictures if picture.panels]
        panels = sum(picture.panels for picture in drawn)
        axes = iter(figure.subplots(1, panels, squeeze=False)[0] if drawn else ())
        for picture in drawn:
            picture.draw([next(axes) for _ in range(picture.panels)])


class Explorer:
    """Controls, pictures and a status line that always agree.

    A bad value leaves pictures and controls as they were and says why in the status line.

    Parameters
    ----------
    controls : dict of str to widget
        By the name of the argument of `step` that each one moves.
    step : callable
        Takes the values of the controls by name, returns a `Step`, or raises.
    plays : str, optional
        The name of a slider over whole numbers that a button moves on by itself.
    **values
        Where the controls start, and where *reset* returns to.

    Raises
    ------
    TypeError, ValueError
        If a value is not of the kind or range of its control, or `step` refuses it.

    Examples
    --------
    >>> from course_utils.explorers.controls import log_slider
    >>> explorer = Explorer(
    ...     {"base": log_slider("encode.base", 0, 6)},
    ...     lambda base: Step(f"base {base:.0f}", []),
    ...     base=10.0,
    ... )
    >>> explorer.set(base=100.0)
    >>> explorer
    base 100
    """

    def __init__(
        self,
        controls: Mapping[str, widgets.Widget],
        step: Callable[..., Step],
        plays: str | None = None,
        **values: object,
    ) -> None:
        self.controls, self._step = dict(controls), step
        # JupyterLab moves controls in a thread of its own, while a cell may be running
        self._lock = threading.RLock()
        self.view = widgets.HTML()
        self._aligning = False
        self.values: dict[str, object] = {}
        self.set(**values)
        start = dict(self.values)
        for name, control in self.controls.items():
            control.observe(functools.partial(self._moved, name), "value")
        reset = button("explorer.reset", "undo")
        reset.on_click(lambda _: self.set(**start))
        sheet = widgets.HTML(style(), layout=widgets.Layout(display="none"))
        buttons = [reset] if plays is None else [*play(self.controls[plays]), reset]
        self.box = widgets.VBox([sheet, *rows(self.controls.values(), buttons), self.view])
        self.box.add_class("course-explorer")

    def set(self, **values: object) -> None:
        """Move controls from code; an error is shown in the status line and raised.

        Parameters
        ----------
        **values
            New values by the name of the control; the others stay.

        Raises
        ------
        TypeError, ValueError
            If a name or a value is not among those of the controls.
        """
        with self._lock:
            try:
                accepted = {name: self._checked(name, value) for name, value in values.items()}
                self._show(self.values | accepted)
            except Exception as error:
                self._refuse(error)
                raise

    def summary(self) -> str:
        """Say in numbers what is shown.

        Returns
        -------
        str
            In the language that was in use at the last step.
        """
        return self._shown.summary

    def __repr__(self) -> str:
        return self.summary()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        """Give the live view, and a picture and a sentence where no kernel runs."""
        with self._lock:
            still = {"text/plain": self.summary()}
            # where fonts cannot be opened there are still sliders and the sentence
            with suppress(OSError):
                still["image/png"] = base64.b64encode(self.png()).decode("ascii")
        if not _can_move():
            _say_still()
            return still
        view = {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}
        return {"application/vnd.jupyter.widget-view+json": view, **still}

    def png(self) -> bytes:
        """Draw the present state once, with axes, as one PNG.

        Returns
        -------
        bytes
            A PNG file.
        """
        figure = Figure(figsize=(9, 4.5), layout="constrained")
        with self._lock:
            self._shown.draw(figure)
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()

    def _moved(self, name: str, change: Mapping[str, object]) -> None:
        # an exception in here would reach no page: it is said in the status line instead
        with self._lock:
            if self._aligning:
                return
            try:
                # not what the control holds by now: `_align` may just have set it back
                self._show(self.values | {name: change["new"]})
            except Exception as error:
                self._refuse(error)

    def _show(self, values: dict[str, object]) -> None:
        self._shown = self._step(**values)
        self.values = values
        self._align()
        self._say(self._shown.summary)

    def _refuse(self, error: Exception) -> None:
        self._align()
        if self.values:
            said = str(error) if isinstance(error, TypeError | ValueError) else repr(error)
            alert = 'role="alert" style="border-left:4px solid #D55E00;padding:0 0.5em"'
            self._say(text("explorer.refused", message=said), alert)

    def _say(self, words: str, attributes: str = "") -> None:
        status = f'<div class="course-status" {attributes}>{html.escape(words)}</div>'
        pictures = "".join(picture.html for picture in self._shown.pictures)
        self.view.value = f'<div class="course-view">{pictures}{status}</div>'

    def _align(self) -> None:
        self._aligning = True
        try:
            for name, value in self.values.items():
                self.controls[name].value = value
        finally:
            self._aligning = False

    def _checked(self, name: str, value: object) -> object:
        if name not in self.controls:
            raise TypeError(text("error.control", known=", ".join(self.controls), got=name))
        return checked(name, self.controls[name], value)


def _can_move() -> bool:
    # a JupyterLab in another environment, or another page, brings its own half of the widgets
    lab, half = map(importlib.util.find_spec, ("jupyterlab", "jupyterlab_widgets"))
    old = int(widgets.__version__.partition(".")[0]) < 8
    return not old and (half is not None or lab is None)


@functools.cache
def _say_still() -> None:
    print(text("explorer.still"))
