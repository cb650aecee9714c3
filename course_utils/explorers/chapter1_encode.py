"""The explorers of chapter 1: the encoding from several sides, and the hands of its clocks."""

import math

import numpy as np

from course_utils import encoding, plots
from course_utils.explorers.controls import choice, log_slider, slider
from course_utils.explorers.explorer import Explorer, Step
from course_utils.explorers.pictures import Dials, Lines, encoding_map
from course_utils.language import text

NOISE = 1e-9
# four pairs, as in the chapter's own picture of the hands
DIALS = 8


def encode(seq_len: int = 64, d_model: int = 128, base: float = 10_000.0) -> Explorer:
    """Explore the encoding of chapter 1: heat map, waves, and similarity by offset.

    The control `view` chooses ``"heat_map"``, ``"waves"`` or ``"similarity"``.

    Parameters
    ----------
    seq_len, d_model : int
        Number of positions, 1 to 256, and width, even, 2 to 512.
    base : float
        1 to 1,000,000.

    Examples
    --------
    >>> explorer = encode(seq_len=9, d_model=8)
    >>> explorer.set(view="similarity")
    >>> print(explorer.summary())  # doctest: +NORMALIZE_WHITESPACE
    seq_len 9, d_model 8, base 10,000: going away from a position, similarity falls up to offset 3
    and rises again; the most similar other position stands at offset 6 (0.9459)
    """
    heat = encoding_map("explorer.heat_map")
    wave = Lines("explorer.waves", "plot.position", "plot.value")
    curve = Lines("explorer.similarity", "plot.offset", "plot.relative")

    def step(seq_len: int, d_model: int, base: float, view: str) -> Step:
        pe = encoding.sinusoidal_positional_encoding_by_rotation(seq_len, d_model, base)
        turns = 2 * math.pi / encoding.angular_frequencies(d_model, base)
        x, xlim = np.arange(seq_len), (-0.5, max(16, 2 ** math.ceil(math.log2(seq_len))))
        if view == "heat_map":
            ends = {"low": plots.number(pe.min()), "high": plots.number(pe.max())}
            waves = {"short": _thousands(turns[0]), "long": _thousands(turns[-1])}
            said, picture = text("encode.heat_map", **ends, **waves), heat.show(pe)
        elif view == "waves":
            columns = [column for column in (0, 4, 16, 64) if column < d_model]
            ys = {plots.label("plot.column", column=column): pe[:, column] for column in columns}
            lengths = "; ".join(_thousands(turns[column // 2]) for column in columns)
            said = text("encode.waves", columns=columns, lengths=lengths)
            picture = wave.show(x, ys, xlim, (-1.1, 1.1))
        else:
            similarity = pe @ pe[0] / (d_model / 2)
            said = _folklore(similarity)
            picture = curve.show(x, {"similarity": similarity}, xlim, (-1.1, 1.1))
        start = text("encode.start", seq_len=seq_len, d_model=d_model, base=_thousands(base))
        return Step(start + said, [picture])

    views = [(text(f"encode.view_{view}"), view) for view in ("heat_map", "waves", "similarity")]
    controls = {
        "view": choice("encode.view", views),
        "seq_len": slider("encode.seq_len", 1, 256),
        "d_model": slider("encode.d_model", 2, 512, step=2),
        "base": log_slider("encode.base", 0, 6),
    }
    values = {"view": "heat_map", "seq_len": seq_len, "d_model": d_model, "base": base}
    return Explorer(controls, step, **values)


def clock_hands(pos: int = 6, base: float = 10_000.0) -> Explorer:
    """Turn the hands of chapter 1: a row of the encoding as four dials, position after position.

    Parameters
    ----------
    pos : int
        Position, 0 to 63; *play* moves it on.
    base : float
        1 to 1,000,000.

    Examples
    --------
    >>> clock_hands(pos=22)
    pos 22, base 10,000: the four hands have made 3.5014, 0.3501, 0.0350 and 0.0035 turns
    """
    dials = Dials("explorer.clock_hands", range(DIALS // 2))

    def step(pos: int, base: float) -> Step:
        pe = encoding.sinusoidal_positional_encoding(pos + 1, DIALS, base)
        turns = pos * encoding.angular_frequencies(DIALS, base) / (2 * math.pi)
        made = zip(("first", "second", "third", "fourth"), map(plots.number, turns), strict=True)
        said = text("encode.clock_hands", pos=pos, base=_thousands(base), **dict(made))
        return Step(said, [dials.show(pe)])

    controls = {"pos": slider("encode.pos", 0, 63), "base": log_slider("encode.base", 0, 6)}
    return Explorer(controls, step, plays="pos", pos=pos, base=base)


def _folklore(similarity: np.ndarray) -> str:
    """Say where "near is similar" breaks."""
    others = similarity[1:]
    if others.size == 0:
        return text("encode.alone")
    rises = np.flatnonzero(np.diff(similarity) > NOISE)
    first = text("encode.rise", offset=rises[0]) if rises.size else text("encode.no_rise")
    # the first of those that tie, so that rounding cannot choose
    best = 1 + np.flatnonzero(others > others.max() - NOISE)[0]
    return first + text("encode.nearest", offset=best, value=plots.number(similarity[best]))


def _thousands(value: float) -> str:
    return f"{round(float(value), 1):,.10g}"
