"""Whatever an answer is, a check tells it in words and never raises; every cause has its words."""

import ast
import contextlib
import functools
import inspect
import re
import signal
import sys
import threading
import time
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest

from course_utils import checks, language
from course_utils.checks import feedback as mechanism
from course_utils.checks import predictions
from course_utils.encoding import sinusoidal_positional_encoding as handout
from tests.test_bad_input import BAD
from tests.told import assert_told, causes_with_words
from tools.notebooks import read

pytestmark = pytest.mark.usefixtures("each_language")

CHECKS = [getattr(checks, name) for name in checks.__all__ if name.startswith("check_")]
ARRAY_CHECKS = [
    checks.check_add_positions,
    checks.check_encoding,
    checks.check_look_ahead,
    checks.check_output_gaps,
    checks.check_window_mask,
]
FUNCTION_CHECKS = [check for check in CHECKS if "candidate" in inspect.signature(check).parameters]


# any candidate


class Hostile:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no")


def endless(*arguments):
    return endless(*arguments)


def leaves(*arguments):
    sys.exit(3)


class Named(Exception):
    """An exception whose name would run in a page."""


Named.__name__ = 'E`<img src=x onerror="window.p=1">`' + 100_000 * "E"


def fails_by_name(*arguments):
    raise Named("<b>")


def speaks_of_dots(*arguments):
    raise ValueError("there is no ellipsis here")


def odd_widths_missing(*arguments):
    raise NotImplementedError("odd widths")


def asks_back(*arguments):
    return float(input("x? "))


def hands_out(*arguments):
    yield 1.0


async def waits(*arguments):
    return 1.0


async def hands_out_later(*arguments):
    yield 1.0


def fails(*arguments):
    raise ValueError("a `b`\x1b[31m\nc" + 1000 * "d")


def fails_silently(*arguments):
    raise Silent


def not_written(*arguments):
    raise NotImplementedError


def half_written(*arguments):
    return np.sin(...)


def closes(*arguments):
    sys.stdout.close()


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
@pytest.mark.parametrize(
    ("candidate", "cause"),
    [
        (..., "not_attempted"),
        (lambda *arguments: ..., "not_attempted"),
        (not_written, "not_attempted"),
        (half_written, "not_attempted"),
        (lambda *arguments: None, "returned_nothing"),
        (closes, "returned_nothing"),
        (fails, "raised"),
        (fails_silently, "not_understood"),
        (fails_by_name, "raised"),
        (speaks_of_dots, "raised"),
        (odd_widths_missing, "raised"),
        (asks_back, "asks"),
        (hands_out, "iterator"),
        (waits, "waits"),
        (hands_out_later, "waits"),
        (leaves, "raised"),
        (endless, "recursion"),
        (None, "not_callable"),
        (np.eye(8), "not_callable"),
        (Hostile(), "not_callable"),
        (lambda: 1, "arguments"),
        (lambda a, b, c, d, e: 1, "arguments"),
    ],
)
def test_whatever_a_candidate_does_is_told(check, candidate, cause):
    assert_told(check(candidate), cause)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("pe", "not_an_array"),
        ({"pe": 1}, "not_an_array"),
        ([[1, 2], [3]], "not_an_array"),
        (np.ones((4, 8), complex), "not_an_array"),
        (Hostile(), "not_an_array"),
        ((x for x in "ab"), "iterator"),
        (map(abs, [1]), "iterator"),
        ([[..., 1]], "not_attempted"),
        (np.array([[0.0, ...]], dtype=object), "not_an_array"),
    ],
)
def test_a_bad_answer_is_told(answer, cause):
    for check in ARRAY_CHECKS:
        assert_told(check(lambda *arguments: answer), cause)


@pytest.mark.parametrize("answer", ["x", None, {}, Hostile(), [[1], [1, 2]], np.nan, 1j, [], b"0"])
@pytest.mark.parametrize("check", CHECKS)
def test_no_answer_makes_a_check_raise(check, answer):
    feedback = check(answer)
    assert feedback.state == "incorrect"
    assert_told(feedback, feedback.cause)


