"""Keys and values of the records of internal topics."""

from __future__ import annotations

from typing import Any

import pytest

from messagegen.cli import run
from messagegen.explain import Explanation, explain_key, explain_named, explain_value
from messagegen.record_types import FAMILIES, RecordType
from messagegen.runtime.wire import write_uvarint
from tests.explain.support import check_tiles, messages_of
from tests.support.specs import OWN

OURS = messages_of(OWN)
OF_COORDINATORS = [
    kind for family, framing in FAMILIES.items() if framing == "coordinator" for kind in OURS.record_types(family)
]
OF_METADATA = [
    kind for family, framing in FAMILIES.items() if "metadata" in framing for kind in OURS.record_types(family)
]
OF_CONTROL = OURS.record_types("control records")
OFFSETS = "__consumer_offsets"


def name_of(kind: RecordType) -> str:
    return kind.name


def int16(number: int) -> bytes:
    return number.to_bytes(2, "big", signed=True)


def encoded(name: str, version: int) -> bytes:
    message: Any = OURS.cls(name)()
    data: bytes = message.encode(version=version)
    return data


def check(found: Explanation, *names: str) -> None:
    """Every byte has its place, and the last parts are what they should be called."""
    assert found.problem is None
    check_tiles(found)
    assert tuple(node.name for node in found.nodes) == names


@pytest.mark.parametrize("kind", OF_COORDINATORS, ids=name_of)
def test_records_of_coordinators(kind: RecordType) -> None:
    assert kind.key is not None
    key = int16(kind.number) + encoded(kind.key, 0)
    check(explain_key(key, OURS, kind.family), "type", f"{kind.key} version 0")
    check(explain_named(key, OURS.plan(kind.key)), "type", f"{kind.key} version 0")
    for version in OURS.plan(kind.value).valid_versions:
        value = int16(version) + encoded(kind.value, version)
        check(explain_value(value, OURS, kind.family, key), "version", f"{kind.value} version {version}")
        check(explain_named(value, OURS.plan(kind.value)), "version", f"{kind.value} version {version}")


@pytest.mark.parametrize("kind", OF_METADATA, ids=name_of)
def test_records_of_metadata(kind: RecordType) -> None:
    for version in OURS.plan(kind.value).valid_versions:
        value = bytearray(b"\1" if kind.family == "__cluster_metadata" else b"")
        write_uvarint(value, kind.number)
        write_uvarint(value, version)
        value += encoded(kind.value, version)
        first = ["frame version"] if kind.family == "__cluster_metadata" else []
        found = explain_value(bytes(value), OURS, kind.family)
        check(found, *first, "API key", "version", f"{kind.value} version {version}")


@pytest.mark.parametrize("kind", OF_CONTROL, ids=name_of)
def test_control_records(kind: RecordType) -> None:
    key = int16(0) + int16(kind.number)
    check(explain_key(key, OURS, kind.family), "version", "type")
    plan = OURS.plan(kind.value)
    is_field = "version" in plan.root.fields
    for version in plan.valid_versions:
        message = OURS.cls(kind.value)
        value: bytes = encoded(kind.value, version)
        if is_field:
            json = message().to_json(version=version) | {"version": version}
            value = message.from_json(json, version=version).encode(version=version)
        found = explain_value(value if is_field else int16(version) + value, OURS, kind.family, key)
        check(found, *([] if is_field else ["version"]), f"{kind.value} version {version}")


@pytest.mark.parametrize(
    ("family", "data", "reason"),
    [
        (OFFSETS, "0fff 01020304", "unknown type 4095 in __consumer_offsets"),
        (OFFSETS, "00", "unexpected end: bytes needed: 2, left: 1"),
        (OFFSETS, "0001 0005", "invalid number of bytes, 5; bytes left: 0"),
    ],
)
def test_keys_that_cannot_be_read(family: str, data: str, reason: str) -> None:
    found = explain_key(bytes.fromhex(data), OURS, family)
    assert found.problem is not None
    assert found.problem.reason == reason
    check_tiles(found)


def test_a_value_of_a_key_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="the key: unknown type 4095 in __consumer_offsets"):
        explain_value(b"\0\0", OURS, OFFSETS, int16(4095))


SPECS = ["--specs", str(OWN)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--as", "key"], "Pass --topic TOPIC or --message NAME with --as key."),
        (["--as", "key", "--topic", "orders"], "Unknown topic 'orders'; expected one of"),
        (["--as", "key", "--topic", "__cluster_metadata"], "Keys in __cluster_metadata have no known form"),
        (
            ["--as", "value", "--topic", OFFSETS],
            "Pass --key HEX: in __consumer_offsets the key gives the type of the value.",
        ),
        (["--as", "value", "--topic", OFFSETS, "--key", "0fff"], "the key: unknown type 4095"),
        (["--as", "value", "--topic", OFFSETS, "--key", "zz"], "is not a digit of hex"),
        (["--as", "value", "--topic", "__cluster_metadata", "--key", "00"], "--key requires --as value, and a topic"),
        (["--as", "value", "--message", "TopicRecord", "--version", "0"], "A value contains its version"),
        (["--as", "value", "--message", "TopicRecord"], "Pass --topic in place of --message"),
        (["--as", "key", "--topic", OFFSETS, "--key", "00"], "--key requires --as value, and a topic"),
        (["--topic", OFFSETS], "--topic and --key require --as key or --as value."),
    ],
)
def test_wrong_usage(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--hex", "0000", *arguments, *SPECS]) == 2
    assert expected in " ".join(capsys.readouterr().err.split())
