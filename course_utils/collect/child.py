"""Run the answer cells of one notebook: a process of its own, started by `judge`.

It reads a job from its input, gives up what it does not need, and writes a line for each answer.
"""

import ast
import contextlib
import ctypes
import json
import os
import signal
import struct
import sys
import types
from pathlib import Path

CELL_SECONDS = 15
LIMITS = {"AS": 2 << 30, "CPU": 60, "FSIZE": 1 << 20, "NOFILE": 64, "CORE": 0}
_READ_FILE, _READ_FOLDER = 1 | 4, 1 | 4 | 8


class Late(BaseException):
    """An answer takes longer than `CELL_SECONDS`."""


def main() -> None:
    """Judge what the input asks for."""
    sys.path.append(str(Path(__file__).parents[2]))
    from course_utils.collect.submissions import ANSWERS, PICTURES
    from course_utils.language import use_language

    job = json.load(sys.stdin)
    told = os.fdopen(os.dup(1), "w", encoding="ascii")
    for number in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    sources = "".join(source for _, source in job["answers"])
    given = set_up(any(name in sources for name in {*PICTURES, "matplotlib"}))
    use_language(job["language"])
    limit(job["alone"])
    confine()
    told.write("ready\n")
    told.flush()
    for exercise, source in job["answers"]:
        verdict = judge(ANSWERS[exercise], source, given)
        told.write(json.dumps([part[:2000] for part in verdict]) + "\n")
        told.flush()
    os._exit(0)  # whatever threads an answer has left


def set_up(pictures: bool) -> dict[str, types.ModuleType]:
    """Import what the set-up cells of the chapters do."""
    import math

    import numpy as np

    from course_utils import attention, beyond, checks, compare, encoding, training

    given = [attention, beyond, checks, compare, encoding, training, math]
    names = {"np": np}
    if pictures:  # they take seconds, and write into their home
        import matplotlib.pyplot as plt

        from course_utils import explorers, plots

        given += [explorers, plots]
        names["plt"] = plt
    return names | {each.__name__.rpartition(".")[2]: each for each in given}


def limit(alone: bool) -> None:
    """Bound what this process and its children may use, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    # outside a namespace this would count all that the user runs
    for name, most in (LIMITS | ({"NPROC": 16} if alone else {})).items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def landlock() -> int:
    """Return the version of Landlock that the kernel has, or a number below 1."""
    if sys.platform != "linux":
        return 0
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


def confine() -> None:
    """Read Python, libraries and the course only; write, connect and signal nowhere."""
    version = landlock()
    if version < 1:
        return
    libc = ctypes.CDLL(None)
    rights = (1 << 13 + (version >= 2) + (version >= 3) + (version >= 5)) - 1
    network, scope = 3 * (version >= 4), 3 * (version >= 6)
    size = 8 * (1 + (version >= 4) + (version >= 6))
    rules = libc.syscall(444, struct.pack("QQQ", rights, network, scope)[:size], size, 0)
    package = Path(__file__).parents[1]
    devices = ["/dev/null", "/dev/urandom", "/etc/ld.so.cache"]
    libraries = ["/usr", "/lib", "/lib64", *(each for each in sys.path if "-packages" in each)]
    for path in [sys.prefix, sys.base_prefix, package, *libraries, *devices]:
        with contextlib.suppress(OSError):
            place = os.open(path, os.O_PATH)
            read = _READ_FOLDER if os.path.isdir(path) else _READ_FILE
            libc.syscall(445, rules, 1, struct.pack("=Qi", read, place), 0)
            os.close(place)
    libc.prctl(38, 1, 0, 0, 0)  # no new privileges
    libc.syscall(446, rules, 0)
    os.close(rules)


def judge(call: str, source: str, given: dict[str, types.ModuleType]) -> tuple[str, str, str]:
    """Return state, cause and message of one answer; `call` is what its cell should end with."""
    from course_utils.checks.feedback import plain
    from course_utils.collect.submissions import readable
    from course_utils.language import text

    def refused(cause: str, **values: str) -> tuple[str, str, str]:
        return "not judged", cause, text(f"collect.cause.{cause}", **values)

    lines, wanted = readable(source), ast.parse(call, mode="eval").body
    if lines is None:
        return refused("syntax")
    options = {each.arg: ast.literal_eval(each.value) for each in wanted.keywords}
    check, answer = getattr(given["checks"], wanted.func.id), wanted.args[0].id
    late, heard = [], []

    def listen(*answers: object, **said: object) -> object:
        feedback = check(*answers, **said)
        if said == options:  # else it is asked for something else
            heard.append(feedback)
        return feedback

    def ring(*_: object) -> None:
        late.append(True)
        raise Late

    others = {name: getattr(given["checks"], name) for name in given["checks"].__all__}
    checks = types.SimpleNamespace(**others | {check.__name__: listen})
    space = given | {"checks": checks, "__name__": "__main__"}
    problem = refused("no_answer", name=answer)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, ring)
        signal.alarm(CELL_SECONDS)
    try:
        exec(compile(lines, "answer", "exec"), space)
        if not heard and answer in space:
            listen(space[answer], **options)
    except BaseException as error:
        problem = refused("stopped", error=f"{plain(type(error).__name__)}: {plain(error)}")
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)
    if late:
        return refused("stalled")
    return (heard[-1].state, heard[-1].cause, heard[-1].message) if heard else problem


if __name__ == "__main__":
    main()
