"""Partitions of topics: names, and asking which there are."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable

import pytest

from messagegen_client.errors import UnknownTopicOrPartitionError
from messagegen_client.offsets.partitions import UNKNOWN_ATTEMPTS, TopicPartition, partitions_for
from messagegen_kafka import ErrorCode
from tests.client.fakes.offset_cluster import Log, OffsetCluster, OffsetStore


def asked(store: OffsetStore, topics: Iterable[str]) -> dict[str, tuple[TopicPartition, ...]]:
    async def work() -> dict[str, tuple[TopicPartition, ...]]:
        return await partitions_for(OffsetCluster(store), topics)

    return asyncio.run(work())


def test_a_partition_is_a_pair_with_names() -> None:
    partition = TopicPartition("orders", 3)
    assert partition == ("orders", 3)
    assert {("orders", 3): "x"}[partition] == "x"
    assert str(partition) == "orders-3"
    assert min(TopicPartition("b", 0), TopicPartition("a", 10), TopicPartition("a", 9)).partition == 9


def test_partitions_of_topics_in_order() -> None:
    store = OffsetStore()
    store.add("b", Log())
    store.logs |= {TopicPartition("a", number): Log() for number in (2, 0, 1)}
    assert asked(store, ["a", "b", "a"]) == {
        "a": (TopicPartition("a", 0), TopicPartition("a", 1), TopicPartition("a", 2)),
        "b": (TopicPartition("b", 0),),
    }
    assert asked(store, []) == {}


def test_a_topic_that_is_not_there_is_named_after_a_few_attempts() -> None:
    store = OffsetStore()
    store.add("a", Log())
    with pytest.raises(UnknownTopicOrPartitionError, match="partitions of topic nowhere: "):
        asked(store, ["a", "nowhere"])
    assert store.refreshes == UNKNOWN_ATTEMPTS


def test_a_topic_that_is_new_is_found() -> None:
    store = OffsetStore()
    waits = itertools.count()

    def create() -> None:
        if next(waits) == 2:
            store.add("new", Log())

    store.before_metadata = create
    assert asked(store, ["new"]) == {"new": (TopicPartition("new", 0),)}


def test_partitions_without_leader_are_partitions() -> None:
    store = OffsetStore()
    store.add("a", Log(leader=-1, metadata_error=int(ErrorCode.LEADER_NOT_AVAILABLE)))
    assert asked(store, ["a"]) == {"a": (TopicPartition("a", 0),)}
