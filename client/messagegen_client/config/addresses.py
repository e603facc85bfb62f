"""Addresses of brokers, as they stand in a bootstrap list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from messagegen_client.errors import ConfigError

_ADDRESS = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s:/\[\],@]+)):(?P<port>[0-9]{1,5})")


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``host:port`` or ``[ipv6]:port``; raises ``ConfigError`` that says what is wrong."""
    match = _ADDRESS.fullmatch(text)
    if match is not None and 0 < int(match["port"]) < 65536:
        return match["ipv6"] or match["host"], int(match["port"])
    if "://" in text:
        advice = "leave out what stands before the host; the protocol is the setting security.protocol"
    elif text.count(":") > 1 and "[" not in text:
        advice = "put an IPv6 address in brackets, as [::1]:9092"
    elif ":" not in text:
        advice = f"say the port too, as {text or 'localhost'}:9092"
    else:
        advice = "write host:port, with a port from 1 to 65535"
    raise ConfigError(f"bootstrap.servers: {text!r} is no address of a broker: {advice}")


def split_addresses(text: str) -> tuple[str, ...]:
    """The addresses of a list with commas between them; blanks around them do not count."""
    return tuple(address for part in text.split(",") if (address := part.strip()))


def check_addresses(addresses: Iterable[str]) -> None:
    """Raises ``ConfigError`` for an address that can't be one, and for none at all."""
    if isinstance(addresses, str):
        raise ConfigError(
            "bootstrap_servers has to be a tuple of addresses; ClientConfig.of takes a list in one string"
        )
    count = 0
    for address in addresses:
        parse_address(address)
        count += 1
    if not count:
        raise ConfigError("bootstrap.servers: name at least one broker, as localhost:9092")
