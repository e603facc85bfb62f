"""Writing to stores. Each file is there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from errno import EEXIST
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from messagegen_arrow.files.paths import parsed, shown
from messagegen_arrow.files.stores import located


def put(path: str, data: bytes | Path, content_type: str | None = None) -> None:
    """Writes a file, in place of any other; browsers take its bytes for this type. Raises ``StoreError``."""
    store, key = located(path)
    store.put(key, data, content_type)


def put_new(path: str, data: bytes | Path) -> None:
    """Writes a file where there is none. Raises ``FileExistsError`` where there is one, and ``StoreError``."""
    store, key = located(path)
    store.put_new(key, data)


def remove(paths: Iterable[str]) -> None:
    """Removes files, if they are there. Raises ``StoreError``."""
    grouped: dict[str, list[str]] = {}
    for path in paths:
        grouped.setdefault(parsed(path).at(""), []).append(parsed(path).key)
    for root, keys in grouped.items():
        store, _ = located(root)
        store.remove(keys)


def remove_all_in(folder: str) -> None:
    """Removes a folder with everything in it, if it is there. Raises ``StoreError``."""
    store, key = located(folder)
    store.remove_all_in(key)


def move_each(pairs: Sequence[tuple[str, str]]) -> None:
    """Brings files to other places in a store, which moves no bytes here. Where a store can only copy them, the first ones stay.

    Raises ``FileNotFoundError`` and ``StoreError``.
    """
    if pairs:
        store, _ = located(pairs[0][0])
        store.move_each([(parsed(source).key, parsed(target).key) for source, target in pairs])


def everything_in(folder: str) -> list[str]:
    """The paths of all files in a folder and the folders below it. Raises ``StoreError``."""
    url = parsed(folder)
    store, key = located(folder)
    return [url.at(each) for each in store.all_in(key)]


@contextmanager
def new_object(path: str) -> Iterator[IO[bytes]]:
    """A file to write, which gets its name at the end of the block; if that raises, nothing is left.

    The bytes are kept on this machine until then. Raises ``FileExistsError`` if there is such a file, at the beginning or at the
    end, and ``StoreError``.
    """
    if size_of(path) is not None:
        raise FileExistsError(EEXIST, os.strerror(EEXIST), shown(path))
    with NamedTemporaryFile(prefix="messagegen-") as file:
        yield file
        file.flush()
        put_new(path, Path(file.name))


def size_of(path: str) -> int | None:
    """The size of a file; ``None`` if there is none. Raises ``StoreError``."""
    store, key = located(path)
    try:
        return store.about(key).size
    except FileNotFoundError:
        return None
