"""What a class costs on one machine: a real JupyterHub, its proxy, and students who work at once.

JupyterHub is no part of the course, and its proxy is a program of npm, which must be on PATH:

    npm install --global configurable-http-proxy
    python -m uv run --with jupyterhub==6.1.1 python -m tools.benchmarks hub --students 20
"""

import asyncio
import importlib.util
import json
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tools.benchmarks.table import Row
from tools.notebooks import NOTEBOOKS, ROOT, read

PATH = "notebooks/en/01_encode.ipynb"
CHAPTER = NOTEBOOKS / "en" / "01_encode.ipynb"
TOKEN = uuid.uuid4().hex
PROXY = "configurable-http-proxy"
# seconds: a machine that is too small for the class is slow, and not stuck
PATIENCE = 600
# and what an operator is told to set
CONFIG = """
load_subconfig({course!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.db_url = "sqlite:///{home}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "{home}/secret"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = "{home}/{{username}}"
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.start_timeout = c.Spawner.http_timeout = {patience}
c.JupyterHub.concurrent_spawn_limit = 0
c.JupyterHub.services = [{{"name": "class", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [{{
    "name": "class", "services": ["class"],
    "scopes": ["admin:users", "admin:servers", "access:servers"],
}}]
"""


def rows(small: bool, students: int = 20) -> Iterator[Row]:
    """Measure a class; one row each for time, memory, processor, and what went wrong."""
    students = 2 if small else students
    proxy = shutil.which(PROXY)
    if importlib.util.find_spec("jupyterhub") is None or proxy is None:
        yield Row("a class on a hub", "", "not installed", f"jupyterhub, {PROXY}")
        return
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number in range(students):
            shutil.copytree(NOTEBOOKS, home / f"s{number}" / "notebooks")
        url, process = _start(home, proxy)
        try:
            told = asyncio.run(_class(url, home, students))
        finally:
            process.terminate()
            process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = sum(after[:2]) - sum(before[:2])
    well = [each for each in told if isinstance(each, dict)]
    who = f"{students} students at once, chapter 1"
    for what in ("first cell", "last cell", "saved"):
        seconds = [each[what] for each in well] or [float("nan")]
        yield Row(f"{what}, median", "", statistics.median(seconds), f"seconds from login, {who}")
        yield Row(f"{what}, slowest", "", max(seconds), f"seconds from login, {who}")
    for what in ("server", "kernel"):
        memory = [each[what] for each in well] or [float("nan")]
        yield Row(f"memory of a {what}", "", statistics.median(memory), "MB after the last cell")
    yield Row("processor", "", spent / students, "core-seconds a student, hub and proxy included")
    wrong = sorted({f"{each!r}" for each in told if not isinstance(each, dict)})
    errors = len(told) - len(well) + sum(each["errors"] for each in well)
    yield Row("errors", "<= 0", errors, "; ".join(wrong) or "cells that failed, students who did")
    yield Row(
        "files lost",
        "<= 0",
        sum(each["lost"] for each in well),
        "not as they were saved, after the server is gone",
    )


