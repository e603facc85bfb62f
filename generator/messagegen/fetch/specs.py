"""Gets the official message specs of a Kafka release, in a folder with a lock file or in the user's cache."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from messagegen.fetch.folder import UNLISTED, Lock, check_specs, store_specs
from messagegen.fetch.jars import published_jars
from messagegen.fetch.maven import check_release
from messagegen.fetch.releases import LOCK_NAME, artifacts_of, release_cache
from messagegen.fetch.sources import FetchError, SpecSet, read_jar
from messagegen.progress import step

__all__ = ["LOCK_NAME", "FetchError", "Lock", "SpecSet", "check_specs", "store_specs"]


def from_release(release: str, digests: Collection[str] = ()) -> SpecSet:
    """Return the specs of a Kafka release, such as ``"4.4.0"``, from its published jars.

    Jars of known releases are downloaded by HTTPS, and must have the published digest. Jars of another release must
    have one of the ``digests``, if there are any. Without digests, and for repositories with a login, the Maven client
    on ``PATH`` fetches them. Raise ``FetchError`` if the release does not exist, or if the jars cannot be fetched or
    have no specs.
    """
    check_release(release)
    with step(f"Fetching the specs of Kafka {release}"), tempfile.TemporaryDirectory(prefix="messagegen-") as folder:
        return from_jars(published_jars(release, artifacts_of(release), Path(folder), digests=digests))


def from_jars(jars: Sequence[Path]) -> SpecSet:
    """Return the specs in local jar files. Raise ``FetchError`` for a bad jar, a duplicate artifact, or no specs."""
    found = [read_jar(jar) for jar in jars]
    texts: dict[str, bytes] = {}
    for one in found:
        if texts.keys() & one.texts.keys():
            raise FetchError(f"two jars have {min(texts.keys() & one.texts.keys())}; pass only one of them")
        texts |= one.texts
    if not texts:
        names = ", ".join(jar.name for jar in jars)
        raise FetchError(f"no message specs in {names}; Kafka 2.4 and later have most in kafka-clients-RELEASE.jar")
    releases = {one.release for one in found}
    return SpecSet(releases.pop() if len(releases) == 1 else None, dict(sorted(texts.items())))


def release_folder(release: str, cache: Path | None = None) -> Path:
    """Return the folder of the specs of a Kafka release, with their lock file.

    A release never changes, so it is fetched only once. ``cache`` is a folder with one folder per release, by default
    in the user's cache. Cached specs are checked against their lock file. Raise ``FetchError`` if the release is not
    cached and cannot be fetched.
    """
    check_release(release)
    return cached_folder((cache or release_cache()) / release, release, lambda: from_release(release))


def cached_folder(folder: Path, release: str, make: Callable[[], SpecSet]) -> Path:
    """Return ``folder``, a folder of the cache. Fill it with ``make`` unless it has intact specs of ``release``.

    Raise ``FetchError`` as ``make`` does, if the folder cannot be written, or if it has other JSON files.
    """
    try:
        differences = check_specs(folder, release)[1]
    except FetchError:
        differences = None
    if differences is None or any(kind != UNLISTED for _, kind in differences):
        store_specs(make(), folder, force=True)
        differences = check_specs(folder, release)[1]
    for name, kind in differences:
        if kind == UNLISTED:
            raise FetchError(f"{folder / name} is not a spec of {release}; remove it")
    return folder


def release_specs(release: str, cache: Path | None = None) -> Mapping[str, bytes]:
    """Return the bytes of a Kafka release's specs, by ``ARTIFACT/NAME.json``; see ``release_folder``."""
    return stored_specs(release_folder(release, cache))


def stored_specs(folder: Path) -> Mapping[str, bytes]:
    """Return the bytes of the specs in a folder's lock file, by ``ARTIFACT/NAME.json``. Raise ``FetchError``."""
    return {path: (folder / path).read_bytes() for path in sorted(check_specs(folder)[0].files)}
