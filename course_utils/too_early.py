"""What a learner reads who runs a cell too early, say after a restart: which cell comes first.

`etc/ipython/ipython_kernel_config.py` has IPython load this at the start of a kernel, since no cell
of the course has run yet when it is needed. It speaks in notebooks that choose a language of the
course; elsewhere, and for names that no cell defines, the traceback stays as it is.
"""

import ast
import json
import os
import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from course_utils.language import LANGUAGES, STRINGS

__all__ = ["load_ipython_extension", "which_cell_first"]

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
        shell.set_custom_exc((NameError,), _show)


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
    sources = ["".join(cell["source"]) for cell in cells]
    is_code = [cell["cell_type"] == "code" for cell in cells]
    language = _language(source for source, runs in zip(sources, is_code, strict=True) if runs)
    here = _place(cells, sources, code, cell_id)
    heading, above, below = "", [], []
    for index, source in enumerate(sources):
        if not is_code[index]:
            heading = (_headings(source) or [heading])[-1]
        elif index != here and name in _left_behind(source):
            first_line = source.strip().partition("\n")[0]
            (above if index < here else below).append((heading, first_line))
    if language is None or not above + below:
        return None
    heading, first_line = [*below[:1], *above][-1]
    words = STRINGS["error.too_early"][language]
    return words.format(name=name, heading=heading, line=first_line)


def _show(
    shell: Any,
    kind: type[BaseException],
    error: NameError,
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


def _sentence(shell: Any, error: NameError, trace: TracebackType) -> str | None:
    while trace.tb_next:
        trace = trace.tb_next
    missing = str(error) == f"name {error.name!r} is not defined"
    if not missing or trace.tb_frame.f_globals is not shell.user_global_ns:
        return None
    # the servers of Jupyter name the notebook in the one way, VS Code in the other
    path = shell.user_ns.get("__vsc_ipynb_file__") or os.environ["JPY_SESSION_NAME"]
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    parent = shell.get_parent()
    code, cell_id = parent["content"]["code"], parent["metadata"].get("cellId")
    return which_cell_first(cells, error.name, code, cell_id)


def _place(cells: Sequence[dict], sources: list[str], code: str, cell_id: str | None) -> int:
    ids = [cell.get("id") for cell in cells]
    if cell_id is not None and cell_id in ids:
        return ids.index(cell_id)
    return sources.index(code) if code in sources else -1


def _language(sources: Sequence[str]) -> str | None:
    chosen = re.search(r"^use_language\(.(\w+).\)", "\n".join(sources), re.MULTILINE)
    return chosen[1] if chosen and chosen[1] in LANGUAGES else None


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
