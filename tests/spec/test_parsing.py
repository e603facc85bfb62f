from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.spec import parse
from tests.spec.building import Spec, field, message, read
from tests.support.profiles import examples

RICH = message(
    field("Topic", "string", nullableVersions="2+", entityType="topicName", default="all"),
    field("Ratio", "float64", default="0x1.8p1"),
    field("Epoch", "int64", "1+", encoding={"1": "fixed32", "2+": "packed64"}),
    field("Replicas", {"0-1": "[]int32", "2+": "[]varint64"}),
    field(
        "Rows",
        "[]Row",
        fields=[field("Id", "uuid", mapKey=True), field("At", "Cursor", "2+", tag=0, taggedVersions="2+")],
    ),
    type="request",
    apiKey=1000,
    listeners=["broker"],
    headerVersions={"0-1": 1, "2+": 2},
    commonStructs=[
        {"name": "Cursor", "versions": "0+", "fields": [field(), field("Page", "[]Page")]},
        {"name": "Page", "versions": "0+", "fields": []},
    ],
)

WORDS = [
    "",
    "0",
    "0+",
    "1-3",
    "3-1",
    "none",
    "99999+",
    "int32",
    "[]int32",
    "[]Row",
    "Row",
    "Cursor",
    "string",
    "packed32",
    "null",
    "true",
    "x-y",
    "request",
    "data",
    "\u0000",
]
VALUES = (
    st.sampled_from(WORDS)
    | st.none()
    | st.booleans()
    | st.integers(-3, 70000)
    | st.floats(allow_nan=False, allow_infinity=False)
)
PARTS = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["name", "type", "versions", "fields", "tag", "0+", "1"]), inner, max_size=3),
    max_leaves=6,
)


def holders(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object and array in a spec with each of its keys or indices."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield value, key
            yield from holders(part)


@pytest.mark.slow
@examples(200)
@given(st.data())
def test_damaged_specs_yield_a_model_or_errors(data: st.DataObject) -> None:
    spec = copy.deepcopy(RICH)
    for _ in range(data.draw(st.integers(1, 3))):
        where = list(holders(spec))
        holder, key = where[data.draw(st.integers(0, len(where) - 1))]
        if isinstance(holder, dict) and data.draw(st.booleans()):
            holder[data.draw(st.sampled_from([*RICH, *RICH["fields"][4], "tag", "encoding", "odd"]))] = data.draw(PARTS)
        else:
            holder[key] = data.draw(PARTS)
    parsed = read(spec)
    assert (parsed.spec is None) == any(finding.severity == "error" for finding in parsed.findings)
    assert list(parsed.findings) == sorted(parsed.findings)
    for finding in parsed.findings:
        assert finding.instead
        assert "\n" not in str(finding)


@examples(200)
@given(st.text() | st.binary())
def test_text_that_is_not_a_spec_yields_findings(text: str | bytes) -> None:
    parsed = parse(text, "Example.json")
    assert parsed.spec is None
    assert parsed.findings


def test_findings_do_not_depend_on_line_endings() -> None:
    text = json.dumps(message(field(zeroCopy=True), field()), indent=2)
    assert parse(text, "a").findings == parse(text.replace("\n", "\r\n"), "a").findings != ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        message(*(field(f"F{i}", tag=2 * i, versions="2+", taggedVersions="2+") for i in range(3000))),
        message(*([{"nam": 1}] * 3000)),
        message(field(encoding={f"{i}": "fixed32" for i in range(3000)})),
        message(headerVersions={f"{i}": 1 for i in range(3000)}, type="request"),
        message(*(field("é" * 10) for _ in range(3000))),
    ],
    ids=["tags", "unknown", "encodings", "headers", "columns"],
)
def test_large_specs_take_linear_time(spec: Spec) -> None:
    # No time limit is needed: quadratic code would take minutes, which is obvious on every machine.
    assert read(spec).spec is None
