"""Splits one frame by reading its header in plain Python. Tests compare columns of frames with the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.frames.messages import Direction, FrameMessages, response_version
from messagegen_kafka import RequestHeader
from tests.arrow.support.reference.plan_walk import table_of, walk_decode


@dataclass(frozen=True, slots=True)
class ParsedFrame:
    """The parts of a frame."""

    direction: Direction
    api_key: int
    api_version: int
    """The version of the request."""
    message: str
    """The name of the body's message."""
    version: int
    """The body's version."""
    header_version: int
    header: Any
    """The header as a struct with the attributes of ``RequestHeader`` or ``ResponseHeader``."""
    body: bytes


def parse_frame(
    data: bytes,
    answered: tuple[int, int] | None = None,
    *,
    catalog: Catalog | None = None,
    messages: FrameMessages | None = None,
) -> ParsedFrame:
    """Split one frame: a request or, with the API key and version of its request, a response.

    Pass ``messages`` instead of ``catalog`` to parse many frames. Raises ``FrameError``, and ``DecodeError`` for a
    damaged header.
    """
    known = FrameMessages.of(catalog) if messages is None else messages
    if answered is None:
        # All header versions begin like version 1, except the one of ControlledShutdown version 0.
        header, _ = RequestHeader.decode_from(_with_client_id(data), version=1)
        api_key, api_version = header.request_api_key, header.request_api_version
        return _parsed(known, "request", data, (api_key, api_version), api_version)
    api_key, api_version = answered
    # The header of this response always has version 0, so it takes 4 bytes.
    error_code = int.from_bytes(data[4:6], "big", signed=True) if len(data) >= 6 else None
    version = response_version(known, api_key, api_version, error_code)
    return _parsed(known, "response", data, answered, version)


def _with_client_id(data: bytes) -> bytes:
    return data[:8] + b"\xff\xff" if data[:4] == b"\0\7\0\0" else data


def _parsed(
    messages: FrameMessages, direction: Direction, data: bytes, asked: tuple[int, int], version: int
) -> ParsedFrame:
    table, header_version = messages.body(direction, asked[0], version)
    header, end = walk_decode(table_of(messages.headers[direction].plan), data, 0, header_version)
    return ParsedFrame(direction, *asked, table.name, version, header_version, header, data[end:])
