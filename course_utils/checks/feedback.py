"""What all checks share: the feedback, and how a learner's answer is asked for and read."""

import ast
import builtins
import contextlib
import copy
import ctypes
import functools
import inspect
import io
import re
import signal
import sys
import threading
import unicodedata
import warnings
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from course_utils.arguments import any_array, place_of, shown
from course_utils.language import STRINGS, text

__all__ = [
    "Feedback",
    "Wrong",
    "apart",
    "ask",
    "ask_bool",
    "exercise",
    "explains",
    "judge_choice",
    "plain",
    "read_array",
    "read_bool",
    "read_number",
    "refuse_entry",
    "refuse_rounded",
    "refuse_several_arrays",
    "require_function",
    "several",
    "usual_number",
]

TIME_LIMIT = 10.0  # seconds for one call of a learner's function
MOST_HEARD = 10_000  # characters

# what NumPy says of arrays that do not go together
_SHAPE_ERRORS = ("could not be broadcast", "not aligned", "core dimension", "mismatch")

State = Literal["not attempted", "incorrect", "correct"]


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

    state: State
    cause: str
    message: str
    hints: tuple[str, str, str]

    def __repr__(self) -> str:
        return text("check.told", state=text(f"check.state.{self.state}"), message=self.message)

    def _repr_markdown_(self) -> str:
        told = text(
            "check.told", state=f"**{text(f'check.state.{self.state}')}**", message=self.message
        )
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
    """

    def __init__(self, cause: str, words: str = "", **values: object) -> None:
        super().__init__(cause)
        self.cause, self.values, self.words = cause, values, words or cause


class _Ear(io.StringIO):
    """Takes what code prints, and keeps the beginning only."""

    def write(self, words: str) -> int:
        if self.tell() < MOST_HEARD:
            super().write(words[:MOST_HEARD])
        return len(words)


class _Late(Exception):
    """A call took longer than `TIME_LIMIT`."""


def exercise(
    causes: Iterable[str] = (),
) -> Callable[[Callable[..., None]], Callable[..., Feedback]]:
    """Make a check of a function that raises `Wrong` or returns.

    `causes` are those that a table of another room names. A cause without words, and words without
    a cause, are refused at import.
    """

    def decorate(judge: Callable[..., None]) -> Callable[..., Feedback]:
        name = judge.__name__.removeprefix("check_")
        _compare_words(name, judge, set(causes))

        @functools.wraps(judge)
        def check(*answer: object, **options: object) -> Feedback:
            heard = _Ear()
            cause, values, words = "", {}, "correct"
            try:
                with _kept_apart(heard):
                    _require_one_answer(judge, answer, options)
                    judge(*answer, **options)
            except Wrong as wrong:
                cause, values, words = wrong.cause, wrong.values, wrong.words
            except Exception as error:
                cause = words = "not_understood"
                values = {"error": plain(type(error).__name__)}
            key = f"check.{name}.{words}"
            message = text(key if key in STRINGS else f"check.any.{words}", **values)
            if heard.closed or heard.getvalue().strip():
                message = text("check.printed", message=message)
            state = {"": "correct", "not_attempted": "not attempted"}.get(cause, "incorrect")
            hints = text(f"hint.{name}.nudge"), text(f"hint.{name}.formula")
            code = STRINGS[f"hint.{name}.code"]["en"]
            return Feedback(state, cause, message, (*hints, code))

        check.__annotations__["return"] = Feedback
        check.__signature__ = inspect.signature(judge).replace(return_annotation=Feedback)
        return check

    return decorate


@contextlib.contextmanager
def _kept_apart(heard: io.StringIO) -> Iterator[None]:
    """Let nothing that an answer prints, asks or sets reach the notebook."""
    asks = builtins.input
    builtins.input = _refuse_question
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


def _refuse_question(*prompt: object) -> str:
    raise Wrong("asks")


def _require_one_answer(judge: Callable[..., None], answer: tuple, options: dict) -> None:
    try:
        inspect.signature(judge).bind(*answer, **options)
    except TypeError:
        raise Wrong("one_answer", name=judge.__name__) from None


def _compare_words(name: str, judge: Callable[..., None], causes: set[str]) -> None:
    room = sys.modules[judge.__module__]
    has_table = Path(room.__file__).with_name(f"{name}.toml").exists()
    alone = Path(room.__file__).stem == name
    used, written = _causes(inspect.getsource(room if alone else judge))
    shared = _causes(inspect.getsource(sys.modules[__name__]))[1]
    start = f"check.{name}."
    words = {key.removeprefix(start) for key in STRINGS if key.startswith(start)} - {"correct"}
    lost = {cause for cause in (used | causes) - words if f"check.any.{cause}" not in STRINGS}
    idle = words - written - causes - shared
    if lost or idle or not has_table:
        raise ValueError(f"{name}: no words for {sorted(lost)}, no cause for {sorted(idle)}")


@functools.cache
def _causes(source: str) -> tuple[set[str], set[str]]:
    """Return the causes that code raises or has in its tables, and all strings in it."""
    used, written = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(words)):
                written.add(words)
            case ast.Call(func=ast.Name(id="Wrong"), args=[*arguments]):
                used |= {each.value for each in arguments if isinstance(each, ast.Constant)}
            case ast.Call(func=ast.Name(id="judge_choice"), args=[_, ast.Dict(values=values)]):
                used |= {each.value for each in values if isinstance(each, ast.Constant)}
            case ast.Assign(targets=[ast.Name(id="usual")], value=ast.Dict(keys=keys)):
                used |= {each.value for each in keys if isinstance(each, ast.Constant)}
            case ast.AnnAssign(target=ast.Name(id=table), value=ast.Tuple() as rows):
                if table.startswith("_WRONG"):
                    used |= {first for row in ast.walk(rows) for first in _first_words(row)}
    return used - {""}, written


def _first_words(row: ast.AST) -> Iterator[str]:
    match row:
        case ast.Tuple(elts=[ast.Constant(value=str(cause)), ast.Lambda() | ast.Name()]):
            yield cause


def require_function(candidate: object, *names: str) -> None:
    """Refuse a candidate that cannot be called with arguments of these names."""
    wanted = ", ".join(names)
    if candidate is ...:
        raise Wrong("not_attempted")
    if not callable(candidate):
        raise Wrong("not_callable", got=plain(shown(candidate)), wanted=wanted)
    try:
        signature = inspect.signature(candidate)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*names)
    except TypeError:
        raise Wrong("arguments", got=plain(signature), wanted=wanted) from None


def ask(candidate: Callable[..., object], *arguments: object) -> object:
    """Call a learner's function on copies; whatever it does becomes a return or a `Wrong`."""
    given = copy.deepcopy(arguments)
    call = _call(arguments)
    try:
        result = _in_time(candidate, given)
    except _Late:
        raise Wrong("too_slow", call=call, seconds=f"{TIME_LIMIT:g}") from None
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
            raise Wrong("changed_input")
    return result


