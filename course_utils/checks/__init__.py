"""Checks for the exercises: each answers with a `Feedback`, which is shown and never raised.

An exercise is one room: `<exercise>.py` judges, `<exercise>.toml` holds the words of its causes and
hints in both languages. Predictions and single numbers stand together in `predictions.py`.
A check takes an answer; where that is a function, the docstring says what it takes and returns, and
a list of rows will do for an array.
A check is `check_<exercise>` under `@exercise()`: it raises `Wrong(cause)`, or returns. It calls a
learner's function through `ask` only, and reads what came back through `read_*`. The third hint,
code, runs when pasted into its cell.
Formulas are those of Vaswani et al. (2017), sections 3.2 and 3.5; what a permutation of the tokens
does is property 1 of Lee et al., "Set Transformer" (2019). Chapter 5 has RoPE from Su et al.
(2021), equation 34, slopes from Press et al. (2022), section 3, buckets from Raffel et al. (2020),
section 2.1, and gradients from Goodfellow et al. (2016), section 6.2.2.3.
"""

from course_utils.checks.add_positions import check_add_positions as check_add_positions
from course_utils.checks.attention import check_attention as check_attention
from course_utils.checks.encoding import check_encoding as check_encoding
from course_utils.checks.feedback import Feedback as Feedback
from course_utils.checks.is_rotary import check_is_rotary as check_is_rotary
from course_utils.checks.look_ahead import check_look_ahead as check_look_ahead
from course_utils.checks.loss_slope import check_loss_slope as check_loss_slope
from course_utils.checks.output_gaps import check_output_gaps as check_output_gaps
from course_utils.checks.position_axes import check_position_axes as check_position_axes
from course_utils.checks.predictions import check_base as check_base
from course_utils.checks.predictions import check_bucket as check_bucket
from course_utils.checks.predictions import check_chance as check_chance
from course_utils.checks.predictions import check_difference as check_difference
from course_utils.checks.predictions import check_even_factor as check_even_factor
from course_utils.checks.predictions import check_most_attended as check_most_attended
from course_utils.checks.predictions import check_placebo as check_placebo
from course_utils.checks.predictions import check_row_zero as check_row_zero
from course_utils.checks.predictions import check_same_output as check_same_output
from course_utils.checks.predictions import check_score_deviation as check_score_deviation
from course_utils.checks.predictions import check_turned_values as check_turned_values
from course_utils.checks.read_pair import check_read_pair as check_read_pair
from course_utils.checks.rope import check_rope as check_rope
from course_utils.checks.sees_order import check_sees_order as check_sees_order
from course_utils.checks.shift_test import check_shift_test as check_shift_test
from course_utils.checks.slopes import check_slopes as check_slopes
from course_utils.checks.speeds import check_speeds as check_speeds
from course_utils.checks.square_head import check_square_head as check_square_head
from course_utils.checks.steps_between import check_steps_between as check_steps_between
from course_utils.checks.verdicts import check_verdicts as check_verdicts
from course_utils.checks.window_mask import check_window_mask as check_window_mask

__all__ = ["Feedback", *(name for name in dir() if name.startswith("check_"))]
