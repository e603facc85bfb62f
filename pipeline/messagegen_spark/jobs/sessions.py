"""Sessions for jobs: local, on a cluster, or through Spark Connect; and what their executors can do."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from messagegen_spark.jobs.interrupts import interruptible
from messagegen_spark.jobs.packaging import write_package

_UNDER_SPARK_SUBMIT: Final = "PYSPARK_GATEWAY_PORT"
_PROBES: Final = 16
_FACTS: Final = "host string, engine string, python string, sees boolean"


class ExecutorError(RuntimeError):
    """Raised where executors can't do the work; says what they lack."""


@dataclass(frozen=True, slots=True)
class Executors:
    """What some tasks found out about where they ran."""

    hosts: tuple[str, ...]
    engines: tuple[str, ...]
    """``native``, ``python``, or both where executors differ."""
    pythons: tuple[str, ...]


def is_connect(master: str | None) -> bool:
    """Whether this is the address of a Spark Connect server."""
    return master is not None and master.startswith("sc://")


@contextmanager
def job_session(
    name: str, master: str | None = None, conf: Mapping[str, str] | None = None, *, ship: bool | None = None
) -> Iterator[SparkSession]:
    """A session of its own, stopped at the end. Ctrl-C cancels its queries and is a ``KeyboardInterrupt``.

    ``master`` is that of ``spark-submit``, or the address of a Spark Connect server (``sc://host:port``). ``None`` leaves it to
    ``spark-submit``, ``spark-defaults.conf`` and ``SPARK_REMOTE``, and is this machine where nothing else says.

    ``ship`` sends this package to the executors; ``None`` does so wherever they may be other machines, unless ``spark-submit`` began
    this process, which has ``--py-files``. It has to happen before the first DataFrame is built.
    """
    is_local = master is None or master.startswith("local")
    if is_local and _UNDER_SPARK_SUBMIT not in os.environ:
        # Spark would take the `python3` of the PATH, which need not be the one that has the libraries.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName(name)
    settings = dict(conf or {})
    if is_connect(master):
        builder = builder.remote(master)
    else:
        builder = builder if master is None else builder.master(master)
        # Progress is shown by whoever runs the job, or not at all. Connect's clients have no say in it, and show none.
        settings.setdefault("spark.ui.showConsoleProgress", "false")
    for key, value in settings.items():
        builder = builder.config(key, value)
    # The driver hands the archive to executors whenever they come, so it is kept as long as the session.
    with interruptible() as cancel_on_interrupt, tempfile.TemporaryDirectory() as folder:
        spark: SparkSession = builder.getOrCreate()
        cancel_on_interrupt(spark)
        try:
            if ship or (ship is None and not is_local and _UNDER_SPARK_SUBMIT not in os.environ):
                ship_package(spark, Path(folder) / "messagegen_spark.zip")
            yield spark
        finally:
            spark.stop()


def ship_package(spark: SparkSession, archive: Path) -> None:
    """Sends this package and generated code to the executors of a session, for the DataFrames that are built from then on.

    ``archive`` is a new file, which has to stay while the session lasts: executors that come later fetch it then.
    """
    write_package(archive)
    spark.addArtifacts(str(archive), pyfile=True)


def probe_executors(spark: SparkSession, shared: Path) -> Executors:
    """Asks executors what they have, and whether they see the folder ``shared``.

    Raises ``ExecutorError`` where they lack this package, what it needs, or the folder.
    """
    marked = shared.resolve()

    def facts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # What is missing on an executor shall be missed there.
        from messagegen_spark.jobs.probe import executor_facts  # noqa: PLC0415

        return executor_facts(batches, str(marked))

    is_local = (spark.conf.get("spark.master", "") or "").startswith("local")
    probes = 1 if is_local else _PROBES
    numbers = spark.range(0, probes, 1, probes)
    try:
        found = numbers.mapInArrow(facts, _FACTS).distinct().collect()
    except PySparkException as problem:
        raise _explained(problem) from problem
    blind = sorted({row["host"] for row in found if not row["sees"]})
    if blind:
        raise ExecutorError(
            f"executors on {', '.join(blind)} do not see {shared}: input and output have to be on paths that lead to the same "
            "place here and on every executor, such as a mounted file system"
        )
    hosts, engines, pythons = (tuple(sorted({row[name] for row in found})) for name in ("host", "engine", "python"))
    return Executors(hosts, engines, pythons)


def _explained(problem: PySparkException) -> Exception:
    text = str(problem)
    for module in ("messagegen_spark", "messagegen_kafka"):
        if f"No module named '{module}" in text:
            return ExecutorError(
                f"executors do not have {module}: ship it (--ship, or spark-submit --py-files with what "
                "'messagegen-pipeline package' wrote)"
            )
    for module in ("pyarrow", "numpy", "pandas", "crc32c"):
        if f"No module named '{module}'" in text:
            return ExecutorError(
                f"executors do not have {module}: install it there, or ship an environment (spark.archives)"
            )
    return problem
