"""Compares an output folder with rendered texts, and writes them, without touching files of users.

``docs/design/004-publishing.md`` explains how files are compared and replaced, and why.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from messagegen.build import BUILD, is_older
from messagegen.publish import files as disk
from messagegen.publish.changes import Changes, FileChange, Kind
from messagegen.publish.header import (
    HEADER_LENGTH,
    UNSIGNED,
    claims,
    digest_of,
    has_header,
    is_proof,
    may_claim,
    may_prove,
    unsigned,
)
from messagegen.publish.loaded import is_loaded
from messagegen.publish.manifest import MANIFEST, Manifest, PublishError, check_paths, read_manifest

_SHOWN: Final = 10
_NOT_A_FILE: Final = b"not a plain file"


def check(files: Mapping[str, str], output: Path, *, others: Collection[Path] = ()) -> Changes:
    """Return how ``output`` differs from ``files`` (texts by relative POSIX path); write nothing.

    ``others`` are the folders of other outputs, which are skipped. A manifest of a newer messagegen counts as a change.
    Apart from that, raise ``PublishError`` in the same cases as :func:`publish`.
    """
    _check_places(files, output)
    before, source = read_manifest(output)
    listed: Mapping[str, str] = before.files if before else {}
    wanted = {path: text.encode() for path, text in files.items()}
    folder = _Folder.read(output, wanted, listed, _inside(output, others, wanted))
    _check_foreign(output, before, wanted, folder)
    for leftover in _leftovers(output, before, wanted):
        if leftover.is_dir() and not leftover.is_symlink():
            raise PublishError(f"{leftover} is a folder, where messagegen writes a file; move it away")
    found = [FileChange(path, "stale", content, None) for path, content in folder.stale.items()]
    for path, content in wanted.items():
        kind = _kind(path, content, folder.present.get(path), listed.get(path, ""))
        if kind is not None:
            found.append(FileChange(path, kind, folder.present.get(path), content))
    found.sort(key=lambda file: file.path)
    unchanged = len(wanted) - sum(file.kind != "stale" for file in found)
    after = _manifest(wanted)
    if before is None:
        found.append(FileChange(MANIFEST, "new", None, after.render()))
    elif not _is_same(before.render(), source):
        found.append(FileChange(MANIFEST, "edited", source, after.render()))
    elif before.files != after.files or newer_writer(before.generator):
        found.append(FileChange(MANIFEST, "changed", source, after.render()))
    return Changes(tuple(found), unchanged, before.generator if before else "", folder.loaded)


def publish(files: Mapping[str, str], output: Path, *, others: Collection[Path] = ()) -> Changes:
    """Write the files that are not up to date to ``output``, one by one, and the manifest last.

    ``others`` are as for :func:`check`. A killed run leaves no partial files, and the next run writes the missing
    files. Raise ``PublishError``, with nothing written, for a path outside ``output``, a user's file in the way, a
    link in place of a folder, and the output of a newer messagegen. Also raise it for a non-empty folder without any
    file of messagegen.
    """
    _check_places(files, output)
    output.mkdir(parents=True, exist_ok=True)
    with disk.locked(output):
        changes = check(files, output, others=others)
        _check_writer(output, changes.written_by)
        before, source = read_manifest(output)
        for leftover in _leftovers(output, before, files):
            leftover.unlink()
        if not changes.files:
            return changes
        after = _manifest({path: text.encode() for path, text in files.items()})
        if MANIFEST in changes.paths("new", "changed", "edited"):
            # List old and new files until all are written, so that the next run can finish a killed run.
            disk.replace(output, MANIFEST, Manifest(BUILD, _both(before, after, changes.files)).render())
        for file in changes.files:
            if file.after is None:
                disk.remove(output, file.path)
            elif file.path != MANIFEST:
                disk.replace(output, file.path, file.after)
        written = after.render()
        if not _is_same(written, source):
            disk.replace(output, MANIFEST, written)
            if MANIFEST not in changes.paths("new", "changed", "edited"):
                # Only the build differs in the manifest, which counts as a change because other files differ, too.
                changed = FileChange(MANIFEST, "changed", source, written)
                changes = replace(changes, files=(*changes.files, changed))
    return changes


@dataclass(frozen=True, slots=True)
class _Folder:
    """The contents of an output folder, grouped by whether messagegen or a user wrote them.

    ``present`` are files at the paths of generated files. ``stale`` are files that messagegen wrote and that are no
    longer generated. ``foreign`` are all other files, except caches and hidden files. ``loaded`` are files and folders
    of users that programs load, or that look like generated files.
    """

    present: Mapping[str, bytes]
    stale: Mapping[str, bytes]
    foreign: tuple[str, ...]
    loaded: tuple[str, ...]

    @classmethod
    def read(
        cls, output: Path, wanted: Mapping[str, bytes], listed: Mapping[str, str], apart: Collection[str]
    ) -> _Folder:
        """Read an output folder, which may be missing; skip the folders ``apart`` in it."""
        contents = {path: _present(output, path) for path in sorted({*wanted, *listed})}
        present = {path: content for path, content in contents.items() if content is not None and path in wanted}
        stale: dict[str, bytes] = {}
        foreign: list[str] = []
        loaded: list[str] = []
        replaced: list[str] = []
        # On some systems, names that differ only in case refer to the same file.
        names = {path.casefold() for path in (*wanted, MANIFEST)}
        for path in disk.walk(output, apart) if output.exists() else ():
            if path in wanted or path == MANIFEST:
                continue
            if path.endswith("/"):
                if not names.isdisjoint({path[:-1].casefold(), f"{path[:-1]}.py".casefold()}):
                    replaced.append(path[:-1])
                continue
            content = contents.get(path) if path in listed else _start_or_whole(output, path)
            if content is not None and _is_ours(path, content, listed):
                stale[path] = content
                continue
            if _claims_to_be_generated(output, path) or path.casefold() in names or is_loaded(output, path):
                loaded.append(path)
            if disk.CACHE not in path.split("/"):
                foreign.append(path)
        loaded += [place for place in replaced if not any(path.startswith(f"{place}/") for path in loaded)]
        return cls(present, stale, tuple(foreign), tuple(sorted(loaded)))


def _check_places(files: Iterable[str], output: Path) -> None:
    """Raise ``PublishError`` if ``output`` is not a folder, or a path leads out of it."""
    if output.is_symlink() or (output.exists() and not output.is_dir()):
        raise PublishError(f"{output} is not a folder; name a folder, not a link to it")
    if ".git" in Path(os.path.realpath(output)).parts:
        raise PublishError(f"{output} is in the folder of Git; name another folder")
    check_paths(files)


def _inside(output: Path, others: Iterable[Path], wanted: Mapping[str, bytes]) -> set[str]:
    """Return the paths of other outputs below ``output``, except folders that shadow a module or hold plans."""
    top = Path(os.path.realpath(output))
    places = [Path(os.path.realpath(other)) for other in others]
    inside = {place.relative_to(top).as_posix() for place in places if place != top and place.is_relative_to(top)}
    # On some systems, names that differ only in case refer to the same folder.
    ours = {path.casefold() for path in wanted} | {"plans.py"}
    return {place for place in inside if f"{place}.py".casefold() not in ours}


def _check_writer(output: Path, written_by: str) -> None:
    """Raise ``PublishError`` if a newer messagegen wrote ``output``."""
    newer = newer_writer(written_by)
    if newer:
        raise PublishError(f"{output} was written by {newer}")


def newer_writer(written_by: str) -> str:
    """Return the advice about an output that a newer messagegen wrote; "" if the writer is not newer."""
    if not is_older(BUILD, written_by):
        return ""
    return (
        f"messagegen {written_by}, which is newer than this messagegen {BUILD}; install that version or a newer one. "
        f"To go back, revert the commit of the upgrade, or delete {MANIFEST} and the generated files"
    )


def _present(output: Path, path: str) -> bytes | None:
    """Return the content of a file, or ``None`` if it is missing. A link never counts as up to date."""
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


def _claims_to_be_generated(output: Path, path: str) -> bool:
    """Whether a user's page, script or module contains the words of a header near its start."""
    file = output / path
    if not may_claim(path) or file.is_symlink() or not file.is_file():
        return False
    with file.open("rb") as opened:
        return claims(opened.read(HEADER_LENGTH))


