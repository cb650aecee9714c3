"""What makes a slider prompt in JupyterLab: the server sends each message of a kernel at once.

A step of a slider is four small messages. Without this the operating system keeps the second until
the browser has acknowledged the first (Nagle's algorithm), which it puts off by about 40 ms.
`etc/jupyter/jupyter_server_config.d` has JupyterLab's server load this at its start. A server of
another environment, a hub's say, does without: sliders work there too, at half the pace.

Source: RFC 896 and RFC 1122, section 4.2.3.2.
"""

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

__all__ = ["PromptConnection"]

SETTING = "kernel_websocket_connection_class"


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The server's connection between a page and a kernel, without the wait."""

    def connect(self) -> Any:
        """Open the connection; it is the server that calls this."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(app: Any) -> None:
    # a gateway to kernels elsewhere brings a connection of its own, which stays
    if app.web_app.settings.get(SETTING) is ZMQChannelsWebsocketConnection:
        app.web_app.settings[SETTING] = PromptConnection
