from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import messagegen_kafka as kafka
from messagegen_arrow import Catalog, default_catalog
from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.record_types import record_families
from tests.arrow.support.internal_records import (
    OFFSETS,
    Record,
    commit,
    group_record,
    int16,
    metadata_record,
    read,
)


def test_fields_can_be_chosen() -> None:
    (row,) = read([commit()], {"OffsetCommit": ["key.group", "value.offset"], "GroupMetadata": None})
    assert row["OffsetCommit"] == {"key": {"group": "billing"}, "value": {"offset": 7}}
    (row,) = read([commit()], {"OffsetCommit": ["value.offset"]})
    assert row["OffsetCommit"] == {"value": {"offset": 7}}
    (row,) = read([group_record()], {"GroupMetadata": ["value.members.subscription"]})
    assert row["GroupMetadata"]["value"]["protocolType"] == "consumer"
    assert row["GroupMetadata"]["value"]["members"][0]["consumerSubscription"]["topics"] == ["orders"]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(LookupError, match="unknown record type 'OffsetComit'; did you mean OffsetCommit"):
        Contents.of(["OffsetComit"])
    with pytest.raises(ValueError, match=r"must be key\.NAME or value\.NAME, not 'offset'"):
        Contents.of({"OffsetCommit": ["offset"]})
    with pytest.raises(ValueError, match="unknown field 'ofset'"):
        Contents.of({"OffsetCommit": ["value.ofset"]})
    with pytest.raises(TypeError, match="types is a list of names"):
        Contents.of("OffsetCommit")


def test_record_types_without_fields_get_no_column() -> None:
    schema = Contents.of(["NoOpRecord", "TopicRecord"]).arrow_schema(with_errors=True)
    assert schema.names[4:] == ["TopicRecord", "_error", "_raw"]
    (row,) = read([metadata_record(kafka.NoOpRecord())], ["NoOpRecord"])
    assert (row["recordType"], row["_error"]) == ("NoOpRecord", None)


def test_a_catalog_of_newer_specs_adds_record_types(tmp_path: Any) -> None:
    for part, kind in (("Key", "coordinator-key"), ("Value", "coordinator-value")):
        spec = {
            "type": kind,
            "apiKey": 40,
            "name": f"BrandNew{part}",
            "validVersions": "0",
            "flexibleVersions": "none",
            "fields": [{"name": "Name", "type": "string", "versions": "0+", "about": "A name."}],
        }
        (tmp_path / f"BrandNew{part}.json").write_text(json.dumps(spec), encoding="utf-8")
    catalog = default_catalog() | Catalog.of_specs(tmp_path)
    record = Record(OFFSETS, int16(40) + b"\0\1k", int16(0) + b"\0\1v")
    (unknown,) = read([record])
    (known,) = read([record], catalog=catalog)
    assert unknown["_error"]["message"].startswith("__consumer_offsets: unknown record type 40")
    assert (known["recordType"], known["key"], known["value"]) == ("BrandNew", '{"name":"k"}', '{"name":"v"}')
    with pytest.raises(ValueError, match="are both type 40 of __consumer_offsets"):
        record_families(catalog | _renamed(catalog))


def _renamed(catalog: Catalog) -> Catalog:
    return Catalog([replace(catalog.message("BrandNewKey"), name="OtherKey")])
