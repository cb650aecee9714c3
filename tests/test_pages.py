"""Pages to read without a kernel: whole, offline, in their language, links and formulas right."""

import re
from functools import cache
from itertools import pairwise
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from tools import pages
from tools.notebooks import course_notebooks, load, pictures

# what a command of TeX becomes; one that is not listed here has not been looked at
MEANING = {
    **{
        "Delta": "Δ",
        "omega": "ω",
        "theta": "θ",
        "pi": "π",
        "sigma": "σ",
        "pm": "±",
        "neq": "≠",
        "infty": "∞",
    },
    **{"le": "≤", "ge": "≥"},
    **{"top": "⊤", "lVert": "‖", "rVert": "‖", "cdot": "·", "sum": "∑", "dots": "…"},
    **{"eta": "η", "odot": "⊙", "to": "→", "ln": "ln"},
    **{"sin": "sin", "cos": "cos", "log": "log", "frac": "<mfrac>", "sqrt": "<msqrt>"},
    **{"begin{pmatrix}": "<mtable>", "end{pmatrix}": "</mtable>"},
    **dict.fromkeys(["text", "mathrm", "operatorname"], "<mtext>"),
    **dict.fromkeys(["left", "right", "big"], "<mo"),
    **dict.fromkeys([",", "qquad", " "], "<mspace "),
    **dict.fromkeys(["!", "\\"], ""),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {path.relative_to(folder).as_posix(): path for path in pages.build(folder)}


SOURCES = {
    path.relative_to(pages.NOTEBOOKS).with_suffix(".html").as_posix(): path
    for path in pages.sources()
}
CHAPTERS = [name for name, path in SOURCES.items() if path.suffix == ".ipynb"]


def soup(path):
    """A page, to look at: nothing may change it."""
    return parsed(path.read_text(encoding="utf-8"))


@cache
def parsed(text):
    return BeautifulSoup(text, "html.parser")


def complaints(path):
    """All that keeps one file from being a page that everyone can open and read."""
    page = soup(path)
    for found in page.find_all(["script", "link", "iframe", "object", "embed", "base"]):
        yield f"loads or runs something: {found.name}"
    for found in page.find_all(src=True):
        if not found["src"].startswith("data:image/png;base64,"):
            yield f"is not one file: {found['src'][:60]}"
    for style in page.find_all("style"):
        if re.search(r"url\(|@import", style.text):
            yield "a style from elsewhere"
    for image in page.find_all("img"):
        if not image.get("alt", "").strip() or "No description" in image["alt"]:
            yield "a picture without alternative text"
    wanted = "zh-CN" if path.parent.name == "zh" else "en"
    if page.html.get("lang") != wanted:
        yield f"lang is {page.html.get('lang')}"
    if not page.title.text.strip() or len(page.find_all("main")) != 1:
        yield "no title, or not one main part"
    ids = [each["id"] for each in page.find_all(id=True)]
    yield from (f"id {each} twice" for each in set(ids) if ids.count(each) > 1)
    levels = [int(each.name[1]) for each in page.find_all(re.compile("^h[1-6]$"))]
    if levels[:1] != [1] or any(b > a + 1 for a, b in pairwise(levels)):
        yield f"headings do not nest: {levels}"
    yield from broken_links(page, path)
    prose = (
        words
        for words in page.main.find_all(string=True)
        if words.find_parent(["code", "pre"]) is None
    )
    if any("$" in words or "\\" in words for words in prose):
        yield "a formula that was not converted"


def broken_links(page, path):
    for link in page.find_all("a"):
        target, _, anchor = unquote(link.get("href", "")).partition("#")
        if not link.text.strip():
            yield f"a link without words to {target}"
        if re.match(r"https?://", target):
            continue
        file = path.parent / target if target else path
        if not file.is_file():
            yield f"no file {target}"
        elif anchor and soup(file).find(id=anchor) is None:
            yield f"no {anchor} in {file.name}"


@pytest.mark.parametrize("name", SOURCES)
def test_page_is_whole(built, name):
    assert list(complaints(built[name])) == []


def test_every_notebook_and_text_is_a_page(built):
    assert set(built) == set(SOURCES)
    assert {SOURCES[name] for name in CHAPTERS} == set(course_notebooks())


@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_is_lost(built, name):
    notebook, page = load(SOURCES[name]), soup(built[name])
    assert {cell.id for cell in notebook.nb.cells} <= {
        each["id"] for each in page.find_all(id=True)
    }
    drawn = [
        picture.data["image/png"].replace("\n", "")
        for c in notebook.code
        for picture in pictures(c)
    ]
    assert [
        image["src"].partition(",")[2].replace("\n", "") for image in page.find_all("img")
    ] == drawn
    markdown = [cell.source for cell in notebook.prose]
    told = [
        o.data["text/markdown"]
        for c in notebook.code
        for o in c.outputs
        if "text/markdown" in o.get("data", {})
    ]
    reveals = [
        cell for cell in notebook.code if "reveal" in cell.metadata.get("tags", []) and cell.outputs
    ]
    folds = "\n".join([*markdown, *told]).count("<details>") + len(reveals)
    assert len(page.find_all("details")) == len(page.select("details > summary")) == folds
    for cell in notebook.code:
        shown = page.find(id=cell.id).text
        for output in cell.outputs:
            if "text" in output:
                assert output.text in shown
    for cell in reveals:
        assert page.find(id=cell.id).find("details").find(["pre", "img"])


def formulas():
    """Each formula of the course once."""
    found = set()

    class Collect(pages._Prose):
        def inline_math(self, body):
            found.add(body)
            return ""

        block_math = inline_math

    for source in SOURCES.values():
        for cell in pages._read(source).cells:
            if cell.cell_type == "markdown":
                pages.MarkdownWithMath(renderer=Collect(str, False)).render(cell.source)
    return sorted(found)


@pytest.mark.parametrize("latex", formulas())
def test_formula_says_what_the_source_says(latex):
    written = pages._mathml(latex)
    math = BeautifulSoup(written, "html.parser").math
    command = r"\\(begin\{\w+\}|end\{\w+\}|[a-zA-Z]+|.)"
    for name in re.findall(command, latex):
        assert MEANING[name] in str(math), name
    # letters and digits in their order, names of functions among them
    plain = re.sub(r"\\(sin|cos|log|ln)", r"\1", latex)
    letters = re.sub(r"[^0-9A-Za-z]", "", re.sub(command, "", plain))
    assert re.sub(r"[^0-9A-Za-z]", "", math.text) == letters
    assert len(math.find_all("mtr")) == sum(
        1 + each.count("\\\\") for each in re.findall(r"\{pmatrix\}(.*?)\\end", latex)
    )
    scripts = len(math.find_all(["msub", "msup", "munder"]))
    scripts += 2 * len(math.find_all(["msubsup", "munderover"]))
    primes = len(re.findall(r"'(?!\^)", latex)) if "'_" not in latex else latex.count("'")
    assert scripts == latex.count("^") + latex.count("_") + primes


BROKEN = {
    "script": ("</main>", "<script>1</script></main>", "loads or runs"),
    "host": ("data:image/png;base64,", "https://example.org/a.png?", "is not one file"),
    "alt": (' alt="', ' title="', "without alternative text"),
    "lang": ('<html lang="en">', "<html>", "lang is None"),
    "heading": ("<h2 ", "<h4 ", "do not nest"),
    "formula": ("</main>", "<p>$x$</p></main>", "not converted"),
    "file": ("02_add.html", "02_ad.html", "no file"),
    "anchor": ("</main>", '<a href="02_add.html#No">Add</a></main>', "no No in"),
    "twice": ("</main>", '<p id="setup">x</p></main>', "id setup twice"),
    "style": ("<style>", "<style>@import 'a';", "a style from elsewhere"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_page_is_seen(built, name):
    old, new, wanted = BROKEN[name]
    good = built["en/01_encode.html"].read_text(encoding="utf-8")
    assert old in good
    broken = built["en/01_encode.html"].with_name("broken.html")
    broken.write_text(good.replace(old, new), encoding="utf-8")
    assert wanted in "\n".join(complaints(broken))


def test_the_command_says_what_it_built(tmp_path, monkeypatch, capsys):
    first_alone = pages.sources()[:1]
    monkeypatch.setattr(pages, "sources", lambda: first_alone)
    monkeypatch.setattr("sys.argv", ["pages", "--to", str(tmp_path / "out")])
    pages.main()
    first = tmp_path / "out" / "en" / "01_encode.html"
    assert first.is_file()
    assert str(first) in capsys.readouterr().out
