"""Writing to object stores. Each object is there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Final, NamedTuple

from messagegen_arrow.files.paths import parsed, shown
from messagegen_arrow.files.stores import StoreError, explained, located

_MOST_AT_ONCE: Final = 5 << 30
"""What stores take in one request, and only one request can have the condition that nothing is there yet."""
_AT_ONCE: Final = 16


class ReplacedError(StoreError):
    """Raised for an object that is not what it was when it was last written or read here."""


class Version(NamedTuple):
    """What an object held when it was read, and what tells it from others."""

    data: bytes
    e_tag: str | None


def put(path: str, data: bytes | Path) -> None:
    """Writes an object, in place of any other. Raises ``StoreError``."""
    store, key = located(path)
    with explained(path):
        store.put(key, data)


def put_new(path: str, data: bytes | Path) -> str | None:
    """Writes an object where there is none, and gives its e-tag. Raises ``FileExistsError`` where there is one, and ``StoreError``."""
    store, key = located(path)
    with explained(path):
        return store.put(key, data, mode="create", use_multipart=False)["e_tag"]


def put_again(path: str, data: bytes, e_tag: str | None) -> str | None:
    """Replaces what has this e-tag, and gives the new one. Raises ``ReplacedError`` where it has another one, and ``StoreError``."""
    from obstore.exceptions import PreconditionError  # noqa: PLC0415 - local paths do without

    store, key = located(path)
    with explained(path):
        try:
            return store.put(key, data, mode={"e_tag": e_tag or ""})["e_tag"]
        except (PreconditionError, FileNotFoundError):
            raise ReplacedError(f"{shown(path)} was replaced by another process") from None


def read_version(path: str) -> Version | None:
    """What an object holds; ``None`` if there is none. Raises ``StoreError``."""
    store, key = located(path)
    try:
        with explained(path):
            found = store.get(key)
            e_tag = found.meta["e_tag"]
            return Version(bytes(found.bytes()), e_tag)
    except FileNotFoundError:
        return None


def remove(paths: Iterable[str]) -> None:
    """Removes objects, if they are there. Raises ``StoreError``."""
    grouped: dict[str, list[str]] = {}
    for path in paths:
        grouped.setdefault(parsed(path).at(""), []).append(parsed(path).key)
    for root, keys in grouped.items():
        store, _ = located(root)
        with explained(root):
            store.delete(keys)


def copy_each(pairs: Sequence[tuple[str, str]]) -> None:
    """Copies objects within a store, which moves no bytes here. Raises ``FileNotFoundError`` and ``StoreError``."""

    def copy(pair: tuple[str, str]) -> None:
        store, source = located(pair[0])
        with explained(pair[0]):
            store.copy(source, parsed(pair[1]).key)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(copy, pairs))


def everything_in(folder: str) -> list[str]:
    """The paths of all objects in a folder and the folders below it. Raises ``StoreError``."""
    url = parsed(folder)
    store, key = located(folder)
    with explained(folder):
        return [url.at(each["path"]) for chunk in store.list(key or None, chunk_size=1000) for each in chunk]


@contextmanager
def new_object(path: str) -> Iterator[IO[bytes]]:
    """A file to write, which becomes an object at the end of the block; if that raises, nothing is left.

    The bytes are kept on this machine until then. Raises ``FileExistsError`` if there is such an object, at the beginning or at the
    end, and ``StoreError``.
    """
    if size_of(path) is not None:
        raise FileExistsError(17, os.strerror(17), shown(path))
    with NamedTemporaryFile(prefix="messagegen-") as file:
        yield file
        file.flush()
        if Path(file.name).stat().st_size > _MOST_AT_ONCE:
            raise StoreError(
                f"{shown(path)}: more than 5 GiB can't be written at once: write to a local file and copy that"
            )
        put_new(path, Path(file.name))


def size_of(path: str) -> int | None:
    """The size of an object; ``None`` if there is none. Raises ``StoreError``."""
    store, key = located(path)
    try:
        with explained(path):
            return int(store.head(key)["size"])
    except FileNotFoundError:
        return None