@pytest.mark.parametrize("check", CHECKS)
def test_an_ellipsis_is_not_attempted(check):
    assert_told(check(...), "not_attempted")


def test_printing_is_kept_off_the_page_and_told(capsys):
    def talks(seq_len, d_model):
        print("shape", seq_len, d_model)
        print("\x1b[31m", file=sys.stderr)
        return handout(seq_len, d_model)

    def only_prints(seq_len, d_model):
        print(handout(seq_len, d_model))

    note = language.text("check.printed", message="")
    feedback = checks.check_encoding(talks)
    assert_told(feedback, "")
    assert feedback.message.endswith(note.strip())
    feedback = checks.check_encoding(only_prints)
    assert_told(feedback, "returned_nothing")
    assert feedback.message.endswith(note.strip())
    assert capsys.readouterr() == ("", "")


def test_warnings_are_kept_off_the_page():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checks.check_encoding(lambda n, d: np.zeros((n, d)) / 0)


def test_an_interrupt_passes():
    def stopped(seq_len, d_model):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.check_encoding(stopped)


def test_foreign_words_cannot_break_the_page():
    feedback = checks.check_encoding(fails)
    assert "a 'b' [31m c" in feedback.message
    assert len(feedback.message) < 400


HTML = '<img src=x onerror="window.p=1">`'


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
@pytest.mark.parametrize(
    "candidate",
    [
        fails_by_name,
        lambda *arguments: HTML,
        lambda *arguments: {HTML: HTML},
        lambda *arguments: np.zeros(3, [(HTML, float)]),
        lambda *arguments: type(HTML, (), {"__repr__": lambda self: HTML})(),
        type(HTML, (), {"__repr__": lambda self: HTML})(),
        HTML,
    ],
)
def test_what_comes_from_a_candidate_stands_in_code(check, candidate):
    feedback = check(candidate)
    assert len(feedback.message) < 600
    assert all("<" not in prose for prose in feedback.message.split("`")[0::2]), feedback.message


def test_a_check_says_what_it_wants_if_it_gets_nothing_or_too_much():
    for check in CHECKS:
        for answers in ((), (1, 2, 3, 4)):
            feedback = check(*answers)
            assert_told(feedback, "one_answer")
            assert f"checks.{check.__name__}(" in feedback.message


def test_an_answer_changes_no_setting_of_the_notebook():
    before = np.get_printoptions(), np.geterr(), input

    def sets(seq_len, d_model):
        np.set_printoptions(precision=1)
        np.seterr(all="raise")
        return handout(seq_len, d_model)

    assert_told(checks.check_encoding(sets), "")
    assert (np.get_printoptions(), np.geterr(), input) == before


def test_a_choice_may_be_written_in_either_language():
    for answer in ("nothing", "“Nothing.”", "不变", "不变。", "「没有变化」", "No change!"):
        assert_told(checks.check_same_output(answer), "")
    for answer in ("a lot", "变很多", "变化很大"):
        assert_told(checks.check_same_output(answer), "a_lot")
    assert_told(checks.check_difference("positions"), "")
    assert_told(checks.check_difference("位置"), "")
    assert_told(checks.check_placebo("会"), "")
    assert_told(checks.check_placebo("不能"), "no")
    assert_told(checks.check_placebo("也许"), "not_a_choice")


def test_feedback_is_frozen_and_checks_say_what_they_return():
    feedback = checks.check_row_zero(...)
    with pytest.raises(AttributeError):
        feedback.state = "correct"
    for check in CHECKS:
        assert inspect.signature(check).return_annotation is checks.Feedback


# the words


def judge_causes(*causes):
    """A judge in the room of `check_window_mask`, with other causes than those of its table."""
    judge = inspect.unwrap(checks.check_window_mask)
    return mechanism.exercise("seq_len", "width", causes=causes)(judge)


