"""The options of ``read_capture``, parsed from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_arrow.options import byte_count, count, flag, listed, number_ranges, parse_options

_LARGEST_FRAME: Final = 1 << 30
"""Two frames of this size fit into a column of an Arrow batch."""


@dataclass(frozen=True)
class CaptureOptions:
    """The options of ``read_capture``; ``docs/logs-and-captures.md`` explains them."""

    settings: CaptureSettings
    continuous: bool = False
    columns: tuple[str, ...] | None = None
    mode: Mode = "PERMISSIVE"

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> CaptureOptions:
        """Parses options by name; names are case-insensitive. Raises ``OptionError``."""
        values = parse_options("read_capture", options, _OPTIONS)
        settings = {_SETTINGS[name]: values.pop(name) for name in _SETTINGS if name in values}
        return cls(CaptureSettings(**settings), **values)


def _ports(text: str) -> tuple[range, ...]:
    return number_ranges(text, 65535)


def _brokers(text: str) -> frozenset[tuple[bytes, int | None]]:
    return frozenset(_broker(part) for part in listed(text))


def _broker(text: str) -> tuple[bytes, int | None]:
    match = re.fullmatch(
        r"\[(?P<six>[^]]+)\](?::(?P<port6>\d+))?|(?P<four>[\d.]+)(?::(?P<port4>\d+))?|(?P<bare>[^\[\]]+)", text
    )
    try:
        address = ip_address((match and (match["six"] or match["four"] or match["bare"])) or "")
    except ValueError:
        raise ValueError(
            f"expected IP addresses with or without port, such as 10.0.0.1:9092,[fd00::1]:9092,10.0.0.2, not {text!r}"
        ) from None
    port = match and (match["port6"] or match["port4"])
    return address.packed, int(port) if port else None


def _bytes(text: str) -> int:
    return byte_count(text, _LARGEST_FRAME)


_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "ports": _ports,
    "brokers": _brokers,
    "continuous": flag,
    "columns": listed,
    "mode": check_mode,
    "maxFrameBytes": _bytes,
    "maxReorderBytes": _bytes,
    "maxConnections": count,
}
_SETTINGS: Final = {
    "ports": "ports",
    "brokers": "brokers",
    "maxFrameBytes": "max_frame_bytes",
    "maxReorderBytes": "max_reorder_bytes",
    "maxConnections": "max_connections",
}
