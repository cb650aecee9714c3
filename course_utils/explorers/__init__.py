"""Sliders that move a picture: explorers for each chapter, on one shared mechanism."""

from course_utils.explorers.add import add
from course_utils.explorers.attend import attend
from course_utils.explorers.compare import compare
from course_utils.explorers.encode import clock_hands, encode
from course_utils.explorers.mechanism import Explorer

__all__ = ["Explorer", "add", "attend", "clock_hands", "compare", "encode"]
