"""Our default limits do not exceed the limits of Kafka 4.4 (docs/design/009-limits.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

import messagegen_kafka
from messagegen.runtime.errors import DEFAULT_LIMITS
from messagegen_kafka import DecodeError, Limits, Message
from tests.oracle import TOOLS_RELEASE, Oracle, Question
from tests.support.varints import uvarint

pytestmark = pytest.mark.java

ELEMENTS: Final = 1_000_000
TAGS: Final = 10_000
"""The highest counts that Kafka's classes accept (upstream: ``MessageUtil``)."""
TOO_MANY_ELEMENTS: Final = f"Tried to read a collection of size {ELEMENTS + 1}, which exceeds the maximum"
TOO_MANY_TAGS: Final = f"Tried to read {TAGS + 1} tagged fields, which exceeds the maximum"


def int32(number: int) -> bytes:
    return number.to_bytes(4, "big", signed=True)


def section(count: int, *known: bytes) -> bytes:
    """Return a tag section of ``count`` fields: the known fields, and unknown fields without bytes."""
    return uvarint(count) + b"".join(known) + b"".join(uvarint(1000 + tag) + b"\0" for tag in range(count - len(known)))


def compact(count: int, element: bytes) -> bytes:
    return uvarint(count + 1) + count * element


ARRAYS: Final[dict[str, tuple[str, int, Callable[[int], bytes]]]] = {
    "strings": ("SaslHandshakeResponse", 0, lambda count: bytes(2) + int32(count) + count * bytes(2)),
    "structs": ("MetadataRequest", 1, lambda count: int32(count) + count * bytes(2)),
    "compact structs": ("MetadataRequest", 9, lambda count: compact(count, b"\1\0") + bytes(4)),
    "compact integers": (
        "PartitionRecord",
        0,
        lambda count: bytes(20) + compact(count, bytes(4)) + b"\1\1\1" + bytes(12) + b"\0",
    ),
    "a tagged array": (
        "PartitionChangeRecord",
        0,
        lambda count: bytes(20) + b"\1\0" + uvarint(len(compact(count, bytes(4)))) + compact(count, bytes(4)),
    ),
}
"""For each kind of array: a message, its version, and a function that returns bytes with ``count`` elements."""

TAGGED: Final[dict[str, tuple[str, int, Callable[[int], bytes]]]] = {
    "unknown tags": ("ResponseHeader", 1, lambda count: bytes(4) + section(count)),
    "known tags count": (
        "ApiVersionsResponse",
        3,
        lambda count: bytes(2) + b"\1" + bytes(4) + section(count, b"\1\x08" + bytes(8)),
    ),
    "tags of an element": (
        "MetadataRequest",
        9,
        lambda count: b"\3" + 2 * (b"\1" + section(count)) + bytes(4),
    ),
}
"""Messages with tag sections; each element has one, so that a message may have more tags than the limit."""


def refusal(oracle: Oracle, message: str, version: int, data: bytes) -> str:
    """Return the reason why Java rejects the bytes; empty if it accepts them."""
    answer = oracle.ask(Question("read", message, version, hex=data.hex()))
    assert (answer.error is None) == (answer.parts.get("read") is True), answer
    return answer.error or ""


ENOUGH_MEMORY: Final = Limits(memory_factor=1000)
"""Limits with enough memory. By default, a million structs of two bytes are too much; Java does not count memory."""


def our_refusal(message: str, version: int, data: bytes) -> str:
    """Return the reason why our class rejects the bytes; empty if it accepts them."""
    cls: type[Message] = getattr(messagegen_kafka, message)
    try:
        cls.decode(data, version=version, limits=ENOUGH_MEMORY)
    except DecodeError as error:
        return error.reason
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ARRAYS)
def test_kafka_and_messagegen_refuse_arrays_above_a_million_elements(oracle: Oracle, kind: str) -> None:
    message, version, data = ARRAYS[kind]
    assert refusal(oracle, message, version, data(ELEMENTS)) == ""
    assert TOO_MANY_ELEMENTS in refusal(oracle, message, version, data(ELEMENTS + 1))
    if hasattr(messagegen_kafka, message):
        assert our_refusal(message, version, data(ELEMENTS)) == ""
        assert "array_length" in our_refusal(message, version, data(ELEMENTS + 1))


def test_our_default_limits_equal_the_limits_of_kafka() -> None:
    assert (DEFAULT_LIMITS.array_length, DEFAULT_LIMITS.tagged_field_count) == (ELEMENTS, TAGS)


@pytest.mark.parametrize("kind", TAGGED)
def test_kafka_and_messagegen_refuse_more_than_ten_thousand_tagged_fields(
    oracle: Oracle, generator: Oracle, kind: str
) -> None:
    message, version, data = TAGGED[kind]
    assert refusal(oracle, message, version, data(TAGS)) == ""
    assert TOO_MANY_TAGS in refusal(oracle, message, version, data(TAGS + 1))
    assert refusal(generator, message, version, data(TAGS + 1)) == "", f"{TOOLS_RELEASE} had no limit"
    if hasattr(messagegen_kafka, message):
        assert our_refusal(message, version, data(TAGS)) == ""
        assert "tagged_field_count" in our_refusal(message, version, data(TAGS + 1))
