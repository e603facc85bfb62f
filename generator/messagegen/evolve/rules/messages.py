"""Rules about messages as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from messagegen.evolve.changes import version_text
from messagegen.evolve.rules.rule import Change, messages, removed_messages, rule
from messagegen.evolve.sides import MessagePair, RemovedMessage
from messagegen.spec.model import MessageKind
from messagegen.spec.report import quoted

_WITH_HEADER: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)
_WITHOUT_API_KEY: Final = (MessageKind.DATA, MessageKind.HEADER)
"""Kinds whose API key, if any, is not sent."""


@rule(removed_messages, "WIRE API JSON")
def message_not_removed(message: RemovedMessage) -> Iterator[Change]:
    """Checks that no message is removed."""
    spec = message.old.spec
    if message.old.released:
        text = f"message {quoted(spec.name)} was removed"
        instead = "keep the spec as long as anyone may read or send its bytes"
        yield Change(text, instead, message.old.location("name"), None, message.old.released)


@rule(messages, "API")
def message_same_name(message: MessagePair) -> Iterator[Change]:
    """Checks that a message keeps its name."""
    old, new = message.old, message.new
    if old.spec.name != new.spec.name and old.released:
        text = f"message {quoted(old.spec.name)} was renamed to {quoted(new.spec.name)}"
        yield _change(message, "name", text, f"keep the name {quoted(old.spec.name)}")


@rule(messages, "WIRE API")
def message_same_type(message: MessagePair) -> Iterator[Change]:
    """Checks that a request stays a request, and a response a response."""
    old, new = message.old, message.new
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    header = old.spec.kind in _WITH_HEADER or new.spec.kind in _WITH_HEADER
    if old.spec.kind is not new.spec.kind and header and message.versions:
        was = old.spec.kind.value
        text = f'type of message {quoted(new.spec.name)} changed from "{was}" to "{new.spec.kind.value}"'
        instead = f'keep "{was}", and write a separate spec for the message of the other type'
        yield _change(message, "type", text, instead, message.versions)


@rule(messages, "WIRE API")
def message_same_api_key(message: MessagePair) -> Iterator[Change]:
    """Checks that a message keeps its API key."""
    old, new = message.old.spec, message.new.spec
    on_wire = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    if old.api_key != new.api_key and message.versions and on_wire:
        text = f"API key of {quoted(new.name)} changed from {_shown(old.api_key)} to {_shown(new.api_key)}"
        yield _change(message, "apiKey", text, f'keep "apiKey": {old.api_key}', message.versions)


@rule(messages, "WIRE API JSON")
def message_versions_not_removed(message: MessagePair) -> Iterator[Change]:
    """Checks that no released version is removed."""
    old, new = message.old, message.new
    if gone := old.released - message.versions:
        text = f"{quoted(new.spec.name)} lost {version_text(gone)}: its valid versions changed from "
        text += f'"{old.spec.valid_versions}" to "{new.spec.valid_versions}"'
        instead = 'keep them, and name them in "deprecatedVersions" if they should no longer be used'
        yield _change(message, "validVersions", text, instead, gone)


@rule(messages, "API")
def message_versions_same_numbers(message: MessagePair) -> Iterator[Change]:
    """Checks that the versions of a message keep their numbers."""
    old, new = message.old, message.new
    for before, after in message.numbers.items():
        if before != after:
            text = f"version {before} of {quoted(new.spec.name)} is now version {after} of API key {new.spec.api_key}"
            yield _change(message, "validVersions", text, f'keep "type": "{old.spec.kind.value}"')


@rule(messages, "API")
def message_released_version_stable(message: MessagePair) -> Iterator[Change]:
    """Checks that released versions do not become unstable."""
    spec = message.new.spec
    latest = spec.valid_versions.highest
    if spec.latest_version_unstable and latest in message.versions:
        text = f"released version {latest} of {quoted(spec.name)} became unstable"
        yield _change(message, "latestVersionUnstable", text, 'remove "latestVersionUnstable", or add a new version')


@rule(messages, "WIRE")
def message_same_flexible_versions(message: MessagePair) -> Iterator[Change]:
    """Checks that released versions stay flexible, or not."""
    old, new = message.old, message.new
    before, after = old.spec.flexible_versions, new.spec.flexible_versions
    changed = {version for version, number in message.numbers.items() if (version in before) != (number in after)}
    if changed:
        text = f'flexible versions of {quoted(new.spec.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(changed)}"
        yield _change(
            message, "flexibleVersions", text, f'keep "{before}", or become flexible in a new version', changed
        )


@rule(messages, "WIRE")
def message_same_header_versions(message: MessagePair) -> Iterator[Change]:
    """Checks that released versions keep the version of their header."""
    old, new = message.old.spec, message.new.spec
    if old.header_versions is None or new.header_versions is None or old.kind is not new.kind:
        return
    changes: dict[tuple[int | None, int | None], set[int]] = {}
    for version in sorted(message.versions):
        both = old.header_versions.get(version), new.header_versions.get(version)
        changes.setdefault(both, set()).add(version)
    for (before, after), changed in changes.items():
        if before != after:
            text = f"header of {quoted(new.name)} changed from header version {before} to {after} in {version_text(changed)}"
            yield _change(message, "headerVersions", text, "keep the header, or change it in a new version", changed)


@rule(messages, "API")
def message_listener_not_removed(message: MessagePair) -> Iterator[Change]:
    """Checks that a message keeps its listeners."""
    old, new = message.old, message.new
    gone = [name for name in old.spec.listeners if name not in new.spec.listeners]
    if gone and message.versions:
        names = " and ".join(map(quoted, gone))
        text = (
            f"{quoted(new.spec.name)} lost the listener{'s' * (len(gone) > 1)} {names}: it is no longer accepted there"
        )
        yield _change(message, "listeners", text, "keep them as long as clients send the message there")


def _change(message: MessagePair, name: str, text: str, instead: str, versions: Iterable[int] = ()) -> Change:
    return Change(text, instead, message.old.location(name), message.new.location(name), versions)


def _shown(api_key: int | None) -> str:
    return "none" if api_key is None else str(api_key)
