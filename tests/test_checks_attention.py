"""Exercise *write attention whole*: answers of fresh minds, and mixtures of mistakes."""

import itertools
import math

import numpy as np
import pytest

from course_utils import attention, checks
from tests.test_checks_attend import WRONG_ATTENTIONS
from tests.told import assert_told, causes_with_words

pytestmark = pytest.mark.usefixtures("each_language")


def share(exponentials, axis=-1):
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def hide(scores, mask, fill=-np.inf):
    return np.where(mask, scores, fill)


def soft(scores):
    return share(np.exp(scores - scores.max(axis=-1, keepdims=True)))


def answer(
    weigh,
    multiply=lambda q, k: q @ k.T,
    scale=lambda q, k, v: q.shape[1] ** -0.5,
    average=lambda w, v: w @ v,
):
    def candidate(q, k, v, mask):
        weights = weigh(multiply(q, k) * scale(q, k, v), mask)
        return average(weights, v), weights

    return candidate


def query_by_query(q, k, v, mask):
    output, weights = np.zeros((len(q), v.shape[1])), np.zeros((len(q), len(k)))
    for i, query in enumerate(q):
        seen = np.flatnonzero(mask[i])
        scores = np.array([query @ k[j] for j in seen]) / math.sqrt(len(query))
        weights[i, seen] = soft(scores)
        output[i] = sum(weights[i, j] * v[j] for j in seen)
    return output, weights


def by_einsum(q, k, v, mask):
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(k.shape[-1])
    weights = soft(hide(scores, mask))
    return np.einsum("ij,jd->id", weights, v), weights


def written_into(q, k, v, mask):
    scores = q @ k.T / np.sqrt(q.shape[1])
    scores[~mask] = -np.inf
    weights = attention.softmax(scores)
    return weights @ v, weights


def through_the_logarithm(q, k, v, mask):
    scores = hide(q @ k.T / math.sqrt(q.shape[1]), mask)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    return weights @ v, weights


RIGHT = [
    attention.scaled_dot_product_attention,
    query_by_query,
    by_einsum,
    written_into,
    through_the_logarithm,
    answer(lambda s, m: soft(hide(s, m))),
    answer(lambda s, m: soft(s + np.where(m, 0, -np.inf))),
    answer(lambda s, m: soft(np.ma.masked_array(s, ~m).filled(-np.inf))),
    answer(lambda s, m: soft(hide(s, m, -1e9))),
    answer(lambda s, m: soft(hide(s, m, np.finfo(float).min))),
    answer(
        lambda s, m: (
            share(np.exp(s - s.max(where=m, initial=-np.inf, axis=1, keepdims=True)) * m)
            if abs(s).max() < 50
            else soft(hide(s, m))
        )
    ),
    answer(lambda s, m: soft(hide(s, m)), multiply=lambda q, k: np.dot(q, k.T)),
]


@pytest.mark.parametrize("candidate", RIGHT)
def test_right_answers_in_any_style(candidate):
    assert_told(checks.check_attention(candidate), "")


def right_weights(scores, mask):
    return soft(hide(scores, mask))


def queries_alone(q, k):
    return q @ q.T


def keys_alone(q, k):
    return k @ k.T


