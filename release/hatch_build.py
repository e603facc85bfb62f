"""The version of a build, for hatchling. It contains the commit, so that builds between two releases differ.

All distributions of Python code get their version from this module. The generator also contains the file ``build.txt``
with the local part of the version, because reading the metadata of an installed distribution is slow.
"""

from __future__ import annotations

import re
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).parents[1]
# The environment of a build has the sources of the generator, but not the installed package.
sys.path.insert(0, str(ROOT / "generator"))
from messagegen.git import GitError, run_git, top_of  # noqa: E402 - found on the path above

VERSION_FILE: Final = "generator/messagegen/__init__.py"
BUILD_FILE: Final = "generator/messagegen/build.txt"
COMMIT_FILE: Final = "release/commit.txt"
"""When git makes an archive of a commit, it writes the commit's hash and time in seconds to this file."""
_ARCHIVED: Final = re.compile(r"([0-9a-f]{40,64}) (\d+)\n")
_DIGITS: Final = 12
_VERSION: Final = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


def build_version(root: Path = ROOT) -> str:
    """Return the version of a build from ``root``, such as ``0.1.0+20261126141500.g1a2b3c4d5e6f`` (PEP 440).

    The local part contains the hash of the commit and its time in UTC, so that pip finds the newer of two builds. It
    ends in ``.dirty`` for a checkout with uncommitted changes. Commits with the tag of a release have no local part. An
    sdist contains ``BUILD_FILE``. An archive that git made of a commit contains ``COMMIT_FILE``. Other sources have the
    version ``0.1.0+source``.
    """
    return release_version(root) + _local_part(root)


def release_version(root: Path) -> str:
    """Return the version in the sources, which changes only with a release. Raises ``ValueError``."""
    found = _VERSION.search((root / VERSION_FILE).read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f'{VERSION_FILE} has no line such as __version__ = "0.1.0"')
    return found[1]


def commit_of(root: Path) -> str | None:
    """Return the local part of a checkout's version; empty for the commit of a release.

    Return ``None`` for a folder that is not the top of a checkout, such as an unpacked sdist.
    """
    try:
        if top_of(root) != root.resolve():
            return None
        return local_part(root, "HEAD", dirty=bool(_git(root, "status", "--porcelain", "--untracked-files=no")))
    except (OSError, GitError):
        return None


def local_part(root: Path, commit: str, *, dirty: bool = False) -> str:
    """Return the local part of a commit's version. The history in a shallow clone suffices."""
    if not dirty and _git(root, "tag", "--points-at", commit, "--list", "v[0-9]*"):
        return ""
    digest, seconds = _git(root, "log", "-1", "--format=%H %ct", commit).split()
    end = ".dirty" if dirty else ""
    return f"{_of_commit(digest, seconds)}{end}"


def _of_commit(digest: str, seconds: str) -> str:
    time = datetime.fromtimestamp(int(seconds), UTC)
    return f"+{time:%Y%m%d%H%M%S}.g{digest[:_DIGITS]}"


def _local_part(root: Path) -> str:
    commit = commit_of(root)
    if commit is not None:
        return commit
    file = root / BUILD_FILE
    if file.is_file():
        return file.read_text(encoding="ascii").strip()
    archived = _ARCHIVED.fullmatch((root / COMMIT_FILE).read_text(encoding="ascii"))
    return _of_commit(*archived.groups()) if archived else "+source"


def _git(root: Path, *arguments: str) -> str:
    return run_git(root, *arguments).decode("utf-8", "replace").strip()


class BuildHook(BuildHookInterface[Any]):
    """A hook that adds the file with the local part of the version to wheels and sdists, not to the sources."""

    _folder: tempfile.TemporaryDirectory[str]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file, except to an editable install, whose sources change."""
        self._folder = tempfile.TemporaryDirectory()
        if version == "editable":
            return
        file = Path(self._folder.name, "build.txt")
        file.write_text(f"{_local_part(Path(self.root))}\n", encoding="ascii")
        place = "messagegen/build.txt" if self.target_name == "wheel" else BUILD_FILE
        build_data["force_include"][str(file)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary file."""
        self._folder.cleanup()
