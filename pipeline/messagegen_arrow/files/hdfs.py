"""HDFS, by hdfs-native: a client in Rust, which needs neither Java nor Hadoop.

Everything that others may see comes with one rename, which HDFS does at once: files are written under hidden names beside their own.
A file with versions is a folder with hidden names in it:

    .<version>.token    empty; there is exactly one, and its name says which version counts
    .<version>.data     what the version holds

The next version is there when the token has its name. A rename needs the old name, so of several processes that replace a version one
succeeds, and the others find no token of that name.
"""

from __future__ import annotations

import errno
import os
import posixpath
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from messagegen_arrow.files.paths import Url, shown
from messagegen_arrow.files.store import Listing, ReplacedError, Store, Stored, StoredObject, StoreError, Version

if TYPE_CHECKING:
    from hdfs_native import Client, FileReader, FileStatus

T = TypeVar("T")

_BLOCK: Final = 1 << 23
_ATTEMPTS: Final = "2"
"""A name node that was named itself has no other one to wait for; the library asks again after 0.5 seconds, 1 and so on."""
_HIDDEN: Final = re.compile(r"\.[0-9a-f]{32}\.(new|token|data)")
_TOKEN: Final = re.compile(r"\.([0-9a-f]{32})\.token")
_PERMISSION: Final = re.compile(r"Permission denied: user=[^\s\\]+ access=\w+")
_MOST_REASON: Final = 300
_FAILURES: Final = (OSError, RuntimeError, NotImplementedError)
"""What the library raises; errors of the name node come as ``RuntimeError`` with the name of the Java class."""


def hdfs(url: Url) -> Store:
    """A name service or name node. Raises ``StoreError`` for a missing library and an unknown name service; it is not asked yet."""
    return _Hdfs(url)


