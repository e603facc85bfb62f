"""Merged specs as folders: in a repository, and in the user's cache for a range of releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from messagegen.build import BUILD
from messagegen.evolve.compare import SpecSet
from messagegen.fetch.folder import FolderChanges
from messagegen.fetch.releases import release_cache, releases_between
from messagegen.fetch.sources import Artifact, FetchError
from messagegen.fetch.specs import SpecSet as Fetched
from messagegen.fetch.specs import check_specs, release_specs, store_specs
from messagegen.merge.sets import merge_sets


def release_set(release: str, progress: Callable[[str], None] | None = None) -> SpecSet:
    """The specs of a release of Kafka, fetched into the user's cache once. Raises ``FetchError``."""
    label = f"kafka:{release}"
    return SpecSet(label, {f"{label}/{path}": text for path, text in release_specs(release, progress=progress).items()})


def store_merged(
    texts: Mapping[str, bytes], folder: Path, release: str | None = None, *, force: bool = False
) -> FolderChanges:
    """Writes merged specs as ``ARTIFACT/NAME.json``, with a lock file; removes those of an earlier run that are gone.

    The artifact is the folder in which the newest set has the spec. Raises ``FetchError`` if files are in the way.
    """
    artifacts: dict[str, dict[str, bytes]] = {}
    for name, text in sorted(texts.items()):
        path = PurePosixPath(name)
        artifacts.setdefault(path.parent.name or "specs", {})[path.name] = text
    found = tuple(Artifact(name, release, None, specs) for name, specs in artifacts.items())
    return store_specs(Fetched(release, found), folder, force=force)[1]


def merged_releases(text: str, progress: Callable[[str], None] | None = None) -> Path:
    """The folder in the user's cache of the merged specs of releases such as ``2.4..4.4``.

    Where releases disagree, it has what the newest one says. Raises ``FetchError``.
    """
    try:
        releases = releases_between(text)
    except ValueError as error:
        raise FetchError(str(error)) from None
    assert releases is not None
    name = f"{releases[0]}..{releases[-1]}"
    folder = release_cache() / "merged" / BUILD / name
    try:
        if not check_specs(folder, name)[1]:
            return folder
    except FetchError:
        pass
    merged = merge_sets([release_set(release, progress) for release in releases])
    store_merged(merged.texts, folder, name, force=True)
    return folder
