"""The header version for each version of a request or response (KIP-1313; by default derived as Apache does)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from messagegen.jsonc import Object, Scalar
from messagegen.spec.model import MessageKind
from messagegen.spec.properties import Properties, scalar_number
from messagegen.spec.report import Report
from messagegen.spec.rules import Rule
from messagegen.spec.version_maps import Entry, read_entries, tell_coverage, tell_overlaps
from messagegen.versions import ALL, HIGHEST_VERSION, VersionMap, VersionRange, versions_text

_CONTROLLED_SHUTDOWN: Final = 7
_API_VERSIONS: Final = 18
_HIGHEST: Final = {MessageKind.REQUEST: 3, MessageKind.RESPONSE: 1}
_FLEXIBLE: Final = {MessageKind.REQUEST: 2, MessageKind.RESPONSE: 1}

HeaderVersions = VersionMap[int]


def derive_header_versions(kind: MessageKind, api_key: int | None, flexible: VersionRange) -> HeaderVersions | None:
    """The default header versions of a message (upstream: ``ApiMessageTypeGenerator``).

    A flexible request has header 2, other requests header 1; a flexible response has header 1, other responses header 0. Version
    0 of ControlledShutdownRequest has header 0, and so does every ApiVersionsResponse (KIP-511): a client that does not know the
    broker's version must be able to read it. ``None`` for other kinds.
    """
    if kind not in _FLEXIBLE:
        return None
    if kind is MessageKind.RESPONSE and api_key == _API_VERSIONS:
        return HeaderVersions.constant(ALL, 0)
    with_tags = _FLEXIBLE[kind]
    entries: list[tuple[VersionRange, int]] = []
    lowest = 0
    if kind is MessageKind.REQUEST and api_key == _CONTROLLED_SHUTDOWN:
        entries.append((VersionRange(0, 0), 0))
        lowest = 1
    first_flexible = HIGHEST_VERSION + 1 if flexible.empty else max(flexible.lowest, lowest)
    if first_flexible > lowest:
        entries.append((VersionRange(lowest, first_flexible - 1), with_tags - 1))
    if first_flexible <= HIGHEST_VERSION:
        entries.append((VersionRange(first_flexible, HIGHEST_VERSION), with_tags))
    return VersionMap(tuple(entries))


def read_header_versions(
    properties: Properties,
    kind: MessageKind,
    api_key: int | None,
    valid: VersionRange,
    flexible: VersionRange,
    report: Report,
) -> HeaderVersions | None:
    """``headerVersions`` as written, or derived; ``None`` for other kinds, or after a finding."""
    name = "headerVersions"
    node = properties.node(name)
    if node is None:
        return derive_header_versions(kind, api_key, flexible)
    position, path = properties.position_of(name), properties.path_of(name)
    if kind not in _FLEXIBLE:
        message = f"header versions are not allowed on a message of type {kind.value}"
        report.add(Rule.HEADER_VERSIONS_ONLY_ON_REQUESTS_AND_RESPONSES, position, path, message, f"remove {name}")
        return None
    if not isinstance(node, Object):
        return None
    entries = read_entries(node, path, report, lambda value: _read_version(value, kind, path, report))
    rule, what = Rule.HEADER_VERSIONS_CONTIGUOUS, "header version"
    if not entries or tell_overlaps(entries, rule, path, what, report):
        return None
    tell_coverage(entries, ALL, rule, position, path, what, report)
    if _ascending(entries, path, report) and not (kind is MessageKind.RESPONSE and api_key == _API_VERSIONS):
        _tell_flexible(entries, kind, valid.intersect(flexible), path, report)
    return VersionMap(tuple((entry.versions, entry.value) for entry in entries))


def _read_version(node: Scalar, kind: MessageKind, path: str, report: Report) -> int | None:
    version = scalar_number(node)
    if version is not None and not 0 <= version <= _HIGHEST[kind]:
        message = f"{kind.value} header version {version} does not exist"
        instead = f"write a version from 0 to {_HIGHEST[kind]}"
        report.add(Rule.HEADER_VERSION_KNOWN, node.position, path, message, instead)
        return None
    return version


def _ascending(entries: tuple[Entry[int], ...], path: str, report: Report) -> bool:
    for before, entry in pairwise(entries):
        if entry.value < before.value:
            message = (
                f"versions {entry.versions} have header version {entry.value}, earlier versions have {before.value}"
            )
            instead = f"write {before.value} or higher"
            report.add(Rule.HEADER_VERSIONS_NEVER_DECREASE, entry.value_position, path, message, instead)
            return False
    return True


def _tell_flexible(
    entries: tuple[Entry[int], ...], kind: MessageKind, flexible: VersionRange, path: str, report: Report
) -> None:
    needed = _FLEXIBLE[kind]
    for entry in entries:
        concerned = entry.versions.intersect(flexible)
        if not concerned.empty and entry.value < needed:
            message = (
                f"{versions_text([concerned])} {'is' if concerned.lowest == concerned.highest else 'are'} flexible, "
            )
            message += f"but {kind.value} header version {entry.value} is not"
            instead = f"write {needed} for {'it' if concerned.lowest == concerned.highest else 'them'}"
            report.add(Rule.HEADER_VERSION_FLEXIBLE, entry.value_position, path, message, instead)
            return
