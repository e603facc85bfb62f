"""Writes rendered texts to an output folder, or compares them, without touching files that are not ours.

``docs/design/004-publishing.md`` explains how and why files are replaced this way.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.build import BUILD
from messagegen.publish import files as disk
from messagegen.publish.changes import Changes, FileChange, Kind
from messagegen.publish.header import has_header, in_conflict, is_as_written, is_index, is_signed, proves_itself
from messagegen.publish.manifest import MANIFEST, Made, Manifest, PublishError, check_paths, read_manifest

Files = Mapping[str, str | bytes]
"""Text or bytes by relative POSIX path."""

_SHOWN_CONFLICTS: Final = 10
_UNKNOWN: Final = Made()


def check(files: Files, output: Path, *, made: Made = _UNKNOWN) -> Changes:
    """How ``output`` differs from ``files``; writes nothing. Raises ``PublishError`` if :func:`publish` would."""
    return _Comparison(files, output, made).changes()


def publish(files: Files, output: Path, *, made: Made = _UNKNOWN) -> Changes:
    """Writes ``files`` and a manifest to ``output``, except those that are up to date, one by one and the manifest last.

    ``made`` is recorded in the manifest. A killed run leaves whole files, which the next run completes. Raises ``PublishError``,
    with nothing written, for a path outside ``output``, a file in the way that is not ours, a non-empty folder without a
    manifest, and a link in place of a folder.
    """
    _check_output(output)
    check_paths(files)
    output.mkdir(parents=True, exist_ok=True)
    with disk.locked(output):
        both = _Comparison(files, output, made)
        changes, after = both.changes(), both.after
        for path in both.leftovers:
            disk.remove(output, path)
        if not changes.up_to_date and after.files.keys() != both.listed.keys():
            # Until the end, old and new files are listed, so that the next run can finish.
            disk.replace(output, MANIFEST, Manifest(BUILD, {**both.listed, **after.files}).render())
        for path in changes.paths("stale"):
            disk.remove(output, path)
        for file in changes.files:
            if file.after is not None:
                disk.replace(output, file.path, file.after)
        # Another build between two releases does not change the manifest of files that stay the same.
        remade = made != _UNKNOWN and "+" not in BUILD
        if (both.before is None or after.render() != both.before.source) and (remade or not changes.up_to_date):
            disk.replace(output, MANIFEST, after.render())
    return changes


def read_as_written(output: Path) -> tuple[Manifest | None, dict[str, bytes]]:
    """The manifest of ``output``, and the content of those of its files that are as they were written.

    ``None`` without a manifest as this messagegen writes it.
    """
    present: dict[str, bytes] = {}
    try:
        manifest = read_manifest(output)
    except PublishError:
        return None, {}
    if manifest is None or not manifest.clean:
        return None, {}
    for path, digest in manifest.files.items():
        with contextlib.suppress(OSError):
            content = disk.read(output, path)
            if _is_as_written(path, content, digest):
                present[path] = content
    return manifest, present


class _Comparison:
    """Generated files and a folder, with the manifests of both: ``before`` is that of the folder, if it has one.

    ``wanted`` are the generated files; ``present`` those of the folder that matter, ``owned`` those of them that are ours, and
    ``leftovers`` what a killed run left. Raises ``PublishError`` if a run must not write.
    """

    def __init__(self, files: Files, output: Path, made: Made) -> None:
        _check_output(output)
        check_paths(files)
        self.output = output
        self.wanted = {path: _content(text) for path, text in sorted(files.items())}
        self.found = disk.list_files(output)
        self.leftovers = sorted(path for path in self.found if path.endswith(disk.LEFTOVER))
        self.found.difference_update(self.leftovers)
        self.before = read_manifest(output) if self.found else None
        self.listed: Mapping[str, str] = self.before.files if self.before else {}
        self.present = {path: _present(output, path) for path in sorted(self.found) if self._matters(path)}
        self.owned = {path for path, content in self.present.items() if self._is_ours(path, content)}
        digests = {path: "" if is_signed(content) else _digest(content) for path, content in self.wanted.items()}
        self.after = Manifest(BUILD, digests, made)
        self._check_room()
        self._check_others()

    def changes(self) -> Changes:
        """The differences."""
        kinds: dict[str, Kind | None] = {path: self._kind(path) for path in sorted({*self.wanted, *self.owned})}
        theirs = self.found - kinds.keys() - {MANIFEST}
        before = self.before
        clean = before is not None and before.clean and not self.leftovers and self.listed.keys() == self.wanted.keys()
        return Changes(
            files=tuple(
                FileChange(path, kind, self.present.get(path), self.wanted.get(path))
                for path, kind in kinds.items()
                if kind is not None
            ),
            manifest=None if clean else self._manifest_change(),
            unchanged=tuple(path for path, kind in kinds.items() if kind is None),
            foreign=tuple(sorted(path for path in theirs if not disk.is_cache(path))),
            written_by=f"messagegen {before.generator}" if before else "",
            checked_by=f"messagegen {BUILD}",
        )

    def _matters(self, path: str) -> bool:
        """Whether the content of a file counts: any Python file may be one of ours that is no longer generated."""
        return path in self.wanted or path in self.listed or (path.endswith(".py") and not disk.is_cache(path))

    def _is_ours(self, path: str, content: bytes) -> bool:
        """Whether a file may be overwritten or, if it is no longer generated, removed.

        A listed file may be overwritten, because replacing hand edits is the purpose of a run. To be removed,
        it must be recognisable as generated: a Python file by its header.
        """
        if proves_itself(path, content) or (path in self.wanted and is_index(content)):
            return True
        return path in self.listed and (path in self.wanted or has_header(content) or not path.endswith(".py"))

    def _check_room(self) -> None:
        theirs = self.found - self.owned - self.listed.keys()
        for path in {**self.wanted, **self.listed}:
            if link := disk.link_above(self.output, path):
                raise PublishError(f"{link} is a symbolic link; replace it by a plain folder, or remove it")
        for path in self.wanted:
            place = self.output / path
            if place.is_dir() and not place.is_symlink():
                raise PublishError(
                    f"{place} is a folder, but a file with that name must be written; move the folder away"
                )
            for parent in map(str, PurePosixPath(path).parents):
                if parent in theirs:
                    raise PublishError(
                        f"{self.output / parent} is a file, but a folder with that name must be created; move the file away"
                    )

    def _check_others(self) -> None:
        # Files of a version control system may be all that an otherwise empty folder contains.
        others = [path for path in self.found if not disk.is_cache(path) and not Path(path).name.startswith(".git")]
        if self.before is None and others and not self.owned.intersection(self.wanted):
            raise PublishError(
                f"{self.output} is not empty and has no {MANIFEST}, so messagegen did not write it "
                f"(it contains {_some(others)}); name a new or empty folder"
            )
        theirs = self.wanted.keys() & self.present.keys() - self.owned
        if taken := [path for path in theirs if self.present[path] != self.wanted[path]]:
            raise PublishError(
                f"{self.output} contains files that messagegen did not write, where it must write its own: {_some(taken)}; "
                f"move them away (or restore {MANIFEST} from version control if it went missing)"
            )

    def _kind(self, path: str) -> Kind | None:
        """How a file differs; ``None`` if it does not."""
        wanted, present, digest = self.wanted.get(path), self.present.get(path), self.listed.get(path, "")
        if wanted is None:
            return "stale"
        if present is None:
            return "missing" if path in self.listed else "new"
        if present == wanted:
            return None
        if in_conflict(present):
            return "conflicted"
        # Without a digest, an edit cannot be distinguished from a change of the specs.
        known = is_signed(wanted) or digest
        return "edited" if known and not _is_as_written(path, present, digest) else "changed"

    def _manifest_change(self) -> FileChange:
        source = self.before.source if self.before else None
        kind: Kind = "missing" if source is None else "conflicted" if in_conflict(source) else "edited"
        return FileChange(MANIFEST, kind, source, self.after.render())


def _check_output(output: Path) -> None:
    if output.is_symlink():
        raise PublishError(f"{output} is a symbolic link; name the target folder")
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file; name a folder")


def _present(output: Path, path: str) -> bytes:
    """The content of a file; a link never counts as up to date, and its target is used as its content."""
    if (output / path).is_symlink():
        return b"symbolic link to " + str((output / path).readlink()).encode(errors="surrogateescape")
    return disk.read(output, path) if (output / path).is_file() else b"not a plain file"


def _is_as_written(path: str, content: bytes, digest: str) -> bool:
    return is_as_written(path, content) if is_signed(content) else _digest(content) == digest


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN_CONFLICTS} more" if len(paths) > _SHOWN_CONFLICTS else ""
    return ", ".join(sorted(paths)[:_SHOWN_CONFLICTS]) + more


def _content(text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n").encode()
