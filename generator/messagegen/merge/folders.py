"""Folders of merged specs: in a repository or, for a range of releases, in the user's cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from messagegen.build import code_digest
from messagegen.evolve.compare import SpecSet
from messagegen.fetch.releases import release_cache, releases_between
from messagegen.fetch.specs import SpecSet as Fetched
from messagegen.fetch.specs import cached_folder, release_specs, stored_specs
from messagegen.merge.sets import merge_sets
from messagegen.progress import counted


def release_set(release: str) -> SpecSet:
    """Return the specs of a release of Kafka, or the merged specs of a range of releases.

    The specs are fetched into the user's cache once. Raise ``UsageError``.
    """
    label = f"kafka:{release}"
    specs = stored_specs(merged_releases(release)) if ".." in release else release_specs(release)
    return SpecSet(label, {f"{label}/{path}": text for path, text in specs.items()}, official=True)


def as_fetched(texts: Mapping[str, bytes], release: str | None = None) -> Fetched:
    """Return merged specs by ``ARTIFACT/NAME.json``; the artifact is the spec's folder in the newest set."""
    paths = {name: PurePosixPath(name) for name in sorted(texts)}
    return Fetched(release, {f"{path.parent.name or 'specs'}/{path.name}": texts[name] for name, path in paths.items()})


def merged_releases(text: str) -> Path:
    """Return the folder, in the user's cache, with the merged specs of releases such as ``2.4..4.4``.

    If releases differ, the newest release prevails. Raise ``UsageError``.
    """
    releases = releases_between(text)
    assert releases is not None
    name = f"{releases[0]}..{releases[-1]}"

    def merge() -> Fetched:
        return as_fetched(merge_sets([release_set(release) for release in counted(releases)]).texts, name)

    return cached_folder(release_cache() / "merged" / code_digest() / name, name, merge)
