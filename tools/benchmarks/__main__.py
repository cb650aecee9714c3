"""Measure all speeds side by side and print them as one table.

    python -m tools.benchmarks [--small] [--students N] [TOPIC ...]

`--small` runs each measurement once or twice, on little, and one of the sliders: it shows that the
benchmarks work, not how fast anything is.
A topic is one of `imports`, `encoding`, `attention`, `sliders`, and `hub`, for `--students`.
"""

import argparse
import importlib
import os

TOPICS = ("imports", "encoding", "attention", "sliders", "hub")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS))
    parser.add_argument("--small", action="store_true", help="everything once, quickly")
    parser.add_argument("--students", type=int, default=20, help="at once, on the hub")
    options = parser.parse_args()
    unknown = set(options.topics) - set(TOPICS)
    if unknown:
        parser.error(f"unknown topic {unknown.pop()!r}, known are {', '.join(TOPICS)}")
    # one thread: BLAS libraries read this when NumPy is imported, so nothing may import it before
    os.environ.update(dict.fromkeys(THREADS, "1"))
    table = importlib.import_module("tools.benchmarks.table")
    print(f"{table.versions()}\n\n{table.HEAD}", flush=True)
    for topic in options.topics or TOPICS:
        rows = importlib.import_module(f"tools.benchmarks.{topic}").rows
        for row in rows(options.small, *[options.students] * (topic == "hub")):
            print(row, flush=True)


if __name__ == "__main__":
    main()
