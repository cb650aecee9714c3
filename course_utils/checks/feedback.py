"""What all checks share: the feedback, and how a learner's answer is asked for and read."""

import ast
import builtins
import contextlib
import copy
import ctypes
import functools
import inspect
import io
import itertools
import re
import signal
import sys
import threading
import unicodedata
import warnings
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from course_utils.arguments import any_array, place_of, shown
from course_utils.language import STRINGS, text

Build = Callable[..., npt.ArrayLike]
Row = tuple[str, Build]  # a cause, and what answers with this mistake are made of
Arrays = Sequence[np.ndarray]
Trials = Sequence[tuple]  # arguments
Layer = Callable[[np.ndarray], np.ndarray]  # what a learner's test is given to look into

TIME_LIMIT = 10.0  # seconds for one call of a learner's function
MOST_HEARD = 10_000  # characters

# what NumPy says of arrays that do not go together
_SHAPE_ERRORS = ("could not be broadcast", "not aligned", "core dimension", "mismatch")


@dataclass(frozen=True, repr=False)
class Feedback:
    """What a check found: shown in a notebook as text with three folded hints.

    Parameters
    ----------
    state : {"not attempted", "incorrect", "correct"}
        How far the answer is.
    cause : str
        A stable name of what went wrong, such as ``"doubled_exponent"``; empty when correct.
    message : str
        One or two sentences in the language of the course.
    hints : tuple of str
        A nudge, the formula, the code.

    Examples
    --------
    >>> from course_utils import checks
    >>> checks.check_row_zero([0, 0, 0, 0, 0, 0, 0, 0]).cause
    'all_zeros'
    """

    state: Literal["not attempted", "incorrect", "correct"]
    cause: str
    message: str
    hints: tuple[str, str, str]

    def __repr__(self) -> str:
        return self._told("{}")

    def _told(self, form: str) -> str:
        state = form.format(text(f"check.state.{self.state}"))
        return text("check.told", state=state, message=self.message)

    def _repr_markdown_(self) -> str:
        told = self._told("**{}**")
        if self.state == "correct":
            return told
        nudge, formula, code = self.hints
        bodies = {"nudge": nudge, "formula": formula, "code": f"```python\n{code}\n```"}
        folds = [
            f"<details><summary>{text(f'check.hint.{name}')}</summary>\n\n{body}\n\n</details>"
            for name, body in bodies.items()
        ]
        return "\n\n".join([told, *folds])


class Wrong(Exception):
    """Ends a check: the cause, and what the placeholders of its message stand for.

    The words are those of the cause, unless `words` names another entry of the table.
    Mistakes that only together explain an answer are joined by a plus.
    """

    def __init__(self, cause: str, words: str = "", **values: object) -> None:
        super().__init__(cause)
        self.cause, self.values, self.words = cause, values, words or cause


def exercise(*takes: str, causes: Iterable[str | tuple] = ()) -> Callable:
    """Make a check of a function that judges an answer: it raises `Wrong`, or returns.

    `takes` are the arguments of an answer that is a function. `causes` are those that no
    ``Wrong("...")`` of the room names: strings, or rows of tables that begin with them.
    A cause without words, and words without a cause, are refused at import.
    """

    def decorate(verdict: Callable[..., None]) -> Callable[..., Feedback]:
        name = verdict.__name__.removeprefix("check_")
        _compare_words(name, verdict, {row if isinstance(row, str) else row[0] for row in causes})
        verdict.__annotations__["return"] = Feedback

        @functools.wraps(verdict)
        def check(*answer: object, **options: object) -> Feedback:
            heard, wrong = _Ear(), Wrong("", "correct")
            try:
                with _kept_apart(heard):
                    given = _bound(verdict, takes, answer, options)
                    verdict(*given.args, **given.kwargs)
            except Wrong as raised:
                wrong = raised
            except Exception as error:
                wrong = Wrong("not_understood", error=plain(type(error).__name__))
            message = " ".join(_words(name, wrong, cause) for cause in wrong.words.split("+"))
            if "+" in wrong.words:
                message = text("check.any.several", mistakes=message)
            if heard.closed or heard.getvalue().strip():
                message = text("check.printed", message=message)
            state = {"": "correct", "not_attempted": "not attempted"}.get(wrong.cause, "incorrect")
            hints = text(f"hint.{name}.nudge"), text(f"hint.{name}.formula")
            code = STRINGS[f"hint.{name}.code"]["en"]
            return Feedback(state, wrong.cause, message, (*hints, code))

        return check

    return decorate


