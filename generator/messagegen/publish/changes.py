"""The differences between an output folder and the generated files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from messagegen.diffs import DIFF_LINES, unified_diff
from messagegen.publish.header import unsigned

Kind = Literal["new", "changed", "edited", "stale"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs: its bytes on disk and as generated, ``None`` if it does not exist there.

    ``changed`` files are as an earlier run wrote them. ``edited`` files were changed since, for example by a merge with
    conflicts. messagegen wrote ``stale`` files and no longer generates them.
    """

    path: str
    kind: Kind
    before: bytes | None
    after: bytes | None

    def diff(self, limit: int = DIFF_LINES) -> tuple[str, ...]:
        """Return a unified diff from disk to generated.

        It has at most ``limit`` lines, then a line with the number of omitted lines.
        """
        names = f"on disk/{self.path}", f"generated/{self.path}"
        lines = unified_diff(_lines(self.before), _lines(self.after), names, limit=limit)
        return lines or (f"{self.path}: only line endings, or the digest in the header, differ",)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a run to an output folder: files sorted by path, then the manifest.

    ``unchanged`` is the number of the other generated files. ``written_by`` is the version of messagegen that wrote the
    folder, empty for a new folder. If it is not the running version, the tool may have changed rather than the specs.
    ``loaded`` are files and folders in it that messagegen did not write, and that programs load or that can be taken
    for generated ones. They stay.
    """

    files: tuple[FileChange, ...]
    unchanged: int
    written_by: str
    loaded: tuple[str, ...] = ()

    def paths(self, *kinds: Kind) -> tuple[str, ...]:
        """Return the paths of the files of some kinds."""
        return tuple(file.path for file in self.files if file.kind in kinds)


def _lines(content: bytes | None) -> list[str]:
    # A digest depends on the rest of the file, which shows the actual difference.
    return unsigned(content or b"")[1].decode("utf-8", errors="replace").splitlines()
