"""The layer that learns: gradients against finite differences, Adam, and what is reproducible."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import training
from course_utils.attention import scaled_dot_product_attention
from course_utils.beyond import rotate

STEP = 1e-5


def small(arm, seed, n=5, d=4, words=3):
    """A layer of two seeds with numbers of everyday size, and sentences with gaps to fill."""
    rng = np.random.RandomState(seed)
    parameters = {name: rng.randn(2, d, d) for name in ("w_q", "w_k")}
    parameters["w_out"] = rng.randn(2, d, words)
    if arm in ("placebo", "count", "random", "learned", "sinusoidal"):
        parameters["rows"] = rng.randn(2, n + 1, d)
    if arm == "t5":
        parameters["bias"] = rng.randn(2, training.BUCKETS)
    target = rng.randint(-1, words, size=(2, 3, n))
    target[:, 0, 1] = 0
    return rng.randn(2, 3, n, d), target, parameters


@pytest.mark.parametrize("arm", training.ARMS)
@given(seed=st.integers(0, 10**6), masked=st.booleans())
@settings(max_examples=8)
def test_gradients_are_the_slopes_of_the_loss(arm, seed, masked):
    x, target, parameters = small(arm, seed)
    _, gradients = training.loss_and_gradients(arm, masked, x, target, parameters)
    fixed = set() if arm == "learned" else {"rows"}
    assert gradients.keys() == parameters.keys() - fixed
    rng = np.random.RandomState(seed)
    for name, gradient in gradients.items():
        toward = rng.randn(*gradient.shape)
        losses = [
            training.loss_and_gradients(
                arm, masked, x, target, parameters | {name: parameters[name] + step * toward}
            )[0]
            for step in (STEP, -STEP)
        ]
        slope = (losses[0] - losses[1]) / (2 * STEP)
        wanted = (gradient * toward).sum(axis=tuple(range(1, gradient.ndim)))
        np.testing.assert_allclose(wanted, slope, rtol=1e-5, atol=1e-7)


def test_the_layer_is_attention_that_reads_words():
    x, target, parameters = small("rope", 1)
    *_, weights = training.attend("rope", False, x, parameters)
    for seed in range(2):
        q, k = (rotate(x[seed] @ parameters[name][seed]) for name in ("w_q", "w_k"))
        read, wanted = scaled_dot_product_attention(q, k, x[seed])
        np.testing.assert_allclose(weights[seed], wanted, rtol=0, atol=1e-12)
        logits = read @ parameters["w_out"][seed]
        guess = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        asked = np.argwhere(target[seed] >= 0)
        losses = [-np.log(guess[s, p, target[seed, s, p]]) for s, p in asked]
        loss, _ = training.loss_and_gradients("rope", False, x, target, parameters)
        np.testing.assert_allclose(loss[seed], np.mean(losses), rtol=1e-12)


def test_strength_is_a_factor_on_the_scores():
    x, _, parameters = small("t5", 2)
    *_, weights = training.attend("t5", True, x, parameters, strength=2.0)
    *_, plain = training.attend("t5", True, x, parameters)
    np.testing.assert_allclose(
        weights, plain**2 / (plain**2).sum(axis=-1, keepdims=True), rtol=0, atol=1e-12
    )


def test_first_step_of_adam_has_the_size_of_the_rate():
    before = training._start("none", np.random.RandomState(0))
    after = training.train("none", seeds=1, steps=1, rate=0.25).parameters
    for name in ("w_q", "w_k", "w_out"):
        moved = np.abs(after[name][0] - before[name])
        assert np.median(moved) == pytest.approx(0.25, rel=1e-3)
        assert moved.max() < 0.25 + 1e-9


def test_training_is_the_same_again_and_for_each_seed_alone():
    three = training.train("sinusoidal", seeds=3, steps=5)
    training._kept.clear()
    again = training.train("sinusoidal", seeds=3, steps=5)
    assert again is not three
    assert training.train("sinusoidal", seeds=3, steps=5) is again
    np.testing.assert_array_equal(again.parameters["w_q"], three.parameters["w_q"])
    alone = training.train("sinusoidal", seeds=1, steps=5)
    np.testing.assert_allclose(alone.losses[:, 0], three.losses[:, 0], rtol=1e-12)
    assert three.losses.shape == (5, 3)
    with pytest.raises(ValueError, match="read-only"):
        again.parameters["w_q"][0] = 0


def test_progress_wraps_the_steps():
    seen = []

    def wrap(steps):
        for step in steps:
            seen.append(step)
            yield step

    training.train("none", seeds=1, steps=3, rate=0.125, progress=wrap)
    assert seen == [1, 2, 3]


def test_what_is_wanted_is_the_word_some_places_before():
    words, rng = np.random.RandomState(0).randn(1, 16, 2), np.random.RandomState(1)
    x, target = training._sentences(words, [rng], 4, 6, 2)
    assert (target[..., :2] == -1).all()
    np.testing.assert_array_equal(words[0][target[0, :, 2:]], x[0, :, :-2])


def test_a_learned_bias_by_offset_solves_it_and_no_position_does_not():
    solved = training.train("t5", seeds=2, steps=150, rate=0.02)
    blind = training.train("placebo", seeds=2, steps=150, rate=0.02)
    assert training.accuracy(solved, 40).min() > 0.95
    assert training.accuracy(blind, 16).max() < 0.3
    assert solved.losses[-1].max() < 0.2 < solved.losses[0].min()
    assert training.accuracy(solved, 16, strength=0.01).max() < 0.5


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"arm": "rotary"}, ValueError, ["arm", "rope", "rotary"]),
        ({"arm": 3}, TypeError, ["arm", "3"]),
        ({"arm": "rope", "seeds": 0}, ValueError, ["seeds", "0"]),
        ({"arm": "rope", "steps": 1.5}, TypeError, ["steps", "1.5"]),
        ({"arm": "rope", "back": 16}, ValueError, ["back", "16"]),
        ({"arm": "rope", "back": 0}, ValueError, ["back", "0"]),
        ({"arm": "rope", "masked": 1}, TypeError, ["masked"]),
        ({"arm": "rope", "rate": -1}, ValueError, ["rate", "-1"]),
    ],
)
def test_bad_input_is_refused_in_one_sentence(options, error, words):
    with pytest.raises(error) as told:
        training.train(**options)
    assert all(word in str(told.value) for word in words)
