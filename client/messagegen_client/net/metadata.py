"""What brokers say of the cluster: brokers, controller, topics, and who leads their partitions."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from messagegen_client.config.addresses import parse_address
from messagegen_client.errors import ProtocolError
from messagegen_kafka import MetadataResponse
from messagegen_kafka.error_codes import ErrorCode
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponseTopic


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker and where it listens; ``id`` is -1 for an address of the bootstrap list."""

    id: int
    host: str
    port: int
    rack: str | None = None

    @property
    def address(self) -> str:
        """``host:port``, with an IPv6 address in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"broker {self.id} ({self.address})" if self.id >= 0 else self.address


@dataclass(frozen=True, slots=True)
class PartitionMetadata:
    """A partition and its leader; ``leader_id`` is -1 while there is none, ``leader_epoch`` -1 where it is not known."""

    partition: int
    leader_id: int
    leader_epoch: int
    error: ErrorCode


@dataclass(frozen=True, slots=True)
class TopicMetadata:
    """A topic and its partitions by number, or the error that stands for them; ``topic_id`` is zero where not known."""

    name: str
    topic_id: UUID
    internal: bool
    error: ErrorCode
    partitions: Mapping[int, PartitionMetadata]

    @classmethod
    def read(cls, topic: MetadataResponseTopic) -> Self:
        """The topic as a response has it."""
        partitions = {
            partition.partition_index: PartitionMetadata(
                partition=partition.partition_index,
                leader_id=partition.leader_id,
                leader_epoch=partition.leader_epoch,
                error=ErrorCode(partition.error_code),
            )
            for partition in topic.partitions
        }
        return cls(topic.name or "", topic.topic_id, topic.is_internal, ErrorCode(topic.error_code), partitions)

    @property
    def complete(self) -> bool:
        """Whether neither the topic nor a partition has an error, and each partition has a leader."""
        return not self.error and all(
            not partition.error and partition.leader_id >= 0 for partition in self.partitions.values()
        )


@dataclass(frozen=True, slots=True)
class ClusterMetadata:
    """The brokers that are alive by id, the controller's id (-1: none), and the topics that were asked for by name."""

    cluster_id: str | None
    controller_id: int
    brokers: Mapping[int, Broker]
    topics: Mapping[str, TopicMetadata]

    @classmethod
    def read(cls, response: MetadataResponse) -> Self:
        """The metadata as a response has it; raises ``ProtocolError`` for a broker that can't be."""
        return cls(
            cluster_id=response.cluster_id,
            controller_id=response.controller_id,
            brokers={broker.node_id: _broker(broker) for broker in response.brokers},
            topics={topic.name or "": TopicMetadata.read(topic) for topic in response.topics},
        )


def _broker(found: MetadataResponseBroker) -> Broker:
    if found.node_id < 0 or not found.host or not 0 < found.port < 65536:
        raise ProtocolError(
            f"asking for metadata: the answer has a broker that can't be: id {found.node_id}, host {found.host!r}, "
            f"port {found.port}; check advertised.listeners of the brokers"
        )
    return Broker(found.node_id, found.host, found.port, found.rack)


class MetadataCache:
    """What is known of the cluster, until it is too old or has proved wrong."""

    def __init__(self, bootstrap_servers: Iterable[str], max_age: float) -> None:
        self._bootstrap = [Broker(-1, *parse_address(address)) for address in bootstrap_servers]
        self._max_age = max_age
        self._known: ClusterMetadata | None = None
        self._topics: dict[str, tuple[float, TopicMetadata]] = {}
        self._fresh_until = 0.0

    def learn(self, metadata: ClusterMetadata) -> None:
        """Takes over what a broker has just said."""
        now = time.monotonic()
        self._known = metadata
        self._fresh_until = now + self._max_age
        for name, topic in metadata.topics.items():
            self._topics[name] = (self._fresh_until, topic)

    def expire(self) -> None:
        """Believes no more of it than where brokers were."""
        self._fresh_until = 0.0
        self._topics.clear()

    def forget_brokers(self) -> None:
        """Goes back to the bootstrap list."""
        self.expire()
        self._known = None

    def current(self) -> ClusterMetadata | None:
        """Brokers and controller, if that is still believed."""
        return self._known if time.monotonic() < self._fresh_until else None

    def with_topics(self, names: Iterable[str]) -> ClusterMetadata | None:
        """What is believed, with these topics, if all of them are known and complete."""
        known, now = self.current(), time.monotonic()
        topics: dict[str, TopicMetadata] = {}
        for name in names:
            fresh_until, topic = self._topics.get(name, (0.0, None))
            if topic is None or now >= fresh_until or not topic.complete:
                return None
            topics[name] = topic
        return known and ClusterMetadata(known.cluster_id, known.controller_id, known.brokers, topics)

    def candidates(self, preference: Callable[[Broker], tuple[bool, bool, float]]) -> list[Broker]:
        """All brokers and addresses that may be asked, in random order within what ``preference`` gives; lower comes first.

        The addresses of the bootstrap list come last: they help when all brokers that were known are gone (KIP-899).
        """
        known = list(self._known.brokers.values()) if self._known is not None else []
        addresses = {broker.address for broker in known}
        bootstrap = [broker for broker in self._bootstrap if broker.address not in addresses]
        random.shuffle(known)
        random.shuffle(bootstrap)
        return sorted([*known, *bootstrap], key=preference)
