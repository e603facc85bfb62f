"""All releases of Kafka as sets of specs, and what they give together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from messagegen.evolve.compare import compare_specs, pair_messages, parse_texts
from messagegen.generation.loading import load_package
from messagegen.merge import Merged, SpecSet, merge_sets
from tests.differential.test_releases import RELEASES, fetched


@dataclass(frozen=True)
class Everything:
    """All releases as sets of specs, what they give together, and its classes."""

    sets: Mapping[str, SpecSet]
    merged: Merged
    messages: ModuleType

    def changed(self, release: str) -> set[tuple[str, int]]:
        """The messages and versions of a release that are unstable there, or that later releases changed."""
        specs = parse_texts(self.sets[release].texts)
        names = {spec.file: spec.name for spec in specs}
        changes = compare_specs(specs, parse_texts(self.merged.texts))
        found = [change for change in changes if "WIRE" in change.categories]
        changed = {
            (names[(change.previous or change).file], version) for change in found for version in change.versions
        }
        unstable = {
            (old.spec.name, old.unstable) for old, _ in pair_messages(specs, []) if old and old.unstable is not None
        }
        return changed | unstable


def merge_everything(folder: Path) -> Everything:
    """Merges all releases, writes the specs into ``folder`` and loads their classes."""
    sets = {release: spec_set(release) for release in RELEASES}
    merged = merge_sets(list(sets.values()))
    for name, text in merged.texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text)
    return Everything(sets, merged, load_package(folder))


def spec_set(release: str) -> SpecSet:
    return SpecSet(f"kafka:{release}", fetched(release).texts)
