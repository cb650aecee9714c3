"""Word and position, read back from one row."""

import contextlib
from collections.abc import Callable

import numpy as np

from course_utils.checks.feedback import Wrong, ask, exercise, in_short, judge, read_array
from course_utils.encoding import sinusoidal_positional_encoding


def _squares(vectors: np.ndarray, total: np.ndarray) -> np.ndarray:
    return np.square(vectors - total).sum(axis=-1)


def _pair(table: np.ndarray) -> tuple[int, ...]:
    return np.unravel_index(table.argmin(), table.shape)


def _word_first(total: np.ndarray, words: np.ndarray, pe: np.ndarray, less=0.0) -> tuple[int, int]:
    word = _squares(words, total - less).argmin()
    return word, _squares(pe, total - words[word]).argmin()


def _sums(words: np.ndarray, pe: np.ndarray) -> np.ndarray:
    return words[:, None] + pe


def _nearest(total: np.ndarray, words: np.ndarray, pe: np.ndarray) -> tuple[int, ...]:
    return _pair(_squares(_sums(words, pe), total))


def _cosines(vectors: np.ndarray, total: np.ndarray) -> np.ndarray:
    return vectors @ total / np.linalg.norm(vectors, axis=-1)


def _with_decoys(total: np.ndarray, words: np.ndarray, pe: np.ndarray) -> np.ndarray:
    """Words whose sums point as `total` does, or agree with it in all columns but one."""
    decoys = np.vstack([1.5 * total, total + np.eye(len(total))])
    return np.vstack([decoys - pe[: len(decoys)], words])


# rows of the encoding have one norm, so that the nearest is also that of the largest dot product;
# and the largest dot product with a sum is that of the two largest, found together or not
_PAIRS = (
    ("", _nearest),
    ("swapped", lambda t, w, p: _nearest(t, w, p)[::-1]),
    ("separately", lambda t, w, p: (_squares(w, t).argmin(), _squares(p, t).argmin())),
    ("one_by_one", _word_first),
    ("one_by_one", lambda t, w, p: _word_first(t, p, w)[::-1]),
    ("in_turns", lambda t, w, p: _word_first(t, w, p, p[_squares(p, t).argmin()])),
    ("in_turns", lambda t, w, p: _word_first(t, p, w, w[_squares(w, t).argmin()])[::-1]),
    ("difference", lambda t, w, p: _nearest(t, w, -p)),
    ("dot_product", lambda t, w, p: _pair(-(_sums(w, p) @ t))),
    ("not_squared", lambda t, w, p: _pair((_sums(w, p) - t).sum(axis=-1))),
    ("not_squared", lambda t, w, p: _pair(np.abs((_sums(w, p) - t).sum(axis=-1)))),
    ("some_columns", lambda t, w, p: _pair(_squares(_sums(w, p)[..., :1], t[:1]))),
    ("some_columns", lambda t, w, p: _pair(_squares(_sums(w, p)[..., :2], t[:2]))),
    ("some_columns", lambda t, w, p: _pair(_squares(_sums(w, p)[..., :4], t[:4]))),
    ("directions", lambda t, w, p: _pair(-_cosines(_sums(w, p), t))),
    ("farthest", lambda t, w, p: _pair(-_squares(_sums(w, p), t))),
)


@exercise("total", "words", "pe", causes=_PAIRS)
def check_read_pair(candidate: Callable[..., tuple[int, int]]) -> None:
    """Check a learner's reader, which finds word and position in one row of the sum.

    Takes ``(total, words, pe)`` of shapes (d_model,), (n_words, d_model) and (seq_len, d_model),
    returns the indices ``(word, pos)``.

    >>> check_read_pair(lambda total, words, pe: (0, 0)).cause
    'wrong_pair'
    """
    rng, made, given = np.random.RandomState(11), [], []
    for d_model, n_words, seq_len in ((4, 200, 20), (8, 30, 33), (64, 50, 7)):
        words, pe = rng.randn(n_words, d_model), sinusoidal_positional_encoding(seq_len, d_model)
        corners = [(0, 0), (0, seq_len - 1), (n_words - 1, 0), (n_words - 1, seq_len - 1)]
        inside = np.transpose([rng.randint(n_words, size=12), rng.randint(seq_len, size=12)])
        for word, pos in [*inside.tolist(), *corners]:
            made.append((word, pos))
            given.append((words[word] + pe[pos] + 0.003 * rng.randn(d_model), words, pe))
    for d_model in (4, 8):
        words, pe = rng.randn(30, d_model), sinusoidal_positional_encoding(20, d_model)
        total = words[7] + pe[11] + 0.003 * rng.randn(d_model)
        many = _with_decoys(total, words, pe)
        made.append((len(many) - 30 + 7, 11))
        given.append((total, many, pe))
    found = [_read_indices(_pair_of(candidate, each)) for each in given]
    first = next((i for i, pair in enumerate(found) if pair != made[i]), 0)
    values = {"width": len(given[first][0]), "got": found[first], "wanted": made[first]}
    if judge(_PAIRS, found, given, **values):
        return
    _refuse_outside(found, made, given)
    for place, cause in enumerate(("only_word", "only_pos")):
        if all(pair[place] == right[place] for pair, right in zip(found, made, strict=True)):
            raise Wrong(cause, **values)
    raise Wrong("wrong_pair", **values)


def _pair_of(candidate: Callable[..., object], given: tuple[np.ndarray, ...]) -> object:
    try:
        return ask(candidate, *given)
    except Wrong as wrong:
        if "broadcast" in wrong.values.get("error", ""):
            raise Wrong("sums_do_not_fit", error=wrong.values["error"]) from None
        empty = "with size 0" in wrong.values.get("error", "")
        if (empty or wrong.cause == "returned_nothing") and _asks_for_equal(candidate, given):
            raise Wrong("exact") from None
        raise


def _asks_for_equal(candidate: Callable[..., object], given: tuple[np.ndarray, ...]) -> bool:
    """Whether it finds a pair as soon as there is no noise."""
    _, words, pe = given
    with contextlib.suppress(Wrong):
        return np.size(ask(candidate, words[3] + pe[5], words, pe)) > 0
    return False


def _refuse_outside(found: list[tuple], made: list[tuple], given: list[tuple]) -> None:
    sizes = [(len(words), len(pe)) for _, words, pe in given]
    other = [divmod(w * n + p, m) for (w, p), (m, n) in zip(made, sizes, strict=True)]
    for (word, pos), (n_words, n_places) in zip(found, sizes, strict=True):
        if 0 <= word < n_words and 0 <= pos < n_places:
            continue
        if found == other:
            raise Wrong("other_divisor", place=pos, count=n_places)
        raise Wrong("no_such_pair", got=(word, pos), last_word=n_words - 1, last_pos=n_places - 1)


def _read_indices(result: object) -> tuple[int, int]:
    try:
        found = np.squeeze(read_array(result))
    except Wrong as wrong:
        if wrong.cause == "not_an_array":
            raise Wrong("not_indices", got=in_short(result)) from None
        raise
    if not found.size:
        raise Wrong("exact")
    if found.ndim == 2 or (found.ndim == 1 and found.size > 2):
        raise Wrong("vectors", got=found.shape)
    if found.size != 2:
        raise Wrong("one_number", got=in_short(result))
    if (found != np.rint(found)).any() or found.dtype == bool:
        raise Wrong("not_indices", got=in_short(result))
    return int(found[0]), int(found[1])
