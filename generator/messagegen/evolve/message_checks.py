"""Compares the properties of a message, and finds the rules and the released versions that a change breaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from messagegen.evolve.changes import Change
from messagegen.evolve.checks import ByteCheck, Checked, CodeCheck, changes_by
from messagegen.evolve.facts import message_facts
from messagegen.evolve.pairs import MessagePair
from messagegen.spec.model import MessageKind, MessageSpec

_WITH_HEADER: Final = {MessageKind.REQUEST, MessageKind.RESPONSE}
_WITHOUT_API_KEY: Final = {MessageKind.DATA, MessageKind.HEADER}
"""The kinds whose API key, if there is one, is not sent."""


def message_changes(pair: MessagePair) -> Iterator[Change]:
    """Yield the changes of a message's own properties."""
    valid = pair.new.spec.valid_versions
    before = message_facts(pair.old.spec, valid)
    after = message_facts(pair.new.spec, valid)
    checked = Checked(
        sides=pair,
        subject=pair.new.spec.name,
        properties={name: (before[name], after[name]) for name in before},
        place=lambda name: (pair.old.location(pair.old.spec, name), pair.new.location(pair.new.spec, name)),
    )
    yield from changes_by(checked, _BYTE_CHECKS, _CODE_CHECKS)


def _removed_versions(pair: MessagePair) -> list[int]:
    return [version for version in pair.old.released if version not in pair.numbers]


def _each_version(
    differs: Callable[[MessageSpec, int, MessageSpec, int], bool],
) -> Callable[[MessagePair], Collection[int]]:
    """Return a function that returns the released versions that differ, as ``differs`` decides.

    The arguments of ``differs`` are the old spec and version, and the new spec and version.
    """

    def versions(pair: MessagePair) -> list[int]:
        return [old for old, new in pair.numbers.items() if differs(pair.old.spec, old, pair.new.spec, new)]

    return versions


def _type_differs(old: MessageSpec, _: int, new: MessageSpec, __: int) -> bool:
    # Kinds without a header may replace each other: Kafka 4.1 turned data messages into coordinator keys and values.
    return old.kind is not new.kind and (old.kind in _WITH_HEADER or new.kind in _WITH_HEADER)


def _sent_api_key_differs(old: MessageSpec, _: int, new: MessageSpec, __: int) -> bool:
    is_sent = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    # A message that had no API key can't have been sent with one.
    return is_sent and old.api_key not in (None, new.api_key)


def _is_flexible_differs(old: MessageSpec, before: int, new: MessageSpec, after: int) -> bool:
    return (before in old.flexible_versions) != (after in new.flexible_versions)


def _header_version_differs(old: MessageSpec, before: int, new: MessageSpec, after: int) -> bool:
    if old.kind is not new.kind or old.header_versions is None or new.header_versions is None:
        return False
    return old.header_versions.get(before) != new.header_versions.get(after)


def _has_released_versions(pair: MessagePair) -> bool:
    return bool(pair.old.released)


def _had_api_key(pair: MessagePair) -> bool:
    return pair.old.spec.api_key is not None and bool(pair.numbers)


def _versions_are_renumbered(pair: MessagePair) -> bool:
    return any(old != new for old, new in pair.numbers.items())


def _released_version_is_unstable(pair: MessagePair) -> bool:
    return pair.new.unstable in pair.numbers


def _listener_is_removed(pair: MessagePair) -> bool:
    return not set(pair.old.spec.listeners) <= set(pair.new.spec.listeners)


_BYTE_CHECKS: Final = (
    ByteCheck(
        property="type",
        rule="MESSAGE_SAME_TYPE",
        versions=_each_version(_type_differs),
    ),
    ByteCheck(
        property="apiKey",
        rule="MESSAGE_SAME_API_KEY",
        versions=_each_version(_sent_api_key_differs),
    ),
    ByteCheck(
        property="validVersions",
        rule="MESSAGE_VERSIONS_NOT_REMOVED",
        versions=_removed_versions,
    ),
    ByteCheck(
        property="flexibleVersions",
        rule="MESSAGE_SAME_FLEXIBLE_VERSIONS",
        versions=_each_version(_is_flexible_differs),
    ),
    ByteCheck(
        property="headerVersions",
        rule="MESSAGE_SAME_HEADER_VERSIONS",
        versions=_each_version(_header_version_differs),
    ),
)

_CODE_CHECKS: Final = (
    CodeCheck(
        property="name",
        rule="MESSAGE_SAME_NAME",
        breaks=_has_released_versions,
    ),
    CodeCheck(
        property="apiKey",
        rule="MESSAGE_KEEPS_API_KEY",
        breaks=_had_api_key,
    ),
    CodeCheck(
        property="validVersions",
        rule="MESSAGE_VERSIONS_SAME_NUMBERS",
        breaks=_versions_are_renumbered,
    ),
    CodeCheck(
        property="latestVersionUnstable",
        rule="MESSAGE_RELEASED_VERSION_STABLE",
        breaks=_released_version_is_unstable,
    ),
    CodeCheck(
        property="listeners",
        rule="MESSAGE_LISTENER_NOT_REMOVED",
        breaks=_listener_is_removed,
    ),
)
