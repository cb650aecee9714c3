"""Sliders in JupyterLab: an explorer against plain `interact` with pyplot, in one page, in turn.

Latency runs from the time stamp of a key press to the end of the frame that shows the new picture,
decoded. Pictures a second are counted while a key repeats 60 times a second.
"""

import gc
import statistics
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import Locator, sync_playwright

from course_utils import explorers
from course_utils.explorers.pictures import palette_png
from tools.benchmarks.table import Row, ratio
from tools.lab import Lab, has_browser, launch, open_notebook, serve

PAGE = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
SIDES = ("ours", "theirs")
# milliseconds between two presses of a key that repeats
GAP = 1000 / 60
# milliseconds between two turns
REST = 250


class Case(NamedTuple):
    """An explorer, the control that moves, and the goals: times faster, times less kernel CPU."""

    what: str
    chapter: str
    moved: str
    values: dict[str, object]
    faster: str
    less: str
    layout: str | None = "constrained"


LARGE = {"seq_len": 256, "d_model": 512}
CASES = [
    Case("heat map 64×128", "encode", "base", {}, ">= 6", ">= 100"),
    Case("heat map 256×512", "encode", "base", LARGE, ">= 6", ">= 40"),
    Case("heat map 64×128, plain layout", "encode", "base", {}, "", "", None),
    Case("heat map 256×512, plain layout", "encode", "base", LARGE, "", "", None),
    Case("waves", "encode", "base", {"view": "waves"}, ">= 3", ""),
    Case("attention", "attend", "words", {"words": 0.5}, ">= 3", ""),
    Case("with and without", "compare", "scale", {}, ">= 3", ""),
    Case("sum and meters", "add", "scale", {}, ">= 3", ""),
]
# a server of another environment does not load `course_utils.server`
ELSEWHERE = [
    case._replace(what=f"{case.what}, server elsewhere", faster="", less="") for case in CASES[:2]
]


def rows(small: bool) -> Iterator[Row]:
    yield from _colours()
    yield from _growth(small)
    if not has_browser():
        yield Row("sliders in JupyterLab", ">= 6", "no browser", "")
        return
    yield from _in_jupyterlab(CASES[:1] if small else CASES, small, ours=True)
    yield from _in_jupyterlab(ELSEWHERE[:1] if small else ELSEWHERE, small, ours=False)


def _in_jupyterlab(cases: list[Case], small: bool, ours: bool) -> Iterator[Row]:
    server = {"ServerApp": {"jpserver_extensions": {"course_utils.server": ours}}}
    settings = {"config/jupyter_server_config.json": server}
    with (
        TemporaryDirectory() as home,
        sync_playwright() as playwright,
        serve(Path(home), settings) as server,
    ):
        context = launch(playwright).new_context(viewport={"width": 1400, "height": 1600})
        for case in cases:
            nbformat.write(_notebook(case), server.folder / "case.ipynb")
            with open_notebook(context, server, "case.ipynb") as lab:
                handles = _watch(lab)
                yield from _one_press(lab, case, handles, small)
                yield from _many_presses(lab, case, small)
                yield _kernel(lab, case, small)


def _notebook(case: Case) -> nbformat.NotebookNode:
    arguments = f"{case.chapter!r}, {case.moved!r}, {case.values!r}, {case.layout!r}"
    set_up = (
        "from course_utils import plots\nfrom tools.benchmarks.twins import Pair\n"
        f"plots.use_style()\npair = Pair({arguments})"
    )
    return new_notebook(
        cells=[new_code_cell(code) for code in (set_up, "pair.ours", "pair.theirs")],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )


def _watch(lab: Lab) -> dict[str, Locator]:
    """Run the notebook, watch both outputs, and return the handles of both sliders."""
    lab.run_all()
    lab.page.evaluate(PAGE)
    handles = {}
    for index, side in enumerate(SIDES, start=1):
        cell = lab.page.locator(".jp-CodeCell").nth(index)
        cell.locator("img").first.wait_for()
        handles[side] = cell.locator(".noUi-handle").nth(lab.evaluate(f"pair.handle({side!r})"))
        area = cell.locator(".jp-OutputArea").first.element_handle()
        arguments = [side, area, handles[side].element_handle()]
        lab.page.evaluate("([name, node, handle]) => course.watch(name, node, handle)", arguments)
    return handles


def _one_press(lab: Lab, case: Case, handles: dict[str, Locator], small: bool) -> Iterator[Row]:
    latency: dict[str, list[float]] = {side: [] for side in SIDES}
    for k in range(2 if small else 24):
        for side in SIDES:
            shown = lab.page.evaluate("name => course.sides[name].pictures.length", side)
            handles[side].press("ArrowLeft" if k % 20 < 10 else "ArrowRight")
            milliseconds = lab.page.wait_for_function(
                "([name, shown]) => { const s = course.sides[name];"
                "return s.pictures.length > shown && s.pictures.at(-1).time - s.pressed }",
                arg=[side, shown],
            )
            latency[side].append(milliseconds.json_value())
            lab.wait_until_idle()
            # the page, too, puts away the picture before: the next turn is not charged for it
            lab.page.wait_for_timeout(REST)
    ours, theirs = (statistics.median(latency[side]) for side in SIDES)
    compared = f"interact {theirs:.0f} ms / explorer {ours:.0f} ms"
    yield Row(f"{case.what}: latency", case.faster, ratio(latency, "theirs", "ours"), compared)


