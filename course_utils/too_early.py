"""One sentence in place of a traceback, where a notebook's state or surroundings are the cause.

Three causes are known: a cell that runs too early, say after a restart; a name of the set-up cell
that the learner has overwritten; a file beside the notebook that has the name of a library.
`etc/ipython/ipython_config.py` has IPython load this when a kernel starts, before any cell
of the course has run. It speaks in notebooks that choose a language of the course; every other
traceback stays as it is.
"""

import ast
import dis
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from course_utils.language import STRINGS

__all__ = ["load_ipython_extension", "which_cell_first"]

LANGUAGE_LINE = re.compile(r"^use_language\(.(\w+).\)", re.MULTILINE)


def load_ipython_extension(shell: Any) -> None:
    """Register with IPython, unless somebody else already handles exceptions."""
    if not shell.custom_exceptions:
        shell.set_custom_exc((NameError, AttributeError, ImportError), _show)


def which_cell_first(
    cells: Sequence[dict], name: str, code: str = "", cell_id: str | None = None
) -> str | None:
    """Say which cell leaves a missing name behind: the nearest above, or else the first below.

    `code` misses it, in the cell of the id, or else in the one that holds this code. None if there
    is nothing to say.

    Examples
    --------
    >>> texts = {"markdown": "## Set up", "code": 'import numpy\\nuse_language("en")'}
    >>> cells = [{"cell_type": kind, "source": text} for kind, text in texts.items()]
    >>> which_cell_first(cells, "numpy")
    'There is no `numpy` yet: first run the cell under “Set up” that starts with `import numpy`.'
    """
    here, above, below = _place(cells, code, cell_id), [], []
    for index, heading, source in _code(cells):
        if index != here and name in _left_behind(source):
            (above if index < here else below).append((heading, source))
    for heading, source in [*above[-1:], *below]:
        line = _first_line(source)
        return _said(cells, "error.too_early", name=name, heading=heading, line=line)
    return None


def _overwritten(cells: Sequence[dict], lost: Sequence[str], history: Sequence[str]) -> str | None:
    """Say which cell of the history gave a new meaning to a lost name of the set-up cell."""
    for _, heading, setup in _code(cells):
        imported = _imports(setup) if LANGUAGE_LINE.search(setup) else set()
        for name in imported.intersection(lost):
            binds = [count for count, ran in enumerate(history) if name in _left_behind(ran)]
            if binds and name not in _imports(history[binds[-1]]):
                lines = {"line": _first_line(history[binds[-1]]), "setup": _first_line(setup)}
                where = {"count": binds[-1], "heading": heading}
                return _said(cells, "error.overwritten", name=name, **lines, **where)
    return None


def _in_the_way(cells: Sequence[dict], error: ImportError | AttributeError) -> str | None:
    """Say which file beside the notebook was imported in place of a library of the same name."""
    module = getattr(error, "obj", None) or sys.modules.get((error.name or "").partition(".")[0])
    path, here = Path(getattr(error, "path", None) or module.__file__), Path.cwd()
    path = path.parent if path.name == "__init__.py" else path
    elsewhere = [each for each in sys.path if each and Path(each) != here]
    library = path.stem in sys.stdlib_module_names or PathFinder.find_spec(path.stem, elsewhere)
    if path.parent != here or not library:
        return None
    return _said(cells, "error.in_the_way", file=path.name, name=path.stem)


def _show(
    shell: Any, kind: type, error: Exception, trace: TracebackType, tb_offset: int | None = None
) -> None:
    # whatever goes wrong here, the learner's own error is shown
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentence = _sentence(shell, error, trace)
        if sentence is not None:
            error._render_traceback_ = lambda: [sentence]
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)


def _sentence(shell: Any, error: Exception, trace: TracebackType) -> str | None:
    parent = getattr(shell, "get_parent", dict)()
    code = parent["content"]["code"] if parent else shell.user_ns["In"][-1]
    # the servers of Jupyter name the notebook in the one way, VS Code in the other, JupyterLite not
    path = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME")
    paths = sorted(Path.cwd().glob("*.ipynb")) if path is None else [Path(path)]
    found = (json.loads(each.read_text(encoding="utf-8"))["cells"] for each in paths)
    cells = next(each for each in found if path is not None or _place(each, code, None) >= 0)
    if isinstance(error, ImportError) or isinstance(getattr(error, "obj", None), ModuleType):
        return _in_the_way(cells, error)
    while trace.tb_next:
        trace = trace.tb_next
    frame = trace.tb_frame
    if frame.f_globals is not shell.user_global_ns:
        return None
    if isinstance(error, AttributeError):
        names = frame.f_code.co_names
        lost = [name for name in names if shell.user_ns.get(name, shell) is error.obj]
        return _overwritten(cells, lost, shell.user_ns["In"])
    if str(error) != f"name {error.name!r} is not defined":
        return None
    return which_cell_first(cells, error.name, code, parent.get("metadata", {}).get("cellId"))


def _said(cells: Sequence[dict], key: str, **values: object) -> str | None:
    """Return a sentence in the language that a notebook chooses; None if it chooses none."""
    chosen = LANGUAGE_LINE.search("\n".join(source for *_, source in _code(cells)))
    words = chosen and STRINGS[key].get(chosen[1])
    return words and words.format(**values)


def _code(cells: Sequence[dict]) -> Iterator[tuple[int, str, str]]:
    """Index, heading and source of each code cell."""
    heading = ""
    for index, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield index, heading, source
        else:
            prose = re.sub(r"^```.*?^```", "", source, flags=re.MULTILINE | re.DOTALL)
            heading = [heading, *re.findall(r"^#+ +(.*\S)", prose, re.MULTILINE)][-1]


def _place(cells: Sequence[dict], code: str, cell_id: str | None) -> int:
    ids = [cell.get("id") for cell in cells]
    if cell_id is not None and cell_id in ids:
        return ids.index(cell_id)
    sources = ["".join(cell["source"]) for cell in cells]
    return sources.index(code) if code in sources else -1


def _first_line(source: str) -> str:
    return source.strip().partition("\n")[0]


def _imports(source: str) -> set[str]:
    """The names that a cell imports."""
    kinds = (ast.Import, ast.ImportFrom)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    return {(each.asname or each.name).partition(".")[0] for node in nodes for each in node.names}


def _left_behind(source: str) -> set[str]:
    """The names of the notebook that a cell binds and does not delete; none if it is not Python."""
    source = re.sub(r"^[%!].*", "", source, flags=re.MULTILINE)
    try:
        code = compile(source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return set()
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    bound, deleted = (
        {name for done, name in steps if done == wanted} for wanted in ("STORE_NAME", "DELETE_NAME")
    )
    return bound - deleted