def _words(name: str, wrong: Wrong, cause: str) -> str:
    own = f"check.{name}.{cause}"
    return text(own if own in STRINGS else f"check.any.{cause}", **wrong.values)


class _Ear(io.StringIO):
    """Takes what code prints, and keeps the beginning only."""

    def write(self, words: str) -> int:
        if self.tell() < MOST_HEARD:
            super().write(words[:MOST_HEARD])
        return len(words)


@contextlib.contextmanager
def _kept_apart(heard: io.StringIO) -> Iterator[None]:
    """Let nothing that an answer prints, asks or sets reach the notebook."""

    def refuse(*prompt: object) -> str:
        raise Wrong("asks")

    asks, builtins.input = builtins.input, refuse
    try:
        with (
            contextlib.redirect_stdout(heard),
            contextlib.redirect_stderr(heard),
            np.errstate(all="ignore"),
            np.printoptions(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        builtins.input = asks


def _compare_words(name: str, verdict: Callable[..., None], causes: set[str]) -> None:
    room = sys.modules[verdict.__module__]
    source = inspect.getsource(room if Path(room.__file__).stem == name else verdict)
    strings, raised = _strings(source)
    shared, _ = _strings(inspect.getsource(sys.modules[__name__]))
    start = f"check.{name}."
    words = {key.removeprefix(start) for key in STRINGS if key.startswith(start)}
    needed = {"correct", *raised, *causes} - {""}
    lost = {cause for cause in needed - words if f"check.any.{cause}" not in STRINGS}
    idle = words - {"correct", *causes} - strings - shared
    if lost or idle:
        raise ValueError(f"{name}: no words for {sorted(lost)}, no cause for {sorted(idle)}")


@functools.cache
def _strings(source: str) -> tuple[set[str], set[str]]:
    """Return all strings in code, and those that it raises as causes."""
    strings, raised = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(words)):
                strings.add(words)
            case ast.Call(func=ast.Name(id="Wrong"), args=given):
                for each in given:
                    ends = [each.body, each.orelse] if isinstance(each, ast.IfExp) else [each]
                    raised |= {end.value for end in ends if isinstance(end, ast.Constant)}
    return strings, raised


def _bound(verdict: Callable, takes: tuple, answer: tuple, options: dict) -> inspect.BoundArguments:
    """Return the arguments of a check; where a function is the answer, it takes those wanted."""
    try:
        given = inspect.signature(verdict).bind(*answer, **options)
    except TypeError:
        raise Wrong("one_answer", name=verdict.__name__) from None
    candidate, wanted = given.args[0], ", ".join(takes)
    if candidate is ...:
        raise Wrong("not_attempted")
    if takes and not callable(candidate):
        raise Wrong("not_callable", got=in_short(candidate), wanted=wanted)
    if takes:
        # some built-in functions do not say what they take
        with contextlib.suppress(TypeError, ValueError):
            signature = inspect.signature(candidate)
            try:
                signature.bind(*takes)
            except TypeError:
                raise Wrong("arguments", got=plain(signature), wanted=wanted) from None
    return given


def ask(
    candidate: Callable[..., object], *arguments: object, leaning: Callable | None = None
) -> object:
    """Call a learner's function on copies; whatever it does becomes a return or a `Wrong`.

    `leaning` says of a frame whether it is a call of what the learner is to build.
    """

    def watch(frame: object, event: str, _: object) -> None:
        if event == "call" and leaning(frame):
            raise Wrong("calls_the_module")

    given = copy.deepcopy(arguments)
    call, profile = _call(arguments), sys.getprofile()
    try:
        sys.setprofile(watch if leaning else profile)
        result = _in_time(candidate, given, call)
    except (KeyboardInterrupt, Wrong):
        raise
    except RecursionError:
        raise Wrong("recursion", call=call) from None
    except BaseException as error:
        if _stands_for_dots(error):
            raise Wrong("not_attempted") from None
        name, said = plain(type(error).__name__), plain(error)
        words = "shapes" if any(part in said for part in _SHAPE_ERRORS) else ""
        raise Wrong("raised", words, call=call, name=name, error=said) from None
    finally:
        sys.setprofile(profile)
    if result is ... or result is NotImplemented:
        raise Wrong("not_attempted")
    if result is None:
        raise Wrong("returned_nothing")
    if inspect.iscoroutine(result) or isinstance(result, AsyncIterator):
        with contextlib.suppress(AttributeError):
            result.close()
        raise Wrong("waits")
    if isinstance(result, Iterator):
        raise Wrong("iterator", got=plain(type(result).__name__))
    for before, after in zip(arguments, given, strict=True):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after):
            raise Wrong("changed_input", argument=before)
    return result


