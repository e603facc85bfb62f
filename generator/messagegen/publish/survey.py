"""Compares an output folder with the generated files, and raises errors if work would be lost."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.publish.changes import Drift, FileDrift, Kind, OutputChanges
from messagegen.publish.folder import Folder, is_file
from messagegen.publish.formatting import same_meaning
from messagegen.publish.header import has_header, in_conflict, is_as_written, is_index, is_signed, proves_itself
from messagegen.publish.manifest import MANIFEST, Manifest, PublishError, check_paths, is_newer, read_manifest
from messagegen.publish.tree import is_cache, list_files

_SHOWN_CONFLICTS: Final = 10


@dataclass(frozen=True, slots=True)
class Survey:
    """Both sides of a run, generated and on disk, with their manifests and differences."""

    wanted: Mapping[str, bytes]
    present: Mapping[str, bytes]
    before: Manifest | None
    after: Manifest
    changes: OutputChanges

    @property
    def new_manifest(self) -> Manifest | None:
        """The manifest to write, or ``None`` to keep it: it does not change if another messagegen writes the same bytes."""
        stays = self.changes.up_to_date or (
            not self.changes.manifest and self.before and self.before.generator == self.after.generator
        )
        return None if stays else self.after

    def drift(self) -> Drift:
        """The differences by file."""
        kinds: dict[str, Kind] = dict.fromkeys(self.changes.new, "new")
        kinds |= dict.fromkeys(self.changes.changed, "changed")
        kinds |= dict.fromkeys(self.changes.edited, "edited")
        kinds |= dict.fromkeys(self.changes.reformatted, "reformatted")
        kinds |= dict.fromkeys(self.changes.conflicted, "conflicted")
        kinds |= dict.fromkeys(self.changes.missing, "missing")
        kinds |= dict.fromkeys(self.changes.stale, "stale")
        drifts = [
            FileDrift(path, kind, self.present.get(path), self.wanted.get(path)) for path, kind in sorted(kinds.items())
        ]
        source = self.before.source if self.before else None
        if source and in_conflict(source):
            drifts.append(FileDrift(MANIFEST, "conflicted", source, self.after.render()))
        elif self.changes.manifest and not drifts:
            drifts.append(FileDrift(MANIFEST, "edited" if source else "missing", source, self.after.render()))
        written_by = f"messagegen {self.before.generator}" if self.before else ""
        return Drift(self.changes, tuple(drifts), written_by, f"messagegen {self.after.generator}")


def survey(files: Mapping[str, str | bytes], output: Path, *, downgrade: bool = False) -> Survey:
    """Compares ``files`` (relative POSIX path to text or bytes) with ``output``; raises ``PublishError`` if a run must not write.

    ``downgrade`` allows overwriting the output of a newer messagegen.
    """
    check_output(output)
    check_paths(files)
    wanted = {path: _content(path, text) for path, text in sorted(files.items())}
    found = list_files(output) if output.exists() else set[str]()
    before = read_manifest(output) if found else None
    listed = before.files if before else frozenset[str]()
    for path in {**wanted, **dict.fromkeys(listed)}:
        _check_folders(output, path)
    present = _read(output, found & (listed | set(wanted)))
    present |= _read(output, {path for path in found if path.endswith(".py") and not is_cache(path)} - set(present))
    owned = {path for path in present if _is_ours(path, present[path], wanted, before)}
    for path in wanted:
        _check_room(output, path, found - owned - listed)
    if before is None:
        _check_adoption(wanted, owned, found, output)
    _check_ownership(wanted, present, owned, output)
    changes = _classify(wanted, present, owned, before, found)
    after = Manifest.of(wanted)
    if before and not changes.up_to_date and not downgrade and is_newer(before.generator, after.generator):
        raise PublishError(
            f"{output} was written by messagegen {before.generator}, which is newer than this one ({after.generator}); "
            f"install that version, or pass --downgrade to overwrite it"
        )
    return Survey(wanted, present, before, after, changes)


def check_output(output: Path) -> None:
    """Raises ``PublishError`` if ``output`` exists and is not a plain folder."""
    if output.is_symlink():
        raise PublishError(f"{output} is a symbolic link; name the target folder")
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file; name a folder")


def _is_ours(path: str, content: bytes, wanted: Mapping[str, bytes], before: Manifest | None) -> bool:
    """Whether a file may be overwritten or, if it is no longer generated, removed.

    A listed file may be overwritten, because replacing hand edits is the purpose of a run. To be removed,
    it must be recognisable as generated: a Python file by its header.
    """
    if proves_itself(path, content) or (path in wanted and is_index(content)):
        return True
    if before is None or path not in before.files:
        return False
    if path in wanted or has_header(content):
        return True
    return not path.endswith(".py")


def _classify(
    wanted: Mapping[str, bytes], present: Mapping[str, bytes], owned: set[str], before: Manifest | None, found: set[str]
) -> OutputChanges:
    listed = before.files if before else frozenset[str]()
    kinds: dict[str, list[str]] = {}
    for path, content in wanted.items():
        kinds.setdefault(_kind(path, content, present.get(path), before), []).append(path)
    stale = tuple(path for path in sorted(owned) if path not in wanted)
    # An index has no digest. It depends on the other files: if they are up to date, it was edited by hand.
    moved = stale or not kinds.keys() <= {"unchanged", "reformatted", "unsigned"}
    kinds.setdefault("changed" if moved else "edited", []).extend(kinds.pop("unsigned", ()))
    theirs = found - set(wanted) - owned - {MANIFEST}
    return OutputChanges(
        **{kind: tuple(sorted(paths)) for kind, paths in kinds.items()},
        stale=stale,
        foreign=tuple(sorted(path for path in theirs if not is_cache(path))),
        manifest=before is None or listed != frozenset(wanted) or not before.clean,
    )


def _kind(path: str, wanted: bytes, present: bytes | None, before: Manifest | None) -> str:
    """How a generated file differs; ``unsigned`` if only the rest of the folder can distinguish an edit from a change."""
    if present is None:
        return "missing" if before and path in before.files else "new"
    if present == wanted:
        return "unchanged"
    if in_conflict(present):
        return "conflicted"
    if is_as_written(path, present):
        return "changed"
    if not path.endswith(".py"):
        # Without a header, an edit cannot be distinguished from a change of the specs.
        return "changed"
    if same_meaning(present, wanted):
        return "reformatted"
    return "edited" if is_signed(wanted) or is_signed(present) else "unsigned"


def _check_folders(output: Path, path: str) -> None:
    for parent in list((output / path).parents)[: path.count("/")]:
        if parent.is_symlink():
            raise PublishError(f"{parent} is a symbolic link; replace it by a plain folder, or remove it")


def _check_room(output: Path, path: str, theirs: set[str]) -> None:
    if (output / path).is_dir() and not (output / path).is_symlink():
        raise PublishError(
            f"{output / path} is a folder, but a file with that name must be written; move the folder away"
        )
    for parent in PurePosixPath(path).parents:
        if str(parent) in theirs:
            raise PublishError(
                f"{output / parent} is a file, but a folder with that name must be created; move the file away"
            )


def _check_adoption(wanted: Mapping[str, bytes], owned: set[str], found: set[str], output: Path) -> None:
    # Files of a version control system may be all that an otherwise empty folder contains.
    others = sorted(path for path in found if not is_cache(path) and not Path(path).name.startswith(".git"))
    if others and not owned.intersection(wanted):
        raise PublishError(
            f"{output} is not empty and has no {MANIFEST}, so messagegen did not write it "
            f"(it contains {_some(others)}); name a new or empty folder"
        )


def _check_ownership(wanted: Mapping[str, bytes], present: Mapping[str, bytes], owned: set[str], output: Path) -> None:
    taken = [path for path in present if path in wanted and path not in owned and present[path] != wanted[path]]
    if taken:
        raise PublishError(
            f"{output} contains files that were not generated, in place of files to write: {_some(taken)}; "
            f"move them away (or restore {MANIFEST} from version control if it went missing)"
        )


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN_CONFLICTS} more" if len(paths) > _SHOWN_CONFLICTS else ""
    return ", ".join(paths[:_SHOWN_CONFLICTS]) + more


def _read(output: Path, paths: set[str]) -> dict[str, bytes]:
    if not paths:
        return {}
    present: dict[str, bytes] = {}
    with Folder.opened(output) as folder:
        for path in sorted(paths):
            with folder.around(path) as (holder, name):
                status = holder.status(name)
                if status is not None:
                    present[path] = holder.read(name) if is_file(status) else _special(holder, name)
    return present


def read_unchanged(output: Path, digests: Mapping[str, str]) -> dict[str, bytes]:
    """The content of those files below ``output`` that have the given SHA-256; ``digests`` are by relative POSIX path.

    What can't be read, and what is not a plain file, counts as changed.
    """
    found: dict[str, bytes] = {}
    with contextlib.suppress(OSError), Folder.opened(output) as folder:
        for path, digest in digests.items():
            with contextlib.suppress(OSError, ValueError), folder.around(path) as (holder, name):
                content = holder.read(name)
                if hashlib.sha256(content).hexdigest() == digest:
                    found[path] = content
    return found


def _special(folder: Folder, name: str) -> bytes:
    # A link never counts as up to date; its target is used as its content.
    path = folder.path / name
    return b"symbolic link to " + os.fsencode(path.readlink()) if path.is_symlink() else b"not a plain file"


def _content(path: str, text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    try:
        return text.replace("\r\n", "\n").replace("\r", "\n").encode()
    except UnicodeEncodeError as error:
        raise PublishError(f"{path}: character {error.start} is half of a surrogate pair, which UTF-8 lacks") from error