def _start(home: Path, proxy: str) -> tuple[str, subprocess.Popen]:
    ports = {name: _free_port() for name in ("port", "hub_port", "proxy_port")}
    others = {"proxy": proxy, "python": sys.executable, "token": TOKEN, "patience": PATIENCE}
    others["course"] = str(ROOT / "hub" / "course.py")
    config = home / "jupyterhub_config.py"
    config.write_text(CONFIG.format(home=home, **ports, **others), encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    own["CONFIGPROXY_AUTH_TOKEN"] = uuid.uuid4().hex
    command = [sys.executable, "-m", "jupyterhub", "--config", str(config)]
    with (home / "hub.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=home, env=own, stdout=log, stderr=log)
    return f"http://127.0.0.1:{ports['port']}", process


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def _class(url: str, home: Path, students: int) -> list[dict | BaseException]:
    AsyncHTTPClient.configure(None, max_clients=1000)
    await _until(lambda: _ask(f"{url}/hub/api/"))
    works = (_student(url, home / f"s{number}") for number in range(students))
    told = await asyncio.gather(*works, return_exceptions=True)
    return list(told)


async def _student(url: str, home: Path) -> dict:
    """Log in, open chapter 1, run its cells, move a slider, save, log out."""
    began, told, name = time.monotonic(), {"errors": 0}, home.name
    hub, own = f"{url}/hub/api/users/{name}", f"{url}/user/{name}/api"
    await _ask(hub, "POST")
    await _ask(f"{hub}/server", "POST")
    await _until(lambda: _ask(f"{own}/status"))
    notebook = (await _ask(f"{own}/contents/{PATH}"))["content"]
    session = {"path": PATH, "name": PATH, "type": "notebook", "kernel": {"name": "python3"}}
    kernel = (await _ask(f"{own}/sessions", "POST", session))["kernel"]["id"]
    address = f"{own}/kernels/{kernel}/channels".replace("http", "ws", 1)
    socket = await websocket_connect(HTTPRequest(address, headers=_key()), max_message_size=2**28)
    sliders = []
    for cell in read(CHAPTER).cells:
        if cell.cell_type == "code":
            kind = {"code": cell.source, "silent": False, "store_history": True}
            errors, opened = await _run(socket, "execute_request", kind)
            told["errors"] += errors
            sliders += opened
            told.setdefault("first cell", time.monotonic() - began)
    told["last cell"] = time.monotonic() - began
    for comm, value in sliders[:3]:
        data = {"method": "update", "state": {"value": value}, "buffer_paths": []}
        told["errors"] += (await _run(socket, "comm_msg", {"comm_id": comm, "data": data}))[0]
    told["kernel"], told["server"] = _memory(kernel), _memory(f"--{name}--", name)
    notebook["cells"][-1]["source"] = name
    await _ask(f"{own}/contents/{PATH}", "PUT", {"type": "notebook", "content": notebook})
    told["saved"] = time.monotonic() - began
    socket.close()
    await _ask(f"{own}/kernels/{kernel}", "DELETE")
    await _ask(f"{hub}/server", "DELETE")
    told["lost"] = int(read(home / PATH).cells[-1].source != name)
    return told


async def _run(socket: WebSocketClientConnection, kind: str, content: dict) -> tuple[int, list]:
    """Send one message and wait until it is done: errors, and sliders that have opened."""
    ours = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "username": "", "session": "class"}
    ours |= {"version": "5.3", "date": "2026-01-01T00:00:00Z"}
    message = {"header": ours, "parent_header": {}, "metadata": {}, "content": content}
    await socket.write_message(json.dumps(message | {"channel": "shell", "buffers": []}))
    errors, sliders = 0, []
    while True:
        answer = await asyncio.wait_for(socket.read_message(), PATIENCE)
        if answer is None:
            raise ConnectionError("the kernel is gone")
        # with a picture comes a message of bytes, which is no answer of a kind that counts here
        if isinstance(answer, bytes):
            continue
        answer = json.loads(answer)
        if answer["parent_header"].get("msg_id") != ours["msg_id"]:
            continue
        said = answer["content"]
        errors += answer["msg_type"] == "error"
        state = said.get("data", {}).get("state", {}) if answer["msg_type"] == "comm_open" else {}
        if "Slider" in state.get("_model_name", "") and "min" in state:
            sliders.append((said["comm_id"], state["min"]))
        if answer["msg_type"] == "status" and said["execution_state"] == "idle":
            return errors, sliders


def _key() -> dict[str, str]:
    return {"Authorization": f"token {TOKEN}"}


async def _ask(url: str, method: str = "GET", body: object = None) -> dict:
    data = json.dumps(body or {}) if method in {"POST", "PUT"} else None
    answer = await AsyncHTTPClient().fetch(
        HTTPRequest(url, method, _key(), data, request_timeout=PATIENCE, follow_redirects=False)
    )
    return json.loads(answer.body or b"{}")


async def _until(ask: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return await ask()
        except Exception:
            if time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.2)


def _memory(word: str, name: str = "") -> float:
    """Proportional set size in MB of the process that has a word in its command or environment."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
            about = (process / "environ").read_bytes().decode(errors="replace") if name else ""
            ours = word in command or (
                "singleuser" in command and f"JUPYTERHUB_USER={name}\0" in about
            )
            if ours:
                text = (process / "smaps_rollup").read_text(encoding="ascii")
                (line,) = [each for each in text.splitlines() if each.startswith("Pss:")]
                return int(line.split()[1]) / 1000
        except OSError:
            continue
    return float("nan")
