"""What workers do before their first batch."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import TaskContext
from pyspark.sql import SparkSession

from messagegen_spark import workers


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Nothing is frozen before a test; afterwards, what the process keeps is frozen again."""
    gc.unfreeze()
    workers.settle.cache_clear()
    yield
    gc.freeze()
    workers.settle.cache_clear()


def test_a_worker_no_longer_collects_what_it_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TaskContext, "get", lambda: "the context of a task")
    monkeypatch.setenv(workers.FREEZE, "true")
    workers.settle()
    frozen = gc.get_freeze_count()
    assert frozen > 0
    later: list[object] = []
    later.append(later)
    workers.settle()
    assert gc.get_freeze_count() <= frozen, "only what was there before the first batch stays for good"


def test_other_processes_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(workers.FREEZE, "true")
    workers.settle()
    assert gc.get_freeze_count() == 0


def test_workers_are_left_alone_unless_their_session_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TaskContext, "get", lambda: "the context of a task")
    monkeypatch.delenv(workers.FREEZE, raising=False)
    workers.settle()
    assert gc.get_freeze_count() == 0


class LocalSession(SparkSession):
    """A session without a JVM, of which only the context is asked."""

    def __init__(self, master: str, **conf: str) -> None:
        self.context = SimpleNamespace(master=master, pythonExec="python3", getConf=lambda: conf)

    @property
    def sparkContext(self) -> Any:  # noqa: N802 - Spark's name
        return self.context


@pytest.mark.parametrize(
    ("session", "variable", "python"),
    [
        (LocalSession("local[2]"), None, sys.executable),
        (LocalSession("spark://host:7077"), None, "python3"),
        (LocalSession("local[2]"), "/opt/python", "python3"),
        (LocalSession("local[2]", **{"spark.pyspark.python": "/opt/python"}), None, "python3"),
    ],
)
def test_local_workers_run_this_python_where_nothing_is_said(
    session: LocalSession, variable: str | None, python: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if variable is not None:
        monkeypatch.setenv("PYSPARK_PYTHON", variable)
    workers.use_this_python(session)
    assert session.context.pythonExec == python
