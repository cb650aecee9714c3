"""One function per kind of figure: takes arrays, computes nothing, draws on `ax`, returns it.

The first argument is always the Matplotlib axes to draw on, and is what comes back. What is not of
the kind or range that an argument wants ends in a `TypeError` or `ValueError`, before anything is
drawn. A parameter that several functions share is described at the first of them.
"""

import builtins
import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import metadata
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator

from course_utils import arguments
from course_utils.language import STRINGS, current_language, text

__all__ = [
    "bars", "clock_hands", "curves", "dials", "heat_map", "label", "number", "readout",
    "signed_map", "similarity_by_offset", "similarity_map", "use_style", "waves", "weights_map",
]  # fmt: skip

SIGNED = "RdBu_r"
SHARES = "viridis"

# Okabe and Ito's colours, in an order whose neighbours also differ in lightness
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (9, 3)))
FAINT = "#767676"

# families that hold Chinese; the first one at hand is used
HAN_FONTS = ("Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC")
# the distribution that brings the first of them, and the font's place in it
HAN_PACKAGE, HAN_FILE = "zhplot", "zhplot/fonts/NotoSansSC-Regular.ttf"

MOST_NUMBERED = 8
# points; numbers in the cells of a picture shrink to fit, but not below
LEAST_TEXT = 12

Limits = tuple[float, float]


def use_style(projector: bool = False) -> None:
    """Set fonts, sizes, colours and dashes for the figures of the course in ``mpl.rcParams``.

    The font of the language in use comes first; the other one stands in for what it lacks. So call
    ``use_language`` before, as the set-up cells do; called after, it draws Chinese too.

    In a notebook, figures are shown even where ``MPLBACKEND`` names a backend that shows none; one
    line says so where the system lets the kernel open too few files for that.

    Parameters
    ----------
    projector : bool
        True for a lecture room: text of 18 points instead of 12, thicker lines, in explorers too.
        Numbers in the cells of a picture grow as far as their cell lets them.

    Examples
    --------
    >>> with mpl.rc_context():
    ...     use_style()
    ...     mpl.rcParams["font.size"]
    12.0
    """
    projector = arguments.true_or_false("projector", projector)
    families = ["DejaVu Sans", *_han_family()]
    if current_language() == "zh":
        families.reverse()
    mpl.rcParams.update(
        {
            "font.size": 18 if projector else 12,
            "font.family": families,
            # whatever a matplotlibrc says
            "text.usetex": False,
            "image.origin": "upper",
            "axes.titlesize": "medium",
            "axes.prop_cycle": mpl.cycler(color=COLOURS) + mpl.cycler(linestyle=DASHES),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "lines.linewidth": 3 if projector else 2,
            "legend.frameon": False,
            "legend.handlelength": 3,
        }
    )
    _show_figures()


def label(key: str, **values: object) -> str:
    """Return one string as it can be drawn inside a picture, with its placeholders filled.

    Every word in a figure goes through here: what is no key of ``language.STRINGS``, such as
    ``"$5"``, is drawn as it is written; where the style has no Chinese font, English stands in for
    boxes, and one line says so.

    Examples
    --------
    >>> label("plot.position"), label("d_k")
    ('position (index)', 'd_k')
    """
    if arguments.string("key", key, "plot.position") not in STRINGS:
        # between two dollars Matplotlib reads a formula
        return key.replace("$", r"\$")
    if current_language() == "zh" and not set(HAN_FONTS) & set(mpl.rcParams["font.family"]):
        _say_no_font()
        return STRINGS[key]["en"].format(**values)
    return text(key, **values)


def number(value: float) -> str:
    """Return a number with four decimals, the same on every machine.

    Rounding noise is cut off first, so that 1/32 always falls to one side and zero has no sign.

    Examples
    --------
    >>> number(-1e-17), number(1 / 32 + 1e-15)
    ('0.0000', '0.0312')
    """
    value = arguments.real_number("value", value)
    return f"{round(round(value, 9), 4) + 0.0:.4f}"


