"""Ctrl-C while queries run: they are cancelled first, so that nothing is written any more when half-written files are removed."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn, Protocol

from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from messagegen_spark.jobs.progress import is_remote

_PATIENCE: Final = 10.0
_PERIOD: Final = 0.05
_OF_PY4J: Final = "KeyboardInterrupt while sending command."


class Canceller(Protocol):
    """Tells Ctrl-C of a session."""

    def __call__(self, spark: SparkSession, *, alone: bool = True) -> None:
        """``alone`` says that all that runs in its cluster for this process is the session's."""


@contextmanager
def interruptible() -> Iterator[Canceller]:
    """Makes Ctrl-C (SIGINT) a ``KeyboardInterrupt`` without pages of tracebacks; gives what has to be told of the session.

    PySpark's own handler asks the JVM to cancel on the very connection that waits for an answer, which breaks it: nothing is
    cancelled, and all three parties print what went wrong. Here another thread, which has a connection of its own, cancels all queries of the
    session, and then the interrupt is raised. A second one does not wait for that. Other threads than the main one get no signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield _cancel_nothing
        return
    before = signal.getsignal(signal.SIGINT)
    root = logging.getLogger()
    root.addFilter(_is_worth_saying)
    try:
        yield _cancel_on_interrupt
    finally:
        signal.signal(signal.SIGINT, before)
        logging.disable(logging.NOTSET)
        root.removeFilter(_is_worth_saying)


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Py4J logs each interrupt with a traceback, and raises it all the same."""
    return record.msg != _OF_PY4J


def _cancel_nothing(spark: SparkSession, *, alone: bool = True) -> None:
    del spark, alone


def _cancel_on_interrupt(spark: SparkSession, *, alone: bool = True) -> None:
    def on_interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Whatever broke because it was cut off is logged with tracebacks; the session ends here.
        logging.disable(logging.CRITICAL)
        thread = threading.Thread(target=_cancel, args=(spark, alone), name="cancel", daemon=True)
        thread.start()
        thread.join(_PATIENCE)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, on_interrupt)


def _cancel(spark: SparkSession, alone: bool) -> None:
    # Where the session has gone meanwhile, there is nothing to cancel.
    with suppress(PySparkException, OSError):
        if is_remote(spark) or not alone:
            spark.interruptAll()
            return
        context = spark.sparkContext
        _silence_accumulators(context)
        # Spark tells at length that what was cancelled has failed.
        context.setLogLevel("OFF")
        context.cancelAllJobs()
        tracker = context.statusTracker()
        until = time.monotonic() + _PATIENCE
        while tracker.getActiveJobsIds() and time.monotonic() < until:
            time.sleep(_PERIOD)


def _silence_accumulators(context: SparkContext) -> None:
    """PySpark's server for accumulators prints a traceback where the JVM hangs up first; it has no switch for that."""
    server = getattr(context, "_accumulatorServer", None)
    if server is not None:
        server.handle_error = lambda *_: None
