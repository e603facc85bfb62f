"""The reader accepts odd specs that Apache's generator accepts. Specs that both refuse are among the bad specs."""

from __future__ import annotations

import pytest

from tests.spec.building import Spec, accepted, accepted_field, field, message, refusals


@pytest.mark.parametrize(
    "spec",
    [
        field("Topic", "string", nullableVersions="0-9"),
        field("Topic", "string", "1+", nullableVersions="0+", default="null"),
        field("Batch", "records", default="null"),
        field("Batch", "records", nullableVersions="2+"),
        field("Data", "bytes", zeroCopy=True, nullableVersions="1+"),
        field("Topic", "string", flexibleVersions="none"),
        field("Topic", "string", flexibleVersions="3+"),
        field("Topic", "string", flexibleVersions=""),
        field("Row", "Row", nullableVersions="0+", default="null", fields=[field()]),
        field("Row", "Row", fields=[field(mapKey=True)]),
        field("Brokers", "[]int32", entityType="brokerId"),
        field("Topics", "[]string", entityType="topicName", nullableVersions="1+"),
        field("Topic", "string", entityType="unknown"),
        field(fields=[]),
        field(about='A "quote", a \\ and a \u2028.'),
        field("Topic", "string", default='a "quote"'),
        field("a"),
        field("iSRNodes"),
    ],
)
def test_unusual_fields_are_accepted(spec: Spec) -> None:
    accepted(message(spec))


def test_fields_of_different_structs_can_have_the_same_name() -> None:
    accepted(message(field(), field("Rows", "[]Row", fields=[field(), field("Cells", "[]Cell", fields=[field()])])))


def test_a_null_default_requires_that_all_versions_of_the_field_are_nullable() -> None:
    accepted_field("Topic", "string", "2-3", nullableVersions="1+", default="null")
    assert refusals(message(field("Topic", "string", "1-3", nullableVersions="2+", default="null"))) == [
        ("DEFAULT_NULL_WHERE_NULLABLE", "fields[0].default")
    ]


def test_fields_of_inner_and_common_structs_are_checked() -> None:
    bad = field(zeroCopy=True)
    spec = message(
        field("Rows", "[]Row", fields=[field("Cells", "[]Cell", fields=[bad])]),
        commonStructs=[{"name": "Cursor", "versions": "0+", "fields": [bad]}],
    )
    assert sorted(refusals(spec)) == [
        ("PROPERTY_FITS_TYPE", "commonStructs[0].fields[0].zeroCopy"),
        ("PROPERTY_FITS_TYPE", "fields[0].fields[0].fields[0].zeroCopy"),
    ]
