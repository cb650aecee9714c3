"""Pictures: drawn on the given axes, read back in numbers, legible, the same in both languages."""

import io
import itertools
import logging
import re
import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from course_utils import explorers, plots
from course_utils.attention import attention_weights
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.language import STRINGS, text, use_language

PE = sinusoidal_positional_encoding(64, 128)
TOKENS = ["the", "cat", "chased", "the", "dog"]
WEIGHTS = attention_weights(PE[:5], PE[:5])

DRAWN = {
    "heat_map": lambda ax: plots.heat_map(ax, PE),
    "waves": lambda ax: plots.waves(ax, PE, [0, 1, 32, 64]),
    "similarity_map": lambda ax: plots.similarity_map(ax, PE @ PE.T / 64),
    "similarity_by_offset": lambda ax: plots.similarity_by_offset(ax, {"a": PE[:, 1], "b": [1.0]}),
    "weights_map": lambda ax: plots.weights_map(ax, WEIGHTS, TOKENS),
    "signed_map": lambda ax: plots.signed_map(ax, PE[:5, :5], 2, TOKENS),
    "bars": lambda ax: plots.bars(ax, {"none": 0.0, "one": 0.4}, spread={"none": 0, "one": 0.1}),
    "curves": lambda ax: plots.curves(ax, [1, 2, 3], {"a": [1.0, 2.0, 1.5]}, "d_k", "plot.value"),
    "clock_hands": lambda ax: plots.clock_hands(np.array([ax]), PE[:5], [1])[0],
    "dials": lambda ax: plots.dials(np.array([ax]), PE[:5], [1])[0],
}


HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(autouse=True)
def _fresh(caplog):
    """English, in the style of the course; no glyph may be missing, nor a font be looked for."""
    with mpl.rc_context(), warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.filterwarnings("error", "Glyph")
        plots.use_style()
        yield
    use_language("en")
    assert not [record for record in caplog.records if record.name.startswith("matplotlib")]


@pytest.fixture
def no_font(monkeypatch):
    """A machine without zhplot and without any Chinese font."""
    monkeypatch.setattr(plots, "HAN_PACKAGE", "no-such-package")
    monkeypatch.setattr(
        font_manager.fontManager,
        "ttflist",
        [font for font in font_manager.fontManager.ttflist if font.name not in plots.HAN_FONTS],
    )
    plots._say_no_font.cache_clear()
    yield
    plots._say_no_font.cache_clear()


def figure(name):
    fig = Figure(figsize=(9, 4.5), layout="constrained")
    FigureCanvasAgg(fig)
    ax = fig.subplots()
    assert DRAWN[name](ax) is ax
    return fig, ax


def test_every_kind_of_figure_is_drawn_here():
    assert DRAWN.keys() == {*plots.__all__} - {"label", "number", "readout", "use_style"}


@pytest.mark.usefixtures("each_language")
@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_is_cut_or_warned_about(name, projector):
    plots.use_style(projector)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig, ax = figure(name)
        fig.canvas.draw()
    assert ax.get_xlabel()
    assert ax.get_ylabel() or name == "bars"
    whole = fig.bbox.padded(2)
    for words in fig.findobj(lambda one: isinstance(one, Text) and one.get_visible()):
        box = words.get_window_extent()
        # ticks beyond the limits are made but not drawn
        drawn = words in ax.texts or words in (ax.xaxis.label, ax.yaxis.label)
        if words.get_text() and drawn:
            assert whole.contains(box.x0, box.y0), words
            assert whole.contains(box.x1, box.y1), words
        least = 18 if projector and words not in ax.texts else 12
        assert words.get_fontsize() >= least, words


@pytest.mark.parametrize("projector", [False, True])
def test_words_and_numbers_of_small_panels_keep_apart(projector):
    plots.use_style(projector)
    fig = Figure(figsize=(8.5, 7), layout="constrained")
    FigureCanvasAgg(fig)
    axes = fig.subplots(2, 2)
    for ax in axes.flat:
        plots.signed_map(ax, -PE[:5, :5], 2, TOKENS, bar=ax in axes[:, 1]).label_outer()
    fig.canvas.draw()
    for ax in axes.flat:
        words = ax.get_xticklabels() if ax in axes[1] else []
        upright = [word for word in words if word.get_rotation() == 0]
        assert bool(words) == (ax in axes[1])
        assert len(upright) == (0 if projector else len(words))
        rows = [upright] + [ax.texts[row : row + 5] for row in range(0, 25, 5)]
        boxes = [[word.get_window_extent() for word in row] for row in rows]
        assert all(a.x1 < b.x0 for row in boxes for a, b in itertools.pairwise(row))


@pytest.mark.parametrize("name", DRAWN)
def test_readout_is_one_line_with_four_decimals_and_no_negative_zero(name):
    _, ax = figure(name)
    said = plots.readout(ax)
    assert "\n" not in said
    assert "-0.0000" not in said
    assert "nothing" not in said


