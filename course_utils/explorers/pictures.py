"""Pictures of an explorer: each becomes HTML for the page, and draws itself on a figure.

Words are keys of ``language.STRINGS``, and values array_like. A class is one place of an explorer;
its ``show`` returns the `Picture` of one setting. The name of a picture is what a screen reader
says of it.
"""

import base64
import functools
import html
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from course_utils import plots
from course_utils.language import STRINGS, text
from course_utils.plots import Limits

Look = tuple[str, Limits]


class Picture(NamedTuple):
    """HTML for the page; for readers without a kernel, what draws the same on `panels` Axes."""

    html: str
    panels: int = 0
    draw: Callable[[Sequence[Axes]], object] = lambda axes: None


class HeatMap:
    """Heat maps side by side, each a palette PNG of one pixel a cell, with its axes as text.

    `draw` is the function of `plots` that draws such a map on Axes; `words` name the axis across,
    the axis down, and the colour scale; `look` is the name of a colour map, and the values of its
    ends. Several maps are smaller, and have their names as titles.
    """

    def __init__(
        self, names: Sequence[str], draw: Callable, words: Sequence[str], look: Look, square: bool
    ) -> None:
        self._names, self._draw_one, self._look = names, draw, look
        self._class = f"course-heat{' course-square' * square}{' course-pair' * (len(names) > 1)}"
        # the cells stay sharp at any zoom
        style = "width:100%;height:var(--high);image-rendering:pixelated"
        self._images = [_Image(text(name), style) for name in names]
        across, down, bar = map(text, words)
        self._across, self._down = _name(across), _name(down, upright=True)
        self._scale = _scale(bar, *look)

    def show(self, *values: npt.ArrayLike) -> Picture:
        """Return the picture of a matrix for each name."""
        maps = "".join(map(self._one, self._names, self._images, values))
        page = f'<div class="{self._class}">{maps}{self._scale}</div>'
        return Picture(page, len(values), functools.partial(self._draw, values))

    def _one(self, name: str, image: "_Image", values: npt.ArrayLike) -> str:
        rows, columns = np.shape(values)
        several = len(self._names) > 1
        most = 8 if several or _large() else 12
        title = f'<div class="course-title">{html.escape(text(name))}</div>' if several else ""
        picture = image.html(palette_png(values, *self._look))
        return (
            f"{self._down}{_ticks_down(rows)}<div>{title}{picture}"
            f"{_ticks_across(columns, most)}{self._across}</div>"
        )

    def _draw(self, values: Sequence[npt.ArrayLike], axes: Sequence[Axes]) -> None:
        for ax, name, shown in zip(axes, self._names, values, strict=True):
            self._draw_one(ax, shown, bar=ax is axes[-1])
            if len(axes) > 1:
                ax.set_title(plots.label(name))
                ax.label_outer()


def encoding_map(name: str, limit: float = 1.0) -> HeatMap:
    """Return a heat map of an encoding, or of words: position down, dimension across."""
    words = ("plot.dimension", "plot.position", "plot.value")
    draw = functools.partial(plots.heat_map, limit=limit)
    return HeatMap([name], draw, words, (plots.SIGNED, (-limit, limit)), square=False)


def weights_map(*names: str) -> HeatMap:
    """Return a heat map of attention weights, or several side by side: query down, key across."""
    words = ("plot.key", "plot.query", "plot.weight")
    return HeatMap(names, plots.weights_map, words, (plots.SHARES, (0.0, 1.0)), square=True)


class Lines:
    """Lines on a blitted figure: only the lines are drawn again, as long as the axes stay."""

    def __init__(self, name: str, xlabel: str, ylabel: str) -> None:
        self._labels = (xlabel, ylabel)
        self._blitted = _BlittedFigure(name, (8.6, 4.3), panels=1)

    def show(
        self, x: npt.ArrayLike, ys: Mapping[str, npt.ArrayLike], xlim: Limits, ylim: Limits
    ) -> Picture:
        """Return the picture of these lines, by name; choose limits that change seldom."""

        def draw(axes: Sequence[Axes]) -> None:
            plots.curves(axes[0], x, ys, *self._labels).set(xlim=xlim, ylim=ylim)

        moved = [(x, y) for y in ys.values()]
        return Picture(self._blitted.html(draw, moved, (tuple(ys), xlim, ylim)), 1, draw)


class Dials:
    """Dials in a row on a blitted figure, one a pair: hands and dots move, the rest stays."""

    def __init__(self, name: str, pairs: Sequence[int]) -> None:
        self._pairs = pairs
        self._blitted = _BlittedFigure(name, (8.6, 2.8), panels=len(pairs))

    def show(self, pe: np.ndarray) -> Picture:
        """Return the picture of the positions of an encoding, the hands at the last one."""
        draw = functools.partial(plots.dials, pe=pe, pairs=self._pairs)
        moved = []
        for i in self._pairs:
            tips = pe[:, [2 * i + 1, 2 * i]]
            moved += [tips.T, zip((0, 0), tips[-1], strict=True)]
        return Picture(self._blitted.html(draw, moved), len(self._pairs), draw)


