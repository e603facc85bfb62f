"""Whatever attackers send to the quickstart's proxy, its output never contains the broker's address."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    MetadataRequest,
    ProduceRequest,
    Request,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.e2e.proxy.hostile import END, SECRET, WAIT, Attack, attacked, page_proxy, secret_response

METADATA: Final = MetadataRequest.API_KEY
VERSION: Final = 12
TOKEN: Final = b"\0alice\0secret"


@pytest.fixture(scope="module")
def proxy() -> ModuleType:
    return page_proxy()


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def frame(request: Request, correlation_id: int, version: int = VERSION, client_id: str = "app") -> bytes:
    return request.encode_frame(version=version, correlation_id=correlation_id, client_id=client_id)


def metadata(correlation_id: int, client_id: bytes = b"\0\3app", *, key: int = METADATA, version: int = 1) -> bytes:
    """Return a frame with any bytes as length and client id, even bytes that only Java can read."""
    numbers = key.to_bytes(2, "big") + version.to_bytes(2, "big") + correlation_id.to_bytes(4, "big")
    return framed(numbers + client_id + MetadataRequest(topics=None).encode(version=1))


def long_id(length: int) -> bytes:
    return length.to_bytes(2, "big") + b"x" * length


HANDSHAKE: Final = frame(SaslHandshakeRequest(mechanism="PLAIN"), 1, version=0)
LOGIN: Final = (HANDSHAKE, WAIT, framed(TOKEN), WAIT)
CLIENT_IDS: Final = {
    "long": long_id(1025),
    "the longest": long_id(0x7FFF),
    "not UTF-8": b"\0\2\xff\xfe",
    "long and not UTF-8": (2000).to_bytes(2, "big") + b"\xff" * 2000,
    "of a negative length": b"\xff\xfe",
    "of the lowest length": b"\x80\x00",
}
END_FRAME: Final = framed(b"\0\x12\0\0" + b"\x7f\xff\xff\xff" + len(END).to_bytes(2, "big") + END)
"""ApiVersions version 0 whose client id ends the attack."""


def attacks() -> dict[str, Attack]:
    many = [metadata(number) for number in range(10_050)]
    found = {
        "10,050 requests in flight": Attack(many, held=len(many)),
        "acks=0, and another request with its correlation id": Attack(
            [frame(ProduceRequest(acks=0), 7, version=9), frame(MetadataRequest(), 7)]
        ),
        "two requests with one correlation id": Attack([framed_key(10, 7), metadata(7)], held=2),
        "a token before the answer to a handshake": Attack([HANDSHAKE, metadata(2, CLIENT_IDS["long"])]),
        "an unknown version": Attack([metadata(2, version=90)]),
        "an unknown version of ApiVersions": Attack([metadata(2, key=ApiVersionsRequest.API_KEY, version=90)]),
        "an unknown API": Attack([metadata(2, key=999)]),
        "bytes after a request": Attack([framed(frame(MetadataRequest(), 7)[4:] + bytes(9))]),
    }
    for name, client_id in CLIENT_IDS.items():
        request = metadata(2, client_id)
        found[f"a client id {name}"] = Attack([request])
        found[f"a client id {name} after a refused handshake"] = Attack([HANDSHAKE, WAIT, request])
        found[f"a client id {name} after a login"] = Attack([*LOGIN, request], accepts_logins=True)
        found[f"a client id {name} in place of a token"] = Attack([HANDSHAKE, WAIT, request, metadata(3)])
    return found


def framed_key(key: int, correlation_id: int) -> bytes:
    (cls,) = messagegen_kafka.message_classes("request", key)
    return frame(cls(), correlation_id, version=cls.VALID_VERSIONS[-1])


ATTACKS: Final = attacks()


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_reveals_the_address_of_the_broker(proxy: ModuleType, name: str) -> None:
    attack = ATTACKS[name]
    steps = [*attack.steps, END_FRAME]
    received = attacked(proxy, Attack(steps, held=attack.held, accepts_logins=attack.accepts_logins))
    assert SECRET.encode() not in received


def test_the_proxy_replaces_the_address_that_the_broker_sends(proxy: ModuleType) -> None:
    response_class = MetadataRequest.RESPONSE
    assert response_class is not None
    assert SECRET in repr(secret_response(response_class, VERSION))
    received = attacked(proxy, Attack([frame(MetadataRequest(), 7), WAIT, END_FRAME]))
    _, response = response_class.decode_frame(received, version=VERSION)
    assert [broker.host for broker in response.brokers] == ["127.0.0.1"]


@pytest.mark.parametrize("client_id", ["a", "x" * 30_000], ids=["short", "long"])
def test_a_login_and_later_requests_pass_through_the_proxy(proxy: ModuleType, client_id: str) -> None:
    request = frame(MetadataRequest(), 2, client_id=client_id)
    received = attacked(proxy, Attack([*LOGIN, request, WAIT, END_FRAME], accepts_logins=True))
    accepted = SaslHandshakeResponse().encode_frame(version=0, correlation_id=1)
    assert received.startswith(accepted + framed(b""))
    assert b"127.0.0.1" in received


def random_frames() -> st.SearchStrategy[bytes]:
    """Return a strategy for frames of all kinds, with few correlation ids, so that ids are repeated."""
    keys = [key for key in range(100) if messagegen_kafka.message_classes("request", key)]
    client_ids = st.one_of(st.sampled_from([b"\0\1a", *CLIENT_IDS.values()]), st.binary(max_size=12))
    heads = st.builds(
        lambda key, version, number, client_id: key.to_bytes(2, "big")
        + bytes([0, version, 0, 0, 0, number])
        + client_id,
        st.sampled_from(keys),
        st.integers(0, 20),
        st.integers(0, 2),
        client_ids,
    )
    requests = st.sampled_from(keys).flatmap(lambda key: st.builds(framed_key, st.just(key), st.integers(0, 2)))
    produce = st.builds(
        frame, st.sampled_from([ProduceRequest(acks=0), ProduceRequest(acks=1)]), st.integers(0, 2), st.just(9)
    )
    return st.one_of(
        requests,
        produce,
        st.builds(metadata, st.integers(0, 2), client_ids),
        st.builds(lambda head, body: framed(head + body), heads, st.binary(max_size=30)),
        st.sampled_from([HANDSHAKE, framed(TOKEN), framed(b"")]),
        st.binary(max_size=40).map(framed),
        st.binary(max_size=12),
    )


@settings(max_examples=5 * settings().max_examples)
@given(
    steps=st.lists(st.one_of(random_frames(), st.just(WAIT)), max_size=12),
    held=st.integers(0, 6),
    accepts_logins=st.booleans(),
    begins_with_login=st.booleans(),
)
def test_no_random_traffic_gets_the_address(
    proxy: ModuleType, steps: Sequence[bytes | None], held: int, accepts_logins: bool, begins_with_login: bool
) -> None:
    login: Sequence[Any] = LOGIN if begins_with_login else ()
    attack = Attack([*login, *steps, END_FRAME], held=0 if login else held, accepts_logins=accepts_logins)
    assert SECRET.encode() not in attacked(proxy, attack)
