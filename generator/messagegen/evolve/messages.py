"""What changed in the spec of a message itself: its name, its versions and properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

from messagegen.evolve.changes import Break, Change, version_text
from messagegen.evolve.sides import MessagePair, RemovedMessage
from messagegen.findings import quoted
from messagegen.spec.model import MessageKind, MessageSpec

T = TypeVar("T")

_WITH_HEADER: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)
_WITHOUT_API_KEY: Final = (MessageKind.DATA, MessageKind.HEADER)
"""Kinds whose API key, if any, is not sent."""

_IN_VERSIONS: Final[tuple[tuple[str, str, Callable[[MessageSpec, int], object], str, str], ...]] = (
    (
        "deprecation",
        "{} now",
        lambda spec, version: "deprecated" if version in spec.deprecated_versions else "usable",
        "",
        "",
    ),
    (
        "flexible versions",
        "{}, unlike before",
        lambda spec, version: "flexible" if version in spec.flexible_versions else "not flexible",
        "MESSAGE_SAME_FLEXIBLE_VERSIONS",
        "flexibleVersions",
    ),
    (
        "header versions",
        "sent with header version {}, not {}",
        lambda spec, version: spec.header_versions.get(version) if spec.header_versions else None,
        "MESSAGE_SAME_HEADER_VERSIONS",
        "headerVersions",
    ),
)
"""What holds in some versions: the topic, words for the new and the old value, the value, the rule that it breaks, and the property."""


def removed_message(message: RemovedMessage) -> Iterator[Break]:
    """What it breaks that a message is gone."""
    spec = message.old.spec
    if message.old.released:
        instead = "keep the spec as long as anyone may read or send its bytes"
        text = f"message {quoted(spec.name)} was removed"
        yield Break("MESSAGE_NOT_REMOVED", text, instead, message.old.location("name"), None, message.old.released)


def message_changes(pair: MessagePair) -> Iterator[Change]:
    """The changes of a message apart from its fields."""
    old, new = pair.old.spec, pair.new.spec
    yield from _versions(pair)
    yield from _stability(pair)
    for topic, words, of, rule, name in _IN_VERSIONS:
        values = {version: (of(old, before), of(new, version)) for version, before in pair.compared.items()}
        for both, versions in regrouped(values):
            was, now = (None if value is None else str(value) for value in both)
            text = f"{version_text(versions)} {_verb(versions, 'is', 'are')} {words.format(now, was)}"
            headers = None not in (old.header_versions, new.header_versions) and old.kind is new.kind
            breaks = None
            if rule and (headers or topic != "header versions"):
                instead = "keep released versions as they were, and change it in a new version"
                breaks = _break(pair, rule, text, instead, name, [pair.compared[version] for version in versions])
            yield Change(topic, "changed", text, None, was, now, versions, breaks)
    header = {old.kind, new.kind} & set(_WITH_HEADER)
    instead = f'keep "{old.kind.value}", and write a separate spec for the message of the other type'
    # Other kinds have no header: Kafka 4.1 turned data messages into coordinator keys and values.
    yield from _property(
        pair, "type", *(old.kind.value, new.kind.value), "MESSAGE_SAME_TYPE" if header else "", instead
    )
    before, after = ("none" if key is None else str(key) for key in (old.api_key, new.api_key))
    on_wire = old.kind not in _WITHOUT_API_KEY and new.kind not in _WITHOUT_API_KEY
    rule = "MESSAGE_SAME_API_KEY" if on_wire else ""
    yield from _property(pair, "API key", before, after, rule, f'keep "apiKey": {before}')
    before, after = (", ".join(sorted(spec.listeners)) or "none" for spec in (old, new))
    rule = "" if set(old.listeners) <= set(new.listeners) else "MESSAGE_LISTENER_NOT_REMOVED"
    instead = "keep those that are gone as long as clients send the message there"
    yield from _property(pair, "listeners", before, after, rule, instead, on_wire=False)


def renamed_message(pair: MessagePair) -> Iterator[Break]:
    """What it breaks that a message has another name."""
    old, new = pair.old, pair.new
    if old.spec.name != new.spec.name and old.released:
        text = f"message {quoted(old.spec.name)} was renamed to {quoted(new.spec.name)}"
        instead = f"keep the name {quoted(old.spec.name)}"
        yield Break("MESSAGE_SAME_NAME", text, instead, old.location("name"), new.location("name"))


def regrouped(values: Mapping[int, tuple[T, T]]) -> Iterator[tuple[tuple[T, T], tuple[int, ...]]]:
    """The versions of which the old value differs from the new one, by both values."""
    found: dict[tuple[T, T], list[int]] = {}
    for version, (before, after) in sorted(values.items()):
        if before != after:
            found.setdefault((before, after), []).append(version)
    for both, versions in found.items():
        yield both, tuple(versions)


def _versions(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.spec.valid_versions, pair.new.spec.valid_versions
    ranges = str(old), str(new)
    if added := tuple(sorted(set(new).difference(pair.numbers.values()))):
        text = f"{version_text(added)} {_verb(added, 'is', 'are')} new"
        yield Change("versions", "added", text, None, *ranges, added)
    if gone := tuple(sorted(pair.old.released.difference(pair.numbers))):
        text = f"{version_text(gone)} {_verb(gone, 'was', 'were')} removed"
        instead = 'keep them, and name them in "deprecatedVersions" if they should no longer be used'
        breaks = _break(pair, "MESSAGE_VERSIONS_NOT_REMOVED", text, instead, "validVersions", gone)
        yield Change("versions", "removed", text, None, *ranges, gone, breaks)
    for before, after in pair.numbers.items():
        if before != after:
            text = f"version {before} is now version {after} of API key {pair.new.spec.api_key}"
            instead = f'keep "type": "{pair.old.spec.kind.value}"'
            breaks = _break(pair, "MESSAGE_VERSIONS_SAME_NUMBERS", text, instead, "validVersions")
            yield Change("versions", "changed", text, None, str(before), str(after), (after,), breaks)


def _stability(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.unstable, pair.new.unstable
    if old == new:
        return
    if old is not None and old in pair.numbers:
        yield Change("stability", "changed", f"version {old} is stable now", None, "unstable", "stable", (old,))
    if new is not None and new not in pair.numbers:
        text = f"version {new} is unstable: it may still change"
        yield Change("stability", "added", text, None, None, "unstable", (new,))
    elif new is not None:
        text, instead = f"version {new} is unstable now", 'remove "latestVersionUnstable", or add a new version'
        breaks = _break(pair, "MESSAGE_RELEASED_VERSION_STABLE", text, instead, "latestVersionUnstable")
        yield Change("stability", "changed", text, None, "stable", "unstable", (new,), breaks)


def _property(
    pair: MessagePair, topic: str, before: str, after: str, rule: str, instead: str, *, on_wire: bool = True
) -> Iterator[Change]:
    if before != after:
        text = f"{topic}: {before}, now {after}"
        name = "apiKey" if topic == "API key" else topic
        versions = pair.numbers if on_wire else ()
        told = f"{topic} {'were' if topic == 'listeners' else 'was'} {before}, now {after}"
        breaks = _break(pair, rule, told, instead, name, versions) if rule and pair.numbers else None
        yield Change(topic, "changed", text, None, before, after, breaks=breaks)


def _break(pair: MessagePair, rule: str, text: str, instead: str, name: str, versions: Iterable[int] = ()) -> Break:
    text = f"{quoted(pair.new.spec.name)}: {text}"
    return Break(rule, text, instead, pair.old.location(name), pair.new.location(name), versions)


def _verb(versions: tuple[int, ...], one: str, several: str) -> str:
    return several if len(versions) > 1 else one
