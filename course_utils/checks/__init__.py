"""Checks for the exercises: each answers with a `Feedback`, which is shown and never raised.

An exercise is one room: `<exercise>.py` judges, `<exercise>.toml` holds the words of its causes and
hints in both languages. Predictions and single numbers stand together in `predictions.py`.
A check is `check_<exercise>` under `@exercise()`: it raises `Wrong(cause)`, or returns. It calls a
learner's function through `ask` only, and reads what came back through `read_*`. The third hint,
code, runs when pasted into its cell.
Formulas are those of Vaswani et al. (2017), sections 3.2 and 3.5; what a permutation of the tokens
does is property 1 of Lee et al., "Set Transformer" (2019). Chapter 5 has RoPE from Su et al.
(2021), equation 34, slopes from Press et al. (2022), section 3, buckets from Raffel et al. (2020),
section 2.1, and gradients from Goodfellow et al. (2016), section 6.2.2.3.
"""

from course_utils.checks.add_positions import check_add_positions
from course_utils.checks.attention import check_attention
from course_utils.checks.encoding import check_encoding
from course_utils.checks.feedback import Feedback
from course_utils.checks.is_rotary import check_is_rotary
from course_utils.checks.look_ahead import check_look_ahead
from course_utils.checks.loss_slope import check_loss_slope
from course_utils.checks.output_gaps import check_output_gaps
from course_utils.checks.position_axes import check_position_axes
from course_utils.checks.predictions import (
    check_base,
    check_bucket,
    check_chance,
    check_difference,
    check_even_factor,
    check_most_attended,
    check_placebo,
    check_row_zero,
    check_same_output,
    check_score_deviation,
    check_turned_values,
)
from course_utils.checks.read_pair import check_read_pair
from course_utils.checks.rope import check_rope
from course_utils.checks.sees_order import check_sees_order
from course_utils.checks.shift_test import check_shift_test
from course_utils.checks.slopes import check_slopes
from course_utils.checks.speeds import check_speeds
from course_utils.checks.square_head import check_square_head
from course_utils.checks.steps_between import check_steps_between
from course_utils.checks.verdicts import check_verdicts
from course_utils.checks.window_mask import check_window_mask

__all__ = [
    "Feedback",
    "check_add_positions",
    "check_attention",
    "check_base",
    "check_bucket",
    "check_chance",
    "check_difference",
    "check_encoding",
    "check_even_factor",
    "check_is_rotary",
    "check_look_ahead",
    "check_loss_slope",
    "check_most_attended",
    "check_output_gaps",
    "check_placebo",
    "check_position_axes",
    "check_read_pair",
    "check_rope",
    "check_row_zero",
    "check_same_output",
    "check_score_deviation",
    "check_sees_order",
    "check_shift_test",
    "check_slopes",
    "check_speeds",
    "check_square_head",
    "check_steps_between",
    "check_turned_values",
    "check_verdicts",
    "check_window_mask",
]
