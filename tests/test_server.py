"""The server sends a kernel's messages at once, and stays as it is where that is not its own."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import create_autospec, patch

import pytest
from jupyter_server.gateway.connections import GatewayWebSocketConnection
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

from course_utils import server
from tools.notebooks import ROOT, course_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PLACES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]


@pytest.mark.parametrize("ours", course_files("etc"), ids=lambda path: path.parent.name)
def test_the_environment_has_what_starts_by_itself(ours):
    (source,) = (name for name in PLACES if ours.is_relative_to(ROOT / name))
    installed = Path(sys.prefix, PLACES[source], ours.relative_to(ROOT / source))
    assert installed.is_file(), "an older set-up: `uv sync` once, or `pip install -e .`"
    assert installed.read_text(encoding="utf-8") == ours.read_text(encoding="utf-8")


def test_a_server_finds_it(tmp_path):
    env = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    env["JUPYTER_CONFIG_DIR"] = str(tmp_path)
    command = [sys.executable, "-m", "jupyter", "server", "extension", "list"]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", timeout=120
    )
    lines = [line for line in done.stdout.splitlines() if "course_utils.server" in line]
    assert "enabled" in lines[0]
    assert "OK" in lines[-1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ZMQChannelsWebsocketConnection, server.PromptConnection),
        (GatewayWebSocketConnection, GatewayWebSocketConnection),
        (None, None),
    ],
)
def test_only_the_plain_connection_gives_way(before, after):
    (point,) = server._jupyter_server_extension_points()
    assert point == {"module": server.__name__}
    app = SimpleNamespace(web_app=SimpleNamespace(settings={server.SETTING: before}))
    server._load_jupyter_server_extension(app)
    assert app.web_app.settings == {server.SETTING: after}


def test_a_connection_does_not_wait():
    handler = create_autospec(KernelWebsocketHandler, instance=True)
    connection = server.PromptConnection(websocket_handler=handler)
    with patch.object(ZMQChannelsWebsocketConnection, "connect", return_value="open") as connect:
        assert connection.connect() == "open"
    handler.set_nodelay.assert_called_once_with(True)
    connect.assert_called_once_with()
