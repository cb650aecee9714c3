"""A chapter keeps its budget, says what it costs, and gives no answer away."""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from inspect import Parameter, Signature
from itertools import permutations
from types import CodeType, FunctionType

import matplotlib.pyplot as plt
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import checks
from tests.canaries import cell, put, source, stdout, value
from tools import contract
from tools.notebooks import NUMBER_MODULES, Notebook, headings, printed, shown

CHAPTERS = {
    f"{language}/{chapter.name}": chapter
    for language in ("en", "zh")
    for chapter in contract.chapters(language)
}


def keeps_its_budget(chapter: Notebook) -> Iterator[str]:
    it = contract.cost(chapter)
    yield from said_if(it.cells > contract.MOST_CELLS, f"{it.cells} cells")
    yield from said_if(it.words > contract.MOST_WORDS, f"{it.words} words")
    yield from said_if(it.lines > contract.MOST_LINES, f"{it.lines} lines of code")
    yield from said_if(it.exercises > contract.MOST_EXERCISES, f"{it.exercises} min of exercises")
    for name, minutes in contract.exercise_minutes(chapter).items():
        yield from said_if(not minutes, f"{name} says no minutes")


def said_if(condition: bool, words: str) -> Iterator[str]:
    if condition:
        yield words


def states_its_minutes(chapter: Notebook) -> Iterator[str]:
    english = CHAPTERS.get(f"en/{chapter.name}", chapter)
    wanted, stated = contract.cost(english).minutes, contract.stated(chapter)
    if stated != wanted:
        yield f"the contract states the minutes {stated}, counted are {wanted}"


# No answer before its question


FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
# at least three digits that anything else is unlikely to show as well
DISTINCT = re.compile(r"(?<![\d.,])-?\d+\.\d*[1-9]\d*[1-9]\d+(?![\d.])")
LATER = {"slide", "subslide", "fragment", "skip"}


def in_sight(cell) -> str:
    """What a reader sees of a cell without opening a fold or running anything."""
    if cell.cell_type == "markdown":
        return FOLD.sub(" ", cell.source)
    if "reveal" in cell.metadata.get("tags", []):
        return ""
    told = (output.get("data", {}).get("text/markdown", "") for output in cell.outputs)
    return "\n".join([shown(cell), *(FOLD.sub(" ", words) for words in told)])


def is_prediction(cell) -> bool:
    """Whether it asks for one: an exercise of this kind, or a cell called so."""
    asks = re.fullmatch(r"exercise-\d+-\d+", cell.id) and re.match(
        r"\*\*[^*]*\*\*\s*[(\uff08](predict|\u9884\u6d4b)", cell.source
    )
    return bool(asks) or cell.id.endswith("-predict")


def answers_come_later(chapter: Notebook) -> Iterator[str]:
    """The next code after a prediction is folded, and the next words are not on its slide."""
    cells = chapter.nb.cells
    for place, question in enumerate(cells):
        if question.cell_type != "markdown" or not is_prediction(question):
            continue
        for following in cells[place + 1 :]:
            if contract.is_exercise(following):
                continue
            if 2 in (level for level, _ in headings(following)):
                break
            if following.cell_type == "code" and not following.outputs:
                continue
            slide = following.metadata.get("slideshow", {}).get("slide_type")
            if following.cell_type == "markdown":
                if slide not in LATER:
                    yield f"{following.id} stands on the slide of {question.id}"
                continue
            if "reveal" not in following.metadata.get("tags", []):
                yield f"{following.id} answers {question.id} without the tag reveal"
            break


def numbers_come_later(chapter: Notebook) -> Iterator[str]:
    """No number that answers a prediction stands in a text or an explorer before.

    What another cell has printed, a text may quote and the answer may compare with.
    """
    told: dict[str, str] = {}
    known: set[str] = set()
    for each in chapter.nb.cells:
        numbers = set(DISTINCT.findall(in_sight(each)))
        if each.cell_type == "code" and "reveal" in each.metadata.get("tags", []):
            answers = set(DISTINCT.findall(printed(each)))
            for number in sorted(answers & told.keys()):
                yield f"{each.id} prints {number}, which stands in {told[number]}"
            known |= answers
        elif each.cell_type == "markdown" or each.id.startswith("explorer"):
            told |= dict.fromkeys(numbers - known - told.keys(), each.id)
        else:
            known |= numbers


