"""The handout as a script: its results with the true numbers, verdicts on its claims, its limits.

Run it with ``python -m course_utils.positional_encoding_demo``.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.attention import attention_weights
from course_utils.compare import frobenius_difference, order_gap, repeated_word_gap
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.language import LANGUAGES, current_language, text, use_language

__all__ = ["Verdict", "limits", "main", "verdicts"]

SEQ_LEN, D_MODEL, SEED = 4, 8, 42

# what the handout prints
ROW_0 = (0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)
ROW_1 = (0.84147098, 0.54030231, 0.00999983, 0.99995001, 0.0, 1.0, 0.0, 1.0)
WITHOUT = (0.2812, 0.2145, 0.1932, 0.3111)
WITH = (0.4123, 0.1187, 0.0821, 0.3869)
FROBENIUS = 0.5234
THRESHOLD = 0.1

# what counts as zero
TINY = 1e-9

# what is said, what was found, whether the two agree
Judged = tuple[str, str, bool]


class Verdict(NamedTuple):
    """A claim of the handout, or what its code does not say, beside what running it gives.

    Examples
    --------
    >>> number, claim, found, holds = verdicts()[9]
    >>> number, claim, holds
    (10, 'Each row of the weights sums to 1', True)
    """

    number: int
    claim: str
    found: str
    holds: bool


class _Run(NamedTuple):
    words: np.ndarray
    pe: np.ndarray
    without: np.ndarray
    with_pe: np.ndarray


def verdicts() -> list[Verdict]:
    """Run the handout and judge each of its 14 claims, in its order and the language in use.

    Examples
    --------
    >>> [verdict.number for verdict in verdicts() if verdict.holds]
    [1, 2, 4, 10, 13]
    """
    run = _run()
    return _numbered([*_ideas(run), *_encoding(run), *_weights(run), *_criteria(run)])


def limits() -> list[Verdict]:
    """Try the handout's code where it says nothing; `holds` is True if it has no such limit.

    Examples
    --------
    >>> [limit.holds for limit in limits()]
    [False, False, False]
    """
    return _numbered([_overflow(_run()), _odd_width(), _types()])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the handout's six results with the true numbers, then verdicts and limits.

    It returns 0 whatever they are: the script reports, it does not judge the handout an error.

    Examples
    --------
    >>> main(["--language", "en"])  # doctest: +ELLIPSIS
    Positional encoding (rows 0 and 1):
    [0.0000 1.0000 0.0000 1.0000 0.0000 1.0000 0.0000 1.0000]
    [0.8415 0.5403 0.0998 0.9950 0.0100 1.0000 0.0010 1.0000]
    ...
    0
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a console that lacks a letter prints "?"
    before = current_language()
    program = "python -m course_utils.positional_encoding_demo"
    parser = argparse.ArgumentParser(prog=program, description=text("demo.description"))
    said = text("demo.language", default=before)
    parser.add_argument("--language", choices=LANGUAGES, default=before, help=said)
    use_language(parser.parse_args(arguments).language)
    try:
        _print_results(_run())
        print(text("demo.verdicts"))
        for number, claim, found, holds in verdicts():
            verdict = text("demo.holds") if holds else text("demo.fails")
            print(text("demo.line", number=number, claim=claim, found=found, verdict=verdict))
        print("\n" + text("demo.limits"))
        for number, claim, found, _ in limits():
            print(text("demo.limit", number=number, claim=claim, found=found))
    finally:
        use_language(before)
    return 0


def _run() -> _Run:
    # the handout's draw is float32; computing on in float64 keeps four decimals on any machine
    draw = np.random.RandomState(SEED).randn(SEQ_LEN, D_MODEL).astype(np.float32)
    words = draw.astype(np.float64)
    pe = sinusoidal_positional_encoding(SEQ_LEN, D_MODEL)
    return _Run(words, pe, _attend(words), _attend(words + pe))


def _attend(x: np.ndarray) -> np.ndarray:
    return attention_weights(x, x)


def _print_results(run: _Run) -> None:
    blocks = {
        text("demo.encoding"): run.pe[:2],
        text("demo.sum"): (run.words + run.pe)[:2],
        text("demo.weights_without"): run.without[:1],
        text("demo.weights_with"): run.with_pe[:1],
        text("demo.difference"): [[frobenius_difference(run.without, run.with_pe)]],
        text("demo.row_sums"): [run.without.sum(axis=1), run.with_pe.sum(axis=1)],
    }
    for title, rows in blocks.items():
        print(title)
        for row in rows:
            print(f"[{_row(row)}]" if len(row) > 1 else _row(row))
        print()


def _row(numbers: Iterable[float], decimals: int = 4) -> str:
    return " ".join(f"{np.round(number, decimals) + 0.0:.{decimals}f}" for number in numbers)


def _agrees(found: np.ndarray | float, printed: Sequence[float] | float, decimals: int = 4) -> bool:
    # as printed, or one in the last place: a tie may round either way
    return np.allclose(found, printed, rtol=0, atol=1.01 * 10.0**-decimals)


def _numbered(judged: Iterable[Judged]) -> list[Verdict]:
    return [
        Verdict(number, claim, found, bool(holds))
        for number, (claim, found, holds) in enumerate(judged, start=1)
    ]


def _ideas(run: _Run) -> Iterator[Judged]:
    scores = run.words @ run.words.T
    agree = np.all(np.argsort(scores, axis=1) == np.argsort(run.without, axis=1), axis=1)
    found = text("found.similarity", agree=int(agree.sum()), count=len(agree))
    yield text("claim.similarity"), found, agree.all()

    twice = np.vstack([run.words, run.words[:1]])
    pe = sinusoidal_positional_encoding(len(twice), D_MODEL)
    without, with_pe = (repeated_word_gap(_attend(x), 0, SEQ_LEN) for x in (twice, twice + pe))
    gaps = {"without": f"{without:.4f}", "with_pe": f"{with_pe:.4f}"}
    distinct = len(np.unique(run.words, axis=0))
    found = text("found.repeated", distinct=distinct, count=len(run.words), **gaps)
    yield text("claim.repeated"), found, without < TINY < with_pe


def _encoding(run: _Run) -> Iterator[Judged]:
    yield text("claim.row_zero"), _row(run.pe[0], 0), not run.pe[0].any()

    largest = np.abs(run.pe[1] - run.pe[0]).max()
    yield text("claim.differ"), text("found.differ", largest=f"{largest:.4f}"), largest > TINY

    printed, pairs = np.reshape(ROW_1, (-1, 2)), run.pe[1].reshape(-1, 2)
    absent = [pair for pair in pairs if np.abs(printed - pair).max(axis=1).min() > 0.005]
    missing = ", ".join(f"({_row(pair)})" for pair in absent)
    claim = text("claim.row_one", row=" ".join(f"{number:.8g}" for number in ROW_1))
    found = text("found.row_one", row=_row(run.pe[1], 8), missing=missing)
    yield claim, found, _agrees(run.pe[1], ROW_1, decimals=8)


def _weights(run: _Run) -> Iterator[Judged]:
    without, with_pe = run.without[0], run.with_pe[0]
    yield text("claim.without", row=_row(WITHOUT)), _row(without), _agrees(without, WITHOUT)
    yield text("claim.with", row=_row(WITH)), _row(with_pe), _agrees(with_pe, WITH)

    whole = frobenius_difference(run.without, run.with_pe)
    claim = text("claim.difference", number=f"{FROBENIUS:.4f}")
    yield claim, f"{whole:.4f}", _agrees(whole, FROBENIUS)

    of_norms = abs(np.linalg.norm(run.without) - np.linalg.norm(run.with_pe))
    found = text("found.norms", of_difference=f"{whole:.4f}", of_norms=f"{of_norms:.4f}")
    yield text("claim.norms"), found, _agrees(whole, of_norms)

    sums = np.concatenate([run.without.sum(axis=1), run.with_pe.sum(axis=1)])
    low, high = f"{sums.min():.4f}", f"{sums.max():.4f}"
    found = text("found.sums", low=low, high=high, count=len(sums))
    yield text("claim.sums"), found, np.allclose(sums, 1, rtol=0, atol=1e-12)


def _criteria(run: _Run) -> Iterator[Judged]:
    rows = np.linalg.norm(run.without - run.with_pe, axis=1)
    whole = frobenius_difference(run.without, run.with_pe)
    numbers = {"first": f"{rows[0]:.4f}", "rows": _row(rows), "whole": f"{whole:.4f}"}
    claim = text("claim.threshold_row", threshold=THRESHOLD)
    yield claim, text("found.threshold_row", **numbers), rows[0] > THRESHOLD

    def placebo(x: np.ndarray) -> np.ndarray:
        return _attend(x + run.pe[3])

    difference = frobenius_difference(run.without, placebo(run.words))
    gap = order_gap(placebo, run.words, range(SEQ_LEN)[::-1])
    found = text("found.threshold", difference=f"{difference:.4f}", gap=f"{gap:.4f}")
    passes_without_order = difference > THRESHOLD and gap < TINY
    yield text("claim.threshold", threshold=THRESHOLD), found, not passes_without_order

    largest = max(np.abs(one - other).max() for one, other in zip(run, _run(), strict=True))
    yield text("claim.repeats"), text("found.repeats", largest=f"{largest:.4f}"), largest < TINY

    agree = [_agrees(run.pe[i], row, decimals=8) for i, row in enumerate([ROW_0, ROW_1])]
    rounded = [(run.without[0], WITHOUT), (run.with_pe[0], WITH), (whole, FROBENIUS)]
    agree += [_agrees(number, printed) for number, printed in rounded]
    yield text("claim.exact"), text("found.exact", agree=sum(agree), count=len(agree)), all(agree)


def _overflow(run: _Run) -> Judged:
    large = 100 * run.words
    scores = large @ large.T / np.sqrt(D_MODEL)
    with np.errstate(all="ignore"):
        weights = np.exp(scores) / np.sum(np.exp(scores), axis=-1, keepdims=True)
    broken, mended = int(np.isnan(weights).sum()), int(np.isnan(_attend(large)).sum())
    found = text("found.overflow", broken=broken, count=weights.size, mended=mended)
    return text("claim.overflow"), found, broken == 0


def _odd_width(d_model: int = 7) -> Judged:
    position = np.arange(SEQ_LEN).reshape(-1, 1)
    div_term = np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    pe = np.zeros((SEQ_LEN, d_model))
    try:
        pe[:, 0::2] = np.sin(position * div_term)
        pe[:, 1::2] = np.cos(position * div_term)
    except ValueError as error:
        values = {"d_model": d_model, "error": type(error).__name__}
        columns = {"need": len(div_term), "have": pe[:, 1::2].shape[1]}
        return text("claim.odd"), text("found.odd", **values, **columns), False
    return text("claim.odd"), text("found.even", d_model=d_model), True


def _types() -> Judged:
    words = np.zeros((SEQ_LEN, D_MODEL), np.float32)
    total = words + sinusoidal_positional_encoding(SEQ_LEN, D_MODEL)
    found = text("found.types", words=words.dtype, total=total.dtype)
    return text("claim.types"), found, words.dtype == total.dtype


if __name__ == "__main__":
    sys.exit(main())
