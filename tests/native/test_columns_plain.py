"""Structs of numbers are read many at a time, in arrays of any length, and with nulls, tags and damage."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import pytest

from messagegen_kafka import DecodeError, MetadataResponse
from messagegen_kafka.metadata_response import MetadataResponsePartition, MetadataResponseTopic
from tests.native.columns import decode_columns

pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: columns are made from its arrays")

PLAN: Final = MetadataResponse.CODEC.plan
COUNTS: Final = [0, 1, 63, 64, 65, 200]


def metadata(*counts: int, tagged: int | None = None) -> MetadataResponse:
    """Return topics with these numbers of partitions; one partition of each may have an unknown tagged field."""

    def partition(number: int) -> MetadataResponsePartition:
        return MetadataResponsePartition(
            error_code=number % 7,
            partition_index=number,
            leader_id=-number,
            leader_epoch=1 << 20 | number,
            replica_nodes=tuple(range(number % 5)),
            isr_nodes=tuple(range(number % 3)),
            offline_replicas=(number,) * (number % 2),
            unknown_tagged_fields=((9, b"unknown"),) if number == tagged else (),
        )

    topics = (MetadataResponseTopic(name=f"t{n}", partitions=tuple(map(partition, range(n)))) for n in counts)
    return MetadataResponse(topics=tuple(topics))


def partitions(row: dict[str, Any]) -> list[Any]:
    return [topic["partitions"] for topic in row["topics"]]


def expected(message: MetadataResponse) -> list[Any]:
    """Return the partitions of a message in the form of columns."""
    return [
        [
            {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in asdict(partition).items()
                if name != "unknown_tagged_fields"
            }
            for partition in topic.partitions or ()
        ]
        for topic in message.topics or ()
    ]


def rows_of(*bodies: bytes, version: int = 12) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.array(decode_columns(PLAN, version, pa.array(bodies))).to_pylist()
    return found


@pytest.mark.parametrize("version", [8, 12])
@pytest.mark.parametrize("tagged", [None, 0, 64, 150])
def test_arrays_of_any_length_are_read(version: int, tagged: int | None) -> None:
    message = metadata(*COUNTS, tagged=tagged if version == 12 else None)
    body = message.encode(version=version)
    first, again = rows_of(body, body, version=version)
    assert partitions(first) == partitions(again) == expected(message)


def test_truncated_rows_have_an_error_and_no_elements() -> None:
    message = metadata(*COUNTS)
    body = message.encode(version=12)
    cuts = [body[:end] for end in range(len(body) - 2_000, len(body), 23)]
    *broken, whole = rows_of(*cuts, body)
    assert partitions(whole) == expected(message)
    for data, row in zip(cuts, broken, strict=True):
        with pytest.raises(DecodeError) as caught:
            MetadataResponse.decode(data, version=12)
        assert row["topics"] is None
        assert (row["_error"]["path"], row["_error"]["offset"]) == (caught.value.path, caught.value.offset)


@pytest.mark.parametrize("version", [5, 12])
def test_a_field_is_null_in_rows_whose_version_lacks_it(version: int) -> None:
    message = metadata(65, 130)
    data = pa.array([message.encode(version=each) for each in (version, 4, version)])
    found = pa.array(decode_columns(PLAN, pa.array([version, 4, version]), data)).to_pylist()
    assert [each["offline_replicas"] for topic in partitions(found[1]) for each in topic] == [None] * 195
    assert partitions(found[0]) == partitions(found[2])
    assert [each["leader_id"] for each in partitions(found[0])[1]] == [-number for number in range(130)]
