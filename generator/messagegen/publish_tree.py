"""Brings a folder from one set of files to another so that a killed run leaves the old set or the new one.

The new tree is built beside the folder, under a name that means "worthless" (``.NAME.messagegen-stage``): files that
stay are hard links, so they keep their time stamps. Then it gets a name that means "complete"
(``.NAME.messagegen-swap``) and changes places with the folder in one system call. Where that call is not to be had,
files are replaced one by one. The names are the journal: ``recover`` needs nothing else to clean up after a killed run.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen.manifest import MANIFEST, Manifest, read_manifest

if sys.platform != "win32":
    import fcntl

CACHE_FOLDERS: Final = frozenset({"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
CACHE_FILES: Final = frozenset({".DS_Store", "Thumbs.db"})

_AT_FDCWD: Final = -2 if sys.platform == "darwin" else -100
_SWAP_FLAG: Final = 2  # RENAME_EXCHANGE of Linux's renameat2 and RENAME_SWAP of macOS's renameatx_np


@dataclass(frozen=True, slots=True)
class TreeUpdate:
    """What changes in a folder: files to write and to remove, by relative POSIX path; the manifests before and after."""

    write: Mapping[str, bytes]
    remove: Sequence[str]
    before: Manifest | None
    after: Manifest

    @property
    def keeps_manifest(self) -> bool:
        """Whether the manifest is right as it is: other tools that write the same bytes are no reason to touch it."""
        return self.before is not None and self.before.files == self.after.files


def is_cache(path: str) -> bool:
    """Whether ``path`` (relative, POSIX) is something that tools leave behind and nobody misses."""
    *folders, name = path.split("/")
    return name in CACHE_FILES or name.endswith(".pyc") or not CACHE_FOLDERS.isdisjoint(folders)


def list_files(folder: Path) -> set[str]:
    """Relative POSIX paths of everything below ``folder`` but plain folders.

    Links are listed, not followed; a repository is listed as ``.git`` alone.
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
    """Keeps other runs out of ``folder`` for the time of a ``with`` block; the system lets go when a run is killed."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems know no locks; one run at a time is then the caller's promise.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def recover(output: Path) -> None:
    """Removes what a killed run left beside ``output``; the output itself is whole at every moment."""
    if _beside(output, "swap").is_dir():
        _retire(output)
    if _beside(output, "stage").is_dir():
        shutil.rmtree(_beside(output, "stage"))


def update_tree(output: Path, update: TreeUpdate) -> None:
    """Carries out ``update`` in ``output``, a folder that may not exist yet; call :func:`recover` before it."""
    stage, swap = _beside(output, "stage"), _beside(output, "swap")
    try:
        _write_files(stage, update.write)
        if not update.keeps_manifest:
            (stage / MANIFEST).write_bytes(update.after.render())
        if not output.exists():
            stage.rename(output)
        elif _link_rest(output, stage, update):
            stage.rename(swap)
            if exchange(swap, output):
                _retire(output)
            else:
                swap.rename(stage)
                _update_in_place(output, stage, update)
        else:
            _update_in_place(output, stage, update)
    finally:
        recover(output)


def exchange(left: Path, right: Path) -> bool:
    """Makes two folders change places in one step; false where the platform or the file system cannot do it."""
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if function is None:
        return False
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    result: int = function(_AT_FDCWD, os.fsencode(left), _AT_FDCWD, os.fsencode(right), _SWAP_FLAG)
    return result == 0


def _beside(output: Path, role: str) -> Path:
    return output.with_name(f".{output.name}.messagegen-{role}")


def _write_files(stage: Path, contents: Mapping[str, bytes]) -> None:
    stage.mkdir()
    for path, content in contents.items():
        target = stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _link_rest(output: Path, stage: Path, update: TreeUpdate) -> bool:
    """Links into ``stage`` all that stays in ``output``; false where that cannot be, or moving the folder would hurt.

    It would hurt a repository that lies in there, and the caller's shell if it is in there.
    """
    gone = {*update.write, *update.remove, *(() if update.keeps_manifest else (MANIFEST,))}
    # Caches last: they stay only where something else made their folder.
    stays = sorted((path for path in list_files(output) if path not in gone), key=is_cache)
    try:
        if Path.cwd().is_relative_to(output.resolve()):
            return False
        for path in stays:
            source, target = output / path, stage / path
            if source.is_symlink() or not source.is_file():
                return False
            if is_cache(path) and not _cache_owner(target).is_dir():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.hardlink_to(source)
        _copy_folders(output, stage)
    except OSError:
        return False
    return True


def _cache_owner(path: Path) -> Path:
    """The folder that a cache belongs to: the one that holds the outermost cache folder of ``path``."""
    for folder in reversed(path.parents):
        if folder.name in CACHE_FOLDERS:
            return folder.parent
    return path.parent


def _copy_folders(output: Path, stage: Path) -> None:
    """Gives the staged folders the modes of the old ones, and keeps empty ones, which are not ours to remove."""
    for folder, subfolders, files in os.walk(output):
        staged = stage / Path(folder).relative_to(output)
        if not subfolders and not files and CACHE_FOLDERS.isdisjoint(staged.parts):
            staged.mkdir(parents=True, exist_ok=True)
        if staged.is_dir():
            shutil.copymode(folder, staged)


def _retire(output: Path) -> None:
    """Removes the tree that was swapped out, or that never was swapped in.

    A file of somebody else that was written while the trees changed places is moved to the output first.
    """
    stage, swap = _beside(output, "stage"), _beside(output, "swap")
    manifest = read_manifest(swap)
    owned = {MANIFEST, *(manifest.files if manifest else ())}
    for path in sorted(list_files(swap) - owned):
        theirs, ours = swap / path, output / path
        if is_cache(path) or (os.path.lexists(ours) and ours.lstat().st_mtime_ns >= theirs.lstat().st_mtime_ns):
            continue
        ours.parent.mkdir(parents=True, exist_ok=True)
        theirs.replace(ours)
    if stage.is_dir():
        shutil.rmtree(stage)
    # Half removed, the tree must no longer pass for a complete one.
    swap.rename(stage)


def _update_in_place(output: Path, stage: Path, update: TreeUpdate) -> None:
    """Replaces file by file; until the end the manifest owns old files and new ones, so that a next run can finish."""
    if not update.keeps_manifest:
        both = {**update.after.files, **(update.before.files if update.before else {})}
        _replace_manifest(output, stage, Manifest(update.after.generator, update.after.black, both))
    for path in update.remove:
        (output / path).unlink()
        _remove_empty_parents(output, output / path)
    for path in update.write:
        (output / path).parent.mkdir(parents=True, exist_ok=True)
        (stage / path).replace(output / path)
    if not update.keeps_manifest:
        _replace_manifest(output, stage, update.after)


def _replace_manifest(output: Path, stage: Path, manifest: Manifest) -> None:
    (stage / MANIFEST).write_bytes(manifest.render())
    (stage / MANIFEST).replace(output / MANIFEST)


def _remove_empty_parents(output: Path, path: Path) -> None:
    for folder in path.parents:
        if folder == output or not all(is_cache(left) for left in list_files(folder)):
            return
        shutil.rmtree(folder)
