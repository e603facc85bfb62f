"""Opens a socket to a host, which may have several IP addresses.

asyncio can do this too, but leaks a socket if it is cancelled at the wrong moment while it tries several addresses, and closing
its loop waits for name servers.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future

_IpAddress = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
_Address = tuple[socket.AddressFamily, _IpAddress]
_Found = Sequence[tuple[socket.AddressFamily, socket.SocketKind, int, str, _IpAddress]]
"""The result of ``socket.getaddrinfo``."""


async def open_socket(host: str, port: int, timeout: float) -> socket.socket:
    """A non-blocking socket that is connected to the first address of ``host`` that accepts.

    Each address has its share of ``timeout`` seconds. Raises ``socket.gaierror`` for an unknown name, ``TimeoutError``, or
    ``OSError`` with the reason for each address.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + timeout
    addresses = await _resolve(host, port)
    reasons: list[str] = []
    for left, (family, address) in zip(range(len(addresses), 0, -1), addresses, strict=True):
        try:
            async with asyncio.timeout((end - loop.time()) / left):
                return await _connected(family, address)
        except OSError as problem:
            # A timeout is an OSError too, without a number if it comes from here.
            reason = os.strerror(problem.errno) if problem.errno else "no answer"
            reasons.append(reason if len(addresses) == 1 else f"{address[0]!s}: {reason}")
    raise OSError(", ".join(reasons))


async def _resolve(host: str, port: int) -> list[_Address]:
    """The addresses of a host. An IP address needs no look-up."""
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        found: _Found = await _look_up(host, port)
    else:
        if literal.version == 4:
            return [(socket.AF_INET, (host, port))]
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [(family, address) for family, _, _, _, address in found]


async def _look_up(host: str, port: int) -> _Found:
    """``socket.getaddrinfo`` in a daemon thread, so that nobody has to wait for it."""
    answer: Future[_Found] = Future()
    answer.set_running_or_notify_cancel()  # From here it can't be cancelled.

    def work() -> None:
        try:
            answer.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as problem:  # noqa: BLE001 - passed on to the caller
            answer.set_exception(problem)

    threading.Thread(target=work, name=f"look up {host}", daemon=True).start()
    return await asyncio.wrap_future(answer)


async def _connected(family: socket.AddressFamily, address: object) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.settimeout(0)
        await asyncio.get_running_loop().sock_connect(made, address)  # type: ignore[arg-type]  # an address from getaddrinfo
    except BaseException:
        made.close()
        raise
    return made
