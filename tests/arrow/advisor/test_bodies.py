"""The advisor gets the right bodies from the frames of captures."""

from __future__ import annotations

import pyarrow as pa
import pytest

from messagegen_arrow import default_catalog
from messagegen_arrow.advisor import advise, bodies_of
from messagegen_arrow.frames.messages import API_VERSIONS, UNSUPPORTED_VERSION
from messagegen_kafka import ApiVersionsResponse, MetadataRequest, RequestHeader, ResponseHeader
from messagegen_kafka.metadata_request import MetadataRequestTopic
from tests.arrow.support.reference.frames import parse_frame

METADATA = 3
Frame = tuple[str, int, int | None, bytes | None]


def frames(*rows: Frame) -> pa.Table:
    """Return frames in the form of ``read_capture``."""
    types = {"direction": pa.string(), "apiKey": pa.int16(), "apiVersion": pa.int16(), "frame": pa.binary()}
    columns = zip(*rows, strict=True)
    return pa.table({name: pa.array(column, types[name]) for name, column in zip(types, columns, strict=True)})


def bodies(frames_: pa.Table, message: str) -> list[tuple[bytes, int | None]]:
    rows = pa.table(bodies_of(frames_, default_catalog().message(message))).to_pylist()
    return [(row["value"], row["version"]) for row in rows]


def answer(version: int, error_code: int = 0) -> bytes:
    """Return a response to ApiVersions; its header is always version 0."""
    body = ApiVersionsResponse(error_code=error_code).encode(version=version)
    return ResponseHeader(correlation_id=7).encode(version=0) + body


def asked(version: int, client_id: str | None = "me") -> bytes:
    """Return a Metadata request; from version 9 on, its header has unknown tagged fields."""
    header = RequestHeader(
        request_api_key=METADATA,
        request_api_version=version,
        correlation_id=1,
        client_id=client_id,
        unknown_tagged_fields=((7, b"tagged"), (300, bytes(130))) if version >= 9 else (),
    )
    topics = (MetadataRequestTopic(name=f"t{version}"),)
    return header.encode(version=2 if version >= 9 else 1) + MetadataRequest(topics=topics).encode(version=version)


def test_a_response_to_an_unsupported_version_is_decoded_in_version_0() -> None:
    """KIP-511: a broker that does not know the version of the request answers in version 0."""
    frame = frames(
        ("response", API_VERSIONS, 3, answer(3)),
        ("response", API_VERSIONS, 3, answer(0, UNSUPPORTED_VERSION)),
        ("response", API_VERSIONS, 99, answer(0, UNSUPPORTED_VERSION)),
        ("response", API_VERSIONS, 0, answer(0)),
    )
    assert bodies(frame, "ApiVersionsResponse") == [
        (answer(3)[4:], 3),
        (answer(0, UNSUPPORTED_VERSION)[4:], 0),
        (answer(0, UNSUPPORTED_VERSION)[4:], 0),
        (answer(0)[4:], 0),
    ]
    table = default_catalog().message("ApiVersionsResponse")
    found = advise(bodies_of(frame, table), table)
    assert (found.messages, found.malformed) == (4, {})


def test_frames_that_cannot_be_split_count_as_malformed() -> None:
    rows: tuple[Frame, ...] = (
        ("request", METADATA, 9, asked(9)[:9]),
        ("request", METADATA, 99, asked(9)),
        ("request", METADATA, None, asked(9)),
        ("request", METADATA, 9, b""),
        ("request", METADATA, 9, asked(9)),
    )
    frame = frames(*rows)
    good = (parse_frame(asked(9)).body, 9)
    assert bodies(frame, "MetadataRequest") == [(b"", 9), (b"", 99), (b"", None), (b"", 9), good]
    table = default_catalog().message("MetadataRequest")
    found = advise(bodies_of(frame, table), table)
    assert (found.messages, sum(count for count, _ in found.malformed.values())) == (1, 4)


def test_only_frames_of_the_requested_message_have_bodies() -> None:
    frame = frames(
        ("response", METADATA, 9, asked(9)),
        ("request", API_VERSIONS, 9, asked(9)),
        ("request", METADATA, 9, None),
    )
    assert bodies(frame, "MetadataRequest") == []
    with pytest.raises(ValueError, match="OffsetCommitValue is neither a request nor a response"):
        bodies_of(frame, default_catalog().message("OffsetCommitValue"))
