"""What workers do before their first batch."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from pyspark import TaskContext

from messagegen_spark import workers


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Nothing is frozen before a test, nor after it."""
    gc.unfreeze()
    workers.settle.cache_clear()
    yield
    gc.unfreeze()
    workers.settle.cache_clear()


def test_a_worker_no_longer_collects_what_it_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TaskContext, "get", lambda: "the context of a task")
    workers.settle()
    frozen = gc.get_freeze_count()
    assert frozen > 0
    later: list[object] = []
    later.append(later)
    workers.settle()
    assert gc.get_freeze_count() <= frozen, "only what was there before the first batch stays for good"


def test_other_processes_are_left_alone() -> None:
    workers.settle()
    assert gc.get_freeze_count() == 0
