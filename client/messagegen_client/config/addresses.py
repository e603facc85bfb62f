"""Addresses of brokers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from messagegen_client.errors import ConfigError

_ADDRESS = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s:/\[\],@]+)):(?P<port>[0-9]{1,5})")


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and port of ``host:port`` or ``[ipv6]:port``. Raises ``ConfigError`` with advice."""
    match = _ADDRESS.fullmatch(text)
    if match is not None and 0 < int(match["port"]) < 65536:
        return match["ipv6"] or match["host"], int(match["port"])
    if "://" in text:
        advice = "remove the scheme; use security.protocol for the protocol"
    elif text.count(":") > 1 and "[" not in text:
        advice = "put an IPv6 address in brackets, for example [::1]:9092"
    elif ":" not in text:
        advice = f"add the port, for example {text or 'localhost'}:9092"
    else:
        advice = "write host:port, with a port from 1 to 65535"
    raise ConfigError(f"bootstrap.servers: invalid address {text!r}: {advice}")


def split_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses of a comma-separated list, without surrounding blanks."""
    return tuple(address for part in text.split(",") if (address := part.strip()))


def check_addresses(addresses: Sequence[str]) -> None:
    """Raise ``ConfigError`` if an address is invalid or the list is empty."""
    if isinstance(addresses, str):
        raise ConfigError("bootstrap_servers must be a tuple of addresses; ClientConfig.of accepts a string")
    for address in addresses:
        parse_address(address)
    if not addresses:
        raise ConfigError("bootstrap.servers: expected at least one address, for example localhost:9092")
