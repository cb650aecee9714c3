"""Read a notebook as a learner does: run all cells, then move whatever moves."""

import math
import re
import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, TimeoutError

from tools.lab import PATIENCE, Lab, Server, open_notebook
from tools.notebooks import read

EXPLORER = re.compile(r"^explorers\.\w+\(", re.MULTILINE)
PICTURES = "view => [...view.querySelectorAll('.course-view img')].map(image => image.src)"
ALL_SHOWN = """count => {
    const views = [...document.querySelectorAll('.course-explorer')];
    return views.length === count && views.every(view => view.querySelector('.course-view img'));
}"""
ANSWERED = f"""([view, before]) =>
    view.querySelector('[role=alert]') || ({PICTURES})(view).join() !== before.join()"""
DECODED = """view => [...view.querySelectorAll('.course-view img')].every(
    image => image.complete && image.naturalWidth > 0)"""
STATE = "__import__('tests.browser.inside', fromlist=['state']).state(globals(), {})"


def visit(
    context: BrowserContext, server: Server, path: str, patience: float = PATIENCE
) -> list[str]:
    """Everything wrong with a notebook of the server: with its cells, its page, its explorers.

    A picture has `patience` seconds to change.
    """
    cells = read(server.folder / path).cells
    count = sum(len(EXPLORER.findall(cell.source)) for cell in cells if cell.cell_type == "code")
    with open_notebook(context, server, path) as lab:
        lab.run_all()
        numbers = lab.evaluate("[number for number in Out if hasattr(Out[number], 'controls')]")
        if len(numbers) != count:
            lab.problems.append(f"explorers: {count} in the code, {len(numbers)} in outputs")
            return lab.problems
        lab.page.wait_for_function(ALL_SHOWN, arg=count)
        explorers = lab.page.locator(".course-explorer")
        for number, explorer in zip(numbers, explorers.all(), strict=True):
            _explore(lab, number, explorer, patience)
        lab.wait_until_idle()
        return lab.problems


def _explore(lab: Lab, number: int, explorer: Locator, patience: float) -> None:
    def expect_change(name: str, act: Callable[[], None]) -> None:
        before = explorer.evaluate(PICTURES)
        act()
        arguments = [explorer.element_handle(), before]
        try:
            lab.page.wait_for_function(ANSWERED, arg=arguments, timeout=1000 * patience)
        except TimeoutError:
            lab.problems.append(f"cell [{number}]: {name}: the picture stays as it was")
        refused = explorer.get_by_role("alert").all_inner_texts()
        lab.problems.extend(f"cell [{number}]: {name}: {words}" for words in refused)

    sliders = explorer.locator(".widget-slider").all()
    if not sliders:
        lab.problems.append(f"cell [{number}]: no slider")
    if explorer.locator("[title=null]:visible, [title=undefined]:visible").count():
        lab.problems.append(f"cell [{number}]: a tooltip that says nothing")
    for slider in sliders:
        name, handle = slider.locator(".widget-label").inner_text(), slider.get_by_role("slider")
        for key in ("ArrowRight", "PageUp", "ArrowLeft"):
            expect_change(f"{name}, {key}", lambda: handle.press(key))  # noqa: B023
    choices = explorer.locator(".widget-toggle-button:not(.mod-active, .course-play)")
    for button in choices.element_handles():
        expect_change(button.inner_text(), button.click)
    for button in explorer.locator(".course-play").all():
        expect_change("play", button.click)
        expect_change("play goes on", lambda: None)
        button.click()
    for box in explorer.get_by_role("checkbox").all():
        expect_change("box", box.click)
    # as fast as keys come: the last picture must still be that of the last values
    for key in ("PageUp", "ArrowLeft", "PageUp"):
        for slider in sliders:
            slider.get_by_role("slider").press(key)
    if complaint := _unsettled(lab, number, explorer, patience):
        lab.problems.append(f"cell [{number}]: {complaint}")


def _unsettled(lab: Lab, number: int, explorer: Locator, patience: float) -> str:
    """Wait until sliders, kernel and pictures agree; else say who does not."""
    deadline = time.monotonic() + patience
    while True:
        texts = explorer.get_by_role("slider").all()
        page = [float(each.get_attribute("aria-valuetext") or "nan") for each in texts]
        kernel = lab.evaluate(STATE.format(number))
        if not all(map(_close, page, kernel["sliders"])):
            complaint = f"the sliders stand at {page}, the kernel's at {kernel['sliders']}"
        elif explorer.evaluate(PICTURES) != kernel["pictures"]:
            complaint = f"the last picture is not that of the last values, {page}"
        elif not explorer.evaluate(DECODED):
            complaint = "a picture cannot be decoded"
        else:
            return ""
        if time.monotonic() > deadline:
            return complaint
        lab.page.wait_for_timeout(100)


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, abs_tol=1e-9)