def _stands_for_dots(error: BaseException) -> bool:
    """Whether code stopped because its dots, or its placeholder, are still there."""
    if isinstance(error, NotImplementedError):
        return not error.args
    # as Python and NumPy say it: 'ellipsis' object, type ellipsis, not ellipsis
    dots = re.search(r"'ellipsis'|(type|not) ellipsis", plain(error))
    return isinstance(error, TypeError | AttributeError) and dots is not None


def _in_time(candidate: Callable[..., object], given: tuple[object, ...], call: str) -> object:
    """Call, and interrupt the call after `TIME_LIMIT`, as the stop button of a notebook does.

    A signal ends a sleep too. Off the main thread, on Windows, and where interrupts are not raised,
    the call is stopped between two steps of Python only: a sleep, or one long call of NumPy, comes
    to its end first. Code that catches every exception cannot be stopped.
    """
    by_signal = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and hasattr(signal, "pthread_kill")
    )
    late = threading.Event()
    timer = threading.Timer(TIME_LIMIT, _interrupt, [late, threading.get_ident(), by_signal])
    timer.daemon = True
    try:
        try:
            with contextlib.suppress(RuntimeError):  # no threads, no limit
                timer.start()
            return candidate(*given)
        finally:
            timer.cancel()
            if timer.ident is not None:
                timer.join()  # an interrupt that is on its way arrives here, and not later
    except KeyboardInterrupt:
        if late.is_set():
            raise Wrong("too_slow", call=call, seconds=f"{TIME_LIMIT:g}") from None
        raise


def _interrupt(late: threading.Event, thread: int, by_signal: bool) -> None:
    late.set()
    if by_signal:
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        stop(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))


def _call(arguments: tuple[object, ...]) -> str:
    def named(value: object) -> str:
        if isinstance(value, np.ndarray):
            return text("call.array", shape=value.shape)
        return value.__name__ if inspect.isfunction(value) else str(value)

    if len(arguments) == 1 and isinstance(arguments[0], np.ndarray):
        return named(arguments[0])
    return text("call.arguments", arguments=", ".join(map(named, arguments)))


def read_array(
    result: object, shape: tuple[int, ...] | None = None, *, finite: bool = True
) -> np.ndarray:
    """Return what came as an array of finite numbers, of the shape wanted."""
    if _holds_ellipsis(result):
        raise Wrong("not_attempted")
    try:
        array = any_array("answer", result)
    except ValueError:
        raise Wrong("too_large", got=in_short(result)) from None
    if array is None or array.dtype.kind not in "biuf":
        raise Wrong("not_an_array", got=in_short(result))
    if shape is not None and array.shape != shape:
        raise Wrong("shape", wanted=shape, got=array.shape)
    if finite and not np.isfinite(array).all():
        raise Wrong("not_finite", place=place_of(~np.isfinite(array)))
    return array.copy()


def _holds_ellipsis(value: object, depth: int = 3) -> bool:
    inner = value if depth and isinstance(value, list | tuple) else ()
    return value is ... or any(_holds_ellipsis(item, depth - 1) for item in inner)


def read_number(answer: object) -> float:
    """Return what came as one finite number."""
    try:
        found = read_array(float(answer) if isinstance(answer, Fraction) else answer)
    except Wrong as wrong:
        words = {"not_an_array": "not_a_number", "not_finite": "number_not_finite"}
        wrong.words = words.get(wrong.cause, wrong.cause)
        raise
    if found.size != 1 or found.dtype == bool:
        raise Wrong("not_a_number", got=in_short(answer))
    return float(found.reshape(()))


_ADVICE = {list: "advice.all", np.ndarray: "advice.all", tuple: "advice.and", str: "advice.quotes"}


def ask_bool(candidate: Callable[..., object], *arguments: object) -> bool:
    """Call a learner's test, which should return one True or False and not assert."""
    try:
        answer = ask(candidate, *arguments)
    except Wrong as wrong:
        if wrong.values.get("name") == "AssertionError":
            raise Wrong("raises_instead") from None
        raise
    if isinstance(answer, np.ndarray) and answer.shape == ():
        answer = answer[()]
    if not isinstance(answer, bool | np.bool_):
        kinds = (advice for kind, advice in _ADVICE.items() if isinstance(answer, kind))
        raise Wrong("not_a_bool", got=in_short(answer), advice=text(next(kinds, "advice.bool")))
    return bool(answer)


