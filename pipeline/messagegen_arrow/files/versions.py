"""Small files that several processes write, each only over the version that it has read."""

from __future__ import annotations

from messagegen_arrow.files.store import ReplacedError, Version
from messagegen_arrow.files.stores import located

__all__ = ["ReplacedError", "Version", "put_again", "put_first", "read_version", "remove_versions"]


def put_first(path: str, data: bytes) -> str | None:
    """Writes the first version, and gives it. Raises ``FileExistsError`` where there is one, and ``StoreError``."""
    store, key = located(path)
    return store.put_first(key, data)


def put_again(path: str, data: bytes, version: str | None) -> str | None:
    """Replaces this version, and gives the new one. Raises ``ReplacedError`` where there is another one, and ``StoreError``."""
    store, key = located(path)
    return store.put_again(key, data, version)


def read_version(path: str) -> Version | None:
    """What the file holds; ``None`` if there is none. Raises ``StoreError``."""
    store, key = located(path)
    return store.read_version(key)


def remove_versions(path: str) -> None:
    """Removes the file, if it is there. Raises ``StoreError``."""
    store, key = located(path)
    store.remove_versions(key)
