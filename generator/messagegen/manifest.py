"""MANIFEST.json: which files of an output folder are generated, and the bytes that were written.

The manifest is what lets a later run tell its own files from everybody else's, a hand edit from a change of spec, and a
stale file from one that was never its own. It holds neither dates nor places, so equal specs give an equal manifest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Final, cast

MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 1

_HASH = re.compile(r"[0-9a-f]{64}")
_UNSAFE_CHARACTER = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')


class PublishError(ValueError):
    """Raised where writing would lose or overwrite something that is not ours; the text says what to do instead."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The generated files of a folder: relative POSIX path to SHA-256 in hexadecimal, and the tools that made them."""

    generator: str
    black: str
    files: Mapping[str, str]

    @classmethod
    def of(cls, contents: Mapping[str, bytes]) -> Manifest:
        """The manifest of ``contents`` (path to bytes) as the installed generator and black make them."""
        return cls(metadata.version("messagegen"), metadata.version("black"), hashes(contents))

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Reads a manifest.

        Raises ``PublishError`` for anything that ``render`` does not write, paths that lead out of the folder included.
        """
        try:
            value: object = json.loads(data)
        except ValueError as error:
            raise PublishError(f"{MANIFEST} is not JSON ({error}); {_RESTORE}") from None
        if not isinstance(value, dict):
            raise PublishError(f"{MANIFEST} is not messagegen's; {_RESTORE}")
        return cls._from_json(cast("dict[str, object]", value))

    @classmethod
    def _from_json(cls, value: dict[str, object]) -> Manifest:
        if value.get("format") != FORMAT:
            raise PublishError(
                f"{MANIFEST} has format {value.get('format')!r}, this messagegen knows format {FORMAT}; "
                f"use the messagegen that wrote it, or {_RESTORE}"
            )
        generator, black, files = value.get("generator"), value.get("black"), value.get("files")
        if not isinstance(generator, str) or not isinstance(black, str) or not isinstance(files, dict):
            raise PublishError(f"{MANIFEST} is not messagegen's; {_RESTORE}")
        owned = cast("dict[str, object]", files)
        check_paths(owned)
        for path, digest in owned.items():
            if not isinstance(digest, str) or not _HASH.fullmatch(digest):
                raise PublishError(f"{MANIFEST} gives no SHA-256 for {path}; {_RESTORE}")
        return cls(generator, black, cast("dict[str, str]", owned))

    def render(self) -> bytes:
        """The manifest's file content: sorted, indented JSON that merges line by line."""
        value = {
            "format": FORMAT,
            "generator": self.generator,
            "black": self.black,
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(value, indent=2) + "\n").encode()


_RESTORE: Final = "restore it from version control, or delete the output folder and generate it anew"


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of ``folder``, or ``None`` where it has none.

    Raises ``PublishError`` where the file is there but is not a manifest.
    """
    path = folder / MANIFEST
    if path.is_symlink() or path.is_dir():
        raise PublishError(f"{path} is not a plain file; {_RESTORE}")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return Manifest.parse(data)
    except PublishError as error:
        raise PublishError(f"{folder}: {error}") from None


def hashes(contents: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each content, in hexadecimal, by path."""
    return {path: sha256(content) for path, content in contents.items()}


def sha256(content: bytes) -> str:
    """The SHA-256 of ``content`` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def check_paths(paths: Iterable[str]) -> None:
    """Checks that ``paths`` stay inside the folder and that any file system can hold them side by side.

    Raises ``PublishError`` for an absolute path, ``..``, a separator of another system, a reserved name, and for paths
    that differ only in case or need one name for both a file and a folder.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        _check_path(path)
        if path.casefold() in files:
            raise PublishError(f"{path} and {files[path.casefold()]} are one file where case does not count")
        files[path.casefold()] = path
        folders |= {str(parent).casefold(): str(parent) for parent in PurePosixPath(path).parents}
    for both in files.keys() & folders.keys():
        raise PublishError(f"{files[both]} would be both a file and a folder")


def _check_path(path: str) -> None:
    parts = path.split("/")
    if _UNSAFE_CHARACTER.search(path) or any(part in ("", ".", "..") or part[-1] in " ." for part in parts):
        raise PublishError(f"{path!r} is not a path below the output folder; write parts of names joined by /")
    if path.casefold() == MANIFEST.casefold() or "__pycache__" in parts:
        raise PublishError(f"{path!r} is reserved; give the file another name")
