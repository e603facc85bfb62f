"""Writes rendered texts to an output folder, or compares them, without touching files that are not ours.

``docs/design/004-publishing.md`` explains how and why files are replaced this way.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from messagegen.build import BUILD, is_older
from messagegen.publish import files as disk
from messagegen.publish.changes import Changes, FileChange, Kind
from messagegen.publish.header import digest_of, has_header, unsigned
from messagegen.publish.manifest import MANIFEST, InputDigests, Manifest, PublishError, check_paths, read_manifest

_SHOWN: Final = 10
_UNKNOWN: Final = InputDigests()
_NOT_A_FILE: Final = b"not a plain file"


def check(files: Mapping[str, str], output: Path, *, inputs: InputDigests = _UNKNOWN) -> Changes:
    """How ``output`` differs from ``files`` (text by relative POSIX path); writes nothing.

    Raises ``PublishError`` if :func:`publish` would.
    """
    _check_places(files, output)
    before, source = read_manifest(output)
    listed: Mapping[str, str] = before.files if before else {}
    wanted = {path: text.encode() for path, text in files.items()}
    present = {path: content for path in {*wanted, *listed} if (content := _present(output, path)) is not None}
    _check_foreign(output, before, wanted, present)
    for leftover in _leftovers(output, before, wanted):
        if leftover.is_dir() and not leftover.is_symlink():
            raise PublishError(f"{leftover} is a folder, where messagegen writes a file; move it away")
    found: list[FileChange] = []
    for path in sorted({*wanted, *present}):
        kind = _kind(path, wanted.get(path), present.get(path), listed.get(path, ""))
        if kind is not None:
            found.append(FileChange(path, kind, present.get(path), wanted.get(path)))
    unchanged = len(wanted) - sum(file.kind != "stale" for file in found)
    clean = before is not None and before.render() == source
    if not clean or listed.keys() != wanted.keys():
        after = _manifest(wanted, inputs).render()
        if before is None:
            found.append(FileChange(MANIFEST, "new", source, after))
        else:
            found.append(FileChange(MANIFEST, "changed" if clean else "edited", source, after))
    return Changes(tuple(found), unchanged, before.generator if before else "")


def publish(files: Mapping[str, str], output: Path, *, inputs: InputDigests = _UNKNOWN) -> Changes:
    """Writes the files that are not up to date to ``output``, one by one, and the manifest last.

    ``inputs`` are recorded in the manifest. A killed run leaves whole files, which the next run completes. Raises
    ``PublishError``, with nothing written, for a path outside ``output``, a file in the way that is not ours, a
    non-empty folder without a manifest, a link in place of a folder, and changes to the output of a newer messagegen.
    """
    _check_places(files, output)
    output.mkdir(parents=True, exist_ok=True)
    with disk.locked(output):
        changes = check(files, output, inputs=inputs)
        if changes.files:
            _check_writer(output, changes.written_by)
        before, source = read_manifest(output)
        for leftover in _leftovers(output, before, files):
            leftover.unlink()
        after = _manifest({path: text.encode() for path, text in files.items()}, inputs)
        if MANIFEST in changes.paths("new", "changed", "edited"):
            # Until the end, old and new files are listed, so that the next run can finish.
            listed = {**before.files, **after.files} if before else after.files
            disk.replace(output, MANIFEST, Manifest(BUILD, listed).render())
        for file in changes.files:
            if file.after is None:
                disk.remove(output, file.path)
            elif file.path != MANIFEST:
                disk.replace(output, file.path, file.after)
        # Another build between two releases does not change the manifest of files that stay the same.
        is_stale = after.render() != source and (bool(changes.files) or "+" not in BUILD)
        if is_stale:
            disk.replace(output, MANIFEST, after.render())
    return replace(changes, new_digests=is_stale and MANIFEST not in changes.paths("new", "changed", "edited"))


def read_as_written(output: Path) -> tuple[Manifest | None, dict[str, str]]:
    """The manifest of ``output``, and the text of those of its files that are as they were written.

    ``None`` without a manifest as this messagegen writes it.
    """
    present: dict[str, str] = {}
    try:
        manifest, source = read_manifest(output)
    except PublishError:
        return None, {}
    if manifest is None or manifest.render() != source:
        return None, {}
    for path, digest in manifest.files.items():
        with contextlib.suppress(OSError):
            content = disk.read(output, path)
            if _is_as_written(path, content, digest):
                present[path] = content.decode()
    return manifest, present


def _check_places(files: Iterable[str], output: Path) -> None:
    """Raises ``PublishError`` where ``output`` is not a folder, or a path leads out of it."""
    if output.is_symlink() or (output.exists() and not output.is_dir()):
        raise PublishError(f"{output} is not a folder; name a folder, not a link to it")
    check_paths(files)


def _check_writer(output: Path, written_by: str) -> None:
    """Raises ``PublishError`` if a newer messagegen wrote ``output``."""
    newer = newer_writer(written_by)
    if newer:
        raise PublishError(f"{output} was written by {newer}")


def newer_writer(written_by: str) -> str:
    """What to do about a newer messagegen that wrote an output; empty if it is not newer than this one."""
    if not is_older(BUILD, written_by):
        return ""
    return (
        f"messagegen {written_by}, which is newer than this messagegen {BUILD}; install that version or a newer one. "
        f"To go back, revert the commit of the upgrade, or delete {MANIFEST} and the generated files"
    )


def _present(output: Path, path: str) -> bytes | None:
    """The content of a file, if there is one; a link never counts as up to date."""
    place = output / path
    for above in disk.folders_above(output, path):
        if above.is_symlink() or (above.exists() and not above.is_dir()):
            raise PublishError(f"{above} is a symbolic link or a file, expected a folder; move it away")
    if place.is_dir() and not place.is_symlink():
        raise PublishError(f"{place} is a folder, expected a file; move it away")
    try:
        return disk.read(output, path)
    except FileNotFoundError:
        return None
    except OSError:
        return _NOT_A_FILE


def _leftovers(output: Path, before: Manifest | None, wanted: Iterable[str]) -> list[Path]:
    """What killed runs left beside our files. Other names are not ours, whatever they end with."""
    listed: Mapping[str, str] = before.files if before else {}
    places = (disk.beside(output / path) for path in {*wanted, *listed, MANIFEST})
    return [place for place in places if os.path.lexists(place)]


def _check_foreign(
    output: Path, before: Manifest | None, wanted: Mapping[str, bytes], present: Mapping[str, bytes]
) -> None:
    """Raises ``PublishError`` where files that are not ours are in the way."""
    # Files of a version control system may be all that an otherwise empty folder contains.
    found = os.listdir(output) if before is None and output.exists() else []
    if others := [name for name in found if not name.startswith(".") and name != disk.CACHE]:
        raise PublishError(
            f"{output} is not empty and has no {MANIFEST}, so messagegen did not write it (it contains "
            f"{_some(others)}); name a new or empty folder, or restore {MANIFEST} from version control"
        )
    listed: Mapping[str, str] = before.files if before else {}
    if taken := [path for path in present if path not in listed and present[path] != wanted[path]]:
        raise PublishError(
            f"{output} contains files that messagegen did not write, where it must write its own: {_some(taken)}; "
            "move them away"
        )


def _kind(path: str, wanted: bytes | None, present: bytes | None, digest: str) -> Kind | None:
    """How a file differs; ``None`` if it does not, or if it is no longer generated and not recognisable as ours."""
    if wanted == present:
        return None
    if present is None:
        return "new"
    if wanted is None:
        return "stale" if has_header(present) or not path.endswith(".py") else None
    return "changed" if _is_as_written(path, present, digest) else "edited"


def _is_as_written(path: str, content: bytes, digest: str) -> bool:
    signature, rest = unsigned(content)
    return digest_of(path, rest).startswith(signature or digest or "none")


def _manifest(files: Mapping[str, bytes], inputs: InputDigests) -> Manifest:
    digests = {path: "" if unsigned(content)[0] else digest_of(path, content)[:16] for path, content in files.items()}
    return Manifest(BUILD, digests, inputs)


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(sorted(paths)[:_SHOWN]) + more
