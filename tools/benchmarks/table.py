"""One row for each promise, and how two things are timed side by side."""

import datetime
import importlib.metadata
import operator
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

PACKAGES = (
    "numpy",
    "matplotlib",
    "ipywidgets",
    "jupyterlab",
    "playwright",
    "torch",
    "positional-encodings",
)
HEAD = "| what | goal | measured | | what was compared |\n|---|---|---|---|---|"
TURN = 5e-3
COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


class Row(NamedTuple):
    """What is measured, the goal such as ``">= 10"`` or none, the figure, and its explanation."""

    what: str
    goal: str
    measured: float | str
    compared: str

    def __str__(self) -> str:
        measured, verdict = self.measured, ""
        if not isinstance(measured, str):
            if self.goal:
                sign, limit = self.goal.split()[:2]
                verdict = "" if COMPARISONS[sign](measured, float(limit)) else "missed"
            digits = 0 if measured >= 100 else 2 if measured >= 0.1 else 3
            exact = isinstance(measured, int)
            small = 0 < measured < 0.01
            measured = f"{measured:.1e}" if small else f"{measured:,.{0 if exact else digits}f}"
        return f"| {self.what} | {self.goal} | {measured} | {verdict} | {self.compared} |"


def versions() -> str:
    """Return the date and what is installed, in one line."""
    found = [f"python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} not installed")
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}: {', '.join(found)}"


def cpu(small: bool, **calls: Callable[[], object]) -> dict[str, list[float]]:
    """Return the CPU seconds of each call in each of 25 repetitions.

    The calls take turns, so that what disturbs one disturbs all; a short call is repeated until its
    turn lasts about `TURN` seconds.
    """
    numbers = {}
    for name, call in calls.items():
        call()
        start = time.process_time()
        call()
        numbers[name] = 1 if small else max(1, round(TURN / (time.process_time() - start + 1e-9)))
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(2 if small else 25):
        for name, call in calls.items():
            start = time.process_time()
            for _ in range(numbers[name]):
                call()
            seconds[name].append((time.process_time() - start) / numbers[name])
    return seconds


def ratio(seconds: Mapping[str, list[float]], over: str, under: str) -> float:
    """Return the median of the ratios of two calls that took their turns together."""
    pairs = zip(seconds[over], seconds[under], strict=True)
    return statistics.median(one / max(other, 1e-9) for one, other in pairs)


def exponent(small: bool, build: Callable[[int], object], sizes: list[int]) -> float:
    """Return the slope of log time over log size, by least squares: 1 is linear."""
    seconds = cpu(small, **{str(size): (lambda size=size: build(size)) for size in sizes})
    medians = [max(statistics.median(times), 1e-9) for times in seconds.values()]
    return float(np.polyfit(np.log(sizes), np.log(medians), 1)[0])
