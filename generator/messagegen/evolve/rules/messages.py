# ruff: noqa: D103 - the table of rules says what each of them checks
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


@rule(removed_messages, "MESSAGE_NOT_REMOVED", "WIRE API JSON", "Checks that no message is removed.")
def removed(message: RemovedMessage) -> Iterator[Change]:
    spec = message.old.spec
    if message.old.released:
        text = f"message {quoted(spec.name)} was removed"
        instead = "keep the spec as long as anyone may read or send its bytes"
        yield Change(text, instead, message.old.location("name"), None, message.old.released)


@rule(messages, "MESSAGE_SAME_NAME", "API", "Checks that a message keeps its name.")
def renamed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if old.spec.name != new.spec.name and old.released:
        text = f"message {quoted(old.spec.name)} was renamed to {quoted(new.spec.name)}"
        yield _change(message, "name", text, f"keep the name {quoted(old.spec.name)}")


@rule(messages, "MESSAGE_SAME_TYPE", "WIRE API", "Checks that a request stays a request, and a response a response.")
def kind_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    header = old.spec.kind in _WITH_HEADER or new.spec.kind in _WITH_HEADER
    if old.spec.kind is not new.spec.kind and header and message.versions:
        was = old.spec.kind.value
        text = f'type of message {quoted(new.spec.name)} changed from "{was}" to "{new.spec.kind.value}"'
        instead = f'keep "{was}", and write a separate spec for the message of the other type'
        yield _change(message, "type", text, instead, message.versions)


@rule(messages, "MESSAGE_SAME_API_KEY", "WIRE API", "Checks that a message keeps its API key.")
def api_key_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old.spec, message.new.spec
    on_wire = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    if old.api_key != new.api_key and message.versions and on_wire:
        text = f"API key of {quoted(new.name)} changed from {_shown(old.api_key)} to {_shown(new.api_key)}"
        yield _change(message, "apiKey", text, f'keep "apiKey": {old.api_key}', message.versions)


@rule(messages, "MESSAGE_VERSIONS_NOT_REMOVED", "WIRE API JSON", "Checks that no released version is removed.")
def versions_removed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    if gone := old.released - message.versions:
        text = f"{quoted(new.spec.name)} lost {version_text(gone)}: its valid versions changed from "
        text += f'"{old.spec.valid_versions}" to "{new.spec.valid_versions}"'
        instead = 'keep them, and name them in "deprecatedVersions" if they should no longer be used'
        yield _change(message, "validVersions", text, instead, gone)


@rule(messages, "MESSAGE_VERSIONS_SAME_NUMBERS", "API", "Checks that the versions of a message keep their numbers.")
def versions_renumbered(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    for before, after in message.numbers.items():
        if before != after:
            text = f"version {before} of {quoted(new.spec.name)} is now version {after} of API key {new.spec.api_key}"
            yield _change(message, "validVersions", text, f'keep "type": "{old.spec.kind.value}"')


@rule(messages, "MESSAGE_RELEASED_VERSION_STABLE", "API", "Checks that released versions do not become unstable.")
def made_unstable(message: MessagePair) -> Iterator[Change]:
    spec = message.new.spec
    latest = spec.valid_versions.highest
    if spec.latest_version_unstable and latest in message.versions:
        text = f"released version {latest} of {quoted(spec.name)} became unstable"
        yield _change(message, "latestVersionUnstable", text, 'remove "latestVersionUnstable", or add a new version')


@rule(messages, "MESSAGE_SAME_FLEXIBLE_VERSIONS", "WIRE", "Checks that released versions stay flexible, or not.")
def flexibility_changed(message: MessagePair) -> Iterator[Change]:
    old, new = message.old, message.new
    before, after = old.spec.flexible_versions, new.spec.flexible_versions
    changed = {version for version, number in message.numbers.items() if (version in before) != (number in after)}
    if changed:
        text = f'flexible versions of {quoted(new.spec.name)} changed from "{before}" to "{after}", '
        text += f"which changes {version_text(changed)}"
        yield _change(
            message, "flexibleVersions", text, f'keep "{before}", or become flexible in a new version', changed
        )


@rule(
    messages, "MESSAGE_SAME_HEADER_VERSIONS", "WIRE", "Checks that released versions keep the version of their header."
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
            yield _change(message, "headerVersions", text, "keep the header, or change it in a new version", changed)


@rule(messages, "MESSAGE_LISTENER_NOT_REMOVED", "API", "Checks that a message keeps its listeners.")
def listener_removed(message: MessagePair) -> Iterator[Change]:
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
