"""File operations in an open folder that never follow links, no matter who creates them and when.

A path is resolved name by name, each from the descriptor of its parent folder. If the system has no such calls (Windows),
full paths are used, and each folder on the way is checked first.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Generator
from pathlib import Path
from typing import Final

_BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_FOLDER: Final = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Folder:
    """An open folder. ``name`` arguments are names in it, ``path`` arguments relative POSIX paths below it."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path) -> Generator[Folder]:
        """Opens the folder ``path`` for a ``with`` block; links on the way to it are the caller's responsibility."""
        descriptor = os.open(path, _FOLDER) if _BY_DESCRIPTOR else None
        try:
            yield cls(path, descriptor)
        finally:
            if descriptor is not None:
                os.close(descriptor)

    @contextlib.contextmanager
    def below(self, path: str, *, create: bool = False) -> Generator[Folder]:
        """The folder ``path`` below this one (itself for an empty path); ``create`` creates missing folders.

        Raises ``OSError`` if anything on the way is a link or a file.
        """
        folder = Folder(self.path, None if self.descriptor is None else os.dup(self.descriptor))
        try:
            for name in filter(None, path.split("/")):
                if create and folder.status(name) is None:
                    folder.mkdir(name)
                folder._step(name)
            yield folder
        finally:
            folder._close()

    @contextlib.contextmanager
    def around(self, path: str, *, create: bool = False) -> Generator[tuple[Folder, str]]:
        """The parent folder of ``path``, and its last name."""
        head, _, name = path.rpartition("/")
        with self.below(head, create=create) as folder:
            yield folder, name

    def status(self, name: str) -> os.stat_result | None:
        """The status of ``name``, without following links; ``None`` if it does not exist."""
        try:
            return os.stat(self.at(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def is_elsewhere(self, status: os.stat_result) -> bool:
        """Whether a status is that of something on another file system than this folder."""
        own = os.stat(self.path) if self.descriptor is None else os.fstat(self.descriptor)
        return own.st_dev != status.st_dev

    def mkdir(self, name: str) -> None:
        """Creates a folder."""
        os.mkdir(self.at(name), dir_fd=self.descriptor)

    def write(self, path: str, content: bytes) -> None:
        """Writes a new file."""
        with self.around(path, create=True) as (folder, name):
            descriptor = os.open(folder.at(name), _WRITE, 0o666, dir_fd=folder.descriptor)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)

    def read(self, name: str) -> bytes:
        """The content of a file; raises ``OSError`` for a link or anything else that is not a plain file."""
        descriptor = os.open(self.at(name), _READ, dir_fd=self.descriptor)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "not a plain file", str(self.path / name))
            return file.read()

    def link(self, path: str, target: Folder) -> None:
        """Hard-links the file ``path`` to ``path`` below ``target``."""
        with self.around(path) as (here, name), target.around(path, create=True) as (there, _):
            follow = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
            os.link(here.at(name), there.at(name), src_dir_fd=here.descriptor, dst_dir_fd=there.descriptor, **follow)

    def move(self, path: str, target: Folder) -> None:
        """Moves the file ``path`` to ``path`` below ``target``, replacing any existing file."""
        with self.around(path) as (here, name), target.around(path, create=True) as (there, _):
            os.replace(here.at(name), there.at(name), src_dir_fd=here.descriptor, dst_dir_fd=there.descriptor)

    def rename(self, name: str, new: str) -> None:
        """Renames an entry of this folder."""
        os.rename(self.at(name), self.at(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, path: str) -> None:
        """Removes a file."""
        with self.around(path) as (folder, name):
            os.unlink(folder.at(name), dir_fd=folder.descriptor)

    def remove_empty(self, name: str) -> None:
        """Removes an empty folder."""
        os.rmdir(self.at(name), dir_fd=self.descriptor)

    def remove_tree(self, name: str) -> None:
        """Removes a folder and its contents."""
        shutil.rmtree(self.at(name), dir_fd=self.descriptor)

    def copy_mode(self, source: Folder) -> None:
        """Sets the mode of this folder to that of ``source``."""
        if self.descriptor is not None and source.descriptor is not None:
            os.fchmod(self.descriptor, stat.S_IMODE(os.fstat(source.descriptor).st_mode))

    def at(self, name: str) -> str:
        """``name`` in the form for a call with the descriptor."""
        return name if self.descriptor is not None else str(self.path / name)

    def _step(self, name: str) -> None:
        if self.descriptor is not None:
            inner = os.open(name, _FOLDER, dir_fd=self.descriptor)
            os.close(self.descriptor)
            self.descriptor = inner
        elif not is_folder(self.status(name)):
            raise NotADirectoryError(0, "not a plain folder", str(self.path / name))
        self.path /= name

    def _close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)


def is_folder(status: os.stat_result | None) -> bool:
    """Whether a status is that of a folder, not a link to one."""
    return status is not None and stat.S_ISDIR(status.st_mode)


def is_file(status: os.stat_result | None) -> bool:
    """Whether a status is that of a plain file, not a link to one."""
    return status is not None and stat.S_ISREG(status.st_mode)
