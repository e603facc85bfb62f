"""The texts of names and numbers are the same as in Kafka's tools, and differ for different values."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import metadata_history
from messagegen_arrow.histories.metadata.changes import java_double
from messagegen_client.quotas.names import DEFAULT, sanitize
from messagegen_kafka.client_quota_record import EntityData
from tests.arrow.histories.metadata.records import changes, config
from tests.arrow.support.history_data import log_rows
from tests.arrow.support.internal_records import Record, metadata_record


def quota(value: float, **names: str | None) -> Record:
    entity = tuple(EntityData(entity_type=kind.replace("_", "-"), entity_name=name) for kind, name in names.items())
    return metadata_record(kafka.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=value))


def test_different_quota_entities_have_different_names() -> None:
    records = [
        quota(1, user=None),
        quota(2, user="<default>"),
        quota(3, client_id="a", user="b"),
        quota(4, client_id="a,user=b"),
        quota(5, ip="2001:db8::1"),
    ]
    assert changes(log_rows(records)) == [
        (0, "user=<default>", "created", "producer_byte_rate", "1.0", None),
        (1, "user=%3Cdefault%3E", "created", "producer_byte_rate", "2.0", None),
        (2, "client-id=a,user=b", "created", "producer_byte_rate", "3.0", None),
        (3, "client-id=a%2Cuser%3Db", "created", "producer_byte_rate", "4.0", None),
        (4, "ip=2001:db8::1", "created", "producer_byte_rate", "5.0", None),
    ]


def test_the_default_resource_differs_from_a_resource_named_default() -> None:
    records = [config("1", resource="", type_=32), config("2", resource="<default>", type_=32)]
    assert [each[1] for each in changes(log_rows(records))] == ["group <default>", "group %3Cdefault%3E"]


NAMES = (
    st.none() | st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(["<default>", "a,user=b", "%2C"])
)


@given(st.lists(st.dictionaries(st.sampled_from(["user", "client-id", "ip"]), NAMES, min_size=1), max_size=4))
def test_quota_entities_have_the_same_names_as_in_kafka_client_quotas(entities: list[dict[str, str | None]]) -> None:
    records = [quota(at, **names) for at, names in enumerate(entities)]
    rows = pa.table(metadata_history(log_rows(records))).to_pylist()
    by_name: dict[str, dict[str, str | None]] = {}
    for row in rows:
        names = entities[row["offset"]]
        parts = (f"{kind}={DEFAULT if name is None else sanitize(name)}" for kind, name in sorted(names.items()))
        assert row["name"] == ",".join(parts)
        assert by_name.setdefault(row["name"], names) == names
    assert len(rows) == len(entities)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-1.5, "-1.5"),
        (0.001, "0.001"),
        (9.999e-4, "9.999E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (5e-324, "4.9E-324"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_have_the_same_text_as_in_kafka_tools(value: float, text: str) -> None:
    assert java_double(value) == text
