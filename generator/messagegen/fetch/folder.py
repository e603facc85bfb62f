"""A folder of fetched specs, and its lock file with the release, the artifacts and the digests.

Files are replaced one by one, and the lock file last. A killed run leaves no partial files, and repeating the fetch
writes the rest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from messagegen.fetch.releases import LOCK_NAME
from messagegen.fetch.sources import ARTIFACT_NAME, SHA256_HEX, SPEC_FILE_NAME, FetchError, SpecSet
from messagegen.publish import files as disk
from messagegen.spec_files import json_files
from messagegen.texts import read_file

UNLISTED: Final = "unlisted"
"""The difference of a JSON file that the lock file does not list."""

LOCK_VERSION: Final = 1

_PATH: Final = re.compile(f"{ARTIFACT_NAME.pattern}/{SPEC_FILE_NAME.pattern}")
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Lock:
    """The contents of a lock file: the release (``None`` unless all specs share one), and the ``digest`` of each spec.

    Specs are named ``ARTIFACT/NAME.json``.
    """

    release: str | None
    files: Mapping[str, str]

    def to_text(self) -> str:
        """Return the text of the lock file: JSON with sorted keys; equal locks have equal texts."""
        artifacts: dict[str, dict[str, dict[str, str]]] = {}
        for path, sha in self.files.items():
            artifact, _, name = path.partition("/")
            artifacts.setdefault(artifact, {"specs": {}})["specs"][name] = sha
        value = {"lockVersion": LOCK_VERSION, "release": self.release, "artifacts": artifacts}
        return json.dumps(value, indent=2, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """The changes that a fetch made, as sorted paths in the folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]

    def __str__(self) -> str:
        return f"{len(self.written)} written, {len(self.unchanged)} unchanged, {len(self.removed)} removed"


def digest(data: bytes) -> str:
    """Return the SHA-256 of a text in hexadecimal; the line ends of Windows count as line feeds.

    So a checkout that changes the line ends has the digests of the release.
    """
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def read_lock(folder: Path) -> Lock | None:
    """Return the lock of ``folder``, or ``None`` if it has no lock file. Raise ``FetchError`` for an invalid file."""
    try:
        value: Any = json.loads(read_file(folder / LOCK_NAME))
        artifacts = value["artifacts"].items()
        files = {f"{name}/{file}": sha for name, locked in artifacts for file, sha in locked["specs"].items()}
        lock = Lock(value["release"], files)
        # Check the names, because they become paths of files that are replaced or removed.
        fits = value["lockVersion"] == LOCK_VERSION and all(
            _PATH.fullmatch(path) and SHA256_HEX.fullmatch(sha) for path, sha in files.items()
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        fits = False
        lock = None
    if not fits:
        advice = "restore the file, or delete it and fetch with --force"
        raise FetchError(f"{folder / LOCK_NAME} is not a lock file of this version of messagegen; {advice}")
    return lock


def store_specs(specs: SpecSet, folder: Path, *, force: bool = False) -> tuple[Lock, FolderChanges]:
    """Write ``specs`` to ``folder`` as ``ARTIFACT/NAME.json``, unchanged, with a lock file.

    Return the lock and the changed files. Specs of an earlier fetch that are no longer needed are removed; other files
    are never touched. Raise ``FetchError`` if the folder cannot be written. Also raise it, before any change, if a spec
    was edited or a user's file is in its place; ``force`` replaces these files.
    """
    lock = Lock(specs.release, {path: digest(text) for path, text in specs.texts.items()})
    try:
        return lock, _store(folder, lock, specs.texts, force=force)
    except OSError as error:
        raise FetchError(f"cannot write {error.filename or folder}: {error.strerror or error}") from error


def _store(folder: Path, lock: Lock, data: Mapping[str, bytes], *, force: bool) -> FolderChanges:
    if folder.exists() and not folder.is_dir():
        raise FetchError(f"{folder} is not a folder; name another with --output")
    old = read_lock(folder)
    wanted = lock.files
    ours: Mapping[str, str] = old.files if old else {}
    found = {path: _digest_of(folder, path) for path in sorted({*wanted, *ours})}
    conflicts = [text for path in found if (text := _conflict(folder, path, found[path], wanted, ours, force=force))]
    if conflicts:
        more = f"; and {len(conflicts) - _SHOWN} more" if len(conflicts) > _SHOWN else ""
        advice = "move these away" if force else "move these away, or replace them with --force"
        raise FetchError(f"nothing was changed in {folder}: {'; '.join(conflicts[:_SHOWN])}{more}; {advice}")
    changes = FolderChanges(
        written=tuple(path for path in found if path in wanted and found[path] != wanted[path]),
        unchanged=tuple(path for path in found if path in wanted and found[path] == wanted[path]),
        removed=tuple(path for path in found if path not in wanted and found[path] is not None),
    )
    for path in changes.written:
        disk.replace(folder, path, data[path])
    for path in changes.removed:
        disk.remove(folder, path)
    if old is None or old.to_text() != lock.to_text():
        disk.replace(folder, LOCK_NAME, lock.to_text().encode())
    return changes


def check_specs(folder: Path, release: str | None = None) -> tuple[Lock, tuple[tuple[str, str], ...]]:
    """Return the lock of ``folder``, and all differences from it as sorted (path, kind) pairs; write nothing.

    Kinds: ``missing``, ``changed``, ``unlisted`` (a JSON file at any depth that the lock lacks) and ``release`` (the
    lock is for a different release than ``release``). Raise ``FetchError`` if there is no lock, or the folder cannot be
    read.
    """
    try:
        lock = read_lock(folder)
        if lock is None:
            raise FetchError(f"no {LOCK_NAME} in {folder}, so there is nothing to check against; fetch the specs first")
        files = lock.files
        present = {path.relative_to(folder).as_posix() for path in json_files(folder)}
    except OSError as error:
        raise FetchError(f"cannot read {error.filename or folder}: {error.strerror or error}") from error
    found = [(path, UNLISTED) for path in present - files.keys()]
    for path, expected in files.items():
        actual = _digest_of(folder, path)
        if actual != expected:
            found.append((path, "changed" if actual else "missing"))
    if release not in (None, lock.release):
        found.append((LOCK_NAME, "release"))
    return lock, tuple(sorted(found))


def _digest_of(folder: Path, path: str) -> str | None:
    """Return the digest of a plain file, ``None`` if the path does not exist, or ``not a file`` for anything else."""
    try:
        return digest(disk.read(folder, path))
    except FileNotFoundError:
        return None
    except OSError:
        return "not a file"


def _conflict(
    folder: Path, path: str, found: str | None, wanted: Mapping[str, str], ours: Mapping[str, str], *, force: bool
) -> str:
    """Return a description of the conflict at a path; "" if the file can be written or removed."""
    parent = (folder / path).parent
    if parent.is_symlink() or (parent.exists() and not parent.is_dir()):
        return f"{parent.name} is not a folder"
    if found == "not a file":
        return f"{path} is a link or a folder"
    if found in (None, wanted.get(path), ours.get(path)) or force:
        return ""
    return f"{path} was {'edited' if path in ours else 'written'} by someone else"
