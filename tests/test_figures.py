"""Figures of the notebooks in the projector's style: no words stand on other words."""

import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from tools.notebooks import ROOT, course_notebooks, load

pytestmark = pytest.mark.slow


def words_on_words(fig):
    """Pairs of texts that overlap by more than a pixel, among all that are drawn."""
    fig.canvas.draw()
    # ticks beyond the limits are made but not drawn
    beyond = {
        each
        for ax in fig.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis.get_major_ticks()
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        for each in (tick.label1, tick.label2)
    }
    texts = [
        (each.get_text(), each.get_window_extent())
        for each in fig.findobj(lambda one: isinstance(one, Text) and one.get_visible())
        # slanting words may lie side by side though their boxes overlap
        if each.get_text().strip() and each not in beyond and each.get_rotation() % 90 == 0
    ]
    for (one, first), (other, second) in itertools.combinations(texts, 2):
        both = mpl.transforms.Bbox.intersection(first, second)
        if both is not None and min(both.width, both.height) > 1:
            yield one, other


@pytest.mark.parametrize(
    "path", course_notebooks(ROOT / "notebooks" / "en"), ids=lambda path: path.stem
)
def test_no_words_stand_on_others(path):
    space, found = {"__name__": "__main__"}, {}
    with mpl.rc_context():
        for cell in load(path).code:
            source = cell.source.replace("use_style()", "use_style(projector=True)")
            exec(compile(source, cell.id, "exec"), space)
            for number in plt.get_fignums():
                if pairs := [*words_on_words(plt.figure(number))]:
                    found[cell.id] = pairs
            plt.close("all")
    assert found == {}


def test_words_on_words_are_seen():
    fig = Figure()
    ax = fig.subplots()
    ax.set(xticks=[0, 1], xticklabels=["long" * 20, "words" * 20])
    assert [*words_on_words(fig)]
