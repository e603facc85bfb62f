"""The differences between an output folder and the generated files."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final, Literal

DIFF_LINES: Final = 40

Kind = Literal["new", "changed", "edited", "conflicted", "missing", "stale"]

_DIGEST: Final = re.compile(rb"^# sha256: [0-9a-f]{64}\r?\n", re.MULTILINE)
_VISIBLE: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) != "\t"}


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs: its bytes on disk and as generated, ``None`` if it does not exist there.

    ``changed`` files are as they were written; ``edited`` ones were changed by someone else since, ``conflicted`` ones contain both
    sides of a merge; ``missing`` ones were deleted by someone else. ``stale`` files are ours and no longer generated.
    """

    path: str
    kind: Kind
    before: bytes | None
    after: bytes | None

    def diff(self, limit: int = DIFF_LINES) -> tuple[str, ...]:
        """A unified diff from disk to generated, with at most ``limit`` lines and a line with the number of the others.

        Control characters are escaped, so a damaged file cannot control the terminal.
        """
        old, new = _lines(self.before), _lines(self.after)
        if old == new and self.before is not None and self.after is not None:
            if self.before.replace(b"\r\n", b"\n") == self.after:
                return (f"{self.path}: only line endings differ; generated files end their lines with \\n",)
            return (f"{self.path}: only the digest in the header differs",)
        old_name = "/dev/null" if self.before is None else f"on disk/{self.path}"
        new_name = "/dev/null" if self.after is None else f"generated/{self.path}"
        lines = list(difflib.unified_diff(old, new, old_name, new_name, lineterm="", n=2))
        rest = len(lines) - limit
        return (*lines[:limit], f"... and {rest} more lines") if rest > 0 else tuple(lines)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run changes in an output folder, or would change; paths are relative and POSIX, sorted.

    ``manifest`` is the list of our files if it is out of date. ``foreign`` files are not ours and are kept. ``written_by`` and
    ``checked_by`` are the versions of messagegen that wrote the folder and that runs; if they differ, the cause may be a change of
    the tool rather than of specs.
    """

    files: tuple[FileChange, ...]
    manifest: FileChange | None
    unchanged: tuple[str, ...]
    foreign: tuple[str, ...]
    written_by: str
    checked_by: str

    @property
    def up_to_date(self) -> bool:
        """Whether there is nothing to write and nothing to remove."""
        return not self.files and self.manifest is None

    @property
    def shown(self) -> tuple[FileChange, ...]:
        """The files for a report: the manifest is among them if it has conflicts, or if nothing else differs."""
        if self.manifest is not None and (self.manifest.kind == "conflicted" or not self.files):
            return (*self.files, self.manifest)
        return self.files

    def paths(self, *kinds: Kind) -> tuple[str, ...]:
        """The files of some kinds."""
        return tuple(file.path for file in self.files if file.kind in kinds)


def _lines(content: bytes | None) -> list[str]:
    if not content:
        return []
    # A digest depends on the rest of the file, which shows the actual difference.
    content = _DIGEST.sub(b"# sha256: ...\n", content, count=1)
    *lines, last = content.decode("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
    if last:
        lines.append(f"{last} (no newline at the end)")
    return [line.translate(_VISIBLE) for line in lines]
