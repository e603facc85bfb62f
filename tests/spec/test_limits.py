"""Specs that are larger than any that is meant: each limit is told as one finding, and what is within it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.spec import parse
from messagegen.spec.message_rules import MAX_STRUCT_DEPTH
from messagegen.texts import MAX_BYTES
from tests.spec.building import Spec, accepted, field, message, read, refusals


def chain(count: int) -> list[Spec]:
    """Common structs, each but the last with a field of the type of the next."""
    inner = [*(field("Next", f"S{i + 1}") for i in range(1, count)), field()]
    return [{"name": f"S{i}", "versions": "0+", "fields": [inner[i - 1]]} for i in range(1, count + 1)]


def test_text() -> None:
    text = json.dumps(message(field())).encode()
    assert parse(text + b" " * (MAX_BYTES - len(text)), "Example.json").findings == ()
    (finding,) = parse(text + b" " * (MAX_BYTES - len(text) + 1), "Example.json").findings
    assert (finding.rule, finding.line, finding.column) == ("SPEC_TEXT_JSON", 1, 1)


def test_common_structs_inside_each_other() -> None:
    accepted(message(field("Head", "S1"), commonStructs=chain(MAX_STRUCT_DEPTH)))
    for common in (chain(MAX_STRUCT_DEPTH + 1), chain(400), chain(400)[::-1]):
        ((rule, path),) = refusals(message(field("Head", "S1"), commonStructs=common))
        assert rule == "STRUCT_NESTING"
        assert path.startswith("commonStructs[")


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        (lambda name: message(field(), name=name), "PROPERTY_TYPE"),
        (lambda name: message(field(name)), "PROPERTY_TYPE"),
        (lambda name: message(field("Row", name, fields=[])), "FIELD_TYPE_KNOWN"),
    ],
)
def test_names(spec: Any, rule: str) -> None:
    accepted(spec("N" * 100))
    assert [found for found, _ in refusals(spec("N" * 101))] == [rule]
    assert len(read(spec("N" * 100_000)).findings[0].message) < 200


def test_many_unknown_structs_take_time_in_proportion() -> None:
    # Compared with each other they would take minutes.
    common = [{"name": f"C{i}", "versions": "0+", "fields": [field("X", f"Nowhere{i}")]} for i in range(450)]
    assert len(refusals(message(field("At", "C1"), commonStructs=common))) == 450