def _stands_for_dots(error: BaseException) -> bool:
    """Whether code stopped because its dots, or its placeholder, are still there."""
    if isinstance(error, NotImplementedError):
        return not error.args
    # as Python and NumPy say it: 'ellipsis' object, type ellipsis, not ellipsis
    return isinstance(error, TypeError | AttributeError) and bool(
        re.search(r"'ellipsis'|(type|not) ellipsis", plain(error))
    )


def _in_time(candidate: Callable[..., object], given: tuple[object, ...]) -> object:
    """Call, and interrupt the call after `TIME_LIMIT`, as the stop button of a notebook does.

    A signal does it, and ends a sleep too. Off the main thread, on Windows, and where interrupts
    are not raised, the call is stopped between two steps of Python only: a sleep, or one long
    call of NumPy, comes to its end first. Code that catches every exception cannot be stopped.
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
            raise _Late from None
        raise


def _interrupt(late: threading.Event, thread: int, by_signal: bool) -> None:
    late.set()
    if by_signal:
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        stop(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))


def _call(arguments: tuple[object, ...]) -> str:
    named = [
        text("call.array", shape=argument.shape)
        if isinstance(argument, np.ndarray)
        else argument.__name__
        if inspect.isfunction(argument)
        else str(argument)
        for argument in arguments
    ]
    if len(named) == 1 and isinstance(arguments[0], np.ndarray):
        return named[0]
    return text("call.arguments", arguments=", ".join(named))


def read_array(
    result: object, shape: tuple[int, ...] | None = None, *, finite: bool = True
) -> np.ndarray:
    """Return what came as an array of finite numbers, of the shape wanted."""
    if _holds_ellipsis(result):
        raise Wrong("not_attempted")
    try:
        array = any_array("answer", result)
    except ValueError:
        raise Wrong("too_large", got=plain(shown(result))) from None
    if array is None or array.dtype.kind not in "biuf":
        raise Wrong("not_an_array", got=plain(shown(result)))
    if shape is not None and array.shape != shape:
        raise Wrong("shape", wanted=shape, got=array.shape)
    if finite and not np.isfinite(array).all():
        raise Wrong("not_finite", place=place_of(~np.isfinite(array)))
    return array.copy()


def read_number(answer: object) -> float:
    """Return what came as one finite number."""
    try:
        found = read_array(answer)
    except Wrong as wrong:
        words = {"not_an_array": "not_a_number", "not_finite": "number_not_finite"}
        wrong.words = words.get(wrong.cause, wrong.cause)
        raise
    if found.size != 1 or found.dtype == bool:
        raise Wrong("not_a_number", got=plain(shown(answer)))
    return float(found.reshape(()))


def read_bool(answer: object) -> bool:
    """Return what came as one True or False."""
    if isinstance(answer, np.ndarray) and answer.shape == ():
        answer = answer[()]
    if not isinstance(answer, bool | np.bool_):
        raise Wrong("not_a_bool", got=plain(shown(answer)), advice=_advice(answer))
    return bool(answer)


def _advice(answer: object) -> str:
    if isinstance(answer, np.ndarray | list):
        return text("advice.all")
    if isinstance(answer, tuple):
        return text("advice.and")
    if isinstance(answer, str):
        return text("advice.quotes")
    return text("advice.bool")


def ask_bool(candidate: Callable[..., object], *arguments: object) -> bool:
    """Call a learner's test, which should return True or False and not assert."""
    try:
        return read_bool(ask(candidate, *arguments))
    except Wrong as wrong:
        if wrong.values.get("name") == "AssertionError":
            raise Wrong("raises_instead") from None
        raise