def test_readout_reads_the_picture_not_the_argument():
    _, ax = figure("heat_map")
    before = plots.readout(ax)
    ax.images[0].set_data(PE * 0.5)
    assert plots.readout(ax) != before
    assert plots.readout(ax).startswith("image of 64 by 128 values from -0.5000 to 0.5000")


def test_readout_distinguishes_a_wrong_encoding_from_the_right_one():
    said = set()
    for base in (10_000, 1_000):
        ax = Figure().subplots()
        said.add(plots.readout(plots.heat_map(ax, sinusoidal_positional_encoding(64, 128, base))))
    assert len(said) == 2


def test_readout_takes_many_panels_and_other_languages():
    axes = Figure().subplots(2, 2)
    assert plots.clock_hands(axes, PE[:16], [0, 1, 2, 3]) is axes
    assert plots.readout(axes).count(" | ") == 3
    use_language("zh")
    assert "16 个点" in plots.readout(axes)


@pytest.mark.parametrize(
    ("value", "said"),
    [(-0.0, "0.0000"), (-1e-17, "0.0000"), (1 / 32, "0.0312"), (1 / 32 - 1e-15, "0.0312")],
)
def test_number_hides_rounding_noise(value, said):
    assert plots.number(value) == said


def test_heat_map_has_fixed_colours_position_down_and_whole_ticks():
    _, ax = figure("heat_map")
    image = ax.images[0]
    assert (image.get_clim(), image.get_cmap().name) == ((-1, 1), "RdBu_r")
    assert ax.yaxis_inverted()
    for size in (1, 2, 3, 7, 64):
        ax = Figure().subplots()
        plots.heat_map(ax, PE[:size, : 2 * size])
        ticks = np.concatenate([ax.get_xticks(), ax.get_yticks()])
        assert np.array_equal(ticks, ticks.round())


def test_lines_differ_by_dash_as_well_as_by_colour():
    _, ax = figure("waves")
    assert len({str(line.get_linestyle()) for line in ax.lines}) == len(ax.lines)
    assert len({line.get_color() for line in ax.lines}) == len(ax.lines)


def test_cells_up_to_eight_by_eight_hold_their_number():
    _, ax = figure("weights_map")
    assert [cell.get_text() for cell in ax.texts] == [f"{value:.2f}" for value in WEIGHTS.ravel()]
    assert [label.get_text() for label in ax.get_yticklabels()] == TOKENS
    ax = Figure().subplots()
    plots.weights_map(ax, np.full((9, 9), 1 / 9))
    assert not ax.texts


def test_dials_have_a_dot_at_each_position_and_a_hand_at_the_last():
    axes = Figure().subplots(1, 2)
    plots.dials(axes, PE[:5], [0, 3])
    for ax, i in zip(axes, (0, 3), strict=True):
        tips = np.column_stack([PE[:5, 2 * i + 1], PE[:5, 2 * i]])
        dots, hand = ax.lines
        np.testing.assert_allclose(dots.get_xydata(), tips)
        np.testing.assert_allclose(hand.get_xydata(), [(0, 0), tips[-1]])


def test_clock_hands_start_at_the_right_and_number_position_0():
    axes = Figure().subplots(1, 2)
    plots.clock_hands(axes, PE[:16], [0, 8])
    for ax in axes:
        assert [line.get_xydata()[0].tolist() for line in ax.lines] == [[1.0, 0.0]]
        assert ax.texts[0].get_text() == "0"


@pytest.mark.parametrize(("language", "family"), [("en", "DejaVu Sans"), ("zh", "Noto Sans SC")])
def test_the_first_font_holds_every_string_of_its_language(language, family):
    use_language(language)
    plots.use_style()
    assert mpl.rcParams["font.family"][0] == family
    has = FT2Font(font_manager.findfont(family, fallback_to_default=False)).get_charmap()
    # minus, and what chapters and numbers need besides the strings
    wanted = {"\N{MINUS SIGN}", *"0123456789.,%αωθπΔΣ√·×≤≥…"}
    for key, words in STRINGS.items():
        drawn = wanted.union(words[language]) - {"\n"}
        assert {ord(c) for c in drawn} <= has.keys(), key


def test_english_pictures_do_not_depend_on_the_chinese_font():
    drawn = []
    for families in (mpl.rcParams["font.family"], ["DejaVu Sans"]):
        mpl.rcParams["font.family"] = families
        fig, _ = figure("bars")
        fig.canvas.draw()
        drawn.append(bytes(fig.canvas.buffer_rgba()))
    assert drawn[0] == drawn[1]


def han(fig):
    texts = fig.findobj(lambda one: isinstance(one, Text) and HAN.search(one.get_text()))
    return [one.get_text() for one in texts]


