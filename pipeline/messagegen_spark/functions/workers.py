"""The one-time setup of each of Spark's Python workers."""

from __future__ import annotations

import gc
from functools import cache


@cache
def keep_imports() -> None:
    """Exclude this worker's imports from garbage collection; only the first call has an effect.

    Spark's daemon collects garbage after each task (``gc.collect()`` in ``pyspark/daemon.py``). Without this function,
    each collection visits all of pyarrow and PySpark, and takes half of a worker's processor time. Objects that tasks
    allocate later are still collected.
    """
    gc.freeze()
