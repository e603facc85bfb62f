"""A server for the page on the loopback address."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
    "worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy: browsers block each request to another host."""
_HOST: Final = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    """Serves the files of the page with its policy, and logs nothing."""

    extensions_map: dict[str, str] = {  # noqa: RUF012 - as in the base class
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
        del format, args


def server_of(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of ``folder`` on the loopback address. With port 0, the system chooses a free port."""
    return ThreadingHTTPServer((_HOST, port), partial(_Handler, directory=str(folder)))
