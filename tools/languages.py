"""The English and the Chinese notebooks say the same, cell by cell.

    python -m tools.languages                      what differs, and changed texts side by side
    python -m tools.languages --accept [NAME ...]  note that they have been read
    python -m tools.languages --copy NOTEBOOK ...  write the English code into the Chinese notebook

A NAME is a chapter or one cell, such as `01_encode` or `01_encode/title`, or it is `strings`, all
that the module says, or a part of it, such as `strings/check.encoding`; default: everything.
`tests/reviewed.json` holds, for each pair of texts, a digest of both as they were last accepted.

`--copy` makes the Chinese notebook have the cells of the English one: the same order, code, tags
and slide types. It keeps the line that chooses the language, the Chinese texts and, until they run
again, the outputs. A text that is new arrives in English under a mark, which the gate refuses; a
cell that only has another id keeps its Chinese. What is gone in English goes in Chinese.
"""

import hashlib
import itertools
import json
import re
import sys
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from nbformat import NotebookNode

from course_utils.language import LANGUAGES, STRINGS
from tools.notebooks import (
    NOTEBOOKS,
    ROOT,
    Notebook,
    course_notebooks,
    dump,
    has_han,
    headings,
    load,
    read,
    without_code,
    without_code_and_formulas,
)

GLOSSARIES = {code: NOTEBOOKS / code / "glossary.md" for code in LANGUAGES}
REVIEWED = ROOT / "tests" / "reviewed.json"
LANGUAGE_LINE = 'use_language("{}")'
UNTRANSLATED = "TRANSLATE THIS\n\n"
NUMBER = re.compile(r"(?<![A-Za-z0-9_.])-?\d+(?:\.\d+)*(?:e[-+]?\d+)?")
LINK = re.compile(r"\]\(\s*([^)\s]+)\s*\)")


