"""What the import of the course costs, against the import of NumPy."""

import statistics
import subprocess
import sys
from collections.abc import Iterator

from tools.benchmarks.table import Row
from tools.notebooks import ROOT

NUMBERS = "from course_utils import encoding, attention, compare"


def rows(small: bool) -> Iterator[Row]:
    statements = ("import numpy", "import course_utils", NUMBERS)
    seconds: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(2 if small else 30):
        for statement in statements:
            seconds[statement].append(_cpu_of(statement))
    for statement, goal in zip(statements[1:], ("<= 1.05", ""), strict=True):
        pairs = zip(seconds[statement], seconds["import numpy"], strict=True)
        measured = statistics.median(ours / numpy for ours, numpy in pairs)
        compared = "CPU of the statement in a new interpreter / CPU of `import numpy`"
        yield Row(f"`{statement}`", goal, measured, compared)


def _cpu_of(statement: str) -> float:
    code = f"import time; t = time.process_time(); {statement}; print(time.process_time() - t)"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return float(run.stdout)
