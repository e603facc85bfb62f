"""One question to a broker over TCP, through the generated messages: enough to see whether it is there."""

from __future__ import annotations

import socket
import struct
from typing import Final

from messagegen_kafka import (
    MetadataRequest,
    MetadataResponse,
    OffsetCommitRequest,
    OffsetCommitResponse,
    RequestHeader,
    ResponseHeader,
)
from messagegen_kafka.offset_commit_request import OffsetCommitRequestPartition, OffsetCommitRequestTopic

_METADATA_VERSION: Final = 12
_COMMIT_VERSION: Final = 8
_CLIENT_ID: Final = "messagegen-tests"


def ask_metadata(address: tuple[str, int], *, timeout: float) -> MetadataResponse:
    """What a broker says of its cluster, without topics.

    Raises ``OSError`` where nobody answers within ``timeout`` seconds, and ``messagegen_kafka.MessageError`` for bad bytes.
    """
    request = MetadataRequest(topics=(), allow_auto_topic_creation=False)
    answer = _ask(address, request, _METADATA_VERSION, timeout)
    _, start = ResponseHeader.decode_from(answer, version=MetadataResponse.header_version(_METADATA_VERSION))
    response, _ = MetadataResponse.decode_from(answer, start, version=_METADATA_VERSION)
    return response


def commit_offset(address: tuple[str, int], group: str, topic: str, offset: int, *, timeout: float = 30) -> None:
    """Sets the offset of a group that has no members in partition 0 of a topic. Raises ``OSError``, also if the broker refuses."""
    partition = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
    topics = (OffsetCommitRequestTopic(name=topic, partitions=(partition,)),)
    answer = _ask(address, OffsetCommitRequest(group_id=group, topics=topics), _COMMIT_VERSION, timeout)
    _, start = ResponseHeader.decode_from(answer, version=OffsetCommitResponse.header_version(_COMMIT_VERSION))
    response, _ = OffsetCommitResponse.decode_from(answer, start, version=_COMMIT_VERSION)
    codes = [each.error_code for found in response.topics for each in found.partitions]
    if codes != [0]:
        raise OSError(f"the broker refused the offset of {group}: {codes}")


def _ask(
    address: tuple[str, int], request: MetadataRequest | OffsetCommitRequest, version: int, timeout: float
) -> bytes:
    """The answer to a request, with its header."""
    with socket.create_connection(address, timeout=timeout) as connection:
        connection.sendall(_framed(request, version))
        (size,) = struct.unpack(">i", _read(connection, 4))
        return _read(connection, size)


def _framed(request: MetadataRequest | OffsetCommitRequest, version: int) -> bytes:
    header = RequestHeader(
        request_api_key=request.API_KEY,
        request_api_version=version,
        correlation_id=1,
        client_id=_CLIENT_ID,
    )
    frame = bytearray(4)
    header.encode_into(frame, version=request.header_version(version))
    request.encode_into(frame, version=version)
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
