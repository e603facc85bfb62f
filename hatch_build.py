"""Records which commit a build is from, so that builds between two releases tell themselves apart."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILE = "generator/messagegen/build.txt"


def commit_of(root: Path) -> str | None:
    """The local part of the version of a checkout, ``+gHASH``, the same in a shallow clone; empty for the commit of a release.

    ``None`` outside of a checkout, such as in an unpacked sdist, which has the file of its build.
    """
    try:
        if Path(_git(root, "rev-parse", "--show-toplevel")).resolve() != root.resolve():
            return None
        released = _git(root, "tag", "--points-at", "HEAD", "--list", "v[0-9]*")
        commit = _git(root, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=.dirty")
    except (OSError, subprocess.CalledProcessError):
        return None
    return "" if released and not commit.endswith(".dirty") else f"+g{commit}"


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - no shell


class BuildHook(BuildHookInterface[Any]):
    """Writes the file before a wheel, an sdist or an editable install is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling calls it so
        """Writes the commit of a checkout; the file of an sdist stays."""
        file, commit = Path(self.root, FILE), commit_of(Path(self.root))
        if commit is not None:
            file.write_text(f"{commit}\n", encoding="ascii")
        if file.is_file():
            build_data["artifacts"].append(f"/{FILE}")
