"""The course as a site that runs in the browser and asks nobody to install anything: JupyterLite.

    python -m tools.lite --to lite
    python -m http.server --directory lite

The site is files alone, for any host of static pages. The learner's browser takes Pyodide, with
NumPy and Matplotlib, from the network that Pyodide names; all else lies in the site. With
`--pyodide FOLDER`, which holds a distribution of Pyodide 0.27.7, the site needs no other host.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from zipfile import ZipFile

from tools.notebooks import NOTEBOOKS, ROOT, course_notebooks, read

__all__ = ["build", "main", "notebook", "with_wheels"]

# what belongs together: a kernel speaks to one Pyodide only
BUILD = ["jupyterlite-core==0.8.6", "jupyterlite-pyodide-kernel[lock]==0.8.6"]
BUILD_LOCAL = ["jupyterlite-core==0.6.4", "jupyterlite-pyodide-kernel==0.6.1"]
WIDGETS = "jupyterlab-widgets==3.0.15"
WHEELS = [
    WIDGETS,
    "widgetsnbextension==4.0.14",
    "ipywidgets==8.1.7",
    "comm==0.2.3",
    "zhplot==1.0.0",
]
COURSE = "positional-encoding-course"
# of Pyodide's own packages, those that a chapter imports or the kernel starts with
PARTS = ["numpy", "matplotlib", "pillow", "micropip", "ipython", "jedi", "sqlite3", "ssl"]
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# the advice of the set-up cell, which fits a computer and not a page
ADVICE = {
    "run %pip install -e ../.. in a new cell, then restart the kernel": "reload this page",
    "run `%pip install -e ../..` in a new cell, then restart the kernel": "reload this page",
    "就在新单元格里运行 `%pip install -e ../..`，再重启内核": "就重新载入本页",
}


def build(folder: Path, pyodide: Path | None = None) -> None:
    """Build the site.

    Parameters
    ----------
    folder : Path
        Where to; what is there is replaced.
    pyodide : Path, optional
        A folder with Pyodide 0.27.7 and its wheels, for a site that needs no other host.
    """
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        _files(home / "files")
        wheels = home / "wheels"
        _uv("build", "--quiet", "--wheel", "--out-dir", wheels, ROOT)
        _uv(
            *["tool", "run", "pip", "download", "--quiet", "--no-deps", "--dest"],
            wheels,
            WIDGETS,
            *WHEELS,
        )
        # loaded before the kernel starts, which then reads the course's configuration
        settings = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": [COURSE]}}
        addon = {"enabled": True, "wheels": [str(each) for each in wheels.glob("*.whl")]}
        addon |= {"prefetch_extra": [COURSE]}
        config = {"LiteBuildConfig": {"contents": ["files"], "cache_dir": str(home / "cache")}}
        if pyodide is None:
            config["PyodideLockAddon"] = addon
        else:
            _distribution(home / "static" / "pyodide", pyodide, wheels)
        _write(home / "jupyter_lite_config.json", config)
        page = {"appName": "Positional encoding", "litePluginSettings": {KERNEL: settings}}
        document = {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}
        _write(home / "jupyter-lite.json", document)
        core, kernel = BUILD if pyodide is None else BUILD_LOCAL
        others = ["--with", kernel, "--with", "jupyter-server>=2", "--with", WIDGETS]
        command = ["jupyter", "lite", "build", "--lite-dir", home, "--output-dir", home / "site"]
        # the add-on of the one recipe wants a newer Python than the course does
        python = [] if pyodide else ["--python", ">=3.12"]
        _uv("tool", "run", *python, "--from", core, *others, *command, cwd=home)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(home / "site", folder)


def notebook(path: Path) -> str:
    """Return a notebook as the site holds it.

    Each cell is one string, since JupyterLite's table of contents wants that, and the advice of the
    set-up cell fits a page.

    Parameters
    ----------
    path : Path
        One of the course's notebooks.

    Returns
    -------
    str
        JSON.

    Examples
    --------
    >>> "%pip" in notebook(NOTEBOOKS / "en" / "01_encode.ipynb")
    False
    """
    nb = read(path)
    for cell in nb.cells:
        for words, instead in ADVICE.items():
            cell.source = cell.source.replace(words, instead)
    return json.dumps(nb, ensure_ascii=False)


def with_wheels(lock: dict, wheels: list[Path]) -> dict:
    """Return Pyodide's list of packages with the course and what it brings along.

    Parameters
    ----------
    lock : dict
        ``pyodide-lock.json``.
    wheels : list of Path
        Wheels of pure Python that lie beside it.

    Returns
    -------
    dict
        The parts of `lock` that the course needs, and the wheels.
    """
    packages, wanted = {}, list(PARTS)
    while wanted:
        name = _normal(wanted.pop())
        if name not in packages:
            packages[name] = lock["packages"][name]
            wanted += packages[name]["depends"]
    for wheel in wheels:
        name, version = wheel.name.split("-")[:2]
        with ZipFile(wheel) as archive:
            tops = {each.partition("/")[0] for each in archive.namelist()}
        name = _normal(name)
        packages[name] = {
            **{"name": name, "version": version, "file_name": wheel.name},
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "imports": sorted(each for each in tops if each.isidentifier()),
            "depends": [],
            **{"install_dir": "site", "package_type": "package"},
            **{"unvendored_tests": False, "shared_library": False},
        }
    packages["ipywidgets"]["depends"] = ["comm", "jupyterlab-widgets", "widgetsnbextension"]
    packages[COURSE]["depends"] = ["numpy", "matplotlib", "pillow", "ipywidgets", "zhplot"]
    return lock | {"packages": packages}


def _normal(name: str) -> str:
    return name.lower().replace("_", "-")


def _files(folder: Path) -> None:
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns("*.py", "lessons", ".*"))
    for path in course_notebooks():
        text = notebook(path)
        (folder / path.relative_to(NOTEBOOKS)).write_text(text, encoding="utf-8")


def _distribution(folder: Path, pyodide: Path, wheels: Path) -> None:
    shutil.copytree(wheels, folder)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock = with_wheels(lock, sorted(wheels.glob("*.whl")))
    names = [each["file_name"] for each in lock["packages"].values()]
    for path in [*pyodide.glob("pyodide*.*js"), *map(pyodide.joinpath, names)]:
        if path.exists():
            shutil.copy(path, folder)
    for name in ("pyodide.asm.wasm", "python_stdlib.zip"):
        shutil.copy(pyodide / name, folder)
    _write(folder / "pyodide-lock.json", lock)


def _write(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def _uv(*words: str | Path, cwd: Path = ROOT) -> None:
    # the variable is there under `uv run`
    subprocess.run([os.environ.get("UV", "uv"), *map(str, words)], cwd=cwd, check=True)


def main() -> None:
    """Build the site into the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.lite")
    parser.add_argument("--to", type=Path, default=Path("lite"), metavar="FOLDER")
    parser.add_argument("--pyodide", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    build(arguments.to, arguments.pyodide)
    print(f"{arguments.to}: python -m http.server --directory {arguments.to}")


if __name__ == "__main__":
    main()
