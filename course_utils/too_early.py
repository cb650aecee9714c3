"""One sentence in place of a traceback, where a notebook's state or surroundings are the cause.

Three causes are known: a cell that runs too early, say after a restart; a name of the set-up cell
that the learner has overwritten; a file beside the notebook that has the name of a library.
`etc/ipython/ipython_kernel_config.py` has IPython load this when a kernel starts, before any cell
of the course has run. It speaks in notebooks that choose a language of the course; every other
traceback stays as it is.
"""

import ast
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from course_utils.language import LANGUAGES, STRINGS

__all__ = [
    "load_ipython_extension",
    "what_is_in_the_way",
    "what_was_overwritten",
    "which_cell_first",
]

LANGUAGE_LINE = r"^use_language\(.(\w+).\)"
# what these bind inside stays inside
SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def load_ipython_extension(shell: Any) -> None:
    """Register with IPython, unless somebody else already handles exceptions.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's.
    """
    if not shell.custom_exceptions:
        shell.set_custom_exc((NameError, AttributeError, ImportError), _show)


def which_cell_first(
    cells: Sequence[dict], name: str, code: str = "", cell_id: str | None = None
) -> str | None:
    """Say which cell leaves a name behind: the nearest above, or else the first below.

    Parameters
    ----------
    cells : sequence of dict
        The cells of a notebook, as its file holds them.
    name : str
        What is missing.
    code : str
        The code that misses it.
    cell_id : str, optional
        The cell which holds that code; without it, the cell is found by its code.

    Returns
    -------
    str or None
        One sentence, in the language of the notebook; None if there is nothing to say.

    Examples
    --------
    >>> texts = {"markdown": "## Set up", "code": 'import numpy\\nuse_language("en")'}
    >>> cells = [{"cell_type": kind, "source": text} for kind, text in texts.items()]
    >>> which_cell_first(cells, "numpy")
    'There is no `numpy` yet: first run the cell under “Set up” that starts with `import numpy`.'
    """
    language, here = _language(cells), _place(cells, code, cell_id)
    above, below = [], []
    for index, heading, source in _code(cells):
        if index != here and name in _left_behind(source):
            (above if index < here else below).append((heading, source))
    if language is None or not above + below:
        return None
    heading, source = [*below[:1], *above][-1]
    words = STRINGS["error.too_early"][language]
    return words.format(name=name, heading=heading, line=_first_line(source))


def what_was_overwritten(
    cells: Sequence[dict],
    error: AttributeError,
    names: Mapping[str, object],
    history: Sequence[str],
) -> str | None:
    """Say which cell gave another value to a name that the set-up cell imports.

    Parameters
    ----------
    cells : sequence of dict
        The cells of the notebook, as its file holds them.
    error : AttributeError
        What was raised.
    names : mapping
        The names of the notebook and what they are now.
    history : sequence of str
        The code that ran, oldest first, by execution count.

    Returns
    -------
    str or None
        One sentence, in the language of the notebook; None if no such name is the cause.
    """
    language = _language(cells)
    setups = [each[1:] for each in _code(cells) if re.search(LANGUAGE_LINE, each[2], re.MULTILINE)]
    for heading, setup in setups:
        lost = [
            name for name, thing in _imports(setup) if names.get(name) is error.obj is not thing
        ]
        for count, ran in reversed([*enumerate(history)]):
            for name in _left_behind(ran).intersection(lost) - {each for each, _ in _imports(ran)}:
                where = {"count": count, "line": _first_line(ran), "heading": heading}
                words = STRINGS["error.overwritten"][language]
                return words.format(name=name, setup=_first_line(setup), **where)
    return None


