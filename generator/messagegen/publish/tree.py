"""Updates the files of a folder so that a killed run leaves either the old or the new set.

The new tree is built next to the folder, under a name that means "worthless" (``.NAME.messagegen-stage-...``): unchanged
files are hard links, so they keep their timestamps. Then it gets a name that means "complete"
(``.NAME.messagegen-swap-...``) and is exchanged with the folder in one system call. If that call is not available,
files are replaced one by one.

The names are the journal: ``recover`` needs nothing else to clean up after a killed run. They end with the inode numbers of
the folders that messagegen created or replaced, so a planted, copied or checked-out folder is never mistaken for one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen.publish.folder import Folder, is_file, is_folder
from messagegen.publish.header import proves_itself
from messagegen.publish.manifest import MANIFEST, Manifest, PublishError, read_manifest

if sys.platform != "win32":
    import fcntl

CACHE_FOLDERS: Final = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
CACHE_FILES: Final = frozenset({".DS_Store", "Thumbs.db"})

_CWD: Final = -2 if sys.platform == "darwin" else -100
_SWAP_FLAG: Final = 2  # RENAME_EXCHANGE of Linux's renameat2 and RENAME_SWAP of macOS's renameatx_np
_LEFTOVER: Final = re.compile(r"(stage|swap)-([0-9]{1,20})(?:-([0-9]{1,20}))?")


@dataclass(frozen=True, slots=True)
class TreeUpdate:
    """The changes to a folder: files to write and to remove, by relative POSIX path; the manifests before and after.

    ``after`` is ``None`` if the manifest does not change.
    """

    write: Mapping[str, bytes]
    remove: Sequence[str]
    before: Manifest | None
    after: Manifest | None


def is_cache(path: str) -> bool:
    """Whether ``path`` (relative, POSIX) is a disposable cache file of a tool."""
    *folders, name = path.split("/")
    return name in CACHE_FILES or name.endswith(".pyc") or not CACHE_FOLDERS.isdisjoint(folders)


def list_files(folder: Path) -> set[str]:
    """Relative POSIX paths of everything below ``folder`` except plain folders.

    Links are listed, not followed; a repository is listed as just ``.git``.
    """
    found: set[str] = set()
    pending = [""]
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


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Locks ``folder`` against other runs for a ``with`` block; the system releases the lock if a run is killed."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems have no locks; the caller must then ensure that runs don't overlap.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def recover(output: Path) -> None:
    """Removes what a killed run left next to ``output``; the output itself is always complete.

    Only touches folders whose names contain their own inode numbers, because only messagegen can have created those.
    """
    with Folder.opened(output.parent) as parent:
        for name, role, was_output in _leftovers(parent, output.name):
            if was_output:
                _bring_back(parent, name, output.name)
            # A partly removed tree must no longer look complete.
            parent.remove_tree(name if role == "stage" else _renamed(parent, name, output.name, "stage"))
        with contextlib.suppress(OSError):
            parent.remove_empty(_new(output.name))


def update_tree(output: Path, update: TreeUpdate) -> None:
    """Applies ``update`` to ``output``, a folder that may not exist yet; call :func:`recover` first."""
    try:
        with Folder.opened(output.parent) as parent:
            _refuse_mount_point(parent, output)
            stage = _made(parent, output.name)
            with parent.below(stage) as staged:
                for path, content in update.write.items():
                    staged.write(path, content)
                if update.after:
                    staged.write(MANIFEST, update.after.render())
            status = parent.status(output.name)
            if status is None:
                parent.rename(stage, output.name)
            elif _link_rest(parent, output, stage, update):
                swap = _renamed(parent, stage, output.name, "swap", status.st_ino)
                if not exchange(parent, swap, output.name):
                    stage = _renamed(parent, swap, output.name, "stage")
                    _update_in_place(parent, output, stage, update)
            else:
                _update_in_place(parent, output, stage, update)
    finally:
        recover(output)


def _refuse_mount_point(parent: Folder, output: Path) -> None:
    """Raises ``PublishError`` for a mount point: files are moved into the output by renaming, which can't cross file systems."""
    status = parent.status(output.name)
    if status is not None and parent.is_elsewhere(status):
        raise PublishError(f"{output} is a mount point; write to a folder inside it, such as {output / 'messages'}")


def exchange(parent: Folder, left: str, right: str) -> bool:
    """Exchanges two folders in one step; returns false if the platform or the file system cannot do it."""
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if function is None:
        return False
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    at = _CWD if parent.descriptor is None else parent.descriptor
    result: int = function(at, os.fsencode(left), at, os.fsencode(right), _SWAP_FLAG)
    return result == 0


def _new(output: str) -> str:
    return f".{output}.messagegen-new"


def _made(parent: Folder, output: str) -> str:
    """Creates an empty folder next to ``output``; its name contains its inode number, which is known after it is created."""
    name = _new(output)
    try:
        parent.mkdir(name)
    except FileExistsError:
        raise PublishError(
            f"{parent.path / name} is in the way, and messagegen did not create it; move it away"
        ) from None
    return _renamed(parent, name, output, "stage")