def judge_choice(answer: object, causes: dict[str, str]) -> None:
    """Look a word up among the choices, by any of its spellings; the right one has no cause."""
    said = _as_said(answer) if isinstance(answer, str) else None
    if answer is ... or said == "":
        raise Wrong("not_attempted")
    for choice, cause in causes.items():
        spellings = STRINGS.get(f"choice.{choice}", {"en": "", "zh": ""})
        if said in [choice, *spellings["en"].split(", "), *spellings["zh"].split("、")]:
            if cause:
                raise Wrong(cause)
            return
    raise Wrong("not_a_choice", got=plain(shown(answer)))


def _as_said(answer: str) -> str:
    """Return words without capitals, quotes and marks, which people set as they like."""
    words = unicodedata.normalize("NFKC", answer[:200]).casefold()
    return " ".join("".join(" " if unicodedata.category(c)[0] == "P" else c for c in words).split())


def usual_number(
    found: float, causes: dict[str, float], *, atol: float = 0.0, rtol: float = 0.0
) -> str | None:
    """Return the first cause whose number was found."""
    for cause, value in causes.items():
        if abs(found - value) <= atol + rtol * abs(value):
            return cause
    return None


def explains(
    build: Callable[..., npt.ArrayLike],
    found: Sequence[np.ndarray],
    given: Sequence[tuple],
    atol: float = 1e-6,
) -> bool:
    """Whether `build` makes of every trial what came: only then is its mistake claimed."""
    try:
        return all(
            np.shape(one) == np.shape(other)
            and np.allclose(one, other, rtol=0, atol=atol, equal_nan=True)
            for one, other in zip(found, (build(*each) for each in given), strict=True)
        )
    except ValueError:  # what is made stops on some trial, and what came did not
        return False


