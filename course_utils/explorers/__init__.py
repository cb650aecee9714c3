"""Sliders that move a picture: the explorers of each chapter, on one shared engine.

The arguments of each are where its controls start, and the controls have their names. What is not
of the kind or range that is given there is refused as by `Explorer`.
"""

from course_utils.explorers.chapter1_encode import clock_hands, encode
from course_utils.explorers.chapter2_add import add
from course_utils.explorers.chapter3_attend import attend
from course_utils.explorers.chapter4_compare import compare
from course_utils.explorers.chapter5_beyond import beyond, progress
from course_utils.explorers.explorer import Explorer

__all__ = ["Explorer", "add", "attend", "beyond", "clock_hands", "compare", "encode", "progress"]
