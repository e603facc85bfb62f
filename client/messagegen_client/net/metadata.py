"""Metadata of a cluster: brokers, controller, topics, and leaders of partitions."""

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
    """A broker and its address; ``id`` is -1 for a bootstrap address."""

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
    """A partition and its leader; ``leader_id`` is -1 if there is none, ``leader_epoch`` -1 if it is unknown."""

    partition: int
    leader_id: int
    leader_epoch: int
    error: ErrorCode


@dataclass(frozen=True, slots=True)
class TopicMetadata:
    """A topic and its partitions by number, or its error; ``topic_id`` is zero if unknown."""

    name: str
    topic_id: UUID
    internal: bool
    error: ErrorCode
    partitions: Mapping[int, PartitionMetadata]

    @classmethod
    def read(cls, topic: MetadataResponseTopic) -> Self:
        """The topic from a response."""
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
        """Whether there are no errors, and each partition has a leader."""
        return not self.error and all(
            not partition.error and partition.leader_id >= 0 for partition in self.partitions.values()
        )


@dataclass(frozen=True, slots=True)
class ClusterMetadata:
    """The live brokers by id, the id of the controller (-1: none), and the requested topics by name."""

    cluster_id: str | None
    controller_id: int
    brokers: Mapping[int, Broker]
    topics: Mapping[str, TopicMetadata]

    @classmethod
    def read(cls, response: MetadataResponse) -> Self:
        """The metadata from a response. Raises ``ProtocolError`` for an invalid broker."""
        return cls(
            cluster_id=response.cluster_id,
            controller_id=response.controller_id,
            brokers={broker.node_id: _broker(broker) for broker in response.brokers},
            topics={topic.name or "": TopicMetadata.read(topic) for topic in response.topics},
        )


def _broker(found: MetadataResponseBroker) -> Broker:
    if found.node_id < 0 or not found.host or not 0 < found.port < 65536:
        raise ProtocolError(
            f"asking for metadata: invalid broker in the response: id {found.node_id}, host {found.host!r}, "
            f"port {found.port}; check advertised.listeners of the brokers"
        )
    return Broker(found.node_id, found.host, found.port, found.rack)


class MetadataCache:
    """The last metadata, until it expires."""

    def __init__(self, bootstrap_servers: Iterable[str], max_age: float) -> None:
        self._bootstrap = [Broker(-1, *parse_address(address)) for address in bootstrap_servers]
        self._max_age = max_age
        self._known: ClusterMetadata | None = None
        self._topics: dict[str, tuple[float, TopicMetadata]] = {}
        self._fresh_until = 0.0

    def update(self, metadata: ClusterMetadata) -> None:
        """Stores new metadata."""
        now = time.monotonic()
        self._known = metadata
        self._fresh_until = now + self._max_age
        for name, topic in metadata.topics.items():
            self._topics[name] = (self._fresh_until, topic)

    def expire(self) -> None:
        """Expires everything but the addresses of brokers."""
        self._fresh_until = 0.0
        self._topics.clear()

    def forget_brokers(self) -> None:
        """Forgets everything but the bootstrap addresses."""
        self.expire()
        self._known = None

    def current(self) -> ClusterMetadata | None:
        """Brokers and controller, if they have not expired."""
        return self._known if time.monotonic() < self._fresh_until else None

    def with_topics(self, names: Iterable[str]) -> ClusterMetadata | None:
        """The metadata with these topics, if all of them are known and complete."""
        known, now = self.current(), time.monotonic()
        topics: dict[str, TopicMetadata] = {}
        for name in names:
            fresh_until, topic = self._topics.get(name, (0.0, None))
            if topic is None or now >= fresh_until or not topic.complete:
                return None
            topics[name] = topic
        return known and ClusterMetadata(known.cluster_id, known.controller_id, known.brokers, topics)

    def candidates(self, preference: Callable[[Broker], tuple[bool, bool, float]]) -> list[Broker]:
        """All brokers and addresses to ask: sorted by ``preference``, then random.

        Bootstrap addresses come last, in case all known brokers are gone (KIP-899).
        """
        known = list(self._known.brokers.values()) if self._known is not None else []
        addresses = {broker.address for broker in known}
        bootstrap = [broker for broker in self._bootstrap if broker.address not in addresses]
        random.shuffle(known)
        random.shuffle(bootstrap)
        return sorted([*known, *bootstrap], key=preference)
