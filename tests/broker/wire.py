"""One question to a broker over TCP, through the generated messages: enough to see whether it is there."""

from __future__ import annotations

import socket
import struct
from typing import Final

from messagegen_kafka import MetadataRequest, MetadataResponse, RequestHeader, ResponseHeader

_VERSION: Final = 12
_CLIENT_ID: Final = "messagegen-tests"


def ask_metadata(address: tuple[str, int], *, timeout: float) -> MetadataResponse:
    """What a broker says of its cluster, without topics.

    Raises ``OSError`` where nobody answers within ``timeout`` seconds, and ``messagegen_kafka.MessageError`` for bad bytes.
    """
    frame = _framed(MetadataRequest(topics=(), allow_auto_topic_creation=False))
    with socket.create_connection(address, timeout=timeout) as connection:
        connection.sendall(frame)
        (size,) = struct.unpack(">i", _read(connection, 4))
        answer = _read(connection, size)
    _, start = ResponseHeader.decode_from(answer, version=MetadataResponse.header_version(_VERSION))
    response, _ = MetadataResponse.decode_from(answer, start, version=_VERSION)
    return response


def _framed(request: MetadataRequest) -> bytes:
    header = RequestHeader(
        request_api_key=MetadataRequest.API_KEY,
        request_api_version=_VERSION,
        correlation_id=1,
        client_id=_CLIENT_ID,
    )
    frame = bytearray(4)
    header.encode_into(frame, version=MetadataRequest.header_version(_VERSION))
    request.encode_into(frame, version=_VERSION)
    struct.pack_into(">i", frame, 0, len(frame) - 4)
    return bytes(frame)


def _read(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 65536))
        if not part:
            raise ConnectionError("the broker closed the connection in the middle of an answer")
        parts += part
    return bytes(parts)
