"""The handout as a script: true numbers, a verdict on each claim, limits, any console."""

import os
import subprocess
import sys

import numpy as np
import pytest

from course_utils import language
from course_utils import positional_encoding_demo as demo

MODULE = "course_utils.positional_encoding_demo"


@pytest.fixture(autouse=True)
def english():
    language.use_language("en")
    yield
    language.use_language("en")


def printed(capsys, *arguments):
    assert demo.main(arguments) == 0
    return capsys.readouterr().out


def test_the_six_results_are_the_true_ones(capsys):
    blocks = printed(capsys, "--language", "en").split("\n\n")
    assert [block.splitlines()[1:] for block in blocks[:6]] == [
        [
            "[0.0000 1.0000 0.0000 1.0000 0.0000 1.0000 0.0000 1.0000]",
            "[0.8415 0.5403 0.0998 0.9950 0.0100 1.0000 0.0010 1.0000]",
        ],
        [
            "[0.4967 0.8617 0.6477 2.5230 -0.2342 0.7659 1.5792 1.7674]",
            "[0.3720 1.0829 -0.3636 0.5293 0.2520 -0.9133 -1.7239 0.4377]",
        ],
        ["[0.8550 0.0226 0.0190 0.1034]"],
        ["[0.9243 0.0054 0.0031 0.0672]"],
        ["0.3200"],
        ["[1.0000 1.0000 1.0000 1.0000]"] * 2,
    ]
    assert [len(block.splitlines()) for block in blocks[6:]] == [1 + 14, 1 + 3]


def test_the_handouts_own_code_gives_these_numbers():
    np.random.seed(42)  # noqa: NPY002 - as the handout seeds
    words = np.random.randn(4, 8).astype(np.float32)  # noqa: NPY002

    def weights(x):
        scores = np.exp(np.matmul(x, x.T) / np.sqrt(8))
        return scores / np.sum(scores, axis=-1, keepdims=True)

    run = demo._run()
    assert np.array_equal(run.words, words)
    np.testing.assert_allclose(run.without, weights(words), atol=5e-6)
    np.testing.assert_allclose(run.with_pe, weights(words + run.pe), atol=1e-12)


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_true_claims_hold_and_false_ones_do_not(code):
    language.use_language(code)
    verdicts = demo.verdicts()
    assert [verdict.number for verdict in verdicts] == list(range(1, 15))
    assert [verdict.number for verdict in verdicts if verdict.holds] == [1, 2, 4, 10, 13]
    assert all(type(verdict.holds) is bool for verdict in verdicts)
    found = {verdict.number: verdict.found for verdict in verdicts}
    for number, part in {
        1: "4",
        2: "0.3954",
        3: "0 1 0 1 0 1 0 1",
        4: "0.8415",
        5: "(0.0998 0.9950)",
        6: "0.8550 0.0226 0.0190 0.1034",
        7: "0.9243 0.0054 0.0031 0.0672",
        8: "0.3200",
        9: "0.0004",
        10: "1.0000",
        11: "0.0816 0.1473 0.2012 0.1831",
        12: "0.3943",
        13: "0.0000",
        14: "1",
    }.items():
        assert part in found[number]


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_limits_stand_apart_from_claims(code):
    language.use_language(code)
    found = [limit.found for limit in demo.limits()]
    for part, words in zip(["nan", "ValueError", "float64"], found, strict=True):
        assert part in words


def test_a_claim_that_is_met_holds(monkeypatch):
    run = demo._run()
    met = {
        "ROW_1": tuple(run.pe[1]),
        "WITHOUT": tuple(run.without[0].round(4)),
        "WITH": tuple(run.with_pe[0].round(4)),
        "FROBENIUS": 0.32,
        "THRESHOLD": 0.5,
    }
    for name, value in met.items():
        monkeypatch.setattr(demo, name, value)
    holds = [verdict.number for verdict in demo.verdicts() if verdict.holds]
    assert holds == [1, 2, 4, 5, 6, 7, 8, 10, 12, 13, 14]
    monkeypatch.setattr(demo, "THRESHOLD", 0.05)
    assert demo.verdicts()[10].holds
    assert demo._odd_width(8)[2]


def test_a_claim_that_is_broken_does_not_hold():
    run = demo._run()
    other = run.with_pe[::-1]

    def holds(number, **changed):
        ran = run._replace(**changed)
        parts = [demo._ideas, demo._encoding, demo._weights, demo._criteria]
        return [holds for part in parts for *_, holds in part(ran)][number - 1]

    assert not holds(1, without=other)
    assert holds(3, pe=0 * run.pe)
    assert not holds(4, pe=np.tile(run.pe[0], (4, 1)))
    assert not holds(10, with_pe=run.with_pe * 1.01)
    assert not holds(13, without=other)


def test_the_claim_about_a_repeated_word_can_fail(monkeypatch):
    monkeypatch.setattr(demo, "sinusoidal_positional_encoding", lambda n, d: np.ones((n, d)))
    assert not demo.verdicts()[1].holds


def test_the_language_is_chosen_and_put_back(capsys):
    assert "成立" in printed(capsys, "--language", "zh")
    assert language.current_language() == "en"
    assert "does not hold" in printed(capsys)
    language.use_language("zh")
    assert "不成立" in printed(capsys)


def test_an_unknown_language_is_refused(capsys):
    with pytest.raises(SystemExit) as left:
        demo.main(["--language", "fr"])
    assert left.value.code == 2
    assert "--language" in capsys.readouterr().err


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "utf-8"])
def test_no_console_kills_it(code, encoding):
    run = subprocess.run(
        [sys.executable, "-m", MODULE, "--language", code],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )
    assert run.returncode == 0
    assert run.stderr == b""
    out = run.stdout.decode(encoding)
    assert "0.8550 0.0226 0.0190 0.1034" in out
    assert "0.3200" in out
    # Chinese comes through wherever the console has it, and English everywhere
    if code == "en" or encoding in ("gbk", "utf-8"):
        assert "?" not in out
