"""The changes of a run to an output folder, and the differences between the folder and the generated files."""

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
class OutputChanges:
    """The planned or completed changes to an output folder: relative POSIX paths, sorted, each in only one tuple.

    ``changed`` files are as they were written and get new content; ``edited`` ones were changed by someone else
    since, ``conflicted`` ones contain both sides of a merge; ``missing`` ones were deleted by someone else. ``stale`` files are ours and no longer generated. ``foreign`` files are not
    ours and are kept. ``manifest`` says whether the list of our files is out of date.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    conflicted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    manifest: bool = False

    @property
    def up_to_date(self) -> bool:
        """Whether there is nothing to write and nothing to remove."""
        return not (self.written or self.stale or self.manifest)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The existing files that get new content, sorted."""
        return tuple(sorted((*self.changed, *self.edited, *self.conflicted)))

    @property
    def written(self) -> tuple[str, ...]:
        """The files that are written, sorted."""
        return tuple(sorted((*self.new, *self.missing, *self.replaced)))


@dataclass(frozen=True, slots=True)
class FileDrift:
    """A file that differs: its bytes on disk and as generated, ``None`` if it does not exist there."""

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
class Drift:
    """The differences between an output folder and the generated files; ``files`` are sorted by path.

    ``written_by`` and ``checked_by`` are the versions of messagegen that wrote the folder and that checks it; if they differ,
    the cause may be a change of the tool rather than of specs.
    """

    changes: OutputChanges
    files: tuple[FileDrift, ...]
    written_by: str
    checked_by: str

    @property
    def up_to_date(self) -> bool:
        """Whether the folder matches the generated files."""
        return self.changes.up_to_date


def _lines(content: bytes | None) -> list[str]:
    if not content:
        return []
    # A digest depends on the rest of the file, which shows the actual difference.
    content = _DIGEST.sub(b"# sha256: ...\n", content, count=1)
    *lines, last = content.decode("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
    if last:
        lines.append(f"{last} (no newline at the end)")
    return [line.translate(_VISIBLE) for line in lines]
