"""The name of a request, and the choice of its version."""

from __future__ import annotations

from collections.abc import Mapping

from messagegen_client.errors import NoCommonVersionError
from messagegen_client.transport.metadata import Broker
from messagegen_kafka import Request


def api_name(request: type[Request]) -> str:
    """Return Kafka's name for the API of a request."""
    return request.__name__.removesuffix("Request")


def highest_common(
    request: type[Request], offered: Mapping[int, tuple[int, int]] | None, versions: range | None, broker: Broker
) -> int:
    """Return the version for a request. ``versions`` restricts it, and may include an unstable version.

    ``offered`` contains the broker's lowest and highest version by API key; ``None`` before the broker has sent them.

    Raises ``NoCommonVersionError``, whose text contains both ranges.
    """
    api = api_name(request)
    key = request.API_KEY
    wanted = request.stable_versions if versions is None else versions
    if offered is None:
        return wanted[-1]
    if key not in offered:
        raise NoCommonVersionError(f"{broker} does not support {api} (API key {key})")
    lowest, highest = offered[key]
    common = [version for version in wanted if lowest <= version <= highest and version in request.VALID_VERSIONS]
    if not common:
        ours = f"{min(wanted)} to {max(wanted)}" if wanted else "none"
        raise NoCommonVersionError(
            f"{broker} supports {api} versions {lowest} to {highest}, but this client uses {ours}: no common version"
        )
    return max(common)
