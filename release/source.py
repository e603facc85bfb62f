"""The sources of a release: the files of a commit, without uncommitted ones."""

from __future__ import annotations

import io
import re
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Final

ROOT: Final = Path(__file__).parents[1]
# The generator is not installed where releases are built.
sys.path.insert(0, str(ROOT / "generator"))
from messagegen import git  # noqa: E402 - found on the path above

VERSION_FILE: Final = Path("generator/messagegen/__init__.py")
_VERSION: Final = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """A commit's files in a folder, with its time in seconds since 1970."""

    folder: Path
    commit: str
    epoch: int

    @property
    def version(self) -> str:
        """The version in its version file."""
        return version_in(self.folder)


class SourceError(Exception):
    """The sources cannot be read."""


def version_in(folder: Path) -> str:
    """The version of a source tree. Raises ``SourceError``."""
    found = _VERSION.search((folder / VERSION_FILE).read_text(encoding="utf-8"))
    if not found:
        raise SourceError(f'{VERSION_FILE} has no line such as __version__ = "0.1.0"')
    return found[1]


def export(to: Path, reference: str = "HEAD") -> Source:
    """Writes the files of a commit into a folder, which is replaced. Raises ``SourceError``."""
    try:
        commit = git.resolve(ROOT, reference)
    except git.GitError as error:
        raise SourceError(str(error)) from None
    epoch = int(_git("log", "-1", "--format=%ct", commit))
    rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_git("-c", "tar.umask=022", "archive", commit))) as archive:
        archive.extractall(to, filter="data")
    return Source(to, commit, epoch)


def uncommitted() -> list[str]:
    """The files of the checkout with uncommitted changes, which are not released."""
    return _git("status", "--porcelain").decode().splitlines()


def tags() -> list[str]:
    """The tags of the repository."""
    return _git("tag", "--list").decode().split()


def _git(*arguments: str) -> bytes:
    try:
        return git.run_git(ROOT, *arguments)
    except git.GitError as error:
        raise SourceError(str(error)) from None
