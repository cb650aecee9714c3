"""A learner's test of adders: one word at two positions, two sentences at one position."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.checks.add_positions import positions, rows_between
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    ask_bool,
    exercise,
    require_function,
)
from course_utils.encoding import (
    sinusoidal_positional_encoding_by_rotation,
)
from course_utils.language import text

__all__ = ["check_pair_test"]


# adders, for the learner's pair test
def _bank(seq_len: int, d_model: int) -> np.ndarray:
    return np.random.RandomState(3).randn(seq_len, d_model)


def _sentence_by_sentence(x: np.ndarray) -> np.ndarray:
    total = np.empty(x.shape)
    for row, sentence in enumerate(x):
        # the same sum in another order: it differs in the last digits
        total[row] = (sentence - row / 3) + (positions(x) + row / 3)
    return total


_RIGHT_ADDERS: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("plain", lambda x: x + positions(x)),
    ("by_rotation", lambda x: x + sinusoidal_positional_encoding_by_rotation(*x.shape[1:])),
    ("scaled", lambda x: np.sqrt(x.shape[2]) * x + positions(x)),
    ("learned", lambda x: x + _bank(*x.shape[1:])),
    ("faint", lambda x: x + 0.01 * positions(x)),
    ("another_order", _sentence_by_sentence),
)


# and which of the two questions shows that it is wrong
_WRONG_ADDERS: tuple[tuple[str, str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("batch_axis", "both", lambda x: x + rows_between(0, len(x), x.shape[2])[:, None]),
    ("no_colon", "differ", lambda x: x + rows_between(0, x.shape[1] + 1, x.shape[2])[-1]),
    ("no_positions", "differ", lambda x: x.copy()),
    (
        "running_count",
        "agree",
        lambda x: x + rows_between(0, len(x) * x.shape[1], x.shape[2]).reshape(x.shape),
    ),
)


@exercise()
def check_pair_test(candidate: Callable[[Callable[[np.ndarray], np.ndarray]], bool]) -> Feedback:
    """Check a learner's pair test, on right adders and on wrong ones.

    Parameters
    ----------
    candidate : callable
        Takes ``add``, a function of a batch, returns True if one word gets different rows at two
        positions of a sentence and the same row at one position of two sentences.

    Names what slipped through and which question would have shown it.

    Examples
    --------
    >>> check_pair_test(lambda add: True).cause
    'never_calls'
    """
    require_function(candidate, "add")
    calls = []

    def watched(name: str, adder: Callable[[np.ndarray], np.ndarray]) -> bool:
        def add(x: npt.ArrayLike) -> np.ndarray:
            calls.append(name)
            batch = np.asarray(x, dtype=np.float64)
            if batch.ndim != 3:
                raise Wrong("not_a_batch", got=batch.shape)
            return adder(batch)

        return ask_bool(candidate, add)

    accepted = {name: watched(name, adder) for name, adder in _RIGHT_ADDERS}
    slipped = [(name, question) for name, question, adder in _WRONG_ADDERS if watched(name, adder)]
    if not calls:
        raise Wrong("never_calls")
    if slipped and not any(accepted.values()):
        raise Wrong("inverted")
    if not any(accepted.values()):
        raise Wrong("always_false")
    if len(slipped) == len(_WRONG_ADDERS):
        raise Wrong("always_true")
    refused = [name for name, yes in accepted.items() if not yes]
    if refused == ["another_order"]:
        raise Wrong("too_tight")
    if refused:
        raise Wrong("rejects", name=text(f"adder.{refused[0]}"))
    if slipped:
        name, question = slipped[0]
        shows = text(f"adder.shown_by.{question}")
        raise Wrong("slipped", name=text(f"adder.{name}"), shows=shows)
