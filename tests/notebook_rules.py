"""The rules that every notebook of the course keeps, one function each.

A rule takes a notebook and yields a sentence for each place where it is broken.
`RULES` are checked by `test_notebooks.py`; nbval is only as good as what is stored, so
`EVIDENCE` are checked again by `notebooks/conftest.py` before nbval runs anything.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

import nbformat
from nbformat import NotebookNode
from nbval.plugin import comment_markers, metadata_tags

from tools.execute import normalise
from tools.notebooks import (
    HOME_CHAPTERS,
    NUMBER_MODULES,
    PUBLIC_FUNCTIONS,
    Notebook,
    dump,
    has_han,
    headings,
    pictures,
    printed,
    shown,
    without_code_and_formulas,
)

ALLOWED_IMPORTS = {
    "IPython",
    "collections",
    "course_utils",
    "functools",
    "itertools",
    "math",
    "matplotlib",
    "numpy",
    "time",
}
FORBIDDEN_NAMES = {
    *("__builtins__", "__import__", "breakpoint", "compile", "eval", "exec", "get_ipython"),
    *("input", "open"),
}
# files: a notebook reads and writes none
FORBIDDEN_ATTRIBUTES = {
    *("fromfile", "genfromtxt", "load", "loadtxt", "memmap", "save", "savefig", "savetxt"),
    *("savez", "savez_compressed", "system", "tofile"),
}
SIZE_LIMIT = 1_000_000


# What is stored is evidence


def is_run_in_order(notebook: Notebook) -> Iterator[str]:
    """Execution counts are 1 to n."""
    if not notebook.code:
        yield "no code cell"
    for number, cell in zip(count(1), notebook.code, strict=False):
        if cell.execution_count != number:
            yield f"cell {cell.id}: execution count {cell.execution_count}, expected {number}"


def skips_nothing(notebook: Notebook) -> Iterator[str]:
    """No cell's output is ignored, expected to raise, or skipped."""
    for cell in notebook.nb.cells:
        for tag in cell.metadata.get("tags", []):
            if tag in metadata_tags or tag.startswith(("nbval", "skip", "raises")):
                yield f"cell {cell.id}: tag {tag}"
        for marker in [*comment_markers, "NBVAL"]:
            if cell.cell_type == "code" and marker in cell.source:
                yield f"cell {cell.id}: marker {marker}"
        if cell.cell_type == "raw":
            yield f"cell {cell.id}: a raw cell is never checked"


EVIDENCE = (is_run_in_order, skips_nothing)


# Form


def is_valid(notebook: Notebook) -> Iterator[str]:
    """The file keeps to the notebook format."""
    for error in nbformat.validator.iter_validate(notebook.nb):
        yield error.message


def is_normal(notebook: Notebook) -> Iterator[str]:
    """The file is what `python -m tools.execute` writes."""
    copy = nbformat.v4.reads(notebook.text)
    normalise(copy)
    if dump(copy) != notebook.text:
        yield "not in normal form: run `python -m tools.execute` on it"


def is_small(notebook: Notebook) -> Iterator[str]:
    """Under 1 MB."""
    size = len(notebook.text.encode())
    if size >= SIZE_LIMIT:
        yield f"{size:,} bytes, the limit is {SIZE_LIMIT:,}"


def has_speaking_ids(notebook: Notebook) -> Iterator[str]:
    """Cell ids are words, each used once; the first code cell is `setup`."""
    ids = [cell.get("id", "") for cell in notebook.nb.cells]
    for name in ids:
        words = re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)
        if not words or re.fullmatch(r"[0-9a-f]{8}(-.*)?", name):
            yield f"cell id {name!r} is not made of words, such as fig-heatmap"
        if ids.count(name) > 1:
            yield f"cell id {name!r} is used more than once"
    if notebook.code and notebook.code[0].id != "setup":
        yield f"the first code cell is {notebook.code[0].id!r}, not 'setup'"


# Code


