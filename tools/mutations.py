"""Break each numeric function twice: its unit tests and its home chapter must both notice.

    python -m tools.mutations

Each mutation changes one line in a fresh copy of the course.
Of a home chapter the set-up cell and the sections run in which the function's name stands: each
section needs no other (`python -m tools.sections`).
The table names the first test and the first cell that fail there.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from nbformat.v4 import new_notebook

from tools.notebooks import HOME_CHAPTERS, NUMBER_MODULES, PUBLIC_FUNCTIONS, ROOT, dump, load

HOMES = {function: chapter for chapter, found in HOME_CHAPTERS.items() for function in found}
# module | function | what is wrong then | old text, found once | new text
TABLE = """
encoding | angular_frequencies | i, not 2i | -np.arange(0, d_model, 2) | -np.arange(d_model // 2)
encoding | angular_frequencies | last one is 1 / base | 2) / d_model) | 2) / max(d_model - 2, 1))
encoding | sinusoidal_positional_encoding | cosine for sine | 0::2] = np.sin( | 0::2] = np.cos(
encoding | sinusoidal_positional_encoding | from 1 | np.arange(seq_len) | np.arange(seq_len) + 1
encoding | sinusoidal_positional_encoding_by_rotation | turns back | exp(-1j * rows | exp(1j * rows
encoding | sinusoidal_positional_encoding_by_rotation | starts at (1, 0) | z[0] = 1j | z[0] = 1
encoding | rotation_matrix | turns back | angles = offset * | angles = -offset *
encoding | rotation_matrix | sign of a sine lost | even] = -np.sin( | even] = np.sin(
attention | softmax | axis ignored | (scores.copy(), axis) | (scores.copy())
attention | softmax | maximum not subtracted | scores -= largest | scores -= 0
attention | causal_mask | transposed | np.tri(seq_len, dtype=bool) | np.tri(seq_len, dtype=bool).T
attention | causal_mask | itself hidden | np.tri(seq_len, | np.tri(seq_len, k=-1,
attention | attention_weights | root of d_k dropped | /= math.sqrt(q.shape[-1]) | /= q.shape[-1]
attention | attention_weights | mask inverted | where=~mask | where=mask
attention | scaled_dot_product_attention | mask lost | s(q, k, mask) | s(q, k)
attention | scaled_dot_product_attention | q and k swapped | s(q, k, mask) | s(k, q, mask)
compare | frobenius_difference | root dropped | (weights - other)) | (weights - other) ** 2)
compare | frobenius_difference | spectral norm | norm(weights - other) | norm(weights - other, 2)
compare | order_gap | columns not permuted | before[index][:, index] | before[index]
compare | order_gap | tokens not permuted | attend(x[index]) | attend(x)
compare | repeated_word_gap | sum of the rows | m(weights[i] - | m(weights[i] +
compare | repeated_word_gap | root dropped | weights[j])) | weights[j]) ** 2)
compare | shift_gap | smallest spread | max(np.ptp( | min(np.ptp(
compare | shift_gap | main diagonal only | range(len(gram)) | range(1)
compare | score_terms | not scaled | @ w_k).T / math.sqrt(w_q.shape[1]) | @ w_k).T
compare | score_terms | query and key swapped | {query}_{key} | {key}_{query}
compare | energy_share | share of the content | float(position / | float(content /
compare | energy_share | not squared | np.square(pe, dtype=np.float64) | np.abs(pe)
beyond | rotate | sign of a sine | cos - x[second] * sin | cos + x[second] * sin
beyond | rotate | from 1 | start + np.arange(x.shape[-2]) | start + 1 + np.arange(x.shape[-2])
beyond | alibi_slopes | from h = 0 | -8 * np.arange(1, power + 1) | -8 * np.arange(power)
beyond | alibi_slopes | one step too slow | -8 * np.arange(1, power | -4 * np.arange(1, power
beyond | alibi_bias | plus for minus | slope * -np.abs( | slope * np.abs(
beyond | alibi_bias | sign of the offset kept | slope * -np.abs(pos | slope * -(pos
beyond | t5_bucket | rounded up | + 1e-9).astype(int) | + 1 - 1e-9).astype(int)
beyond | t5_bucket | sign lost | bucket + count * (array > 0) if | bucket if
beyond | shaw_scores | offset the other way | clip + np.clip( | clip - np.clip(
beyond | shaw_scores | not scaled | (q @ k.mT + by_offset) / math.sqrt(width) | q @ k.mT + by_offset
training | loss_and_gradients | wrong sign | weights * (d_weights - ( | weights * (d_weights + (
training | loss_and_gradients | keys not transposed | d_scores.mT @ q / scale | d_scores @ q / scale
"""
MUTATIONS = [tuple(line.split(" | ")) for line in TABLE.strip().splitlines()]


@contextmanager
def copy() -> Iterator[Path]:
    """A copy of all that the tests need; a fresh one has no stale bytecode."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        shutil.copy(ROOT / "pyproject.toml", root)
        for name in ("course_utils", "tests", "tools", "notebooks"):
            ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
            shutil.copytree(ROOT / name, root / name, ignore=ignore)
        yield root


def python(root: Path, folder: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder of a copy; it and the kernels it starts import the copy."""
    env = {**os.environ, "PYTHONPATH": str(root), "PYTHONUTF8": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=root / folder, env=env, capture_output=True, encoding="utf-8", check=False
    )


def failures(root: Path, *targets: str) -> list[str]:
    """Names of the tests and of the cells that fail."""
    options = ("-q", "-n0", "--tb=no", "-p", "no:cacheprovider", "--nbval", "--color=no")
    result = python(root, ".", "-m", "pytest", *options, *targets)
    failed = re.findall(r"^FAILED (?:\S+/)?(.+?)(?: - .*)?$", result.stdout, re.MULTILINE)
    if result.returncode not in (0, 1) or (result.returncode == 1) != bool(failed):
        raise RuntimeError(f"pytest did not run:\n{result.stdout}{result.stderr}")
    return failed


def keep_sections(root: Path, chapter: str, functions: Iterable[str]) -> str:
    """Leave of a chapter in a copy its set-up cell and the sections that name a function."""
    path = root / "notebooks" / "en" / f"{chapter}.ipynb"
    notebook = load(path)
    cells = [cell for cell in notebook.code if cell.id == "setup"]
    for section in notebook.sections():
        source = "\n".join(cell.source for cell in section)
        if any(re.search(rf"\b{function}\b", source) for function in functions):
            cells += section
    for number, cell in enumerate(cells, start=1):
        for each in (cell, *cell.outputs):
            if "execution_count" in each:
                each.execution_count = number
    path.write_text(dump(new_notebook(cells=cells, metadata=notebook.nb.metadata)), "utf-8")
    return str(path.relative_to(root))


def try_one(mutation: tuple[str, ...]) -> tuple[str, str]:
    """Apply one mutation to a copy; the first test and the first cell that fail."""
    module, function, what, old, new = mutation
    with copy() as root:
        path = root / "course_utils" / f"{module}.py"
        source = path.read_text(encoding="utf-8")
        if source.count(old) != 1:
            raise ValueError(f"{function}, {what}: found {source.count(old)} times: {old}")
        path.write_text(source.replace(old, new), encoding="utf-8", newline="\n")
        notebook = keep_sections(root, HOMES[function], [function])
        failed = failures(root, f"tests/test_{module}.py", notebook)
        cells = [name for name in failed if ".ipynb::" in name]
        tests = [name for name in failed if ".ipynb::" not in name]
        return "".join(tests[:1]), "".join(cells[:1])


def main() -> str | None:
    if Counter(function for _, function, *_ in MUTATIONS) != dict.fromkeys(PUBLIC_FUNCTIONS, 2):
        return "not two mutations for each function"
    with copy() as root:
        tests = [f"tests/test_{module}.py" for module in sorted(NUMBER_MODULES)]
        notebooks = [keep_sections(root, *home) for home in HOME_CHAPTERS.items()]
        show = "from course_utils import encoding; print(encoding.__file__)"
        shown = python(root, "notebooks/en", "-c", show)
        if shown.stdout.strip() != str(root / "course_utils" / "encoding.py"):
            return f"the copy is not what is imported:\n{shown.stdout}{shown.stderr}"
        if failed := failures(root, *tests, *notebooks):
            return f"fails without any mutation: {failed[0]}"
    print(f"{'function':<44}{'what is wrong':<24}{'first red cell':<27}first red unit test")
    survived = 0
    with ThreadPoolExecutor(2) as workers:
        for mutation, found in zip(MUTATIONS, workers.map(try_one, MUTATIONS), strict=True):
            _, function, what, *_ = mutation
            test, cell = (each or "SURVIVED" for each in found)
            print(f"{function:<44}{what:<24}{cell:<27}{test}", flush=True)
            survived += not all(found)
    return f"{survived} mutations survived" if survived else None


if __name__ == "__main__":
    sys.exit(main())
