"""Offsets of groups while their coordinator is frozen, and when it is killed."""

from __future__ import annotations

import os
import signal

import pytest

from messagegen_client.admin import Admin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.net.partitions import TopicPartition
from messagegen_client.records.batches import RecordTime
from tests.broker.cluster import Cluster as Brokers
from tests.broker.tools import JavaTools
from tests.broker.waiting import eventually
from tests.client.offsets.test_on_a_broker import START, create, produce


def offsets_of(admin: Admin, group: str) -> dict[TopicPartition, int | None]:
    listed = admin.list_consumer_group_offsets(group)
    return {partition: found.offset if found else None for partition, found in listed.items()}


@pytest.mark.parametrize("frozen", [True, False], ids=["frozen", "killed"])
def test_a_coordinator_goes_away(three_brokers: Brokers, java_tools: JavaTools, topic_name: str, frozen: bool) -> None:
    create(java_tools, three_brokers, topic_name, 3, {"min.insync.replicas": "1"})
    produce(java_tools, three_brokers, [(topic_name, number % 3, START + number) for number in range(9)])
    offsets = {TopicPartition(topic_name, number): number for number in range(3)}
    config = ClientConfig.of(three_brokers.bootstrap(), api_timeout=120.0)
    with Admin(config) as admin:
        admin.alter_consumer_group_offsets(topic_name, offsets).raise_for_errors()
        coordinator = admin.describe_consumer_groups([topic_name])[topic_name].coordinator.id
        pid = three_brokers.pid(coordinator)
        try:
            if frozen:
                os.kill(pid, signal.SIGSTOP)
            else:
                three_brokers.kill(coordinator)
            # A new coordinator shows what lies below its high watermark, which it may have to hear of first.
            eventually(lambda: offsets_of(admin, topic_name) == offsets)
            later = {partition: offset + 1 for partition, offset in offsets.items()}
            admin.alter_consumer_group_offsets(topic_name, later).raise_for_errors()
            group = admin.describe_consumer_groups([topic_name])[topic_name]
            assert group.coordinator.id != coordinator
            lag = admin.consumer_group_lag(topic_name)
            assert {partition: one.next_record for partition, one in lag.items() if one.records} == {
                TopicPartition(topic_name, 0): RecordTime(1, START + 3),
                TopicPartition(topic_name, 1): RecordTime(2, START + 7),
            }
        finally:
            if frozen:
                os.kill(pid, signal.SIGCONT)
