"""Processor time and memory of a process and all that it started, out of ``/proc``."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PEAK: Final = "VmHWM:"
_RESET_PEAK: Final = "5"
"""What ``clear_refs`` takes to begin a new peak (proc(5))."""


def cpu_times(root: int) -> dict[int, float]:
    """Seconds of processor time that a process and its descendants used until now, without those that ended."""
    return {pid: sum(map(int, stat[11:13])) / _TICKS for pid, stat in _tree(root)}


def cpu_between(before: dict[int, float], after: dict[int, float]) -> float:
    """Processor time between two looks; that of what ended in between is missing from it."""
    return sum(seconds - before.get(pid, 0.0) for pid, seconds in after.items())


def reset_peaks(root: int) -> None:
    """Begins new peaks of memory for a process and its descendants."""
    for pid, _ in _tree(root):
        with contextlib.suppress(OSError):
            (_PROC / str(pid) / "clear_refs").write_text(_RESET_PEAK, encoding="ascii")


def peak_bytes(root: int, wanted: Callable[[str], bool]) -> int:
    """Peaks of resident memory since ``reset_peaks``, added up over the descendants whose command ``wanted`` takes.

    Peaks of several processes need not be at the same time, so the sum is an upper bound. What ended meanwhile does not
    count.
    """
    return sum(_peak(pid) for pid, _ in _tree(root) if pid != root and wanted(_command(pid)))


def _tree(root: int) -> Iterator[tuple[int, list[str]]]:
    """The process and its descendants: numbers, and the fields of ``stat`` from the state on."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    stats: dict[int, list[str]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            # Processes end while they are looked at.
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                stats[int(entry.name)] = stat
                children[int(stat[1])].append(int(entry.name))
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        waiting += children[pid]
        if pid in stats:
            yield pid, stats[pid]


def _peak(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in (_PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(_PEAK):
                return int(line.split()[1]) * 1024
    return 0


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return (_PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""
