"""Spark sessions: a classic session with two threads, and Spark Connect sessions with a server in the same JVM."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.spark.support import java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HOST: Final = "127.0.0.1"
_CONNECT_PORT: Final = "spark.connect.grpc.binding.port"


def classic_session(folder: Path) -> SparkSession:
    """Return a session with two threads. Workers run this interpreter, not the ``python3`` on the PATH."""
    # Every process that a session starts inherits these variables.
    for name, options in java.ENVIRONMENT.items():
        os.environ.setdefault(name, options)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession  # noqa: PLC0415 - not every run of the tests has it

    settings: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.driver.host": _HOST,
        "spark.driver.bindAddress": _HOST,
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.log.level": "ERROR",
        # A task fails if it does not release the memory that it has counted.
        "spark.unsafe.exceptionOnMemoryLeak": "true",
        "spark.connect.grpc.binding.address": _HOST,
        _CONNECT_PORT: str(_free_port()),
    }
    return SparkSession.builder.master("local[2]").appName("tests").config(map=settings).getOrCreate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def connect_session(classic: Any) -> Iterator[SparkSession]:
    """Return a Spark Connect session. The first session starts the server, which ends with the classic session."""
    from pyspark.sql.connect.session import SparkSession as ConnectSession  # noqa: PLC0415 - needs gRPC

    context = classic.sparkContext
    service = context._jvm.org.apache.spark.sql.connect.service.SparkConnectService  # noqa: SLF001 - starts the server
    service.start(context._jsc.sc())  # noqa: SLF001 - likewise
    address = f"sc://{_HOST}:{context.getConf().get(_CONNECT_PORT)}"
    session: Any = ConnectSession.builder.remote(address).create()
    try:
        yield session
    finally:
        session.stop()
