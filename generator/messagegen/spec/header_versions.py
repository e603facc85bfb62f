"""Derives the header version of each version of a request or response (KIP-1313), as Apache does by default."""

from __future__ import annotations

from typing import Final

from messagegen.spec.model import MessageKind
from messagegen.versions import ALL, HIGHEST_VERSION, VersionMap, VersionRange

_CONTROLLED_SHUTDOWN: Final = 7
API_VERSIONS: Final = 18
FLEXIBLE_HEADER: Final = {MessageKind.REQUEST: 2, MessageKind.RESPONSE: 1}


def derive_header_versions(kind: MessageKind, api_key: int | None, flexible: VersionRange) -> VersionMap[int] | None:
    """Return the default header versions of a message (upstream: ``ApiMessageTypeGenerator``).

    A flexible request has header 2, other requests header 1; a flexible response has header 1, other responses header
    0. Version 0 of ControlledShutdownRequest has header 0, and so does every ApiVersionsResponse (KIP-511): a client
    that does not know the broker's version must be able to read it. Return ``None`` for other kinds of messages.
    """
    if kind not in FLEXIBLE_HEADER:
        return None
    if kind is MessageKind.RESPONSE and api_key == API_VERSIONS:
        return VersionMap(((ALL, 0),))
    header = FLEXIBLE_HEADER[kind]
    start = 1 if kind is MessageKind.REQUEST and api_key == _CONTROLLED_SHUTDOWN else 0
    first_flexible = HIGHEST_VERSION + 1 if flexible.empty else max(flexible.lowest, start)
    headers = (
        (0, start - 1, 0),
        (start, first_flexible - 1, header - 1),
        (first_flexible, HIGHEST_VERSION, header),
    )
    entries = [(VersionRange(first, last), number) for first, last, number in headers if first <= last]
    return VersionMap(tuple(entries))
