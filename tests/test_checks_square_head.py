"""Exercise *one word back from squares*: answers from the text of the exercise alone."""

import numpy as np
import pytest

from course_utils import checks
from tests.told import assert_told

pytestmark = pytest.mark.usefixtures("each_language")

A = np.array([[-1, -2, -1], [2, 2, 0], [-1, 0, 0.0]])
RIGHT = {
    "A": A,
    "list": A.tolist(),
    "3A": 3 * A,
    "no col0": [[0, -2, -1], [0, 2, 0], [0, 0, 0]],
    "col0 other": [[5, -2, -1], [7, 2, 0], [-3, 0, 0]],
    "half": [[0, -1, -0.5], [0, 1, 0], [0, 0, 0]],
    "tiny": A * 0.001,
    "f32": A.astype(np.float32),
}
WRONG = {
    "T": ("transposed", A.T),
    "neg": ("farthest", -A),
    "itself": ("itself", [[0, 0, -1], [0, 2, 0], [-1, 0, 0]]),
    "two back": ("other_step", [[-4, -4, -1], [4, 2, 0], [-1, 0, 0]]),
    "ahead": ("transposed", [[-1, 2, -1], [-2, 2, 0], [-1, 0, 0]]),
    "zeros": ("zeros", np.zeros((3, 3))),
    "eye": ("end", np.eye(3)),
    "ones": ("end", np.ones((3, 3))),
    "linear": ("end", [[0, 0, 0], [0, -1, 0], [0, 0, 0]]),
    "2x2": ("shape", np.eye(2)),
    "vector": ("shape", [-1, 2, -1]),
    "plus r2": ("end", [[0, -2, 1], [0, 2, 0], [0, 0, 0]]),
    "forgot 2": ("misplaced", [[0, -1, -1], [0, 1, 0], [0, 0, 0]]),
    "no -2": ("itself", [[0, 0, -1], [0, 2, 0], [0, 0, 0]]),
    "no p r": ("fixed", [[0, -2, -1], [0, 0, 0], [0, 0, 0]]),
    "sym": ("tie", [[-1, -1, -1], [2, 2, 0], [-1, 0, 0]]),
    "string": ("not_an_array", "A"),
    "none": ("not_an_array", None),
    "dots": ("not_attempted", [[..., 0, 0], [0, ..., 0], [0, 0, ...]]),
    "fn": ("not_an_array", lambda p: A),
    "random": ("misplaced", np.random.RandomState(0).randn(3, 3)),
    "half back": ("tie", [[0, -1, -1], [0, 2, 0], [0, 0, 0]]),
    "reversed": ("misplaced", A[::-1]),
    "flipped": ("no_peak", A[:, ::-1]),
    "scale p2": ("end", [[0, -2, -1], [0, 2, 0], [0, 0, 1]]),
    "r^2 p": ("misplaced", [[0, -2, 0], [0, 2, -1], [0, 0, 0]]),
    "complex": ("not_an_array", A * 1j),
    "nan": ("not_finite", np.full((3, 3), np.nan)),
    "inf": ("not_finite", np.full((3, 3), np.inf)),
    "4x4": ("shape", np.eye(4)),
}


@pytest.mark.parametrize("label", RIGHT)
def test_right_answers_in_any_style(label):
    assert_told(checks.check_square_head(RIGHT[label]), "")


@pytest.mark.parametrize("label", WRONG)
def test_wrong_answers_are_named_as_what_they_are(label):
    cause, answer = WRONG[label]
    assert_told(checks.check_square_head(answer), cause)
