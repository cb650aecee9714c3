"""Controls of an explorer, each with a visible name, and the values that they accept."""

from collections.abc import Iterable, Sequence

import ipywidgets as widgets

from course_utils.arguments import brief, integer, real_number, shown, true_or_false
from course_utils.language import text


def slider(name: str, low: int, high: int, step: int = 1) -> widgets.IntSlider:
    """Return a slider over whole numbers."""
    return widgets.IntSlider(min=low, max=high, value=low, step=step, **_named(name))


def log_slider(name: str, low: float, high: float, shown: str = ",.0f") -> widgets.FloatLogSlider:
    """Return a slider from 10**low to 10**high."""
    made = widgets.FloatLogSlider(
        min=low, max=high, step=0.05, readout_format=shown, **_named(name)
    )
    # the line must not grow shorter while the number grows longer
    if len(format(10**high, shown)) > len("10.00"):
        made.add_class("course-long")
    return made


def float_slider(name: str, low: float, high: float, step: float) -> widgets.FloatSlider:
    """Return a slider over a range of real numbers."""
    return widgets.FloatSlider(min=low, max=high, value=low, step=step, **_named(name))


def switch(name: str) -> widgets.Checkbox:
    """Return a box to tick."""
    return widgets.Checkbox(indent=False, **_named(name))


def choice(name: str, options: Sequence[tuple[str, str]]) -> widgets.ToggleButtons:
    """Return buttons of which one is down, from pairs of label and value."""
    return widgets.ToggleButtons(options=options, style={"button_width": "auto"}, **_named(name))


def button(name: str, icon: str) -> widgets.Button:
    """Return a button."""
    return widgets.Button(icon=icon, **_named(name))


def play(moved: widgets.IntSlider) -> tuple[widgets.ToggleButton, widgets.Play]:
    """Return a button that moves a slider on, and the hidden player that it starts.

    The buttons of a `Play` have no names, neither for screen readers nor in Chinese.
    """
    hidden = widgets.Layout(display="none")
    ends = {"min": moved.min, "max": moved.max, "value": moved.value}
    clock = widgets.Play(**ends, interval=300, layout=hidden)  # milliseconds
    start = widgets.ToggleButton(icon="play", **_named("explorer.play"))
    start.add_class("course-play")
    widgets.jslink((start, "value"), (clock, "playing"))
    widgets.jslink((moved, "value"), (clock, "value"))
    return start, clock


def rows(
    controls: Iterable[widgets.Widget], buttons: Iterable[widgets.Widget]
) -> list[widgets.HBox]:
    """Return choices and buttons in one row, and sliders below them in another."""
    sliders, choices = [], []
    for control in controls:
        (sliders if hasattr(control, "readout") else choices).append(control)
    divided = [[*choices, *buttons], sliders] if choices else [[*sliders, *buttons]]
    boxes = [widgets.HBox(row) for row in divided if row]
    for box in boxes:
        box.add_class("course-controls")
    return boxes


def checked(name: str, control: widgets.Widget, value: object) -> object:
    """Return a value that a control accepts as a plain Python object; raise if it does not."""
    if hasattr(control, "options"):
        known = [each for _, each in control.options]
        if not isinstance(value, str) or value not in known:
            raise ValueError(text("error.choice", name=name, got=shown(value), known=known))
        return value
    if isinstance(control, widgets.Checkbox):
        return true_or_false(name, value)
    low, high = control.min, control.max
    read = integer if isinstance(control, widgets.IntSlider) else real_number
    value = read(name, value, example=low)
    if isinstance(control, widgets.FloatLogSlider):
        low, high = control.base**low, control.base**high
    if not low <= value <= high:
        limits = {"low": f"{low:g}", "high": f"{high:g}"}
        raise ValueError(text("error.range", name=name, got=brief(value), **limits))
    return value


def _named(name: str) -> dict[str, str]:
    # without a tooltip of its own, the page makes one that says "null"
    return {"description": text(name), "tooltip": text(name)}
