"""Chapter 2: positions added to a batch, a test of adders, and word and place read back."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from course_utils.arguments import place_of, shown
from course_utils.checks.feedback import (
    Feedback,
    Wrong,
    apart,
    ask,
    ask_bool,
    exercise,
    judge_choice,
    plain,
    read_array,
    read_number,
    refuse_rounded,
    require_function,
    usual_number,
)
from course_utils.encoding import (
    sinusoidal_positional_encoding,
    sinusoidal_positional_encoding_by_rotation,
)
from course_utils.language import text

__all__ = [
    "check_add_positions",
    "check_difference",
    "check_energy_share",
    "check_pair_test",
    "check_read_pair",
]


@exercise(
    "pe = encoding.sinusoidal_positional_encoding(4, 8)\n"
    "print((pe[0] - pe[3])[:4].round(4))\n"
    "for word in np.random.RandomState(42).randn(2, 8):\n"
    "    print(((word + pe[0]) - (word + pe[3]))[:4].round(4))"
)
def check_difference(answer: str) -> Feedback:
    """Check a prediction: on what the difference of one word at two positions depends.

    Parameters
    ----------
    answer : {"the word", "the positions", "both"}
        What remains in ``(word + pe[p]) - (word + pe[q])``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_difference("the positions").state
    'correct'
    >>> check_difference("both").cause
    'both'
    """
    judge_choice(answer, {"the positions": "", "the word": "the_word", "both": "both"})


# a batch with its positions


def _pe(start: int, stop: int, d_model: int) -> np.ndarray:
    return sinusoidal_positional_encoding(stop, d_model)[start:]


def _positions(x: np.ndarray) -> np.ndarray:
    return _pe(0, x.shape[1], x.shape[2])


def _first_only(x: np.ndarray) -> np.ndarray:
    total = x.copy()
    total[0] += _positions(x)
    return total


# each may fail on some shapes: a candidate that fails on the same ones is the same
_WRONG_SUMS: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("batch_axis", lambda x: x + _pe(0, len(x), x.shape[2])),
    ("integer_buffer", lambda x: x + np.trunc(_positions(x))),
    ("twice", lambda x: x + 2 * _positions(x)),
    ("subtracted", lambda x: x - _positions(x)),
    ("scaled", lambda x: x * np.sqrt(x.shape[2]) + _positions(x)),
    ("scaled", lambda x: (x + _positions(x)) * np.sqrt(x.shape[2])),
    ("multiplied", lambda x: x * _positions(x)),
    ("only_pe", lambda x: np.broadcast_to(_positions(x), x.shape)),
    ("only_pe", _positions),
    ("starts_at_1", lambda x: x + _pe(1, x.shape[1] + 1, x.shape[2])),
    ("running_count", lambda x: x + _pe(0, len(x) * x.shape[1], x.shape[2]).reshape(x.shape)),
    ("first_sentence", lambda x: x[0] + _positions(x)),
    ("first_sentence", _first_only),
    ("batch_of_one", lambda x: np.squeeze(x + _positions(x))),
    ("concatenated", lambda x: np.concatenate([x, np.tile(_positions(x), (len(x), 1, 1))], -1)),
    ("half_stored", lambda x: x + _positions(x).astype(np.float16)),
)


def _batches() -> list[np.ndarray]:
    rng = np.random.RandomState(7)
    shapes = (2, 5, 16), (3, 3, 16), (1, 4, 16), (3, 5, 6), (2, 4, 8), (4, 2, 8), (2, 600, 16)
    batches = [rng.randn(*shape) for shape in shapes]
    batches[5] = batches[5].astype(np.float32)
    return batches


@exercise(
    "def add_positions(x):\n"
    "    return x + encoding.sinusoidal_positional_encoding(x.shape[1], x.shape[2])"
)
def check_add_positions(candidate: Callable[[np.ndarray], npt.ArrayLike]) -> Feedback:
    """Check a learner's sum of a batch and the encoding, and name the cause if it is wrong.

    Parameters
    ----------
    candidate : callable
        Takes a batch of shape (batch, seq_len, d_model), returns a new one of that shape.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> check_add_positions(lambda x: x + sinusoidal_positional_encoding(*x.shape[1:])).state
    'correct'
    >>> check_add_positions(lambda x: x + sinusoidal_positional_encoding(100, x.shape[2])[0]).cause
    'one_row'
    """
    require_function(candidate, "x")
    batches = _batches()
    found = [_result(candidate, x) for x in batches]
    fine = [_near(got, x + _positions(x)) for got, x in zip(found, batches, strict=True)]
    if all(fine):
        return
    if all(_fits(got, x) for got, x in zip(found, batches, strict=True)):
        refuse_rounded(found, [x + _positions(x) for x in batches])
    for cause, add in _WRONG_SUMS:
        if all(_same(got, add, x) for got, x in zip(found, batches, strict=True)):
            raise Wrong(cause)
    came = [(got, x) for got, x in zip(found, batches, strict=True) if _fits(got, x)]
    _name_repeated_rows([got - x for got, x in came])
    _name_half_angles(came)
    _name_failing_shapes(found, batches, fine)


def _result(candidate: Callable[[np.ndarray], npt.ArrayLike], x: np.ndarray) -> np.ndarray | Wrong:
    try:
        return read_array(ask(candidate, x))
    except Wrong as wrong:
        if wrong.cause != "raised":
            raise
        # x.shape unpacked into two, or handed on as it is
        if any(word in wrong.values["error"] for word in ("unpack", "d_model")):
            raise Wrong("three_axes") from None
        return wrong


def _fits(got: np.ndarray | Wrong, x: np.ndarray) -> bool:
    return isinstance(got, np.ndarray) and got.shape == x.shape


def _near(got: np.ndarray | Wrong, wanted: np.ndarray) -> bool:
    if isinstance(got, Wrong) or got.shape != wanted.shape:
        return False
    rows = np.arange(wanted.shape[-2])[:, None] if wanted.ndim > 1 else 0.0
    return bool((np.abs(got - wanted) <= 1e-6 + 3e-7 * rows).all())


def _same(got: np.ndarray | Wrong, add: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
    try:
        return _near(got, add(x))
    except ValueError:
        return isinstance(got, Wrong)


def _name_repeated_rows(added: list[np.ndarray]) -> None:
    """Name what was added if all tokens of each sentence got the same."""
    if not added or any(np.ptp(rows, axis=1).max() > 1e-5 for rows in added):
        return
    if all(np.abs(rows).max() < 1e-5 for rows in added):
        raise Wrong("nothing_added")
    each_sentence = any(np.ptp(rows, axis=0).max() > 1e-5 for rows in added)
    raise Wrong("batch_axis" if each_sentence else "one_row")


def _name_half_angles(came: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Name angles in half precision: right at first, and worse with every position."""
    for got, x in came:
        error = np.abs(got - x - _positions(x)).max(axis=(0, 2))
        near = error[:8].max()
        if len(error) > 500 and 10 * near < error[300:].max() < 1.5 and near < 0.01:
            place = int(error.argmax())
            raise Wrong("half_angles", error=f"{error.max():.2f}", place=place)


