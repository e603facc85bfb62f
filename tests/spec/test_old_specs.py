"""The specs of old Kafka releases have oddities. We read them as the generator of that release did, with a warning."""

from __future__ import annotations

import json

import pytest

from messagegen.versions import NONE, VersionRange
from tests.spec.building import accepted, field, message, warned


def test_kafka_2_4_to_2_8_omit_empty_flexible_versions() -> None:
    spec, warnings = warned(message(field(), flexibleVersions=...))
    assert spec.flexible_versions == NONE
    assert warnings == [("MESSAGE_FLEXIBLE_VERSIONS_WRITTEN", "flexibleVersions")]


@pytest.mark.parametrize("listeners", [["zkBroker", "broker"], "zkBroker"])
def test_kafka_2_8_to_3_9_have_listeners_of_zookeeper_brokers(listeners: list[str] | str) -> None:
    spec = accepted(message(field(), type="request", apiKey=1000, listeners=listeners))
    assert spec.listeners == tuple([listeners] if isinstance(listeners, str) else listeners)


@pytest.mark.parametrize("text", ["]", "\n  ]\n}\n", "}]}"])
def test_kafka_2_8_has_an_extra_closing_bracket_after_a_spec(text: str) -> None:
    spec, warnings = warned(json.dumps(message(field())) + text)
    assert spec.fields[0].name == "Count"
    assert warnings == [("SPEC_TEXT_JSON", "")]


def test_kafka_3_5_omits_the_versions_of_a_tagged_struct() -> None:
    row = field("Row", "Row", ..., taggedVersions="3+", tag=0, fields=[field(versions="3+")])
    spec = accepted(message(row))
    assert spec.fields[0].versions == spec.struct("Row").versions == VersionRange.parse("3+")


def test_kafka_3_8_and_3_9_write_a_property_twice_with_the_same_value() -> None:
    text = json.dumps(message(field())).replace('"int32"', '"int32", "versions": "0+"')
    spec, warnings = warned(text)
    assert spec.fields[0].versions == VersionRange.parse("0+")
    assert warnings == [("PROPERTY_WRITTEN_ONCE", "versions")]
