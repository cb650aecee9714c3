"""Checks for the exercises: each answers with a `Feedback`, which is shown and never raised.

One file for each chapter, on the mechanism of `feedback`. A new check is `check_<exercise>` under
`@exercise(code)`, where `code` is its third hint: it raises `Wrong(cause)`, or returns.
It calls a learner's function through `ask` only, and reads what came back through `read_*`.
Its words are `check.<exercise>.*` and `hint.<exercise>.*` in `language`.
"""

from course_utils.checks.encode import (
    check_detector,
    check_encoding,
    check_longest_wavelength,
    check_rotation,
    check_row_zero,
    check_same_output,
)
from course_utils.checks.feedback import Feedback

__all__ = [
    "Feedback",
    "check_detector",
    "check_encoding",
    "check_longest_wavelength",
    "check_rotation",
    "check_row_zero",
    "check_same_output",
]