def _name_failing_shapes(
    found: list[np.ndarray | Wrong], batches: list[np.ndarray], fine: list[bool]
) -> None:
    right = [x.shape for x, holds in zip(batches, fine, strict=True) if holds]
    got, x = found[fine.index(False)], batches[fine.index(False)]
    widths = {shape[2] for shape in right}
    if len(right) > 1 and len(widths) == 1:
        raise Wrong("one_width", width=widths.pop(), got=x.shape)
    if right:
        raise Wrong("some_shapes", right=right[0], got=x.shape)
    if isinstance(got, Wrong):
        raise got
    if got.shape != x.shape:
        raise Wrong("shape", wanted=x.shape, got=got.shape)
    wanted = x + _positions(x)
    off = np.abs(got - wanted) > 1e-5
    place, (got, wanted) = place_of(off), apart(got[off][0], wanted[off][0])
    raise Wrong("entry", shape=x.shape, place=place, got=got, wanted=wanted)


# adders, for the learner's pair test


def _bank(seq_len: int, d_model: int) -> np.ndarray:
    return np.random.RandomState(3).randn(seq_len, d_model)


def _sentence_by_sentence(x: np.ndarray) -> np.ndarray:
    total = np.empty(x.shape)
    for row, sentence in enumerate(x):
        # the same sum in another order: it differs in the last digits
        total[row] = (sentence - row / 3) + (_positions(x) + row / 3)
    return total