def heat_map(ax: Axes, pe: npt.ArrayLike, limit: float = 1.0, *, bar: bool = True) -> Axes:
    """Draw an encoding, or words: position down, dimension across, colours centred on 0.

    Parameters
    ----------
    pe : array_like, shape (seq_len, d_model)
        Values from -1 to 1, or from ``-limit`` to ``limit``.
    limit : float
        The colours run from ``-limit`` to ``limit``; give panels side by side the same one.
    bar : bool
        False leaves out the colour bar, for panels that share one.

    Examples
    --------
    >>> readout(heat_map(mpl.figure.Figure().subplots(), [[0.0, 1.0], [0.8415, 0.5403]]))
    'image of 2 by 2 values from 0.0000 to 1.0000, mean 0.5955'
    """
    limit = arguments.limit_number("limit", limit)
    bar = arguments.true_or_false("bar", bar) and "plot.value"
    return _image(ax, "pe", pe, SIGNED, (-limit, limit), "plot.dimension", "plot.position", bar)


def similarity_map(ax: Axes, similarity: npt.ArrayLike, low: float = -1.0) -> Axes:
    """Draw how similar each position is to each other one, from -1, or from `low`, to 1.

    Parameters
    ----------
    similarity : array_like, shape (seq_len, seq_len)
        ``pe @ pe.T`` over its largest value.
    low : float
        Where the colours begin, from -1 to less than 1. Above -1 they run from dark to light, so
        that small differences show.

    Examples
    --------
    >>> readout(similarity_map(mpl.figure.Figure().subplots(), [[1.0, 0.5], [0.5, 1.0]]))
    'image of 2 by 2 values from 0.5000 to 1.0000, mean 0.7500'
    """
    if not -1 <= (low := arguments.real_number("low", low)) < 1:
        raise ValueError(text("error.low", got=f"{low:g}"))
    names = ("plot.position", "plot.position", "plot.similarity")
    colours = SIGNED if low == -1 else SHARES
    _image(ax, "similarity", similarity, colours, (low, 1), *names).set_aspect("equal")
    return ax


def weights_map(
    ax: Axes, weights: npt.ArrayLike, tokens: Sequence[str] | None = None, *, bar: bool = True
) -> Axes:
    """Draw attention weights from 0 to 1: query down, key across.

    Parameters
    ----------
    weights : array_like, shape (n_queries, n_keys)
        Values from 0 to 1; up to 8 by 8 cells hold their number too.
    tokens : sequence of str, optional
        The words, written along both axes.
    bar : bool
        See `heat_map`.

    Examples
    --------
    >>> readout(weights_map(mpl.figure.Figure().subplots(), [[0.75, 0.25]]))
    'image of 1 by 2 values from 0.2500 to 0.7500, mean 0.5000'
    """
    names = ("plot.key", "plot.query", arguments.true_or_false("bar", bar) and "plot.weight")
    return _cells(ax, tokens, "weights", weights, SHARES, (0, 1), *names)


def signed_map(
    ax: Axes,
    values: npt.ArrayLike,
    limit: float,
    tokens: Sequence[str] | None = None,
    *,
    bar: bool = True,
) -> Axes:
    """Draw scores, or a term of them: query down, key across, colours centred on 0.

    Parameters
    ----------
    values : array_like, shape (n_queries, n_keys)
        Any finite numbers; up to 8 by 8 cells hold theirs too.
    limit, tokens, bar
        See `heat_map` and `weights_map`.

    Examples
    --------
    >>> readout(signed_map(mpl.figure.Figure().subplots(), [[3.0, -1.0]], limit=4))
    'image of 1 by 2 values from -1.0000 to 3.0000, mean 1.0000'
    """
    limit = arguments.limit_number("limit", limit)
    names = ("plot.key", "plot.query", arguments.true_or_false("bar", bar) and "plot.score")
    return _cells(ax, tokens, "values", values, SIGNED, (-limit, limit), *names)


