"""What is in folders, by path or URL."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from glob import glob, has_magic
from pathlib import Path
from typing import Final, Literal, NamedTuple

from messagegen_arrow.files.opening import identity
from messagegen_arrow.files.paths import is_url, joined, name_of, parent_of, parsed
from messagegen_arrow.files.store import Listing
from messagegen_arrow.files.stores import located

_AT_ONCE: Final = 32
"""So many folders of a store are listed at the same time: each takes as long as a way there and back."""


class Entry(NamedTuple):
    """A file in a folder."""

    size: int
    inode: int
    """Tells the file from one that has its name later."""


class Folders:
    """Folders as they are when they are first asked for: those of stores are listed once, each in a request for 1,000 names.

    Local ones are looked at each time, which costs little.
    """

    def __init__(self) -> None:
        self._listed: dict[str, Listing] = {}

    def names(self, folder: str) -> set[str]:
        """The names in a folder; none if it is gone. Raises ``OSError``."""
        if is_url(folder):
            found = self._listing(folder)
            return {*found.files, *found.folders}
        try:
            return {entry.name for entry in Path(folder).iterdir()}
        except (FileNotFoundError, NotADirectoryError):
            return set()

    def entry(self, file: str) -> Entry | None:
        """A file's size and identity; ``None`` if it is gone. Raises ``OSError``."""
        if is_url(file):
            stored = self._listing(parent_of(file)).files.get(name_of(file))
            return None if stored is None else Entry(stored.size, identity(stored.version))
        try:
            stat = Path(file).stat()
        except FileNotFoundError:
            return None
        return Entry(stat.st_size, stat.st_ino)

    def kind(self, path: str) -> Literal["file", "folder"] | None:
        """What there is at a path; ``None`` if nothing is. Raises ``OSError``."""
        if not is_url(path):
            return "folder" if Path(path).is_dir() else "file" if Path(path).exists() else None
        if parsed(path).key:
            above = self._listed.get(parent_of(path)) or self._around(path)
            if name_of(path) in above.files:
                return "file"
            return "folder" if name_of(path) in above.folders else None
        self._listing(path)
        return "folder"

    def expanded(self, pattern: str) -> list[str]:
        """The paths that match a pattern, sorted; a path without magic matches itself. Raises ``OSError``."""
        if not is_url(pattern):
            return sorted(glob(pattern))  # noqa: PTH207 - patterns may be absolute
        url = parsed(pattern)
        found = [url.at("")]
        for part in url.key.split("/"):
            if not has_magic(part):
                found = [joined(each, part) for each in found]
                continue
            self.expect(found)
            found = [joined(each, name) for each in found for name in self.names(each) if fnmatchcase(name, part)]
        return sorted(found)

    def expect(self, folders: Iterable[str]) -> None:
        """Lists folders that will be asked for, many at the same time. Raises ``OSError``."""
        unknown = [each for each in dict.fromkeys(folders) if is_url(each) and each not in self._listed]
        if len(unknown) > 1:
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                self._listed.update(zip(unknown, pool.map(_list, unknown), strict=True))

    def _listing(self, folder: str) -> Listing:
        if folder not in self._listed:
            self._listed[folder] = _list(folder)
        return self._listed[folder]

    def _around(self, path: str) -> Listing:
        """Enough of the folder above a path to tell what the path is; a bucket's folders may be many."""
        own = self._listing(path)
        if own.files or own.folders:
            return Listing({}, frozenset([name_of(path)]))
        return self._listing(parent_of(path))


def is_pattern(path: str) -> bool:
    """Whether a path may match several."""
    return has_magic(parsed(path).key if is_url(path) else path)


def _list(folder: str) -> Listing:
    store, key = located(folder)
    return store.listing(key)
