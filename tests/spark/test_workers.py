"""Which Python workers run."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from messagegen_spark import workers


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