def explanations_are_folded(chapter: Notebook) -> Iterator[str]:
    """An exercise to explain has its answer in a fold, and nothing below the fold."""
    for each in chapter.prose:
        kind = re.match(r"\*\*(?:Exercise|练习) \d+\.\d+\*\*\s*[(（](explain|解释)", each.source)
        if kind and not re.search(r"<details>.+</details>\s*$", each.source, re.DOTALL):
            yield f"{each.id} has no answer in a fold at its end"


# No exercise is met by pasting from its chapter


def coded_exercises(chapter: Notebook) -> Iterator[tuple[str, Callable, list[str]]]:
    """Id, check and parameters of each exercise that asks for a function, but from memory."""
    texts = {cell.id: cell.source for cell in chapter.prose}
    for each in chapter.code:
        if not re.fullmatch(r"exercise-\d+-\d+-answer", each.id):
            continue
        body = ast.parse(each.source).body
        asked = [node for node in body if isinstance(node, ast.FunctionDef)]
        name = each.id.removesuffix("-answer")
        if asked and "from memory" not in texts[name]:
            call = body[-1].value
            options = {option.arg: ast.literal_eval(option.value) for option in call.keywords}
            check = functools.partial(getattr(checks, call.func.attr), **options)
            yield name, check, [argument.arg for argument in asked[-1].args.args]


def lines_to_paste(source: str) -> list[ast.stmt]:
    """The lines of a cell, or of functions in it, that compute something."""
    return [
        node
        for node in ast.parse(source).body
        if not re.match(r"(from|import|assert) |print\(|checks\.|explorers\.", ast.unparse(node))
        and not re.search(r"\b(plt|plots|np\.testing)\.", ast.unparse(node))
    ]


def sets(tree: ast.AST) -> set[str]:
    """Names that some lines set anew."""
    if isinstance(tree, ast.AugAssign):
        return set()
    nodes = ast.walk(tree)
    return {each.id for each in nodes if isinstance(each, ast.Name) and is_stored(each)}


