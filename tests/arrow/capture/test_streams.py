"""Streams contain the bytes that were sent, in whatever order the segments arrive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.capture.segments import End, Segment
from messagegen_arrow.capture.streams import Piece, Stream

CLIENT, BROKER = End(b"\x0a\0\0\1", 40000), End(b"\x0a\0\0\2", 9092)
LIMIT = 1 << 20


def segment(sequence: int, data: bytes, *, length: int | None = None, is_end: bool = False) -> Segment:
    return Segment(
        time=7,
        source=CLIENT,
        target=BROKER,
        sequence=sequence % 2**32,
        acknowledged=1,
        is_begin=False,
        is_end=is_end,
        is_reset=False,
        data=data,
        length=len(data) if length is None else length,
    )


def put_together(pieces: Iterator[Piece] | list[Piece]) -> bytes:
    """Return the bytes, with a dot for each missing one; check that the pieces are contiguous."""
    whole = b""
    for piece in pieces:
        assert piece.position == len(whole)
        assert bool(piece.data) != bool(piece.missing)
        whole += piece.data or b"." * piece.missing
    return whole


@st.composite
def sent(draw: st.DrawFn) -> tuple[int, bytes, list[tuple[int, int]]]:
    """Draw a first sequence number, bytes, and segments that cover all bytes, in any order and perhaps repeatedly."""
    data = draw(st.binary(min_size=1, max_size=60))
    cuts = sorted({0, len(data), *draw(st.lists(st.integers(0, len(data)), max_size=8))})
    needed = list(pairwise(cuts))
    again = draw(st.lists(st.tuples(st.integers(0, len(data)), st.integers(0, len(data))), max_size=6))
    first = draw(st.sampled_from([0, 1, 2**31 - 5, 2**32 - 10, 2**32 - 1]))
    return first, data, draw(st.permutations([*needed, *again]))


@given(sent())
def test_bytes_are_restored_from_segments_in_any_order_and_overlap(
    case: tuple[int, bytes, list[tuple[int, int]]],
) -> None:
    first, data, parts = case
    stream = Stream(LIMIT)
    stream.begin(first)
    pieces: list[Piece] = []
    for start, end in parts:
        pieces += stream.add(segment(first + start, data[start:end]))
    pieces += stream.add(segment(first + len(data), b"", is_end=True))
    assert put_together(pieces) == data
    assert stream.is_complete
    assert not list(stream.finish())


def test_a_stream_skips_missing_bytes_when_its_limit_is_reached() -> None:
    stream = Stream(1000)
    stream.begin(0)
    pieces = list(stream.add(segment(0, b"ab")))
    for number in range(20):
        pieces += stream.add(segment(5 + number * 100, b"x" * 100))
    assert pieces[1].missing == 3
    pieces += stream.finish()
    assert put_together(pieces) == b"ab..." + b"x" * 2000


def test_missing_bytes_are_reported_at_the_end() -> None:
    stream = Stream(LIMIT)
    stream.begin(0)
    pieces = [*stream.add(segment(2, b"cd")), *stream.add(segment(6, b"gh"))]
    assert pieces == []
    assert put_together(list(stream.finish())) == b"..cd..gh"


def test_a_stream_without_handshake_begins_with_its_first_segment() -> None:
    stream = Stream(LIMIT)
    assert put_together([*stream.add(segment(500, b"ab")), *stream.add(segment(502, b"cd"))]) == b"abcd"
    assert stream.starts_within
    assert list(stream.add(segment(490, b"earlier"))) == []
