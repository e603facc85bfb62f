from __future__ import annotations

import pytest

from messagegen.jsonc import Position
from messagegen.primitives import PRIMITIVES
from messagegen.spec.model import EmptyDefault, EntityType, MessageKind
from messagegen.versions import NONE, VersionRange
from tests.spec.building import Spec, accepted, field, message, warned

FULL = """\
// A comment.
{
  "apiKey": 1000, "type": "request", "name": "ExampleRequest", "about": "Asks.",
  "listeners": ["broker", "controller"], "latestVersionUnstable": true,
  "validVersions": "1-4", "deprecatedVersions": "1-2", "flexibleVersions": "3+",
  "fields": [
    { "name": "Topic", "type": "string", "versions": "1+", "nullableVersions": "2+", "ignorable": true,
      "entityType": "topicName", "default": "all", "about": "The topic." },
    { "name": "Data", "type": "bytes", "versions": "4+", "zeroCopy": true, "flexibleVersions": "none" },
    { "name": "Rows", "type": "[]Row", "versions": "3+", "taggedVersions": "3+", "tag": 0, "fields": [
      { "name": "Id", "type": "int64", "versions": "3+", "mapKey": true }
    ]}
  ]
}
"""


def test_every_property_of_a_message_is_read() -> None:
    spec = accepted(FULL)
    assert (spec.name, spec.kind, spec.api_key, spec.about) == ("ExampleRequest", MessageKind.REQUEST, 1000, "Asks.")
    assert (spec.listeners, spec.latest_version_unstable) == (("broker", "controller"), True)
    assert (spec.valid_versions, spec.deprecated_versions) == (VersionRange(1, 4), VersionRange(1, 2))
    assert (str(spec.flexible_versions), spec.file) == ("3+", "Example.json")
    assert spec.header_versions is not None
    assert [spec.header_versions.get(version) for version in range(1, 5)] == [1, 1, 2, 2]


def test_every_property_of_a_field_is_read() -> None:
    topic, data, rows = accepted(FULL).fields
    assert (topic.name, topic.type, topic.about, topic.default) == ("Topic", PRIMITIVES["string"], "The topic.", "all")
    assert (str(topic.versions), str(topic.nullable_versions), topic.ignorable) == ("1+", "2+", True)
    assert (topic.entity_type, topic.flexible_versions) == (EntityType.TOPIC_NAME, None)
    assert (data.zero_copy, data.flexible_versions, data.default) == (True, NONE, b"")
    assert (rows.tag, str(rows.tagged_versions), rows.default) == (0, "3+", EmptyDefault.EMPTY)
    assert [(f.name, f.map_key) for f in rows.fields] == [("Id", True)]


def test_places_point_into_the_text() -> None:
    spec = accepted(FULL)
    assert spec.place is not None
    assert (spec.place.position, spec.place.of("validVersions"), spec.place.json_path) == (
        Position(2, 1),
        Position(5, 20),
        "",
    )
    place = spec.fields[2].fields[0].place
    assert place is not None
    assert (place.position, place.of("type"), place.json_path) == (
        Position(11, 7),
        Position(11, 31),
        "fields[2].fields[0]",
    )
    assert place.of("versions") == Position(11, 52)
    assert place.of("about") == place.position


@pytest.mark.parametrize(
    ("name", "written", "plain"),
    [
        ("versions", 2, "2"),
        ("versions", " 1+ ", "1+"),
        ("ignorable", "true", True),
        ("ignorable", " TRUE ", True),
        ("ignorable", 1, True),
        ("ignorable", 0, False),
        ("ignorable", "", False),
        ("ignorable", None, False),
        ("default", 5, "5"),
        ("default", None, ""),
        ("about", 7, "7"),
        ("about", True, "true"),
        ("nullableVersions", None, ""),
        ("entityType", None, "unknown"),
        ("encoding", None, ...),
        ("fields", None, ...),
    ],
)
def test_values_of_unexpected_json_types_are_coerced(name: str, written: object, plain: object) -> None:
    assert accepted(message(with_property(name, written))) == accepted(message(with_property(name, plain)))


def with_property(name: str, value: object) -> Spec:
    """Return a field with one property set to ``value``. The value ``...`` omits the property."""
    return {key: part for key, part in (field() | {name: value}).items() if part is not ...}


def test_an_object_is_read_as_a_list_with_one_element() -> None:
    inner = field("Rows", "[]Row", fields=field())
    common = {"name": "Cursor", "versions": "0+", "fields": field()}
    single, _ = warned(message() | {"fields": inner, "commonStructs": common})
    listed, _ = warned(message(inner | {"fields": [field()]}, commonStructs=[common | {"fields": [field()]}]))
    assert single == listed
    place = single.fields[0].fields[0].place
    assert place is not None
    assert place.json_path == "fields[0].fields[0]"


def test_a_retired_message_keeps_its_name_and_api_key() -> None:
    spec = accepted(
        message(field("Odd", "nonsense", "7-2"), type="request", apiKey=4, validVersions="none", flexibleVersions=...)
    )
    assert (spec.name, spec.kind, spec.api_key) == ("Example", MessageKind.REQUEST, 4)
    assert (spec.valid_versions, spec.flexible_versions, spec.fields, spec.structs) == (NONE, NONE, (), ())
    assert spec.header_versions is None
