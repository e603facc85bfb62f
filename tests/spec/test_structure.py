from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from messagegen.spec import EntityType, MessageKind, schema_text
from messagegen.spec.encodings import parse_encoding
from tests.spec.building import accepted, field, message, read, refusals

SCHEMA: dict[str, Any] = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)
OBJECTS = {"message": SCHEMA, "struct": SCHEMA["$defs"]["struct"], "field": SCHEMA["$defs"]["field"]}


def properties() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for what, schema in OBJECTS.items():
        for name, definition in schema["properties"].items():
            yield what, name, definition


def resolved(definition: dict[str, Any]) -> dict[str, Any]:
    reference = definition.get("$ref", "").rpartition("/")[2]
    shared: dict[str, Any] = SCHEMA["$defs"].get(reference, {})
    return shared | definition


@pytest.mark.parametrize(("what", "name", "definition"), list(properties()))
def test_every_property_is_described_with_examples_that_fit(what: str, name: str, definition: dict[str, Any]) -> None:
    assert definition["description"].endswith(".")
    examples = resolved(definition)["examples"]
    assert examples
    holder = OBJECTS[what]
    for example in examples:
        part = {needed: resolved(holder["properties"][needed])["examples"][0] for needed in holder["required"]}
        assert errors(what, part | {name: example}) == []


def errors(what: str, part: dict[str, Any]) -> list[str]:
    """The errors of one message, or of one struct or field inside of a message."""
    if what == "message":
        spec = part
    elif what == "struct":
        spec = message(commonStructs=[part])
    else:
        spec = message(part)
    return [error.message for error in VALIDATOR.iter_errors(spec)]


def test_words_are_those_of_the_model() -> None:
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
    entities = [name for name in SCHEMA["$defs"]["field"]["properties"]["entityType"]["enum"] if name]
    assert entities == [entity.value for entity in EntityType]
    for name in SCHEMA["$defs"]["encodingName"]["enum"]:
        assert str(parse_encoding(name)) == name


def test_a_spec_that_is_accepted_is_valid_for_editors() -> None:
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


def test_every_missing_and_unknown_property_is_told() -> None:
    assert refusals({"fields": [{}], "nam": 1, "kind": 2, "flexibleVersions": "none"}) == [
        ("PROPERTY_REQUIRED", "name"),
        ("PROPERTY_REQUIRED", "type"),
        ("PROPERTY_REQUIRED", "validVersions"),
        ("FIELD_VERSIONS_WRITTEN", "fields[0].versions"),
        ("PROPERTY_REQUIRED", "fields[0].name"),
        ("PROPERTY_REQUIRED", "fields[0].type"),
        ("PROPERTY_KNOWN", "nam"),
        ("PROPERTY_KNOWN", "kind"),
    ]


def test_text_of_any_length_is_clipped() -> None:
    long = "x" * 100_000
    parsed = read(
        message(field("y" * 100_000 + "-", long), name=long, type=long, validVersions=long, apiKey=long, **{long: 1})
    )
    assert len(parsed.findings) >= 5
    assert max(len(str(finding)) for finding in parsed.findings) < 500
