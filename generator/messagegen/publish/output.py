"""Writes rendered texts to an output folder, or compares them, without touching files that are not ours.

``docs/design/004-publishing.md`` explains how and why files are replaced this way.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.build import BUILD
from messagegen.publish import files as disk
from messagegen.publish.changes import Drift, FileDrift, Kind, OutputChanges
from messagegen.publish.header import has_header, in_conflict, is_as_written, is_index, is_signed, proves_itself
from messagegen.publish.manifest import MANIFEST, Made, Manifest, PublishError, check_paths, is_newer, read_manifest

Files = Mapping[str, str | bytes]
"""Text or bytes by relative POSIX path."""

_SHOWN_CONFLICTS: Final = 10
_NO_MANIFEST: Final = Manifest("", {})
_UNKNOWN: Final = Made()


def check(files: Files, output: Path, *, made: Made = _UNKNOWN, downgrade: bool = False) -> Drift:
    """How ``output`` differs from ``files``; writes nothing. Raises ``PublishError`` if :func:`publish` would."""
    return _survey(files, output, made, downgrade=downgrade).drift()


def publish(files: Files, output: Path, *, made: Made = _UNKNOWN, downgrade: bool = False) -> OutputChanges:
    """Writes ``files`` and a manifest to ``output``, except those that are up to date, one by one and the manifest last.

    ``made`` is recorded in the manifest. A killed run leaves whole files, which the next run completes. Raises ``PublishError``,
    with nothing written, for a path outside ``output``, a file in the way that is not ours, a non-empty folder without a
    manifest, a link in place of a folder, and an output of a newer messagegen, unless ``downgrade`` is set.
    """
    _check_output(output)
    check_paths(files)
    output.mkdir(parents=True, exist_ok=True)
    with disk.locked(output):
        found = _survey(files, output, made, downgrade=downgrade)
        changes, before, after = found.changes, found.before or _NO_MANIFEST, found.after
        for path in found.leftovers:
            disk.remove(output, path)
        if not changes.up_to_date and after.files.keys() != before.files.keys():
            # Until the end, old and new files are listed, so that the next run can finish.
            disk.replace(output, MANIFEST, Manifest(after.generator, {**before.files, **after.files}).render())
        for path in changes.stale:
            disk.remove(output, path)
        for path in changes.written:
            disk.replace(output, path, found.wanted[path])
        # Another build between two releases does not change the manifest of files that stay the same.
        remade = made != _UNKNOWN and "+" not in BUILD
        if after.render() != before.source and (remade or not changes.up_to_date):
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


@dataclass(frozen=True, slots=True)
class _Survey:
    """Both sides of a run, generated and on disk, with their manifests and differences; ``leftovers`` are of killed runs."""

    wanted: Mapping[str, bytes]
    present: Mapping[str, bytes]
    before: Manifest | None
    after: Manifest
    changes: OutputChanges
    leftovers: tuple[str, ...]

    def drift(self) -> Drift:
        """The differences by file."""
        kinds: tuple[Kind, ...] = ("new", "changed", "edited", "conflicted", "missing", "stale")
        drifts = sorted(
            (
                FileDrift(path, kind, self.present.get(path), self.wanted.get(path))
                for kind in kinds
                for path in getattr(self.changes, kind)
            ),
            key=lambda drift: drift.path,
        )
        source = self.before.source if self.before else None
        if source and in_conflict(source):
            drifts.append(FileDrift(MANIFEST, "conflicted", source, self.after.render()))
        elif self.changes.manifest and not drifts:
            drifts.append(FileDrift(MANIFEST, "edited" if source else "missing", source, self.after.render()))
        written_by = f"messagegen {self.before.generator}" if self.before else ""
        return Drift(self.changes, tuple(drifts), written_by, f"messagegen {self.after.generator}")


def _survey(files: Files, output: Path, made: Made, *, downgrade: bool) -> _Survey:
    """Compares ``files`` with ``output``; raises ``PublishError`` if a run must not write."""
    _check_output(output)
    check_paths(files)
    wanted = {path: _content(path, text) for path, text in sorted(files.items())}
    found = disk.list_files(output)
    leftovers = {path for path in found if path.endswith(disk.LEFTOVER)}
    found -= leftovers
    before = read_manifest(output) if found else None
    listed: Mapping[str, str] = before.files if before else {}
    present = {path: _present(output, path) for path in sorted(found) if _concerns(path, wanted, listed)}
    owned = {path for path in present if _is_ours(path, present[path], wanted, listed)}
    _check_room(output, wanted, found - owned - listed.keys(), listed)
    if before is None:
        _check_adoption(wanted, owned, found, output)
    taken = [path for path in wanted.keys() & present.keys() - owned if present[path] != wanted[path]]
    if taken:
        raise PublishError(
            f"{output} contains files that messagegen did not write, where it must write its own: {_some(sorted(taken))}; "
            f"move them away (or restore {MANIFEST} from version control if it went missing)"
        )
    digests = {path: "" if is_signed(content) else _digest(content) for path, content in wanted.items()}
    after = Manifest.of(digests, made)
    changes = _classify(wanted, present, owned, before, found, mend=bool(leftovers))
    if before and not changes.up_to_date and not downgrade and is_newer(before.generator, after.generator):
        raise PublishError(
            f"{output} was written by messagegen {before.generator}, which is newer than this one ({after.generator}); "
            f"install that version, or pass --downgrade to overwrite it"
        )
    return _Survey(wanted, present, before, after, changes, tuple(sorted(leftovers)))


def _check_output(output: Path) -> None:
    if output.is_symlink():
        raise PublishError(f"{output} is a symbolic link; name the target folder")
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file; name a folder")


def _concerns(path: str, wanted: Mapping[str, bytes], listed: Mapping[str, str]) -> bool:
    """Whether the content of a file counts: any Python file may be one of ours that is no longer generated."""
    return path in wanted or path in listed or (path.endswith(".py") and not disk.is_cache(path))


def _present(output: Path, path: str) -> bytes:
    """The content of a file; a link never counts as up to date, and its target is used as its content."""
    if (output / path).is_symlink():
        return b"symbolic link to " + str((output / path).readlink()).encode(errors="surrogateescape")
    return disk.read(output, path) if (output / path).is_file() else b"not a plain file"


def _is_ours(path: str, content: bytes, wanted: Mapping[str, bytes], listed: Mapping[str, str]) -> bool:
    """Whether a file may be overwritten or, if it is no longer generated, removed.

    A listed file may be overwritten, because replacing hand edits is the purpose of a run. To be removed,
    it must be recognisable as generated: a Python file by its header.
    """
    if proves_itself(path, content) or (path in wanted and is_index(content)):
        return True
    return path in listed and (path in wanted or has_header(content) or not path.endswith(".py"))


def _check_room(output: Path, wanted: Mapping[str, bytes], theirs: set[str], listed: Mapping[str, str]) -> None:
    for path in {**wanted, **listed}:
        link = disk.link_above(output, path)
        if link:
            raise PublishError(f"{link} is a symbolic link; replace it by a plain folder, or remove it")
    for path in wanted:
        if (output / path).is_dir() and not (output / path).is_symlink():
            raise PublishError(
                f"{output / path} is a folder, but a file with that name must be written; move the folder away"
            )
        for parent in map(str, PurePosixPath(path).parents):
            if parent in theirs:
                raise PublishError(
                    f"{output / parent} is a file, but a folder with that name must be created; move the file away"
                )


def _check_adoption(wanted: Mapping[str, bytes], owned: set[str], found: set[str], output: Path) -> None:
    # Files of a version control system may be all that an otherwise empty folder contains.
    others = sorted(path for path in found if not disk.is_cache(path) and not Path(path).name.startswith(".git"))
    if others and not owned.intersection(wanted):
        raise PublishError(
            f"{output} is not empty and has no {MANIFEST}, so messagegen did not write it "
            f"(it contains {_some(others)}); name a new or empty folder"
        )


def _classify(
    wanted: Mapping[str, bytes],
    present: Mapping[str, bytes],
    owned: set[str],
    before: Manifest | None,
    found: set[str],
    *,
    mend: bool,
) -> OutputChanges:
    listed: Mapping[str, str] = before.files if before else {}
    kinds: dict[str, list[str]] = {}
    for path, content in wanted.items():
        kinds.setdefault(_kind(path, content, present.get(path), listed), []).append(path)
    theirs = found - wanted.keys() - owned - {MANIFEST}
    return OutputChanges(
        **{kind: tuple(sorted(paths)) for kind, paths in kinds.items()},
        stale=tuple(path for path in sorted(owned) if path not in wanted),
        foreign=tuple(sorted(path for path in theirs if not disk.is_cache(path))),
        manifest=mend or before is None or listed.keys() != wanted.keys() or not before.clean,
    )


def _kind(path: str, wanted: bytes, present: bytes | None, listed: Mapping[str, str]) -> str:
    """How a generated file differs."""
    if present is None:
        return "missing" if path in listed else "new"
    if present == wanted:
        return "unchanged"
    if in_conflict(present):
        return "conflicted"
    # Without a digest, an edit cannot be distinguished from a change of the specs.
    known = is_signed(wanted) or listed.get(path)
    return "edited" if known and not _is_as_written(path, present, listed.get(path, "")) else "changed"


def _is_as_written(path: str, content: bytes, digest: str) -> bool:
    return is_as_written(path, content) if is_signed(content) else _digest(content) == digest


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN_CONFLICTS} more" if len(paths) > _SHOWN_CONFLICTS else ""
    return ", ".join(paths[:_SHOWN_CONFLICTS]) + more


def _content(path: str, text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    try:
        return text.replace("\r\n", "\n").replace("\r", "\n").encode()
    except UnicodeEncodeError as error:
        raise PublishError(
            f"{path}: character {error.start} is half of a surrogate pair, which UTF-8 cannot encode"
        ) from error
