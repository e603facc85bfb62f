"""The library kio: it decodes, and encodes again.

Its classes have durations, times and enums where Kafka has integers, so values are not compared with JSON.
"""

from __future__ import annotations

import io
import re
from importlib import import_module
from typing import Any

from tests.peers.protocol import UnsupportedError, serve


def _class(message: str, version: int) -> Any:
    name, kind = message, "data"
    for suffix in ("Request", "Response"):
        if message.endswith(suffix):
            name, kind = message.removesuffix(suffix), suffix.lower()
    if message.endswith("Header"):
        kind = "header"
    folder = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    try:
        return getattr(import_module(f"kio.schema.{folder}.v{version}.{kind}"), message)
    except (ImportError, AttributeError):
        raise UnsupportedError(f"no {message} version {version}") from None


def reencode(message: str, version: int, data: bytes) -> bytes:
    """Decodes a message, and encodes what came of it."""
    serial = import_module("kio.serial")
    cls = _class(message, version)
    value, end = serial.entity_reader(cls)(data, 0)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes are left")
    buffer = io.BytesIO()
    serial.entity_writer(cls)(buffer, value)
    return buffer.getvalue()


if __name__ == "__main__":
    serve({"reencode": reencode})
