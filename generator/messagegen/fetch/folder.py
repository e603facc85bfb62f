"""Keeps a folder of fetched specs in sync with its lock file.

A new folder is created with a single rename. In an existing folder, each file is replaced atomically: all
new bytes are staged first, then a journal lists every file that will change, and the lock file is written last. If a run
is killed, the next one completes it; the journal tells which files are ours.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from messagegen.fetch.lock import JOURNAL_NAME, LOCK_NAME, Lock, digest, read_journal, read_lock
from messagegen.fetch.sources import Artifact, FetchError

_STAGE_NAME = ".messagegen-specs.stage"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """The changes of a fetch, as sorted paths in the folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """A difference between a folder and its lock: ``kind`` is one of the words below, ``path`` is relative to the folder."""

    path: str
    kind: str


@dataclass(slots=True)
class _Plan:
    write: list[str] = field(default_factory=list[str])
    keep: list[str] = field(default_factory=list[str])
    remove: list[str] = field(default_factory=list[str])
    conflicts: list[str] = field(default_factory=list[str])


def store(folder: Path, lock: Lock, artifacts: Sequence[Artifact], *, force: bool = False) -> FolderChanges:
    """Updates the specs in ``folder`` to those of ``artifacts``, whose lock is ``lock``.

    Other files are never touched; our specs that are no longer needed are removed. Raises ``FetchError``
    before changing anything if a spec was edited, another file is in the way, or a jar differs from the one with
    that name in the folder's lock; ``force`` overrides all three. May raise ``OSError``.
    """
    wanted = {f"{artifact.name}/{name}": data for artifact in artifacts for name, data in artifact.specs.items()}
    if not folder.exists():
        _store_new(folder, wanted, lock)
        return FolderChanges(tuple(sorted(wanted)), (), ())
    if not folder.is_dir():
        raise FetchError(f"{folder} is not a folder; name another with --out")
    old, journal = read_lock(folder), read_journal(folder)
    if old is not None and not force:
        _refuse_other_jars(folder, old, lock)
    claims = _claims(old, journal)
    plan = _plan(folder, lock.files(), claims, force=force)
    if plan.conflicts:
        raise FetchError(_conflict_text(folder, plan.conflicts, force=force))
    if plan.write or plan.remove or journal is not None or old is None or old.to_text() != lock.to_text():
        _store_over(folder, plan, wanted, lock, claims)
    return FolderChanges(tuple(plan.write), tuple(plan.keep), tuple(plan.remove))


def check_folder(folder: Path, release: str | None = None) -> tuple[Lock, tuple[Difference, ...]]:
    """The lock of ``folder`` and all differences from it, sorted; only reads the folder.

    Kinds: ``missing``, ``changed``, ``unlisted`` (a JSON file that is not ours), ``interrupted`` (a fetch was killed) and
    ``release`` (the lock is for another release than ``release``). Raises ``FetchError`` without a lock.
    """
    lock = read_lock(folder)
    if lock is None:
        raise FetchError(f"no {LOCK_NAME} in {folder}, so there is nothing to check against; fetch the specs first")
    found = {
        Difference(path, "changed" if os.path.lexists(folder / path) else "missing")
        for path, sha256 in lock.files().items()
        if not _is_plain(folder, path) or digest((folder / path).read_bytes()) != sha256
    }
    found |= {Difference(path, "unlisted") for path in _unlisted(folder, lock)}
    if (folder / JOURNAL_NAME).exists():
        found.add(Difference(JOURNAL_NAME, "interrupted"))
    if release is not None and release != lock.release:
        found.add(Difference(LOCK_NAME, "release"))
    return lock, tuple(sorted(found))


def _unlisted(folder: Path, lock: Lock) -> set[str]:
    present = {f"{artifact}/{path.name}" for artifact in lock.artifacts for path in (folder / artifact).glob("*.json")}
    return present - lock.files().keys()


def _refuse_other_jars(folder: Path, old: Lock, new: Lock) -> None:
    for name, artifact in new.artifacts.items():
        known = old.artifacts.get(name)
        if known is None or known.jar is None or artifact.jar is None or known.jar.name != artifact.jar.name:
            continue
        if known.jar != artifact.jar:
            raise FetchError(
                f"{artifact.jar.name} differs from the jar in {folder / LOCK_NAME} (SHA-256 {artifact.jar.sha256}, "
                f"not {known.jar.sha256}); find out why, then fetch with --force"
            )


