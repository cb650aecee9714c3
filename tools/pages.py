"""Pages to read without a kernel: each chapter as one HTML file that opens offline.

    python -m tools.pages --to pages

No script, nothing from the network: pictures and style stand in the file, formulas are MathML,
which browsers draw and screen readers read.
"""

import argparse
import functools
import html
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from latex2mathml import converter
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from course_utils.language import LANGUAGES, STRINGS, text
from tools.notebooks import NOTEBOOKS, read

__all__ = ["build", "main", "page", "prose", "sources"]

TEMPLATE = Path(__file__).with_name("page.html.j2")
TAGS = {"en": "en", "zh": "zh-CN"}
HAN = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


def build(folder: Path) -> list[Path]:
    """Write all pages.

    Parameters
    ----------
    folder : Path
        Where to; it is laid out as ``notebooks/`` is.

    Returns
    -------
    list of Path
        The files.
    """
    built = []
    for source in sources():
        target = folder / source.relative_to(NOTEBOOKS).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(source), encoding="utf-8")
        built.append(target)
    return built


def sources() -> list[Path]:
    """List what becomes a page: the notebooks of each language, and the texts they lead to.

    Returns
    -------
    list of Path
        Notebooks and Markdown files.

    Examples
    --------
    >>> [path.name for path in sources()][:2]
    ['01_encode.ipynb', '02_add.ipynb']
    """
    return [
        path
        for code in LANGUAGES
        for path in [*sorted((NOTEBOOKS / code).glob("*.ipynb")), *texts(NOTEBOOKS / code)]
    ]


def texts(folder: Path) -> list[Path]:
    """List the texts beside the notebooks that learners are led to.

    Parameters
    ----------
    folder : Path
        Of one language.

    Returns
    -------
    list of Path
        Markdown files.
    """
    return [folder / "glossary.md", folder / "questions.md"]


def page(source: Path) -> str:
    """Turn a notebook or a Markdown file of the course into a page.

    Parameters
    ----------
    source : Path
        One of `sources`.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> '<html lang="en">' in page(NOTEBOOKS / "en" / "glossary.md")
    True
    """
    language = _language(source)
    nb = _read(source)

    def words(key: str) -> str:
        return STRINGS[key][language]

    for cell, following in zip(nb.cells, [*nb.cells[1:], None], strict=True):
        _describe(cell, following)
    exporter = HTMLExporter(template_file=str(TEMPLATE))
    exporter.register_filter("markdown2html", functools.partial(prose, language=language))
    head = {
        "lang": TAGS[language],
        "title": f"{_name(source, language)} | {words('page.course')}",
        "groups": list(_groups(source)),
    }
    written, _ = exporter.from_notebook_node(nb, {"page": head, "words": words})
    return written


def prose(markdown: str, language: str) -> str:
    """Turn Markdown into HTML as JupyterLab does, with formulas as MathML.

    Parameters
    ----------
    markdown : str
        The text of a cell.
    language : {"en", "zh"}
        Its language.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> prose("One **word**.", "en")
    '<p>One <strong>word</strong>.</p>\\n'
    """

    def words(key: str) -> str:
        return STRINGS[key][language]

    return MarkdownWithMath(renderer=_Prose(words, language == "en")).render(markdown)


def _language(source: Path) -> str:
    return source.parent.name


def _read(source: Path) -> NotebookNode:
    if source.suffix == ".ipynb":
        return read(source)
    cell = nbformat.v4.new_markdown_cell(source.read_text(encoding="utf-8"), id="text")
    return nbformat.v4.new_notebook(cells=[cell])


@functools.cache
def _name(source: Path, language: str) -> str:
    if source.suffix == ".md":
        return STRINGS[f"page.{source.stem}"][language]
    title = _read(source).cells[0].source.partition("\n")[0].removeprefix("# ")
    return re.split("[:\uff1a]", title)[0]


def _groups(source: Path) -> Iterator[list[dict]]:
    """Links to the other pages: those of this language, then the same page in the other one."""
    own = _language(source)
    for code in sorted(LANGUAGES, key=own.__ne__):
        listed = [path for path in sources() if _language(path) == code]
        if code != own:
            listed = [path for path in listed if path.stem == source.stem]
        yield [
            {
                "href": "../" + path.relative_to(NOTEBOOKS).with_suffix(".html").as_posix(),
                "name": _name(path, code),
                "lang": TAGS[code],
                "here": path == source,
            }
            for path in listed
        ]


def _describe(cell: NotebookNode, following: NotebookNode | None) -> None:
    """Give each picture its alternative text: the name in its caption, else its numbers."""
    for output in cell.get("outputs", ()):
        if "image/png" in output.get("data", ()):
            numbers = output.data["text/plain"]
            caption = following and re.match(r"\*([^*]+)\*\n", following.source)
            output.metadata["moves"] = not numbers.startswith("<Figure")
            output.metadata["alt"] = caption[1] if caption else numbers


def _mathml(latex: str, display: str = "inline") -> str:
    """Convert a formula, with what TeX knows of its spacing and the converter does not."""
    latex = re.sub(r"\\(?:mathrm|operatorname)\b", r"\\text", latex)
    latex = re.sub(r"(\w|\})\s*(?=\\(?:sin|cos|log)\b)", r"\1\\,", latex)
    latex = re.sub(r"(\\(?:sin|cos|log)\b(?:\^2)?)\s*(?![\s(^+]|\\big)", r"\1\\, ", latex)
    written = converter.convert(latex, display=display)
    written = written.replace("<mo>&#x0002F;</mo>", '<mo lspace="0" rspace="0">/</mo>')
    # two bars are as high as what they enclose, not as the whole line
    written = written.replace("<mo>&#x02016;</mo>", '<mo stretchy="false">&#x02016;</mo>')
    return re.sub("(<mo>&#x0003D;</mo><mo)(>&#x02212;)", r'\1 form="prefix"\2', written)


class _Prose(IPythonRenderer):
    """Markdown as in JupyterLab, with anchors as there, and formulas as MathML."""

    def __init__(self, words: object, english: bool) -> None:
        super().__init__(escape=False)
        self._words, self._english = words, english

    def text(self, text: str) -> str:
        written = super().text(text)
        # a screen reader changes its voice by the attribute
        return HAN.sub(r'<span lang="zh-CN">\g<0></span>', written) if self._english else written

    def heading(self, text: str, level: int, **attrs: object) -> str:
        name = html.unescape(re.sub("<[^>]*>", "", text)).replace(" ", "-")
        return f'<h{level} id="{html.escape(name)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        if not re.match(r"\w+:", url):
            url = re.sub(r"\.(ipynb|md)(?=#|$)", ".html", url)
        return super().link(text, url, title)

    def table(self, text: str) -> str:
        return f"<div {self._wide('page.table')}><table>\n{text}</table></div>\n"

    def inline_math(self, body: str) -> str:
        return _mathml(body)

    def block_math(self, body: str) -> str:
        return f"<span {self._wide('page.formula')}>{_mathml(body, 'block')}</span>"

    def _wide(self, key: str) -> str:
        # what may be wider than a narrow window: the keyboard scrolls what has the focus
        return f'class="wide" role="group" aria-label="{self._words(key)}" tabindex="0"'


def main() -> None:
    """Build the pages into the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages")
    parser.add_argument("--to", type=Path, default=Path("pages"), metavar="FOLDER")
    built = build(parser.parse_args().to)
    print(text("page.built", count=len(built), first=built[0]))


if __name__ == "__main__":
    main()
