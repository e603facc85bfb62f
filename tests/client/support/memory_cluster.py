"""A cluster in memory, for tests without a broker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_client.transport.deadlines import Deadline
from messagegen_client.transport.messages import highest_common
from messagegen_client.transport.metadata import Broker
from messagegen_kafka import Request, Response

R = TypeVar("R", bound=Response)
_CONFIG = ClientConfig(bootstrap_servers=("memory:9092",), retry_backoff=0.001, retry_backoff_max=0.002, api_timeout=60)
_ANY_BROKER = 1


class MemoryCluster(Cluster, ABC):
    """Negotiates versions like a broker, and encodes and decodes every message. Subclasses make the answers."""

    def __init__(self) -> None:
        super().__init__(_CONFIG)

    @abstractmethod
    def offered(self) -> Mapping[int, tuple[int, int]]:
        """The versions that brokers support, by API key."""

    @abstractmethod
    def answer(self, request: Request, version: int, to: int | None) -> Response:
        """Answer a request to the broker ``to``, or raise the errors of a connection."""

    async def call(
        self,
        request: Request[R],
        *,
        to: int | None = None,
        deadline: Deadline,
        versions: range | None = None,
        changes: bool = False,
    ) -> Answer[R]:
        broker = Broker(_ANY_BROKER if to is None else to, "memory", 9092)
        version = highest_common(type(request), self.offered(), versions, broker)
        limits = self.config.response_limits
        asked = type(request).decode(request.encode(version=version), version=version, limits=limits)
        answer = self.answer(asked, version, to)
        response_type = request.RESPONSE
        assert response_type is not None
        read = response_type.decode(answer.encode(version=version), version=version, limits=limits)
        return Answer(read, version, broker)
