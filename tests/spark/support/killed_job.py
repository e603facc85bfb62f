"""A process that runs a job in the Spark of another one, and can be killed like any other: starting a JVM for each takes too long."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from messagegen_arrow.tables.delta import DeltaLakeTable
from messagegen_arrow.tables.iceberg import IcebergTable
from messagegen_arrow.tables.opening import open_table
from messagegen_spark.jobs import table_commits
from messagegen_spark.jobs.decode import DecodeMessages
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import Job, run_job
from messagegen_spark.jobs.table_commits import committed_target
from messagegen_spark.jobs.tables import table_target
from messagegen_spark.jobs.targets import parquet_target
from tests.spark.support.dying import die_at
from tests.spark.support.job_data import VERSION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTITION_BY = ("topic", "partition")
_LOST_WORKER = "Python worker exited unexpectedly"
"""Spark's workers are shared by all who use it here, and one of them may go when a job that it worked for has."""
TRY_AGAIN = 75
"""The exit code of a process that lost a worker; its job has failed as jobs do, and can go on."""
_STEPS = ((os, "fsync"), (Path, "mkdir"), (Path, "replace"), (Path, "rename"))
"""What makes units part of an output, and outputs part of a job; files have none of it while they are written."""


class Gateway(NamedTuple):
    """Where a JVM listens."""

    port: int
    token: str

    @classmethod
    def of(cls, spark: SparkSession) -> Gateway:
        """That of a session in this process."""
        parameters: Any = spark.sparkContext._gateway  # noqa: SLF001 - PySpark has no other way to it
        return cls(parameters.gateway_parameters.port, parameters.gateway_parameters.auth_token)


class Work(NamedTuple):
    """What a process does, and where it dies of its own accord."""

    gateway: Gateway
    logs: Path
    output: Path
    table: str | None = None
    table_options: Mapping[str, str] | None = None
    """For a table that a library writes."""
    dies_at: str | None = None
    """The moment at which it kills itself: ``before commit 2`` of a table, or ``after list 1`` of the files of a unit."""
    last_step: int | None = None
    """The number of the step before or after which it kills itself; ``None``: it goes on until somebody else does."""


def decode(logs: Path, unit_bytes: int = 1) -> Job:
    """A job with a unit for each segment."""
    source = Input((str(logs),))
    return DecodeMessages(input=source, message="OffsetCommitValue", version=VERSION).job(unit_bytes)


def started(work: Work) -> tuple[ForkServerProcess, Event]:
    """A process that does the work, and what it sets before it begins with the job."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    begins = context.Event()
    process = context.Process(target=_run, args=(work, begins), daemon=True)
    process.start()
    return process, begins


def _run(work: Work, begins: Event) -> None:
    spark = _attached(work.gateway)
    Input(()).register(spark)
    target = parquet_target(_PARTITION_BY)
    if work.table_options is not None:
        target = committed_target(open_table(work.table or "", work.table_options), _PARTITION_BY)
    elif work.table is not None:
        target = table_target(spark, work.table, "parquet", _PARTITION_BY)
    if work.last_step is not None:
        die_at(work.last_step, _STEPS)
    if work.dies_at is not None:
        _die_at_moment(work.dies_at)
    begins.set()
    try:
        run_job(spark, decode(work.logs), work.output, target)
    except Exception as problem:
        if _LOST_WORKER in str(problem):
            os._exit(TRY_AGAIN)
        raise
    # Its Spark is that of others: nothing of it is to be stopped.
    os._exit(0)


def _attached(gateway: Gateway) -> SparkSession:
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415 - not in processes that only wait
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = str(gateway.port), gateway.token
    os.environ["PYSPARK_PYTHON"] = sys.executable
    launch: Any = launch_gateway
    connected = launch()
    scala = connected.jvm.org.apache.spark.SparkContext.getOrCreate()
    java = connected.jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(scala)
    return SparkSession(SparkContext(gateway=connected, jsc=java, conf=SparkConf(_jconf=java.getConf())))


def _die_at_moment(moment: str) -> None:
    when, what, number = moment.split()
    owners = [(table_commits, "_save")] if what == "list" else [(IcebergTable, "_append"), (DeltaLakeTable, "_append")]
    calls = itertools.count(1)

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def wrapped(*arguments: Any) -> Any:
            is_last = next(calls) == int(number)
            if is_last and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            call(*arguments)
            if is_last:
                os.kill(os.getpid(), signal.SIGKILL)

        return wrapped

    for owner, name in owners:
        setattr(owner, name, counted(getattr(owner, name)))
