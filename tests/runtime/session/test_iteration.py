"""Bytes are stored by the call, and events are read later. No event is lost or moved, whichever iterator is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    BrokerSession,
    ClientSession,
    Framer,
    FrameSizeError,
    MetadataRequest,
    MetadataResponse,
    Observer,
    SessionError,
)

Feed = Callable[[bytes], Iterator[Any]]
Receiver = Callable[[int], tuple[Feed, list[bytes]]]
"""A function that returns a feed for bytes, and the given number of complete frames for it."""


def requests(count: int) -> list[bytes]:
    return [MetadataRequest().encode_frame(version=12, correlation_id=number) for number in range(count)]


def responses(count: int) -> list[bytes]:
    return [MetadataResponse().encode_frame(version=12, correlation_id=number) for number in range(count)]


def framer(count: int) -> tuple[Feed, list[bytes]]:
    return Framer("request").feed, requests(count)


def client(count: int) -> tuple[Feed, list[bytes]]:
    session = ClientSession(messagegen_kafka)
    for _ in range(count):
        session.send(MetadataRequest(), version=12)
    return session.receive, responses(count)


def broker(count: int) -> tuple[Feed, list[bytes]]:
    return BrokerSession(messagegen_kafka).receive, requests(count)


def observed_client(count: int) -> tuple[Feed, list[bytes]]:
    return Observer(messagegen_kafka).from_client, requests(count)


def observed_broker(count: int) -> tuple[Feed, list[bytes]]:
    observer = Observer(messagegen_kafka)
    list(observer.from_client(b"".join(requests(count))))
    return observer.from_broker, responses(count)


RECEIVERS = pytest.mark.parametrize("receiver", [framer, client, broker, observed_client, observed_broker])


def frame_of(event: Any) -> bytes:
    """Return the frame of an event; a framer's event is a payload."""
    return len(event).to_bytes(4, "big") + event if isinstance(event, bytes) else event.frame


@RECEIVERS
def test_a_later_result_returns_the_events_of_unread_results(receiver: Receiver) -> None:
    feed, frames = receiver(3)
    stream = b"".join(frames)
    feed(stream[:30])
    feed(stream[30:])
    assert [frame_of(event) for event in feed(b"")] == frames


@RECEIVERS
def test_messages_keep_their_order_if_results_are_read_out_of_order(
    receiver: Receiver,
) -> None:
    feed, frames = receiver(2)
    first, second = (feed(frame) for frame in frames)
    assert [frame_of(next(second)), frame_of(next(first))] == frames
    assert list(first) == list(second) == []


@RECEIVERS
@given(data=st.data())
def test_events_come_in_order_for_any_split_and_any_use_of_the_results(receiver: Receiver, data: st.DataObject) -> None:
    feed, frames = receiver(data.draw(st.integers(0, 6)))
    stream = b"".join(frames)
    results: list[Iterator[Any]] = []
    found: list[bytes] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        results.append(feed(stream[:size]))
        stream = stream[size:]
        if data.draw(st.booleans()):
            result = data.draw(st.sampled_from(results))
            found += [frame_of(event) for event in islice(result, data.draw(st.integers(0, 3)))]
    found += [frame_of(event) for event in feed(b"")]
    assert found == frames
    assert [event for result in results for event in result] == []


@RECEIVERS
def test_an_error_is_raised_after_earlier_events_and_on_every_later_read(
    receiver: Receiver,
) -> None:
    feed, frames = receiver(2)
    result = feed(frames[0] + b"\xff\xff\xff\xff" + frames[1])
    assert frame_of(next(result)) == frames[0]
    for each in (result, feed(frames[1]), feed(b"")):
        with pytest.raises(FrameSizeError, match="got -1"):
            next(each)


def test_an_error_in_a_payload_is_raised_on_every_later_call() -> None:
    session = ClientSession(messagegen_kafka)
    session.send(MetadataRequest(), version=12)
    session.send(MetadataRequest(), version=12)
    wrong, right = reversed(responses(2))
    for data in (wrong, right, b""):
        with pytest.raises(SessionError, match="sent correlation id 1, expected 0"):
            list(session.receive(data))
