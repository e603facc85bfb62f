"""Which old version each new version is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from messagegen.evolve.sides import MessagePair

T = TypeVar("T")


def counterparts(pair: MessagePair) -> dict[int, int]:
    """The old version by each valid one: the same, or the latest one for a version that is new.

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
