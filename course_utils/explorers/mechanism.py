"""What all explorers share: controls, pictures that are kept, a status line.

An `Explorer` joins controls, pictures and a status line. A chapter gives it one function from the
values of the controls to a `Step`. Everything below the controls is one message to the page, since
messages, not numbers, are what a step costs.
"""

import base64
import functools
import html
import importlib.util
import io
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import ipywidgets as widgets
import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from course_utils import plots
from course_utils.arguments import brief, integer, real_number, shown, true_or_false
from course_utils.language import STRINGS, text

# pixels of a heat map on the page
WIDE, HIGH, SMALL = 768, 384, 272
# points; from here on text is a projector's, and pictures leave it room
LARGE = 15
# milliseconds that each step of *play* stays
INTERVAL = 300


class Step(NamedTuple):
    """What one setting of the controls shows.

    Parameters
    ----------
    summary : str
        One or two sentences of numbers, the same on every machine.
    pictures : list of str
        HTML, from `HeatPicture`, `LinePicture`, `DialPicture` or `meters`, in their order on the
        page.
    draw : callable
        Draws the same on a Matplotlib figure, for readers without a kernel.
    """

    summary: str
    pictures: Sequence[str]
    draw: Callable[[Figure], object]


class Explorer:
    """Controls, pictures and a status line that always agree.

    A bad value leaves pictures and controls as they were and says why in the status line.

    Parameters
    ----------
    controls : dict of str to widget
        By the name of the argument of `step` that each one moves.
    step : callable
        Takes the values of the controls by name, returns a `Step`, or raises.
    play : str, optional
        The name of a slider over whole numbers that a button moves on by itself.
    **values
        Where the controls start, and where *reset* returns to.

    Raises
    ------
    TypeError, ValueError
        If a value is not of the kind or range of its control, or `step` refuses it.

    Examples
    --------
    >>> explorer = Explorer(
    ...     {"base": log_slider("encode.base", 0, 6)},
    ...     lambda base: Step(f"base {base:.0f}", [], lambda figure: None),
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
        play: str | None = None,
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
        reset = widgets.Button(icon="undo", **_named("explorer.reset"))
        reset.on_click(lambda _: self.set(**start))
        style = widgets.HTML(_style(), layout=widgets.Layout(display="none"))
        buttons = reset if play is None else widgets.HBox([*_play(self.controls[play]), reset])
        self.box = widgets.VBox([style, *self.controls.values(), buttons, self.view])
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
                checked = {name: self._checked(name, value) for name, value in values.items()}
                self._show(self.values | checked)
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
            still = {"image/png": _base64(self.png()), "text/plain": self.summary()}
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
            style = "border-left:4px solid #D55E00;padding:0 0.5em"
            self._say(text("explorer.refused", message=said), f'role="alert" style="{style}"')

    def _say(self, words: str, attributes: str = "") -> None:
        status = f"<div {attributes}>{html.escape(words)}</div>"
        pictures = "".join(self._shown.pictures)
        self.view.value = f'<div class="course-view">{pictures}{status}</div>'

    def _align(self) -> None:
        self._aligning = True
        try:
            for name, value in self.values.items():
                self.controls[name].value = value
        finally:
            self._aligning = False

    def _checked(self, name: str, value: object) -> object:
        control = self.controls.get(name)
        if control is None:
            known = ", ".join(self.controls)
            raise TypeError(text("error.control", known=known, got=name))
        if hasattr(control, "options"):
            choices = [choice for _, choice in control.options]
            if not isinstance(value, str) or value not in choices:
                raise ValueError(text("error.choice", name=name, got=shown(value), known=choices))
            return value
        if isinstance(control, widgets.Checkbox):
            return true_or_false(name, value)
        low, high = control.min, control.max
        if isinstance(control, widgets.IntSlider):
            value = integer(name, value, example=low)
        else:
            value = real_number(name, value, example=low)
        if isinstance(control, widgets.FloatLogSlider):
            low, high = control.base**low, control.base**high
        if not low <= value <= high:
            limits = {"low": f"{low:g}", "high": f"{high:g}"}
            raise ValueError(text("error.range", name=name, got=brief(value), **limits))
        return value


def _can_move() -> bool:
    # a JupyterLab in another environment, or another page, brings its own half of the widgets
    lab, half = map(importlib.util.find_spec, ("jupyterlab", "jupyterlab_widgets"))
    old = int(widgets.__version__.partition(".")[0]) < 8
    return not old and (half is not None or lab is None)


@functools.cache
def _say_still() -> None:
    print(text("explorer.still"))


class HeatPicture:
    """A heat map as a palette PNG of one pixel a cell, with its axes as text beside it.

    Parameters
    ----------
    name : str
        A key of ``language.STRINGS``: what a screen reader says of the picture.
    xlabel, ylabel, bar : str
        Keys of ``language.STRINGS`` for both axes and the colour scale.
    colours : str
        The name of a Matplotlib colour map with 256 colours.
    limits : tuple of float
        The values of its first and last colour.
    square : bool
        True for as wide as high, as weights are.
    title : bool
        True to write the name above it and keep it small, for pictures side by side.
    """

    def __init__(
        self,
        name: str,
        xlabel: str,
        ylabel: str,
        bar: str,
        colours: str = plots.SIGNED,
        limits: tuple[float, float] = (-1.0, 1.0),
        *,
        square: bool = False,
        title: bool = False,
    ) -> None:
        self._colours, self._limits = colours, limits
        self._high = SMALL if title else HIGH
        self._wide = "var(--high)" if square else f"{WIDE}px"
        self._title = f'<div class="course-title">{html.escape(text(name))}</div>' if title else ""
        # the cells stay sharp at any zoom
        style = "width:100%;height:var(--high);image-rendering:pixelated"
        self._picture = _Picture(text(name), style)
        self._across, self._down = _name(text(xlabel)), _name(text(ylabel), upright=True)
        self._scale = _scale(text(bar), colours, limits)

    def html(self, values: npt.ArrayLike, tokens: Sequence[str] | None = None) -> str:
        """Return the picture of these values.

        Parameters
        ----------
        values : array_like, shape (rows, columns)
            Values beyond the limits take the outermost colour.
        tokens : sequence of str, optional
            The words, written along both axes in place of numbers.

        Returns
        -------
        str
            HTML.
        """
        rows, columns = np.shape(values)
        picture = self._picture.html(palette_png(values, self._colours, self._limits))
        return (
            f'<div>{self._title}<div class="course-heat" '
            f'style="--wide:{self._wide};--high:{self._high}px">'
            f"{self._down}{_ticks_down(rows, tokens)}"
            f"<div>{picture}{_ticks_across(columns, tokens)}{self._across}</div>"
            f"{self._scale}</div></div>"
        )


class LinePicture:
    """Lines on one kept figure: new values are drawn over a kept background.

    Parameters
    ----------
    name : str
        A key of ``language.STRINGS``: what a screen reader says of the picture.
    xlabel, ylabel : str
        Keys of ``language.STRINGS`` for both axes.
    """

    def __init__(self, name: str, xlabel: str, ylabel: str) -> None:
        self._names = (xlabel, ylabel)
        self._kept = _Kept(name, (8.6, 4.3))
        self._ax = self._kept.figure.subplots()
        self._frame: object = None

    def html(
        self,
        x: npt.ArrayLike,
        ys: Mapping[str, npt.ArrayLike],
        xlim: tuple[float, float],
        ylim: tuple[float, float],
    ) -> str:
        """Return the picture of these lines; the axes are drawn again only when they change.

        Parameters
        ----------
        x : array_like, shape (n,)
            Where the values stand.
        ys : mapping of str to array_like, each of shape (n,)
            By name, for the legend.
        xlim, ylim : tuple of float
            Ends of the axes; choose them so that they change seldom.

        Returns
        -------
        str
            HTML.
        """
        frame = (tuple(ys), xlim, ylim)
        if frame != self._frame:
            self._ax.clear()
            plots.curves(self._ax, x, ys, *self._names).set(xlim=xlim, ylim=ylim)
            self._kept.keep()
            self._frame = frame
        for line, y in zip(self._ax.lines, ys.values(), strict=True):
            line.set_data(x, y)
        return self._kept.html()


class DialPicture:
    """Dials in a row on one kept figure: hands and dots move, the rest stays.

    Parameters
    ----------
    name : str
        A key of ``language.STRINGS``: what a screen reader says of the picture.
    pairs : sequence of int
        The pair of columns that each dial shows.
    """

    def __init__(self, name: str, pairs: Sequence[int]) -> None:
        self._pairs = pairs
        self._kept = _Kept(name, (8.6, 2.8))
        self._axes = self._kept.figure.subplots(1, len(pairs))
        self._drawn = False

    def html(self, pe: np.ndarray) -> str:
        """Return the picture of these positions, the hands at the last one.

        Parameters
        ----------
        pe : ndarray, shape (seq_len, d_model)
            The encoding.

        Returns
        -------
        str
            HTML.
        """
        if not self._drawn:
            plots.dials(self._axes, pe, self._pairs)
            self._kept.keep()
            self._drawn = True
        for ax, i in zip(self._axes, self._pairs, strict=True):
            dots, hand = ax.lines
            tips = pe[:, [2 * i + 1, 2 * i]]
            dots.set_data(*tips.T)
            hand.set_data(*zip((0, 0), tips[-1], strict=True))
        return self._kept.html()


class _Kept:
    """A figure whose lines move over a background that is drawn once."""

    def __init__(self, name: str, inches: tuple[float, float]) -> None:
        self._picture = _Picture(text(name), "max-width:100%")
        self.figure = Figure(figsize=inches, layout="constrained")
        self._canvas = FigureCanvasAgg(self.figure)

    def keep(self) -> None:
        """Draw and keep everything but the lines."""
        for line in self._lines():
            line.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self.figure.bbox)

    def html(self) -> str:
        """Return the picture of the lines as they are now."""
        self._canvas.restore_region(self._background)
        for line in self._lines():
            line.axes.draw_artist(line)
        size, pixels = self._canvas.get_width_height(), self._canvas.buffer_rgba()
        picture = Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1)
        # 256 colours are enough for lines, and halve the time and the message
        few = picture.convert("RGB").quantize(method=Image.Quantize.FASTOCTREE)
        return self._picture.html(_png(few))

    def _lines(self) -> list[Line2D]:
        return [line for ax in self.figure.axes for line in ax.lines]


def meters(caption: str, values: Mapping[str, float]) -> str:
    """Return a table of named numbers with four decimals.

    Parameters
    ----------
    caption : str
        A key of ``language.STRINGS``.
    values : mapping of str to float
        By key of ``language.STRINGS``, or by a name as it is.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> "<td>0.5000</td>" in meters("encode.view", {"placebo": 0.5})
    True
    """
    names = {name: html.escape(text(name) if name in STRINGS else name) for name in values}
    rows = "".join(
        f'<tr><th scope="row">{names[name]}</th><td>{plots.number(value)}</td></tr>'
        for name, value in values.items()
    )
    return f"<table><caption>{html.escape(text(caption))}</caption>{rows}</table>"


def side_by_side(*pictures: str) -> str:
    """Return pictures in one row where the page is wide enough, below each other where it is not.

    Parameters
    ----------
    *pictures : str
        HTML.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> side_by_side("<p>a</p>")
    '<div class="course-row"><p>a</p></div>'
    """
    return f'<div class="course-row">{"".join(pictures)}</div>'


def palette_png(
    values: npt.ArrayLike, colours: str = plots.SIGNED, limits: tuple[float, float] = (-1.0, 1.0)
) -> bytes:
    """Write values as a PNG of one pixel each, in exactly Matplotlib's colours.

    ``index = clip((values - low) * 256 / (high - low), 0, 255)`` into the map's 256 colours.

    Parameters
    ----------
    values : array_like, shape (rows, columns)
        Finite floats.
    colours : str
        The name of a Matplotlib colour map with 256 colours.
    limits : tuple of float
        The values of the first and the last colour.

    Returns
    -------
    bytes
        A PNG file, `columns` wide and `rows` high.

    Examples
    --------
    >>> Image.open(io.BytesIO(palette_png([[0.0, 1.0, 0.0]]))).size
    (3, 1)
    """
    low, high = limits
    index = np.subtract(values, low)
    index *= 256 / (high - low)
    np.clip(index, 0, 255, out=index)
    picture = Image.fromarray(index.astype(np.uint8))
    picture.putpalette(_palette(colours))
    return _png(picture)


@functools.cache
def _palette(colours: str) -> bytes:
    return mpl.colormaps[colours](np.arange(256), bytes=True)[:, :3].tobytes()


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _base64(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")


def _source(png: bytes) -> str:
    return f"data:image/png;base64,{_base64(png)}"


# controls, each with a visible name


_WIDE = {"style": {"description_width": "13em"}, "layout": {"width": "min(100%, 54em)"}}


def _named(name: str) -> dict[str, str]:
    # without a tooltip of its own, the page makes one that says "null"
    return {"description": text(name), "tooltip": text(name)}


def slider(name: str, low: int, high: int, step: int = 1) -> widgets.IntSlider:
    """Return a slider over whole numbers."""
    return widgets.IntSlider(min=low, max=high, value=low, step=step, **_named(name), **_WIDE)


def log_slider(name: str, low: float, high: float, shown: str = ",.0f") -> widgets.FloatLogSlider:
    """Return a slider from 10**low to 10**high."""
    return widgets.FloatLogSlider(
        min=low, max=high, step=0.05, readout_format=shown, **_named(name), **_WIDE
    )


def float_slider(name: str, low: float, high: float, step: float) -> widgets.FloatSlider:
    """Return a slider over a range of real numbers."""
    return widgets.FloatSlider(min=low, max=high, value=low, step=step, **_named(name), **_WIDE)


def switch(name: str) -> widgets.Checkbox:
    """Return a box to tick."""
    return widgets.Checkbox(indent=False, layout=_WIDE["layout"], **_named(name))


def choice(name: str, options: Sequence[tuple[str, str]]) -> widgets.ToggleButtons:
    """Return buttons of which one is down, from pairs of label and value."""
    style = {"description_width": "13em", "button_width": "auto"}
    return widgets.ToggleButtons(options=options, style=style, **_named(name))


def _play(moved: widgets.IntSlider) -> tuple[widgets.ToggleButton, widgets.Play]:
    """Return a button that moves a slider on, and what it works through, which stays unseen.

    The buttons of a `Play` have no names, neither for screen readers nor in Chinese.
    """
    hidden = widgets.Layout(display="none")
    ends = {"min": moved.min, "max": moved.max, "value": moved.value}
    clock = widgets.Play(**ends, interval=INTERVAL, layout=hidden)
    button = widgets.ToggleButton(icon="play", **_named("explorer.play"))
    button.add_class("course-play")
    widgets.jslink((button, "value"), (clock, "playing"))
    widgets.jslink((moved, "value"), (clock, "value"))
    return button, clock


# what stands beside the pictures


class _Picture:
    """A PNG with a name for screen readers, which an `ipywidgets.Image` cannot have.

    The old picture stays behind the new one until that is decoded, so that nothing flickers.
    """

    def __init__(self, name: str, style: str) -> None:
        self._name, self._style, self._old = html.escape(name), style, ""

    def html(self, png: bytes) -> str:
        new, old = _source(png), self._old
        self._old = new
        style = f"display:block;{self._style};background:url({old}) 0 0/100% 100%"
        return f'<img alt="{self._name}" src="{new}" style="{style}" decoding="sync">'


def _style() -> str:
    size = mpl.rcParams["font.size"]
    low = 31 if size < LARGE else 22
    return (
        f"<style>.course-explorer{{--size:{size:g}pt}}"
        ".course-explorer :is(.widget-label,.widget-label-basic,.widget-readout,.jupyter-button)"
        "{font-size:var(--size)}.course-explorer .widget-readout{min-width:5em}"
        ".course-view{font-size:var(--size);line-height:1.3;white-space:normal}"
        ".course-heat{display:grid;grid-template-columns:auto auto minmax(0,var(--wide)) auto;"
        "justify-content:start;padding-top:0.7em}"
        # in a low window, such as a projector's, controls and picture still fit together
        f"@media(max-height:800px){{.course-heat{{--high:{low}vh!important}}}}"
        ".course-ticks{position:relative}.course-ticks span{position:absolute;white-space:nowrap}"
        ".course-upright{writing-mode:vertical-rl;text-orientation:sideways;"
        "transform:rotate(180deg)}"
        ".course-row{display:flex;flex-wrap:wrap;gap:1.5em}.course-row>div{flex:1 1 20em}"
        ".course-title{font-weight:bold;padding-top:0.7em}"
        ".course-name{text-align:center}.course-view td{font-variant-numeric:tabular-nums}"
        ".course-view :is(caption,th){text-align:left;padding-right:2em}</style>"
    )


def _name(said: str, upright: bool = False) -> str:
    style = 'course-upright" style="height:var(--high)' if upright else ""
    return f'<div class="course-name {style}">{html.escape(said)}</div>'


def _ticks_across(count: int, tokens: Sequence[str] | None) -> str:
    most = 12 if mpl.rcParams["font.size"] < LARGE else 6
    spans = "".join(
        f'<span style="left:{place:.2f}%;transform:translateX(-50%)">{said}</span>'
        for place, said in _ticks(count, most, tokens)
    )
    return f'<div class="course-ticks" style="height:1.3em">{spans}</div>'


def _ticks_down(count: int, tokens: Sequence[str] | None) -> str:
    ticks = _ticks(count, 8, tokens)
    spans = "".join(
        f'<span style="right:0.4em;top:{place:.2f}%;transform:translateY(-50%)">{said}</span>'
        for place, said in ticks
    )
    wide = 0.65 * max(len(said) for _, said in ticks) + 0.6
    return f'<div class="course-ticks" style="width:{wide:g}em;height:var(--high)">{spans}</div>'


def _ticks(count: int, most: int, tokens: Sequence[str] | None) -> list[tuple[float, str]]:
    """Return where labels stand, in percent of the axis, and what they say."""
    if tokens is not None:
        return [(100 * (k + 0.5) / count, html.escape(token)) for k, token in enumerate(tokens)]
    gaps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    gap = next(gap for gap in gaps if count <= most * gap)
    return [(100 * (k + 0.5) / count, str(k)) for k in range(0, count, gap)]


def _scale(said: str, colours: str, limits: tuple[float, float]) -> str:
    low, high = limits
    ramp = _source(palette_png(np.linspace(high, low, 256)[:, None], colours, limits))
    spans = "".join(
        f'<span style="left:0.4em;top:{place}%;transform:translateY(-50%)">{value:g}</span>'
        for place, value in ((0, high), (50, (low + high) / 2), (100, low))
    )
    return (
        f'<div style="display:flex;height:var(--high);padding-left:1em">'
        f'<div style="width:1.2em;background:url({ramp}) 0 0/100% 100%"></div>'
        f'<div class="course-ticks" style="width:2.6em">{spans}</div>'
        f"{_name(said, upright=True)}</div>"
    )