def _claims(lock: Lock | None, journal: Mapping[str, Sequence[str]] | None) -> dict[str, set[str]]:
    """Maps each path to the SHA-256 of every content that we wrote, or may have written, there."""
    claims = {path: set(digests) for path, digests in (journal or {}).items()}
    for path, sha256 in (lock.files() if lock else {}).items():
        claims.setdefault(path, set()).add(sha256)
    return claims


def _plan(folder: Path, wanted: Mapping[str, str], claims: Mapping[str, set[str]], *, force: bool) -> _Plan:
    plan = _Plan()
    for path in sorted(wanted.keys() | claims.keys()):
        there = os.path.lexists(folder / path)
        if there and not _is_plain(folder, path):
            plan.conflicts.append(f"{path} is a link or a folder, or is below a link")
            continue
        found = digest((folder / path).read_bytes()) if there else None
        if path in wanted and found == wanted[path]:
            plan.keep.append(path)
        elif found is not None and found not in claims.get(path, ()) and not force:
            plan.conflicts.append(f"{path} was {'edited' if path in claims else 'written'} by someone else")
        elif path in wanted:
            plan.write.append(path)
        elif there:
            plan.remove.append(path)
    plan.conflicts += [f"{name} is not a folder" for name in _blocked_folders(folder, plan.write)]
    return plan


def _blocked_folders(folder: Path, paths: Sequence[str]) -> list[str]:
    names = sorted({path.partition("/")[0] for path in paths})
    return [name for name in names if os.path.lexists(folder / name) and not _is_real_folder(folder / name)]


def _is_real_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_plain(folder: Path, path: str) -> bool:
    target = folder / path
    return _is_real_folder(target.parent) and target.is_file() and not target.is_symlink()


def _conflict_text(folder: Path, conflicts: Sequence[str], *, force: bool) -> str:
    shown = "; ".join(conflicts[:_SHOWN]) + (f"; and {len(conflicts) - _SHOWN} more" if len(conflicts) > _SHOWN else "")
    advice = "move these away" if force else "move these away, or replace them with --force"
    return f"nothing was changed in {folder}: {shown}; {advice}"


def _store_new(folder: Path, wanted: Mapping[str, bytes], lock: Lock) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)

    def appear(stage: Path) -> None:
        (stage / LOCK_NAME).write_text(lock.to_text(), "utf-8", newline="\n")
        stage.rename(folder)

    _with_stage(folder.parent / f"{_STAGE_NAME}.{folder.name}", wanted, appear)


def _store_over(
    folder: Path, plan: _Plan, wanted: Mapping[str, bytes], lock: Lock, claims: Mapping[str, set[str]]
) -> None:
    journal = {path: sorted(digests) for path, digests in claims.items()}
    for path, sha256 in lock.files().items():
        journal[path] = sorted({sha256, *journal.get(path, ())})

    def replace(stage: Path) -> None:
        (stage / LOCK_NAME).write_text(lock.to_text(), "utf-8", newline="\n")
        (stage / JOURNAL_NAME).write_text(json.dumps(journal, indent=2, sort_keys=True) + "\n", "utf-8", newline="\n")
        (stage / JOURNAL_NAME).replace(folder / JOURNAL_NAME)
        for path in plan.write:
            (folder / path).parent.mkdir(exist_ok=True)
            (stage / path).replace(folder / path)
        for path in plan.remove:
            _remove(folder / path)
        (stage / LOCK_NAME).replace(folder / LOCK_NAME)
        (folder / JOURNAL_NAME).unlink()

    _with_stage(folder / _STAGE_NAME, {path: wanted[path] for path in plan.write}, replace)


def _with_stage(stage: Path, files: Mapping[str, bytes], finish: Callable[[Path], None]) -> None:
    """Writes ``files`` below ``stage``, calls ``finish``, and removes ``stage``, including that of a killed run."""
    _clear(stage)
    try:
        stage.mkdir()
        for path, data in files.items():
            (stage / path).parent.mkdir(exist_ok=True)
            (stage / path).write_bytes(data)
        finish(stage)
    finally:
        _clear(stage)


def _clear(stage: Path) -> None:
    if os.path.lexists(stage):
        shutil.rmtree(stage)


def _remove(path: Path) -> None:
    path.unlink()
    if not any(path.parent.iterdir()):
        path.parent.rmdir()
