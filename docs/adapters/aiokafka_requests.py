"""Sends generated requests over the connections of aiokafka's client, and returns generated responses.

aiokafka's client still handles addresses of brokers, TLS, logins, reconnecting and timeouts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Generic, TypeVar

from aiokafka.client import AIOKafkaClient  # type: ignore[import-untyped]

from messagegen_kafka import Request, RequestHeader, Response, ResponseHeader

R = TypeVar("R", bound=Response)


async def send(client: AIOKafkaClient, node_id: int, request: Request[R], **options: Any) -> R:
    """Send a request to a broker, and return its response. ``options`` are those of ``AIOKafkaClient.send``."""
    response: R = await client.send(node_id, _Unprepared(request), **options)
    return response


@dataclass(frozen=True)
class _Unprepared(Generic[R]):
    """A request that has no version yet."""

    message: Request[R]

    def prepare(self, versions: Mapping[int, tuple[int, int]]) -> _Prepared[R]:
        """Return the request in the highest version that the broker supports, given its versions by API key."""
        if self.message.RESPONSE is None:
            raise LookupError(f"expected a request whose response is in the package, found {self.message}; generate it")
        if self.message.API_KEY not in versions:
            raise LookupError(f"the broker does not support {self.message}")
        version = self.message.choose_version(*versions[self.message.API_KEY])
        return _Prepared(self.message, self.message.RESPONSE, version)


@dataclass(frozen=True)
class _Prepared(Generic[R]):
    """A request in one version, with the methods that aiokafka's connection calls."""

    message: Request[R]
    response: type[R]
    version: int

    def build_request_header(self, correlation_id: int, client_id: str) -> _Encoded:
        header = RequestHeader(
            request_api_key=self.message.API_KEY,
            request_api_version=self.version,
            correlation_id=correlation_id,
            client_id=client_id,
        )
        return _Encoded(header.encode(version=self.message.header_version(self.version)))

    def encode(self) -> bytes:
        return self.message.encode(version=self.version)

    def parse_response_header(self, frame: BytesIO) -> ResponseHeader:
        header, end = ResponseHeader.decode_from(frame.getvalue(), version=self.response.header_version(self.version))
        frame.seek(end)
        return header

    @property
    def RESPONSE_TYPE(self) -> _Prepared[R]:  # noqa: N802 - aiokafka's name
        """The object whose ``decode`` reads the response."""
        return self

    def decode(self, frame: BytesIO) -> R:
        return self.response.decode(frame.read(), version=self.version)


@dataclass(frozen=True)
class _Encoded:
    """The bytes of a header."""

    data: bytes

    def encode(self) -> bytes:
        return self.data
