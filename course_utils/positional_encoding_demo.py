"""The handout as a script: its results with the true numbers, then a verdict on each claim.

Run it with ``python -m course_utils.positional_encoding_demo``.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from course_utils.attention import attention_weights
from course_utils.compare import frobenius_difference, order_gap, repeated_word_gap
from course_utils.encoding import sinusoidal_positional_encoding
from course_utils.language import LANGUAGES, current_language, text, use_language

__all__ = ["Verdict", "main", "verdicts"]

SEQ_LEN, D_MODEL, SEED = 4, 8, 42

# what the handout prints
ROW_0 = (0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)
ROW_1 = (0.84147098, 0.54030231, 0.00999983, 0.99995001, 0.0, 1.0, 0.0, 1.0)
WEIGHTS_WITHOUT = (0.2812, 0.2145, 0.1932, 0.3111)
WEIGHTS_WITH = (0.4123, 0.1187, 0.0821, 0.3869)
FROBENIUS = 0.5234
THRESHOLD = 0.1


class Verdict(NamedTuple):
    """One claim of the handout beside what running it gives.

    Parameters
    ----------
    number : int
        From 1 to 12.
    claim : str
        What the handout says.
    found : str
        What was computed.
    holds : bool
        Whether the two agree.

    Examples
    --------
    >>> number, claim, found, holds = verdicts()[6]
    >>> number, holds
    (7, True)
    """

    number: int
    claim: str
    found: str
    holds: bool


class _Run(NamedTuple):
    words: np.ndarray
    pe: np.ndarray
    weights_without: np.ndarray
    weights_with: np.ndarray


def verdicts() -> list[Verdict]:
    """Run the handout and judge each of its twelve claims, in the language in use.

    Returns
    -------
    list of Verdict
        One for each claim, in order; what was found is computed afresh.

    References
    ----------
    The course's handout, "Positional encoding in self-attention".

    Examples
    --------
    >>> [verdict.number for verdict in verdicts() if verdict.holds]
    [7]
    """
    run = _run()
    judged = [
        _row_zero(run),
        _row_one(run),
        _printed_weights("without", run.weights_without, WEIGHTS_WITHOUT),
        _printed_weights("with", run.weights_with, WEIGHTS_WITH),
        _printed_difference(run),
        _threshold(run),
        _row_sums(run),
        _verifiable(run),
        _overflow(run),
        _odd_width(),
        _first_row(run),
        _repeated_word(run),
    ]
    return [Verdict(number, *verdict) for number, verdict in enumerate(judged, start=1)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the handout's six results with the true numbers, then the verdicts.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line after the program's name.

    Returns
    -------
    int
        0: the script reports, it does not judge the handout an error.

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
    program = "python -m course_utils.positional_encoding_demo"
    parser = argparse.ArgumentParser(prog=program, description=text("demo.description"))
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default=current_language(),
        help=text("demo.language", default=current_language()),
    )
    before = current_language()
    use_language(parser.parse_args(arguments).language)
    try:
        _print_results(_run())
        print(text("demo.verdicts"))
        for number, claim, found, holds in verdicts():
            verdict = text("demo.holds" if holds else "demo.fails")
            print(text("demo.line", number=number, claim=claim, found=found, verdict=verdict))
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
    difference = frobenius_difference(run.weights_without, run.weights_with)
    blocks = {
        "encoding": run.pe[:2],
        "sum": (run.words + run.pe)[:2],
        "weights_without": run.weights_without[:1],
        "weights_with": run.weights_with[:1],
        "difference": [[difference]],
        "row_sums": [run.weights_without.sum(axis=1), run.weights_with.sum(axis=1)],
    }
    for name, rows in blocks.items():
        print(text(f"demo.{name}"))
        for row in rows:
            print(f"[{_row(row)}]" if len(row) > 1 else _row(row))
        print()


def _row(numbers: Iterable[float], decimals: int = 4) -> str:
    return " ".join(f"{np.round(number, decimals) + 0.0:.{decimals}f}" for number in numbers)


def _agrees(found: np.ndarray | float, printed: Sequence[float] | float, decimals: int = 4) -> bool:
    # as printed, or one in the last place: a tie may round either way
    return bool(np.allclose(found, printed, rtol=0, atol=1.01 * 10.0**-decimals))


def _row_zero(run: _Run) -> tuple[str, str, bool]:
    return text("claim.1"), _row(run.pe[0], 0), not run.pe[0].any()


def _row_one(run: _Run) -> tuple[str, str, bool]:
    printed = np.reshape(ROW_1, (-1, 2))
    missing = [
        f"({_row(pair)})"
        for pair in run.pe[1].reshape(-1, 2)
        if np.abs(printed - pair).max(axis=1).min() > 0.005
    ]
    claim = text("claim.2", row=" ".join(f"{number:.8g}" for number in ROW_1))
    found = text("found.2", row=_row(run.pe[1], 8), missing=", ".join(missing))
    return claim, found, _agrees(run.pe[1], ROW_1, decimals=8)


def _printed_weights(
    name: str, weights: np.ndarray, printed: Sequence[float]
) -> tuple[str, str, bool]:
    claim = text(f"claim.weights_{name}", row=_row(printed))
    return claim, _row(weights[0]), _agrees(weights[0], printed)


def _printed_difference(run: _Run) -> tuple[str, str, bool]:
    difference = frobenius_difference(run.weights_without, run.weights_with)
    claim = text("claim.5", number=f"{FROBENIUS:.4f}")
    return claim, f"{difference:.4f}", _agrees(difference, FROBENIUS)


def _threshold(run: _Run) -> tuple[str, str, bool]:
    def placebo(x: np.ndarray) -> np.ndarray:
        return _attend(x + run.pe[3])

    difference = frobenius_difference(run.weights_without, placebo(run.words))
    gap = order_gap(placebo, run.words, range(SEQ_LEN)[::-1])
    found = text("found.6", difference=f"{difference:.4f}", gap=f"{gap:.4f}")
    passes_without_order = difference > THRESHOLD and gap < 1e-9
    return text("claim.6", threshold=THRESHOLD), found, not passes_without_order


def _row_sums(run: _Run) -> tuple[str, str, bool]:
    sums = np.concatenate([run.weights_without.sum(axis=1), run.weights_with.sum(axis=1)])
    found = text("found.7", low=f"{sums.min():.4f}", high=f"{sums.max():.4f}", count=len(sums))
    return text("claim.7"), found, bool(np.allclose(sums, 1, rtol=0, atol=1e-12))


def _verifiable(run: _Run) -> tuple[str, str, bool]:
    again = _run()
    same = all(np.allclose(a, b, rtol=0, atol=1e-9) for a, b in zip(run, again, strict=True))
    difference = frobenius_difference(run.weights_without, run.weights_with)
    printed = [
        _agrees(run.pe[0], ROW_0, decimals=8),
        _agrees(run.pe[1], ROW_1, decimals=8),
        _agrees(run.weights_without[0], WEIGHTS_WITHOUT),
        _agrees(run.weights_with[0], WEIGHTS_WITH),
        _agrees(difference, FROBENIUS),
    ]
    repeats = text("demo.yes" if same else "demo.no")
    found = text("found.8", same=repeats, agree=sum(printed), count=len(printed))
    return text("claim.8"), found, same and all(printed)


def _overflow(run: _Run) -> tuple[str, str, bool]:
    large = 100 * run.words
    scores = large @ large.T / np.sqrt(D_MODEL)
    with np.errstate(all="ignore"):
        weights = np.exp(scores) / np.sum(np.exp(scores), axis=-1, keepdims=True)
    broken = int(np.isnan(weights).sum())
    mended = int(np.isnan(_attend(large)).sum())
    found = text("found.9", broken=broken, count=weights.size, mended=mended)
    return text("claim.9"), found, broken == 0


def _odd_width(d_model: int = 7) -> tuple[str, str, bool]:
    position = np.arange(SEQ_LEN).reshape(-1, 1)
    div_term = np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    pe = np.zeros((SEQ_LEN, d_model))
    try:
        pe[:, 0::2] = np.sin(position * div_term)
        pe[:, 1::2] = np.cos(position * div_term)
    except ValueError as error:
        sines, cosines = len(div_term), pe[:, 1::2].shape[1]
        values = {"d_model": d_model, "error": type(error).__name__}
        return text("claim.10"), text("found.10", **values, need=sines, have=cosines), False
    return text("claim.10"), text("found.10_none", d_model=d_model), True


def _first_row(run: _Run) -> tuple[str, str, bool]:
    found = text("found.11", row_0=_row(run.weights_without[0]), row_1=_row(run.weights_without[1]))
    return text("claim.11"), found, _agrees(run.weights_without[0], run.weights_without[1])


def _repeated_word(run: _Run) -> tuple[str, str, bool]:
    distinct = len(np.unique(run.words, axis=0))
    twice = np.vstack([run.words, run.words[:1]])
    pe = sinusoidal_positional_encoding(len(twice), D_MODEL)
    found = text(
        "found.12",
        distinct=distinct,
        count=len(run.words),
        without=f"{repeated_word_gap(_attend(twice), 0, SEQ_LEN):.4f}",
        with_pe=f"{repeated_word_gap(_attend(twice + pe), 0, SEQ_LEN):.4f}",
    )
    return text("claim.12"), found, distinct < len(run.words)


if __name__ == "__main__":
    sys.exit(main())
