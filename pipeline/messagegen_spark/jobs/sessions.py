"""Sessions for jobs: local, on a cluster, or through Spark Connect; and what their executors can do."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from messagegen_spark.jobs.interrupts import cancelled_on_interrupt
from messagegen_spark.jobs.packaging import write_package
from messagegen_spark.workers import FREEZE, is_remote, use_this_python

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
    """A session for a job. Ctrl-C cancels its queries and is a ``KeyboardInterrupt``.

    It is one of its own that is stopped at the end; where this process has a session already, it is a new one beside that, which
    shares its cluster, and nothing is stopped. ``master`` is that of ``spark-submit``, or the address of a Spark Connect server (``sc://host:port``).
    ``None`` leaves it to ``spark-submit``, ``spark-defaults.conf`` and ``SPARK_REMOTE``, and is this machine where nothing else says.

    ``ship`` sends this package to the executors; ``None`` does so wherever they may be other machines, unless ``spark-submit`` began
    this process, which has ``--py-files``. It has to happen before the first DataFrame is built. Raises ``ValueError`` for a master that
    is not that of the session that there is.
    """
    running = SparkSession.getActiveSession()
    # The driver hands the archive to executors whenever they come, so it is kept as long as the session.
    with tempfile.TemporaryDirectory() as folder:
        spark = _new_session(name, master, conf or {}) if running is None else _beside(running, master, conf or {})
        with cancelled_on_interrupt(spark, alone=running is None):
            try:
                if ship or (ship is None and not is_local(spark) and _UNDER_SPARK_SUBMIT not in os.environ):
                    ship_package(spark, Path(folder) / "messagegen_spark.zip")
                yield spark
            finally:
                if running is None:
                    spark.stop()


def _new_session(name: str, master: str | None, conf: Mapping[str, str]) -> SparkSession:
    builder: Any = SparkSession.builder.appName(name)
    settings = dict(conf)
    if is_connect(master):
        builder = builder.remote(master)
    else:
        builder = builder if master is None else builder.master(master)
        # Progress is shown by whoever runs the job, or not at all. Connect's clients have no say in it, and show none.
        settings.setdefault("spark.ui.showConsoleProgress", "false")
        # The workers of this session are nobody else's.
        settings.setdefault(f"spark.executorEnv.{FREEZE}", "true")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark: SparkSession = builder.getOrCreate()
    use_this_python(spark)
    return spark


def _beside(running: SparkSession, master: str | None, conf: Mapping[str, str]) -> SparkSession:
    """A session with settings, views and data sources of its own, in the cluster of another one."""
    is_other = is_connect(master) != is_remote(running) or (
        not is_remote(running) and master != running.sparkContext.master
    )
    if master is not None and is_other:
        raise ValueError(
            f"this process has a session with another master already: stop it before a job runs on {master}, or do not set the master"
        )
    spark = running.newSession()
    for key, value in conf.items():
        spark.conf.set(key, value)
    return spark


def is_local(spark: SparkSession) -> bool:
    """Whether executors are threads of this machine's driver, and so see what this process sees."""
    return not is_remote(spark) and (spark.conf.get("spark.master", "") or "").startswith("local")


def ship_package(spark: SparkSession, archive: Path) -> None:
    """Sends this package and generated code to the executors of a session, for the DataFrames that are built from then on.

    ``archive`` is a new file, which has to stay while the session lasts: executors that come later fetch it then.
    """
    write_package(archive)
    spark.addArtifacts(str(archive), pyfile=True)


def probe_executors(spark: SparkSession, shared: Path | str | None) -> Executors:
    """Asks executors what they have, and whether they see the folder ``shared``, or reach the store of a URL.

    Raises ``ExecutorError`` where they lack this package, what it needs, or the folder.
    """
    marked = str(shared.resolve()) if isinstance(shared, Path) else shared

    def facts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # What is missing on an executor shall be missed there.
        from messagegen_spark.jobs.probe import executor_facts  # noqa: PLC0415

        return executor_facts(batches, marked)

    probes = 1 if (spark.conf.get("spark.master", "") or "").startswith("local") else _PROBES
    numbers = spark.range(0, probes, 1, probes)
    try:
        found = numbers.mapInArrow(facts, _FACTS).distinct().collect()
    except PySparkException as problem:
        raise _explained(problem) from problem
    blind = sorted({row["host"] for row in found if not row["sees"]})
    if blind:
        raise ExecutorError(
            f"executors on {', '.join(blind)} have no access to {shared}: input and output must be on a file system that is mounted "
            "at the same path here and on every executor"
        )
    hosts, engines, pythons = (tuple(sorted({row[name] for row in found})) for name in ("host", "engine", "python"))
    return Executors(hosts, engines, pythons)


def _explained(problem: PySparkException) -> Exception:
    text = str(problem)
    for module in ("messagegen_arrow", "messagegen_spark", "messagegen_kafka"):
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
