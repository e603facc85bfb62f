"""Bytes after a request are ignored, as by brokers, but stay in the frame. Bytes after a response are an error."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    BrokerSession,
    DecodeError,
    MetadataRequest,
    MetadataResponse,
    Observer,
    ReceivedRequest,
    ReceivedResponse,
    Request,
    SessionError,
)
from tests.support.specs import OWN, subjects
from tests.support.strategies import messages

SUBJECTS: Final = [subject for subject in subjects(OWN) if subject.plan.kind == "request"]
REQUESTS: Final = [
    cls for key in range(100) for cls in messagegen_kafka.message_classes("request", key) if cls.VALID_VERSIONS
]


@pytest.fixture(params=["native", "pure"])
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for cls in REQUESTS:
        if request.param == "native" and cls.CODEC.engine is None:
            pytest.skip("messagegen-native is not installed")
        if request.param == "pure":
            monkeypatch.setattr(cls.CODEC, "engine", None)


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize("trailing", [b"\0", b"\0\0\0", b"\xff" * 9, bytes(range(1, 40))])
def test_bytes_after_a_request_are_ignored(trailing: bytes) -> None:
    for cls in REQUESTS:
        for version in cls.VALID_VERSIONS:
            check_trailing(cls(), version, trailing)


@pytest.mark.usefixtures("_engine")
@given(data=st.data())
def test_bytes_after_a_random_request_are_ignored(data: st.DataObject) -> None:
    subject = data.draw(st.sampled_from(SUBJECTS))
    drawn = data.draw(messages(subject)).encode(version=subject.version)
    request = getattr(messagegen_kafka, subject.plan.name).decode(drawn, version=subject.version)
    check_trailing(request, subject.version, data.draw(st.binary(min_size=1, max_size=20)))


def check_trailing(request: Request, version: int, trailing: bytes) -> None:
    body = request.encode(version=version)
    frame = with_trailing(request.encode_frame(version=version, correlation_id=7), trailing)
    sessions = (BrokerSession(messagegen_kafka).receive, Observer(messagegen_kafka).from_client)
    for event in [event for take in sessions for event in take(frame)]:
        assert isinstance(event, ReceivedRequest)
        assert event.frame == frame
        assert event.body == body + trailing
        for lazy in (False, True):
            assert event.decode(lazy=lazy).encode(version=version) == body
    with pytest.raises(DecodeError, match="extra bytes after the message"):
        type(request).decode(body + trailing, version=version)


def with_trailing(frame: bytes, trailing: bytes) -> bytes:
    payload = frame[4:] + trailing
    return len(payload).to_bytes(4, "big") + payload


def test_a_request_of_librdkafka_for_all_topics_is_read() -> None:
    # librdkafka 2.16 writes three extra bytes after a null array of topics.
    frame = MetadataRequest(topics=None).encode_frame(version=13, correlation_id=7, client_id="rdkafka")
    (event,) = BrokerSession(messagegen_kafka).receive(with_trailing(frame, b"\0\0\0"))
    assert isinstance(event, ReceivedRequest)
    assert event.decode() == MetadataRequest(topics=None)


def test_bytes_after_a_response_are_an_error() -> None:
    observer = Observer(messagegen_kafka)
    list(observer.from_client(MetadataRequest().encode_frame(version=12, correlation_id=7)))
    frame = MetadataResponse().encode_frame(version=12, correlation_id=7)
    (event,) = observer.from_broker(with_trailing(frame, b"\0"))
    assert isinstance(event, ReceivedResponse)
    with pytest.raises(SessionError, match="extra bytes after the message: 1"):
        event.decode()