def test_a_cause_without_words_is_refused_at_import():
    judge_causes("one_more", ("one_less", np.tri))
    for cause in ("no_such_cause", ("no_such_cause", np.tri)):
        with pytest.raises(ValueError, match=r"no words for \['no_such_cause'\]"):
            judge_causes(cause)


def test_words_without_a_cause_are_refused_at_import(monkeypatch):
    monkeypatch.setitem(language.STRINGS.data, "check.window_mask.idle", {"en": "idle", "zh": "闲"})
    with pytest.raises(ValueError, match=r"no cause for \['idle'\]"):
        judge_causes()


@pytest.mark.parametrize(
    "source",
    [
        'raise Wrong("lost")',
        'raise Wrong("value", "lost")',
        'raise Wrong(\n    "lost",\n    got=got,\n)',
        'raise Wrong("lost" if shape == weights else "value")',
        'raise Wrong("value" if row else "lost", got=got)',
    ],
)
def test_causes_are_found_wherever_a_room_raises_them(source):
    assert "lost" in mechanism._strings(source)[1]


@pytest.mark.parametrize(
    ("declare", "check"),
    [
        (predictions.choice({"yes": "", "no": "lost"}), checks.check_placebo),
        (predictions.number(1.0, lost=2.0), checks.check_bucket),
    ],
)
def test_a_declared_cause_without_words_is_refused_at_import(declare, check):
    with pytest.raises(ValueError, match=r"no words for \['lost'\]"):
        declare(inspect.unwrap(check))


def test_every_room_has_the_two_hints_and_the_words_of_success():
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        for key in (
            f"check.{name}.correct",
            f"hint.{name}.nudge",
            f"hint.{name}.formula",
            f"hint.{name}.code",
        ):
            assert key in language.STRINGS


def strings_of(source):
    """The strings of a test; of ``f"wrong_{name}"``, all that end as another string."""
    nodes = [*ast.walk(ast.parse(source))]
    found = {node.value for node in nodes if isinstance(node, ast.Constant)}
    found = {each for each in found if isinstance(each, str)}
    joined = (node.values for node in nodes if isinstance(node, ast.JoinedStr))
    starts = {parts[0].value for parts in joined if isinstance(parts[0], ast.Constant)}
    return found | {start + end for start in starts for end in found}


TESTS = [
    path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_checks_*.py")
]


def untested(check, sources):
    """Causes with words of their own that no test of a check names."""
    of_it = [source for source in sources if re.search(rf"\b{check.__name__}\b", source)]
    return causes_with_words(check.__name__.removeprefix("check_")).difference(
        *map(strings_of, of_it)
    )


@pytest.mark.parametrize("check", CHECKS)
def test_each_cause_is_named_in_a_test(check):
    assert untested(check, TESTS) == set()


def test_a_cause_without_a_test_is_seen():
    test = "checks.check_placebo(a, 'no'), b"
    assert "no" not in untested(checks.check_placebo, [test])
    for none in ([], ["'no'"], [test.replace("'no'", "'yes'")]):
        assert "no" in untested(checks.check_placebo, none)
    assert strings_of("f'wrong_{name}', 'a'") >= {"wrong_a", "a"}


def steps_of(code):
    """What the lines of a third hint compute, without the names that they give it."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Assign | ast.Return):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            yield from (ast.unparse(value) for value in values)


def code_in(words):
    for span in words.split("`")[1::2]:
        with contextlib.suppress(SyntaxError):
            tree = ast.parse(span.strip().removeprefix("return "), mode="eval").body
            parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
            yield from (ast.unparse(part) for part in parts)


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
def test_no_message_holds_a_step_of_the_solution(check):
    name = check.__name__.removeprefix("check_")
    steps = {step for step in steps_of(check(...).hints[2]) if len(step) > 28}
    for key, words in language.STRINGS.items():
        if key.startswith((f"check.{name}.", f"hint.{name}.nudge")):
            assert not steps & {*code_in(words["en"]), *code_in(words["zh"])}, key


# the third hint, pasted into its cell

CHAPTERS = Path(__file__).parents[1] / "notebooks" / "en"


def cells_of(check):
    """The imports of a chapter's set-up cell, and the cell of one of its exercises."""
    name = check.__name__
    found = []
    for path in sorted(CHAPTERS.glob("0*.ipynb")):
        cells = {cell.id: cell.source for cell in read(path).cells if cell.cell_type == "code"}
        set_up = ast.parse(cells["setup"])
        set_up.body = [
            line for line in set_up.body if isinstance(line, ast.Import | ast.ImportFrom)
        ]
        for cell in map(ast.parse, (s for key, s in cells.items() if key.startswith("exercise-"))):
            if ast.unparse(cell.body[-1]).startswith(f"checks.{name}("):
                found.append((set_up, cell))
    ((set_up, cell),) = found
    return set_up, cell


