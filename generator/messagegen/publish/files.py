"""File operations below a folder: links are never followed, and a file is replaced in one step.

New content is written to a file beside the target, which is then renamed. So a killed run leaves the old file or the
new file, and perhaps the temporary file (``beside``), which the next run removes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Collection, Generator, Iterator
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

LEFTOVER: Final = ".messagegen-new"
CACHE: Final = "__pycache__"


def folders_above(folder: Path, path: str) -> list[Path]:
    """Return the folders between ``folder`` and a ``path`` below it, innermost first."""
    names = path.split("/")[:-1]
    return [folder.joinpath(*names[:length]) for length in range(len(names), 0, -1)]


def walk(folder: Path, apart: Collection[str] = ()) -> Iterator[str]:
    """Yield the relative POSIX paths of files and folders below ``folder``, sorted; paths of folders end with a slash.

    Hidden files and folders are omitted, and so are the folders ``apart``. Links are not followed. Raise ``OSError`` if
    a folder cannot be read.
    """
    # Folders may be nested more deeply than calls, so this does not recurse.
    left = [""]
    while left:
        path = left.pop()
        if path:
            yield path
        if path and not path.endswith("/"):
            continue
        with os.scandir(folder / path) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name, reverse=True)
        left += [
            f"{path}{entry.name}{'/' if entry.is_dir(follow_symlinks=False) else ''}"
            for entry in entries
            if not entry.name.startswith(".") and f"{path}{entry.name}" not in apart
        ]


def read(folder: Path, path: str) -> bytes:
    """Return the content of a file. Raise ``OSError`` unless it is a plain file that is not behind a link."""
    _check_above(folder, path)
    if not stat.S_ISREG((folder / path).lstat().st_mode):
        raise OSError(0, "not a plain file", str(folder / path))
    return (folder / path).read_bytes()


def beside(target: Path) -> Path:
    """Return the temporary file for new content of ``target``."""
    return target.with_name(f".{target.name}{LEFTOVER}")


def replace(folder: Path, path: str, content: bytes) -> None:
    """Create or replace a file; keep the mode of an existing file.

    Raise ``OSError`` with the name of the file if this fails or the file is behind a link. In that case, the file is
    unchanged, and no temporary file is left.
    """
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    _check_above(folder, path)
    new = beside(target)
    new.unlink(missing_ok=True)
    try:
        # Mode "x" does not follow a link.
        with new.open("xb") as file:
            file.write(content)
        if target.is_file() and not target.is_symlink():
            shutil.copymode(target, new)
        new.replace(target)
    except OSError as error:
        new.unlink(missing_ok=True)
        # Errors while writing, for example on a full disk, do not name the file.
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error


def remove(folder: Path, path: str) -> None:
    """Remove a file, and the folders that then contain nothing but bytecode of removed modules.

    Raise ``OSError`` for a file behind a link.
    """
    _check_above(folder, path)
    (folder / path).unlink()
    for above in folders_above(folder, path):
        if set(os.listdir(above)) == {CACHE}:
            _remove_bytecode(above / CACHE)
        if os.listdir(above):
            break
        above.rmdir()


def _remove_bytecode(cache: Path) -> None:
    """Remove a folder that contains only bytecode of modules; leave it if it is a link or contains anything else."""
    if cache.is_symlink() or not cache.is_dir():
        return
    contents = list(cache.iterdir())
    if all(file.suffix == ".pyc" and stat.S_ISREG(file.lstat().st_mode) for file in contents):
        shutil.rmtree(cache)


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Lock ``folder`` against other runs for a ``with`` block; the system releases the lock if a run is killed."""
    # Windows and some network file systems have no such locks. There, callers must ensure that runs don't overlap.
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


def _check_above(folder: Path, path: str) -> None:
    if any(above.is_symlink() for above in folders_above(folder, path)):
        raise OSError(0, "behind a symbolic link", str(folder / path))
