"""The versions of an API that a client needs."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.brokers.supported import SupportedVersions
from messagegen.spec.header_versions import API_VERSIONS
from messagegen.versions import NONE, VersionRange


def needed_versions(table: SupportedVersions, releases: Sequence[str], api_key: int, own: VersionRange) -> VersionRange:
    """Return the versions of an API that a client needs for brokers of these releases; ``NONE`` if it needs none.

    ``own`` are the stable versions of the client. With each release it uses the highest version that both sides have.
    The result goes from the lowest of these versions to the highest.

    The versions of ApiVersions begin at the client's first one: a broker answers in version 0 if it does not have the
    version of the request (KIP-511).
    """
    common = [table[release].get(api_key, NONE).intersect(own) for release in releases]
    used = [versions.highest for versions in common if not versions.empty]
    if not used:
        return NONE
    return VersionRange(own.lowest if api_key == API_VERSIONS else min(used), max(used))
