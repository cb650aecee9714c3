"""Run the notebooks with other Pythons, releases, BLAS kernels and numbers of threads.

    python -m tools.matrix            (a quarter of an hour)
    python -m tools.matrix --short    (other BLAS kernels alone)

Not all that can be combined: around one centre (the oldest Python, the newest releases, the BLAS
kernels that OpenBLAS picks itself, two threads) each factor takes each of its values, and corners
join the values farthest away from it. A combination that this machine cannot run, since it has no
such Python or its processor no such instructions, stands in the table and says so.

Each environment is a new one, in a temporary folder. The table tells what ran in it; below it stand
the cells that failed, and then the exit code is 1, as it is if nothing could run.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tools.notebooks import ROOT

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RELEASES = {"newest": "highest", "oldest": "lowest-direct"}
# an empty name: what OpenBLAS picks for this processor
KERNELS = ("", "Nehalem", "Haswell", "SkylakeX")
THREADS = (2, 1)
PROBE = """
import json, platform, threadpoolctl
from importlib.metadata import version
import numpy
blas = [each for each in threadpoolctl.threadpool_info() if each["user_api"] == "blas"]
seen = {name: version(name) for name in ("numpy", "matplotlib", "ipywidgets")}
used = [f"{each.get('architecture')} x{each['num_threads']}" for each in blas]
print(json.dumps({"python": platform.python_version(), **seen, "blas": ", ".join(used)}))
"""
COLUMNS = ("python", "numpy", "matplotlib", "ipywidgets", "blas", "passed", "failed", "seconds")


class Combination(NamedTuple):
    """What is asked for: one value of each factor."""

    python: str = PYTHONS[0]
    releases: str = "newest"
    kernel: str = KERNELS[0]
    threads: int = THREADS[0]

    def __str__(self) -> str:
        kernel = self.kernel or "own kernel"
        return f"{self.python}, {self.releases}, {kernel}, threads {self.threads}"


HERE = "{}.{}".format(*sys.version_info)
SHORT = [Combination(HERE, kernel=kernel) for kernel in ("Haswell",)]
FULL = list(
    dict.fromkeys(
        [
            Combination(),
            *(Combination(python=python) for python in PYTHONS),
            *(Combination(releases=releases) for releases in RELEASES),
            *(Combination(kernel=kernel) for kernel in KERNELS),
            *(Combination(threads=threads) for threads in THREADS),
            Combination(PYTHONS[0], "oldest", "Nehalem", 1),
            Combination(PYTHONS[0], "oldest", "SkylakeX", 1),
            Combination(PYTHONS[-2], "newest", "Nehalem", 1),
            Combination(PYTHONS[-2], "newest", "SkylakeX", 1),
        ]
    )
)


def main(arguments: list[str]) -> int:
    """Run, print the table, and return what the shell gets."""
    combinations = SHORT if "--short" in arguments else FULL
    rows, told = [], []
    with TemporaryDirectory() as folder:
        for combination in combinations:
            print(combination, file=sys.stderr, flush=True)
            row, failures = run(combination, Path(folder))
            rows.append({"": str(combination), **row})
            told += [f"{combination}: {failure}" for failure in failures]
    print(*table(rows), *told, sep="\n")
    ran = any("seconds" in row for row in rows)
    return 0 if ran and not told else 1


def run(combination: Combination, folder: Path) -> tuple[dict[str, str], list[str]]:
    """The row of one combination, and what failed there."""
    if not find_python(combination.python):
        return {"python": "not on this machine"}, []
    if combination.kernel == "SkylakeX" and not has_avx512():
        return {"blas": "no AVX-512 here"}, []
    python = environment(combination.python, combination.releases, folder)
    unset = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONPATH", "VIRTUAL_ENV"}
    env = {name: value for name, value in os.environ.items() if name not in unset}
    env["OPENBLAS_NUM_THREADS"] = str(combination.threads)
    if combination.kernel:
        env["OPENBLAS_CORETYPE"] = combination.kernel
    probe = subprocess.check_output([python, "-c", PROBE], env=env, encoding="utf-8")
    start = time.monotonic()
    # the code is the same in Chinese
    command = [python, "-m", "pytest", "-q", "notebooks/en"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8")
    counts = {name: count(name, done.stdout) for name in ("passed", "failed")}
    seconds = f"{time.monotonic() - start:.0f}"
    failures = re.findall(r"^(?:FAILED|ERROR) .*", done.stdout, re.MULTILINE)
    if done.returncode and not failures:
        failures = [done.stdout[-2000:] + done.stderr[-2000:]]
    return {**json.loads(probe), **counts, "seconds": seconds}, failures


def count(name: str, said: str) -> str:
    found = re.findall(rf"(\d+) {name}", said)
    return found[-1] if found else "0"


def environment(version: str, releases: str, folder: Path) -> Path:
    """A new environment with the course in it, or the one made before."""
    place = folder / f"{version}-{releases}"
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not place.exists():
        quietly = [uv(), "--quiet"]
        subprocess.run([*quietly, "venv", "--python", find_python(version), place], check=True)
        install = [*quietly, "pip", "install", "--python", python]
        what = [
            "--editable",
            ROOT,
            "--group",
            f"{ROOT / 'pyproject.toml'}:dev",
            "threadpoolctl>=3.5",
        ]
        subprocess.run([*install, "--resolution", RELEASES[releases], *what], check=True)
    return python


@cache
def find_python(version: str) -> str | None:
    """A Python of the machine: this one, one that uv finds, or one that pyenv hides from uv."""
    if version == HERE:
        return sys.executable
    command = [uv(), "python", "find", "--system", "--no-python-downloads", version]
    found = subprocess.run(command, capture_output=True, encoding="utf-8")
    if found.returncode == 0:
        return found.stdout.strip()
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    return next((str(path) for path in pyenv.glob(f"versions/{version}.*/bin/python")), None)


@cache
def uv() -> str:
    # `uv run` says where it is
    found = os.environ.get("UV") or shutil.which("uv")
    return found or sys.exit("no uv: python -m pip install uv")


def has_avx512() -> bool:
    processor = Path("/proc/cpuinfo")
    return processor.exists() and "avx512f" in processor.read_text(encoding="utf-8")


def table(rows: list[dict[str, str]]) -> Iterator[str]:
    """Lines with columns of equal width."""
    names = ("", *COLUMNS)
    cells = [names, *(tuple(row.get(name, "-") for name in names) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(
            cell.ljust(width) for cell, width in zip(line, widths, strict=True)
        ).rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
