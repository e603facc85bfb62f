"""Kills a process before a change of the file system, and makes full disks."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

_CHANGES: Final = frozenset({"os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir"})
"""The audit events of calls that change the file system, except the opening of a file for writing."""


def killed_at(step: int, action: Callable[[], int]) -> int:
    """Run ``action`` in a child process, which is killed just before file system change number ``step``.

    Return the exit code, or the negative number of the signal. With step 0, the process is not killed.
    """
    with warnings.catch_warnings():
        # The child runs only the action, so locks that other threads hold do not matter.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        _kill_at(step)
        os._exit(action())
    finally:
        os._exit(99)


def _kill_at(step: int) -> None:
    """Kill this process just before file system change number ``step``; never if ``step`` is 0."""
    left = step

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in _CHANGES or (event == "open" and _writes(arguments)):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def _writes(arguments: tuple[object, ...]) -> bool:
    path, _, flags = arguments
    return path != os.devnull and isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


@contextlib.contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """Mount a disk of this size on ``folder`` for a ``with`` block; skip the test if that is impossible."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root may mount a small disk, on Linux")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this system does not allow to mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def space_of(folder: Path, kilobytes: int) -> Iterator[None]:
    """Fill the disk of ``folder`` for a ``with`` block, so that only this many kilobytes are free."""
    filler = folder / "filler"
    filler.touch()
    disk = os.statvfs(folder)
    filler.write_bytes(bytes(max(0, disk.f_bavail * disk.f_frsize - kilobytes * 1024)))
    try:
        yield
    finally:
        filler.unlink()
