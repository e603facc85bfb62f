"""What a store is: the few operations that everything else is made of, and their errors.

Keys are paths in a store, without slashes at their ends. A file is there whole or not at all, whoever looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol


class StoreError(OSError):
    """Raised where a store can't be reached, does not answer, or refuses; says what to change, and no secrets."""


class ReplacedError(StoreError):
    """Raised for a file that is not what it was when it was last written or read here."""


class Stored(NamedTuple):
    """What a store says of a file."""

    size: int
    version: str | None
    """Tells it from a file that has its name later; ``None`` where the store does not."""


class Listing(NamedTuple):
    """What is in a folder, by name."""

    files: dict[str, Stored]
    folders: frozenset[str]


class Version(NamedTuple):
    """What a file held when it was read, and what tells it from others."""

    data: bytes
    version: str | None


class StoredObject(Protocol):
    """A file as it was when it was opened."""

    @property
    def about(self) -> Stored:
        """Its size and version."""
        ...

    def read(self, start: int, end: int) -> bytes:
        """The bytes between two positions within its size. Raises ``StoreError``, also where the file was replaced."""
        ...


class Store(Protocol):
    """A place with files. All operations raise ``StoreError``, and ``FileNotFoundError`` where they name a file that is not there.

    Local files that are to be written raise ``OSError`` with their names.
    """

    def listing(self, folder: str) -> Listing:
        """What is in a folder; nothing if it is not there."""
        ...

    def all_in(self, folder: str) -> list[str]:
        """The keys of all files in a folder and the folders below it."""
        ...

    def about(self, key: str) -> Stored:
        """The size and version of a file."""
        ...

    def opened(self, key: str) -> StoredObject:
        """A file to read parts of."""
        ...

    def read(self, key: str) -> bytes:
        """All bytes of a small file."""
        ...

    def put(self, key: str, data: bytes | Path, content_type: str | None = None) -> None:
        """Writes a file, in place of any other. A store that has types of contents keeps this one."""
        ...

    def put_new(self, key: str, data: bytes | Path) -> None:
        """Writes a file where there is none. Raises ``FileExistsError`` where there is one."""
        ...

    def move_each(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Brings files to other keys. Where a store can only copy them, the first ones stay."""
        ...

    def remove(self, keys: Sequence[str]) -> None:
        """Removes files, if they are there."""
        ...

    def remove_all_in(self, folder: str) -> None:
        """Removes a folder with everything in it, if it is there."""
        ...

    def put_first(self, key: str, data: bytes) -> str | None:
        """Writes the first version of a file with versions, and gives it. Raises ``FileExistsError`` where there is one."""
        ...

    def put_again(self, key: str, data: bytes, version: str | None) -> str | None:
        """Replaces this version of such a file, and gives the new one. Raises ``ReplacedError`` where it has another, or none."""
        ...

    def read_version(self, key: str) -> Version | None:
        """What such a file holds; ``None`` if there is none."""
        ...

    def remove_versions(self, key: str) -> None:
        """Removes such a file, if it is there."""
        ...
