"""Judge the answers of one notebook in a process of its own, and believe nothing it says."""

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from course_utils.collect import child
from course_utils.language import text

SECONDS = 30.0  # for all answers of one notebook
STATES = {"correct", "incorrect", "not attempted", "not judged"}
_NAMESPACES = ("--user", "--map-root-user", "--net", "--pid", "--ipc", "--fork", "--kill-child")

Verdict = tuple[str, str, str]


@functools.cache
def namespaces() -> list[str]:
    """Return the command that takes network and other processes away, or nothing."""
    unshare = shutil.which("unshare")
    if unshare is None or sys.platform != "linux":
        return []
    command = [unshare, *_NAMESPACES]
    done = subprocess.run([*command, sys.executable, "-c", ""], capture_output=True)
    return command if done.returncode == 0 else []


def missing_walls() -> list[str]:
    """Return which of the walls this system does not have."""
    found = {
        "namespaces": bool(namespaces()),
        "landlock": child.landlock() >= 1,
        "limits": os.name == "posix",
    }
    return [text(f"collect.wall.{name}") for name, there in found.items() if not there]


def judge(answers: Sequence[tuple[str, str]], language: str) -> list[Verdict]:
    """Return state, cause and message of each answer, given as exercise and source."""
    told: list[Verdict] = []
    end = time.monotonic() + SECONDS
    while len(told) < len(answers):
        left = end - time.monotonic()
        if left > 0:
            told += _run(answers[len(told) :], language, left)
        if len(told) < len(answers):
            late = time.monotonic() >= end
            cause = "no_time" if left <= 0 else "stalled" if late else "ended"
            told.append(("not judged", cause, text(f"collect.cause.{cause}")))
    return told


def _run(answers: Sequence[tuple[str, str]], language: str, seconds: float) -> list[Verdict]:
    """Start a child, and return the verdicts it gave before its end."""
    job = {"language": language, "alone": bool(namespaces()), "answers": [*answers]}
    # folders deeper than Python can remove stay behind in the system's temporary folder
    home = tempfile.mkdtemp(prefix="answers-")
    # -s and -P as in -I, whose -E would let the hashes of strings differ from run to run
    command = [*namespaces(), sys.executable, "-s", "-P", "-B", child.__file__]
    environment = {
        **{"HOME": home, "MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1"},
        **{"OMP_NUM_THREADS": "1"},
        **{"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
        # without these Windows starts nothing
        **{name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ},
    }
    try:
        with tempfile.TemporaryFile() as told:
            started = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=told,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env=environment,
                start_new_session=True,
            )
            try:
                with contextlib.suppress(subprocess.TimeoutExpired, BrokenPipeError):
                    started.communicate(json.dumps(job).encode("ascii"), timeout=seconds)
            finally:
                in_time = started.poll() is not None
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    if os.name == "posix":
                        os.killpg(started.pid, signal.SIGKILL)
                started.kill()
                started.wait()
            told.seek(0)
            first, *lines = told.read(2 << 20).split(b"\n")
    finally:
        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(home)
    if first != b"ready" and in_time:
        raise RuntimeError(text("collect.no_start", path=Path(child.__file__)))
    return [_read(line) for line in lines[:-1]][: len(answers)]


def _read(line: bytes) -> Verdict:
    """Read one line of a child, which may hold anything."""
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(line):
            case [str(state), str(cause), str(message)]:
                if state in STATES and re.fullmatch(r"[a-z0-9_+]{0,200}", cause):
                    # where something lies in memory differs from run to run
                    message = re.sub(r" at 0x[0-9a-fA-F]+", "", message)
                    return state, cause, visible(message)
    return "not judged", "ended", text("collect.cause.ended")


def visible(words: str) -> str:
    """Return one line of visible characters; code in it stays between its marks."""
    return " ".join("".join(c if c.isprintable() else " " for c in words[:1000]).split())
