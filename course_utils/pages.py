"""Pages to read without a kernel: each chapter as one HTML file that opens offline.

    python -m course_utils.pages --to pages

No script, nothing from the network: pictures and style stand in the file, formulas are MathML,
which browsers draw and screen readers read.
"""

import argparse
import html
import os
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from latex2mathml import converter
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from course_utils.language import LANGUAGES, STRINGS, text

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
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
    """List what becomes a page: the notebooks of each language, and the texts in both.

    Returns
    -------
    list of Path
        Notebooks and Markdown files.
    """
    chapters = [path for code in LANGUAGES for path in sorted((NOTEBOOKS / code).glob("*.ipynb"))]
    return [*chapters, *sorted(NOTEBOOKS.glob("*.md"))]


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
    """
    language = _language(source)
    nb, title = _read(source), _title(source)

    def words(key: str) -> str:
        return STRINGS[key][language]

    def prose(markdown: str) -> str:
        return MarkdownWithMath(renderer=_Prose(words, source.suffix == ".md")).render(markdown)

    for cell, following in zip(nb.cells, [*nb.cells[1:], None], strict=True):
        _describe(cell, following)
    exporter = HTMLExporter(template_file=str(TEMPLATE))
    exporter.register_filter("markdown2html", prose)
    head = {
        "lang": TAGS[language],
        "title": f"{title} | {words('page.course')}",
        "groups": list(_groups(source)),
    }
    written, _ = exporter.from_notebook_node(nb, {"page": head, "words": words})
    return written


def _language(source: Path) -> str:
    return source.parent.name if source.parent.name in LANGUAGES else LANGUAGES[0]


def _read(source: Path) -> NotebookNode:
    if source.suffix == ".ipynb":
        return nbformat.read(source, as_version=4)
    cell = nbformat.v4.new_markdown_cell(source.read_text(encoding="utf-8"), id="text")
    return nbformat.v4.new_notebook(cells=[cell])


def _title(source: Path) -> str:
    return re.search(r"^# (.*)", _read(source).cells[0].source, re.MULTILINE)[1]


def _groups(source: Path) -> Iterator[list[dict]]:
    """Links to the other pages: those of this language, then the same page in the other one."""
    own, bilingual = _language(source), source.suffix == ".md"
    for code in LANGUAGES:
        listed = [path for path in sources() if path.suffix == ".md" or _language(path) == code]
        if not bilingual and code != own:
            listed = [path for path in listed if path.stem == source.stem]
        yield [
            {
                "href": Path(os.path.relpath(path, source.parent)).with_suffix(".html").as_posix(),
                "name": re.split("[:：]", _title(path))[0],
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


class _Prose(IPythonRenderer):
    """Markdown as in JupyterLab, with anchors as there, and formulas as MathML."""

    def __init__(self, words: object, bilingual: bool) -> None:
        super().__init__(escape=False)
        self._words, self._bilingual = words, bilingual

    def text(self, text: str) -> str:
        written = super().text(text)
        # a screen reader changes its voice by the attribute
        return HAN.sub(r'<span lang="zh-CN">\g<0></span>', written) if self._bilingual else written

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
        return converter.convert(body)

    def block_math(self, body: str) -> str:
        formula = converter.convert(body, display="block")
        return f"<span {self._wide('page.formula')}>{formula}</span>"

    def _wide(self, key: str) -> str:
        # what may be wider than a narrow window: the keyboard scrolls what has the focus
        return f'class="wide" role="group" aria-label="{self._words(key)}" tabindex="0"'


def main() -> None:
    """Build the pages into the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m course_utils.pages")
    parser.add_argument("--to", type=Path, default=Path("pages"), metavar="FOLDER")
    built = build(parser.parse_args().to)
    print(text("page.built", count=len(built), first=built[0]))


if __name__ == "__main__":
    main()
