"""One table of strings: both languages, the same placeholders, each in its own script."""

import ast
import itertools
import re
import string
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import course_utils
from course_utils import checks, compare, language, training
from course_utils.attention import attention_weights
from course_utils.checks import encoding, position_axes, sees_order
from course_utils.explorers import chapter4_compare
from tools.notebooks import ROOT, course_notebooks, read

PACKAGE = Path(course_utils.__file__).parent
# names and signs that are the same in both languages
SAME = {key for key, words in language.STRINGS.items() if words["en"] == words["zh"]}


@pytest.fixture(autouse=True)
def english():
    language.use_language("en")
    yield
    language.use_language("en")


def placeholders(words):
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


def has_han(words):
    return any("\u4e00" <= c <= "\u9fff" for c in words)


def letters(words):
    """What is left for the reader when the placeholders and the code are taken out."""
    fixed = "".join(part for part, *_ in string.Formatter().parse(words))
    prose = re.sub(
        r"\b(seq_len|d_model|base|pe)\b", "", "".join(fixed.split("`")[0::2]), flags=re.A
    )
    return "".join(c for c in prose if c.isalpha())


# one test for a thousand strings: as a thousand tests they would take ten times as long
def test_each_string_is_there_in_both_languages():
    for key, words in language.STRINGS.items():
        assert list(words) == list(language.LANGUAGES), key
        assert all(isinstance(value, str) and value.strip() for value in words.values()), key
        assert placeholders(words["en"]) == placeholders(words["zh"]), key
        assert not has_han(words["en"]), key
        if letters(words["en"]) and key not in SAME:
            assert has_han(words["zh"]), key


def test_chinese_is_written_as_chinese():
    for key, words in language.STRINGS.items():
        assert "您" not in words["zh"], key
        prose = "".join(words["zh"].split("`")[0::2])
        for before, mark in itertools.pairwise(prose):
            assert not (has_han(before) and mark in ",;:!?()"), key


def test_what_is_the_same_in_both_is_short():
    for key in SAME - {key for key in SAME if key.endswith(".code")}:
        assert len(letters(language.STRINGS[key]["en"])) <= 12, key


def test_the_language_is_chosen():
    assert language.current_language() == "en"
    assert language.text("plot.position") == "position (index)"
    language.use_language("zh")
    assert language.current_language() == "zh"
    assert language.text("plot.position") == "位置（索引）"


@pytest.mark.parametrize("code", ["fr", "", None, 3, "EN", ["en"]])
def test_an_unknown_language_is_refused_and_nothing_changes(code):
    language.use_language("zh")
    with pytest.raises(ValueError, match='"en"') as raised:
        language.use_language(code)
    assert repr(code) in str(raised.value)
    assert language.current_language() == "zh"


def test_a_missing_key_or_value_is_loud():
    with pytest.raises(KeyError):
        language.text("no.such.key")
    with pytest.raises(KeyError):
        language.text("error.positive", name="seq_len")


def calls_of_text():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "text":
                yield str(path.relative_to(PACKAGE)), node


def test_each_key_that_the_code_names_is_in_the_table():
    seen = 0
    for name, node in calls_of_text():
        key = node.args[0]
        if isinstance(key, ast.Constant):
            seen += 1
            assert key.value in language.STRINGS, (name, key.value)
            given = {keyword.arg for keyword in node.keywords}
            if None not in given:
                wanted = placeholders(language.STRINGS[key.value]["en"])
                assert given == wanted, (name, key.value, given, wanted)
    assert seen > 90
    # a key in a room or an explorer counts as well as one in the package's own folder
    folders = {name.partition("/")[0] for name, _ in calls_of_text() if "/" in name}
    assert folders == {"checks", "collect", "explorers"}


def sources():
    """All Python of the package, the tools and the notebooks."""
    for folder in (PACKAGE, ROOT / "tools"):
        for path in sorted(folder.rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in course_notebooks():
        for cell in read(path).cells:
            if cell.cell_type == "code":
                yield f"{path.name}, {cell.id}", cell.source


def strings_in(source):
    """The strings of a source; of an f-string, its form with * for each value."""
    tree = ast.parse(source)
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                getattr(part, "value", "*") if isinstance(part, ast.Constant) else "*"
                for part in node.values
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
        ):
            yield node.value


@cache
def written():
    return {words for _, source in sources() for words in strings_in(source)}