@dataclass(frozen=True)
class Pair:
    """One notebook in both languages."""

    en: Notebook
    zh: Notebook
    folders: tuple[Path, Path]

    @property
    def name(self) -> str:
        return self.en.name

    def cells(self, kind: str) -> Iterator[tuple[NotebookNode, NotebookNode]]:
        """The cells of one kind that are there in both languages."""
        others = {cell.id: cell for cell in self.zh.nb.cells}
        for cell in self.en.nb.cells:
            other = others.get(cell.id)
            if other and cell.cell_type == other.cell_type == kind:
                yield cell, other

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Names of the texts, with the text in each language."""
        for cell, other in self.cells("markdown"):
            yield f"{self.name}/{cell.id}", cell.source, other.source


class Strings:
    """All strings of the module, in both languages."""

    name = "strings"

    def texts(self) -> Iterator[tuple[str, str, str]]:
        for key, words in STRINGS.items():
            yield f"{self.name}/{key}", words["en"], words["zh"]


def missing(folder: Path = NOTEBOOKS) -> list[str]:
    """Files of one language that the other one lacks."""
    en, zh = ({path.name for path in course_notebooks(folder / code)} for code in ("en", "zh"))
    return [f"zh/{name}" for name in sorted(en - zh)] + [f"en/{name}" for name in sorted(zh - en)]


def pairs(folder: Path = NOTEBOOKS) -> list[Pair]:
    """The notebooks that are there in both languages."""
    folders = folder / "en", folder / "zh"
    names = sorted({path.name for path in course_notebooks(folders[0])})
    return [
        Pair(*(load(each / name) for each in folders), folders)
        for name in names
        if (folders[1] / name).exists()
    ]


# What a pair of notebooks has in common: each rule yields a sentence for each difference


def same_cells(pair: Pair) -> Iterator[str]:
    """The same ids in the same order, with the same types, tags and slide types."""
    en, zh = ([cell.id for cell in side.nb.cells] for side in (pair.en, pair.zh))
    yield from (f"cell {name}: not in zh" for name in en if name not in zh)
    yield from (f"cell {name}: not in en" for name in zh if name not in en)
    order = [name for name in zh if name in en], [name for name in en if name in zh]
    for ours, theirs in zip(*order, strict=False):
        if ours != theirs:
            yield f"cell {ours}: stands in zh where en has {theirs}"
            break
    others = {cell.id: cell for cell in pair.zh.nb.cells}
    for cell in pair.en.nb.cells:
        other = others.get(cell.id, cell)
        if cell.cell_type != other.cell_type:
            yield f"cell {cell.id}: {cell.cell_type} in en, {other.cell_type} in zh"
        if cell.metadata != other.metadata:
            yield f"cell {cell.id}: metadata {dict(cell.metadata)} in en, {dict(other.metadata)}"
    if pair.en.nb.metadata != pair.zh.nb.metadata:
        yield "the notebooks' metadata differ"


def same_code(pair: Pair) -> Iterator[str]:
    """The same code to the byte, but for the one line that chooses the language."""
    for side, code in ((pair.en, "en"), (pair.zh, "zh")):
        lines = [
            (cell.id, line.strip())
            for cell in side.code
            for line in cell.source.splitlines()
            if "use_language(" in line
        ]
        if lines != [("setup", LANGUAGE_LINE.format(code))]:
            yield f"cell setup: {code} wants {LANGUAGE_LINE.format(code)} once, has {lines}"
    for cell, other in pair.cells("code"):
        en, zh = (
            [line for line in each.source.split("\n") if "use_language(" not in line]
            for each in (cell, other)
        )
        for ours, theirs in itertools.zip_longest(en, zh):
            if ours != theirs:
                yield f"cell {cell.id}: code {ours!r} in en, {theirs!r} in zh"
                break


def same_form(pair: Pair) -> Iterator[str]:
    """Equal heading levels, lists and tables; equal formulas, numbers, code and links."""
    for cell, other in pair.cells("markdown"):
        for what, form in FORMS.items():
            en, zh = form(cell), form(other)
            if en != zh:
                if isinstance(en, set):
                    en, zh = sorted(en - zh), sorted(zh - en)
                yield f"cell {cell.id}: {what}: en has {en}, zh has {zh}"
        en, zh = (
            {place(target, folder, side) for target in LINK.findall(without_code(each.source))}
            for each, folder, side in zip(
                (cell, other), pair.folders, (pair.en, pair.zh), strict=True
            )
        )
        if en != zh:
            yield f"cell {cell.id}: links: en has {sorted(en - zh)}, zh has {sorted(zh - en)}"


def heading_levels(cell: NotebookNode) -> list[int]:
    return [level for level, _ in headings(cell)]


def sizes(cell: NotebookNode) -> dict[str, object]:
    """How many items its lists have, how many rows and columns its tables, how many folds."""
    lines = without_fences(cell.source).splitlines()
    rows = [line.strip().strip("|") for line in lines if line.lstrip().startswith("|")]
    return {
        "bullets": sum(bool(re.match(r"\s*[-*+]\s", line)) for line in lines),
        "numbered": sum(bool(re.match(r"\s*\d+[.)]\s", line)) for line in lines),
        "rows": len(rows),
        "columns": sorted({len(re.split(r"(?<!\\)\|", row)) for row in rows}),
        "folds": cell.source.count("<details>"),
    }


def formulas(cell: NotebookNode) -> set[str]:
    """Without spaces, and without the words inside them."""
    found = re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", without_code(cell.source), re.DOTALL)
    return {re.sub(r"\\text\{[^}]*\}", r"\\text{}", "".join(each.split())) for each in found}


def numbers(cell: NotebookNode) -> set[str]:
    """What is written in digits; words such as *three* are not compared."""
    text = re.sub(r"\]\([^)]*\)|<\w+:[^>]*>", " ", without_code_and_formulas(cell.source))
    return set(digits(text))


def digits(text: str) -> list[str]:
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text.replace("\N{MINUS SIGN}", "-"))
    return NUMBER.findall(text)


def inline_code(cell: NotebookNode) -> set[str]:
    found = re.findall(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", without_fences(cell.source), re.DOTALL)
    return {" ".join(code.split()) for _, code in found}


def code_blocks(cell: NotebookNode) -> list[str]:
    return re.findall(r"^```[^\n]*\n.*?^```", cell.source, re.MULTILINE | re.DOTALL)


def without_fences(source: str) -> str:
    return re.sub(r"^(```|~~~).*?^\1\s*?$", " ", source, flags=re.MULTILINE | re.DOTALL)


FORMS = {
    "heading levels": heading_levels,
    "sizes": sizes,
    "formulas": formulas,
    "numbers": numbers,
    "code": inline_code,
    "code blocks": code_blocks,
}


def place(target: str, folder: Path, notebook: Notebook) -> str:
    """Where a link leads: for a heading of the course, the cell that holds it."""
    path, _, anchor = target.partition("#")
    if re.match(r"\w+:|//", target) or not anchor:
        return target
    file = folder / path
    if path and not file.exists():
        return f"{target} (no such file)"
    cells = (load(file) if path else notebook).nb.cells
    for cell in cells:
        for _, title in headings_as_shown(cell):
            if title.replace(" ", "-") == unquote(anchor):
                return f"{path}, cell {cell.id}"
    return f"{target} (no such heading)"


def headings_as_shown(cell: NotebookNode) -> list[tuple[int, str]]:
    """Level and text of each heading, without marks of code and emphasis."""
    if cell.cell_type != "markdown":
        return []
    found = re.findall(r"^(#{1,6})\s+(.*)$", without_fences(cell.source), re.MULTILINE)
    return [(len(marks), re.sub(r"[`*]", "", title).strip()) for marks, title in found]


def links_lead_somewhere(pair: Pair) -> Iterator[str]:
    """Links to files and headings of the course have an end, in each language."""
    for side, folder in zip((pair.en, pair.zh), pair.folders, strict=True):
        for cell in side.prose:
            for target in LINK.findall(without_code(cell.source)):
                found = place(target, folder, side)
                inside = not re.match(r"\w+:|//|#", target)
                # the commands of the README have JupyterLab show the folder of the notebook
                if inside and target.startswith(".."):
                    yield f"cell {cell.id}: {folder.name} links to {target}, out of its folder"
                if "(no such" in found or (
                    inside and not (folder / target.partition("#")[0]).exists()
                ):
                    yield f"cell {cell.id}: {folder.name} links to {target}, which is not there"


def same_outputs(pair: Pair) -> Iterator[str]:
    """The same kinds of output, and the same numbers; what holds no Chinese is the same text."""
    for cell, other in pair.cells("code"):
        en, zh = (
            [
                (out.output_type, out.get("name"), *sorted(out.get("data", {})))
                for out in each.outputs
            ]
            for each in (cell, other)
        )
        if en != zh:
            yield f"cell {cell.id}: outputs {en} in en, {zh} in zh"
            continue
        for ours, theirs in zip(cell.outputs, other.outputs, strict=True):
            for kind, text in texts(ours).items():
                translated = texts(theirs)[kind]
                yield from (
                    f"cell {cell.id}: {complaint}"
                    for complaint in same_output_text(kind, text, translated)
                )


def texts(output: NotebookNode) -> dict[str, str]:
    found = {kind: text for kind, text in output.get("data", {}).items() if "text" in kind}
    return found | ({"stream": output.text} if "text" in output else {})


def same_output_text(kind: str, en: str, zh: str) -> Iterator[str]:
    if kind == "text/markdown":
        fences = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
        if fences.findall(en) != fences.findall(zh):
            yield "the code that is shown differs"
    elif not has_han(zh):
        if en != zh:
            yield f"shows {en.strip()[:80]!r} in en, {zh.strip()[:80]!r} in zh"
    else:
        ours, theirs = Counter(digits(en)), Counter(digits(zh))
        if ours != theirs:
            yield f"numbers shown: en has {[*(ours - theirs)]}, zh has {[*(theirs - ours)]}"


def is_translated(pair: Pair) -> Iterator[str]:
    """No Chinese text is still the English one that `--copy` put there."""
    for cell in pair.zh.prose:
        if UNTRANSLATED.strip() in cell.source:
            yield f"cell {cell.id}: {UNTRANSLATED.strip()!r} stands in zh"


# Terms


@dataclass(frozen=True)
class Term:
    en: str
    zh: tuple[str, ...]
    not_used: tuple[str, ...]


@cache
def glossary(path: Path = GLOSSARIES["en"]) -> tuple[Term, ...]:
    """The rows of the tables of the glossary."""
    return tuple(
        Term(en, tuple(zh.split("、")), tuple(filter(None, wrong.split("、"))))
        for en, zh, _, _, wrong in table_rows(path.read_text(encoding="utf-8"))
    )


def table_rows(text: str) -> list[list[str]]:
    """The cells of all rows of the tables of a page, without their headers."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    below = [not line.startswith("|---") for line in [*lines[1:], ""]]
    return [
        [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        for line, is_row in zip(lines, below, strict=True)
        if is_row and not line.startswith("|---")
    ]


def same_glossaries(en: str, zh: str) -> Iterator[str]:
    """Both glossaries list the same terms, with the same words that are not used for them."""
    ours = [(term, word, symbol, wrong) for term, word, symbol, _, wrong in table_rows(en)]
    theirs = [(term, word, symbol, wrong) for word, term, symbol, _, wrong in table_rows(zh)]
    yield from (f"glossary: only in en: {row}" for row in ours if row not in theirs)
    yield from (f"glossary: only in zh: {row}" for row in theirs if row not in ours)
    if sorted(ours) == sorted(theirs) and ours != theirs:
        yield "glossary: not in the same order"


def wrong_words(en: str, zh: str, terms: Iterable[Term]) -> Iterator[str]:
    """Words in a Chinese text for which the glossary has another one."""
    terms = list(terms)
    spans = None
    for term in terms:
        for wrong in term.not_used:
            if wrong not in zh:
                continue
            # itself a term, and meant here
            if any(wrong in other.zh and other.en.lower() in en.lower() for other in terms):
                continue
            if spans is None:
                right = {word for each in terms for word in each.zh}
                found = (re.finditer(re.escape(word), zh) for word in right)
                spans = [each.span() for matches in found for each in matches]
            for start, end in (each.span() for each in re.finditer(re.escape(wrong), zh)):
                # two words that meet, such as 取得 and 分数, are not 得分
                met = any(a < start < b < end or start < a < end < b for a, b in spans)
                if not met:
                    yield f"{wrong} for {term.en!r}: the glossary says {'、'.join(term.zh)}"
                    break


def keeps_to_the_glossary(pair: Pair) -> Iterator[str]:
    """One word for one thing in the Chinese texts."""
    for cell, other in pair.cells("markdown"):
        zh = without_code_and_formulas(other.source)
        for complaint in wrong_words(cell.source, zh, glossary()):
            yield f"cell {cell.id}: {complaint}"


def strings_keep_to_the_glossary() -> Iterator[str]:
    """One word for one thing in the strings of the module."""
    for key, words in STRINGS.items():
        for complaint in wrong_words(words["en"], words["zh"], glossary()):
            yield f"{key}: {complaint}"


# The two halves of the README


def readme_halves(text: str) -> tuple[str, str]:
    en, found, zh = text.partition("\n## 中文\n")
    return en, found + zh


def commands(text: str) -> set[str]:
    """What one types, wherever it is quoted, with the language left open."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line.strip()]
    return {line.replace("notebooks/zh/", "notebooks/en/") for line in lines}


def same_commands(readme: str) -> Iterator[str]:
    """Each command of the English half stands in the Chinese half, and the other way round."""
    en, zh = map(commands, readme_halves(readme))
    yield from (f"README: only in English: {command}" for command in sorted(en - zh))
    yield from (f"README: only in Chinese: {command}" for command in sorted(zh - en))


# What has been read


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def digests(both: Pair | Strings) -> dict[str, list[str]]:
    """For each pair of texts, a digest of the English one and of the Chinese one."""
    return {name: [digest(en), digest(zh)] for name, en, zh in both.texts()}


def reviewed(path: Path = REVIEWED) -> dict[str, list[str]]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def changed(both: Pair | Strings, read: dict[str, list[str]]) -> dict[str, str]:
    """Names of the pairs of texts that are not as they were accepted, with what happened."""
    found = {}
    for name, (en, zh) in digests(both).items():
        if name not in read:
            found[name] = "not read yet"
        elif read[name] != [en, zh]:
            sides = [
                word
                for word, old, new in zip(("en", "zh"), read[name], (en, zh), strict=True)
                if old != new
            ]
            found[name] = f"changed in {' and '.join(sides)}"
    return found


def is_reviewed(both: Pair | Strings, read: dict[str, list[str]]) -> Iterator[str]:
    """Both texts are as somebody read them side by side."""
    for name, what in changed(both, read).items():
        yield f"{name}: {what}; read both, then `python -m tools.languages --accept {name}`"
    there = digests(both)
    for name in read:
        if name.startswith(f"{both.name}/") and name not in there:
            yield f"{name}: accepted once, and no longer there"


def accept(
    everything: Iterable[Pair | Strings], names: Iterable[str], path: Path = REVIEWED
) -> list[str]:
    """Note the pairs of texts as read; forget those that are gone. Returns what was new."""
    names, before = list(names), reviewed(path)
    now = {name: found for both in everything for name, found in digests(both).items()}
    chosen = {
        n
        for n in now
        if not names or any(n == m or n.startswith((f"{m}/", f"{m}.")) for m in names)
    }
    after = {n: now[n] if n in chosen else before.get(n) for n in now}
    after = {n: both for n, both in after.items() if both}
    lines = ",\n".join(f'"{name}": ["{en}", "{zh}"]' for name, (en, zh) in sorted(after.items()))
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8", newline="\n")
    return sorted(n for n in chosen if before.get(n) != now[n])


RULES = (
    same_cells,
    same_code,
    same_form,
    links_lead_somewhere,
    same_outputs,
    is_translated,
    keeps_to_the_glossary,
)


# From English to Chinese


def copy(name: str, folder: Path = NOTEBOOKS, path: Path = REVIEWED) -> list[str]:
    """Give the Chinese notebook the cells of the English one; return what an author must know."""
    source, target = (folder / code / f"{name}.ipynb" for code in ("en", "zh"))
    notebook, told = read(source), []
    old = {cell.id: cell for cell in read(target).cells} if target.exists() else {}
    kept = {cell.id for cell in notebook.cells}
    gone = [each for each in old if each not in kept]
    accepted = reviewed(path)
    for cell in notebook.cells:
        there = old.get(cell.id)
        if there is None and cell.cell_type == "markdown":
            # by what was accepted, a text that is gone may be this one under its old id
            text = digest(cell.source)
            was = (each for each in gone if accepted.get(f"{name}/{each}", [""])[0] == text)
            before = next(was, None)
            if before is not None:
                told.append(f"{name}/{cell.id}: was {before}")
                gone.remove(before)
                there = old[before]
        known = there is not None and there.cell_type == cell.cell_type
        if cell.cell_type == "code":
            cell.source = cell.source.replace(
                LANGUAGE_LINE.format("en"), LANGUAGE_LINE.format("zh")
            )
            cell.outputs = deepcopy(there.outputs) if known else []
            if not known or there.source != cell.source:
                told.append(f"{name}/{cell.id}: {'changed' if known else 'new'} code")
        elif known:
            cell.source = there.source
        else:
            cell.source = UNTRANSLATED + cell.source
            told.append(f"{name}/{cell.id}: to be translated")
    told += [f"{name}/{each}: gone" for each in gone]
    target.write_text(dump(notebook), encoding="utf-8", newline="\n")
    return told


def side_by_side(en: str, zh: str, width: int = 58) -> str:
    """Two texts in two columns; a Chinese character is two columns wide."""
    left = [part for line in en.split("\n") for part in textwrap.wrap(line, width) or [""]]
    right = [part for line in zh.split("\n") for part in wrap_wide(line, width)]
    return "\n".join(
        f"{ours}{' ' * (width - display_width(ours))} | {theirs}".rstrip()
        for ours, theirs in itertools.zip_longest(left, right, fillvalue="")
    )


def display_width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def wrap_wide(line: str, width: int) -> list[str]:
    parts = [""]
    for character in line:
        if display_width(parts[-1] + character) > width:
            parts.append("")
        parts[-1] += character
    return parts


def main(arguments: list[str]) -> int:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    if arguments[:1] == ["--accept"]:
        for name in accept([*pairs(), Strings()], arguments[1:]):
            print(f"accepted: {name}")
        return 0
    if arguments[:1] == ["--copy"]:
        for name in arguments[1:] or [path.stem for path in course_notebooks(NOTEBOOKS / "en")]:
            print(*copy(name), sep="\n")
            print(f"{name}: copied; now `python -m tools.execute notebooks/zh/{name}.ipynb`")
        return 0
    if arguments:
        print(__doc__)
        return 2
    told = [f"{name}: missing" for name in missing()]
    for both in [*pairs(), Strings()]:
        what = changed(both, reviewed())
        for name, en, zh in both.texts():
            if name in what:
                print(f"\n== {name}: {what[name]}\n{side_by_side(en, zh)}")
        if isinstance(both, Pair):
            told += [f"{both.name}: {each}" for rule in RULES for each in rule(both)]
        told += is_reviewed(both, reviewed())
    told += strings_keep_to_the_glossary()
    told += same_glossaries(*(GLOSSARIES[code].read_text(encoding="utf-8") for code in LANGUAGES))
    told += same_commands((ROOT / "README.md").read_text(encoding="utf-8"))
    print("\n".join(["", *told]) if told else "Both languages say the same.")
    return bool(told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
