"""Exercise *what a shift of all positions notices*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

RIGHT = {
    "l": ["mixed", "before"],
    "r": ["before", "mixed"],
    "t": ("mixed", "before"),
    "s": {"mixed", "before"},
    "dup": ["mixed", "before", "mixed"],
    "str": "mixed, before",
    "caps": ["Mixed", " Before"],
    "array": np.array(["mixed", "before"]),
}
WRONG = {
    "v": ("values", ["values", "mixed", "before"]),
    "m": ("missed", ["mixed"]),
    "b": ("missed", ["before"]),
    "all": ("values", ["values", "mixed", "scaled", "before", "backwards"]),
    "none": ("missed", []),
    "sc": ("scaled", ["mixed", "before", "scaled"]),
    "bk": ("backwards", ["mixed", "before", "backwards"]),
    "unk": ("not_names", ["mixd"]),
    "dots": ("not_attempted", [...]),
    "int": ("not_names", [1, 2]),
    "None": ("not_names", None),
    "nested": ("not_names", [["mixed", "before"]]),
    "vals": ("values", ["values"]),
    "dict": ("not_names", {"mixed": 1, "before": 1}),
    "one": ("missed", "mixed"),
    "wrong and missing": ("backwards", ["mixed", "backwards"]),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_shift_test(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_shift_test(answer), cause)
