"""Brokers, and the metadata of a cluster: its brokers and topics, with the leaders of their partitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from messagegen_client.errors import ProtocolError
from messagegen_kafka import MetadataResponse
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponseTopic


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker and its address; ``id`` is -1 for a bootstrap address."""

    id: int
    host: str
    port: int

    @property
    def address(self) -> str:
        """Return ``host:port``, with an IPv6 address in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"broker {self.id} ({self.address})" if self.id >= 0 else self.address


@dataclass(frozen=True, slots=True)
class ClusterMetadata:
    """The live brokers by id, and the requested topics by name, each with its error or its partitions."""

    brokers: Mapping[int, Broker]
    topics: Mapping[str, MetadataResponseTopic]

    @classmethod
    def read(cls, response: MetadataResponse) -> Self:
        """Return the metadata from a response. Raises ``ProtocolError`` for an invalid broker."""
        return cls(
            brokers={broker.node_id: _broker(broker) for broker in response.brokers},
            topics={topic.name or "": topic for topic in response.topics},
        )


def _broker(found: MetadataResponseBroker) -> Broker:
    if found.node_id < 0 or not found.host or not 0 < found.port < 65536:
        raise ProtocolError(
            f"asking for metadata: invalid broker in the response: id {found.node_id}, host {found.host!r}, "
            f"port {found.port}; check advertised.listeners of the brokers"
        )
    return Broker(found.node_id, found.host, found.port)
