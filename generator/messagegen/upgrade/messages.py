"""What changed in the spec of a message: its versions and properties, then its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from messagegen.evolve.changes import version_text
from messagegen.evolve.sides import MessagePair
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.upgrade.fields import field_changes
from messagegen.upgrade.report import Change, Topic
from messagegen.upgrade.versions import counterparts, regrouped

Unstable = Mapping[int | None, int]
"""The unstable version of requests that have one, by API key."""

_OF_REQUESTS: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)


def summary(spec: MessageSpec, unstable: Unstable) -> str:
    """A message in a line: type, API key, versions."""
    key = "" if spec.api_key is None else f" {spec.api_key}"
    latest = _unstable_version(spec, unstable)
    return f"{spec.kind.value}{key}, {version_text(spec.valid_versions)}" + (
        "" if latest is None else f", version {latest} unstable"
    )


def message_changes(pair: MessagePair, old_unstable: Unstable, new_unstable: Unstable) -> tuple[Change, ...]:
    """All changes of a message, those of the message itself first."""
    return (
        *_versions(pair),
        *_stability(pair, old_unstable, new_unstable),
        *_version_sets(pair),
        *_properties(pair),
        *field_changes(pair),
    )


def _versions(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.spec.valid_versions, pair.new.spec.valid_versions
    gone = set(old).difference(pair.numbers)
    added = set(new).difference(pair.numbers.values())
    ranges = str(old), str(new)
    if added:
        verb = "are" if len(added) > 1 else "is"
        yield Change("versions", "added", f"{version_text(added)} {verb} new", "", *ranges, tuple(sorted(added)))
    if gone:
        verb = "were" if len(gone) > 1 else "was"
        yield Change("versions", "removed", f"{version_text(gone)} {verb} removed", "", *ranges, tuple(sorted(gone)))
    for before, after in pair.numbers.items():
        if before != after:
            text = f"version {before} is now version {after} of API key {pair.new.spec.api_key}"
            yield Change("versions", "changed", text, "", str(before), str(after), (after,))


def _unstable_version(spec: MessageSpec, unstable: Unstable) -> int | None:
    latest = unstable.get(spec.api_key) if spec.kind in _OF_REQUESTS else None
    return latest if latest in spec.valid_versions else None


def _stability(pair: MessagePair, old_unstable: Unstable, new_unstable: Unstable) -> Iterator[Change]:
    before = _unstable_version(pair.old.spec, old_unstable)
    after = _unstable_version(pair.new.spec, new_unstable)
    if before is not None and before != after and before in pair.numbers:
        yield Change("stability", "changed", f"version {before} is stable now", "", "unstable", "stable", (before,))
    if after is not None and before != after:
        was = "stable" if after in pair.numbers else None
        text = f"version {after} is {'unstable now' if was else 'unstable: it may still change'}"
        yield Change("stability", "changed" if was else "added", text, "", was, "unstable", (after,))


def _version_sets(pair: MessagePair) -> Iterator[Change]:
    """What holds in some versions: deprecation, flexibility, and the header."""
    old, new = pair.old.spec, pair.new.spec

    def header(spec: MessageSpec) -> Callable[[int], object]:
        return lambda version: spec.header_versions.get(version) if spec.header_versions else None

    def flexible(spec: MessageSpec) -> Callable[[int], object]:
        return lambda version: "flexible" if version in spec.flexible_versions else "not flexible"

    def deprecated(spec: MessageSpec) -> Callable[[int], object]:
        return lambda version: "deprecated" if version in spec.deprecated_versions else "not deprecated"

    topics: tuple[tuple[Topic, str, Callable[[MessageSpec], Callable[[int], object]]], ...] = (
        ("deprecation", "{after} now", deprecated),
        ("flexible versions", "{after}, unlike {before_version}", flexible),
        ("header versions", "sent with header version {after}, not {before}", header),
    )
    for topic, words, of in topics:
        values = {version: (of(old)(before), of(new)(version)) for version, before in counterparts(pair).items()}
        for (was, now), versions in regrouped(values):
            verb = "are" if len(versions) > 1 else "is"
            tail = words.format(before=was, after=now, before_version="before")
            text = f"{version_text(versions)} {verb} {tail}"
            yield Change(topic, "changed", text, "", _text(was), _text(now), versions)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _properties(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.spec, pair.new.spec
    values: tuple[tuple[Topic, str, str], ...] = (
        ("type", old.kind.value, new.kind.value),
        (
            "API key",
            "none" if old.api_key is None else str(old.api_key),
            "none" if new.api_key is None else str(new.api_key),
        ),
        ("listeners", ", ".join(sorted(old.listeners)) or "none", ", ".join(sorted(new.listeners)) or "none"),
    )
    for topic, before, after in values:
        if before != after:
            yield Change(topic, "changed", f"{topic}: {before}, now {after}", "", before, after)
