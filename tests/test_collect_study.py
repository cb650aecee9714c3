"""317 submissions with the mistake that was meant: what the checks say of them.

`submissions.txt` was written from the texts of the exercises; the labels are the names of causes.
"""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from course_utils.collect import judge
from course_utils.collect.submissions import ANSWERS
from tools.notebooks import ROOT

HERE = Path(__file__).parent
FOUND = re.findall(
    r"^## (\S+) (\S+)\n(.*?)(?=^## |\Z)",
    (HERE / "submissions.txt").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


def test_each_exercise_is_answered_in_many_ways():
    counts = Counter(exercise for exercise, _, _ in FOUND)
    assert counts.keys() == ANSWERS.keys()
    assert min(counts.values()) >= 4
    assert sum(counts.values()) >= 300


@pytest.mark.slow
def test_what_is_said_is_what_was_meant():
    def ask(exercise):
        answers = [(exercise, source) for number, _, source in FOUND if number == exercise]
        meant = [label for number, label, _ in FOUND if number == exercise]
        verdicts = judge.judge(answers, "en")
        said = [cause or state for state, cause, _ in verdicts]
        return [(exercise, *pair) for pair in zip(meant, said, strict=True)]

    with ThreadPoolExecutor(2) as pool:
        pairs = [pair for found in pool.map(ask, ANSWERS) for pair in found]
    assert not [p for p in pairs if ("correct" in p[1:]) and p[1] != p[2]]
    apart = [p for p in pairs if p[1] != p[2]]
    # tests/README.md has the same
    readme = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\.\d) \| `(\w+)` \| `(\w+)` \|", readme, re.MULTILINE)
    assert sorted(apart) == sorted(rows)
    assert f"{len(pairs) - len(apart)} of {len(pairs)}" in readme