def _renamed(parent: Folder, name: str, output: str, role: str, *others: int) -> str:
    status = parent.status(name)
    assert status is not None
    new = "-".join((f".{output}.messagegen-{role}", str(status.st_ino), *map(str, others)))
    parent.rename(name, new)
    return new


def _leftovers(parent: Folder, output: str) -> list[tuple[str, str, bool]]:
    """What killed runs left: name, role, and whether it is the previous output folder."""
    start = f".{output}.messagegen-"
    with os.scandir(parent.path if parent.descriptor is None else parent.descriptor) as entries:
        names = sorted(entry.name for entry in entries if entry.name.startswith(start))
    found: list[tuple[str, str, bool]] = []
    for name in names:
        match, status = _LEFTOVER.fullmatch(name.removeprefix(start)), parent.status(name)
        if match and status and is_folder(status) and str(status.st_ino) in match.groups()[1:]:
            found.append((name, match[1], match[1] == "swap" and str(status.st_ino) == match[3]))
    return found


def _link_rest(parent: Folder, output: Path, stage: str, update: TreeUpdate) -> bool:
    """Links everything that stays in ``output`` into ``stage``; returns false if that is impossible or moving the folder does harm.

    Moving it harms a repository inside it, and the caller's shell if it is inside it.
    """
    gone = {*update.write, *update.remove, *((MANIFEST,) if update.after else ())}
    # Caches last: they are only kept if something else created their folder.
    stays = sorted((path for path in list_files(output) if path not in gone), key=is_cache)
    try:
        if Path.cwd().is_relative_to(output.resolve()):
            return False
        with parent.below(output.name) as old, parent.below(stage) as new:
            for path in stays:
                with old.around(path) as (folder, name):
                    if not is_file(folder.status(name)):
                        return False
                if not is_cache(path) or _has_folder(new, _cache_owner(path)):
                    old.link(path, new)
            _copy_folders(old, new, "")
    except OSError:
        return False
    return True


def _cache_owner(path: str) -> str:
    """The folder that a cache belongs to: the parent of the outermost cache folder of ``path``."""
    *folders, _ = path.split("/")
    caches = [position for position, folder in enumerate(folders) if folder in CACHE_FOLDERS]
    return "/".join(folders[: caches[0]] if caches else folders)


def _has_folder(folder: Folder, path: str) -> bool:
    with folder.around(path) as (holder, name):
        return not path or is_folder(holder.status(name))


def _copy_folders(old: Folder, new: Folder, path: str) -> None:
    """Copies the modes of the old folders to the staged ones, and keeps empty folders, which are not ours to remove."""
    with old.below(path) as source:
        names = sorted(os.listdir(source.path if source.descriptor is None else source.descriptor))
        inner = [name for name in names if is_folder(source.status(name))]
        if not names and CACHE_FOLDERS.isdisjoint(path.split("/")):
            with new.below(path, create=True):
                pass
        if not _has_folder(new, path):
            return
        with new.below(path) as staged:
            staged.copy_mode(source)
    for name in inner:
        _copy_folders(old, new, f"{path}/{name}" if path else name)


def _bring_back(parent: Folder, swap: str, output: str) -> None:
    """Moves other files from the old tree to the output, if they were written during the exchange."""
    manifest = read_manifest(parent.path / swap)
    listed = {MANIFEST, *(manifest.files if manifest else ())}
    with parent.below(swap) as old, parent.below(output) as new:
        for path in sorted(list_files(parent.path / swap) - listed):
            with old.around(path) as (folder, name):
                theirs = folder.status(name)
                if theirs is None or is_cache(path) or (is_file(theirs) and proves_itself(path, folder.read(name))):
                    continue
            ours = _status_below(new, path)
            if ours is None or ours.st_mtime_ns < theirs.st_mtime_ns:
                old.move(path, new)


def _status_below(folder: Folder, path: str) -> os.stat_result | None:
    try:
        with folder.around(path) as (holder, name):
            return holder.status(name)
    except FileNotFoundError:
        return None


def _update_in_place(parent: Folder, output: Path, stage: str, update: TreeUpdate) -> None:
    """Replaces files one by one; until the end, the manifest lists old and new files, so that the next run can finish."""
    with parent.below(output.name) as target, parent.below(stage) as staged:
        if update.after:
            both = update.after.files | (update.before.files if update.before else frozenset[str]())
            _replace_manifest(staged, target, Manifest(update.after.generator, both))
        for path in update.remove:
            target.remove(path)
            _remove_empty_parents(target, path)
        for path in update.write:
            staged.move(path, target)
        if update.after:
            _replace_manifest(staged, target, update.after)


def _replace_manifest(staged: Folder, target: Folder, manifest: Manifest) -> None:
    if staged.status(MANIFEST):
        staged.remove(MANIFEST)
    staged.write(MANIFEST, manifest.render())
    staged.move(MANIFEST, target)


def _remove_empty_parents(output: Folder, path: str) -> None:
    while path := path.rpartition("/")[0]:
        with output.around(path) as (folder, name):
            if not all(is_cache(left) for left in list_files(folder.path / name)):
                return
            folder.remove_tree(name)
