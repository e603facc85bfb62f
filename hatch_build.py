"""Records which commit a build is from, so that builds between two releases tell themselves apart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# A build has the sources of the generator, but no installed generator.
sys.path.insert(0, str(Path(__file__).parent / "generator"))
from messagegen.git import GitError, run_git, top_of

FILE = "generator/messagegen/build.txt"


def commit_of(root: Path) -> str | None:
    """The local part of the version of a checkout, ``+gHASH``, the same in a shallow clone; empty for the commit of a release.

    ``None`` outside of a checkout, such as in an unpacked sdist, which has the file of its build.
    """
    try:
        top = top_of(root)
        if top != root.resolve():
            return None
        released = run_git(top, "tag", "--points-at", "HEAD", "--list", "v[0-9]*").strip()
        described = run_git(top, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=.dirty")
    except (OSError, GitError):
        return None
    commit = described.decode("ascii").strip()
    return "" if released and not commit.endswith(".dirty") else f"+g{commit}"


class BuildHook(BuildHookInterface[Any]):
    """Writes the file before a wheel, an sdist or an editable install is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling calls it so
        """Writes the commit of a checkout; the file of an sdist stays."""
        file, commit = Path(self.root, FILE), commit_of(Path(self.root))
        if commit is not None:
            file.write_text(f"{commit}\n", encoding="ascii")
        if file.is_file():
            build_data["artifacts"].append(f"/{FILE}")
