"""Sliders that move a picture: one explorer per chapter on one shared mechanism.

An `Explorer` joins controls, pictures that are kept, and a status line. A chapter gives it one
function from the values of the controls to a `Step`: the numbers, and what shows them.
"""

import base64
import html
import io
import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import ipywidgets as widgets
import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from course_utils import plots
from course_utils.arguments import integer, shown
from course_utils.encoding import (
    angular_frequencies,
    sinusoidal_positional_encoding_by_rotation,
)
from course_utils.language import STRINGS, text

__all__ = ["Explorer", "HeatPicture", "LinePicture", "Meters", "Step", "encode", "palette_png"]

WIDE, HIGH = 640, 384
NOISE = 1e-9


class Step(NamedTuple):
    """What one setting of the controls shows.

    Parameters
    ----------
    summary : str
        One or two sentences of numbers, the same on every machine.
    pictures : dict
        Picture to the arguments of its `show`; pictures left out are hidden.
    draw : callable
        Draws the same on a Matplotlib figure, for readers without a kernel.
    """

    summary: str
    pictures: Mapping["HeatPicture | LinePicture | Meters", tuple]
    draw: Callable[[Figure], object]


class Explorer:
    """Controls, pictures and a status line that always agree.

    A bad value leaves pictures and controls as they were and says why in the status line.

    Parameters
    ----------
    controls : dict of str to widget
        By the name of the argument of `step` that each one moves.
    pictures : sequence of HeatPicture, LinePicture or Meters
        In their order on the page.
    step : callable
        Takes the values of the controls by name, returns a `Step`, or raises.
    **values
        Where the controls start, and where *reset* returns to.

    Raises
    ------
    TypeError, ValueError
        If a value is not of the kind or range of its control, or `step` refuses it.

    Examples
    --------
    >>> explorer = encode(seq_len=4, d_model=8)
    >>> explorer.set(d_model=6)
    >>> explorer.values["d_model"]
    6
    """

    def __init__(
        self,
        controls: Mapping[str, widgets.Widget],
        pictures: Sequence["HeatPicture | LinePicture | Meters"],
        step: Callable[..., Step],
        **values: object,
    ) -> None:
        self.controls, self.pictures, self._step = dict(controls), list(pictures), step
        self.status = widgets.HTML()
        self.reset = widgets.Button(description=text("explorer.reset"), icon="undo")
        self._aligning = False
        self.values: dict[str, object] = {}
        self.set(**values)
        self._start = dict(self.values)
        self.reset.on_click(lambda _: self.set(**self._start))
        for control in self.controls.values():
            control.observe(self._moved, "value")
        shown_pictures = [picture.widget for picture in self.pictures]
        self.box = widgets.VBox([*self.controls.values(), self.reset, *shown_pictures, self.status])

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
        view = {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}
        return {
            "application/vnd.jupyter.widget-view+json": view,
            "image/png": _base64(self.png()),
            "text/plain": self.summary(),
        }

    def png(self) -> bytes:
        """Draw the present state once, with axes, as one PNG.

        Returns
        -------
        bytes
            A PNG file.
        """
        figure = Figure(figsize=(9, 4.5), layout="constrained")
        self._shown.draw(figure)
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()

    def _moved(self, _: object) -> None:
        # an exception in here would reach no page: it is said in the status line instead
        if self._aligning:
            return
        try:
            self._show({name: control.value for name, control in self.controls.items()})
        except Exception as error:
            self._refuse(error)

    def _show(self, values: dict[str, object]) -> None:
        step = self._step(**values)
        for picture in self.pictures:
            if picture in step.pictures:
                picture.show(*step.pictures[picture])
            picture.widget.layout.display = None if picture in step.pictures else "none"
        self._shown, self.values = step, values
        self._align()
        self.status.value = _sentence(step.summary)

    def _refuse(self, error: Exception) -> None:
        self._align()
        said = str(error) if isinstance(error, TypeError | ValueError) else repr(error)
        message = text("explorer.refused", message=said)
        self.status.value = _sentence(message, "border-left:4px solid #D55E00", 'role="alert"')

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
            if value not in choices:
                raise ValueError(text("error.choice", name=name, got=shown(value), known=choices))
            return value
        if isinstance(control, widgets.Checkbox):
            if not isinstance(value, bool):
                known = [False, True]
                raise TypeError(text("error.choice", name=name, got=shown(value), known=known))
            return value
        low, high = control.min, control.max
        if isinstance(control, widgets.IntSlider):
            value = integer(name, value, example=low)
        elif isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(text("error.number", name=name, got=shown(value), example=low))
        if isinstance(control, widgets.FloatLogSlider):
            low, high = control.base**low, control.base**high
        if not low <= value <= high:
            limits = {"low": f"{low:g}", "high": f"{high:g}"}
            raise ValueError(text("error.range", name=name, got=value, **limits))
        return value


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
    """

    def __init__(
        self,
        name: str,
        xlabel: str,
        ylabel: str,
        bar: str,
        colours: str = plots.SIGNED,
        limits: tuple[float, float] = (-1.0, 1.0),
    ) -> None:
        self._names, self._colours, self._limits = (xlabel, ylabel), colours, limits
        self._axes: object = None
        # the cells stay sharp at any zoom
        self.image = _Kept(text(name), f"width:100%;height:{HIGH}px;image-rendering:pixelated")
        self._across, self._down = widgets.HTML(), widgets.HTML()
        plane = widgets.VBox(
            [self.image.widget, self._across],
            layout=widgets.Layout(flex="1 1 auto", max_width=f"{WIDE}px", overflow="visible"),
        )
        scale = widgets.HTML(_scale(text(bar), colours, limits))
        self.widget = widgets.HBox(
            [self._down, plane, scale], layout=widgets.Layout(overflow="visible")
        )

    def show(self, values: npt.ArrayLike, tokens: Sequence[str] | None = None) -> None:
        """Show other values, of any shape; labels are sent only when they change.

        Parameters
        ----------
        values : array_like, shape (rows, columns)
            Values beyond the limits take the outermost colour.
        tokens : sequence of str, optional
            The words, written along both axes in place of numbers.
        """
        values = np.asarray(values)
        self.image.show(palette_png(values, self._colours, self._limits))
        axes = (values.shape, tokens and tuple(tokens))
        if axes != self._axes:
            rows, columns = values.shape
            xlabel, ylabel = map(text, self._names)
            self._across.value = _axis_across(xlabel, _ticks(columns, 12, tokens))
            self._down.value = _axis_down(ylabel, _ticks(rows, 8, tokens))
            self._axes = axes


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
        self._canvas = FigureCanvasAgg(Figure(figsize=(8, 4), layout="constrained"))
        self._ax = self._canvas.figure.subplots()
        self._frame: object = None
        self.image = _Kept(text(name), "max-width:100%")
        self.widget = self.image.widget

    def show(
        self,
        x: npt.ArrayLike,
        ys: Mapping[str, npt.ArrayLike],
        xlim: tuple[float, float],
        ylim: tuple[float, float],
    ) -> None:
        """Show other values; axes and legend are drawn again only when names or limits change.

        Parameters
        ----------
        x : array_like, shape (n,)
            Where the values stand.
        ys : mapping of str to array_like, each of shape (n,)
            By name, for the legend.
        xlim, ylim : tuple of float
            Ends of the axes; choose them so that they change seldom.
        """
        frame = (tuple(ys), xlim, ylim)
        if frame != self._frame:
            self._ax.clear()
            plots.curves(self._ax, x, ys, *self._names).set(xlim=xlim, ylim=ylim)
            for line in self._ax.lines:
                line.set_animated(True)
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self._canvas.figure.bbox)
            self._frame = frame
        self._canvas.restore_region(self._background)
        for line, y in zip(self._ax.lines, ys.values(), strict=True):
            line.set_data(x, y)
            self._ax.draw_artist(line)
        pixels = self._canvas.buffer_rgba()
        size = self._canvas.get_width_height()
        picture = Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1)
        self.image.show(_png(picture.convert("RGB")))


class _Kept:
    """A PNG on the page with a name for screen readers, which `ipywidgets.Image` cannot have.

    The old picture stays behind the new one until that is decoded, so that nothing flickers.
    """

    def __init__(self, name: str, style: str) -> None:
        self._name, self._style = html.escape(name), style
        self._old = ""
        self.widget = widgets.HTML(layout=widgets.Layout(margin="0"))

    def show(self, png: bytes) -> None:
        new = _source(png)
        style = f"display:block;{self._style};background:url({self._old}) 0 0/100% 100%"
        self.widget.value = f'<img alt="{self._name}" src="{new}" style="{style}" decoding="sync">'
        self._old = new


class Meters:
    """Named numbers in a table.

    Parameters
    ----------
    name : str
        A key of ``language.STRINGS``: the caption of the table.
    """

    def __init__(self, name: str) -> None:
        self._caption = text(name)
        self.widget = widgets.HTML()

    def show(self, values: Mapping[str, float]) -> None:
        """Show other numbers, with four decimals.

        Parameters
        ----------
        values : mapping of str to float
            Keys of ``language.STRINGS``, or names as they are.
        """
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left;padding-right:2em">'
            f"{html.escape(text(name) if name in STRINGS else name)}</th>"
            f'<td style="font-variant-numeric:tabular-nums">{plots.number(value)}</td></tr>'
            for name, value in values.items()
        )
        caption = f'<caption style="text-align:left">{html.escape(self._caption)}</caption>'
        self.widget.value = f'<table style="{_text_size()}">{caption}{rows}</table>'


def palette_png(
    values: npt.ArrayLike, colours: str = plots.SIGNED, limits: tuple[float, float] = (-1.0, 1.0)
) -> bytes:
    """Write values as a PNG of one pixel each, in exactly Matplotlib's colours.

    ``index = clip((values - low) * 256 / (high - low), 0, 255)`` into the map's 256 colours.

    Parameters
    ----------
    values : array_like, shape (rows, columns)
        Finite numbers.
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
    index = np.clip((np.asarray(values) - low) * (256 / (high - low)), 0, 255).astype(np.uint8)
    picture = Image.fromarray(index)
    picture.putpalette(mpl.colormaps[colours](np.arange(256), bytes=True)[:, :3].tobytes())
    return _png(picture)


