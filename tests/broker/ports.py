"""Free ports on loopback."""

from __future__ import annotations

import random
import socket
from typing import Final

HOST: Final = "127.0.0.1"

# All are below the ports that systems use for outgoing connections (from 32768 or 49152 on): when a broker that was
# down for a while comes back, its port must be free.
_CANDIDATES: Final = range(10_000, 32_000)


def free_ports(count: int) -> list[int]:
    """Return distinct free TCP ports of ``127.0.0.1``, for servers that must know their port beforehand."""
    chance = random.SystemRandom()
    found: list[int] = []
    while len(found) < count:
        port = chance.choice(_CANDIDATES)
        if port not in found and _is_free(port):
            found.append(port)
    return found


def free_ports_in_a_row(count: int) -> int:
    """Return the first of ``count`` consecutive free TCP ports."""
    while True:
        (first,) = free_ports(1)
        if all(_is_free(first + number) for number in range(1, count)):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
