"""Any split of the bytes returns the same payloads, and a wrong length is refused immediately."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import SessionError
from messagegen_kafka._runtime.session import Framer
from messagegen_kafka._runtime.session.framing import framed


@given(payloads=st.lists(st.binary(max_size=20), max_size=8), data=st.data())
def test_any_split_yields_the_same_payloads(payloads: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(framed, payloads))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    framer = Framer("request")
    found: list[bytes] = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += framer.feed(stream[begin:end])
    assert found == payloads
    framer.close()


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"\xff\xff\xff\xff", "request: expected the length of a frame, from 0 to 100, got -1"),
        (b"\0\0\0\x65", "from 0 to 100, got 101"),
        (b"HTTP", "the other side speaks HTTP"),
        (b"GET ", "the other side speaks HTTP"),
        (b"POST", "the other side speaks HTTP"),
        (b"PRI ", "the other side speaks HTTP"),
        (b"\x16\x03\x01\x00", "the other side speaks TLS"),
    ],
)
def test_a_wrong_length_is_refused_before_the_frame_is_received(head: bytes, text: str) -> None:
    with pytest.raises(SessionError, match=text):
        list(Framer("request", max_size=100).feed(head))


def test_a_frame_may_be_as_long_as_the_limit() -> None:
    assert list(Framer("request", max_size=5).feed(framed(b"whole"))) == [b"whole"]


def test_the_end_of_the_stream_in_the_middle_of_a_frame_is_an_error() -> None:
    framer = Framer("response")
    assert not list(framer.feed(b"\0\0\0\5ab"))
    assert framer.pending == 6
    with pytest.raises(SessionError, match="the stream ends in the middle of a frame, after 6 bytes of it"):
        framer.close()


def test_payloads_before_a_wrong_length_are_returned() -> None:
    framer = Framer("request")
    found: list[bytes] = []
    with pytest.raises(SessionError):
        found.extend(framer.feed(framed(b"whole") + b"\xff\xff\xff\xff"))
    assert found == [b"whole"]
