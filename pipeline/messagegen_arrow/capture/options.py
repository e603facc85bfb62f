"""The options of ``kafka-capture``, parsed from text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

from messagegen_arrow.capture.files import CapturePathError
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.content_options import FRAME_OPTIONS, ContentOptions
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_arrow.options import byte_count, count, flag, listed, number_ranges, parse_options

_LARGEST_FRAME: Final = 1 << 30
"""Two frames of this size fit into a column of an Arrow batch."""


@dataclass(frozen=True)
class CaptureOptions:
    """The options of ``kafka-capture``; ``docs/kafka-capture-source.md`` explains them."""

    paths: tuple[str, ...]
    settings: CaptureSettings
    continuous: bool = False
    columns: tuple[str, ...] | None = None
    mode: Mode = "PERMISSIVE"
    content: ContentOptions | None = None
    """How frames are decoded; ``None`` keeps bytes."""

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> CaptureOptions:
        """Parses the options that Spark passes; names are case-insensitive. Raises ``OptionError`` and ``CapturePathError``."""
        values = parse_options("kafka-capture", options, _OPTIONS)
        paths = (*values.pop("path", ()), *values.pop("paths", ()))
        if not paths:
            raise CapturePathError('missing path of the captures: load("/var/tmp/kafka.pcap")')
        settings = {_SETTINGS[name]: values.pop(name) for name in _SETTINGS if name in values}
        content = ContentOptions.of_frames({name: values.pop(name) for name in FRAME_OPTIONS if name in values})
        return cls(paths=paths, settings=CaptureSettings(**settings), content=content, **values)


def _path(text: str) -> tuple[str, ...]:
    return (text,)


def _paths(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


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
    "path": _path,
    "paths": _paths,
    "ports": _ports,
    "brokers": _brokers,
    "continuous": flag,
    "columns": listed,
    "mode": check_mode,
    "maxFrameBytes": _bytes,
    "maxReorderBytes": _bytes,
    "maxConnections": count,
    **FRAME_OPTIONS,
}
_SETTINGS: Final = {
    "ports": "ports",
    "brokers": "brokers",
    "maxFrameBytes": "max_frame_bytes",
    "maxReorderBytes": "max_reorder_bytes",
    "maxConnections": "max_connections",
}
