from __future__ import annotations

from typing import Any

import pytest

from tests.spec.building import Spec, accepted, accepted_field, field, message, read, refusals


def tagged(name: str = "Count", tag: Any = 0, **properties: Any) -> Spec:
    """A field that is tagged from version 2 on, where it begins."""
    return field(name, **({"type": "int32", "versions": "2+", "taggedVersions": "2+", "tag": tag} | properties))


@pytest.mark.parametrize(
    "spec",
    [
        tagged(versions="0+"),
        tagged(taggedVersions="3+"),
        tagged(type="string", nullableVersions="2+", default="null"),
        tagged(type="string", nullableVersions="0+"),
        tagged(type="string", versions="0+", nullableVersions="0-1"),
        tagged(type="[]string"),
        tagged(type="Row", fields=[field()]),
        tagged(type="bytes"),
        tagged(type="string", flexibleVersions="2+"),
    ],
)
def test_accepts(spec: Spec) -> None:
    accepted(message(spec))


def test_tags_may_stand_in_any_order_and_begin_anew_in_each_struct() -> None:
    rows = field("Rows", "[]Row", fields=[tagged("A", 1), tagged("B", 0)])
    accepted(message(tagged("C", 2), tagged("A", 0), rows, tagged("B", 1)))


def test_the_first_of_several_mistakes_is_told_in_the_order_of_apache() -> None:
    def rules(spec: Spec) -> list[str]:
        return [rule for rule, _ in refusals(message(spec))]

    bad = {"type": "string", "nullableVersions": "3+"}
    assert rules(tagged(tag=-1, taggedVersions="none", **bad)) == ["TAG_NOT_NEGATIVE"]
    assert rules(tagged(taggedVersions="none", **bad)) == ["TAG_WITH_TAGGED_VERSIONS"]
    assert rules(tagged(versions="3-4", taggedVersions="1-4", **bad)) == ["TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE"]
    assert rules(tagged(versions="3-4", taggedVersions="1-4")) == ["TAGGED_VERSIONS_OPEN_ENDED"]
    assert rules(tagged(versions="3-4", taggedVersions="1+")) == ["TAGGED_VERSIONS_WITHIN_VERSIONS"]
    assert rules(tagged(versions="1+", taggedVersions="1+")) == ["TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS"]


def test_a_field_that_cannot_be_read_may_hold_the_missing_tag() -> None:
    assert refusals(message(tagged("A", 0), tagged("B", 1, type="nonsense"), tagged("C", 2))) == [
        ("FIELD_TYPE_KNOWN", "fields[1].type")
    ]
    assert refusals(message(tagged("A", "x"), tagged("B", 1))) == [("PROPERTY_TYPE", "fields[0].tag")]


def test_a_message_that_does_not_say_what_is_flexible_has_no_tagged_fields() -> None:
    findings = read(message(tagged(), flexibleVersions=...), released=True).findings
    assert [(finding.rule, finding.severity) for finding in findings] == [
        ("MESSAGE_FLEXIBLE_VERSIONS_WRITTEN", "warning"),
        ("TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS", "error"),
    ]


def test_very_high_tags_are_no_work() -> None:
    assert refusals(message(tagged(tag=2**31 - 1))) == [("TAGS_CONTIGUOUS", "fields[0].tag")]


def test_the_tag_is_kept() -> None:
    assert accepted_field(versions="2+", tag=0, taggedVersions="3+").tag == 0