def _start_or_whole(output: Path, path: str) -> bytes | None:
    """Return the content of a plain file that looks generated, otherwise ``None``."""
    file = output / path
    if not may_prove(path) or file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as opened:
        start = opened.read(HEADER_LENGTH)
        # Do not read the rest of other files, because files of users may be large.
        return start + opened.read() if has_header(start) or start.startswith(b"messagegen-plan ") else None


def _leftovers(output: Path, before: Manifest | None, wanted: Iterable[str]) -> list[Path]:
    """Return the temporary files that killed runs left, only beside generated files: others may belong to users."""
    listed: Mapping[str, str] = before.files if before else {}
    places = (disk.beside(output / path) for path in {*wanted, *listed, MANIFEST})
    return [place for place in places if os.path.lexists(place)]


def _check_foreign(output: Path, before: Manifest | None, wanted: Mapping[str, bytes], folder: _Folder) -> None:
    """Raise ``PublishError`` if a folder belongs to a user, or files of users are at the paths of generated files."""
    listed: Mapping[str, str] = before.files if before else {}
    taken = [path for path, content in folder.present.items() if not _may_replace(path, wanted[path], content, listed)]
    ours = bool(folder.stale) or any(path not in taken and content for path, content in folder.present.items())
    others = sorted({path.partition("/")[0] for path in (*taken, *folder.foreign)})
    if before is None and others and not ours:
        raise PublishError(
            f"{output} is not empty and has no {MANIFEST}, so messagegen did not write it (it contains "
            f"{_some(others)}); name a new or empty folder, or restore {MANIFEST} from version control"
        )
    if taken:
        raise PublishError(
            f"{output} contains files that messagegen did not write, where it must write its own: {_some(taken)}; "
            "move them away"
        )


