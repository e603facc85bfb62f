"""Opens a socket to a host, which may have several IP addresses.

asyncio can do that too, but leaves a socket open if it is cancelled at the wrong moment while it tries addresses side by side.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket

_Address = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]]


async def open_socket(host: str, port: int, timeout: float) -> socket.socket:  # noqa: ASYNC109 - it is shared out
    """A socket that is connected to the first address of ``host`` that takes it, not blocking.

    Each address may take its share of ``timeout`` seconds. Raises ``socket.gaierror`` for a name that does not resolve,
    ``TimeoutError``, or ``OSError`` with the reason of each address.
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
            # A timeout is an OSError too; it has no number if it is ours.
            reason = os.strerror(problem.errno) if problem.errno else "no answer"
            reasons.append(reason if len(addresses) == 1 else f"{address[0]!s}: {reason}")
    raise OSError(", ".join(reasons))


async def _resolve(host: str, port: int) -> list[_Address]:
    """The addresses of a host; one that is an address itself needs no thread that asks for it."""
    loop = asyncio.get_running_loop()
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    else:
        if literal.version == 4:
            return [(socket.AF_INET, (host, port))]
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    return [(family, address) for family, _, _, _, address in found]


async def _connected(family: socket.AddressFamily, address: object) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.settimeout(0)
        await asyncio.get_running_loop().sock_connect(made, address)  # type: ignore[arg-type]  # getaddrinfo made it
    except BaseException:
        made.close()
        raise
    return made
