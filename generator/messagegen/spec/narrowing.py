"""Messages with some of their versions."""

from __future__ import annotations

from dataclasses import replace

from messagegen.spec.model import MessageSpec
from messagegen.versions import NONE, VersionRange


def narrowed(spec: MessageSpec, versions: VersionRange) -> MessageSpec:
    """Return a message that has only ``versions`` of its valid versions.

    Its latest version is unstable only if that is the unstable version of ``spec``.
    """
    unstable = spec.latest_version_unstable and versions.highest == spec.valid_versions.highest
    return replace(spec, valid_versions=versions, latest_version_unstable=unstable)


def without_highest(versions: VersionRange) -> VersionRange:
    """Return all versions of a range but the highest one, which may be unstable."""
    if versions.highest <= versions.lowest:
        return NONE
    return VersionRange(versions.lowest, versions.highest - 1)