def is_plain_python(notebook: Notebook) -> Iterator[str]:
    """No magics or shell, no network, no files, no eval; ASCII only."""
    for cell in notebook.code:
        if not cell.source.isascii():
            yield f"cell {cell.id}: not ASCII; text for readers belongs in Markdown or words.toml"
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            yield f"cell {cell.id}: not plain Python in line {error.lineno}: {error.text}"
            continue
        for node in ast.walk(tree):
            for name in _imported(node) - ALLOWED_IMPORTS:
                yield f"cell {cell.id}: imports {name}"
            if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
                yield f"cell {cell.id}: uses {node.id}"
            used = {node.attr} if isinstance(node, ast.Attribute) else set()
            if isinstance(node, ast.ImportFrom):
                used = {alias.name for alias in node.names}
            for name in used & (FORBIDDEN_ATTRIBUTES | FORBIDDEN_NAMES):
                yield f"cell {cell.id}: uses .{name}"


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]}
    return set()


def parsed(notebook: Notebook) -> Iterator[tuple[NotebookNode, ast.Module]]:
    """Each code cell with its syntax tree; cells that are not Python are told elsewhere."""
    for cell in notebook.code:
        try:
            yield cell, ast.parse(cell.source)
        except SyntaxError:
            continue


def definitions(tree: ast.AST) -> dict[str, ast.AST]:
    """Names that a cell binds to a function of its own, with the body."""
    found: dict[str, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found |= {t.id: node.value for t in node.targets if isinstance(t, ast.Name)}
    return found


def defines_at_home_only(notebook: Notebook) -> Iterator[str]:
    """A function of the module is written out in its home chapter only."""
    elsewhere = PUBLIC_FUNCTIONS - HOME_CHAPTERS.get(notebook.name, set())
    for cell, tree in parsed(notebook):
        for name in elsewhere & definitions(tree).keys():
            yield f"cell {cell.id}: defines {name}, import it instead"


def repeated_functions(notebooks: Iterable[Notebook]) -> Iterator[str]:
    """Functions of more than one line that two notebooks write out, whatever they are called."""
    first_seen: dict[str, tuple[str, str]] = {}
    for notebook in notebooks:
        for cell, tree in parsed(notebook):
            for function in definitions(tree).values():
                if isinstance(function, ast.FunctionDef):
                    body = "\n".join(map(ast.unparse, function.body))
                    name, place = first_seen.setdefault(body, (notebook.name, cell.id))
                    if name != notebook.name and "\n" in body:
                        yield f"{notebook.name}, cell {cell.id} repeats {name}, cell {place}"


def shakes_hands(notebook: Notebook) -> Iterator[str]:
    """The home chapter ends each function with `np.testing.assert_allclose` against the module."""
    shaken = set()
    for _, tree in parsed(notebook):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _attribute(node.func) == "assert_allclose":
                sides = [_module_calls(side) for side in node.args[:2]]
                # one side is the module's, the other the notebook's own
                if len(sides) == 2 and not all(sides):
                    shaken |= set().union(*sides)
    for name in sorted(HOME_CHAPTERS.get(notebook.name, set()) - shaken):
        yield f"no np.testing.assert_allclose(..., <module>.{name}(...))"


def _attribute(node: ast.AST) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else None


def _module_calls(tree: ast.AST) -> set[str]:
    """Functions called in a tree as `encoding.<function>(...)` and the like."""
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {
        function.attr
        for function in functions
        if isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id in NUMBER_MODULES
    }


# Outputs


def shows_text_and_png_only(notebook: Notebook) -> Iterator[str]:
    """No HTML, no widget state, no errors, nothing on stderr."""
    allowed = {"text/plain", "text/markdown", "image/png"}
    if "widgets" in notebook.nb.metadata:
        yield "widget state is stored"
    for cell in notebook.code:
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"cell {cell.id}: error {output.ename}"
            elif output.get("name") == "stderr":
                yield f"cell {cell.id}: stderr: {output.text.strip()[:80]}"
            for kind in output.get("data", {}).keys() - allowed:
                yield f"cell {cell.id}: output of type {kind}"


def shows_the_same_everywhere(notebook: Notebook) -> Iterator[str]:
    """No memory addresses, and no representations that differ between releases of NumPy."""
    for cell in notebook.code:
        for found in re.findall(r"\b0x[0-9a-f]{6,}\b|\bnp\.\w+\(", shown(cell)):
            yield f"cell {cell.id}: shows {found}"


def tells_its_figures(notebook: Notebook) -> Iterator[str]:
    """Each picture comes with a line of numbers, which is what nbval compares."""
    for cell in notebook.code:
        drawn = pictures(cell)
        if "plt.show()" in cell.source and not drawn:
            yield f"cell {cell.id}: calls plt.show() and stores no picture"
        for picture in drawn:
            summary = picture.data.get("text/plain", "")
            line = printed(cell) if summary.startswith("<Figure") else summary
            if not re.search(r"\d", line):
                yield f"cell {cell.id}: a picture without a line of numbers"


# Prose


def is_clean_markdown(notebook: Notebook) -> Iterator[str]:
    """No HTML but details and summary, no pictures from elsewhere, no invisible characters.

    Bold that ends in a full stop and goes on with a letter, as Chinese without spaces may, shows
    its asterisks.
    """
    for cell in notebook.prose:
        text = without_code_and_formulas(cell.source)
        for before, bold, after in re.findall(r"(\w?)\*\*([^*\n]+)\*\*(?=(\w?))", text):
            marks = [unicodedata.category(bold[end]).startswith("P") for end in (0, -1)]
            if (before and marks[0]) or (after and marks[1]):
                yield f"cell {cell.id}: {bold!r} is not shown in bold: move its mark outside"
        for tag in re.findall(r"<!--|</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>", text):
            if not re.fullmatch(r"</?(details|summary)( open)?>", tag):
                yield f"cell {cell.id}: HTML {tag}"
        for target in re.findall(r"!\[[^\]]*\]\(\s*(\S+?)[\s)]", text):
            if re.match(r"\w+:|//", target):
                yield f"cell {cell.id}: picture from {target}"
    for cell in notebook.nb.cells:
        for character in set(cell.source) - {"\n", "\t"}:
            if unicodedata.category(character) in {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}:
                yield f"cell {cell.id}: invisible character U+{ord(character):04X}"


def nests_headings(notebook: Notebook) -> Iterator[str]:
    """One title, in the first cell; no level is jumped over."""
    found = [(cell, level, title) for cell in notebook.nb.cells for level, title in headings(cell)]
    levels = [level for _, level, _ in found]
    if levels[:1] != [1] or levels.count(1) != 1 or found[0][0] is not notebook.nb.cells[0]:
        yield f"{levels.count(1)} titles; one is wanted, at the top of the first cell"
    for above, (cell, level, title) in zip(levels, found[1:], strict=False):
        if level > above + 1:
            yield f"cell {cell.id}: heading {title!r} jumps from level {above} to {level}"


def names_its_links(notebook: Notebook) -> Iterator[str]:
    """A link says where it goes: no address and no "here" in place of words."""
    for cell in notebook.prose:
        text = without_code_and_formulas(cell.source)
        for words in re.findall(r"\[([^\]]*)\]\(", text):
            if not words.strip() or NOWHERE.fullmatch(words.strip()):
                yield f"cell {cell.id}: link {words!r} does not say where it goes"
        for address in re.findall(r"https?://\S+", re.sub(r"\]\([^)]*\)", "]", text)):
            yield f"cell {cell.id}: the address {address} without words"


NOWHERE = re.compile(
    r"(https?://|www\.).*|(click )?(here|this|link|this link|this page|more|read more)"
    r"|(点击|见|请看)?(这里|此处|链接|这个链接|此链接|更多|这个页面)",
    re.IGNORECASE,
)


def speaks_its_language(notebook: Notebook) -> Iterator[str]:
    """The folder says the language: of the set-up cell, of each line of prose, of the outputs."""
    for cell in notebook.code:
        for code in re.findall(r"^use_language\(.(\w*).\)", cell.source, re.MULTILINE):
            if code != notebook.language:
                yield f"cell {cell.id}: use_language({code!r}) in the folder {notebook.language}"
        if notebook.language == "en" and has_han(shown(cell) + told(cell)):
            yield f"cell {cell.id}: Chinese in an English output"
        if notebook.language == "zh" and told(cell) and not has_han(told(cell)):
            yield f"cell {cell.id}: feedback without Chinese"
    for cell in notebook.prose:
        if notebook.language == "en":
            if has_han(cell.source):
                yield f"cell {cell.id}: Chinese in an English text"
        elif not has_han(cell.source):
            yield f"cell {cell.id}: no Chinese"
        else:
            for line in without_names(cell.source).splitlines():
                if not has_han(line) and len(re.findall(r"[A-Za-z]{2,}", line)) > 1:
                    yield f"cell {cell.id}: left in English: {line.strip()}"


def told(cell: NotebookNode) -> str:
    """What a cell shows as Markdown, such as the feedback of a check."""
    found = (output.get("data", {}).get("text/markdown", "") for output in cell.outputs)
    return "\n".join(found).strip()


def without_names(source: str) -> str:
    """Prose without code, formulas, HTML, and links, whose titles stay as they are."""
    return re.sub(r"\[[^\]]*\]\([^)]*\)|<[^>]*>", " ", without_code_and_formulas(source))


# "Exercise 1.2", "section 3.5", "NumPy 2.0": labels, not measurements
LABELS = re.compile(
    r"(?:exercises?|sections?|chapters?|figures?|tables?|equations?|练习|章|节|图|表"
    r"|python|numpy|matplotlib|jupyterlab|ipywidgets|version|版本|arxiv:?)\s*\d+(?:\.\d+)+"
    r"|第\s*\d+(?:\.\d+)+\s*[章节]",
    re.IGNORECASE,
)
# decimal fractions, and percentages of any kind
QUOTED = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<sign>[-\N{MINUS SIGN}]?)(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?P<exponent>e[-+]?\d+)?(?P<percent>\s?[%％])?(?!\d|\.\d)"
)
PRINTED = re.compile(r"(?<![A-Za-z0-9_.])[-\N{MINUS SIGN}]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def quotes_what_it_prints(notebook: Notebook) -> Iterator[str]:
    """Decimal fractions and percentages in prose are found, rounded, in the outputs.

    Formulas, headings, and code spans are exempt: a code span is a quotation.
    """
    values = [value for cell in notebook.code for value in printed_numbers(shown(cell))]
    for cell in notebook.prose:
        for number in quoted_numbers(cell.source):
            if not any(number.matches(value) for value in values):
                yield f"cell {cell.id}: no output shows {number.text}"


@dataclass(frozen=True)
class Quoted:
    text: str
    value: float
    half_unit: float
    signed: bool
    percent: bool

    def matches(self, value: float) -> bool:
        """Whether a printed value rounds to this number; without a sign, size alone counts."""
        candidates = (value, 100 * value) if self.percent else (value,)
        return any(
            abs((each if self.signed else abs(each)) - self.value) <= self.half_unit * (1 + 1e-6)
            for each in candidates
        )


def quoted_numbers(source: str) -> Iterator[Quoted]:
    text = re.sub(r"\]\([^)]*\)|<\w+:[^>]*>", " ", without_code_and_formulas(source))
    text = re.sub(r"^#{1,6}\s.*$", " ", text, flags=re.MULTILINE)
    for found in QUOTED.finditer(LABELS.sub(" ", text)):
        digits = found["digits"].replace(",", "")
        fraction = digits.partition(".")[2]
        if fraction or found["percent"]:
            exponent = found["exponent"] or "e0"
            half_unit = 0.5 * 10.0 ** (int(exponent[1:]) - len(fraction))
            value = float(digits + exponent)
            yield Quoted(
                text=found[0].strip(),
                value=-value if found["sign"] else value,
                half_unit=half_unit,
                signed=bool(found["sign"]),
                percent=bool(found["percent"]),
            )


def printed_numbers(text: str) -> Iterator[float]:
    ungrouped = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    for found in PRINTED.findall(ungrouped):
        yield float(found.replace("\N{MINUS SIGN}", "-"))


RULES = (
    *EVIDENCE,
    is_valid,
    is_normal,
    is_small,
    has_speaking_ids,
    is_plain_python,
    defines_at_home_only,
    shakes_hands,
    shows_text_and_png_only,
    shows_the_same_everywhere,
    tells_its_figures,
    is_clean_markdown,
    nests_headings,
    names_its_links,
    speaks_its_language,
    quotes_what_it_prints,
)