def encode(seq_len: int = 64, d_model: int = 128, base: float = 10_000.0) -> Explorer:
    """Explore the encoding of chapter 1: heat map, waves, and similarity by offset.

    Parameters
    ----------
    seq_len : int
        Number of positions at the start, 1 to 256.
    d_model : int
        Width at the start, even, 2 to 512.
    base : float
        At the start, 1 to 1,000,000.

    Returns
    -------
    Explorer
        With the controls `seq_len`, `d_model`, `base` and `view`: ``"heat_map"``, ``"waves"`` or
        ``"similarity"``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the kind or range above.

    Examples
    --------
    >>> explorer = encode(seq_len=9, d_model=8)
    >>> explorer.set(view="similarity")
    >>> print(explorer.summary())  # doctest: +NORMALIZE_WHITESPACE
    seq_len 9, d_model 8, base 10,000: going away from a position, similarity first rises at
    offset 4; the most similar other position stands at offset 6 (0.9459)
    """
    heat = HeatPicture("explorer.heat_map", "plot.dimension", "plot.position", "plot.value")
    wave = LinePicture("explorer.waves", "plot.position", "plot.value")
    curve = LinePicture("explorer.similarity", "plot.offset", "plot.relative")

    def step(seq_len: int, d_model: int, base: float, view: str) -> Step:
        pe = sinusoidal_positional_encoding_by_rotation(seq_len, d_model, base)
        turns = 2 * math.pi / angular_frequencies(d_model, base)
        start = text("encode.start", seq_len=seq_len, d_model=d_model, base=_thousands(base))
        x, xlim = np.arange(seq_len), (-0.5, max(16, 2 ** math.ceil(math.log2(seq_len))))
        if view == "heat_map":
            ends = {"low": plots.number(pe.min()), "high": plots.number(pe.max())}
            waves = {"short": _thousands(turns[0]), "long": _thousands(turns[-1])}
            said = start + text("encode.heat_map", **ends, **waves)
            return Step(said, {heat: (pe,)}, lambda fig: plots.heat_map(fig.subplots(), pe))
        if view == "waves":
            columns = [2 * (quarter * d_model // 8) for quarter in range(4)]
            ys = {f"encode.wave_{k}": pe[:, column] for k, column in enumerate(columns)}
            lengths = ", ".join(_thousands(turns[column // 2]) for column in columns)
            said = start + text("encode.waves", columns=columns, lengths=lengths)
            return Step(
                said,
                {wave: (x, ys, xlim, (-1.1, 1.1))},
                lambda fig: plots.waves(fig.subplots(), pe, sorted(set(columns))),
            )
        similarity = pe @ pe[0] / (d_model / 2)
        name = f"d_model {d_model}"
        return Step(
            start + _folklore(similarity),
            {curve: (x, {"similarity": similarity}, xlim, (-1.1, 1.1))},
            lambda fig: plots.similarity_by_offset(fig.subplots(), {name: similarity}),
        )

    views = [(text(f"encode.view_{view}"), view) for view in ("heat_map", "waves", "similarity")]
    controls = {
        "view": _choice("encode.view", views),
        "seq_len": _slider("encode.seq_len", 1, 256),
        "d_model": _slider("encode.d_model", 2, 512, step=2),
        "base": _log_slider("encode.base", 0, 6),
    }
    values = {"view": "heat_map", "seq_len": seq_len, "d_model": d_model, "base": base}
    return Explorer(controls, [heat, wave, curve], step, **values)


def _folklore(similarity: np.ndarray) -> str:
    """Say where "near is similar" breaks."""
    others = similarity[1:]
    if others.size == 0:
        return text("encode.alone")
    rises = np.flatnonzero(np.diff(similarity) > NOISE) + 1
    first = text("encode.rise", offset=rises[0]) if rises.size else text("encode.no_rise")
    # the first of those that tie, so that rounding cannot choose
    best = 1 + np.flatnonzero(others > others.max() - NOISE)[0]
    return first + text("encode.nearest", offset=best, value=plots.number(similarity[best]))


def _thousands(value: float) -> str:
    return f"{round(float(value), 1):,.10g}"


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _base64(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")


def _source(png: bytes) -> str:
    return f"data:image/png;base64,{_base64(png)}"


# controls, each with a visible name


_NAMED = {"style": {"description_width": "13em"}, "layout": {"width": "min(100%, 44em)"}}


def _slider(name: str, low: int, high: int, step: int = 1) -> widgets.IntSlider:
    return widgets.IntSlider(
        min=low, max=high, value=low, step=step, description=text(name), **_NAMED
    )


def _log_slider(name: str, low: float, high: float) -> widgets.FloatLogSlider:
    """Return a slider from 10**low to 10**high."""
    return widgets.FloatLogSlider(
        min=low, max=high, step=0.05, readout_format=",.0f", description=text(name), **_NAMED
    )


def _choice(name: str, options: Sequence[tuple[str, str]]) -> widgets.ToggleButtons:
    style = {"description_width": "13em"}
    return widgets.ToggleButtons(options=options, description=text(name), style=style)


# text beside the pictures


def _text_size() -> str:
    return f"font-size:{mpl.rcParams['font.size']:g}pt;line-height:1.3"


def _sentence(words: str, style: str = "", attributes: str = "") -> str:
    style = f"{_text_size()};padding:0 0.5em;white-space:normal;{style}"
    return f'<div style="{style}" {attributes}>{html.escape(words)}</div>'


def _ticks(count: int, most: int, tokens: Sequence[str] | None) -> list[tuple[float, str]]:
    """Return where labels stand, as a share of the axis, and what they say."""
    if tokens is not None:
        return [((k + 0.5) / count, token) for k, token in enumerate(tokens)]
    gaps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    gap = next(gap for gap in gaps if count <= most * gap)
    return [((k + 0.5) / count, str(k)) for k in range(0, count, gap)]


def _axis_across(name: str, ticks: Sequence[tuple[float, str]]) -> str:
    labels = "".join(
        f'<span style="position:absolute;left:{100 * place:.3f}%;transform:translateX(-50%)">'
        f"{html.escape(said)}</span>"
        for place, said in ticks
    )
    return (
        f'<div style="{_text_size()};position:relative;height:1.3em">{labels}</div>'
        f'<div style="{_text_size()};text-align:center">{html.escape(name)}</div>'
    )


def _axis_down(name: str, ticks: Sequence[tuple[float, str]]) -> str:
    labels = "".join(
        f'<span style="position:absolute;right:0.4em;top:{100 * place:.3f}%;'
        f'transform:translateY(-50%);white-space:nowrap">{html.escape(said)}</span>'
        for place, said in ticks
    )
    widest = max(len(said) for _, said in ticks)
    return (
        f'<div style="{_text_size()};display:flex;height:{HIGH}px">{_upright(name)}'
        f'<div style="position:relative;width:{0.7 * widest + 0.8:.1f}em">{labels}</div></div>'
    )


def _scale(name: str, colours: str, limits: tuple[float, float]) -> str:
    low, high = limits
    ramp = palette_png(np.linspace(high, low, 256)[:, None], colours, limits)
    labels = "".join(
        f'<span style="position:absolute;left:0.4em;top:{100 * place:g}%;'
        f'transform:translateY(-50%)">{value:g}</span>'
        for place, value in ((0.0, high), (0.5, (low + high) / 2), (1.0, low))
    )
    return (
        f'<div style="{_text_size()};display:flex;height:{HIGH}px;margin-left:1em">'
        f'<img alt="" src="{_source(ramp)}" style="width:1.2em;height:{HIGH}px">'
        f'<div style="position:relative;width:2.6em">{labels}</div>{_upright(name)}</div>'
    )


def _upright(name: str) -> str:
    return (
        '<div style="writing-mode:vertical-rl;text-orientation:sideways;text-align:center;'
        f'transform:rotate(180deg)">{html.escape(name)}</div>'
    )
