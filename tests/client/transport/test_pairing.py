"""Requests become bytes, and bytes the responses to them, however they are split."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.transport.pairing import Pairing, UnexpectedBytesError
from messagegen_kafka import (
    EncodeError,
    ListOffsetsRequest,
    MetadataRequest,
    RequestHeader,
    ResponseHeader,
)

MOST = 1000
REQUEST = MetadataRequest(topics=None)
HEADER_VERSION = 1


def new_pairing() -> Pairing:
    return Pairing("app", MOST)


def send(pairing: Pairing) -> int:
    """Sends a request. Returns its correlation id."""
    number, _ = pairing.request(REQUEST, 12, header_version=HEADER_VERSION)
    return number


def response(number: int, body: bytes) -> bytes:
    data = ResponseHeader(correlation_id=number).encode(version=HEADER_VERSION) + body
    return struct.pack(">i", len(data)) + data


def test_a_request_has_a_size_and_a_header_with_its_version_and_the_client_id() -> None:
    number, data = new_pairing().request(REQUEST, 12, header_version=HEADER_VERSION)
    assert struct.unpack_from(">i", data) == (len(data) - 4,)
    header, end = RequestHeader.decode_from(data, 4, version=MetadataRequest.header_version(12))
    assert header == RequestHeader(
        request_api_key=MetadataRequest.API_KEY, request_api_version=12, correlation_id=number, client_id="app"
    )
    assert MetadataRequest.decode(data[end:], version=12) == REQUEST


@given(bodies=st.lists(st.binary(max_size=30), max_size=6), data=st.data())
def test_any_split_of_the_bytes_gives_the_same_responses(bodies: list[bytes], data: st.DataObject) -> None:
    pairing = new_pairing()
    expected = [(send(pairing), body) for body in bodies]
    stream = b"".join(response(number, body) for number, body in expected)

    received: list[tuple[int, bytes]] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        received += pairing.receive(stream[:size])
        stream = stream[size:]
    assert received == expected
    assert pairing.incomplete == 0


def test_bare_tokens_come_between_responses_and_may_be_empty() -> None:
    pairing = new_pairing()
    first = send(pairing)
    second, sent = pairing.bare_token(b"token", answered=True)
    third, _ = pairing.bare_token(b"", answered=True)
    pairing.bare_token(b"the last one", answered=False)
    fourth = send(pairing)
    assert sent == b"\0\0\0\x05token"

    stream = response(first, b"1") + b"\0\0\0\x022." + b"\0\0\0\0" + response(fourth, b"4")
    assert list(pairing.receive(stream)) == [(first, b"1"), (second, b"2."), (third, b""), (fourth, b"4")]


@pytest.mark.parametrize("size", [-1, 0, 3, MOST + 1, 2**31 - 1])
def test_an_impossible_size_is_an_error_before_the_bytes_come(size: int) -> None:
    pairing = new_pairing()
    send(pairing)
    with pytest.raises(UnexpectedBytesError, match=f"sent {size:,} as the size of a response, expected 4 to 1,000"):
        list(pairing.receive(struct.pack(">i", size)))


def test_bytes_without_a_request_are_an_error() -> None:
    with pytest.raises(UnexpectedBytesError, match="sent 8 bytes without a request"):
        list(new_pairing().receive(b"\0\0\0\x08"))


def test_another_correlation_id_is_an_error_after_the_responses_before_it() -> None:
    pairing = new_pairing()
    first = send(pairing)
    second = send(pairing)
    received = pairing.receive(response(first, b"good") + response(second + 1, b"bad"))
    assert next(received) == (first, b"good")
    with pytest.raises(UnexpectedBytesError, match=f"sent correlation id {second + 1}, expected {second}"):
        next(received)


def test_a_header_that_ends_early_is_an_error() -> None:
    pairing = new_pairing()
    send(pairing)
    with pytest.raises(UnexpectedBytesError, match="sent an invalid response header"):
        list(pairing.receive(b"\0\0\0\x04\0\0\0\x01"))


def test_bytes_of_an_incomplete_response_are_counted() -> None:
    pairing = new_pairing()
    whole = response(send(pairing), b"body")
    assert list(pairing.receive(whole[:-1])) == []
    assert pairing.incomplete == len(whole) - 1


def test_nothing_is_expected_after_a_request_that_cannot_be_encoded() -> None:
    pairing = new_pairing()
    with pytest.raises(EncodeError):
        pairing.request(ListOffsetsRequest(replica_id="text"), 1, header_version=0)  # type: ignore[arg-type]
    number = send(pairing)
    assert list(pairing.receive(response(number, b""))) == [(number, b"")]


def test_correlation_ids_begin_again_after_the_largest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("messagegen_client.transport.pairing._LARGEST_CORRELATION_ID", 2)
    pairing = new_pairing()
    assert [send(pairing) for _ in range(5)] == [1, 2, 1, 2, 1]
