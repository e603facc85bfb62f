"""Spark's Python workers: which Python they run, and what they do once before their first batch."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Final

from pyspark import TaskContext
from pyspark.sql import SparkSession

FREEZE: Final = "MESSAGEGEN_GC_FREEZE"
"""The variable that allows ``settle``; a session hands it to its workers as ``spark.executorEnv.MESSAGEGEN_GC_FREEZE``."""

_PYTHON: Final = "PYSPARK_PYTHON"


@cache
def settle() -> None:
    """Takes all that a worker has loaded out of the garbage collector's rounds, where its session allows that; elsewhere it does nothing.

    A worker collects garbage after every task (``pyspark.daemon``) and looks at each object of each module then: 15 ms, as long as
    decoding 80,000 small messages takes. Modules stay until the process ends, so there is nothing to find. But workers may be shared
    with functions of others, whose garbage would stay too: so it is not done unasked.
    """
    if os.environ.get(FREEZE) and TaskContext.get() is not None:
        gc.freeze()


def is_remote(spark: SparkSession) -> bool:
    """Whether the session is one of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect.")


def use_this_python(spark: SparkSession) -> None:
    """Lets the workers of a local session run this Python, unless somebody has said which one they run.

    Spark would take the ``python3`` of the PATH, which need not be the one that has this package. What workers on other machines run
    cannot be known here; there ``PYSPARK_PYTHON`` has to say it.
    """
    if is_remote(spark):
        return  # the server has the workers
    context = spark.sparkContext
    said = os.environ.get(_PYTHON) or context.getConf().get("spark.pyspark.python")
    if said or not (context.master or "").startswith("local") or _is_this(context.pythonExec):
        return
    context.pythonExec = sys.executable


def _is_this(command: str) -> bool:
    # Links are not followed: those of virtual environments lead to the Python that they share.
    found = shutil.which(command)
    return found is not None and Path(found).absolute() == Path(sys.executable).absolute()
