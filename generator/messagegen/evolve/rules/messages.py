# ruff: noqa: D103 - the table of rules says what each of them checks
"""Rules about messages as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.evolve.changes import version_text
from messagegen.evolve.rules.rule import Change, messages, removed_messages, rule
from messagegen.evolve.sides import MessagePair, RemovedMessage
from messagegen.spec.model import MessageKind
from messagegen.spec.report import quoted

_WITH_HEADER: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)
_WITHOUT_API_KEY: Final = (MessageKind.DATA, MessageKind.HEADER)
"""Kinds whose API key, if any, is not sent."""


@rule(removed_messages, "MESSAGE_NOT_REMOVED", "WIRE API JSON", "Checks that no message is removed.")
def removed(message: RemovedMessage) -> Iterator[Change]:
    spec = message.old.spec
    if message.old.released:
        text, instead = (
            f"message {quoted(spec.name)} was removed",
            "keep the spec as long as anyone may read or send its bytes",
        )
        yield Change(text, instead, message.old.location("name"), None, message.old.released)


@rule(messages, "MESSAGE_SAME_NAME", "API", "Checks that a message keeps its name.")
def renamed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if old.spec.name != new.spec.name and old.released:
        text = f"message {quoted(old.spec.name)} was renamed to {quoted(new.spec.name)}"
        yield Change(text, f"keep the name {quoted(old.spec.name)}", old.location("name"), new.location("name"))


@rule(messages, "MESSAGE_SAME_TYPE", "WIRE API", "Checks that a request stays a request, and a response a response.")
def kind_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    header = old.spec.kind in _WITH_HEADER or new.spec.kind in _WITH_HEADER
    if old.spec.kind is not new.spec.kind and header and message.versions:
        was = old.spec.kind.value
        text = f'type of message {quoted(new.spec.name)} changed from "{was}" to "{new.spec.kind.value}"'
        instead = f'keep "{was}", and write a separate spec for the message of the other type'
        yield Change(text, instead, old.location("type"), new.location("type"), message.versions)


@rule(messages, "MESSAGE_SAME_API_KEY", "WIRE API", "Checks that a message keeps its API key.")
def api_key_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old.spec, message.new.spec
    on_wire = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    if old.api_key != new.api_key and message.versions and on_wire:
        text = f"API key of {quoted(new.name)} changed from {_shown(old.api_key)} to {_shown(new.api_key)}"
        places = message.old.location("apiKey"), message.new.location("apiKey")
        yield Change(text, f'keep "apiKey": {old.api_key}', *places, message.versions)


@rule(
    messages,
    "MESSAGE_VERSIONS_NOT_REMOVED",
    "WIRE API JSON",
    "Checks that no released version of a message is removed.",
)
def versions_removed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if gone := old.released - message.versions:
        text = f"{quoted(new.spec.name)} lost {version_text(gone)}: its valid versions changed from "
        text += f'"{old.spec.valid_versions}" to "{new.spec.valid_versions}"'
        instead = 'keep them, and name them in "deprecatedVersions" if they should no longer be used'
        yield Change(text, instead, old.location("validVersions"), new.location("validVersions"), gone)


@rule(messages, "MESSAGE_VERSIONS_SAME_NUMBERS", "API", "Checks that the versions of a message keep their numbers.")
def versions_renumbered(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    for before, after in message.numbers.items():
        if before != after:
            text = f"version {before} of {quoted(new.spec.name)} is now version {after} of API key {new.spec.api_key}"
            places = old.location("validVersions"), new.location("validVersions")
            yield Change(text, f'keep "type": "{old.spec.kind.value}"', *places)


@rule(
    messages,
    "MESSAGE_RELEASED_VERSION_STABLE",
    "API",
    "Checks that a released version of a message does not become unstable.",
)
def made_unstable(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    latest = new.spec.valid_versions.highest
    if new.spec.latest_version_unstable and latest in message.versions:
        text = f"released version {latest} of {quoted(new.spec.name)} became unstable"
        places = old.location("latestVersionUnstable"), new.location("latestVersionUnstable")
        yield Change(text, 'remove "latestVersionUnstable", or add a new version', *places)


@rule(
    messages,
    "MESSAGE_SAME_FLEXIBLE_VERSIONS",
    "WIRE",
    "Checks that released versions of a message stay flexible, or not flexible.",
)
def flexibility_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    before, after = old.spec.flexible_versions, new.spec.flexible_versions
    changed = {version for version, number in message.numbers.items() if (version in before) != (number in after)}
    if changed:
        text = f'flexible versions of {quoted(new.spec.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(changed)}"
        places = old.location("flexibleVersions"), new.location("flexibleVersions")
        yield Change(text, f'keep "{before}", or become flexible in a new version', *places, changed)


@rule(
    messages,
    "MESSAGE_SAME_HEADER_VERSIONS",
    "WIRE",
    "Checks that released versions of a message keep the version of their header.",
)
def header_changed(message: MessagePair) -> Iterator[Change]:
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
            places = message.old.location("headerVersions"), message.new.location("headerVersions")
            yield Change(text, "keep the header, or change it in a new version", *places, changed)


@rule(messages, "MESSAGE_LISTENER_NOT_REMOVED", "API", "Checks that a message keeps its listeners.")
def listener_removed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    gone = [name for name in old.spec.listeners if name not in new.spec.listeners]
    if gone and message.versions:
        names = " and ".join(map(quoted, gone))
        text = (
            f"{quoted(new.spec.name)} lost the listener{'s' * (len(gone) > 1)} {names}: it is no longer answered there"
        )
        places = old.location("listeners"), new.location("listeners")
        yield Change(text, "keep them as long as clients send the message there", *places)


def _shown(api_key: int | None) -> str:
    return "none" if api_key is None else str(api_key)