def several(name: str, causes: Sequence[str]) -> Wrong:
    """Return what to raise for mistakes that only together explain an answer; one is told alone."""
    if len(causes) == 1:
        return Wrong(causes[0])
    told = " ".join(text(f"check.{name}.{cause}") for cause in causes)
    return Wrong("+".join(causes), words="several", mistakes=told)


def apart(found: npt.ArrayLike, wanted: npt.ArrayLike, form: str = "4f") -> tuple[str, str]:
    """Return both in words, with as many digits as it takes to tell one from the other.

    `form` is how a number is written: the fewest digits, and ``f`` or ``g``.
    """
    told = ("", "")
    for digits in range(int(form[:-1]), 17):
        told = tuple(_written(value, f".{digits}{form[-1]}") for value in (found, wanted))
        if told[0] != told[1]:
            break
    return told


def _written(value: npt.ArrayLike, form: str) -> str:
    if np.ndim(value) == 0:
        return f"{float(value):{form}}"
    return f"[{' '.join(_written(part, form) for part in value)}]"


def refuse_rounded(found: Sequence[npt.ArrayLike], wanted: Sequence[npt.ArrayLike]) -> None:
    """Refuse what is right but for its digits: rounded, or kept in half precision."""
    pairs = [(np.asarray(one), np.asarray(other)) for one, other in zip(found, wanted, strict=True)]
    if any(one.shape != other.shape for one, other in pairs):
        return
    for digits in range(1, 8):
        if all(
            (np.abs(one - other) <= 0.51 * 10.0**-digits).all()
            and (np.abs(one - np.round(one.astype(float), digits)) < 1e-7).all()
            for one, other in pairs
        ):
            raise Wrong("rounded")
    if all(
        one.dtype == np.float16 and (np.abs(one - other) <= 1e-3 * np.abs(other) + 1e-7).all()
        for one, other in pairs
    ):
        raise Wrong("half_precision")


def _holds_ellipsis(value: object, depth: int = 3) -> bool:
    if value is ...:
        return True
    if depth and isinstance(value, list | tuple):
        return any(_holds_ellipsis(item, depth - 1) for item in value)
    return False


def plain(value: object) -> str:
    """Return one short line without anything that Markdown or a terminal would act on."""
    try:
        words = str(value)
    except Exception:
        words = "?"
    words = "".join(c if c.isprintable() else " " for c in words[:1000]).replace("`", "'")
    words = " ".join(words.split()) or "?"
    return words if len(words) <= 160 else words[:157] + "..."


def refuse_several_arrays(result: object, wanted: tuple[int, int]) -> None:
    """Refuse a tuple of matrices where one is wanted."""
    arrays = isinstance(result, tuple) and all(isinstance(part, np.ndarray) for part in result)
    if arrays and any(part.ndim > 1 for part in result):
        raise Wrong("several_arrays", count=len(result), wanted=wanted)


def refuse_entry(cause: str, found: np.ndarray, wanted: np.ndarray) -> None:
    """Name the first weight that differs, and the sum of its row."""
    refuse_rounded([found], [wanted])
    off = np.abs(found - wanted) > 1e-6
    got, right = apart(found[off][0], wanted[off][0])
    total = found[int(off.any(axis=1).argmax())].sum()
    told = "1.0000" if abs(total - 1) < 1e-6 else apart(total, 1.0)[0]
    raise Wrong(cause, place=place_of(off), got=got, wanted=right, sum=told)