@pytest.mark.parametrize("style_first", [False, True])
@pytest.mark.parametrize("name", sorted(DRAWN.keys() - {"bars"}))
def test_pictures_speak_chinese_whenever_the_language_was_chosen(name, style_first):
    use_language("zh")
    if not style_first:
        plots.use_style()
    fig, ax = figure(name)
    fig.canvas.draw()
    assert ax.get_xlabel() in han(fig) or ax.get_ylabel() in han(fig)


@pytest.mark.parametrize("name", ["encode", "add", "attend", "compare"])
def test_explorers_speak_chinese(name):
    use_language("zh")
    plots.use_style()
    explorer = getattr(explorers, name)()
    assert HAN.search(explorer.view.value)
    assert HAN.search(explorer.summary())
    fig = Figure(figsize=(9, 4.5), layout="constrained")
    FigureCanvasAgg(fig)
    explorer._shown.draw(fig)
    fig.canvas.draw()
    assert han(fig)


@pytest.mark.usefixtures("no_font")
def test_without_a_chinese_font_labels_are_english_and_one_line_says_so(capsys):
    use_language("zh")
    plots.use_style()
    assert mpl.rcParams["font.family"] == ["DejaVu Sans"]
    for name in DRAWN:
        fig, _ = figure(name)
        fig.canvas.draw()
        assert not han(fig)
    assert plots.label("plot.position") == "position (index)"
    assert capsys.readouterr().out == text("plot.no_font") + "\n"


@pytest.mark.usefixtures("no_font")
def test_another_chinese_font_will_do(monkeypatch):
    use_language("zh")
    dejavu = font_manager.findfont("DejaVu Sans")
    entry = font_manager.FontEntry(fname=dejavu, name="PingFang SC")
    monkeypatch.setattr(
        font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist, entry]
    )
    plots.use_style()
    assert mpl.rcParams["font.family"] == ["PingFang SC", "DejaVu Sans"]
    assert plots.label("plot.position") == "位置（索引）"


def test_the_font_is_taken_from_its_package_without_importing_it():
    code = (
        "import sys; from course_utils import plots; plots.use_style(); plots.use_style(); "
        "from matplotlib import font_manager; "
        "fonts = [f.fname for f in font_manager.fontManager.ttflist if 'zhplot' in f.fname]; "
        "print(len(fonts), 'zhplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["1", "False"]


def test_import_changes_no_setting():
    code = (
        "import matplotlib; before = dict(matplotlib.rcParams); import course_utils.plots; "
        "assert dict(matplotlib.rcParams) == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_figure_drawn_twice_is_the_same_to_the_byte():
    drawn = []
    for _ in range(2):
        file = io.BytesIO()
        figure("heat_map")[0].savefig(file, format="png")
        drawn.append(file.getvalue())
    assert drawn[0] == drawn[1]


def test_a_missing_glyph_would_be_seen():
    fig = Figure()
    FigureCanvasAgg(fig)
    fig.text(0, 0, "位", family="DejaVu Sans")
    with pytest.raises(UserWarning, match="missing from"):
        fig.canvas.draw()


def test_bars_stand_from_the_top_down():
    ax = plots.bars(Figure().subplots(), {"none": 0.0, "placebo": 0.5, "sinusoidal": 1.0})
    heights = [ax.transData.transform((0, bar.get_y()))[1] for bar in ax.patches]
    assert heights == sorted(heights, reverse=True)


def test_bars_want_a_spread_for_each_name():
    ax = Figure().subplots()
    for spread in ({"one": 0.1}, {"one": 0.1, "two": 0.1, "three": 0.1}, {"none": -1, "one": 0.1}):
        with pytest.raises(ValueError, match="spread must be a dictionary"):
            plots.bars(ax, {"none": 0.0, "one": 0.4}, spread=spread)
    plots.bars(ax, {"none": 0.0}, spread={"none": 0.1, "one": 0.1})


@pytest.mark.parametrize("words", ["$5", "a $ b $", "$a_$", "$$", "_x", "__", "\\$"])
def test_names_are_drawn_as_they_are_written(words):
    figs = [Figure(layout="constrained") for _ in range(3)]
    lines, named, cells = (fig.subplots() for fig in figs)
    plots.curves(lines, [1, 2], {words: [1.0, 2.0], "b": [2.0, 1.0]}, words, "plot.value")
    plots.bars(named, {words: 1.0})
    plots.weights_map(cells, [[1.0, 0.0], [0.5, 0.5]], [words, "b"])
    for fig in figs:
        FigureCanvasAgg(fig).draw()
    written = [
        lines.get_legend().get_texts()[0],
        lines.xaxis.label,
        *(ax.get_yticklabels()[0] for ax in (named, cells)),
        cells.get_xticklabels()[0],
    ]
    assert len({each.get_text().strip() for each in written}) == 1
    # between two dollars Matplotlib would read a formula
    assert [each._preprocess_math(each.get_text()) for each in written[1:]] == [(words, False)] * 4
