"""What the kernel of a notebook says of an explorer; it runs there, see `visit.py`."""

import ast
import math
import re
from typing import Any

PICTURE = re.compile(r'<img [^>]*src="([^"]+)"')


def state(names: dict[str, Any], number: int) -> dict[str, list]:
    """Where the sliders of the explorer of cell `number` stand, and what it ought to show.

    The pictures are those of a new explorer, from the same line of code, with the same values.
    """
    controls = names["Out"][number].controls
    line = ast.parse(names["In"][number]).body[-1]
    new = eval(compile(ast.Expression(line.value), "cell", "eval"), names)
    new.set(**{name: control.value for name, control in controls.items()})
    pictures = PICTURE.findall(new.view.value)
    # not the buttons: the page may still have a word for a player and its links
    for widget in (*new.controls.values(), *new.box.children, new.box):
        widget.close()
    sliders = [each for each in controls.values() if hasattr(each, "readout_format")]
    return {"sliders": [_place(each) for each in sliders], "pictures": pictures}


def _place(slider: Any) -> float:
    # on a logarithmic slider the page counts in powers of its base
    return math.log(slider.value, slider.base) if hasattr(slider, "base") else slider.value
