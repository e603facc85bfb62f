# ruff: noqa: D103 - the table of rules says what each of them checks
"""Rules about messages as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.evolve.changes import version_text
from messagegen.evolve.rules.rule import Change, each_message, each_removed_message
from messagegen.evolve.sides import MessagePair, RemovedMessage
from messagegen.spec.model import MessageKind
from messagegen.spec.report import quoted

_WITH_HEADER: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)
_WITHOUT_API_KEY: Final = (MessageKind.DATA, MessageKind.HEADER)
"""Kinds whose API key, if any, is not sent."""


@each_removed_message
def removed(message: RemovedMessage) -> Iterator[Change]:
    spec = message.old.spec
    if message.old.released:
        instead = "keep the spec as long as anyone may read or send its bytes"
        yield Change(
            f"message {quoted(spec.name)} was removed",
            instead,
            message.old.location("name"),
            None,
            message.old.released,
        )


@each_message
def renamed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if old.spec.name != new.spec.name and old.released:
        text = f"message {quoted(old.spec.name)} was renamed to {quoted(new.spec.name)}"
        yield Change(text, f"keep the name {quoted(old.spec.name)}", old.location("name"), new.location("name"))


@each_message
def kind_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    header = old.spec.kind in _WITH_HEADER or new.spec.kind in _WITH_HEADER
    if old.spec.kind is not new.spec.kind and header and message.versions:
        was = old.spec.kind.value
        text = f'type of message {quoted(new.spec.name)} changed from "{was}" to "{new.spec.kind.value}"'
        instead = f'keep "{was}", and write a separate spec for the message of the other type'
        yield Change(text, instead, old.location("type"), new.location("type"), message.versions)


@each_message
def api_key_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old.spec, message.new.spec
    on_wire = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    if old.api_key != new.api_key and message.versions and on_wire:
        text = f"API key of {quoted(new.name)} changed from {_shown(old.api_key)} to {_shown(new.api_key)}"
        places = message.old.location("apiKey"), message.new.location("apiKey")
        yield Change(text, f'keep "apiKey": {old.api_key}', *places, message.versions)


@each_message
def versions_removed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if gone := old.released - message.versions:
        text = f"{quoted(new.spec.name)} lost {version_text(gone)}: its valid versions changed from "
        text += f'"{old.spec.valid_versions}" to "{new.spec.valid_versions}"'
        instead = 'keep them, and name them in "deprecatedVersions" if they should no longer be used'
        yield Change(text, instead, old.location("validVersions"), new.location("validVersions"), gone)


@each_message
def versions_renumbered(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    for before, after in message.numbers.items():
        if before != after:
            text = f"version {before} of {quoted(new.spec.name)} is now version {after} of API key {new.spec.api_key}"
            places = old.location("validVersions"), new.location("validVersions")
            yield Change(text, f'keep "type": "{old.spec.kind.value}"', *places)


@each_message
def made_unstable(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    latest = new.spec.valid_versions.highest
    if new.spec.latest_version_unstable and latest in message.versions:
        text = f"released version {latest} of {quoted(new.spec.name)} became unstable"
        places = old.location("latestVersionUnstable"), new.location("latestVersionUnstable")
        yield Change(text, 'remove "latestVersionUnstable", or add a new version', *places)


@each_message
def flexibility_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    before, after = old.spec.flexible_versions, new.spec.flexible_versions
    changed = {version for version, number in message.numbers.items() if (version in before) != (number in after)}
    if changed:
        text = f'flexible versions of {quoted(new.spec.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(changed)}"
        places = old.location("flexibleVersions"), new.location("flexibleVersions")
        yield Change(text, f'keep "{before}", or become flexible in a new version', *places, changed)


@each_message
def header_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old.spec, message.new.spec
    if old.header_versions is None or new.header_versions is None or old.kind is not new.kind:
        return
    headers = {
        version: (old.header_versions.get(version), new.header_versions.get(version)) for version in message.versions
    }
    changes: dict[tuple[int | None, int | None], set[int]] = {}
    for version, (before, after) in headers.items():
        if before != after:
            changes.setdefault((before, after), set()).add(version)
    for (before, after), changed in sorted(changes.items(), key=lambda item: min(item[1])):
        text = (
            f"header of {quoted(new.name)} changed from header version {before} to {after} in {version_text(changed)}"
        )
        places = message.old.location("headerVersions"), message.new.location("headerVersions")
        yield Change(text, "keep the header, or change it in a new version", *places, changed)


def _shown(api_key: int | None) -> str:
    return "none" if api_key is None else str(api_key)
