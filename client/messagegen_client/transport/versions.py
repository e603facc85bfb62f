"""Asks a new connection which versions of each API the broker supports: ApiVersions, with the fallback of KIP-511."""

from __future__ import annotations

import re
from importlib import metadata
from typing import Final

from messagegen_client.errors import ProtocolError
from messagegen_client.transport.channel import Channel
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse

_SOFTWARE: Final = "messagegen-client"
"""The distribution, and the name under which brokers count their clients (KIP-511)."""
_NOT_IN_VERSIONS: Final = re.compile("[^A-Za-z0-9.-]")
"""Brokers refuse other characters, such as the plus sign of a development version."""


async def negotiate_versions(channel: Channel) -> None:
    """Ask for the versions of each API; the channel then chooses the versions of requests accordingly.

    Raises ``ChannelEndedError``, ``NoCommonVersionError``, and ``ProtocolError`` for an invalid response. The channel
    closes at an error code.
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
        return "unknown"  # The sources are used without an installation.
    return _NOT_IN_VERSIONS.sub("-", version)
