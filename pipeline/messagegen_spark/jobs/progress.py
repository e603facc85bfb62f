"""How many tasks of the queries that run are done, for whoever shows it; classic sessions and Spark Connect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

_PERIOD: Final = 0.5


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of all stages that run now."""

    total: int
    done: int
    failed: int


@contextmanager
def watched_tasks(spark: SparkSession, on_tasks: Callable[[Tasks], None]) -> Iterator[None]:
    """Tells ``on_tasks`` about twice a second, from another thread, how far the queries of a session are."""
    with _remote(spark, on_tasks) if is_remote(spark) else _classic(spark, on_tasks):
        yield


def is_remote(spark: SparkSession) -> bool:
    """Whether the session is one of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect.")


@contextmanager
def _remote(spark: SparkSession, on_tasks: Callable[[Tasks], None]) -> Iterator[None]:
    def handle(stages: Any, **_: Any) -> None:
        running = [stage for stage in stages or () if not stage.done]
        total, done = (sum(getattr(stage, name) for stage in running) for name in ("num_tasks", "num_completed_tasks"))
        on_tasks(Tasks(total, done, 0))

    # PySpark calls it with keywords, and annotates it without.
    handler: Any = handle
    spark.registerProgressHandler(handler)
    try:
        yield
    finally:
        spark.removeProgressHandler(handler)


@contextmanager
def _classic(spark: SparkSession, on_tasks: Callable[[Tasks], None]) -> Iterator[None]:
    tracker = spark.sparkContext.statusTracker()
    ended = threading.Event()

    def ask() -> None:
        while not ended.wait(_PERIOD):
            # A stage may end, and a session stop, between one question and the next.
            with suppress(PySparkException, OSError):
                found = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
                stages = [stage for stage in found if stage is not None]
                on_tasks(
                    Tasks(
                        sum(stage.numTasks for stage in stages),
                        sum(stage.numCompletedTasks for stage in stages),
                        sum(stage.numFailedTasks for stage in stages),
                    )
                )

    thread = threading.Thread(target=ask, name="tasks", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
