"""Partitions of topics: names, and asking which there are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from messagegen_client.errors import UnknownTopicOrPartitionError
from messagegen_client.offsets.partitions import UNKNOWN_ATTEMPTS, TopicPartition, partitions_for
from tests.client.fakes.offset_cluster import Log, OffsetCluster, OffsetStore


def asked(store: OffsetStore, topics: Iterable[str]) -> dict[str, tuple[TopicPartition, ...]]:
    async def work() -> dict[str, tuple[TopicPartition, ...]]:
        return await partitions_for(OffsetCluster(store), topics)

    return asyncio.run(work())


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
