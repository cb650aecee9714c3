"""The encoding: by rotation against the formula, and against two ways with PyTorch."""

import math
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from course_utils.encoding import (
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from tools.benchmarks.table import Row, cpu, exponent, ratio

BUILDERS = {
    "formula": sinusoidal_positional_encoding,
    "rotation": sinusoidal_positional_encoding_by_rotation,
}
# where the rotation loses, where it wins a little, and where it shall win
CPU_GOALS = {(8, 16): "", (64, 128): ">= 2", (512, 512): ">= 10", (4096, 1024): ">= 10"}
LARGE = [(512, 512), (4096, 1024)]
LAST = 99_999


def rows(small: bool) -> Iterator[Row]:
    for dtype in (np.float64, np.float32):
        for shape, goal in CPU_GOALS.items():
            calls = {name: partial(build, *shape, dtype=dtype) for name, build in BUILDERS.items()}
            measured = ratio(cpu(small, **calls), "formula", "rotation")
            what = f"encoding by rotation, {_size(shape)}, {np.dtype(dtype)}"
            yield Row(what, goal, measured, "CPU of the formula / CPU of the rotation")
    yield from _memory_and_error(small)
    yield from _torch(small)
    yield from _growth(small)


def _memory_and_error(small: bool) -> Iterator[Row]:
    for shape in LARGE:
        for name, build in BUILDERS.items():
            goal = "<= 1.05" if name == "rotation" else ""
            what = f"peak memory of the {name}, {_size(shape)}"
            yield Row(what, goal, _peak(partial(build, *shape)), "traced peak / size of the output")
    if np.finfo(np.longdouble).eps > 1e-18:
        yield Row("error of the rotation", "<= 1", "no long double here", "")
        return
    for shape in [(64, 128), (4096, 512), (LAST + 1, 64)][: 1 if small else None]:
        exact = _in_long_double(*shape)
        worst = {name: np.abs(build(*shape) - exact).max() for name, build in BUILDERS.items()}
        compared = f"largest error {worst['rotation']:.1e} / {worst['formula']:.1e} of the formula"
        measured = float(worst["rotation"] / worst["formula"])
        yield Row(f"error of the rotation, {_size(shape)}", "<= 1", measured, compared)


def _torch(small: bool) -> Iterator[Row]:
    theirs = {"PyTorch tutorial": _tutorial(), "positional-encodings": _package()}
    for name, build in theirs.items():
        if build is None:
            yield Row(f"against {name}", "> 1", "not installed", "")
            continue
        for shape in LARGE:
            calls = {
                ours: partial(function, *shape, dtype=np.float32)
                for ours, function in BUILDERS.items()
            }
            seconds = cpu(small, theirs=partial(build, *shape), **calls)
            for ours, goal in (("rotation", "> 1"), ("formula", "")):
                compared = f"CPU of {name} / CPU of our {ours}, all in float32, one thread"
                measured = ratio(seconds, "theirs", ours)
                yield Row(f"{ours} against {name}, {_size(shape)}", goal, measured, compared)
    narrow = {name: partial(build, dtype=np.float32) for name, build in BUILDERS.items()}
    exact = sinusoidal_positional_encoding(LAST + 1, 64)[LAST]
    for name, build in (narrow | theirs).items():
        if build is not None:
            error = np.abs(np.asarray(build(LAST + 1, 64))[LAST] - exact).max()
            goal = "<= 1e-7" if name in narrow else ""
            what = f"float32 error at position {LAST:,}, {name}"
            yield Row(what, goal, float(error), "largest error of the row, d_model 64")


def _growth(small: bool) -> Iterator[Row]:
    scale = 8 if small else 1
    lengths = [n // scale for n in (1024, 2048, 4096, 8192)]
    widths = [d // scale for d in (128, 256, 512, 1024)]
    for name, build in BUILDERS.items():
        for what, sizes, call in (
            ("seq_len", lengths, lambda size, build=build: build(size, 128)),
            ("d_model", widths, lambda size, build=build: build(1024, size)),
        ):
            compared = f"slope of log CPU over log {what}, {sizes[0]:,} to {sizes[-1]:,}"
            yield Row(f"growth of the {name} in {what}", "", exponent(small, call, sizes), compared)


def _size(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,}×{shape[1]:,}"


def _peak(call: Callable[[], np.ndarray]) -> float:
    call()
    tracemalloc.start()
    size = call().nbytes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / size


def _in_long_double(seq_len: int, d_model: int) -> np.ndarray:
    pairs = np.arange(0, d_model, 2, dtype=np.longdouble)
    angles = np.outer(np.arange(seq_len), np.longdouble(10_000) ** (-pairs / d_model))
    pe = np.empty((seq_len, d_model), np.longdouble)
    pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles)
    return pe


def _tutorial() -> Callable | None:
    """Build as the module `PositionalEncoding` of PyTorch's tutorial describes it, in float32.

    It multiplies positions with ``exp(2 * i * (-log(10000) / d_model))``:
    https://docs.pytorch.org/tutorials/beginner/transformer_tutorial.html
    """
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)

    def build(seq_len: int, d_model: int) -> object:
        omega = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10_000.0) / d_model))
        angles = torch.arange(seq_len).unsqueeze(1) * omega
        pe = torch.zeros(seq_len, d_model)
        pe[:, 0::2] = torch.sin(angles)
        pe[:, 1::2] = torch.cos(angles)
        return pe

    return build


def _package() -> Callable | None:
    """Build with `PositionalEncoding1D`: https://pypi.org/project/positional-encodings/."""
    try:
        import torch
        from positional_encodings.torch_encodings import PositionalEncoding1D
    except ImportError:
        return None

    def build(seq_len: int, d_model: int) -> object:
        # a new module each time, since it keeps what it has built
        return PositionalEncoding1D(d_model)(torch.zeros(1, seq_len, d_model))[0]

    return build