def as_asked(check):
    """The check, with the options that its exercise gives it."""
    _, cell = cells_of(check)
    options = {each.arg: ast.literal_eval(each.value) for each in cell.body[-1].value.keywords}
    return functools.partial(check, **options)


def run(page, *statements):
    exec(compile(ast.Module(list(statements), []), "cell", "exec"), page)


@pytest.mark.parametrize("check", CHECKS)
def test_the_code_hints_run_as_pasted_into_their_cells(check, capsys):
    set_up, cell = cells_of(check)
    dots, call = cell.body
    hint = ast.parse(check(...).hints[2])
    page = {}
    run(page, *set_up.body)
    run(page, *hint.body)
    shown = capsys.readouterr().out
    (answer,) = call.value.args
    if isinstance(dots, ast.FunctionDef):
        (function,) = hint.body
        assert isinstance(function, ast.FunctionDef)
        assert (function.name, ast.dump(function.args)) == (dots.name, ast.dump(dots.args))
        assert any(isinstance(node, ast.Return) for node in ast.walk(function))
    elif answer.id not in page:  # the learner reads what is printed, and writes the answer
        assert shown.strip()
        return
    assert not shown
    assert_told(as_asked(check)(page[answer.id]), "")


def test_the_lines_that_print_show_the_answer(capsys):
    def shown(check):
        set_up, _ = cells_of(check)
        page = {}
        run(page, *set_up.body)
        run(page, *ast.parse(check(...).hints[2]).body)
        return capsys.readouterr().out.splitlines()

    assert len(set(shown(checks.check_difference))) == 1
    weights = dict(line.split() for line in shown(checks.check_most_attended))
    assert max(weights, key=lambda word: float(weights[word])) == "cat"
    assert float(*shown(checks.check_placebo)) > 0.1


# time


