from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from messagegen.primitives import PRIMITIVES
from messagegen.spec import parse, schema_text
from messagegen.spec.field_types import parse_encoding
from messagegen.spec.model import EntityType, MessageKind
from tests.spec.building import accepted, field, message, read, refusals

SCHEMA: dict[str, Any] = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_lists_the_values_of_the_model() -> None:
    assert SCHEMA["properties"]["type"]["enum"] == [
        kind.value
        for kind in (
            MessageKind.REQUEST,
            MessageKind.RESPONSE,
            MessageKind.HEADER,
            MessageKind.METADATA,
            MessageKind.DATA,
            MessageKind.COORDINATOR_KEY,
            MessageKind.COORDINATOR_VALUE,
        )
    ]
    # Editors suggest these entity types, but accept others, because forks of Kafka have their own.
    entities = SCHEMA["$defs"]["field"]["properties"]["entityType"]["examples"]
    assert sorted(entities) == sorted(entity.value for entity in EntityType)
    for name in SCHEMA["$defs"]["encodingName"]["enum"]:
        assert str(parse_encoding(name)) == name


def test_the_schema_accepts_specs_that_the_reader_accepts() -> None:
    spec = message(
        field("Odd", versions=2),
        field(versions="2+", tag="0", taggedVersions="2+", ignorable="true", default=5, encoding={"2+": "packed32"}),
        field("Topic", "string", default=None, nullableVersions=None, about=1.5),
        field("Rows", "[]Row", fields=field("Id", {"0-1": "int32", "2+": "varint64"}, mapKey=True)),
        field("At", "Cursor", elementEncoding=None),
        apiKey="3",
        type="request",
        listeners="broker",
        headerVersions={"0-1": 1, "2+": "2"},
        commonStructs={"name": "Cursor", "versions": "0+", "fields": []},
    )
    accepted(spec)
    assert list(VALIDATOR.iter_errors(spec)) == []


@pytest.mark.parametrize("type_", ["int6", "[]int6", "row", "[][]int32", {"0+": "int6"}, ""])
def test_the_schema_rejects_unknown_types(type_: object) -> None:
    spec = message(field(type=type_))
    refusals(spec)
    assert next(list(error.absolute_path) for error in VALIDATOR.iter_errors(spec))[:3] == ["fields", 0, "type"]


@pytest.mark.parametrize("type_", [*PRIMITIVES, "double", " [] int32 ", "unsigned_varint16", {"0+": "varint64"}])
def test_the_schema_accepts_every_type(type_: object) -> None:
    assert list(VALIDATOR.iter_errors(message(field(type=type_)))) == []


@pytest.mark.parametrize("kind", list(MessageKind))
def test_the_schema_and_the_reader_require_an_api_key_for_the_same_kinds(kind: MessageKind) -> None:
    spec = message(type=kind.value, apiKey=...)
    parsed = read(spec)
    missing = [finding for finding in parsed.findings if finding.message.startswith("missing API key")]
    assert len(list(VALIDATOR.iter_errors(spec))) == len(missing)


def test_every_missing_and_unknown_property_is_reported() -> None:
    assert refusals({"fields": [{}], "nam": 1, "kind": 2, "flexibleVersions": "none"}) == [
        ("PROPERTY_REQUIRED", "name"),
        ("PROPERTY_REQUIRED", "type"),
        ("PROPERTY_REQUIRED", "validVersions"),
        ("PROPERTY_REQUIRED", "fields[0].name"),
        ("PROPERTY_REQUIRED", "fields[0].type"),
        ("PROPERTY_KNOWN", "nam"),
        ("PROPERTY_KNOWN", "kind"),
    ]


def test_long_text_is_clipped_in_findings() -> None:
    long = "x" * 100_000
    parsed = read(
        message(field("y" * 100_000 + "-", long), name=long, type=long, validVersions=long, apiKey=long, **{long: 1})
    )
    assert len(parsed.findings) >= 5
    assert max(len(str(finding)) for finding in parsed.findings) < 500


@pytest.mark.parametrize(
    ("written", "range_"),
    [
        ("0..3", "0-3"),
        (">= 2", "2+"),
        ("up to 3", "0-3"),
        ("<= 3", "0-3"),
        # The intended range is unclear, so the advice is only an example.
        ("until 3", "0+"),
        ("<3", "0+"),
        ("-1", "0+"),
        ("0x10", "0+"),
    ],
)
def test_the_advice_for_an_invalid_range_suggests_the_intended_range(written: str, range_: str) -> None:
    assert advice_for(message(field("Text", "string", versions=written))) == [f'write "{range_}"']


def test_the_advice_about_valid_versions_suggests_a_closed_range() -> None:
    assert advice_for(message(validVersions="-1")) == ['write "0-3"']


def advice_for(spec: dict[str, Any]) -> list[str]:
    findings = parse(json.dumps(spec).encode(), "Note.json").findings
    return [finding.instead for finding in findings if finding.rule == "PROPERTY_TYPE"]
