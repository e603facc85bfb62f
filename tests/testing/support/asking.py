"""A client that sends a request and waits for its answer."""

from __future__ import annotations

import socket
from ssl import SSLContext
from typing import Any, Final, Self

import messagegen_kafka
from messagegen_kafka import ClientSession, ReceivedResponse, Request

_SECONDS: Final = 60.0


class Asker:
    """One connection to a broker, during a ``with`` block."""

    def __init__(self, address: str, *, client_id: str = "asker", tls: SSLContext | None = None) -> None:
        host, _, port = address.partition(":")
        self._session = ClientSession(messagegen_kafka, client_id=client_id)
        self.socket = socket.create_connection((host, int(port)), timeout=_SECONDS)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def ask(self, request: Request, *, version: int) -> Any:
        """Send a request, and return its answer."""
        self.send(request, version=version)
        return self.receive()

    def send(self, request: Request, *, version: int) -> None:
        self.socket.sendall(self._session.send(request, version=version).frame)

    def receive(self, timeout: float = _SECONDS) -> Any:
        """Return the next answer. Raises ``TimeoutError``, and ``EOFError`` if the connection ends."""
        self.socket.settimeout(timeout)
        while data := self.socket.recv(1 << 16):
            for event in self._session.receive(data):
                assert isinstance(event, ReceivedResponse)
                return event.decode()
        raise EOFError

    def received_until_the_end(self) -> bytes:
        """Return all bytes that arrive until the connection is closed."""
        parts = []
        while data := self.socket.recv(1 << 16):
            parts.append(data)
        return b"".join(parts)


def is_reset(connection: socket.socket) -> bool:
    """Whether the peer resets the connection; ``False`` if it closes the connection normally."""
    try:
        return bool(connection.recv(1)) and is_reset(connection)
    except ConnectionResetError:
        return True
