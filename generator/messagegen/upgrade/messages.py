"""What changed in the spec of a message itself: its versions and properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from messagegen.evolve.changes import version_text
from messagegen.evolve.sides import MessagePair
from messagegen.spec.model import MessageSpec
from messagegen.upgrade.report import Change

T = TypeVar("T")

_IN_VERSIONS: Final[tuple[tuple[str, str, Callable[[MessageSpec, int], object]], ...]] = (
    ("deprecation", "{} now", lambda spec, version: "deprecated" if version in spec.deprecated_versions else "usable"),
    (
        "flexible versions",
        "{}, unlike before",
        lambda spec, version: "flexible" if version in spec.flexible_versions else "not flexible",
    ),
    (
        "header versions",
        "sent with header version {}, not {}",
        lambda spec, version: spec.header_versions.get(version) if spec.header_versions else None,
    ),
)
"""What holds in some versions: the topic, words for the new and the old value, and the value."""

_PROPERTIES: Final[tuple[tuple[str, Callable[[MessageSpec], str]], ...]] = (
    ("type", lambda spec: spec.kind.value),
    ("API key", lambda spec: "none" if spec.api_key is None else str(spec.api_key)),
    ("listeners", lambda spec: ", ".join(sorted(spec.listeners)) or "none"),
)


def counterparts(pair: MessagePair) -> dict[int, int]:
    """The old version that each valid one is compared with: the same, or the latest one for a version that is new.

    A new version is expected to be as the latest was, so that a field which ends with that one is reported.
    """
    latest = pair.old.spec.valid_versions.highest
    same = {after: before for before, after in pair.numbers.items()}
    return {version: same.get(version, latest) for version in pair.new.spec.valid_versions}


def regrouped(values: Mapping[int, tuple[T, T]]) -> Iterator[tuple[tuple[T, T], tuple[int, ...]]]:
    """The versions of which the old value differs from the new one, by both values."""
    found: dict[tuple[T, T], list[int]] = {}
    for version, (before, after) in sorted(values.items()):
        if before != after:
            found.setdefault((before, after), []).append(version)
    for both, versions in found.items():
        yield both, tuple(versions)


def message_changes(pair: MessagePair, old_unstable: int | None, new_unstable: int | None) -> Iterator[Change]:
    """The changes of a message apart from its fields; the numbers are the versions that may change."""
    yield from _versions(pair)
    if old_unstable is not None and old_unstable != new_unstable and old_unstable in pair.numbers:
        text = f"version {old_unstable} is stable now"
        yield Change("stability", "changed", text, None, "unstable", "stable", (old_unstable,))
    if new_unstable is not None and old_unstable != new_unstable:
        known = new_unstable in pair.numbers
        text = f"version {new_unstable} is unstable{' now' if known else ': it may still change'}"
        was = "stable" if known else None
        yield Change("stability", "changed" if known else "added", text, None, was, "unstable", (new_unstable,))
    old, new = pair.old.spec, pair.new.spec
    for topic, words, of in _IN_VERSIONS:
        values = {version: (of(old, before), of(new, version)) for version, before in counterparts(pair).items()}
        for both, versions in regrouped(values):
            was, now = (None if value is None else str(value) for value in both)
            text = f"{version_text(versions)} {_verb(versions, 'is', 'are')} {words.format(now, was)}"
            yield Change(topic, "changed", text, None, was, now, versions)
    for topic, of_spec in _PROPERTIES:
        was, now = of_spec(old), of_spec(new)
        if was != now:
            yield Change(topic, "changed", f"{topic}: {was}, now {now}", None, was, now)


def _versions(pair: MessagePair) -> Iterator[Change]:
    old, new = pair.old.spec.valid_versions, pair.new.spec.valid_versions
    ranges = str(old), str(new)
    if added := tuple(sorted(set(new).difference(pair.numbers.values()))):
        text = f"{version_text(added)} {_verb(added, 'is', 'are')} new"
        yield Change("versions", "added", text, None, *ranges, added)
    if gone := tuple(sorted(set(old).difference(pair.numbers))):
        text = f"{version_text(gone)} {_verb(gone, 'was', 'were')} removed"
        yield Change("versions", "removed", text, None, *ranges, gone)
    for before, after in pair.numbers.items():
        if before != after:
            text = f"version {before} is now version {after} of API key {pair.new.spec.api_key}"
            yield Change("versions", "changed", text, None, str(before), str(after), (after,))


def _verb(versions: tuple[int, ...], one: str, several: str) -> str:
    return several if len(versions) > 1 else one
