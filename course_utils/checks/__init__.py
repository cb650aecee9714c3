"""Checks for the exercises: each answers with a `Feedback`, which is shown and never raised.

One file for each chapter, on the mechanism of `feedback`. A new check is `check_<exercise>` under
`@exercise(code)`, where `code` is its third hint: it raises `Wrong(cause)`, or returns.
It calls a learner's function through `ask` only, and reads what came back through `read_*`.
Its words are `check.<exercise>.*` and `hint.<exercise>.*` in `language`.
The third hint runs when pasted into its cell: a whole function, or lines that assign or print.
"""

from course_utils.checks.add import (
    check_add_positions,
    check_difference,
    check_energy_share,
    check_pair_test,
    check_read_pair,
)
from course_utils.checks.attend import (
    check_attention,
    check_look_ahead,
    check_most_attended,
    check_score_deviation,
    check_softmax,
)
from course_utils.checks.compare import (
    check_chance,
    check_order_gap,
    check_placebo,
    check_sees_order,
)
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
    "check_add_positions",
    "check_attention",
    "check_chance",
    "check_detector",
    "check_difference",
    "check_encoding",
    "check_energy_share",
    "check_longest_wavelength",
    "check_look_ahead",
    "check_most_attended",
    "check_order_gap",
    "check_pair_test",
    "check_placebo",
    "check_read_pair",
    "check_rotation",
    "check_row_zero",
    "check_same_output",
    "check_score_deviation",
    "check_sees_order",
    "check_softmax",
]