_RIGHT_ADDERS: tuple[tuple[str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("plain", lambda x: x + _positions(x)),
    ("by_rotation", lambda x: x + sinusoidal_positional_encoding_by_rotation(*x.shape[1:])),
    ("scaled", lambda x: np.sqrt(x.shape[2]) * x + _positions(x)),
    ("learned", lambda x: x + _bank(*x.shape[1:])),
    ("faint", lambda x: x + 0.01 * _positions(x)),
    ("another_order", _sentence_by_sentence),
)
# and which of the two questions shows that it is wrong
_WRONG_ADDERS: tuple[tuple[str, str, Callable[[np.ndarray], np.ndarray]], ...] = (
    ("batch_axis", "both", lambda x: x + _pe(0, len(x), x.shape[2])[:, None]),
    ("no_colon", "differ", lambda x: x + _pe(0, x.shape[1] + 1, x.shape[2])[-1]),
    ("no_positions", "differ", lambda x: x.copy()),
    (
        "running_count",
        "agree",
        lambda x: x + _pe(0, len(x) * x.shape[1], x.shape[2]).reshape(x.shape),
    ),
)


@exercise(
    "def passes(add):\n"
    "    word = np.random.RandomState(42).randn(16)\n"
    "    rows = add(np.tile(word, (2, 5, 1)))\n"
    "    differ = not np.allclose(rows[0, 0], rows[0, 3])\n"
    "    agree = np.allclose(rows[0, 3], rows[1, 3])\n"
    "    return differ and agree"
)
def check_pair_test(candidate: Callable[[Callable[[np.ndarray], np.ndarray]], bool]) -> Feedback:
    """Check a learner's pair test, on right adders and on wrong ones.

    Parameters
    ----------
    candidate : callable
        Takes ``add``, a function of a batch, returns True if one word gets different rows at two
        positions of a sentence and the same row at one position of two sentences.

    Returns
    -------
    Feedback
        Shown, never raised; names what slipped through and which question would have shown it.

    References
    ----------
    The course's own test; chapter 2 builds it.

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


# word and position, read back from one row


def _squares(vectors: np.ndarray, total: np.ndarray) -> np.ndarray:
    return np.square(vectors - total).sum(axis=-1)


def _pair(table: np.ndarray) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(table.argmin(), table.shape))


def _word_first(total: np.ndarray, words: np.ndarray, pe: np.ndarray) -> tuple[int, int]:
    word = _squares(words, total).argmin()
    return int(word), int(_squares(pe, total - words[word]).argmin())


def _sums(words: np.ndarray, pe: np.ndarray) -> np.ndarray:
    return words[:, None] + pe


# rows of the encoding have one norm, so that the nearest is also that of the largest dot product;
# and the largest dot product with a sum is that of the two largest, found together or not
_WRONG_PAIRS: tuple[tuple[str, Callable[..., tuple[int, ...]]], ...] = (
    ("separately", lambda t, w, p: (int(_squares(w, t).argmin()), int(_squares(p, t).argmin()))),
    ("one_by_one", _word_first),
    ("one_by_one", lambda t, w, p: _word_first(t, p, w)[::-1]),
    ("dot_product", lambda t, w, p: _pair(-(_sums(w, p) @ t))),
    ("farthest", lambda t, w, p: _pair(-_squares(_sums(w, p), t))),
)


@exercise(
    "def read_pair(total, words, pe):\n"
    "    sums = words[:, None] + pe  # (n_words, seq_len, d_model)\n"
    "    distances = ((sums - total) ** 2).sum(axis=-1)\n"
    "    word, pos = np.unravel_index(np.argmin(distances), distances.shape)\n"
    "    return word, pos"
)
def check_read_pair(
    candidate: Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[int, int]],
) -> Feedback:
    """Check a learner's reader, which finds word and position in one row of the sum.

    Parameters
    ----------
    candidate : callable
        Takes ``(total, words, pe)`` of shapes (d_model,), (n_words, d_model) and
        (seq_len, d_model), returns the indices ``(word, pos)``.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    The course's own exercise; chapter 2 builds it.

    Examples
    --------
    >>> check_read_pair(lambda total, words, pe: (0, 0)).cause
    'wrong_pair'
    """
    require_function(candidate, "total", "words", "pe")
    rng, cases = np.random.RandomState(11), []
    for d_model in (4, 8, 64):
        words, pe = rng.randn(30, d_model), sinusoidal_positional_encoding(20, d_model)
        for _ in range(12):
            word, pos = int(rng.randint(30)), int(rng.randint(20))
            cases.append(((word, pos), (words[word] + pe[pos], words, pe)))
    made = [pair for pair, _ in cases]
    found = [_read_indices(_pair_of(candidate, given), pair) for pair, given in cases]
    if found == made:
        return
    if found == [pair[::-1] for pair in made]:
        raise Wrong("swapped")
    first = next(i for i, pair in enumerate(found) if pair != made[i])
    _refuse_outside(found, made, cases[0][1])
    values = {"width": len(cases[first][1][0]), "got": found[first], "wanted": made[first]}
    for cause, read in _WRONG_PAIRS:
        if found == [read(*given) for _, given in cases]:
            raise Wrong(cause, **values)
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
        raise


def _refuse_outside(
    found: list[tuple[int, int]], made: list[tuple[int, int]], given: tuple[np.ndarray, ...]
) -> None:
    _, words, pe = given
    outside = [pair for pair in found if not (0 <= pair[0] < len(words) and 0 <= pair[1] < len(pe))]
    if not outside:
        return
    if found == [divmod(word * len(pe) + pos, len(words)) for word, pos in made]:
        place = next(pos for _, pos in outside)
        raise Wrong("other_divisor", place=place, count=len(pe))
    values = {"last_word": len(words) - 1, "last_pos": len(pe) - 1}
    raise Wrong("no_such_pair", got=outside[0], **values)


def _read_indices(result: object, made: tuple[int, int]) -> tuple[int, int]:
    try:
        found = np.squeeze(read_array(result))
    except Wrong as wrong:
        if wrong.cause == "not_an_array":
            raise Wrong("not_indices", got=plain(shown(result))) from None
        raise
    if found.ndim == 2 or (found.ndim == 1 and found.size > 2):
        raise Wrong("vectors", got=found.shape)
    if found.size != 2:
        raise Wrong("one_number" if found.size else "not_indices", got=plain(shown(result)))
    if (found != np.rint(found)).any() or found.dtype == bool:
        raise Wrong("not_indices", got=plain(shown(result)))
    return int(found[0]), int(found[1])


@exercise(
    "d = 128\ncontent, position = d * (1 / d), d / 2\nmy_share = position / (content + position)"
)
def check_energy_share(answer: float) -> Feedback:
    """Check the position's share of the energy, words of variance 1/d, no factor, d = 128.

    Parameters
    ----------
    answer : float
        A share between 0 and 1; right to 0.005.

    Returns
    -------
    Feedback
        Shown, never raised.

    References
    ----------
    Vaswani et al. (2017), section 3.4.

    Examples
    --------
    >>> check_energy_share(1 / 3).cause
    'with_root'
    """
    found = read_number(answer)
    usual = {
        "": 64 / 65,
        "no_half": 128 / 129,
        "with_root": 1 / 3,
        "even": 0.5,
        "word_share": 1 / 65,
        "width_512": 256 / 257,
        "all": 1.0,
        "ratio": 64.0,
    }
    cause = usual_number(found, {"": usual.pop("")}, atol=0.005)
    if cause is None:
        # above 0.98 three mistakes lie close together
        cause = usual_number(found, usual, atol=6e-4 if found > 0.98 else 4e-3)
    if cause:
        raise Wrong(cause)
    if cause is None and 1 < found <= 100:
        raise Wrong("percent", got=f"{found:.4g}", share=f"{found / 100:.4g}")
    if cause is None and not 0 <= found <= 1:
        raise Wrong("not_a_share", got=f"{found:.4g}")
    if cause is None:
        raise Wrong("too_large" if found > 64 / 65 else "too_small", got=f"{found:.4g}")
