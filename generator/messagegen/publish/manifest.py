"""MANIFEST.json: which files of an output folder are generated, and the messagegen that wrote them.

It lets a later run tell its own files from everybody else's, and a stale file from one that was never its own. What is in
the files they prove themselves (``header``), so a line changes only when a file comes or goes, and branches merge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, cast

from messagegen import __version__
from messagegen.publish.folder import Folder, is_file
from messagegen.publish.header import in_conflict

MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 2

_UNSAFE_CHARACTER = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_FORMAT_LINE: Final = re.compile(r'^\s*"format": ([0-9]{1,9}),\r?$', re.MULTILINE)
_GENERATOR_LINE: Final = re.compile(r'^\s*"generator": "([^"\\]{1,100})",\r?$', re.MULTILINE)
_FILE_LINE: Final = re.compile(r'^\s*"([^"\\]+)",?\r?$', re.MULTILINE)


class PublishError(ValueError):
    """Raised where writing would lose or overwrite something that is not ours; the text says what to do instead."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The generated files of a folder by relative POSIX path, and the version of the messagegen that wrote them.

    ``source`` is what was read. One that is not ``clean`` was in conflict, or is not as it would be written.
    """

    generator: str
    files: frozenset[str]
    source: bytes = b""
    clean: bool = True

    @classmethod
    def of(cls, paths: Iterable[str]) -> Manifest:
        """The manifest of files as the installed messagegen makes them."""
        return cls(__version__, frozenset(paths))

    @classmethod
    def parse(cls, data: bytes) -> Manifest:
        """Reads a manifest, also one that git left in conflict: then the files of both sides are listed.

        Raises ``PublishError`` for anything that no messagegen and no merge writes, paths that lead out of the folder
        included.
        """
        if in_conflict(data):
            return cls._salvaged(data)
        try:
            value: object = json.loads(data)
        except RecursionError:
            raise PublishError(f"{MANIFEST} is nested too deeply to be read; {_RESTORE}") from None
        except ValueError as error:
            raise PublishError(f"{MANIFEST} is not JSON ({error}); {_RESTORE}") from None
        if not isinstance(value, dict):
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        return cls._from_json(cast("dict[str, object]", value), data)

    @classmethod
    def _from_json(cls, value: dict[str, object], data: bytes) -> Manifest:
        form, generator, files = value.get("format"), value.get("generator"), value.get("files")
        _check_format(form)
        if not isinstance(generator, str) or not isinstance(files, list):
            raise PublishError(f"{MANIFEST} was not written by messagegen; {_RESTORE}")
        listed = cast("list[object]", files)
        paths = [path for path in listed if isinstance(path, str)]
        if len(paths) < len(listed):
            raise PublishError(f"{MANIFEST} lists an invalid path; {_RESTORE}")
        owned = frozenset(paths)
        check_paths(owned)
        return cls(generator, owned, data, clean=paths == _ordered(owned))

    @classmethod
    def _salvaged(cls, data: bytes) -> Manifest:
        text = data.decode(errors="replace")
        forms = [int(form) for form in _FORMAT_LINE.findall(text)]
        generators = _GENERATOR_LINE.findall(text)
        if not forms or not generators:
            raise PublishError(f"{MANIFEST} is in conflict and was not written by messagegen; {_RESTORE}")
        _check_format(max(forms))
        listed = frozenset(_FILE_LINE.findall(text))
        check_paths(listed)
        return cls(newest(generators), listed, data, clean=False)

    def render(self) -> bytes:
        """The manifest's file content: sorted JSON with a line for each file, which merges line by line."""
        value = {"format": FORMAT, "generator": self.generator, "files": _ordered(self.files)}
        return (json.dumps(value, indent=2) + "\n").encode()


_RESTORE: Final = "restore it from version control, or delete the output folder and generate it anew"


def _check_format(form: object) -> None:
    if isinstance(form, int) and form > FORMAT:
        raise PublishError(
            f"{MANIFEST} has format {form}, this messagegen knows format {FORMAT}: a newer messagegen wrote it; "
            "install that one, or delete the output folder and generate it anew"
        )
    if type(form) is not int or form != FORMAT:
        raise PublishError(f"{MANIFEST} was not written by messagegen: its format is unknown; {_RESTORE}")


def _ordered(paths: Iterable[str]) -> list[str]:
    """Folders come last: the runtime then holds the last line, which has no comma, and no new message changes it."""
    return sorted(paths, key=lambda path: ("/" in path, path))


def is_newer(version: str, than: str) -> bool:
    """Whether one version of messagegen comes after another one; an invalid version is never newer."""
    if version == than:
        return False
    from packaging.version import InvalidVersion, Version

    try:
        return Version(version) > Version(than)
    except InvalidVersion:
        return False


def newest(versions: Iterable[str]) -> str:
    """The last of some versions."""
    last = ""
    for version in versions:
        if not last or is_newer(version, last):
            last = version
    return last


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of ``folder``, or ``None`` where it has none.

    Raises ``PublishError`` where something of its name is there but is not a manifest.
    """
    with Folder.opened(folder) as opened:
        status = opened.status(MANIFEST)
        if status is None:
            return None
        if not is_file(status):
            raise PublishError(f"{folder / MANIFEST} is not a plain file; {_RESTORE}")
        data = opened.read(MANIFEST)
    try:
        return Manifest.parse(data)
    except PublishError as error:
        raise PublishError(f"{folder}: {error}") from None


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
            raise PublishError(f"{path} and {files[path.casefold()]} differ only in case")
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
