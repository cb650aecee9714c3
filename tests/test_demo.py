"""The handout as a script: true numbers, twelve verdicts, any console."""

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
    assert len(blocks[6].splitlines()) == 1 + 12


def test_the_handouts_own_code_gives_these_numbers():
    np.random.seed(42)  # noqa: NPY002 - as the handout seeds
    words = np.random.randn(4, 8).astype(np.float32)  # noqa: NPY002

    def weights(x):
        scores = np.exp(np.matmul(x, x.T) / np.sqrt(8))
        return scores / np.sum(scores, axis=-1, keepdims=True)

    run = demo._run()
    assert np.array_equal(run.words, words)
    np.testing.assert_allclose(run.weights_without, weights(words), atol=5e-6)
    np.testing.assert_allclose(run.weights_with, weights(words + run.pe), atol=1e-12)


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_twelve_verdicts_and_one_claim_holds(code):
    language.use_language(code)
    verdicts = demo.verdicts()
    assert [verdict.number for verdict in verdicts] == list(range(1, 13))
    assert [verdict.number for verdict in verdicts if verdict.holds] == [7]
    assert all(type(verdict.holds) is bool for verdict in verdicts)
    found = {verdict.number: verdict.found for verdict in verdicts}
    for number, part in {
        1: "0 1 0 1 0 1 0 1",
        2: "(0.0998 0.9950)",
        3: "0.8550 0.0226 0.0190 0.1034",
        4: "0.9243 0.0054 0.0031 0.0672",
        5: "0.3200",
        6: "0.3943",
        7: "1.0000",
        8: "1",
        9: "nan",
        10: "ValueError",
        11: "0.0110 0.7764 0.1442 0.0683",
        12: "0.3954",
    }.items():
        assert part in found[number]


def test_a_claim_that_is_met_holds(monkeypatch):
    run = demo._run()
    met = {
        "ROW_1": tuple(run.pe[1]),
        "WEIGHTS_WITHOUT": tuple(run.weights_without[0].round(4)),
        "WEIGHTS_WITH": tuple(run.weights_with[0].round(4)),
        "FROBENIUS": 0.32,
        "THRESHOLD": 0.5,
    }
    for name, value in met.items():
        monkeypatch.setattr(demo, name, value)
    holds = [verdict.number for verdict in demo.verdicts() if verdict.holds]
    assert holds == [2, 3, 4, 5, 6, 7, 8]
    assert demo._odd_width(8)[2]


def test_weights_that_do_not_sum_to_1_are_found():
    run = demo._run()
    assert not demo._row_sums(run._replace(weights_with=run.weights_with * 1.01))[2]


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
