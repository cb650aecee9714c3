"""A real JupyterLab in a real browser: what the browser tests and the benchmarks share.

A test takes the fixtures of `tests/browser/conftest.py` and opens one notebook after the other:

    with open_notebook(context, server, "notebooks/en/01_encode.ipynb") as lab:
        lab.run_all()
        assert lab.problems == []

`serve` starts the server, on copies of the notebooks and with settings of its own; `launch` starts
the browser; a `Lab` is one notebook in one page, and keeps a list of all that went wrong there.
The browser is the one that COURSE_BROWSER names, else a Chromium on PATH, else Playwright's own.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    WebSocket,
    sync_playwright,
)

from tools.notebooks import ROOT

# seconds: far more than a slow machine needs, since only what is broken waits so long
PATIENCE = 120
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# the browser


def find_browser(environment: Mapping[str, str] = os.environ) -> str | None:
    """Path of an installed browser, or None."""
    found = (shutil.which(name, path=environment.get("PATH")) for name in NAMES)
    return environment.get("COURSE_BROWSER") or next(filter(None, found), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser."""
    return playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)


@cache
def has_browser() -> bool:
    """Whether `launch` finds one that starts; it is asked once, Playwright knows only by trying."""
    with sync_playwright() as playwright:
        try:
            launch(playwright).close()
        except Error:
            return False
    return True


# the server


class Server(NamedTuple):
    """A JupyterLab server: where it listens, the key to it, and the folder that it shows."""

    url: str
    token: str
    folder: Path


# every cell in the page whether in view or not
SETTINGS = {
    "config/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings": {
        "windowingMode": "none"
    },
}
OPTIONS = {
    "LabApp": {"expose_app_in_browser": True},
    "ServerApp": {"allow_root": True, "ip": "127.0.0.1", "open_browser": False},
    "IdentityProvider": {"token": "course"},
}


@contextmanager
def serve(
    home: Path, settings: Mapping[str, object] | None = None, words: str = "jupyter lab"
) -> Iterator[Server]:
    """Run a server on copies of the notebooks; its settings and theirs are under `home`.

    `settings` are more files of settings, by their path under `home`; `words` is what one types in
    the folder of the course.
    """
    folder = home / "course"
    shutil.copytree(
        ROOT / "notebooks",
        folder / "notebooks",
        ignore=shutil.ignore_patterns(".ipynb_checkpoints", "*.py"),
    )
    # a free port; should another program be faster, the server takes the next one
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = {"port": free.getsockname()[1]}
    options = OPTIONS | {"ServerApp": OPTIONS["ServerApp"] | port}
    files = SETTINGS | {"config/jupyter_lab_config.json": options} | dict(settings or {})
    for name, values in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    own |= {f"JUPYTER_{name.upper()}_DIR": str(home / name) for name in ("config", "data")}
    # comes before what the environment of the course says
    own |= {"JUPYTER_CONFIG_PATH": str(home / "first")}
    own |= {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "IPYTHONDIR": str(home / "ipython")}
    own["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", *words.split()]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=own, stdout=log, stderr=log, cwd=folder)
        try:
            yield _listening(process, home)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            # a kernel ends by itself when its server is gone
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _listening(process: subprocess.Popen, home: Path) -> Server:
    deadline = time.monotonic() + PATIENCE
    local = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while process.poll() is None and time.monotonic() < deadline:
        try:
            (path,) = (home / "runtime").glob("jpserver-*.json")
            info = json.loads(path.read_text(encoding="utf-8"))
            local.open(f"{info['url']}api/status?token={info['token']}", timeout=10).close()
            return Server(info["url"], info["token"], Path(info["root_dir"]))
        # not yet there, half written, or not yet answering
        except (ValueError, OSError):
            time.sleep(0.1)
    log = (home / "server.log").read_text(encoding="utf-8", errors="replace")
    raise RuntimeError(f"JupyterLab did not start:\n{log}")


# one notebook in one page


