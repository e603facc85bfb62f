"""Ctrl-C while queries run: they are cancelled, so that nothing is written when half-written files are removed."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from messagegen_spark.workers import is_remote

_SECONDS: Final = 10.0
"""How long an interrupt waits until queries are cancelled."""


@contextmanager
def cancelled_on_interrupt(spark: SparkSession, *, alone: bool) -> Iterator[None]:
    """Makes Ctrl-C (SIGINT) cancel the queries of a session and raise ``KeyboardInterrupt``.

    PySpark's own handler calls the JVM on the connection that waits for an answer, which breaks the connection and cancels
    nothing. Here another thread cancels, on its own connection. A second Ctrl-C does not wait for it. ``alone`` says that no
    other session shares the Spark application. Only the main thread receives signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    interrupted = False

    def on_interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        nonlocal interrupted
        interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Py4J logs tracebacks of calls that were interrupted.
        logging.disable(logging.CRITICAL)
        thread = threading.Thread(target=_cancel, args=(spark, alone), name="cancel", daemon=True)
        thread.start()
        thread.join(_SECONDS)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    except Exception as problem:
        # PySpark calls the JVM as it leaves a query, on the connection that the interrupt left half-read.
        if interrupted:
            raise KeyboardInterrupt from problem
        raise
    finally:
        signal.signal(signal.SIGINT, before)
        logging.disable(logging.NOTSET)


def _cancel(spark: SparkSession, alone: bool) -> None:
    # The session may have ended meanwhile.
    with suppress(PySparkException, OSError):
        if is_remote(spark) or not alone:
            spark.interruptAll()
            return
        # Spark logs cancelled tasks as failures.
        spark.sparkContext.setLogLevel("OFF")
        spark.sparkContext.cancelAllJobs()
