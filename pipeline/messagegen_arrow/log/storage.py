"""The files of object stores for the native engine, which reads local files itself."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen_arrow.files import Folders, StoredFile, joined, name_of

_Entry = tuple[str, int, bool, int]
"""Name, size, whether a folder, identity."""


class Storage:
    """What the engine calls. Raises ``OSError``. Folders that were expected are listed at the same time, and once."""

    def __init__(self) -> None:
        self._expected = Folders()
        self._listed: set[str] = set()

    def expect(self, folders: Sequence[str]) -> None:
        """Lists folders that will be asked for."""
        self._expected = Folders()
        self._listed = set(folders)
        self._expected.expect(folders)

    def list(self, folder: str) -> list[_Entry]:
        """What is in a folder."""
        known = self._expected if folder in self._listed else Folders()
        self._listed.discard(folder)
        return [_entry(name, known.entry(joined(folder, name))) for name in known.names(folder)]

    def entry(self, path: str) -> _Entry | None:
        """What is at a path; ``None`` if nothing is."""
        folders = Folders()
        kind = folders.kind(path)
        if kind is None:
            return None
        return _entry(name_of(path), folders.entry(path) if kind == "file" else None)

    def open(self, path: str) -> StoredFile:
        """An open object."""
        return StoredFile(path)


def _entry(name: str, found: tuple[int, int] | None) -> _Entry:
    return (name, 0, True, 0) if found is None else (name, found[0], False, found[1])
