"""Reads the specs of a release from the user's cache, and fetches them if necessary; a release never changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from messagegen.fetch.lock import read_lock
from messagegen.fetch.maven import RELEASE, Progress
from messagegen.fetch.releases import NEWEST_RELEASE, release_cache
from messagegen.fetch.sources import FetchError
from messagegen.fetch.specs import check_specs, from_release, store_specs


def release_folder(release: str, cache: Path | None = None, progress: Progress | None = None) -> Path:
    """The folder of the specs of a Kafka release, with their lock file.

    ``cache`` is a folder with one folder per release, by default in the user's cache; its specs are checked against their lock
    file. Raises ``FetchError`` if the release is not cached and cannot be fetched.
    """
    if RELEASE.fullmatch(release) is None:
        raise FetchError(f"{release!r} is not a Kafka release; write it as {NEWEST_RELEASE}")
    folder = (cache or release_cache()) / release
    if not _intact(folder, release):
        store_specs(from_release(release, progress=progress), folder, force=True)
    return folder


def release_specs(release: str, cache: Path | None = None, progress: Progress | None = None) -> Mapping[str, bytes]:
    """The specs of a Kafka release as bytes by ``ARTIFACT/NAME.json``; see ``release_folder``."""
    folder = release_folder(release, cache, progress)
    lock = read_lock(folder)
    assert lock is not None  # release_folder has checked the specs against it
    return {path: (folder / path).read_bytes() for path in sorted(lock.files())}


def _intact(folder: Path, release: str) -> bool:
    try:
        return not check_specs(folder, release)[1]
    except FetchError:
        return False
