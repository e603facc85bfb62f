"""Generated requests in the form in which aiokafka's connections send them, and the choice of their version."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from messagegen_client.errors import NoCommonVersionError, ProtocolError
from messagegen_client.transport.metadata import Broker
from messagegen_kafka import DecodeError, Message, RequestHeader, ResponseHeader


class Frame:
    """A request in one version, and how to read its response; aiokafka calls the methods. The answer is a ``Body``.

    aiokafka writes its requests and their answers to its debug log, so ``repr`` shows no content.
    """

    def __init__(self, request: Message, response_type: type[Message], version: int, broker: Broker) -> None:
        self._request = request
        self._response_type = response_type
        self._version = version
        self._broker = broker
        self._body = request.encode(version=version)
        self.RESPONSE_TYPE = self

    def __repr__(self) -> str:
        return f"<{api_name(type(self._request))}Request version {self._version}>"

    def prepare(self, offered: Mapping[int, tuple[int, int]]) -> Frame:  # noqa: ARG002 - aiokafka's signature
        """The request itself: its version is chosen before."""
        return self

    def build_request_header(self, *, correlation_id: int, client_id: str) -> _Encoded:
        """The header, in the version that belongs to the version of the request."""
        header = RequestHeader(
            request_api_key=self._request.API_KEY or 0,
            request_api_version=self._version,
            correlation_id=correlation_id,
            client_id=client_id,
        )
        return _Encoded(header.encode(version=self._request.header_version(self._version)))

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

    def decode(self, stream: BytesIO) -> Body:
        """The rest of the response, undecoded: errors in it must not end aiokafka's task that reads."""
        return Body(stream.read())


class Body:
    """The bytes of a response after its header; ``repr`` shows how many."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<{len(self.data)} bytes>"


class _Encoded:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def encode(self) -> bytes:
        return self._data


class Quiet:
    """A SASL request of aiokafka, or the answer to it, whose ``repr`` hides the content: it has passwords and tokens."""

    def __init__(self, inner: Any) -> None:
        self._inner: Final = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __repr__(self) -> str:
        return f"<{type(self._inner).__name__}>"

    @property
    def RESPONSE_TYPE(self) -> Quiet:  # noqa: N802 - aiokafka's name
        """This object, because it has a method ``decode``."""
        return self

    def prepare(self, offered: Mapping[int, tuple[int, int]]) -> Quiet:
        """The request in the highest version that aiokafka and the broker support."""
        return Quiet(self._inner.prepare(offered))

    def decode(self, stream: BytesIO) -> Quiet:
        """The response."""
        return Quiet(self._inner.RESPONSE_TYPE.decode(stream))


def api_name(request: type[Message]) -> str:
    """Kafka's name of the API of a request."""
    return request.__name__.removesuffix("Request")


def stable_versions(message: type[Message]) -> range:
    """The default versions of a request: all, except an unstable latest version."""
    valid = message.VALID_VERSIONS
    return valid[:-1] if message.LATEST_VERSION_UNSTABLE else valid


def highest_common(
    request: type[Message], offered: Mapping[int, tuple[int, int]], versions: range | None, broker: Broker
) -> int:
    """The version for a request. ``versions`` restricts it, and may include an unstable version.

    Raises ``NoCommonVersionError`` with both ranges.
    """
    api, key = api_name(request), request.API_KEY
    wanted = stable_versions(request) if versions is None else versions
    if key is None or key not in offered:
        raise NoCommonVersionError(f"{broker} does not support {api} (API key {key})")
    lowest, highest = offered[key]
    theirs = range(lowest, highest + 1)
    common = [version for version in wanted if version in theirs and version in request.VALID_VERSIONS]
    if not common:
        raise NoCommonVersionError(
            f"{broker} supports {api} {_text(theirs)}, this client uses {_text(wanted)}: no common version"
        )
    return max(common)


def _text(versions: range) -> str:
    if len(versions) == 1:
        return f"version {versions[0]}"
    return f"versions {min(versions)} to {max(versions)}" if versions else "no version"
