"""Which Python Spark's workers run."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

_PYTHON: Final = "PYSPARK_PYTHON"


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