def waves(ax: Axes, pe: npt.ArrayLike, columns: Sequence[int]) -> Axes:
    """Draw a few columns of an encoding against position.

    Parameters
    ----------
    pe : array_like, shape (seq_len, d_model)
        Values from -1 to 1.
    columns : sequence of int
        Which dimensions, from 0.

    Examples
    --------
    >>> readout(waves(mpl.figure.Figure().subplots(), [[0.0, 1.0], [0.8415, 0.5403]], [0, 1]))
    'lines 2, points 4, y from 0.0000 to 1.0000, mean 0.5955'
    """
    pe = _matrix("pe", pe)
    columns = arguments.row_numbers("columns", columns, pe.shape[1])
    ys = {label("plot.column", column=column): pe[:, column] for column in columns}
    curves(ax, np.arange(len(pe)), ys, "plot.position", "plot.value")
    ax.set_ylim(-1.1, 1.1)
    ax.xaxis.set_major_locator(_whole_numbers())
    return ax


def similarity_by_offset(ax: Axes, similarities: Mapping[str, npt.ArrayLike]) -> Axes:
    """Draw how similar two positions are against how far apart they stand.

    Parameters
    ----------
    similarities : mapping of str to array_like, each of shape (n_offsets,)
        By name; each over its value at offset 0.

    Examples
    --------
    >>> readout(similarity_by_offset(mpl.figure.Figure().subplots(), {"d_model 8": [1.0, 0.884]}))
    'lines 1, points 2, y from 0.8840 to 1.0000, mean 0.9420'
    """
    similarities = _by_name("similarities", similarities, lines=True)
    longest = max(map(len, similarities.values()))
    curves(ax, np.arange(longest), similarities, "plot.offset", "plot.relative")
    ax.set_ylim(top=1.05)
    ax.xaxis.set_major_locator(_whole_numbers())
    return ax


def clock_hands(axes: np.ndarray, pe: npt.ArrayLike, pairs: Sequence[int]) -> np.ndarray:
    """Draw pairs of columns as the hands of clocks: one panel a pair, one hand a position.

    The hand of position 0 points to the right, at cosine 1 and sine 0.

    Parameters
    ----------
    axes : ndarray of Axes
        One panel for each pair.
    pe : array_like, shape (seq_len, d_model)
        Column ``2 * i`` holds the sine of pair ``i``, column ``2 * i + 1`` its cosine.
    pairs : sequence of int
        Pair indices ``i``, from 0.

    Examples
    --------
    >>> axes = mpl.figure.Figure().subplots(1, 1, squeeze=False)
    >>> readout(clock_hands(axes, [[0.0, 1.0], [1.0, 0.0]], pairs=[0]))
    'lines 1, points 2, y from 0.0000 to 1.0000, mean 0.5000'
    """
    for ax, i, hands in _on_dials(axes, pe, pairs, end=1.35):
        numbered = _apart(hands)
        spokes = [[(0, 0), hands[pos]] for pos in numbered]
        ax.add_collection(LineCollection(spokes, colors=FAINT, linewidths=1))
        ax.plot(*hands.T, linestyle="none", marker="o", markersize=5, color=COLOURS[0])
        ax.scatter(*hands[0], s=90, color=COLOURS[1], zorder=3)
        for pos in numbered:
            ax.annotate(str(pos), 1.2 * hands[pos], ha="center", va="center", annotation_clip=False)
        ax.set_xlabel(label("plot.cosine", column=2 * i + 1))
        ax.set_ylabel(label("plot.sine", column=2 * i))
    return axes


