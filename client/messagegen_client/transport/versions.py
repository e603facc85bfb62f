"""Asks a new connection which versions of each API the broker supports: ApiVersions, with the fallback of KIP-511."""

from __future__ import annotations

import re
from importlib import metadata
from typing import Final

from messagegen_client.errors import ProtocolError
from messagegen_client.transport.channel import Channel
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse

_SOFTWARE: Final = "messagegen-client"
"""The name of the distribution, which brokers use in their metrics of clients (KIP-511)."""
_NOT_IN_VERSIONS: Final = re.compile("[^A-Za-z0-9.-]")
"""Characters that brokers refuse, such as the plus sign of a development version."""


async def negotiate_versions(channel: Channel) -> None:
    """Ask for the broker's versions of each API. The channel uses them to choose the version of each request.

    Raises ``ChannelEndedError``, ``NoCommonVersionError``, and ``ProtocolError`` for an invalid response. If the
    response has an error code, the channel closes.
    """
    request = ApiVersionsRequest(client_software_name=_SOFTWARE, client_software_version=_software_version())
    response = await channel.send(request, channel.version_for(ApiVersionsRequest))
    if response.refused:
        response = await channel.send(request, channel.version_for(ApiVersionsRequest))
    message = channel.decode(response, ApiVersionsResponse)
    if any(api.min_version > api.max_version for api in message.api_keys):
        raise ProtocolError(f"{channel.broker} sent an invalid ApiVersions response")


def _software_version() -> str:
    try:
        version = metadata.version(_SOFTWARE)
    except metadata.PackageNotFoundError:
        return "unknown"  # The package runs from its sources, without being installed.
    return _NOT_IN_VERSIONS.sub("-", version)
