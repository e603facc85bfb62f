"""Object stores, read with obstore. As with other tools, settings and credentials come from the environment."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from messagegen_arrow.files.paths import name_of, shown, split_url

_LEAST_BYTES: Final = 1 << 18
"""The minimum size of a request. A smaller request takes as long, and the additional bytes are often requested next."""
_SECRET: Final = re.compile(r"(?i)\?[^\s\"')]*|(?<=invalid access key).*|\n\nDebug source.*", re.DOTALL)
"""The parts of the library's errors that may contain signatures and keys, or that are meant for its developers."""


class StoreError(OSError):
    """Raised if a store cannot be reached, refuses a request, or has replaced an object. It contains no secrets."""


class Entry(NamedTuple):
    """A file in a folder."""

    size: int
    inode: int
    """The identity that distinguishes the file from a later file of the same name; 0 if the store provides none."""


class StoredFile:
    """An object, as it was when it was opened. The bytes of the last request are kept."""

    def __init__(self, url: str) -> None:
        """Open the object. Raises ``FileNotFoundError`` and ``StoreError``."""
        self.url = url
        with _request(url) as (store, key):
            self._meta = store.head(key)
        self._start, self._block = 0, b""

    def read_at(self, count: int, position: int) -> bytes:
        """Return ``count`` bytes from a position on, or fewer at the end of the file."""
        end = min(position + count, self.size())
        if position >= end:
            return b""
        if position < self._start or end > self._start + len(self._block):
            stop = min(position + max(count, _LEAST_BYTES), self.size())
            with _request(self.url) as (store, key):
                options = {"range": (position, stop), "if_match": self._meta["e_tag"]}
                self._start, self._block = position, bytes(store.get(key, options=options).bytes())
        return self._block[position - self._start : end - self._start]

    def size(self) -> int:
        """Return the number of bytes."""
        return int(self._meta["size"])

    def inode(self) -> int:
        """Return the identity that distinguishes the object from a later object of the same name."""
        return _entry(self._meta).inode


def list_store(url: str) -> dict[str, Entry | None]:
    """Return the entries of a folder, by name; ``None`` for a folder in it. Empty if the folder does not exist.

    Raises ``StoreError``.
    """
    with _request(url) as (store, key):
        found = store.list_with_delimiter(key or None)
    folders = dict.fromkeys(map(name_of, found["common_prefixes"]))
    return folders | {name_of(each["path"]): _entry(each) for each in found["objects"]}


def _entry(meta: Any) -> Entry:
    return Entry(meta["size"], zlib.crc32((meta["e_tag"] or "").encode()))


@lru_cache(maxsize=32)
def _store(root: str, _process: int) -> Any:
    # Connections are cached by process, because a child process cannot use the connections of its parent.
    return import_module("obstore.store").from_url(root)


@contextmanager
def _request(url: str) -> Iterator[tuple[Any, str]]:
    """Yield the store of a URL and the key in it, and convert the library's errors.

    They become ``StoreError`` and ``FileNotFoundError``.
    """
    root, key = split_url(url)
    try:
        errors = import_module("obstore.exceptions")
    except ModuleNotFoundError:
        raise StoreError(f"{root} needs obstore; install it with `pip install obstore`") from None
    try:
        yield _store(root, os.getpid()), key
    except FileNotFoundError:
        raise FileNotFoundError(2, os.strerror(2), url) from None
    except errors.PreconditionError:
        raise StoreError(f"{shown(url)}: the object was replaced while it was read; read it again") from None
    except errors.BaseError as problem:
        reason = " ".join(_SECRET.sub("", str(problem)).split())[:300]
        raise StoreError(f"{shown(url)}: {reason}; check credentials, region and endpoint in the environment") from None
