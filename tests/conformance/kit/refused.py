"""Bytes that readers should refuse: each is made from the bytes of a valid message by one change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from messagegen.runtime.errors import DecodeError
from messagegen.runtime.plan import Plan
from messagegen.runtime.walk import walk_decode
from tests.conformance.kit.messages import Line, Message
from tests.conformance.kit.places import Length, Places
from tests.support.varints import uvarint

REASONS: Final = {
    "truncated": "the last byte, or the second half, is missing",
    "trailing-bytes": "a byte comes after the end of the message",
    "not-utf8": "a string is not UTF-8",
    "null-not-allowed": "the length of a string, array or bytes is that of null, which this version does not allow",
    "length-too-long": "a length or count is higher than the number of bytes left",
    "varint-too-long": "a length is a varint of six bytes",
    "varint-over-32-bits": "a length is a varint of five bytes, with a bit above the lowest 32",
    "tag-twice": "a tag comes twice in a tag section",
    "tag-size": "the size of a known tagged field is one byte more than its value has",
    "tag-too-high": "a tag is 2^31 - 1",
    "too-many-tags": "a tag section has more fields than there are bytes left",
}
"""The reasons, in the order of their lines."""

Change = tuple[str, bytes]
"""A reason and the changed bytes."""


@cache
def refused_of(message: Message) -> tuple[tuple[int, str, bytes], ...]:
    """Return the version, reason and bytes of each line. The reference codec refuses all of them."""
    found: list[tuple[int, str, bytes]] = []
    for version in message.plan.valid_versions:
        line = message.usual(version)
        changes = dict.fromkeys(sorted(_changes(message.walked, line), key=lambda one: list(REASONS).index(one[0])))
        found += [(version, why, data) for why, data in changes if refuses(message.walked, data, version)]
    return tuple(found)


def refuses(plan: Plan, data: bytes, version: int) -> bool:
    """Whether the reference codec refuses these bytes as a whole message."""
    try:
        return walk_decode(plan, data, 0, version)[1] != len(data)
    except DecodeError:
        return True


def _changes(plan: Plan, line: Line) -> Iterator[Change]:
    data = line.data
    if data:
        yield "truncated", data[:-1]
        yield "truncated", data[: len(data) // 2]
    yield "trailing-bytes", data + b"\0"
    places = Places(data, plan, line.version)
    first: dict[tuple[str, bool], Length] = {}
    for length in places.lengths:
        first.setdefault((length.codec.kind, bool(length.codec.null)), length)
    for length in first.values():
        yield from _changed_lengths(data, length)
    if places.sections:
        yield from _changed_tags(data, places)


def _changed_lengths(data: bytes, length: Length) -> Iterator[Change]:
    before, after, codec = data[: length.start], data[length.end :], length.codec
    if codec.kind == "string" and length.number:
        yield "not-utf8", data[: length.end] + b"\xff" + data[length.end + 1 :]
    if codec.compact:
        raised = length.number + 1
        low = bytes([raised & 0x7F | 0x80, raised >> 7 & 0x7F | 0x80])
        if not codec.null:
            yield "null-not-allowed", before + b"\0" + after
        yield "length-too-long", before + uvarint(0x7FFF) + after
        yield "varint-too-long", before + low + b"\x80\x80\x80\x00" + after
        yield "varint-over-32-bits", before + low + b"\x80\x80\x10" + after
    else:
        size = codec.length_size
        if not codec.null:
            yield "null-not-allowed", before + b"\xff" * size + after
        yield "length-too-long", before + (0x7FFF).to_bytes(size, "big") + after


def _changed_tags(data: bytes, places: Places) -> Iterator[Change]:
    section = places.sections[-1]
    if section.end != len(data):
        return
    before, count = data[: section.start], len(section.fields)
    fields = data[section.fields[0][1] :] if count else b""
    unknown = uvarint(10_000) + b"\0"
    yield "tag-twice", before + uvarint(count + 2) + fields + unknown * 2
    yield "tag-too-high", before + uvarint(count + 1) + fields + uvarint(2**31 - 1) + b"\0"
    yield "too-many-tags", before + uvarint(count + 99) + fields
    if count:
        tag, start, end = section.fields[-1]
        value = data[end - _size(data, start, end, tag) : end]
        kept = data[section.fields[0][1] : start]
        yield "tag-twice", before + uvarint(count + 1) + fields + data[start:end]
        yield "tag-size", before + uvarint(count) + kept + uvarint(tag) + uvarint(len(value) + 1) + value + b"\0"


def _size(data: bytes, start: int, end: int, tag: int) -> int:
    """Return the declared size of the tagged field whose head starts at ``start``."""
    left = end - start - len(uvarint(tag))
    return next(size for size in range(left, -1, -1) if len(uvarint(size)) + size == left)
