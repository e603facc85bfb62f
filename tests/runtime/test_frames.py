"""Frames of requests and responses, with both kinds of codecs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from messagegen import load
from messagegen_kafka import (
    DecodeError,
    Limits,
    MetadataRequest,
    MetadataResponse,
    message_classes,
)
from messagegen_kafka.metadata_request import MetadataRequestTopic

SPECS = Path(__file__).parents[2] / "message_specs"

pytestmark = pytest.mark.usefixtures("codecs")


class TestRequests:
    def test_a_frame_consists_of_length_and_header_and_body(self) -> None:
        request = MetadataRequest(topics=(MetadataRequestTopic(name="orders"),))
        for version, header in ((8, "00030008000000070004646f6373"), (9, "00030009000000070004646f637300")):
            body = request.encode(version=version)
            whole = bytes.fromhex(header) + body
            frame = request.encode_frame(version=version, correlation_id=7, client_id="docs")
            assert frame == len(whole).to_bytes(4, "big") + whole
            read, again = MetadataRequest.decode_frame(frame)
            assert (read.request_api_key, read.request_api_version, read.correlation_id, read.client_id) == (
                3,
                version,
                7,
                "docs",
            )
            assert again == request

    def test_every_request_and_version_survives_a_round_trip(self) -> None:
        for key in range(100):
            for cls in message_classes("request", key):
                for version in cls.VALID_VERSIONS:
                    frame = cls().encode_frame(version=version, correlation_id=2**31 - 1)
                    header, again = cls.decode_frame(bytearray(frame))
                    assert (header.request_api_version, header.client_id, again) == (version, None, cls())

    @pytest.mark.parametrize(
        ("spoil", "reason"),
        [
            (lambda frame: frame[:3], "a frame begins with 4 bytes of length, not 3"),
            (lambda frame: frame[:-1], "the frame announces 15 bytes after its length, but 14 are there"),
            (lambda frame: frame + b"?", "the frame announces 15 bytes after its length, but 16 are there"),
            (lambda _: bytes.fromhex("00000003 000300"), "the frame ends within the header"),
            (lambda frame: b"\0\0\0\x10" + frame[4:] + b"?", "extra bytes after the message: 1"),
            (lambda frame: frame[:5] + b"\x12" + frame[6:], "the frame holds a request with API key 18, not 3"),
        ],
    )
    def test_invalid_frames_are_refused(self, spoil: Any, reason: str) -> None:
        frame = MetadataRequest(topics=None).encode_frame(version=1, correlation_id=1, client_id="c")
        with pytest.raises(DecodeError, match=reason):
            MetadataRequest.decode_frame(spoil(frame))


class TestResponses:
    def test_every_response_and_version_survives_a_round_trip(self) -> None:
        for key in range(100):
            for cls in message_classes("response", key):
                for version in cls.VALID_VERSIONS:
                    header, again = cls.decode_frame(
                        cls().encode_frame(version=version, correlation_id=5), version=version
                    )
                    assert (header.correlation_id, again) == (5, cls())


def test_frames_are_read_within_limits() -> None:
    request = MetadataRequest(topics=(MetadataRequestTopic(name="a"), MetadataRequestTopic(name="b")))
    frame = request.encode_frame(version=9, correlation_id=7)
    assert MetadataRequest.decode_frame(frame, limits=Limits(array_length=2))[1] == request
    with pytest.raises(DecodeError, match="2 elements are more than 1"):
        MetadataRequest.decode_frame(frame, limits=Limits(array_length=1))
    with pytest.raises(DecodeError, match="takes more memory"):
        MetadataRequest.decode_frame(frame, limits=Limits(memory_factor=0, memory_constant=20))
    response = MetadataResponse(cluster_id="cluster")
    answer = response.encode_frame(version=9, correlation_id=7)
    assert MetadataResponse.decode_frame(answer, version=9, limits=Limits(memory_constant=2000))[1] == response
    with pytest.raises(DecodeError, match="takes more memory"):
        MetadataResponse.decode_frame(answer, version=9, limits=Limits(memory_factor=0, memory_constant=150))


def test_the_error_about_missing_headers_names_the_header() -> None:
    package = load(SPECS, messages=["MetadataRequest", "MetadataResponse"])
    with pytest.raises(LookupError, match="has no RequestHeader, which frames need; generate it from the spec"):
        package.MetadataRequest().encode_frame(version=1, correlation_id=1)
    with pytest.raises(LookupError, match="has no ResponseHeader, which frames need"):
        package.MetadataResponse.decode_frame(b"\0\0\0\0", version=1)