def what_is_in_the_way(cells: Sequence[dict], error: ImportError | AttributeError) -> str | None:
    """Say which file beside the notebook was imported in place of a library of the same name.

    Parameters
    ----------
    cells : sequence of dict
        The cells of the notebook, as its file holds them.
    error : ImportError or AttributeError
        What was raised.

    Returns
    -------
    str or None
        One sentence, in the language of the notebook; None if no such file is the cause.
    """
    language, here = _language(cells), Path.cwd()
    if isinstance(error, ImportError):
        imported = sys.modules.get((error.name or "").partition(".")[0])
        file = error.path or getattr(imported, "__file__", None)
    else:
        file = error.obj.__file__ if isinstance(error.obj, ModuleType) else None
    if file is None or language is None:
        return None
    path = Path(file).parent if Path(file).name == "__init__.py" else Path(file)
    elsewhere = [each for each in sys.path if each and Path(each) != here]
    library = path.stem in sys.stdlib_module_names or PathFinder.find_spec(path.stem, elsewhere)
    if path.parent != here or not library:
        return None
    return STRINGS["error.in_the_way"][language].format(file=path.name, name=path.stem)


def _show(
    shell: Any,
    kind: type[BaseException],
    error: NameError | AttributeError | ImportError,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> None:
    # whatever goes wrong here, the learner's own error is shown
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentence = _sentence(shell, error, trace)
        if sentence is not None:
            error._render_traceback_ = lambda: [sentence]
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)


def _sentence(shell: Any, error: Exception, trace: TracebackType) -> str | None:
    # the servers of Jupyter name the notebook in the one way, VS Code in the other
    path = shell.user_ns.get("__vsc_ipynb_file__") or os.environ["JPY_SESSION_NAME"]
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    if not isinstance(error, NameError):
        said = what_is_in_the_way(cells, error)
        if said or isinstance(error, ImportError):
            return said
    while trace.tb_next:
        trace = trace.tb_next
    frame = trace.tb_frame
    if frame.f_globals is not shell.user_global_ns:
        return None
    if isinstance(error, AttributeError):
        used = {
            name: shell.user_ns[name] for name in frame.f_code.co_names if name in shell.user_ns
        }
        return what_was_overwritten(cells, error, used, shell.user_ns["In"])
    if str(error) != f"name {error.name!r} is not defined":
        return None
    parent = shell.get_parent()
    code, cell_id = parent["content"]["code"], parent["metadata"].get("cellId")
    return which_cell_first(cells, error.name, code, cell_id)


def _code(cells: Sequence[dict]) -> Iterator[tuple[int, str, str]]:
    """Index, heading and source of each code cell."""
    heading = ""
    for index, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield index, heading, source
        else:
            heading = (_headings(source) or [heading])[-1]


def _place(cells: Sequence[dict], code: str, cell_id: str | None) -> int:
    ids = [cell.get("id") for cell in cells]
    if cell_id is not None and cell_id in ids:
        return ids.index(cell_id)
    sources = ["".join(cell["source"]) for cell in cells]
    return sources.index(code) if code in sources else -1


def _language(cells: Sequence[dict]) -> str | None:
    sources = "\n".join(source for _, _, source in _code(cells))
    chosen = re.search(LANGUAGE_LINE, sources, re.MULTILINE)
    return chosen[1] if chosen and chosen[1] in LANGUAGES else None


def _first_line(source: str) -> str:
    return source.strip().partition("\n")[0]


def _imports(source: str) -> Iterator[tuple[str, object]]:
    """Each name that a cell imports, with what it stands for."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, sys.modules.get(alias.name if alias.asname else name)
        elif isinstance(node, ast.ImportFrom):
            module = sys.modules.get(node.module or "")
            for alias in node.names:
                yield alias.asname or alias.name, getattr(module, alias.name, None)


def _headings(source: str) -> list[str]:
    without_code = re.sub(r"^```.*?^```", "", source, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ +(.*\S)", without_code, re.MULTILINE)


def _left_behind(source: str) -> set[str]:
    """The names of the notebook that a cell binds and does not delete; none if it is not Python."""
    source = re.sub(r"^[%!].*", "", source, flags=re.MULTILINE)
    try:
        waiting: list[ast.AST] = [ast.parse(source)]
    except SyntaxError:
        return set()
    bound, deleted = set(), set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            (bound if isinstance(node.ctx, ast.Store) else deleted).add(node.id)
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)
    return bound - deleted