WRONG = [
    # a finite number for minus infinity
    *[("leaks", answer(lambda s, m, f=f: soft(hide(s, m, f)))) for f in (-20, -100, -1e3, -1e4)],
    ("leaks", answer(lambda s, m: soft(s - 1e4 * ~m))),
    ("mask_zero", answer(lambda s, m: soft(hide(s, m, 0)))),
    ("mask_zero", answer(lambda s, m: soft(s * m))),
    ("hidden_seen", answer(lambda s, m: soft(hide(s, m, -1)))),
    # the exponentials
    ("overflow", answer(lambda s, m: share(np.exp(hide(s, m))))),
    ("overflow", answer(lambda s, m: share(np.exp(s) * m))),
    ("one_maximum", answer(lambda s, m: share(np.exp(hide(s, m) - s[m].max())))),
    ("one_maximum", answer(lambda s, m: share(np.exp(hide(s, m) - s.max())))),
    ("large", answer(lambda s, m: np.nan_to_num(share(np.exp(hide(s, m)))))),
    ("large", answer(lambda s, m: soft(np.clip(hide(s, m), -1e3, 1e3) + np.where(m, 0, -np.inf)))),
    # nan
    ("all_nan", answer(lambda s, m: soft(s + (1 - m) * -np.inf))),
    ("all_nan", answer(lambda s, m: attention.softmax(s + (1 - m) * -np.inf))),
    # the mask
    ("mask_ignored", answer(lambda s, m: soft(s))),
    ("mask_inverted", answer(lambda s, m: soft(hide(s, ~m)))),
    ("mask_after", answer(lambda s, m: soft(s) * m)),
    ("mask_inverted", answer(lambda s, m: soft(hide(s, ~m, -1e9)))),
    ("mask_turned", answer(lambda s, m: soft(hide(s, m.T)))),
    ("own_mask", answer(lambda s, m: soft(hide(s, np.tri(*s.shape))))),
    ("mask_in_output", lambda q, k, v, m: ((w := attention.attention_weights(q, k)) * m @ v, w)),
    # the scale
    ("no_scale", answer(lambda s, m: soft(hide(s, m)), scale=lambda q, k, v: 1)),
    ("no_root", answer(lambda s, m: soft(hide(s, m)), scale=lambda q, k, v: 1 / q.shape[1])),
    ("times", answer(lambda s, m: soft(hide(s, m)), scale=lambda q, k, v: q.shape[1] ** 0.5)),
    ("other_scale", answer(lambda s, m: soft(hide(s, m)), scale=lambda q, k, v: len(k) ** -0.5)),
    *[("fixed_scale", answer(right_weights, scale=lambda q, k, v, by=by: 1 / by)) for by in (4, 8)],
    # the sums
    ("axis_0", answer(lambda s, m: share(np.exp(s), axis=0))),
    ("one_sum", answer(lambda s, m: share(np.exp(hide(s, m)), axis=None))),
    ("no_keepdims", answer(lambda s, m: (e := np.exp(hide(s, m))) / e.sum(axis=1))),
    ("weights", answer(lambda s, m: share(np.exp2(hide(s, m))))),
    ("no_sum", answer(lambda s, m: np.exp(hide(s, m)))),
    ("not_softmax", answer(lambda s, m: hide(s, m, 0))),
    # the products
    ("not_transposed", answer(lambda s, m: soft(hide(s, m)), multiply=lambda q, k: q @ k)),
    *[("one_of_two", answer(right_weights, multiply=f)) for f in (queries_alone, keys_alone)],
    ("values_unused", lambda q, k, v, m: ((w := attention.attention_weights(q, k, m)) @ q, w)),
    ("exchanged", answer(lambda s, m: soft(hide(s, m)), multiply=lambda q, k: k @ q.T)),
    ("weights_transposed", answer(lambda s, m: soft(hide(s, m)), average=lambda w, v: w.T @ v)),
    ("output", answer(lambda s, m: soft(hide(s, m)), average=lambda w, v: w @ v / v.shape[1])),
    ("output_shape", answer(lambda s, m: soft(hide(s, m)), average=lambda w, v: (w @ v).T)),
    # what is returned
    ("other_weights", lambda q, k, v, m: (attention.attention_weights(q, k, m) @ v, q @ k.T)),
    ("only_output", lambda q, k, v, m: query_by_query(q, k, v, m)[0]),
    ("only_weights", lambda q, k, v, m: query_by_query(q, k, v, m)[1]),
    ("swapped_order", lambda q, k, v, m: query_by_query(q, k, v, m)[::-1]),
    ("returned_nothing", lambda q, k, v, m: None),
]


@pytest.mark.parametrize(("cause", "candidate"), WRONG)
def test_wrong_answers_are_named_as_what_they_are(cause, candidate):
    assert_told(checks.check_attention(candidate), cause)


MASKS = {
    "": lambda s, m: soft(hide(s, m)),
    "mask_ignored": lambda s, m: soft(s),
    "mask_inverted": lambda s, m: soft(hide(s, ~m)),
    "mask_after": lambda s, m: soft(s) * m,
    "mask_zero": lambda s, m: soft(s * m),
}
SCALES = {
    "": lambda q, k, v: q.shape[1] ** -0.5,
    "no_scale": lambda q, k, v: 1,
    "no_root": lambda q, k, v: 1 / q.shape[1],
    "times": lambda q, k, v: q.shape[1] ** 0.5,
}
OUTPUTS = {"": lambda w, v: w @ v, "output": lambda w, v: 2 * w @ v}


@pytest.mark.parametrize(("mask", "scale", "output"), itertools.product(MASKS, SCALES, OUTPUTS))
def test_of_several_mistakes_none_is_named_alone(mask, scale, output):
    feedback = checks.check_attention(
        answer(MASKS[mask], scale=SCALES[scale], average=OUTPUTS[output])
    )
    # weights come before outputs, which are made of them
    causes = [each for each in (scale, mask) if each] or [output] * bool(output)
    assert_told(feedback, "+".join(causes))


def test_every_cause_with_words_can_be_reached():
    reached = {cause for cause, _ in [*WRONG, *WRONG_ATTENTIONS]} | {"several"}
    assert causes_with_words("attention") <= reached
