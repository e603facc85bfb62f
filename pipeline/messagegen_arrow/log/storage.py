"""The files in object stores for the native engine, which reads local files itself."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen_arrow.files import Folders, StoredFile, joined, name_of

_Entry = tuple[str, int, bool, int]
"""The name, the size, whether it is a folder, and the identity."""


class Storage:
    """The storage that the engine calls. Raises ``OSError``. Expected folders are listed in parallel, and only once."""

    def __init__(self) -> None:
        self._expected = Folders()
        self._listed: set[str] = set()

    def expect(self, folders: Sequence[str]) -> None:
        """List folders in parallel before the engine requests them."""
        self._expected = Folders()
        self._listed = set(folders)
        self._expected.expect(folders)

    def list(self, folder: str) -> list[_Entry]:
        """Return the entries of a folder."""
        known = self._expected if folder in self._listed else Folders()
        self._listed.discard(folder)
        return [_entry(name, known.entry(joined(folder, name))) for name in known.names(folder)]

    def entry(self, path: str) -> _Entry | None:
        """Return the entry at a path; ``None`` if nothing exists there."""
        folders = Folders()
        kind = folders.kind(path)
        if kind is None:
            return None
        return _entry(name_of(path), folders.entry(path) if kind == "file" else None)

    def open(self, path: str) -> StoredFile:
        """Open an object."""
        return StoredFile(path)


def _entry(name: str, found: tuple[int, int] | None) -> _Entry:
    return (name, 0, True, 0) if found is None else (name, found[0], False, found[1])
