"""Explorers: controls, picture and status line agree, whatever comes; and nothing piles up."""

import base64
import inspect
import io
import re
import subprocess
import sys
import threading
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from course_utils import explorers, plots
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.explorers import pictures
from course_utils.language import use_language

pytestmark = pytest.mark.usefixtures("course_style")

NAMES = [
    name
    for name in explorers.__all__
    if inspect.signature(getattr(explorers, name)).return_annotation is explorers.Explorer
]


def shown(explorer):
    """Return the PNG on the page."""
    found = re.search(r'src="data:image/png;base64,([^"]+)"', explorer.view.value)
    return Image.open(io.BytesIO(base64.b64decode(found[1])))


def state(explorer):
    picture = shown(explorer).tobytes()
    controls = {name: control.value for name, control in explorer.controls.items()}
    return picture, controls, dict(explorer.values), explorer.summary()


def reset(explorer):
    rows = [child for child in explorer.box.children if hasattr(child, "children")]
    [button] = [each for row in rows for each in row.children if hasattr(each, "click")]
    button.click()


def test_numbers_along_a_narrow_picture_keep_apart_on_a_projector():
    below = {}
    for projector in (False, True):
        plots.use_style(projector)
        page = explorers.attend(seq_len=24).view.value
        below[projector] = len(re.findall("translateX", page))
    # 18 points instead of 12 leave room for two thirds of the numbers
    assert 2 <= below[True] <= below[False] * 2 / 3


@pytest.mark.parametrize(("colours", "limits"), [("RdBu_r", (-1, 1)), ("viridis", (0, 1))])
def test_colours_are_those_of_matplotlib(colours, limits):
    low, high = limits
    values = np.random.RandomState(42).uniform(low, high, (64, 128))
    values[0, :4] = low, high, (low + high) / 2, np.nextafter(high, low)
    png = pictures.palette_png(values, colours, limits)
    norm = mpl.colors.Normalize(low, high)
    wanted = mpl.colormaps[colours](norm(values), bytes=True)[..., :3]
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png)).convert("RGB")), wanted)


def test_the_heat_map_shows_the_encoding_one_pixel_a_cell():
    explorer = explorers.encode(seq_len=7, d_model=10, base=100.0)
    pe = sinusoidal_positional_encoding(7, 10, 100.0)
    wanted = mpl.colormaps["RdBu_r"]((pe + 1) / 2, bytes=True)[..., :3].astype(int)
    # the rotation and the formula may fall on two sides of one step of the scale
    difference = np.abs(np.asarray(shown(explorer).convert("RGB")).astype(int) - wanted)
    assert (difference.max(axis=2) > 0).mean() < 0.05


@pytest.mark.parametrize("view", ["heat_map", "waves", "similarity"])
@pytest.mark.parametrize(
    "values",
    [
        {"seq_len": 1, "d_model": 2, "base": 1},
        {"seq_len": 1, "d_model": 512},
        {"seq_len": 256, "d_model": 2},
        {"seq_len": 256, "d_model": 512, "base": 1e6},
        {"seq_len": 5, "d_model": 6},
    ],
)
@pytest.mark.usefixtures("each_language")
def test_least_most_and_odd_values(values, view):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explorer = explorers.encode()
        before = state(explorer)
        explorer.set(view=view, **values)
        assert explorer.png().startswith(b"\x89PNG")
    assert state(explorer)[0] != before[0]
    assert explorer.summary() in explorer.view.value
    assert "-0.0000" not in explorer.summary()
    for name, value in values.items():
        assert explorer.controls[name].value == explorer.values[name] == value


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"d_model": 7}, ValueError, "even"),
        ({"d_model": True}, TypeError, "whole number"),
        ({"d_model": 1024}, ValueError, "between 2 and 512"),
        ({"seq_len": 0}, ValueError, "between 1 and 256"),
        ({"seq_len": 10**9}, ValueError, "between"),
        ({"seq_len": 5.5}, TypeError, "whole number"),
        ({"base": 0.5}, ValueError, "between 1 and 1e\\+06"),
        ({"base": float("nan")}, ValueError, "between"),
        ({"base": "ten"}, TypeError, "real number"),
        ({"view": "clock"}, ValueError, "one of"),
        ({"view": ["waves"]}, ValueError, "one of"),
        ({"width": 8}, TypeError, "no such control"),
        ({"seq_len": 9, "d_model": 9}, ValueError, "even"),
    ],
)
def test_a_bad_value_from_code_is_raised_and_shown_and_changes_nothing(values, error, words):
    explorer = explorers.encode()
    before = state(explorer)
    with pytest.raises(error, match=words):
        explorer.set(**values)
    assert state(explorer) == before
    assert re.search(f'role="alert".*{words}', explorer.view.value)
    explorer.set(d_model=6)
    assert 'role="alert"' not in explorer.view.value


