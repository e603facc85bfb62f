"""Fetches the official message specs of a Kafka release into a folder with a lock file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from messagegen.fetch.folder import Difference, FolderChanges, check_folder, store
from messagegen.fetch.lock import LOCK_NAME, Lock
from messagegen.fetch.maven import Progress, download
from messagegen.fetch.releases import KAFKA_ARTIFACTS, NEWEST_RELEASE, artifacts_of
from messagegen.fetch.sources import Artifact, FetchError, read_checkout, read_jar

__all__ = [
    "KAFKA_ARTIFACTS",
    "LOCK_NAME",
    "NEWEST_RELEASE",
    "Difference",
    "FetchError",
    "Fetched",
    "FolderChanges",
    "Lock",
    "Progress",
    "SpecSet",
    "check_specs",
    "from_checkout",
    "from_jars",
    "from_release",
    "store_specs",
]


@dataclass(frozen=True, slots=True)
class SpecSet:
    """The specs of some artifacts in memory; ``missing`` are artifacts that ``release`` does not publish."""

    release: str | None
    artifacts: tuple[Artifact, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of storing specs: the lock that was written, and which files changed."""

    lock: Lock
    changes: FolderChanges


def from_release(
    release: str, *, extra: Sequence[str] = (), mvn: str | None = None, progress: Progress | None = None
) -> SpecSet:
    """The specs of a Kafka release, such as ``"4.4.0"``, from its published jars, with Maven.

    ``extra`` names more artifacts than those of ``artifacts_of``. ``mvn`` is the Maven client, by default the one on ``PATH``. Raises
    ``FetchError`` if the release does not exist or lacks an extra artifact, or if the jars cannot be fetched or have no specs.
    """
    wanted = tuple(dict.fromkeys((*artifacts_of(release), *extra)))
    with tempfile.TemporaryDirectory(prefix="messagegen-") as folder:
        downloads = download(release, wanted, Path(folder), mvn=mvn, progress=progress)
        _refuse_unknown(release, downloads.missing, extra)
        artifacts = tuple(read_jar(jar) for _, jar in sorted(downloads.jars.items()))
    _refuse_none(artifacts, f"the jars of Kafka {release}; they came in later releases")
    return SpecSet(release, artifacts, tuple(sorted(downloads.missing)))


def from_jars(jars: Sequence[Path]) -> SpecSet:
    """The specs in local jar files. Raises ``FetchError`` for a bad jar, a duplicate artifact, or no specs."""
    artifacts = tuple(sorted(map(read_jar, jars), key=lambda artifact: artifact.name))
    for one, other in pairwise(artifacts):
        if one.name == other.name:
            raise FetchError(f"two jars of the artifact {one.name}; pass only one of them")
    _refuse_none(artifacts, f"{', '.join(map(str, jars))}; Kafka keeps most of them in kafka-clients-RELEASE.jar")
    return SpecSet(_common_release(artifacts), artifacts)


def from_checkout(folder: Path) -> SpecSet:
    """The specs of all modules of a Kafka source checkout. Raises ``FetchError`` if there are none."""
    artifacts = read_checkout(folder)
    return SpecSet(_common_release(artifacts), artifacts)


def store_specs(specs: SpecSet, folder: Path, *, force: bool = False) -> Fetched:
    """Writes ``specs`` to ``folder`` as ``ARTIFACT/NAME.json``, unchanged, with a lock file.

    Raises ``FetchError`` if the folder cannot be written or files are in the way (see ``folder.store``).
    """
    lock = Lock.of(specs.release, specs.artifacts, specs.missing)
    try:
        return Fetched(lock, store(folder, lock, specs.artifacts, force=force))
    except OSError as error:
        raise FetchError(f"cannot write {error.filename or folder}: {error.strerror or error}") from error


def check_specs(folder: Path, release: str | None = None) -> tuple[Lock, tuple[Difference, ...]]:
    """The lock of ``folder`` and how the folder differs from it, offline (see ``folder.check_folder``)."""
    try:
        return check_folder(folder, release)
    except OSError as error:
        raise FetchError(f"cannot read {error.filename or folder}: {error.strerror or error}") from error


def _refuse_unknown(release: str, missing: Sequence[str], extra: Sequence[str]) -> None:
    if KAFKA_ARTIFACTS[0] in missing:
        raise FetchError(
            f"Maven's repository has no Kafka {release}; write all numbers of a release, as in {NEWEST_RELEASE} "
            "(https://kafka.apache.org/downloads lists them)"
        )
    for name in extra:
        if name in missing and name not in KAFKA_ARTIFACTS:
            raise FetchError(f"Kafka {release} has no artifact {name}; remove --artifact {name} or correct the name")


def _refuse_none(artifacts: Sequence[Artifact], where: str) -> None:
    if not any(artifact.specs for artifact in artifacts):
        raise FetchError(f"no message specs in {where}")


def _common_release(artifacts: Sequence[Artifact]) -> str | None:
    releases = {artifact.release for artifact in artifacts}
    return releases.pop() if len(releases) == 1 else None
