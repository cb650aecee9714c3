"""One table of strings: both languages, the same placeholders, each in its own script."""

import ast
import itertools
import re
import string
from pathlib import Path

import numpy as np
import pytest

import course_utils
from course_utils import attention, language

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


@pytest.mark.parametrize("key", language.STRINGS)
def test_each_string_is_there_in_both_languages(key):
    words = language.STRINGS[key]
    assert list(words) == list(language.LANGUAGES)
    assert all(isinstance(value, str) and value.strip() for value in words.values())
    assert placeholders(words["en"]) == placeholders(words["zh"])
    assert not has_han(words["en"])
    if letters(words["en"]) and key not in SAME:
        assert has_han(words["zh"]), words["zh"]


@pytest.mark.parametrize("key", language.STRINGS)
def test_chinese_is_written_as_chinese(key):
    words = language.STRINGS[key]["zh"]
    assert "您" not in words
    prose = "".join(words.split("`")[0::2])
    for before, mark in itertools.pairwise(prose):
        assert not (has_han(before) and mark in ",;:!?()"), prose


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
    assert folders == {"checks", "explorers"}


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
        attention.attention_weights(np.zeros((2, 3)), np.zeros((4, 5)))
