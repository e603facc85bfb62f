"""Generated requests in the form in which aiokafka's connections send them, and the choice of their version."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from types import SimpleNamespace

from messagegen_client.errors import NoCommonVersionError, ProtocolError
from messagegen_client.transport.metadata import Broker
from messagegen_kafka import DecodeError, Request, RequestHeader, Response, ResponseHeader


class Frame:
    """A request in one version, and how to read its response; aiokafka calls the methods."""

    def __init__(self, request: Request, response_type: type[Response], version: int, broker: Broker) -> None:
        self._request = request
        self._response_type = response_type
        self._version = version
        self._broker = broker
        self._body = request.encode(version=version)
        self.RESPONSE_TYPE = self

    def prepare(self, offered: Mapping[int, tuple[int, int]]) -> Frame:  # noqa: ARG002 - aiokafka's signature
        """The request itself: its version is chosen before."""
        return self

    def build_request_header(self, *, correlation_id: int, client_id: str) -> SimpleNamespace:
        """The header, in the version that belongs to the version of the request."""
        header = RequestHeader(
            request_api_key=self._request.API_KEY,
            request_api_version=self._version,
            correlation_id=correlation_id,
            client_id=client_id,
        )
        encoded = header.encode(version=self._request.header_version(self._version))
        return SimpleNamespace(encode=lambda: encoded)

    def encode(self) -> bytes:
        """The bytes after the header."""
        return self._body

    def parse_response_header(self, stream: BytesIO) -> ResponseHeader:
        """The header of the response; the stream is left after it. Raises ``ProtocolError``."""
        data = stream.getvalue()
        try:
            header, end = ResponseHeader.decode_from(data, version=self._response_type.header_version(self._version))
        except DecodeError as problem:
            raise ProtocolError(f"{self._broker} sent an invalid response header: {problem}") from problem
        stream.seek(end)
        return header

    def decode(self, stream: BytesIO) -> bytes:
        """The rest of the response, undecoded: errors in it must not end aiokafka's task that reads."""
        return stream.read()


def api_name(request: type[Request]) -> str:
    """Kafka's name of the API of a request."""
    return request.__name__.removesuffix("Request")


def stable_versions(message: type[Request]) -> range:
    """The default versions of a request: all, except an unstable latest version."""
    valid = message.VALID_VERSIONS
    return valid[:-1] if message.LATEST_VERSION_UNSTABLE else valid


def highest_common(
    request: type[Request], offered: Mapping[int, tuple[int, int]], versions: range | None, broker: Broker
) -> int:
    """The version for a request. ``versions`` restricts it, and may include an unstable version.

    Raises ``NoCommonVersionError`` with both ranges.
    """
    api, key = api_name(request), request.API_KEY
    wanted = stable_versions(request) if versions is None else versions
    if key not in offered:
        raise NoCommonVersionError(f"{broker} does not support {api} (API key {key})")
    lowest, highest = offered[key]
    common = [version for version in wanted if lowest <= version <= highest and version in request.VALID_VERSIONS]
    if not common:
        ours = f"{min(wanted)} to {max(wanted)}" if wanted else "none"
        raise NoCommonVersionError(
            f"{broker} supports {api} versions {lowest} to {highest}, this client uses {ours}: no common version"
        )
    return max(common)
