"""Fetches the official message specs of a Kafka release into a folder with a lock file, or into the user's cache."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from messagegen.fetch.folder import Lock, check_specs, store_specs
from messagegen.fetch.maven import check_release, download
from messagegen.fetch.releases import KAFKA_ARTIFACTS, LOCK_NAME, NEWEST_RELEASE, artifacts_of, release_cache
from messagegen.fetch.sources import Artifact, FetchError, SpecSet, read_jar

__all__ = ["LOCK_NAME", "FetchError", "Lock", "SpecSet", "check_specs", "store_specs"]

Progress = Callable[[str], None]


def from_release(release: str, *, progress: Progress | None = None) -> SpecSet:
    """The specs of a Kafka release, such as ``"4.4.0"``, from its published jars, with the Maven client on ``PATH``.

    Raises ``FetchError`` if the release does not exist, or if the jars cannot be fetched or have no specs.
    """
    if progress:
        progress(f"fetching the jars of Kafka {release} with Maven")
    with tempfile.TemporaryDirectory(prefix="messagegen-") as folder:
        jars, missing = download(release, artifacts_of(release), Path(folder))
        if KAFKA_ARTIFACTS[0] in missing:
            raise FetchError(
                f"Maven's repository has no Kafka {release}; write all numbers of a release, as in {NEWEST_RELEASE} "
                "(https://kafka.apache.org/downloads lists them)"
            )
        artifacts = tuple(read_jar(jar) for _, jar in sorted(jars.items()))
    _refuse_none(artifacts, f"the jars of Kafka {release}; later releases have specs")
    return SpecSet(release, artifacts, tuple(sorted(missing)))


def from_jars(jars: Sequence[Path]) -> SpecSet:
    """The specs in local jar files. Raises ``FetchError`` for a bad jar, a duplicate artifact, or no specs."""
    artifacts = tuple(sorted(map(read_jar, jars), key=lambda artifact: artifact.name))
    for one, other in pairwise(artifacts):
        if one.name == other.name:
            raise FetchError(f"two jars of the artifact {one.name}; pass only one of them")
    _refuse_none(artifacts, f"{', '.join(map(str, jars))}; Kafka keeps most of them in kafka-clients-RELEASE.jar")
    releases = {artifact.release for artifact in artifacts}
    return SpecSet(releases.pop() if len(releases) == 1 else None, artifacts)


def release_folder(release: str, cache: Path | None = None, progress: Progress | None = None) -> Path:
    """The folder of the specs of a Kafka release, with their lock file; a release never changes, so it is fetched once.

    ``cache`` is a folder with one folder per release, by default in the user's cache; its specs are checked against their lock
    file. Raises ``FetchError`` if the release is not cached and cannot be fetched.
    """
    check_release(release)
    folder = (cache or release_cache()) / release
    try:
        intact = not check_specs(folder, release)[1]
    except FetchError:
        intact = False
    if not intact:
        store_specs(from_release(release, progress=progress), folder, force=True)
    return folder


def release_specs(release: str, cache: Path | None = None, progress: Progress | None = None) -> Mapping[str, bytes]:
    """The specs of a Kafka release as bytes by ``ARTIFACT/NAME.json``; see ``release_folder``."""
    folder = release_folder(release, cache, progress)
    return {path: (folder / path).read_bytes() for path in sorted(check_specs(folder, release)[0].files())}


def _refuse_none(artifacts: Sequence[Artifact], where: str) -> None:
    if not any(artifact.specs for artifact in artifacts):
        raise FetchError(f"no message specs in {where}")
