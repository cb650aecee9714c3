"""The notebooks of the course: where they are, and how they are read and written."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.language import LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
NOT_OURS = {
    *(".git", ".hypothesis", ".ipynb_checkpoints", ".pytest_cache", ".ruff_cache", ".venv"),
    *("__pycache__", "build", "dist", "lite", "pages", "sheets", "slides", "uv.lock"),
}

# In its home chapter a function is written out in the open, and shakes hands with the module's.
# Everywhere else it is imported. The notebook `further` may be a home, too.
HOME_CHAPTERS = {
    "01_encode": {
        "angular_frequencies",
        "sinusoidal_positional_encoding",
        "rotation_matrix",
    },
    "further": {"sinusoidal_positional_encoding_by_rotation"},
    "02_add": {"energy_share"},
    "03_attend": {
        "softmax",
        "causal_mask",
        "attention_weights",
        "scaled_dot_product_attention",
        "score_terms",
    },
    "04_compare": {"frobenius_difference", "order_gap", "repeated_word_gap", "shift_gap"},
    "05_beyond": {
        "alibi_bias",
        "alibi_slopes",
        "loss_and_gradients",
        "rotate",
        "shaw_scores",
        "t5_bucket",
    },
}
PUBLIC_FUNCTIONS = set().union(*HOME_CHAPTERS.values())
NUMBER_MODULES = {"encoding", "attention", "compare", "beyond", "training"}


def course_files(under: str = ".") -> list[Path]:
    """The files of a checkout, in order, without what Git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", under]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
        found = [ROOT / name for name in set(done.stdout.split("\0")) - {""}]
    # no Git, or no checkout of it
    except (OSError, subprocess.CalledProcessError):
        found = [
            path
            for path in (ROOT / under).rglob("*")
            if not NOT_OURS & {*path.relative_to(ROOT).parts} and path.suffix != ".egg-info"
        ]
    return sorted(path for path in found if path.is_file())


def course_notebooks(folder: Path = NOTEBOOKS) -> list[Path]:
    """Every notebook under a folder, in order, without Jupyter's checkpoints."""
    found = folder.rglob("*.ipynb")
    return sorted(path for path in found if not NOT_OURS & {*path.relative_to(folder).parts})


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def dump(notebook: NotebookNode) -> str:
    """The text of a notebook: indent 1, sorted keys, Chinese as it is, newline at the end."""
    return nbformat.v4.writes(notebook).rstrip("\n") + "\n"


@dataclass(frozen=True)
class Notebook:
    name: str
    text: str
    nb: NotebookNode
    language: str = "en"

    @property
    def code(self) -> list[NotebookNode]:
        return [cell for cell in self.nb.cells if cell.cell_type == "code"]

    @property
    def prose(self) -> list[NotebookNode]:
        return [cell for cell in self.nb.cells if cell.cell_type == "markdown"]

    def sections(self) -> list[list[NotebookNode]]:
        """The code cells between one second-level heading and the next, without set-up."""
        found: list[list[NotebookNode]] = [[]]
        for cell in self.nb.cells:
            if 2 in (level for level, _ in headings(cell)):
                found.append([])
            if cell.cell_type == "code" and cell.id != "setup":
                found[-1].append(cell)
        return [section for section in found if section]


def load(path: Path) -> Notebook:
    """Read a notebook as it is: nbformat.read would mend some of what the rules look for."""
    text = path.read_bytes().decode("utf-8")
    folder = path.resolve().parent.name
    language = folder if folder in LANGUAGES else "en"
    return Notebook(path.stem, text, nbformat.v4.reads(text), language)


def headings(cell: NotebookNode) -> list[tuple[int, str]]:
    """Level and text of each heading in a cell."""
    if cell.cell_type != "markdown":
        return []
    found = re.findall(r"^(#{1,6})\s+(.*)$", without_code(cell.source), re.MULTILINE)
    return [(len(marks), title) for marks, title in found]


def without_code(source: str) -> str:
    fences = re.compile(r"^(```|~~~).*?^\1\s*?$", re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)[^`].*?\1", " ", fences.sub(" ", source), flags=re.DOTALL)


def without_code_and_formulas(source: str) -> str:
    return re.sub(r"\$\$.+?\$\$|\$[^$]+?\$", " ", without_code(source), flags=re.DOTALL)


def pictures(cell: NotebookNode) -> list[NotebookNode]:
    return [output for output in cell.outputs if "image/png" in output.get("data", {})]


def printed(cell: NotebookNode) -> str:
    """What a cell printed on stdout."""
    return "".join(out.text for out in cell.outputs if out.get("name") == "stdout")


def shown(cell: NotebookNode) -> str:
    """All text that a cell shows: printed, or as a value."""
    plain = [out.data.get("text/plain", "") for out in cell.outputs if "data" in out]
    return "\n".join([printed(cell), *plain])


def has_han(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)
