"""Asks a new connection which versions of each API the broker supports: ApiVersions, with the fallback of KIP-511."""

from __future__ import annotations

import re
from importlib import metadata
from typing import Final

from messagegen_client.errors import ProtocolError
from messagegen_client.transport.channel import Channel
from messagegen_client.transport.messages import highest_common, stable_versions
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse
from messagegen_kafka.error_codes import ErrorCode

_SOFTWARE: Final = "messagegen-client"
"""The distribution, and the name under which brokers count their clients (KIP-511)."""
_NOT_IN_VERSIONS: Final = re.compile("[^A-Za-z0-9.-]")
"""Brokers refuse other characters, such as the plus sign of a development version."""
_ERROR_CODE_BYTES: Final = 2
"""A response begins with its error code, in all versions."""
_OLDEST: Final = 0


async def negotiate_versions(channel: Channel) -> dict[int, tuple[int, int]]:
    """The lowest and the highest version of each API, by API key.

    Raises ``ChannelEndedError``, and ``ProtocolError`` for an invalid response.
    """
    response = await _ask(channel, stable_versions(ApiVersionsRequest)[-1])
    if response.error_code == ErrorCode.UNSUPPORTED_VERSION:
        response = await _ask(channel, _version_of_older_broker(channel, response))
    if response.error_code:
        name = ErrorCode(response.error_code).name
        raise ProtocolError(f"{channel.broker} sent an invalid ApiVersions response: error code {name}")
    return _offered(channel, response)


async def _ask(channel: Channel, version: int) -> ApiVersionsResponse:
    request = ApiVersionsRequest(client_software_name=_SOFTWARE, client_software_version=_software_version())
    header_version = ApiVersionsResponse.header_version(version)
    body = await channel.send(request, version, header_version=header_version)
    # A broker that does not know the version of the request answers in the oldest one.
    code = int.from_bytes(body[:_ERROR_CODE_BYTES], "big")
    answered_in = _OLDEST if code == ErrorCode.UNSUPPORTED_VERSION else version
    return channel.decode(body, ApiVersionsResponse, answered_in)


def _software_version() -> str:
    try:
        version = metadata.version(_SOFTWARE)
    except metadata.PackageNotFoundError:
        return "unknown"  # The sources are used without an installation.
    return _NOT_IN_VERSIONS.sub("-", version)


def _version_of_older_broker(channel: Channel, refusal: ApiVersionsResponse) -> int:
    """The version to ask with again: brokers before Kafka 2.4 do not say which ones they know."""
    offered = _offered(channel, refusal)
    if ApiVersionsRequest.API_KEY not in offered:
        return _OLDEST
    return highest_common(ApiVersionsRequest, offered, None, channel.broker)


def _offered(channel: Channel, response: ApiVersionsResponse) -> dict[int, tuple[int, int]]:
    offered = {api.api_key: (api.min_version, api.max_version) for api in response.api_keys}
    if any(lowest > highest for lowest, highest in offered.values()):
        raise ProtocolError(f"{channel.broker} sent an invalid ApiVersions response")
    return offered
