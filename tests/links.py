"""Where the links of a page lead."""

import re
from urllib.parse import unquote

from nbformat.v4 import new_markdown_cell

from tools.languages import LINK, headings_as_shown, place
from tools.notebooks import load, without_code


def github_anchors(text):
    """Small letters, spaces as hyphens, no other punctuation."""
    titles = [title.lower() for _, title in headings_as_shown(new_markdown_cell(text))]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def dead_links(text, folder):
    """Links to files, and to headings of notebooks and of pages, that have no end."""
    for target in LINK.findall(without_code(text)):
        path, _, anchor = target.partition("#")
        file = folder / path
        if re.match(r"\w+:|//", target):
            continue
        if path and not file.exists():
            yield f"{target}: no such file"
        elif anchor and file.suffix == ".ipynb":
            if "(no such" in place(target, folder, load(file)):
                yield f"{target}: no such heading"
        elif anchor:
            page = file.read_text(encoding="utf-8") if path else text
            if unquote(anchor) not in github_anchors(page):
                yield f"{target}: no such heading"
