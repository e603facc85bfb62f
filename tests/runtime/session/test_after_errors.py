"""After an error, a session raises the same error for all further bytes, and stores no bytes."""

from __future__ import annotations

import copy
import gc
import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    BrokerSession,
    ClientSession,
    DecodeError,
    Framer,
    FrameSizeError,
    MetadataRequest,
    MetadataResponse,
    Observer,
    SaslHandshakeRequest,
    SessionError,
)
from messagegen_kafka._runtime.session.framing import framed

Feed = Callable[[bytes], Any]
"""A function that takes bytes, and returns an iterator or an event."""
Failed = Callable[[], tuple[Any, Feed, bytes]]
"""A function that returns a new session, one of its methods, and bytes that cause an error."""

CHUNK = 1 << 20
CHUNKS = 20


def request(correlation_id: int) -> bytes:
    return MetadataRequest().encode_frame(version=12, correlation_id=correlation_id)


def response(correlation_id: int) -> bytes:
    return MetadataResponse().encode_frame(version=12, correlation_id=correlation_id)


def framer() -> tuple[Any, Feed, bytes]:
    made = Framer("request")
    return made, made.feed, b"\xff\xff\xff\xff"


def client(data: bytes) -> Failed:
    def made() -> tuple[Any, Feed, bytes]:
        session = ClientSession(messagegen_kafka)
        session.send(ApiVersionsRequest(), version=0)
        session.send(MetadataRequest(), version=12)
        return session, session.receive, data

    return made


def client_payload() -> tuple[Any, Feed, bytes]:
    session = ClientSession(messagegen_kafka)
    session.send(MetadataRequest(), version=12)
    session.send(MetadataRequest(), version=12)
    return session, session.receive_payload, response(7)[4:]


def broker(data: bytes) -> Failed:
    def made() -> tuple[Any, Feed, bytes]:
        session = BrokerSession(messagegen_kafka)
        return session, session.receive, data

    return made


def broker_payload() -> tuple[Any, Feed, bytes]:
    session = BrokerSession(messagegen_kafka)
    return session, session.receive_payload, b"\0\3"


def observed_client(data: bytes) -> Failed:
    def made() -> tuple[Any, Feed, bytes]:
        observer = Observer(messagegen_kafka)
        return observer, observer.from_client, data

    return made


def observed_request() -> tuple[Any, Feed, bytes]:
    observer = Observer(messagegen_kafka)
    observer.request(request(1)[4:])
    return observer, observer.request, request(1)[4:]


def observed_broker() -> tuple[Any, Feed, bytes]:
    observer = Observer(messagegen_kafka)
    observer.request(request(1)[4:])
    return observer, observer.from_broker, response(2)


def observed_response() -> tuple[Any, Feed, bytes]:
    observer = Observer(messagegen_kafka)
    observer.request(request(1)[4:])
    return observer, observer.response, response(2)[4:]


HANDSHAKE = SaslHandshakeRequest().encode_frame(version=0, correlation_id=1)

FAILED: dict[str, Failed] = {
    "framer": framer,
    "client: no size": client(b"\xff\xff\xff\xff"),
    "client: too small": client(b"\0\0\0\1"),
    "client: another correlation id": client(response(9)),
    "client: an invalid message": client(framed(b"\0\0\0\0" + b"\xff" * 9)),
    "client: a refusal": client(ApiVersionsResponse(error_code=42).encode_frame(version=0, correlation_id=0)),
    "client: no request": client(
        ApiVersionsResponse().encode_frame(version=0, correlation_id=0) + response(1) + response(2)
    ),
    "client: a payload": client_payload,
    "broker: no size": broker(b"GET /"),
    "broker: an invalid header": broker(framed(b"\0\3\0\x0c\0\0\0\7\0\1\xff\0")),
    "broker: a payload": broker_payload,
    "observer: no size from the client": observed_client(b"\x16\x03\x01\x02"),
    "observer: an id that waits": observed_client(request(1) + request(1)),
    "observer: bytes after a handshake": observed_client(HANDSHAKE + request(2)),
    "observer: a request": observed_request,
    "observer: bytes of the broker": observed_broker,
    "observer: a response": observed_response,
}

FAILING = pytest.mark.parametrize("failed", FAILED.values(), ids=FAILED)


@pytest.fixture(scope="module")
def only_new_objects() -> None:
    """Exclude all existing objects from garbage collection, because a worker has millions of them.

    They stay excluded, like the objects that exist after pytest has collected the tests.
    """
    gc.collect()
    gc.freeze()


def read(found: object) -> None:
    """Read all events from a result, if it is an iterator."""
    if isinstance(found, Iterator):
        list(found)


def error_of(feed: Feed, data: bytes) -> SessionError:
    with pytest.raises(SessionError) as caught:
        read(feed(data))
    return caught.value


@FAILING
@given(chunks=st.lists(st.binary(max_size=40), min_size=1, max_size=5))
def test_all_later_bytes_raise_the_same_error(failed: Failed, chunks: list[bytes]) -> None:
    _, feed, data = failed()
    first = error_of(feed, data)
    for chunk in [data, *chunks]:
        again = error_of(feed, chunk)
        assert (type(again), str(again)) == (type(first), str(first))
        assert vars(again) == vars(first)
        assert repr(again.__cause__) == repr(first.__cause__)


@FAILING
def test_later_calls_raise_the_error_without_iteration(failed: Failed) -> None:
    _, feed, data = failed()
    error_of(feed, data)
    with pytest.raises(SessionError):
        feed(data)


@pytest.mark.slow
@pytest.mark.usefixtures("only_new_objects")
@FAILING
def test_a_failed_session_keeps_no_bytes(failed: Failed) -> None:
    session, feed, data = failed()
    with suppress(SessionError):
        read(feed(data + bytes(CHUNK)))
    with suppress(SessionError):
        read(feed(data))
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(CHUNKS):
            with suppress(SessionError):
                read(feed(bytes(CHUNK)))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < CHUNK // 4
    assert getattr(session, "pending", 0) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("only_new_objects")
@FAILING
def test_the_bytes_that_caused_the_error_are_released(failed: Failed) -> None:
    tracemalloc.start()
    try:
        session, feed, data = failed()
        with suppress(SessionError):
            read(feed(data + bytes(CHUNK)))
        with suppress(SessionError):
            read(feed(data))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert session is not None
    assert kept < CHUNK // 4


@pytest.mark.parametrize("failed", [framer, client(response(9)), broker(b"GET /")], ids=["framer", "client", "broker"])
def test_close_raises_the_error(failed: Failed) -> None:
    session, feed, data = failed()
    first = error_of(feed, data)
    with pytest.raises(SessionError) as caught:
        session.close()
    assert str(caught.value) == str(first)


def test_an_observer_can_still_read_the_other_side() -> None:
    observer, feed, data = observed_request()
    error_of(feed, data)
    (event,) = observer.from_broker(response(1))
    assert event.decode() == MetadataResponse()


def test_errors_can_be_copied_and_pickled() -> None:
    _, feed, data = broker(b"GET /")()
    size = error_of(feed, data)
    _, feed, data = client(framed(b"\0\0\0\0" + b"\xff" * 9))()
    message = error_of(feed, data)
    assert isinstance(size, FrameSizeError)
    assert isinstance(message.__cause__, DecodeError)
    for error in (size, message):
        for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
