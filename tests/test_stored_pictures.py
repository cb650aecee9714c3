"""Stored pictures are those that the code draws now: nbval compares words, and no picture.

A label, a colour, a line of `plots.py` changes every figure that uses it; what is stored, and seen
by whoever reads without running, stays as it was until `python -m tools.execute` has run.
"""

import base64
import io
from copy import deepcopy

import numpy as np
import pytest
from PIL import Image

from tools import picture
from tools.execute import normalise, run
from tools.notebooks import NOTEBOOKS, course_notebooks, read

pytestmark = pytest.mark.usefixtures("course_style")

# other processors round otherwise: grey levels that one pixel may be off, and pixels that may be
LEVELS, PIXELS = 64, 8


def pixels(png):
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGBA"), dtype=int)


def differ(one, other):
    """Whether two pictures would be told apart, by a letter that changed."""
    one, other = pixels(one), pixels(other)
    if one.shape != other.shape:
        return True
    return (np.abs(one - other).max(axis=2) > LEVELS).sum() > PIXELS


def drawn(notebook):
    """The pictures of a notebook, by the ids of their cells."""
    for cell in notebook.cells:
        outputs = (output.get("data", {}) for output in cell.get("outputs", []))
        found = [base64.b64decode(data["image/png"]) for data in outputs if "image/png" in data]
        if found:
            yield cell.id, found


def changed(stored, new):
    """Cells whose pictures are not those that are stored."""
    before, after = dict(drawn(stored)), dict(drawn(new))
    for name in sorted({*before, *after}):
        one, other = before.get(name, []), after.get(name, [])
        if len(one) != len(other) or any(map(differ, one, other)):
            yield name


# the Chinese ones by `python -m tools.execute`, which names the pictures that changed
@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    course_notebooks(NOTEBOOKS / "en"),
    ids=lambda path: path.relative_to(NOTEBOOKS).as_posix(),
)
def test_stored_pictures_are_those_that_the_code_draws(path):
    stored = read(path)
    new = deepcopy(stored)
    run(new, path.parent)
    normalise(new)
    assert list(changed(stored, new)) == [], f"python -m tools.execute {path}"


# an older Matplotlib draws letters otherwise, and the quick tests run there too
@pytest.mark.slow
def test_the_picture_of_the_readme_is_the_one_that_is_drawn(tmp_path, monkeypatch):
    stored = picture.PICTURE.read_bytes()
    monkeypatch.setattr(picture, "PICTURE", tmp_path / "drawn.png")
    picture.main()
    assert not differ(stored, picture.PICTURE.read_bytes()), "python -m tools.picture"


def test_a_letter_that_changed_is_seen():
    stored = read(NOTEBOOKS / "en" / "01_encode.ipynb")
    new = deepcopy(stored)
    assert list(changed(stored, new)) == []
    name, (png, *_) = next(drawn(stored))
    image = pixels(png).astype(np.uint8)
    image[:4, :4] = 255 - image[:4, :4]
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "png")
    for cell in new.cells:
        if cell.id == name:
            outputs = [output for output in cell.outputs if "image/png" in output.get("data", {})]
            outputs[0].data["image/png"] = base64.b64encode(buffer.getvalue()).decode()
    assert list(changed(stored, new)) == [name]