def dials(axes: np.ndarray, pe: npt.ArrayLike, pairs: Sequence[int]) -> np.ndarray:
    """Draw pairs of columns as dials: a hand at the last position, a dot at each one so far.

    The arguments are those of `clock_hands`.

    Examples
    --------
    >>> axes = mpl.figure.Figure().subplots(1, 1, squeeze=False)
    >>> readout(dials(axes, [[0.0, 1.0], [1.0, 0.0]], pairs=[0]))
    'lines 2, points 4, y from 0.0000 to 1.0000, mean 0.5000'
    """
    for ax, _, hands in _on_dials(axes, pe, pairs, end=1.15):
        ax.plot(*hands.T, linestyle="none", marker="o", markersize=5, color=COLOURS[0])
        ax.plot(*zip((0, 0), hands[-1], strict=True), linestyle="-", linewidth=4, color=COLOURS[1])
        ax.set(xlabel=label("plot.cosine_alone"), ylabel=label("plot.sine_alone"))
        ax.label_outer()
    return axes


def _on_dials(
    axes: np.ndarray, pe: npt.ArrayLike, pairs: Sequence[int], end: float
) -> Iterator[tuple[Axes, int, np.ndarray]]:
    """Yield each panel with its dial, the pair, and the tips of the hand, (seq_len, 2)."""
    panels, pe = _panels("axes", axes), _matrix("pe", pe).astype(np.float64)
    if pe.shape[1] < 2:
        raise ValueError(text("error.shape", name="pe", wanted=(len(pe), 2), got=pe.shape))
    pairs = arguments.row_numbers("pairs", pairs, pe.shape[1] // 2)
    if len(panels) != len(pairs):
        raise ValueError(text("error.panels", got=len(panels), pairs=len(pairs)))
    for ax, i in zip(panels, pairs, strict=True):
        ax.add_patch(Circle((0, 0), 1, fill=False, color=FAINT))
        ax.set(xlim=(-end, end), ylim=(-end, end), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
        ax.set_aspect("equal")
        ax.set_title(label("plot.pair", i=i))
        yield ax, i, pe[:, [2 * i + 1, 2 * i]]


def curves(
    ax: Axes, x: npt.ArrayLike, ys: Mapping[str, npt.ArrayLike], xlabel: str, ylabel: str
) -> Axes:
    """Draw lines over one axis, told apart by dash as well as by colour.

    Parameters
    ----------
    x : array_like, shape (n,)
        Where the values stand; a shorter line stops earlier.
    ys : mapping of str to array_like, each of shape (n,) or shorter
        By name, for the legend.
    xlabel, ylabel : str
        Keys of ``language.STRINGS``, or labels as they are.

    Examples
    --------
    >>> ax = mpl.figure.Figure().subplots()
    >>> readout(curves(ax, [1, 2], {"a": [0.5, 1.5]}, "d_k", "plot.value"))
    'lines 1, points 2, y from 0.5000 to 1.5000, mean 1.0000'
    """
    _axes("ax", ax)
    x, ys = _line("x", x), _by_name("ys", ys, lines=True)
    for name, y in ys.items():
        if len(y) > len(x):
            raise ValueError(text("error.shape", name=f"ys[{name!r}]", wanted=x.shape, got=y.shape))
    arguments.string("xlabel", xlabel, "plot.position")
    arguments.string("ylabel", ylabel, "plot.value")
    for (name, y), colour, dash in zip(ys.items(), cycle(COLOURS), cycle(DASHES), strict=False):
        few = {"marker": "o", "markersize": 5} if len(y) <= 16 else {}
        # a legend leaves out what begins with an underscore
        said = " " * name.startswith("_") + label(name)
        ax.plot(x[: len(y)], y, color=colour, linestyle=dash, label=said, **few)
    ax.set(xlabel=label(xlabel), ylabel=label(ylabel))
    if len(ys) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return ax


def bars(
    ax: Axes,
    values: Mapping[str, float],
    xlabel: str = "plot.value",
    spread: Mapping[str, float] | None = None,
) -> Axes:
    """Draw one bar a name, lying, with its number at its end.

    Parameters
    ----------
    values : mapping of str to float
        From the top down; a name may be a key of ``language.STRINGS``.
    xlabel : str
        See `curves`.
    spread : mapping of str to float, optional
        Half the length of an error bar for each name.

    Examples
    --------
    >>> readout(bars(mpl.figure.Figure().subplots(), {"none": 0.0, "placebo": 0.5}))
    'bars 0.0000, 0.5000'
    """
    _axes("ax", ax)
    values = _by_name("values", values)
    spread = None if spread is None else _by_name("spread", spread)
    if spread and (not spread.keys() >= values.keys() or min(spread.values()) < 0):
        got = arguments.shown(spread)
        raise ValueError(text("error.by_name", name="spread", example=values, got=got))
    arguments.string("xlabel", xlabel, "plot.value")
    error = [spread[name] for name in values] if spread else None
    drawn = ax.barh([*map(label, values)], [*values.values()], xerr=error, color=COLOURS[0])
    ax.bar_label(drawn, [number(value) for value in values.values()], padding=6)
    ax.invert_yaxis()
    ax.margins(x=0.2)
    ax.set_xlabel(label(xlabel))
    return ax


def readout(ax: Axes | np.ndarray) -> str:
    """Say in one line of numbers what is drawn, read back from the figure; a bar parts panels.

    Examples
    --------
    >>> readout(mpl.figure.Figure().subplots())
    'nothing drawn'
    """
    return " | ".join(map(_panel, _panels("ax", ax)))


def _show_figures() -> None:
    shell = getattr(builtins, "get_ipython", lambda: None)()
    if not hasattr(shell, "kernel"):
        return
    try:
        # what fonts and the messages that carry pictures need, closed again at once
        with ExitStack() as spare:
            for _ in range(16):
                spare.enter_context(Path(__file__).open("rb"))
    except OSError:
        mpl.use("agg")
        print(text("plot.no_files"))
    else:
        if mpl.get_backend().lower() in {"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"}:
            shell.enable_matplotlib("inline")


def _han_family() -> list[str]:
    """The family to draw Chinese with, in a list, which is empty where there is none."""
    with suppress(metadata.PackageNotFoundError):
        # found by its path, since importing that package changes Matplotlib's settings
        packaged = Path(metadata.distribution(HAN_PACKAGE).locate_file(HAN_FILE))
        known = {Path(font.fname) for font in font_manager.fontManager.ttflist}
        if packaged.is_file() and packaged not in known:
            font_manager.fontManager.addfont(packaged)
    families = set(font_manager.get_font_names())
    return [family for family in HAN_FONTS if family in families][:1]


@functools.cache
def _say_no_font() -> None:
    print(text("plot.no_font"))


def _panel(ax: Axes) -> str:
    parts = []
    for image in ax.images:
        values = image.get_array()
        rows, columns = values.shape
        parts.append(text("readout.image", rows=rows, columns=columns, **_range(values)))
    bars_drawn = [bar for container in ax.containers for bar in getattr(container, "patches", ())]
    if bars_drawn:
        values = ", ".join(number(bar.get_width()) for bar in bars_drawn)
        parts.append(text("readout.bars", values=values))
    elif ax.lines:
        values = np.concatenate([line.get_ydata() for line in ax.lines])
        counts = {"lines": len(ax.lines), "points": len(values)}
        parts.append(text("readout.lines", **counts, **_range(values)))
    return "; ".join(parts) or text("readout.nothing")


def _range(values: np.ndarray) -> dict[str, str]:
    found = {"low": values.min(), "high": values.max(), "mean": values.mean()}
    return {name: number(value) for name, value in found.items()}


def _axes(name: str, ax: object) -> None:
    if not isinstance(ax, Axes):
        raise TypeError(text("error.axes", name=name, got=arguments.shown(ax)))


def _panels(name: str, axes: object) -> list[Axes]:
    axes = axes.item() if isinstance(axes, np.ndarray) and axes.ndim == 0 else axes
    if isinstance(axes, np.ndarray | list | tuple) and len(axes):
        return [panel for each in axes for panel in _panels(name, each)]
    _axes(name, axes)
    return [axes]


def _tokens(tokens: object, count: int) -> list[str] | None:
    if tokens is None:
        return None
    words = arguments.any_array("tokens", tokens)
    are_words = words is not None and words.dtype.kind == "U"
    if not are_words or words.shape != (count,):
        message = text("error.tokens", count=count, got=arguments.shown(tokens))
        raise (ValueError if are_words else TypeError)(message)
    return words.tolist()


def _by_name(name: str, values: object, lines: bool = False) -> dict[str, Any]:
    """Return a mapping from names to lines, which may have gaps, or to finite numbers."""
    read, example = (_line, [0.5]) if lines else (arguments.real_number, 0.5)
    got = arguments.shown(values)
    message = text("error.by_name", name=name, example={"none": example}, got=got)
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise TypeError(message)
    found = {key: read(f"{name}[{key!r}]", value) for key, value in values.items()}
    if not found or not (lines or np.isfinite([*found.values()]).all()):
        raise ValueError(message)
    return found


def _image(
    ax: Axes, name: str, values: npt.ArrayLike, colours: str, limits: Limits, *names: str | bool
) -> Axes:
    _axes("ax", ax)
    values = _matrix(name, values)
    (low, high), (xlabel, ylabel, bar) = limits, names
    aspect = "equal" if ax.get_aspect() == 1 else "auto"
    image = ax.imshow(values, colours, vmin=low, vmax=high, interpolation="nearest", aspect=aspect)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(_whole_numbers())
    ax.set(xlabel=label(xlabel), ylabel=label(ylabel))
    ax.spines[:].set_visible(False)
    if bar:
        ax.figure.colorbar(image, ax=ax, label=label(bar), pad=0.02)
    return ax


def _cells(ax: Axes, tokens: object, name: str, values: npt.ArrayLike, *look: Any) -> Axes:
    """Draw an image as `_image` does, with words along its axes and numbers in its cells."""
    values = _matrix(name, values)
    tokens = _tokens(tokens, max(values.shape))
    image = _image(ax, name, values, *look).images[-1]
    if tokens is not None:
        fits = mpl.rcParams["font.size"] <= _fitting(ax, max(tokens, key=len), len(tokens))
        written = [*map(label, tokens)]
        ax.set_xticks(range(len(tokens)), written, rotation=0 if fits else 45)
        ax.set_yticks(range(len(tokens)), written)
    if max(values.shape) <= MOST_NUMBERED:
        numbers = [f"{round(float(value), 2) + 0.0:.2f}" for value in values.flat]
        size = _fitting(ax, max(numbers, key=len), values.shape[1])
        size = max(LEAST_TEXT, min(size, mpl.rcParams["font.size"]))
        for ((row, column), value), said in zip(np.ndenumerate(values), numbers, strict=True):
            shade = np.dot(image.to_rgba(value)[:3], (0.299, 0.587, 0.114))
            color = "black" if shade > 0.5 else "white"
            ax.text(column, row, said, color=color, size=size, ha="center", va="center")
    return ax


def _fitting(ax: Axes, words: str, columns: int) -> float:
    """Return about the size, in points, at which words fill one of so many columns of a panel."""
    spec = ax.get_subplotspec()  # as if there were no colour bar: panels side by side agree
    box = spec.get_topmost_subplotspec().get_position(ax.figure) if spec else ax.get_position()
    room = box.width * ax.figure.bbox.width * 72 / ax.figure.dpi / columns
    return room / (0.58 * max(1, len(words)))  # a letter is 0.58 times as wide as its size


def _apart(points: np.ndarray, distance: float = 0.3) -> list[int]:
    """Return which points, taken in order, keep clear of those taken before."""
    taken: list[int] = []
    for index, point in enumerate(points):
        if all(np.hypot(*(point - points[other])) >= distance for other in taken):
            taken.append(index)
    return taken


_line = functools.partial(arguments.real_array, ndim=1, finite=False)
_matrix = functools.partial(arguments.real_array, ndim=2)
_whole_numbers = functools.partial(MaxNLocator, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1)
