"""All releases of Kafka as spec sets, and their merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

from messagegen.evolve import BreakingChange
from messagegen.evolve.compare import MessageChanges, breaking_changes, pair_messages, parse_texts
from messagegen.evolve.differ import changes_of
from messagegen.evolve.sides import Side
from messagegen.generation.loading import load_package
from messagegen.merge import Merged, SpecSet, merge_sets
from messagegen.spec.model import MessageSpec
from tests.support.releases import RELEASES, fetched


@dataclass(frozen=True)
class Everything:
    """All releases as spec sets, their merge, and the classes of the merge."""

    sets: Mapping[str, SpecSet]
    merged: Merged
    messages: ModuleType
    specs: Sequence[MessageSpec]
    known: dict[bytes, MessageSpec] = field(default_factory=dict[bytes, MessageSpec])
    parsed: dict[str, list[MessageSpec]] = field(default_factory=dict[str, list[MessageSpec]])
    sides: dict[tuple[str, int | None], Side] = field(default_factory=dict[tuple[str, int | None], Side])
    compared: dict[str, list[BreakingChange]] = field(default_factory=dict[str, list[BreakingChange]])
    changes_of_texts: dict[tuple[object, ...], list[BreakingChange]] = field(
        default_factory=dict[tuple[object, ...], list[BreakingChange]]
    )

    def specs_of(self, release: str) -> list[MessageSpec]:
        """Return the specs of a release; each text is parsed only once."""
        if release not in self.parsed:
            texts = self.sets[release].texts
            self.parsed[release] = parse_texts(texts, known=self.known)
            self.known.update({texts[spec.file]: spec for spec in self.parsed[release]})
        return self.parsed[release]

    def last_texts(self, release: str) -> list[bytes]:
        """Return the spec texts that the next release does not have, so that unchanged specs are compared only once."""
        releases = list(self.sets)
        later = releases[releases.index(release) + 1 :]
        kept = set(self.sets[later[0]].texts.values()) if later else set()
        return [text for text in self.sets[release].texts.values() if text not in kept]

    def last_specs(self, release: str) -> list[MessageSpec]:
        """Return the specs of ``last_texts`` that have versions."""
        texts = self.last_texts(release)
        specs = [spec for spec in self.specs_of(release) if not spec.valid_versions.empty]
        return [spec for spec in specs if self.sets[release].texts[spec.file] in texts]

    def changes(self, release: str) -> list[BreakingChange]:
        """Return the breaking changes from a release to the merged specs."""
        if release not in self.compared:
            pairs = pair_messages(self.specs_of(release), self.specs)
            self.compared[release] = [change for pair in pairs for change in self._changes_of(release, *pair)]
        return self.compared[release]

    def _changes_of(self, release: str, old: Side | None, new: Side | None) -> list[BreakingChange]:
        """Return the breaking changes of a message. Releases that share its text share the result, but for the file."""
        if old is None:
            return []
        if new is not None:
            new = self.sides.setdefault((new.spec.name, new.unstable), new)
        key = self.sets[release].texts[old.spec.file], old.unstable, new and (new.spec.name, new.unstable)
        if key not in self.changes_of_texts:
            self.changes_of_texts[key] = breaking_changes([MessageChanges(old, new, tuple(changes_of(old, new)))])
        return [
            replace(
                change,
                file=old.spec.file if new is None else change.file,
                previous=change.previous and replace(change.previous, file=old.spec.file),
            )
            for change in self.changes_of_texts[key]
        ]

    def changed(self, release: str) -> set[tuple[str, int]]:
        """Return the messages and versions that are unstable in a release, or that later releases have changed."""
        specs = self.specs_of(release)
        names = {spec.file: spec.name for spec in specs}
        found = [change for change in self.changes(release) if "WIRE" in change.categories]
        changed = {
            (names[(change.previous or change).file], version) for change in found for version in change.versions
        }
        unstable = {
            (old.spec.name, old.unstable) for old, _ in pair_messages(specs, []) if old and old.unstable is not None
        }
        return changed | unstable


def merge_everything(folder: Path) -> Everything:
    """Merge all releases, write the specs into ``folder`` and load their classes."""
    sets = {release: spec_set(release) for release in RELEASES}
    merged = merge_sets(list(sets.values()))
    for name, text in merged.texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    return Everything(sets, merged, load_package(folder), parse_texts(merged.texts))


def spec_set(release: str) -> SpecSet:
    label = f"kafka:{release}"
    texts = {f"{label}/{path}": text for path, text in fetched(release).texts.items()}
    return SpecSet(label, texts, official=True)