def read_choice(answer: object, choices: Iterable[str]) -> str:
    """Return the choice that a word stands for, by any of its spellings in either language."""
    said = _as_said(answer) if isinstance(answer, str) else None
    if answer is ... or said == "":
        raise Wrong("not_attempted")
    for choice in choices:
        spellings = STRINGS.get(f"choice.{choice}", {"en": "", "zh": ""})
        if said in [choice, *spellings["en"].split(", "), *spellings["zh"].split("、")]:
            return choice
    raise Wrong("not_a_choice", got=in_short(answer))


def _as_said(answer: str) -> str:
    """Return words without capitals, quotes and marks, which people set as they like."""
    words = unicodedata.normalize("NFKC", answer[:200]).casefold()
    return " ".join("".join(" " if unicodedata.category(c)[0] == "P" else c for c in words).split())


def explains(build: Build, found: Arrays, given: Trials, atol: float = 1e-6) -> bool:
    """Whether `build` makes of every trial what came: only then is its mistake claimed."""
    try:
        return all(
            np.shape(one) == np.shape(other)
            and np.allclose(one, other, rtol=0, atol=atol, equal_nan=True)
            for one, other in zip(found, (build(*each) for each in given), strict=True)
        )
    except ValueError:  # what is made stops on some trial, and what came did not
        return False


def judge(
    table: Iterable[Row], found: Arrays, given: Trials, atol: float = 1e-6, **values: object
) -> bool:
    """Return whether what came is right; claim the cause of the first row that explains it."""
    for cause, build in table:
        if explains(build, found, given, atol):
            if cause:
                raise Wrong(cause, **values)
            return True
    return False


def ways(join: Callable[..., Callable], *tables: Iterable[Row]) -> Iterator[Row]:
    """Join a row of each table, in all ways, the fewest mistakes first; a plus joins causes."""
    for way in sorted(itertools.product(*tables), key=lambda way: sum(bool(row[0]) for row in way)):
        causes, parts = zip(*way, strict=True)
        yield "+".join(filter(None, causes)), join(*parts)


def first_off(
    right: Build, found: Arrays, given: Trials, atol: float = 1e-6, rtol: float = 0.0
) -> tuple[int, list[int], str, str]:
    """Return the first trial that differs, the first place in it, and both numbers there."""
    wanted = [right(*each) for each in given]
    refuse_rounded(found, wanted)
    for trial, (got, want) in enumerate(zip(found, wanted, strict=True)):
        off = ~np.isclose(got, want, rtol=rtol, atol=atol)
        if off.any():
            return trial, np.argwhere(off)[0].tolist(), *apart(got[off][0], want[off][0])
    raise AssertionError("an answer without a difference is right")


def apart(found: npt.ArrayLike, wanted: npt.ArrayLike, form: str = "4f") -> tuple[str, str]:
    """Return both in words, with as many digits as it takes to tell one from the other.

    `form` is how a number is written: the fewest digits, and ``f`` or ``g``.
    """
    for digits in range(int(form[:-1]), 17):
        told = tuple(_written(value, f".{digits}{form[-1]}") for value in (found, wanted))
        if told[0] != told[1]:
            break
    return told


def _written(value: npt.ArrayLike, form: str) -> str:
    if np.ndim(value) == 0:
        return f"{float(value):{form}}"
    return f"[{' '.join(_written(part, form) for part in value)}]"


def refuse_rounded(found: Arrays, wanted: Arrays) -> None:
    """Refuse what is right but for its digits: rounded, or kept in half precision."""
    pairs = [*zip(found, wanted, strict=True)]
    for digits in range(1, 8):
        if all(
            (np.abs(one - other) <= 0.51 * 10.0**-digits).all()
            and (np.abs(one - np.round(one.astype(float), digits)) < 1e-7).all()
            for one, other in pairs
        ):
            raise Wrong("rounded", digits=digits)
    if all(
        one.dtype == np.float16 and (np.abs(one - other) <= 1e-3 * np.abs(other) + 1e-7).all()
        for one, other in pairs
    ):
        raise Wrong("half_precision")


def in_short(value: object) -> str:
    """Return what came as one short line, fit for a page."""
    return plain(shown(value))


def plain(value: object) -> str:
    """Return one short line without anything that Markdown or a terminal would act on."""
    words = "".join(c if c.isprintable() else " " for c in str(value)[:1000]).replace("`", "'")
    words = " ".join(words.split()) or "?"
    return words if len(words) <= 160 else words[:157] + "..."
