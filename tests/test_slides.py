"""What each cell says about slides, in `metadata.slideshow.slide_type`, keeps to the rules."""

import copy

import pytest

from tools.notebooks import ROOT, course_notebooks, load

TYPES = {"slide", "subslide", "fragment", "skip", "notes"}
OPENS = {"slide", "subslide"}
# styles of one cell that hold on slides only
STYLES = "@deathbeds/jupyterlab-fonts"
MOST_LINES = 8
CHAPTERS = [
    pytest.param(path, id=path.relative_to(ROOT / "notebooks").as_posix())
    for path in course_notebooks()
    if path.stem[0].isdigit()
]


def slide_type(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type")


def is_code_hidden(cell):
    return "& .jp-Cell-inputWrapper" in str(cell.metadata.get(STYLES, ""))


def broken_rules(cells):
    """A sentence for each rule that is not kept."""
    for cell in cells:
        if slide_type(cell) not in TYPES:
            yield f"{cell.id}: slide type {slide_type(cell)}"
    slides = []
    for cell in cells:
        if slide_type(cell) in OPENS:
            slides.append([])
        if slide_type(cell) in OPENS | {"fragment"}:
            if not slides:
                yield f"{cell.id}: before the first slide"
                return
            slides[-1].append(cell)
        elif cell.source.startswith("# "):
            yield f"{cell.id}: the title is no slide"
    for slide in slides:
        name = slide[0].id
        code = [cell for cell in slide if cell.cell_type == "code"]
        shown = [cell.source for cell in code if not is_code_hidden(cell)]
        lines = [line for source in shown for line in source.splitlines() if line.strip()]
        if len(lines) > MOST_LINES:
            yield f"{name}: {len(lines)} lines of code"
        pictures = [
            output
            for cell in code
            for output in cell.outputs
            if "image/png" in output.get("data", {})
        ]
        if len(pictures) > 1:
            yield f"{name}: {len(pictures)} pictures"
    for before, cell in zip([None, *cells], cells, strict=False):
        if "reveal" in cell.metadata.get("tags", []) and slide_type(cell) == "slide":
            yield f"{cell.id}: reveals on the slide of its question"
        shows = slide_type(cell) in OPENS | {"fragment"} and cell.cell_type == "code"
        if shows and is_code_hidden(cell) and not cell.outputs:
            yield f"{cell.id}: a step that shows nothing"
        heads = cell.cell_type == "markdown" and cell.source.startswith("## ")
        if heads and slide_type(cell) not in {"slide", "skip"}:
            yield f"{cell.id}: a heading in the middle of a slide"
        is_exercise = before is not None and before.id.startswith("exercise-")
        answers = is_exercise and cell.id == f"{before.id}-answer"
        if answers and slide_type(before) == "skip" != slide_type(cell):
            yield f"{cell.id}: an answer without its exercise"


@pytest.mark.parametrize("path", CHAPTERS)
def test_slides_keep_the_rules(path):
    assert list(broken_rules(load(path).nb.cells)) == []


def as_type(name, kind):
    def change(cells):
        cells[name].metadata["slideshow"] = {"slide_type": kind}

    return change


def drop(name):
    return lambda cells: cells[name].metadata.pop("slideshow")


def long_code(name):
    return lambda cells: cells[name].update(source="pass\n" * (MOST_LINES + 1))


def silent(name):
    return lambda cells: cells[name].update(outputs=[])


CANARIES = {
    "nothing": silent("candidates-run"),
    "none": drop("contract"),
    "unknown": as_type("contract", "-"),
    "no-title": as_type("title", "skip"),
    "long": long_code("order-run-code"),
    "two-pictures": as_type("clock-intro", "fragment"),
    "reveal": as_type("order-run-code", "slide"),
    "heading": as_type("views-heading", "fragment"),
    "exercise": as_type("exercise-1-1", "skip"),
}


@pytest.mark.parametrize("name", CANARIES)
def test_rules_see(name):
    cells = copy.deepcopy(load(ROOT / "notebooks/en/01_encode.ipynb").nb.cells)
    by_name = {cell.id: cell for cell in cells}
    CANARIES[name](by_name)
    assert list(broken_rules(cells))
