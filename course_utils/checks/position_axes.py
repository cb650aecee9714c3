"""Along which axes of a batch an unknown function adds different rows."""

from collections.abc import Callable

import numpy as np

from course_utils.checks.encodings import like, rows
from course_utils.checks.feedback import Layer, Wrong, ask, exercise, in_short, read_array
from course_utils.language import text


def _in_two_columns(x: np.ndarray) -> np.ndarray:
    added = np.zeros(x.shape[1:])
    added[:, -2:] = np.outer(np.arange(1, len(added) + 1), [1, -1])
    return added


def _sentence_by_sentence(x: np.ndarray) -> np.ndarray:
    total = np.empty(x.shape)
    for row, sentence in enumerate(x):
        # the same sum in another order: it differs in the last digits
        total[row] = (sentence - row / 3) + (like(x) + row / 3)
    return total


# name, function of a batch, and along which axes it adds different rows
_BATCH_FIRST = (
    ("plain", lambda x: x + like(x), [1]),
    ("scaled", lambda x: np.sqrt(x.shape[2]) * x + like(x), [1]),
    ("learned", lambda x: x + np.random.RandomState(3).randn(*x.shape[1:]), [1]),
    ("faint", lambda x: x + 0.01 * like(x), [1]),
    ("two_columns", lambda x: x + _in_two_columns(x), [1]),
    ("another_order", _sentence_by_sentence, [1]),
    ("no_colon", lambda x: x + rows(0, x.shape[1] + 1, x.shape[2])[-1], []),
    ("no_positions", lambda x: x.copy(), []),
    ("running_count", lambda x: x + rows(0, x[..., 0].size, x.shape[2]).reshape(x.shape), [0, 1]),
    ("alternating", lambda x: x + (-1.0) ** np.indices(x.shape)[:2].sum(axis=0), [0, 1]),
)
# the same, and with positions in front
ADDERS = _BATCH_FIRST + tuple(
    (name, lambda x, add=add: add(x.swapaxes(0, 1)).swapaxes(0, 1), [1 - a for a in axes][::-1])
    for name, add, axes in _BATCH_FIRST
)


@exercise("add")
def check_position_axes(candidate: Callable[[Layer], list[int]]) -> None:
    """Check a learner's test, which finds the axes along which a function adds different rows.

    Takes ``add``, a function of arrays of shape (m, n, d_model), returns ``[0]`` or ``[1]``, ``[]``
    if all rows get the same, ``[0, 1]`` if they differ along both axes. Names the function that
    was judged wrongly.

    >>> check_position_axes(lambda add: [1]).cause
    'never_calls'
    """
    calls = []

    def asked(adder: Layer) -> list[int]:
        def add(x: np.ndarray) -> np.ndarray:
            array = read_array(x, finite=False).astype(np.float64)
            if not (np.abs(array) < 1e12).all():  # nan neither
                raise Wrong("swallows")
            if array.ndim != 3:
                raise Wrong("not_three_axes", got=array.shape)
            calls.append(array)
            return adder(array)

        return _read_axes(ask(candidate, add))

    found = [asked(add) for _, add, _ in ADDERS]
    wanted = [axes for *_, axes in ADDERS]
    if not calls:
        raise Wrong("never_calls")
    if found == wanted:
        return
    if all(1 in call.shape[:2] for call in calls):
        raise Wrong("one_sentence")
    if all(axes == found[0] for axes in found):
        raise Wrong("always_same", got=found[0])
    if found == [[1 - axis for axis in axes][::-1] for axes in wanted]:
        raise Wrong("swapped")
    if found == [[axis for axis in (0, 1) if axis not in axes] for axes in wanted]:
        raise Wrong("alike")
    wrong = [(*arm, got) for arm, got in zip(ADDERS, found, strict=True) if got != arm[2]]
    name, _, right, got = wrong[0]
    if {name for name, *_ in wrong} <= {"another_order", "no_colon"} and got == [0, 1]:
        raise Wrong("too_tight")
    if all(np.ptp(call, axis=(0, 1)).any() for call in calls):
        raise Wrong("words_remain")
    if all(len(axes) == 1 for axes in found) and all(len(axes) != 1 for _, _, axes, _ in wrong):
        raise Wrong("either_or")
    raise Wrong("misjudged", name=text(f"adder.{name}"), got=got, wanted=right)


def _read_axes(result: object) -> list[int]:
    if isinstance(result, str) or (isinstance(result, list) and str in map(type, result)):
        raise Wrong("not_axes", got=in_short(result))
    found = read_array(sorted(result) if isinstance(result, set) else result)
    is_axes = found.ndim == 1 and (found.dtype.kind in "iu" or not found.size)
    if not is_axes or not {*found.tolist()} <= {0, 1}:
        raise Wrong("not_axes", got=in_short(result))
    return sorted({int(axis) for axis in found})
