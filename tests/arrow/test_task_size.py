"""Into how many tasks files are cut, by their bytes."""

from __future__ import annotations

import pytest

from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.task_size import MEBIBYTE, task_size


@pytest.mark.parametrize(
    ("mebibytes", "tasks"), [(0.5, 1), (16, 1), (17, 2), (34, 4), (65, 8), (130, 16), (500, 32), (8000, 63)]
)
def test_few_tasks_are_a_power_of_two(mebibytes: float, tasks: int) -> None:
    total = int(mebibytes * MEBIBYTE)
    size = task_size(total, 1, LogOptions.parse({"path": "logs"}))
    assert -(-total // size.bytes) == tasks


def test_the_largest_size_of_tasks_is_kept() -> None:
    options = LogOptions.parse({"path": "logs", "maxPartitionBytes": "5m"})
    assert task_size(35 * MEBIBYTE, 1, options).bytes == 5 * MEBIBYTE


def test_there_are_at_least_so_many_tasks() -> None:
    options = LogOptions.parse({"path": "logs", "minPartitions": "6"})
    assert 6 <= -(-35 * MEBIBYTE // task_size(35 * MEBIBYTE, 1, options).bytes) <= 7