def _many_presses(lab: Lab, case: Case, small: bool) -> Iterator[Row]:
    rates: dict[str, list[float]] = {side: [] for side in SIDES}
    waits = []
    for _ in range(1 if small else 20):
        for side in SIDES:
            burst = _hold(lab, side, 30 if small else 60)
            rates[side].append(burst.rate)
            if side == "ours":
                waits.append(burst.wait)
    ours, theirs = (statistics.median(rates[side]) for side in SIDES)
    compared = f"explorer {ours:.1f} / interact {theirs:.1f}, while a key repeats"
    measured = ratio(rates, "ours", "theirs")
    yield Row(f"{case.what}: pictures a second", case.faster, measured, compared)
    if not case.faster:
        return
    compared = f"milliseconds, median of {len(waits)}; worst {max(waits):.0f}"
    what = f"{case.what}: last picture after the last press"
    yield Row(what, "<= 150", statistics.median(waits), compared)
    presses = 60 if small else 400
    burst = _hold(lab, "ours", presses)
    compared = (
        f"pictures that come after the last of {presses} presses: one on its way, and the last"
    )
    yield Row(f"{case.what}: backlog", "<= 2", burst.behind, compared)
    wanted = lab.page.evaluate(
        "course.sides.ours.handle.closest('.noUi-target').noUiSlider.get(true)"
    )
    shown = lab.evaluate("pair.last_shown()")
    what, goal = f"{case.what}: the last picture shows", "the last value"
    yield Row(what, goal, goal if abs(shown - wanted) < 1e-9 else f"{shown}, not {wanted}", "")


class Burst(NamedTuple):
    """Pictures a second, how long after the last press the last one came, and how many did."""

    rate: float
    wait: float
    behind: int


def _hold(lab: Lab, side: str, presses: int) -> Burst:
    page = lab.page
    keys = (["ArrowLeft"] * 15 + ["ArrowRight"] * 15) * presses
    before = page.evaluate("name => course.sides[name].pictures.length", side)
    start = page.evaluate("performance.now()")
    arguments = [side, keys[:presses], GAP]
    end = page.evaluate("([name, keys, gap]) => course.burst(name, keys, gap)", arguments)
    # whatever is still on its way
    page.wait_for_timeout(500)
    lab.wait_until_idle()
    new = "([name, before]) => course.sides[name].pictures.length > before"
    page.wait_for_function(new, arg=[side, before])
    pictures = page.evaluate("name => course.sides[name].pictures", side)[before:]
    during = sum(picture["time"] <= end for picture in pictures)
    behind = sum(picture["arrived"] > end for picture in pictures)
    return Burst(1000 * during / (end - start), pictures[-1]["time"] - end, behind)


def _kernel(lab: Lab, case: Case, small: bool) -> Row:
    seconds = lab.evaluate(f"pair.cpu({3 if small else 25})")
    ours, theirs = (1000 * statistics.median(seconds[side]) for side in SIDES)
    compared = f"interact {theirs:.1f} ms / explorer {ours:.2f} ms"
    measured = ratio(seconds, "theirs", "ours")
    return Row(f"{case.what}: kernel CPU a step", case.less, measured, compared)


def _colours() -> Iterator[Row]:
    for name, limits in (("RdBu_r", (-1.0, 1.0)), ("viridis", (0.0, 1.0))):
        values = np.random.RandomState(42).uniform(*limits, (256, 512))
        values[0, :2] = limits
        wanted = mpl.colormaps[name](mpl.colors.Normalize(*limits)(values), bytes=True)[..., :3]
        shown = np.asarray(Image.open(BytesIO(palette_png(values, name, limits))).convert("RGB"))
        differ = int((shown != wanted).any(axis=2).sum())
        compared = f"pixels of {values.size:,} that are not Matplotlib's"
        yield Row(f"colours of {name}", "<= 0", differ, compared)


def _growth(small: bool) -> Iterator[Row]:
    explorer = explorers.encode()

    def move(steps: int) -> int:
        for k in range(steps):
            explorer.controls["base"].value = 10.0 ** (2 + k % 40 / 20)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    steps = 200 if small else 2_000
    figures = len(plt.get_fignums())
    tracemalloc.start()
    before = move(100)
    grown = move(steps) - before
    tracemalloc.stop()
    yield Row(f"memory after {steps:,} steps", "<= 100", grown / 1000, "kB that stay, traced")
    yield Row(f"figures after {steps:,} steps", "<= 0", len(plt.get_fignums()) - figures, "opened")
