"""File operations below a folder: links are never followed, and a file is replaced in one step.

A new content is written beside the file and then takes its name, so a killed run leaves the old file or the new one. What else
it leaves has a name that ends with ``LEFTOVER``, which the next run removes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

LEFTOVER: Final = ".messagegen-new"
CACHE_FOLDERS: Final = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
CACHE_FILES: Final = frozenset({".DS_Store", "Thumbs.db"})

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_LINK


def is_cache(path: str) -> bool:
    """Whether ``path`` (relative, POSIX) is a disposable cache file of a tool."""
    *folders, name = path.split("/")
    return name in CACHE_FILES or name.endswith(".pyc") or not CACHE_FOLDERS.isdisjoint(folders)


def list_files(folder: Path) -> set[str]:
    """Relative POSIX paths of everything below ``folder`` except plain folders.

    Links are listed, not followed; a repository is listed as just ``.git``. A folder that is not there has none.
    """
    found: set[str] = set()
    pending = [""] if folder.is_dir() else []
    while pending:
        prefix = pending.pop()
        with os.scandir(folder / prefix) as entries:
            for entry in entries:
                path = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                    pending.append(f"{path}/")
                else:
                    found.add(path)
    return found


def link_above(folder: Path, path: str) -> Path | None:
    """The first link among the folders between ``folder`` and ``path`` below it."""
    parts = path.split("/")[:-1]
    above = (folder.joinpath(*parts[: end + 1]) for end in range(len(parts)))
    return next((each for each in above if each.is_symlink()), None)


def read(folder: Path, path: str) -> bytes:
    """The content of a file; raises ``OSError`` for anything that is not a plain file, or is behind a link."""
    if link_above(folder, path):
        raise OSError(0, "behind a symbolic link", str(folder / path))
    with os.fdopen(os.open(folder / path, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "not a plain file", str(folder / path))
        return file.read()


def replace(folder: Path, path: str, content: bytes) -> None:
    """Creates a file, or replaces it; keeps the mode of a file that is there."""
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if link_above(folder, path):
        raise OSError(0, "behind a symbolic link", str(target))
    beside = target.with_name(f".{target.name}{LEFTOVER}")
    try:
        with os.fdopen(os.open(beside, _WRITE, 0o666), "wb") as file:
            file.write(content)
            if target.exists() and not target.is_symlink():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def remove(folder: Path, path: str) -> None:
    """Removes a file, and the folders that it leaves with nothing but caches."""
    (folder / path).unlink()
    while (path := path.rpartition("/")[0]) and all(map(is_cache, list_files(folder / path))):
        shutil.rmtree(folder / path)


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Locks ``folder`` against other runs for a ``with`` block; the system releases the lock if a run is killed."""
    # Windows has no such locks, and some network file systems neither: the caller must then ensure that runs don't overlap.
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