class Lab:
    """An open notebook, and what went wrong in its page and in its kernel."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self._host = page, urlsplit(server.url).netloc
        self.problems: list[str] = []
        self._allowed = {"No such comm target registered: jupyter.widget.control"}
        page.on("pageerror", lambda error: self.problems.append(f"JavaScript error: {error}"))
        page.on("console", self._on_console)
        page.on("request", self._on_request)
        page.on("websocket", self._on_websocket)

    def run_all(self) -> None:
        """Run all cells and wait for the end; an error in a cell is a problem, not an exception."""
        self.call("jupyterapp.commands.execute('notebook:run-all-cells')")
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        self.page.wait_for_function(f"{KERNEL}.status === 'idle'", timeout=1000 * PATIENCE)

    def evaluate(self, expression: str) -> Any:
        """Value of a Python expression in the kernel, of kinds that JSON knows."""
        reply = self.call(
            f"""{KERNEL}.requestExecute({{
                code: '', silent: true, store_history: false,
                user_expressions: {{value: {json.dumps(f"__import__('json').dumps({expression})")}}}
            }}).done"""
        )
        value = reply["content"]["user_expressions"]["value"]
        if value["status"] != "ok":
            raise RuntimeError(f"{expression}: {value['ename']}: {value['evalue']}")
        # the representation of a string
        return json.loads(eval(value["data"]["text/plain"], {"__builtins__": {}}))

    def call(self, promise: str) -> Any:
        """Wait for a promise in the page, which playwright itself does without limit."""
        late = f"new Promise((_, no) => setTimeout(() => no(Error('late')), {1000 * PATIENCE}))"
        return self.page.evaluate(f"() => Promise.race([{promise}, {late}])")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console error: {message.text} ({message.location['url']})")

    def _on_request(self, request: Request) -> None:
        self._check_host(request.url)

    def _check_host(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != self._host:
            self.problems.append(f"other host: {url}")

    def _on_websocket(self, websocket: WebSocket) -> None:
        self._check_host(websocket.url)
        # other sockets, such as that of events, carry plain JSON
        if "/api/kernels/" in websocket.url:
            # an exception in these would stop playwright for good: they take any message
            websocket.on("framesent", self._on_sent)
            websocket.on("framereceived", self._on_received)

    def _on_sent(self, frame: str | bytes) -> None:
        # the page asks each new kernel for its widgets; one that has not imported ipywidgets yet
        # says that it does not know this comm, to the log and not in a cell
        message = kernel_message(frame)
        content = message["content"]
        if content.get("target_name") == "jupyter.widget.control":
            self._allowed.add(f"No such comm: {content.get('comm_id')}")

    def _on_received(self, frame: str | bytes) -> None:
        message = kernel_message(frame)
        kind, content = message["header"].get("msg_type"), message["content"]
        if kind == "error":
            self.problems.append(f"kernel error: {content.get('ename')}: {content.get('evalue')}")
        elif kind == "stream" and content.get("name") == "stderr":
            lines = set(content.get("text", "").splitlines()) - self._allowed - {""}
            self.problems += [f"stderr: {line}" for line in sorted(lines)]


KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel"


def kernel_message(frame: str | bytes) -> dict[str, Any]:
    """Read JSON, or what v1.kernel.websocket.jupyter.org sends: offsets, channel, four parts."""
    if isinstance(frame, str):
        return json.loads(frame)
    count = int.from_bytes(frame[:8], "little")
    ends = [int.from_bytes(frame[8 * k : 8 * k + 8], "little") for k in range(1, count + 1)]
    parts = [frame[start:end] for start, end in pairwise(ends)]
    names = ("header", "parent_header", "metadata", "content")
    return dict(zip(names, map(json.loads, parts[1:5]), strict=True))


@contextmanager
def open_notebook(context: BrowserContext, server: Server, path: str) -> Iterator[Lab]:
    """Open one notebook, by its path under the server's folder, with a kernel that is ready."""
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    lab = Lab(page, server)
    name = re.sub(r"\W", "-", path)
    page.goto(f"{server.url}lab/workspaces/{name}/tree/{path}?reset&token={server.token}")
    page.wait_for_function(
        f"path => window.jupyterapp?.shell.currentWidget?.context?.path === path && !!{KERNEL}",
        arg=path,
    )
    lab.call("jupyterapp.shell.currentWidget.context.ready")
    lab.wait_until_idle()
    try:
        yield lab
    finally:
        # also after a failure, so that the next test of this notebook finds no old kernel
        with suppress(Error):
            lab.call("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        page.close()