def changes(tree: ast.AST) -> set[str]:
    """Names that some lines set, or change in place: `z[0] = 1`, `np.exp(z, out=z)`."""
    found = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and is_stored(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_stored(node) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found |= read_in(node)
    return found


def is_stored(node: ast.Name | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def read_in(tree: ast.AST) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def slices(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """For each name that a cell sets, and for its last line, what leads there, and the return."""
    lines = [node for node in body if not isinstance(node, ast.FunctionDef)]
    ends = [name for node in lines for name in sorted(sets(node))]
    if lines and isinstance(lines[-1], ast.Expr):
        ends.append(ast.unparse(lines[-1]))
    for end in dict.fromkeys(ends):
        last = ast.parse(end, mode="eval").body
        needed, kept = read_in(last), []
        for node in reversed(lines):
            if changes(node) & needed:
                needed |= read_in(node)
                kept.insert(0, node)
        yield [*kept, ast.Return(last)]


def pasted(
    body: list[ast.stmt], parameters: list[str], space: dict, spare: int = 0
) -> Iterator[str]:
    """Functions made of the lines of a cell, with what comes in under each name that they use.

    A number stands for a number only, a function for a function; the line that sets it is left out.
    """
    for lines in slices(body):
        if is_a_call_of_the_module(lines):
            continue
        tree = ast.Module(lines, [])
        free = [
            name
            for name in sorted(read_in(tree))
            if name in {*parameters} or kind_of(space.get(name)) in {*KINDS.values(), ARRAY}
        ]
        free += [None] * max(spare, len(parameters) - len(free))
        for chosen in dict.fromkeys(permutations(free, len(parameters))):
            table = {old: new for old, new in zip(chosen, parameters, strict=True) if old}
            if all(
                old == new or kind_of(space.get(old)) == KINDS.get(new, ARRAY)
                for old, new in table.items()
            ):
                copy = deepcopy(tree)
                copy.body = [node for node in copy.body if not sets(node) & table.keys()]
                for node in ast.walk(copy):
                    if isinstance(node, ast.Name):
                        node.id = table.get(node.id, node.id)
                (function,) = ast.parse(f"def pasted({', '.join(parameters)}):\n    pass").body
                function.body = copy.body
                yield ast.unparse(ast.fix_missing_locations(function))


def is_a_call_of_the_module(lines: list[ast.stmt]) -> bool:
    """Whether they hand all that comes in to one function of the course: that is no answer."""
    values = [line.value for line in lines if isinstance(line, ast.Assign | ast.Return)]
    calls = [value for value in values if isinstance(value, ast.Call)]
    return any(
        re.match(rf"({'|'.join(NUMBER_MODULES)})\.\w+$", ast.unparse(call.func))
        and all(isinstance(argument, ast.Name) for argument in call.args)
        for call in calls[-1:]
    )


ARRAY, MASK, NUMBER, FUNCTION = "array", "mask", "number", "function"
# what an exercise hands in is an array, if nothing is said
KINDS = {
    **{"add": FUNCTION, "attend": FUNCTION, "mask": MASK},
    **dict.fromkeys(["base", "d_model", "offset", "seq_len"], NUMBER),
}


def kind_of(value: object) -> str | None:
    if isinstance(value, np.ndarray):
        return MASK if value.dtype == bool else ARRAY
    if isinstance(value, FunctionType):
        return FUNCTION
    return NUMBER if isinstance(value, int | float) else None


def nothing_can_be_pasted(chapter: Notebook) -> Iterator[str]:
    """Functions of the chapter, and bodies of its cells, by the check of each exercise."""
    space: dict[str, object] = {"__name__": "__main__"}
    makers = []  # functions that make a function
    for each in chapter.code:
        if contract.is_exercise(each):
            continue
        exec(compile(each.source, each.id, "exec"), space)
        plt.close("all")
        body, functions = lines_to_paste(each.source), definitions(ast.parse(each.source))
        makers += [(name, space[name]) for name in functions if makes_a_function(space[name])]
        for name, check, parameters in coded_exercises(chapter):
            found = {function: space[function] for function in functions}
            for text in pasted(body, parameters, space):
                if text not in found:
                    own = dict(space)
                    exec(text, own)
                    found[text] = own["pasted"]
            for what, candidate in found.items():
                if check(candidate).state == "correct":
                    yield f"{name} is met by {each.id}: {what}"
                    break
            numbers = all(KINDS.get(each) == NUMBER for each in parameters)
            lists = pasted(body, parameters, space, spare=1) if makers and numbers else []
            for text in dict.fromkeys(lists):
                own = dict(space)
                exec(text, own)
                if makes_a_list(own["pasted"], len(parameters)):
                    for maker, make in makers:
                        answer = with_argument(make, own["pasted"], len(parameters))
                        if check(answer).state == "correct":
                            yield f"{name} is met by {maker}, of what {each.id} makes: {text}"


def makes_a_list(line: Callable, count: int) -> bool:
    """Whether it makes a vector of numbers: what a function that makes functions may want."""
    try:
        return np.ndim(line(*range(4, 4 + 2 * count, 2))) == 1
    except Exception:
        return False


def makes_a_function(function: object) -> bool:
    """Whether it takes one argument and returns a function that it defines."""
    code = getattr(function, "__code__", None)
    inner = [each for each in code.co_consts if isinstance(each, CodeType)] if code else []
    names = {each.co_name for each in inner} - {"<genexpr>"}
    return bool(names) and code.co_argcount == 1


def with_argument(make: Callable, line: Callable, count: int) -> Callable:
    """An answer put together: `make` gets what a line makes, its function the first arguments."""
    names = [f"p{place}" for place in range(count)]

    def answer(*given: object) -> object:
        function = make(line(*given))
        return function(*given[: function.__code__.co_argcount])

    answer.__signature__ = Signature(
        [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )
    return answer


def definitions(tree: ast.Module) -> list[str]:
    return [
        name
        for node in tree.body
        for name in (
            [node.name]
            if isinstance(node, ast.FunctionDef)
            else [target.id for target in node.targets if isinstance(target, ast.Name)]
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
            else []
        )
    ]


RULES = (
    keeps_its_budget,
    states_its_minutes,
    answers_come_later,
    numbers_come_later,
    explanations_are_folded,
    nothing_can_be_pasted,
)
# both languages have the same code, cells and numbers, by tests/test_languages.py
OF_ONE_LANGUAGE = {keeps_its_budget, nothing_can_be_pasted}
CASES = [
    pytest.param(
        chapter,
        rule,
        id=f"{name}-{rule.__name__}",
        # runs the chapter, and all that could be pasted from it
        marks=pytest.mark.slow
        if rule is nothing_can_be_pasted and chapter.name != "03_attend"
        else [],
    )
    for name, chapter in CHAPTERS.items()
    for rule in RULES
    if chapter.language == "en" or rule not in OF_ONE_LANGUAGE
]


@pytest.mark.parametrize(("chapter", "rule"), CASES)
def test_chapter(chapter, rule):
    assert list(rule(chapter)) == []


# Canaries: a small chapter, broken in one way

ENCODING = """\
rows, width = 3, 8
angles = np.outer(np.arange(rows), encoding.angular_frequencies(width))
pe = np.zeros((rows, width))
for i in range(width // 2):
    pe[:, 2 * i], pe[:, 2 * i + 1] = np.sin(angles[:, i]), np.cos(angles[:, i])
rise = np.sin(1)"""

MAKER = """\
d_model = 8
omega = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def hands(omega):
    def code(seq_len):
        angles = np.outer(np.arange(seq_len), omega)
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(seq_len, -1)

    return code


rise = np.sin(1)"""


def small_chapter():
    later, folded = {"slideshow": {"slide_type": "subslide"}}, {"tags": ["reveal"]}
    asked = "def my_encoding(seq_len, d_model):\n    return ...\n\n\n"
    setup = "import numpy as np\nfrom course_utils import checks, encoding"
    cells = [
        new_markdown_cell("# T\n\n" + "word " * 500, id="title"),
        new_markdown_cell("**It takes** 5 minutes, and 10 minutes for exercises.", id="contract"),
        new_code_cell(setup, id="setup"),
        new_markdown_cell("**Exercise 9.1** (predict, 2 minutes).\nHow much?", id="exercise-9-1"),
        new_code_cell("mine = ...", id="exercise-9-1-answer"),
        new_code_cell("rise = np.sin(1)", id="rise"),
        new_code_cell(
            "print(f'{rise:.4f}')", id="rise-run", metadata=folded, outputs=[stdout("0.8415\n")]
        ),
        new_markdown_cell("It rises by 0.8415.", id="rise-said", metadata=later),
        new_markdown_cell("**Exercise 9.2** (compute, 8 minutes).\nWrite it.", id="exercise-9-2"),
        new_code_cell(f"{asked}checks.check_encoding(my_encoding)", id="exercise-9-2-answer"),
    ]
    return Notebook("09_small", "", new_notebook(cells=cells))


def add(place, new):
    return lambda notebook: notebook.cells.insert(place, new)


BROKEN = {
    "cells": (
        keeps_its_budget,
        lambda nb: nb.cells.extend(new_markdown_cell("", id="more") for _ in range(75)),
    ),
    "words": (keeps_its_budget, put("rise-said", source="word " * 1_800)),
    "lines": (keeps_its_budget, put("rise", source="x = 1\n" * 178)),
    "exercise": (keeps_its_budget, source("exercise-9-2", "8 minutes", "24 minutes")),
    "label": (keeps_its_budget, source("exercise-9-2", ", 8 minutes", "")),
    "reading": (states_its_minutes, source("contract", "5", "10")),
    "doing": (states_its_minutes, source("contract", "10", "15")),
    "half": (states_its_minutes, source("contract", "5 minutes", "half an hour")),
    "grown": (states_its_minutes, put("rise-said", source="word " * 500)),
    "open": (answers_come_later, put("rise-run", metadata={})),
    "beside": (answers_come_later, add(5, new_markdown_cell("It rises.", id="more"))),
    "predict": (answers_come_later, add(7, new_markdown_cell("And now?", id="more-predict"))),
    "prose": (numbers_come_later, source("title", "word ", "0.8415 ")),
    "explorer": (
        numbers_come_later,
        add(3, new_code_cell("1", id="explorer-a", outputs=[value(text_plain="rise: 0.8415")])),
    ),
    "told": (
        explanations_are_folded,
        source("exercise-9-2", "(compute, 8 minutes).\nWrite", "(explain, 8 minutes).\nBecause"),
    ),
    "cell": (nothing_can_be_pasted, put("rise", source=ENCODING)),
    "maker": (nothing_can_be_pasted, put("rise", source=MAKER)),
    "function": (
        nothing_can_be_pasted,
        put(
            "rise",
            source="rise = 0\n\n\ndef table(n, d):\n"
            "    return encoding.sinusoidal_positional_encoding(n, d)",
        ),
    ),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_small_chapter_is_in_order(rule):
    assert list(rule(small_chapter())) == []


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_chapter_is_seen(name):
    rule, breakage = BROKEN[name]
    chapter = small_chapter()
    breakage(chapter.nb)
    if name == "predict":
        cell(chapter.nb, "rise-said").source = "More."
        chapter.nb.cells.insert(8, new_code_cell("2", id="two", outputs=[stdout("2\n")]))
    assert list(rule(chapter))


def test_what_is_asked_from_memory_may_stand_above():
    chapter = small_chapter()
    put("rise", source=ENCODING)(chapter.nb)
    source("exercise-9-2", "Write it.", "Write it, from memory.")(chapter.nb)
    assert list(nothing_can_be_pasted(chapter)) == []
