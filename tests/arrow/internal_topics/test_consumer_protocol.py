from __future__ import annotations

from typing import Any

import messagegen_kafka as kafka
from messagegen_kafka.consumer_protocol_assignment import TopicPartition
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, group_record, int16, read


def member_of(record: Record, **options: Any) -> dict[str, Any]:
    (row,) = read([record], ["GroupMetadata"], **options)
    assert row["_error"] is None
    member: dict[str, Any] = row["GroupMetadata"]["value"]["members"][0]
    return member


def test_subscriptions_and_assignments_are_read() -> None:
    assigned = kafka.ConsumerProtocolAssignment(
        assigned_partitions=(TopicPartition(topic="orders", partitions=(0, 1)),)
    )
    data = int16(1) + assigned.encode(version=1)
    member = member_of(group_record(assignment=data))
    assert member["consumerSubscription"]["version"] == 3
    assert member["consumerSubscription"]["rackId"] == "rack-a"
    assert member["assignment"] == data
    assert member["consumerAssignment"] == {
        "version": 1,
        "assignedPartitions": [{"topic": "orders", "partitions": [0, 1]}],
        "userData": None,
        "_error": None,
    }
    snake = member_of(group_record(assignment=data), names="snake")
    assert snake["consumer_assignment"]["assigned_partitions"][0]["topic"] == "orders"


def test_a_member_with_empty_bytes_has_no_subscription() -> None:
    member = member_of(group_record(subscription=b""))
    assert member["consumerSubscription"] is None
    assert member["consumerAssignment"] is None
    value = kafka.GroupMetadataValue(protocol_type="")
    empty = coordinator_record(OFFSETS, "GroupMetadata", {"group": "g"}, value, 3)
    mixed = [row["GroupMetadata"]["value"]["members"] for row in read([empty, group_record()], ["GroupMetadata"])]
    assert [len(members) for members in mixed] == [0, 1]