def _may_replace(path: str, wanted: bytes, present: bytes, listed: Mapping[str, str]) -> bool:
    """Whether messagegen wrote the file that is now at ``path``. It may have been edited, or be from an old commit."""
    if path in listed or has_header(present) or _is_same(wanted, present):
        return True
    # Tables and plans have no header, but their first line never changes.
    first = wanted.partition(b"\n")[0]
    return first != b"" and first == _with_line_feeds(present).partition(b"\n")[0]


def _is_ours(path: str, content: bytes, listed: Mapping[str, str]) -> bool:
    """Whether messagegen wrote a file, judged by the file's own content or by the manifest.

    A listed file that has a digest in its header may be edited. A file that cannot have a header must have the digest
    that the manifest lists. For all other paths, the manifest proves nothing, because anyone can edit it.
    """
    content = _with_line_feeds(content)
    if is_proof(path, content):
        return True
    is_signed = may_prove(path) and has_header(content) and unsigned(content)[0] != ""
    return path in listed and (is_signed or (path in UNSIGNED and _is_as_written(path, content, listed[path])))


def _kind(path: str, wanted: bytes, present: bytes | None, digests: str) -> Kind | None:
    """Return the kind of difference between a generated file and the file on disk, or ``None``."""
    if present is None:
        return "new"
    if _is_same(wanted, present):
        return None
    return "changed" if _is_as_written(path, _with_line_feeds(present), digests) else "edited"


def _is_same(wanted: bytes, present: bytes) -> bool:
    """Whether a file has the wanted content, perhaps with Windows line endings."""
    return present == wanted or _with_line_feeds(present) == wanted


def _with_line_feeds(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")


def _is_as_written(path: str, content: bytes, digests: str) -> bool:
    """Whether a file is unchanged since an earlier run, judged by its own digest, or else by the manifest's digests."""
    signature, rest = unsigned(content)
    return digest_of(path, rest) == signature if signature else _listed_digest(path, content) in digests.split()


def _listed_digest(path: str, content: bytes) -> str:
    """Return the digest of an unsigned file, as manifests contain it."""
    return digest_of(path, content)[:16]


def _manifest(files: Mapping[str, bytes]) -> Manifest:
    digests = {path: "" if unsigned(content)[0] else _listed_digest(path, content) for path, content in files.items()}
    return Manifest(BUILD, digests)


def _both(before: Manifest | None, after: Manifest, changed: Iterable[FileChange]) -> dict[str, str]:
    """Return the files of two manifests; a changed file gets the digests of its old and its new content."""
    listed = {**(before.files if before else {}), **after.files}
    for file in changed:
        if before and file.path in before.files and file.path in after.files and file.before is not None:
            digest = _listed_digest(file.path, _with_line_feeds(file.before))
            known = [digest] if digest in before.files[file.path].split() else []
            listed[file.path] = " ".join(dict.fromkeys([*known, *after.files[file.path].split()]))
    return listed


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(sorted(paths)[:_SHOWN]) + more
