"""English and Chinese say the same: every pair of notebooks, the strings, the README."""

import json
import shutil

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbformat.v4 import reads as as_notebook

from course_utils.language import LANGUAGES, STRINGS
from tests.canaries import cell, put, source, stdout, value
from tests.notebook_rules import speaks_its_language
from tools import languages
from tools.languages import Term, wrong_words
from tools.notebooks import HOME_CHAPTERS, NOTEBOOKS, ROOT, course_notebooks, dump, read

PAIRS = [pytest.param(pair, id=pair.name) for pair in languages.pairs()]


def test_both_languages_have_the_same_files():
    assert languages.missing() == []
    assert {pair.name for pair in languages.pairs()} >= HOME_CHAPTERS.keys()
    # a notebook elsewhere would be read by no gate
    folders = {path.parent for path in course_notebooks()}
    assert folders == {NOTEBOOKS / code for code in LANGUAGES}


@pytest.mark.parametrize("rule", languages.RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("pair", PAIRS)
def test_pair(pair, rule):
    assert list(rule(pair)) == []


@pytest.mark.parametrize("pair", PAIRS)
def test_both_texts_were_read_side_by_side(pair):
    assert list(languages.is_reviewed(pair, languages.reviewed())) == []


def test_both_languages_of_each_string_were_read_side_by_side():
    assert list(languages.is_reviewed(languages.Strings(), languages.reviewed())) == []


def test_nothing_is_noted_as_read_that_is_not_there():
    everything = [*languages.pairs(), languages.Strings()]
    names = {name for both in everything for name in languages.digests(both)}
    assert languages.reviewed().keys() <= names


def test_strings_keep_to_the_glossary():
    assert list(languages.strings_keep_to_the_glossary()) == []


def test_both_halves_of_the_readme_have_the_same_commands():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert list(languages.same_commands(readme)) == []


# Canaries: a small course in two languages, broken in one way


PNG = value(image_png="iVBORw0KGgo=", text_plain="<Figure size 640x480 with 1 Axes>")
SETUP = "from course_utils.language import use_language\n\nuse_language({!r})"
CODE = "base = 10_000  # as in the paper\nprint(base)"
TEXT = {
    "en": {
        "title": "# Encode\n\nRow 0 holds $\\sin 0$ in column `0`.\n\nRead it aloud.",
        "list": "## A list\n\n- `a`: one\n- `b`: two\n\n| x | y |\n|---|---|\n| 1 | 2 |",
        "links": "See [the list](#A-list), [there](other.ipynb#A-list), "
        "[paper](https://example.org/a).",
        "fold": "<details><summary>An answer</summary>\n\nThe word.\n\n</details>",
    },
    "zh": {
        "title": "# 编码\n\n第 0 行在第 `0` 列放 $\\sin 0$。\n\n读出来。",
        "list": "## 列表\n\n- `a`：一\n- `b`：二\n\n| 横 | 纵 |\n|---|---|\n| 1 | 2 |",
        "links": "见[列表](#列表)、[那里](other.ipynb#列表)、[论文](https://example.org/a)。",
        "fold": "<details><summary>一种答案</summary>\n\n那个词。\n\n</details>",
    },
}
FEEDBACK = {
    "en": "Not yet: 3 of 4.\n\n```python\nx = 1\n```",
    "zh": "还不对：4 个中的 3 个。\n\n```python\nx = 1\n```",
}


def small_notebook(code):
    words = TEXT[code]
    cells = [
        new_markdown_cell(words["title"], id="title"),
        new_code_cell(SETUP.format(code).replace("'", '"'), id="setup"),
        new_markdown_cell(words["list"], id="list"),
        new_code_cell(CODE, id="base", outputs=[stdout("10000\n")], metadata={"tags": ["reveal"]}),
        new_code_cell("plt.show()", id="fig", outputs=[PNG, stdout(f"{FEEDBACK[code][:3]} 0.5\n")]),
        new_code_cell("check()", id="check", outputs=[value(text_markdown=FEEDBACK[code])]),
        new_markdown_cell(words["links"], id="links"),
        new_markdown_cell(words["fold"], id="fold", metadata={"slideshow": {"slide_type": "skip"}}),
    ]
    for number, each in enumerate((each for each in cells if each.cell_type == "code"), start=1):
        each.execution_count = number
    return new_notebook(cells=cells)


@pytest.fixture
def course(tmp_path):
    """Two notebooks in both languages, read and accepted."""
    for code in ("en", "zh"):
        (tmp_path / code).mkdir()
        for name in ("small", "other"):
            path = tmp_path / code / f"{name}.ipynb"
            path.write_text(dump(small_notebook(code)), encoding="utf-8")
    languages.accept(languages.pairs(tmp_path), [], tmp_path / "reviewed.json")
    return tmp_path


def complaints(course):
    """What the gate says: by the name of the rule."""
    read_before = languages.reviewed(course / "reviewed.json")
    found = {"missing": languages.missing(course)}
    for pair in languages.pairs(course):
        for rule in languages.RULES:
            found.setdefault(rule.__name__, []).extend(rule(pair))
        found.setdefault("is_reviewed", []).extend(languages.is_reviewed(pair, read_before))
        for side in (pair.en, pair.zh):
            found.setdefault("speaks_its_language", []).extend(speaks_its_language(side))
    return {rule: said for rule, said in found.items() if said}


def change(course, code, breakage):
    path = course / code / "small.ipynb"
    notebook = read(path)
    breakage(notebook)
    path.write_text(dump(notebook), encoding="utf-8")


def test_the_small_course_is_in_order(course):
    assert complaints(course) == {}


def move_up(name):
    def breakage(notebook):
        moved = cell(notebook, name)
        notebook.cells.remove(moved)
        notebook.cells.insert(1, moved)

    return breakage


def lose(name):
    return lambda notebook: notebook.cells.remove(cell(notebook, name))


def add_after(name, new):
    def breakage(notebook):
        notebook.cells.insert(notebook.cells.index(cell(notebook, name)) + 1, new)

    return breakage


def add(notebook):
    notebook.cells.append(new_markdown_cell("又一段。", id="more"))


BREAKAGES = {
    "sentence-en": ("en", source("title", "aloud", "twice"), {"is_reviewed"}),
    "sentence-zh": ("zh", source("title", "读出来", "读两遍"), {"is_reviewed"}),
    "number-en": ("en", source("title", "Row 0", "Row 1"), {"is_reviewed", "same_form"}),
    "number-zh": ("zh", source("title", "第 0 行", "第 1 行"), {"is_reviewed", "same_form"}),
    "sign": ("zh", source("title", "第 0 行", "第 −1 行"), {"is_reviewed", "same_form"}),
    "formula-en": ("en", source("title", "\\sin", "\\cos"), {"is_reviewed", "same_form"}),
    "formula-zh": ("zh", source("title", "\\sin 0", "\\sin 1"), {"is_reviewed", "same_form"}),
    "inline-code": ("zh", source("title", "`0`", "`1`"), {"is_reviewed", "same_form"}),
    "link": ("zh", source("links", "org/a", "org/b"), {"is_reviewed", "same_form"}),
    "link-lost": (
        "zh",
        source("links", "[论文](https://example.org/a)", "论文"),
        {"is_reviewed", "same_form"},
    ),
    "link-elsewhere": (
        "zh",
        source("links", "other.ipynb#列表", "other.ipynb#编码"),
        {"is_reviewed", "same_form"},
    ),
    "link-dead": (
        "zh",
        source("links", "(#列表)", "(#A-list)"),
        {"is_reviewed", "same_form", "links_lead_somewhere"},
    ),
    "link-out": (
        "zh",
        source("links", "other.ipynb#列表", "../zh/other.ipynb#列表"),
        {"is_reviewed", "same_form", "links_lead_somewhere"},
    ),
    "link-no-file": (
        "en",
        source("links", "other.ipynb#A-list", "gone.ipynb"),
        {"is_reviewed", "same_form", "links_lead_somewhere"},
    ),
    "heading-level": ("zh", source("list", "## ", "### "), {"is_reviewed", "same_form"}),
    "heading-lost": ("zh", source("title", "# 编码\n\n", ""), {"is_reviewed", "same_form"}),
    "list-item": ("zh", source("list", "- `b`：二", "`b`：二"), {"is_reviewed", "same_form"}),
    "table-row": ("zh", source("list", "\n| 1 | 2 |", "\n1, 2"), {"is_reviewed", "same_form"}),
    "table-column": ("zh", source("list", "| 1 | 2 |", "| 1 2 |"), {"is_reviewed", "same_form"}),
    "fold-lost": ("zh", source("fold", "<details>", ""), {"is_reviewed", "same_form"}),
    "constant-en": ("en", source("base", "10_000", "1_000"), {"same_code"}),
    "constant-zh": ("zh", source("base", "10_000", "1_000"), {"same_code"}),
    "comment": ("zh", source("base", "in the paper", "usual"), {"same_code"}),
    "blank-line": ("zh", source("base", "\n", "\n\n"), {"same_code"}),
    "language-line-en": (
        "zh",
        source("setup", '"zh"', '"en"'),
        {"same_code", "speaks_its_language"},
    ),
    "language-line-zh": (
        "en",
        source("setup", '"en"', '"zh"'),
        {"same_code", "speaks_its_language"},
    ),
    "language-line-lost": ("zh", source("setup", 'use_language("zh")', ""), {"same_code"}),
    "language-line-twice": (
        "zh",
        source("base", CODE, 'use_language("zh")\n' + CODE),
        {"same_code"},
    ),
    "added": ("zh", add, {"same_cells"}),
    "moved": ("zh", move_up("fig"), {"same_cells"}),
    "lost-text": ("zh", lose("fold"), {"same_cells", "is_reviewed"}),
    "lost-code": ("en", lose("base"), {"same_cells"}),
    "renamed": ("zh", put("base", id="basis"), {"same_cells"}),
    "other-type": (
        "zh",
        put("fold", cell_type="raw"),
        {"same_cells", "is_reviewed"},
    ),
    "tag": ("zh", put("base", metadata={}), {"same_cells"}),
    "tag-more": ("zh", put("check", metadata={"tags": ["reveal"]}), {"same_cells"}),
    "slide-type": (
        "zh",
        put("fold", metadata={"slideshow": {"slide_type": "slide"}}),
        {"same_cells"},
    ),
    "left-in-english": (
        "zh",
        put("fold", source=TEXT["en"]["fold"]),
        {"is_reviewed", "speaks_its_language"},
    ),
    "line-left-in-english": (
        "zh",
        source("title", "读出来。", "Read it aloud."),
        {"is_reviewed", "speaks_its_language"},
    ),
    "chinese-in-english": (
        "en",
        source("title", "Read it aloud.", "读出来。"),
        {"is_reviewed", "speaks_its_language"},
    ),
    "stale-number": ("zh", put("fig", outputs=[PNG, stdout("还不对 0.4\n")]), {"same_outputs"}),
    "stale-text": ("en", put("base", outputs=[stdout("10000.0\n")]), {"same_outputs"}),
    "stale-code-shown": (
        "zh",
        put("check", outputs=[value(text_markdown=FEEDBACK["zh"].replace("x = 1", "x = 2"))]),
        {"same_outputs"},
    ),
    "no-figure": ("zh", put("fig", outputs=[stdout("还不对 0.5\n")]), {"same_outputs"}),
    "no-output": ("zh", put("base", outputs=[]), {"same_outputs"}),
    "wrong-word": (
        "zh",
        source("fold", "那个词", "那个令牌"),
        {"is_reviewed", "keeps_to_the_glossary"},
    ),
    "not-translated": (
        "zh",
        source("fold", "那个词", "TRANSLATE THIS 那个词"),
        {"is_reviewed", "is_translated"},
    ),
}


def test_each_rule_has_a_canary():
    seen = set().union(*(rules for _, _, rules in BREAKAGES.values()))
    assert {rule.__name__ for rule in languages.RULES} <= seen


@pytest.mark.parametrize("name", BREAKAGES)
def test_the_gate_sees(course, name):
    code, breakage, rules = BREAKAGES[name]
    change(course, code, breakage)
    assert set(complaints(course)) == rules


def test_the_gate_sees_a_missing_file(course):
    (course / "zh" / "small.ipynb").unlink()
    assert languages.missing(course) == ["zh/small.ipynb"]
    shutil.move(course / "en" / "other.ipynb", course / "en" / "renamed.ipynb")
    assert languages.missing(course) == ["zh/renamed.ipynb", "zh/small.ipynb", "en/other.ipynb"]


def test_a_translated_word_in_a_formula_is_no_difference(course):
    change(course, "en", source("title", "$\\sin 0$", "$\\text{share}  = 0$"))
    change(course, "zh", source("title", "$\\sin 0$", "$\\text{占比} = 0$"))
    assert set(complaints(course)) == {"is_reviewed"}


def test_accepting_is_said_and_kept_and_forgets_what_is_gone(course):
    path = course / "reviewed.json"
    change(course, "en", source("title", "aloud", "twice"))
    change(course, "zh", source("list", "一", "壹"))
    small = languages.pairs(course)[1]
    told = languages.changed(small, languages.reviewed(path))
    assert told == {"small/title": "changed in en", "small/list": "changed in zh"}
    assert languages.accept(languages.pairs(course), ["small/title"], path) == ["small/title"]
    assert set(languages.changed(small, languages.reviewed(path))) == {"small/list"}
    assert languages.accept(languages.pairs(course), ["small"], path) == ["small/list"]
    assert complaints(course) == {}
    for code in ("en", "zh"):
        change(course, code, lose("fold"))
    assert "no longer there" in " ".join(complaints(course)["is_reviewed"])
    assert languages.accept(languages.pairs(course), [], path) == []
    assert complaints(course) == {}
    assert json.loads(path.read_text(encoding="utf-8")).keys() == languages.reviewed(path).keys()


# From English to Chinese


def copied(course):
    told = languages.copy("small", course, course / "reviewed.json")
    return told, complaints(course), read(course / "zh" / "small.ipynb")


def test_copying_changes_nothing_where_nothing_changed(course):
    before = (course / "zh" / "small.ipynb").read_bytes()
    assert copied(course)[:2] == ([], {})
    assert (course / "zh" / "small.ipynb").read_bytes() == before


def test_copying_follows_what_moved_came_went_and_changed(course):
    change(course, "en", move_up("fig"))
    change(course, "en", lose("list"))
    change(course, "en", source("base", "10_000", "1_000"))
    change(course, "en", put("check", metadata={"tags": ["reveal"]}))
    change(course, "en", add_after("base", new_markdown_cell("Two words.", id="more")))
    change(course, "en", add_after("more", new_code_cell("print(1)", id="one")))
    change(course, "en", put("fold", cell_type="code", outputs=[], execution_count=9))
    change(course, "en", put("links", source="See [there](other.ipynb#Encode)."))
    told, said, zh = copied(course)
    assert told == [
        "small/base: changed code",
        "small/more: to be translated",
        "small/one: new code",
        "small/fold: new code",
        "small/list: gone",
    ]
    assert cell(zh, "title").source == TEXT["zh"]["title"]
    # the heading that the Chinese links to went, too
    wanted = {"is_translated", "speaks_its_language", "is_reviewed"}
    assert said.keys() == wanted | {"same_form", "links_lead_somewhere"}
    assert said["is_translated"] == ["cell more: 'TRANSLATE THIS' stands in zh"]
    change(course, "zh", source("more", languages.UNTRANSLATED + "Two words.", "两个词。"))
    change(course, "zh", put("links", source="见[那里](other.ipynb#编码)。"))
    assert complaints(course).keys() == {"is_reviewed"}
    assert languages.copy("small", course, course / "reviewed.json") == []


def test_copying_keeps_the_chinese_of_a_cell_that_was_renamed(course):
    change(course, "en", put("title", id="start"))
    told, said, zh = copied(course)
    assert told == ["small/start: was title"]
    assert cell(zh, "start").source == TEXT["zh"]["title"]
    assert said.keys() == {"is_reviewed"}


def test_copying_makes_a_notebook_that_is_not_there(course):
    before = (course / "zh" / "small.ipynb").read_text(encoding="utf-8")
    (course / "zh" / "small.ipynb").unlink()
    told, said, zh = copied(course)
    assert len(told) == len(zh.cells)
    assert len(said["is_translated"]) == 4
    assert cell(zh, "setup").source == SETUP.format("zh").replace("'", '"')
    # a mark that was forgotten
    for name in ("title", "list", "links", "fold"):
        change(course, "zh", put(name, source="TRANSLATE THIS\n\n" + TEXT["zh"][name]))
    assert len(complaints(course)["is_translated"]) == 4
    for name in ("title", "list", "links", "fold"):
        change(course, "zh", put(name, source=TEXT["zh"][name]))
    assert complaints(course).keys() == {"same_outputs"}
    assert [each.source for each in read(course / "zh" / "small.ipynb").cells] == [
        each.source for each in as_notebook(before).cells
    ]


def test_two_texts_stand_side_by_side():
    lines = languages.side_by_side("word " * 20 + "\n\nend", "位置" * 40, width=30).split("\n")
    assert all(languages.display_width(line) <= 63 for line in lines)
    assert {languages.display_width(line.partition("|")[0]) for line in lines} == {31}
    assert "".join(line.partition("|")[2].strip() for line in lines) == "位置" * 40


# The glossary


def test_both_glossaries_list_the_same():
    en, zh = (languages.GLOSSARIES[code].read_text(encoding="utf-8") for code in LANGUAGES)
    assert list(languages.same_glossaries(en, zh)) == []
    for word in ("偏移", "offset", "`offset`", "位置嵌入"):
        assert list(languages.same_glossaries(en, zh.replace(f" {word} ", " x "))), word
    rows = zh.splitlines()
    first = next(k for k, row in enumerate(rows) if row.startswith("| 位置 |"))
    rows[first : first + 2] = rows[first + 1], rows[first]
    assert list(languages.same_glossaries(en, "\n".join(rows)))


def test_the_glossary_has_the_words_of_the_handout():
    chinese = {word for term in languages.glossary() for word in term.zh}
    assert {"位置编码", "嵌入", "自注意力权重", "缩放点积注意力"} <= chinese


def test_a_word_stands_for_one_thing():
    terms = languages.glossary()
    english = [word for term in terms for word in term.en.split(", ")]
    assert len(english) == len(set(english))
    chinese = [word for term in terms for word in term.zh]
    # a position is a place, and one of the four terms
    assert {word for word in chinese if chinese.count(word) > 1} <= {"位置"}


TERMS = [
    Term("score", ("分数",), ("得分",)),
    Term("positional encoding", ("位置编码",), ("位置嵌入",)),
    Term("positional embedding", ("位置嵌入",), ()),
]


@pytest.mark.parametrize(
    ("en", "zh", "good"),
    [
        ("the score", "分数", True),
        ("the score", "得分", False),
        ("get the score", "取得分数", True),
        ("positional encoding", "位置嵌入", False),
        ("a positional embedding is learned", "位置嵌入是学到的", True),
    ],
)
def test_glossary_words(en, zh, good):
    assert (not list(wrong_words(en, zh, TERMS))) == good


@pytest.mark.parametrize("side", LANGUAGES)
@pytest.mark.parametrize("key", ["plot.score", "check.encoding.zeros_of_base"])
def test_a_string_that_changed_in_one_language_is_refused(key, side, monkeypatch, capsys):
    monkeypatch.setattr(languages, "pairs", list)
    read = languages.digests(languages.Strings())
    monkeypatch.setattr(languages, "reviewed", lambda: read)
    assert languages.main([]) == 0
    changed = STRINGS[key] | {side: f"{STRINGS[key][side]} 0"}
    monkeypatch.setitem(STRINGS, key, changed)
    assert languages.main([]) == 1
    told = capsys.readouterr().out
    assert f"--accept strings/{key}`" in told
    assert f"changed in {side}" in told


def test_an_unknown_option_is_answered_with_what_there_is(capsys):
    assert languages.main(["--acept", "strings"]) == 2
    assert "--accept" in capsys.readouterr().out


def test_strings_are_accepted_by_their_family(tmp_path, monkeypatch):
    path = tmp_path / "reviewed.json"
    read = languages.accept([languages.Strings()], ["strings/check.chance"], path)
    assert "strings/check.chance.nearly" in read
    assert all(name.startswith("strings/check.chance.") for name in read)
    languages.accept([languages.Strings()], ["strings"], path)
    monkeypatch.delitem(STRINGS, "check.chance.nearly")
    (told,) = languages.is_reviewed(languages.Strings(), languages.reviewed(path))
    assert told.startswith("strings/check.chance.nearly: accepted once")


def test_strings_with_a_wrong_word_are_seen(monkeypatch):
    monkeypatch.setitem(STRINGS, "plot.score", {"en": "score", "zh": "得分"})
    assert len(list(languages.strings_keep_to_the_glossary())) == 1


# The README

README = """\
# T
```
pytest
jupyter lab notebooks/en/a.ipynb
```

## 中文

```
pytest
jupyter lab notebooks/zh/a.ipynb
```
"""


@pytest.mark.parametrize(
    ("old", "new", "good"),
    [
        ("", "", True),
        ("```\npytest\njupyter lab notebooks/zh", "```\njupyter lab notebooks/zh", False),
        ("zh/a.ipynb", "zh/b.ipynb", False),
        ("## 中文", "## 别的", False),
    ],
)
def test_readme_commands(old, new, good):
    readme = README.replace(old, new) if old else README
    assert (not list(languages.same_commands(readme))) == good
