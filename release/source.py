"""Exports the sources of a release: the files of a commit, without uncommitted changes."""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Final

from messagegen import git
from release.archives import unpack_files
from release.hatch_build import BUILD_FILE, build_version, local_part, release_version

ROOT: Final = Path(__file__).parents[1]
_ENGINE_PROJECT: Final = Path("native/pyproject.toml")
_NO_VERSION: Final = 'dynamic = ["version"]'


@dataclass(frozen=True, slots=True)
class Source:
    """A commit's files in a folder, with its time in seconds since 1970."""

    folder: Path
    commit: str
    epoch: int

    @property
    def version(self) -> str:
        """The version of all distributions built from these sources."""
        return build_version(self.folder)


class SourceError(Exception):
    """Raised if the sources cannot be read."""


def version_in(folder: Path) -> str:
    """Return the version in a source tree, which changes only with a release. Raises ``SourceError``."""
    try:
        return release_version(folder)
    except ValueError as error:
        raise SourceError(str(error)) from None


def export(to: Path, reference: str = "HEAD") -> Source:
    """Replace a folder by the files of a commit, with the version of the build.

    Raises ``SourceError``.
    """
    try:
        commit = git.resolve(ROOT, reference)
    except git.GitError as error:
        raise SourceError(str(error)) from None
    epoch = int(_git("log", "-1", "--format=%ct", commit))
    rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    packed = _git("-c", "tar.umask=022", "archive", commit)
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            unpack_files(archive, to, copy_links=True)
    except tarfile.TarError as error:
        raise SourceError(f"commit {commit} cannot be exported: {error}") from None
    (to / BUILD_FILE).write_text(f"{local_part(ROOT, commit)}\n", encoding="ascii")
    source = Source(to, commit, epoch)
    _set_engine_version(to / _ENGINE_PROJECT, source.version)
    return source


def _set_engine_version(project: Path, version: str) -> None:
    """Write the version of the build to the engine's project file, because maturin would use the crate's version."""
    text = project.read_text(encoding="utf-8")
    if _NO_VERSION not in text:
        raise SourceError(f"{_ENGINE_PROJECT} has no line {_NO_VERSION}")
    project.write_text(text.replace(_NO_VERSION, f'version = "{version}"', 1), encoding="utf-8", newline="\n")


def uncommitted() -> list[str]:
    """Return the files of the checkout with uncommitted changes, which are not released."""
    return _git("status", "--porcelain").decode().splitlines()


def tags() -> list[str]:
    """Return the tags of the repository."""
    return _git("tag", "--list").decode().split()


def _git(*arguments: str) -> bytes:
    try:
        return git.run_git(ROOT, *arguments)
    except git.GitError as error:
        raise SourceError(str(error)) from None
