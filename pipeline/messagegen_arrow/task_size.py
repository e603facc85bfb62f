"""How much a task reads: as many tasks as keep cores busy, of about equal size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Protocol, TypeVar

MEBIBYTE: Final = 1 << 20
_FEW_BYTES: Final = 16 * MEBIBYTE
"""From so much on there is a second task: starting one costs about as much as reading half of it."""
_MANY_TASKS: Final = 32
"""So many tasks keep a small cluster busy; up to there they get smaller than ``maxPartitionBytes``."""


class TaskLimits(Protocol):
    """Options of a source that say how much a task reads."""

    @property
    def max_partition_bytes(self) -> int:
        """How many bytes a task reads at most."""
        ...

    @property
    def min_partitions(self) -> int:
        """How many tasks there are at least, as far as files can be split."""
        ...


class TaskSize(NamedTuple):
    """How many bytes a task reads, and as how many of them opening a file counts."""

    bytes: int
    of_file: int


class _Range(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


_AnyRange = TypeVar("_AnyRange", bound=_Range)


def task_size(total: int, files: int, limits: TaskLimits) -> TaskSize:
    """Tasks of ``maxPartitionBytes``, or smaller ones where these would be few; at least ``minPartitions``.

    Few tasks are a power of two, as cores mostly are: of three equal tasks, two cores take as long as for four.
    """
    shares = max(1, -(-total // _FEW_BYTES))
    tasks = min(_MANY_TASKS, 1 << (shares - 1).bit_length())
    share = _FEW_BYTES if tasks == 1 else -(-total // tasks)
    size = max(1, min(limits.max_partition_bytes, share))
    of_file = -(-size // _MANY_TASKS)
    return TaskSize(max(1, min(size, (total + files * of_file) // limits.min_partitions)), of_file)


def packed(ranges: Iterable[_AnyRange], size: TaskSize) -> Iterator[list[_AnyRange]]:
    """Neighbours together, as long as they cost at most a task's bytes."""
    group: list[_AnyRange] = []
    cost = 0
    for each in ranges:
        own = each.end - each.start + size.of_file
        if group and cost + own > size.bytes + size.of_file:
            yield group
            group, cost = [], 0
        group.append(each)
        cost += own
    if group:
        yield group
