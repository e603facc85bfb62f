"""The contents of folders, by path or URL."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Literal

from messagegen_arrow.files.paths import is_url, name_of, parent_of, split_url
from messagegen_arrow.files.stores import Entry, list_store

_AT_ONCE: Final = 32
"""The number of folders in a store that are listed at the same time: each takes a round trip."""


class Folders:
    """The contents of folders. Folders in stores are listed once and remembered; local folders are read each time."""

    def __init__(self) -> None:
        self._listed: dict[str, dict[str, Entry | None]] = {}

    def names(self, folder: str) -> set[str]:
        """Return the names in a folder, or an empty set if it does not exist. Raises ``OSError``."""
        if is_url(folder):
            return set(self._listing(folder))
        try:
            return {entry.name for entry in Path(folder).iterdir()}
        except (FileNotFoundError, NotADirectoryError):
            return set()

    def entry(self, file: str) -> Entry | None:
        """Return a file's size and identity; ``None`` if it does not exist. Raises ``OSError``."""
        if is_url(file):
            return self._listing(parent_of(file)).get(name_of(file))
        try:
            stat = Path(file).stat()
        except FileNotFoundError:
            return None
        return Entry(stat.st_size, stat.st_ino)

    def kind(self, path: str) -> Literal["file", "folder"] | None:
        """Return the kind of a path, or ``None`` if nothing exists there. Raises ``OSError``."""
        if not is_url(path):
            if Path(path).is_dir():
                return "folder"
            return "file" if Path(path).exists() else None
        if self._listing(path) or not split_url(path)[1]:
            return "folder"
        return None if self.entry(path) is None else "file"

    def expect(self, folders: Iterable[str]) -> None:
        """List folders in stores in parallel, before they are needed. Raises ``OSError``."""
        unknown = [each for each in dict.fromkeys(folders) if is_url(each) and each not in self._listed]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            self._listed.update(zip(unknown, pool.map(list_store, unknown), strict=True))

    def _listing(self, folder: str) -> dict[str, Entry | None]:
        if folder not in self._listed:
            self._listed[folder] = list_store(folder)
        return self._listed[folder]
