"""The processor time of a process and its descendants, from ``/proc``."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_times(root: int) -> dict[int, float]:
    """Return the seconds of processor time of a process and its living descendants, by process id."""
    return {pid: sum(map(int, stat[11:13])) / _TICKS for pid, stat in _tree(root)}


def cpu_between(before: dict[int, float], after: dict[int, float]) -> float:
    """Return the processor time between two results of ``cpu_times``, without processes that exited in between."""
    return sum(seconds - before.get(pid, 0.0) for pid, seconds in after.items())


def _tree(root: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the id of the process and of each descendant, with the fields of ``stat`` from the field ``state`` on."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    stats: dict[int, list[str]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            # A process may exit at any time.
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