TEMPLATES = "".join(
    path.read_text(encoding="utf-8")
    for folder in (PACKAGE, ROOT / "tools")
    for path in folder.rglob("*.j2")
)
EXERCISES = [name.removeprefix("check_") for name in checks.__all__ if name != "Feedback"]
# where a key is put together at run time: its form, and all that may stand for the star;
# which causes an exercise has, its check compares with its table when it is imported
FAMILIES = {
    "check.state.*": ["not attempted", "incorrect", "correct"],
    "check.hint.*": ["nudge", "formula", "code"],
    "hint.*.nudge": EXERCISES,
    "hint.*.formula": EXERCISES,
    "hint.*.code": EXERCISES,
    "choice.*": [key.removeprefix("choice.") for key in language.STRINGS if key[:7] == "choice."],
    "part.*": [name for name, *_ in encoding._PARTS],
    "adder.*": [name for name, *_ in position_axes.ADDERS],
    "sight.*": [name for name, *_ in sees_order._SEEING],
    "arm.*": {*chapter4_compare.ARMS, *training.ARMS},
    "term.*": [*compare.score_terms(*np.ones((4, 2, 2))), "sum"],
    "encode.view_*": ["heat_map", "waves", "similarity"],
    "attend.*": ["back_1", "back_3", "same", "random"],
    "page.*": ["glossary", "questions"],
    "title.*": EXERCISES,
    **{
        f"collect.{part}.*": [
            key.rpartition(".")[2] for key in language.STRINGS if key.startswith(f"collect.{part}.")
        ]
        for part in ("cause", "state", "wall")
    },
}
MADE = {form.replace("*", value) for form, values in FAMILIES.items() for value in values}


def looks_like_a_key(words):
    """Whether it begins as keys do: ``plot.`` and so on, in small letters, without a space."""
    return re.fullmatch(r"\w+(\.[\w*]+)+", words) and words.split(".")[0] in PREFIXES


PREFIXES = {key.split(".")[0] for key in language.STRINGS}
# files, and beginnings of keys
NOT_KEYS = re.compile(
    r".*\.(css|js|json|j2|md|py)|(check|ask)\.(any\.)?\*\.?|(check|ask)\.\*\.\*|\*\..*"
)


def misspelt(words):
    if not looks_like_a_key(words) or NOT_KEYS.fullmatch(words):
        return False
    return words not in (FAMILIES if "*" in words else language.STRINGS)


def test_no_key_is_misspelt_anywhere():
    found = [
        (name, words)
        for name, source in sources()
        for words in strings_in(source)
        if misspelt(words)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "text('plot.positon')",
        "slider('encode.seqlen', 1, 9)",
        "plots.bars({'meter.order_gaps': 1.0})",
        "label = 'attend.tempreture' if hot else 'attend.words'",
        "text(f'wong.{name}', f'wrongs.{name}', f'plot.{name}')",
    ],
)
def test_a_misspelt_key_is_seen(line):
    assert [words for words in strings_in(line) if misspelt(words)]


@pytest.mark.parametrize("form", FAMILIES)
def test_each_family_is_used_and_whole(form):
    assert form in written()
    assert {form.replace("*", value) for value in FAMILIES[form]} <= language.STRINGS.keys()


def test_each_string_has_a_user():
    of_exercises = re.compile(rf"(check|ask)\.({'|'.join(EXERCISES)}|any)\.\w+")
    idle = [
        key
        for key in language.STRINGS
        if key not in written() | MADE
        and not re.search(f"['\"]{key}['\"]", TEMPLATES)
        and not of_exercises.fullmatch(key)
    ]
    assert idle == []


def test_errors_follow_the_language():
    from course_utils.encoding import angular_frequencies

    with pytest.raises(ValueError, match="must be a positive even integer"):
        angular_frequencies(7)
    language.use_language("zh")
    with pytest.raises(ValueError, match=r"d_model 必须是正偶数.*收到的是 7.*改用 6 或 8"):
        angular_frequencies(7)


@pytest.mark.usefixtures("each_language")
def test_two_shapes_stand_in_the_order_of_their_names():
    with pytest.raises(ValueError, match=r"\bq .*\bk .*\(2, 3\).*\(4, 5\)"):
        attention_weights(np.zeros((2, 3)), np.zeros((4, 5)))