def test_a_bad_value_from_the_page_is_shown_and_the_slider_returns():
    explorer = explorers.encode()
    before = state(explorer)
    explorer.controls["d_model"].value = 7
    assert state(explorer) == before
    assert "nothing has changed" in explorer.view.value
    explorer.controls["d_model"].value = 6
    assert "nothing has changed" not in explorer.view.value
    assert explorer.values["d_model"] == 6


def test_an_unforeseen_exception_in_a_slider_is_shown_in_words(monkeypatch):
    explorer = explorers.encode()
    before = state(explorer)
    monkeypatch.setattr(explorer, "_step", lambda **values: 1 / 0)
    explorer.controls["seq_len"].value = 9
    assert "division by zero" in explorer.view.value
    assert state(explorer) == before
    with pytest.raises(ZeroDivisionError):
        explorer.set(seq_len=9)


def test_what_cannot_be_shown_cannot_be_made():
    with pytest.raises(ValueError, match="even"):
        explorers.encode(d_model=7)


def test_each_slider_moves_each_picture_and_reset_returns():
    explorer = explorers.encode()
    start = state(explorer)
    for view in ("heat_map", "waves", "similarity"):
        explorer.set(view=view)
        for name, value in {"seq_len": 65, "d_model": 8, "base": 100.0}.items():
            before = state(explorer)[0]
            explorer.controls[name].value = value
            assert state(explorer)[0] != before, (view, name)
        reset(explorer)
        assert state(explorer) == start


def test_a_step_is_one_message_whether_one_or_many_controls_move():
    explorer = explorers.encode()
    seen = []
    explorer.view.observe(seen.append, "value")
    explorer.set(seq_len=8, d_model=8, base=100.0, view="waves")
    assert len(seen) == 1
    explorer.controls["seq_len"].value = 9
    assert len(seen) == 2


def test_blitted_lines_equal_a_whole_drawing():
    moved, fresh = explorers.encode(seq_len=40), explorers.encode(seq_len=50)
    for explorer in (moved, fresh):
        explorer.set(view="waves")
    moved.set(seq_len=50)
    assert shown(moved).tobytes() == shown(fresh).tobytes()


def agrees(explorer):
    values = {name: control.value for name, control in explorer.controls.items()}
    return explorer.values == values and f"seq_len {values['seq_len']}," in explorer.view.value


def test_the_page_and_a_cell_may_move_controls_at_the_same_time(monkeypatch):
    explorer = explorers.encode(seq_len=1)
    step, inside, moved = explorer._step, threading.Event(), threading.Event()

    def slow_step(**values):
        inside.set()
        # without a lock the page is through by then
        moved.wait(0.2)
        return step(**values)

    def page():
        inside.wait()
        explorer.controls["seq_len"].value = 41
        moved.set()

    monkeypatch.setattr(explorer, "_step", slow_step)
    thread = threading.Thread(target=page)
    thread.start()
    explorer.set(d_model=20)
    thread.join()
    assert (explorer.values["seq_len"], explorer.values["d_model"]) == (41, 20)
    assert agrees(explorer)


def test_the_page_moves_a_control_while_controls_are_aligned():
    explorer = explorers.encode(seq_len=1)

    def page():
        explorer.controls["seq_len"].value = 41

    thread = threading.Thread(target=page)

    def meanwhile(_):
        if not thread.ident:
            thread.start()
            # without a lock the page is through by then
            thread.join(0.2)

    explorer.controls["base"].observe(meanwhile, "value")
    explorer.set(base=100.0)
    thread.join()
    assert explorer.values["seq_len"] == 41
    assert agrees(explorer)


@pytest.mark.usefixtures("each_language")
def test_blitted_hands_equal_a_whole_drawing():
    moved = explorers.clock_hands()
    start = state(moved)
    for values in ({"pos": 0}, {"pos": 63, "base": 1.0}, {"base": 1e6}, {"pos": 1}):
        before = moved.view.value
        moved.set(**values)
        assert moved.view.value != before
        fresh = explorers.clock_hands(**moved.values)
        assert shown(moved).tobytes() == shown(fresh).tobytes()
        assert moved.png() == fresh.png()
        assert moved.summary() in moved.view.value
    reset(moved)
    assert state(moved) == start


