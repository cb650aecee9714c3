"""Explorers under values that no slider would give: no traceback, and nothing piles up."""

import functools
import gc
import itertools
import random
import tracemalloc

import matplotlib.pyplot as plt
import pytest

from course_utils import explorers, training
from tests.test_bad_input import BAD, words_of
from tests.test_explorers import NAMES, shown

COUNT = 200
# bytes a step, measured after the first steps have filled every cache
BOUNDED = 500


pytestmark = pytest.mark.usefixtures("course_style")


def right(control, rng):
    """A value that a control has, or that lies a little outside of it."""
    if hasattr(control, "options"):
        # the first view is a heat map; the others draw lines, which takes long
        first, *others = (value for _, value in control.options)
        return first if rng.random() < 0.9 else rng.choice(others)
    if isinstance(control.value, bool):
        return rng.random() < 0.5
    low, high = control.min, control.max
    if isinstance(control.value, int):
        return rng.choice([low, min(high, 16), rng.randint(low - 2, min(high, 40) + 1)])
    if type(control).__name__ == "FloatLogSlider":
        return control.base ** rng.uniform(low - 0.1, high + 0.1)
    return rng.uniform(low - 0.1, high + 0.1)


def some_values(explorer, rng):
    """Up to three controls, or names that are none, and what to set them to."""
    names = rng.sample(sorted(explorer.controls), rng.randint(1, min(3, len(explorer.controls))))
    values = {
        name: right(explorer.controls[name], rng)
        if rng.random() < 0.6
        else BAD[rng.choice(sorted(BAD))]()
        for name in names
    }
    return values if rng.random() < 0.95 else values | {"width": 1}


def consistent(explorer):
    return all(
        control.value == explorer.values[name] for name, control in explorer.controls.items()
    )


def draw_all_anew(explorer):
    """Replace every picture held, so that what follows frees what was counted."""
    if "masked" in explorer.controls and "arm" in explorer.controls:
        for (_, arm), masked in itertools.product(explorer.controls["arm"].options, (False, True)):
            explorer.set(arm=arm, masked=masked)
    if "view" in explorer.controls:
        for _, view in explorer.controls["view"].options:
            for seq_len in (200, 8):
                explorer.set(seq_len=seq_len, view=view)
        explorer.set(view="heat_map")


@pytest.fixture
def quickly_trained(monkeypatch):
    """Train every layer for two steps, since here it does not matter what it has learned."""
    monkeypatch.setattr(training, "_kept", {})
    monkeypatch.setattr(training, "train", functools.partial(training.train, steps=2))


@pytest.mark.usefixtures("quickly_trained")
@pytest.mark.parametrize("name", NAMES)
def test_values_from_code_are_shown_or_refused_and_leave_nothing_behind(name, tracing):
    rng, make = random.Random(name), getattr(explorers, name)
    explorer = make()
    shown_or_refused = {True: 0, False: 0}
    for step in range(COUNT):
        if step == COUNT // 2 - 50:
            tracing()
            draw_all_anew(explorer)
        values = some_values(explorer, rng)
        before = dict(explorer.values)
        try:
            explorer.set(**values)
        except Exception as error:
            words_of(error)
            assert explorer.values == before, values
            assert 'role="alert"' in explorer.view.value
            shown_or_refused[False] += 1
        else:
            taken = {each: type(explorer.values[each])(value) for each, value in values.items()}
            assert explorer.values == before | taken, values
            assert 'role="alert"' not in explorer.view.value
            shown_or_refused[True] += 1
        assert consistent(explorer), values
        if explorer.values.get("view", "heat_map") != "heat_map":
            explorer.set(view="heat_map")
        if step == COUNT // 2:
            gc.collect()
            start, _ = tracemalloc.get_traced_memory()
    gc.collect()
    end, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert end - start < BOUNDED * (COUNT // 2)
    assert plt.get_fignums() == []
    assert min(shown_or_refused.values()) > COUNT // 5, shown_or_refused
    # the last picture is that of an explorer which was never treated so
    fresh = make()
    fresh.set(**explorer.values)
    assert explorer.summary() == fresh.summary()
    assert shown(explorer).convert("RGB").tobytes() == shown(fresh).convert("RGB").tobytes()
    assert explorer.png() == fresh.png()


@pytest.mark.parametrize("name", NAMES)
def test_values_at_the_start_are_shown_or_refused(name):
    rng, make = random.Random(name), getattr(explorers, name)
    start = make().values
    for argument in start:
        if argument == "view":
            continue
        for label in rng.sample(sorted(BAD), 15):
            explorer, said = None, argument
            try:
                explorer = make(**{argument: BAD[label]()})
            except Exception as error:
                said = words_of(error)
            assert argument in said, label
            assert explorer is None or consistent(explorer)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_cannot_leave_a_control_and_its_picture_apart(name):
    rng, explorer = random.Random(name), getattr(explorers, name)()
    for _ in range(60):
        control = explorer.controls[rng.choice(sorted(explorer.controls))]
        value = right(control, rng)
        if hasattr(control, "max") and type(control).__name__ == "FloatSlider":
            value = min(max(value, control.min), control.max)
        control.value = value
        assert consistent(explorer)
