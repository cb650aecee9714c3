"""A small notebook that keeps all rules, and ways to break it."""

from copy import deepcopy

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tools.execute import LIVE_VIEW

PE = """\
def encode(seq_len, d_model):
    angles = np.outer(np.arange(seq_len), 10_000.0 ** (-np.arange(0, d_model, 2) / d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)"""
FIGURE = """\
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(2, 1))
image = ax.imshow(encode(4, 8))
plt.show()
print(f"largest value drawn: {image.get_array().max():.4f}")"""
EXPLORER = """\
class Explorer:
    def _repr_mimebundle_(self, **kwargs):
        return {LIVE: {"model_id": "7"}, "text/plain": f"position 1: {encode(2, 8)[1, 2]:.4f}"}


Explorer()""".replace("LIVE", repr(LIVE_VIEW))


def good_cells():
    return [
        new_markdown_cell("# Canary\n\nThe base is `0.12345`, and $x = 0.54321$.", id="title"),
        new_code_cell("import numpy as np", id="setup"),
        new_markdown_cell("## Encode\n\nThe first wave rises by 0.841, or 84.1 %.", id="encode"),
        new_code_cell(PE, id="encode-lines"),
        new_code_cell('print(f"{encode(2, 8)[1, 0]:.4f}")', id="encode-number"),
        new_code_cell(FIGURE, id="fig-heatmap"),
        new_code_cell(EXPLORER, id="explore"),
        new_markdown_cell("## Check", id="check"),
        new_code_cell("assert np.sin(0) == 0", id="check-zero"),
    ]


def cell(notebook, name):
    return next(each for each in notebook.cells if each.id == name)


def without_figure(notebook):
    """Leave out what takes most of a kernel's time: importing Matplotlib."""
    notebook.cells.remove(cell(notebook, "fig-heatmap"))
    code = (each for each in notebook.cells if each.cell_type == "code")
    for number, each in enumerate(code, start=1):
        each.execution_count = number
    return notebook


def source(name, old, new):
    """A breakage: other code or prose in one cell, outputs as before."""

    def change(notebook):
        assert old in cell(notebook, name).source
        cell(notebook, name).source = cell(notebook, name).source.replace(old, new)

    return change


def append(*cells):
    """A breakage: more cells at the end, already run."""

    def change(notebook):
        for each in deepcopy(cells):
            if each.cell_type == "code":
                each.execution_count = 1 + sum(c.cell_type == "code" for c in notebook.cells)
            notebook.cells.append(each)

    return change


def put(name, **values):
    """A breakage: other values in one cell."""
    return lambda notebook: cell(notebook, name).update(deepcopy(values))


def code(text, *outputs):
    return append(new_code_cell(text, id="more", outputs=list(outputs)))


def prose(text):
    return append(new_markdown_cell(text, id="more"))


def stdout(text):
    return new_output("stream", name="stdout", text=text)


def value(**data):
    return new_output("display_data", data={k.replace("_", "/"): v for k, v in data.items()})