@pytest.fixture
def interruptible(monkeypatch):
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("only the main thread can be interrupted")
    monkeypatch.setattr(mechanism, "TIME_LIMIT", 0.2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def never_ends(*arguments):
    while True:
        pass


def falls_asleep(*arguments):
    time.sleep(30)


@pytest.mark.parametrize("candidate", [never_ends, falls_asleep])
@pytest.mark.usefixtures("interruptible")
def test_what_never_returns_is_stopped_and_told(candidate):
    if candidate is falls_asleep and not hasattr(signal, "pthread_kill"):
        pytest.skip("a sleep is interrupted by a signal only")
    start = time.monotonic()
    feedback = checks.check_encoding(candidate)
    assert time.monotonic() - start < 5
    assert_told(feedback, "too_slow")
    assert "0.2" in feedback.message


@pytest.mark.usefixtures("interruptible")
def test_the_limit_leaves_nothing_behind():
    threads = threading.active_count()
    for delay in (0.0, 0.15, 0.199, 0.2, 0.201, 0.21):

        def slow(seq_len, d_model, delay=delay):
            time.sleep(delay if (seq_len, d_model) == (4, 8) else 0)
            return handout(seq_len, d_model)

        assert checks.check_encoding(slow).cause in ("", "too_slow")
    assert threading.active_count() == threads
    time.sleep(0.3)  # a late interrupt would arrive here
    assert_told(checks.check_encoding(handout), "")


@pytest.mark.usefixtures("interruptible")
def test_the_learner_can_still_stop_a_check():
    def stopped(seq_len, d_model):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.check_encoding(stopped)


def told_by_a_thread(check, candidate):
    told = []
    worker = threading.Thread(target=lambda: told.append(check(candidate)))
    worker.start()
    worker.join(20)
    return told[0]


@pytest.mark.usefixtures("interruptible")
def test_off_the_main_thread_the_limit_holds():
    threads = threading.active_count()
    assert_told(told_by_a_thread(checks.check_encoding, never_ends), "too_slow")
    assert_told(told_by_a_thread(checks.check_encoding, handout), "")
    assert threading.active_count() == threads


@pytest.mark.usefixtures("interruptible")
def test_off_the_main_thread_no_late_interrupt_is_left():
    for delay in (0.15, 0.195, 0.2, 0.205):

        def slow(seq_len, d_model, delay=delay):
            time.sleep(delay if (seq_len, d_model) == (4, 8) else 0)
            return handout(seq_len, d_model)

        assert told_by_a_thread(checks.check_encoding, slow).cause in ("", "too_slow")


@pytest.mark.usefixtures("interruptible")
def test_the_limit_holds_where_an_interrupt_is_ignored(monkeypatch):
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert_told(checks.check_encoding(never_ends), "too_slow")
    assert_told(checks.check_encoding(handout), "")


@pytest.mark.usefixtures("interruptible")
def test_the_limit_holds_without_signals_to_threads(monkeypatch):
    monkeypatch.delattr(signal, "pthread_kill", raising=False)  # as on Windows
    assert_told(checks.check_encoding(never_ends), "too_slow")
    assert_told(checks.check_encoding(handout), "")


# every check, and whatever may happen in it


def solution(check):
    """What the third hint of a check defines."""
    set_up, cell = cells_of(check)
    page = {}
    run(page, *set_up.body)
    run(page, *ast.parse(check(...).hints[2]).body)
    return page[cell.body[0].name]


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
def test_every_check_stops_what_never_returns(check, interruptible, monkeypatch):
    monkeypatch.setattr(mechanism, "TIME_LIMIT", 0.05)
    assert_told(check(never_ends), "too_slow")


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
def test_an_interrupt_passes_every_check_and_leaves_nothing(check, interruptible):
    def stopped(*arguments):
        print("heard")
        raise KeyboardInterrupt

    out, threads = sys.stdout, threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        check(stopped)
    assert sys.stdout is out
    assert threading.active_count() == threads
    assert_told(as_asked(check)(solution(check)), "")


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
def test_much_printing_is_heard_and_not_kept(check):
    def loud(*arguments):
        for _ in range(1_000):
            print("x" * 50_000)

    tracemalloc.start()
    feedback = check(loud)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert_told(feedback, "returned_nothing")
    assert feedback.message.endswith(language.text("check.printed", message="").strip())
    assert most < 10 * 2**20


@pytest.mark.parametrize("check", FUNCTION_CHECKS)
def test_what_overwrites_its_input_harms_no_later_answer(check):
    right = solution(check)

    def overwrites(*arguments):
        answer = right(*arguments)
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = 0
        return answer

    feedback = check(overwrites)
    assert_told(feedback, feedback.cause)
    assert_told(as_asked(check)(right), "")


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_answers_all_bad_values_within_memory(check):
    for label, make in BAD.items():
        large = re.search(r"\de(6|7|9|12)", label)
        answer = make() if check not in FUNCTION_CHECKS else lambda *arguments, make=make: make()
        if large:
            tracemalloc.start()
        feedback = check(answer)
        if large:
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 64 * 2**20, label
        assert feedback.cause != "not_understood", (label, feedback)
        # True is yes to some, and a third the right share
        assert feedback.state != "correct" or label.endswith(("True", "fraction")), label
        assert_told(feedback, feedback.cause)
        assert len(feedback.message) < 600, label