def test_moved_hands_are_those_of_the_figure():
    explorer = explorers.clock_hands(pos=2)
    explorer.set(pos=9, base=100.0)
    figure = Figure(figsize=(8.6, 2.8), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    pe = sinusoidal_positional_encoding(10, 8, 100.0)
    plots.dials(figure.subplots(1, 4), pe, range(4))
    canvas.draw()
    wanted = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    wanted = wanted.quantize(method=Image.Quantize.FASTOCTREE)
    assert shown(explorer).convert("RGB").tobytes() == wanted.convert("RGB").tobytes()


def test_play_has_a_name_and_the_range_of_its_slider():
    explorer = explorers.clock_hands()
    *_, button, clock, _ = explorer.box.children[-2].children
    slider = explorer.controls["pos"]
    assert button.description == "play"
    assert (clock.min, clock.max) == (slider.min, slider.max) == (0, 63)
    # the buttons of a `Play` have no names
    assert clock.layout.display == "none"


def test_the_summary_reports_where_folklore_breaks():
    explorer = explorers.encode()
    explorer.set(view="similarity")
    explorer.set(d_model=8)
    assert "falls up to offset 3 " in explorer.summary()
    assert explorer.summary().endswith("at offset 63 (0.9479)")
    explorer.set(d_model=12)
    assert "stands at offset 1 " in explorer.summary()
    explorer.set(d_model=512)
    assert "falls up to offset 43 " in explorer.summary()


def test_without_a_kernel_there_is_a_picture_and_a_sentence():
    explorer = explorers.encode()
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {
        "application/vnd.jupyter.widget-view+json",
        "image/png",
        "text/plain",
    }
    assert bundle["text/plain"] == repr(explorer) == explorer.summary()
    assert Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).size == (900, 450)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sliders_and_pictures_have_names(language):
    use_language(language)
    explorer = explorers.encode()
    assert all(control.description for control in explorer.controls.values())
    for view in ("heat_map", "waves", "similarity"):
        explorer.set(view=view)
        assert re.search(r'<img alt="\w[^"]+"', explorer.view.value)


def test_words_are_text_and_never_markup():
    page = pictures.metrics("explorer.meters", {"<i>": 0.5}).html
    assert "&lt;i&gt;" in page
    assert "<i>" not in page


def test_no_explorer_loads_pyplot():
    code = (
        "import sys; from course_utils import explorers; explorers.encode().set(view='waves'); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


LATER = {
    "add": [{"seq_len": 5, "d_model": 2, "scale": 0.01}, {"seq_len": 100, "d_model": 256}],
    "attend": [
        {"seq_len": 4, "d_model": 2, "temperature": 10.0, "mask": True, "head": "back_3"},
        {"seq_len": 128, "d_model": 256, "temperature": 0.01, "words": 1.0, "head": "random"},
        {"head": "same"},
    ],
    "compare": [
        {"seq_len": 4, "d_model": 2, "scale": 0.0, "arm": "none"},
        {"seq_len": 64, "d_model": 128, "scale": 4.0, "arm": "random", "seed": 99},
        {"arm": "shuffled"},
        {"arm": "placebo", "seq_len": 9},
    ],
}


@pytest.mark.parametrize("chapter", LATER)
@pytest.mark.usefixtures("each_language")
def test_explorers_of_later_chapters_at_their_ends(chapter):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explorer = getattr(explorers, chapter)()
        for values in LATER[chapter]:
            before = explorer.view.value
            explorer.set(**values)
            assert explorer.view.value != before
            assert explorer.png().startswith(b"\x89PNG")
            assert explorer.summary() in explorer.view.value
    assert all(control.description for control in explorer.controls.values())
    assert re.search(r'<img alt="\w[^"]+"', explorer.view.value)


@pytest.mark.parametrize("chapter", LATER)
def test_explorers_of_later_chapters_say_what_is_wrong_and_reset(chapter):
    explorer = getattr(explorers, chapter)()
    start = state(explorer)
    with pytest.raises(ValueError, match="even"):
        explorer.set(d_model=7)
    assert state(explorer) == start
    explorer.set(**LATER[chapter][0])
    reset(explorer)
    assert state(explorer) == start


def test_the_placebo_moves_no_metric_that_sees_order():
    explorer = explorers.compare(arm="placebo")
    for seed in range(0, 100, 9):
        for scale in (0.5, 1.0, 4.0):
            explorer.set(seed=seed, scale=scale)
            assert explorer.summary().endswith("order gap 0.0000, repeated-word gap 0.0000")
    explorer.set(arm="sinusoidal")
    assert "gap 0.0000" not in explorer.summary()


def test_no_seed_hides_the_order_from_an_order_gap():
    explorer = explorers.compare(arm="random")
    for seq_len in (4, 5, 8):
        for seed in range(100):
            explorer.set(seq_len=seq_len, seed=seed)
            assert "gap 0.0000" not in explorer.summary(), (seq_len, seed)