def metrics(caption: str, values: Mapping[str, float]) -> Picture:
    """Return named numbers with four decimals, for the page only; a name may be a key."""
    said = "".join(
        f"<div>{html.escape(text(name) if name in STRINGS else name)} "
        f"<b>{plots.number(value)}</b></div>"
        for name, value in values.items()
    )
    return Picture(
        f'<div class="course-metrics"><div>{html.escape(text(caption))}</div>{said}</div>'
    )


def palette_png(
    values: npt.ArrayLike, colours: str = plots.SIGNED, limits: Limits = (-1.0, 1.0)
) -> bytes:
    """Write values as a PNG of one pixel each, in exactly the 256 colours of Matplotlib's map."""
    low, high = limits
    index = np.subtract(values, low)
    index *= 256 / (high - low)
    np.clip(index, 0, 255, out=index)
    picture = Image.fromarray(index.astype(np.uint8))
    picture.putpalette(_palette(colours))
    return _png(picture)


def style() -> str:
    """Return the style sheet of an explorer, with the size of text in figures."""
    size = mpl.rcParams["font.size"]
    # the picture is as high as the rest leaves of 600 pixels, and less where there is little width
    high = "min(320px,27cqw)" if _large() else "min(384px,46cqw)"
    return f"<style>.course-explorer{{--size:{size:g}pt;--map:{high}}}{_sheet()}</style>"


class _BlittedFigure:
    """Panels in a row whose lines move over a background that is drawn once."""

    def __init__(self, name: str, inches: tuple[float, float], panels: int) -> None:
        self._image = _Image(text(name), "max-width:100%")
        self._figure = Figure(figsize=inches, layout="constrained")
        self._axes = self._figure.subplots(1, panels, squeeze=False)[0]
        self._canvas = FigureCanvasAgg(self._figure)
        self._lines: list[Line2D] | None = None

    def html(
        self, draw: Callable, moved: Sequence[Iterable[npt.ArrayLike]], frame: object = None
    ) -> str:
        """Move each line to its x and y; draw all again when `frame` differs from the last one."""
        if self._lines is None or frame != self._frame:
            self._lines = None
            for ax in self._axes:
                ax.clear()
            draw(self._axes)
            lines = [line for ax in self._axes for line in ax.lines]
            for line in lines:
                line.set_animated(True)
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self._figure.bbox)
            self._lines, self._frame = lines, frame
        self._canvas.restore_region(self._background)
        for line, data in zip(self._lines, moved, strict=True):
            line.set_data(*data)
            line.axes.draw_artist(line)
        size, pixels = self._canvas.get_width_height(), self._canvas.buffer_rgba()
        picture = Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1)
        # 256 colours are enough for lines, and halve the time and the message
        few = picture.convert("RGB").quantize(method=Image.Quantize.FASTOCTREE)
        return self._image.html(_png(few))


class _Image:
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


def _large() -> bool:
    # points; from here on text is a projector's, and pictures leave it room
    return mpl.rcParams["font.size"] >= 15


@functools.cache
def _sheet() -> str:
    return Path(__file__).with_name("explorer.css").read_text(encoding="utf-8")


@functools.cache
def _palette(colours: str) -> bytes:
    return mpl.colormaps[colours](np.arange(256), bytes=True)[:, :3].tobytes()


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1)
    return file.getvalue()


def _source(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def _name(said: str, upright: bool = False) -> str:
    style = 'course-upright" style="height:var(--high)' if upright else ""
    return f'<div class="course-name {style}">{html.escape(said)}</div>'


@functools.lru_cache(maxsize=8)
def _ticks_across(count: int, most: int) -> str:
    places = {f"left:{place:.2f}%": k for place, k in _ticks(count, most)}
    return _numbers("height:1.3em", "transform:translateX(-50%)", places)


@functools.lru_cache(maxsize=8)
def _ticks_down(count: int) -> str:
    places = {f"right:0.4em;top:{place:.2f}%": k for place, k in _ticks(count, 8)}
    wide = 0.65 * len(str(max(places.values()))) + 0.6
    return _numbers(f"width:{wide:g}em;height:var(--high)", "transform:translateY(-50%)", places)


def _ticks(count: int, most: int) -> list[tuple[float, int]]:
    """Return where numbers stand, in percent of the axis, and which they are."""
    gaps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    gap = next(gap for gap in gaps if count <= most * gap)
    return [(100 * (k + 0.5) / count, k) for k in range(0, count, gap)]


def _scale(said: str, colours: str, limits: Limits) -> str:
    low, high = limits
    ramp = _source(palette_png(np.linspace(high, low, 256)[:, None], colours, limits))
    ends = ((0, high), (50, (low + high) / 2), (100, low))
    places = {f"left:0.4em;top:{place}%": f"{value:g}" for place, value in ends}
    numbers = _numbers("width:2.6em", "transform:translateY(-50%)", places)
    return (
        f'<div class="course-scale"><div style="background:url({ramp}) 0 0/100% 100%"></div>'
        f"{numbers}{_name(said, upright=True)}</div>"
    )


def _numbers(style: str, centred: str, places: Mapping[str, object]) -> str:
    """Return numbers along an axis, each by its place."""
    spans = "".join(
        f'<span style="{place};{centred}">{said}</span>' for place, said in places.items()
    )
    return f'<div class="course-ticks" style="{style}">{spans}</div>'
