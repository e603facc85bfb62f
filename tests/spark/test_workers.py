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


@pytest.mark.parametrize(
    ("task", "asked", "is_frozen"),
    [("the context of a task", "true", True), (None, "true", False), ("the context of a task", "", False)],
)
def test_a_worker_does_not_collect_what_it_loaded_if_its_session_says_so(
    task: str | None, asked: str, is_frozen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TaskContext, "get", lambda: task)
    monkeypatch.setenv(workers.FREEZE, asked)
    workers.settle()
    assert (gc.get_freeze_count() > 0) == is_frozen


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