class _Hdfs:
    def __init__(self, url: Url) -> None:
        self._url = url
        try:
            self._native = import_module("hdfs_native")
        except ModuleNotFoundError:
            raise StoreError(f"{url.root} needs hdfs-native; install it with: pip install 'messagegen[hdfs]'") from None
        settings = {"dfs.client.failover.max.attempts": _ATTEMPTS} if ":" in url.place else {}
        self._client: Client = self._ask("", lambda: self._native.Client(url.root if url.place else None, settings))

    def listing(self, folder: str) -> Listing:
        found = [each for each in self._statuses(folder, recursive=False) or () if not _is_hidden(each)]
        files = {_name(each.path): _stored(each) for each in found if not each.isdir}
        return Listing(files, frozenset(_name(each.path) for each in found if each.isdir))

    def all_in(self, folder: str) -> list[str]:
        found = self._statuses(folder, recursive=True) or ()
        return [each.path.strip("/") for each in found if not each.isdir and not _is_hidden(each)]

    def about(self, key: str) -> Stored:
        return self._ask(key, lambda: self._about(key))

    def opened(self, key: str) -> StoredObject:
        # Opened first: if the version is the one that was planned with, it was that of the open file, too.
        reader = self._ask(key, lambda: self._client.read(_path(key)))
        return _File(self, key, reader, Stored(len(reader), self.about(key).version))

    def part(self, key: str, reader: FileReader, about: Stored, start: int, end: int) -> bytes:
        """The bytes between two positions of an open file."""
        try:
            found = self._ask(key, lambda: reader.read_range(start, end - start))
        except OSError:
            if self._is_still(key, about):
                raise
            raise StoreError(f"{self._shown(key)}: the file was replaced while it was read: read it again") from None
        if len(found) != end - start:
            raise StoreError(f"{self._shown(key)}: {len(found)} of {end - start} bytes came: read it again")
        return found

    def read(self, key: str) -> bytes:
        return self._ask(key, lambda: self._client.read(_path(key)).read())

    def put(self, key: str, data: bytes | Path, content_type: str | None = None) -> None:
        del content_type  # HDFS has none
        with self._written(key, data) as new, suppress(FileExistsError):
            self._ask(key, partial(self._rename, new, _path(key), overwrite=True))

    def put_new(self, key: str, data: bytes | Path) -> None:
        with self._written(key, data) as new:
            self._ask(key, partial(self._rename, new, _path(key)))

    def move_each(self, pairs: Sequence[tuple[str, str]]) -> None:
        for folder in dict.fromkeys(posixpath.dirname(_path(target)) for _, target in pairs):
            self._ask(folder, partial(self._client.mkdirs, folder, create_parent=True))
        for source, target in pairs:
            # Another process may have brought it there.
            with suppress(FileExistsError):
                self._ask(source, partial(self._rename, _path(source), _path(target)))

    def remove(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._delete(key, recursive=False)

    def remove_all_in(self, folder: str) -> None:
        self._delete(folder, recursive=True)

    def put_first(self, key: str, data: bytes) -> str | None:
        def write() -> str:
            version, folder = uuid.uuid4().hex, _beside(key)
            with self._removed_unless_renamed(folder):
                self._write(key, f"{folder}/.{version}.data", data)
                self._write(key, f"{folder}/.{version}.token", b"")
                self._rename(folder, _path(key))
            return version

        return self._ask(key, write)

    def put_again(self, key: str, data: bytes, version: str | None) -> str | None:
        def write() -> str:
            new = uuid.uuid4().hex
            with self._removed_unless_renamed(f"{_path(key)}/.{new}.data") as file:
                # Without its folder it was removed, and is not to be made again.
                self._write(key, file, data, create_parent=False)
                # No other process makes a token of this name: where it is there already, only the answer was lost.
                with suppress(FileExistsError):
                    self._rename(f"{_path(key)}/.{version}.token", f"{_path(key)}/.{new}.token")
            with suppress(*_FAILURES):
                self._client.delete(f"{_path(key)}/.{version}.data")
            return new

        try:
            return self._ask(key, write)
        except FileNotFoundError:
            raise ReplacedError(f"{self._shown(key)} was replaced by another process") from None

    def read_version(self, key: str) -> Version | None:
        replaced = None
        while True:
            statuses = self._statuses(key, recursive=False)
            if statuses is None:
                return None
            tokens = (_TOKEN.fullmatch(_name(each.path)) for each in statuses)
            found = next((match[1] for match in tokens if match), None)
            if found is None:
                raise StoreError(f"{self._shown(key)} was not written by messagegen: remove it, or name another place")
            if found == replaced:
                raise StoreError(
                    f"{self._shown(key)} is damaged: a file in it is missing; remove it with all that is in it"
                )
            with suppress(FileNotFoundError):
                return Version(self.read(f"{key}/.{found}.data"), found)
            replaced = found

    def remove_versions(self, key: str) -> None:
        self._delete(key, recursive=True)

    def _statuses(self, folder: str, *, recursive: bool) -> list[FileStatus] | None:
        """What is in a folder; ``None`` if nothing has its name. There is nothing in a file."""
        path = _path(folder)
        while True:
            with suppress(FileNotFoundError):
                found = self._ask(folder, lambda: list(self._client.list_status(path, recursive)))
                # A file is listed as itself.
                return [each for each in found if each.path != path]
            try:
                self._ask(folder, lambda: self._client.get_file_info(path))
            except FileNotFoundError:
                return None
            # Only a folder in it was removed meanwhile.

    def _is_still(self, key: str, about: Stored) -> bool:
        try:
            return self.about(key).version == about.version
        except FileNotFoundError:
            return False

    def _about(self, key: str) -> Stored:
        status = self._client.get_file_info(_path(key))
        if status.isdir:
            raise FileNotFoundError
        return _stored(status)

    def _delete(self, key: str, *, recursive: bool) -> None:
        with suppress(FileNotFoundError):
            self._ask(key, lambda: self._client.delete(_path(key), recursive))

    @contextmanager
    def _written(self, key: str, data: bytes | Path) -> Iterator[str]:
        """A hidden file beside the one that is to be, with all its bytes."""
        with self._removed_unless_renamed(_beside(key)) as path:
            self._write(key, path, data)
            yield path

    @contextmanager
    def _removed_unless_renamed(self, path: str) -> Iterator[str]:
        try:
            yield path
        except BaseException:
            with suppress(*_FAILURES):
                self._client.delete(path, recursive=True)
            raise

    def _write(self, key: str, path: str, data: bytes | Path, *, create_parent: bool = True) -> None:
        """Writes a hidden file. Only what HDFS fails at is an error of ``key``, and not what the local file fails at."""
        options = self._native.WriteOptions(create_parent=create_parent)
        file = self._ask(key, lambda: self._client.create(path, options))
        try:
            for block in _blocks(data):
                self._ask(key, partial(file.write, block))
        except BaseException:
            with suppress(*_FAILURES):
                file.close()
            raise
        self._ask(key, file.close)

    def _rename(self, source: str, target: str, *, overwrite: bool = False) -> None:
        """Raises ``FileExistsError`` also if the answer was lost: then the library asks again, and finds nothing to rename."""
        try:
            self._client.rename(source, target, overwrite)
        except FileNotFoundError:
            self._client.get_file_info(target)
            raise FileExistsError from None

    def _ask(self, key: str, call: Callable[[], T]) -> T:
        """What the library gives; its errors become ours."""
        try:
            return call()
        except StoreError:
            raise
        except _FAILURES as problem:
            raise self._problem(key, problem) from None

    def _problem(self, key: str, problem: Exception) -> OSError:
        path = self._shown(key)
        if isinstance(problem, FileExistsError):
            return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if isinstance(problem, FileNotFoundError):
            return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return StoreError(f"{path}: {self._reason(problem)}")

    def _reason(self, problem: Exception) -> str:
        text = str(problem)
        if "AccessControlException" in text:
            found = _PERMISSION.search(text)
            said = found[0].replace("Permission denied: ", "") if found else "these credentials may not do this"
            return f"access denied ({said}): set {self._url.credentials_advice}"
        if "No NameNode hosts found" in text:
            return (
                f"unknown name service {self._url.place}: expected the port of a name node, as in hdfs://{self._url.place}:8020, or "
                "dfs.ha.namenodes in hdfs-site.xml in HADOOP_CONF_DIR"
            )
        if "fs.defaultFS" in text or "must contain a host" in text:
            return "no name node: expected hdfs://HOST:PORT/FOLDER, or fs.defaultFS in core-site.xml in HADOOP_CONF_DIR"
        if re.search("SASL|GSSAPI|Kerberos|libgssapi", text):
            return f"no credentials that are accepted ({_line(text)}): set {self._url.credentials_advice}"
        if "StandbyException" in text:
            return "no name node of this service is active: make one active, or try again later"
        if isinstance(problem, NotImplementedError):
            return f"hdfs-native does not support this: {_line(text)}; copy the files elsewhere"
        return f"{_line(text)}; check the network, and host and port of the name node"

    def _shown(self, key: str) -> str:
        return shown(self._url.at(key.strip("/")))


class _File:
    """A file with the blocks that it had when it was opened; those of a file that replaces it are others."""

    def __init__(self, store: _Hdfs, key: str, reader: FileReader, about: Stored) -> None:
        self.about = about
        self._store = store
        self._key = key
        self._reader = reader

    def read(self, start: int, end: int) -> bytes:
        return self._store.part(self._key, self._reader, self.about, start, end)


def _blocks(data: bytes | Path) -> Iterator[bytes]:
    """The bytes, or those of a local file; errors of reading it name it."""
    if isinstance(data, bytes):
        yield data
        return
    try:
        with data.open("rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as problem:
        problem.filename = problem.filename or str(data)
        raise


def _path(key: str) -> str:
    return f"/{key.strip('/')}"


def _beside(key: str) -> str:
    return posixpath.join(posixpath.dirname(_path(key)), f".{uuid.uuid4().hex}.new")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_hidden(status: FileStatus) -> bool:
    return any(_HIDDEN.fullmatch(part) for part in status.path.split("/"))


def _stored(status: FileStatus) -> Stored:
    # The library does not tell the number of the inode.
    return Stored(status.length, f"{status.modification_time}-{status.length}")


def _line(text: str) -> str:
    """The library's text without Java's stack."""
    return re.split(r"\\n|\n", text)[0][:_MOST_REASON]
