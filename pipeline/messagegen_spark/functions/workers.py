"""What functions do once in each of Spark's Python workers."""

from __future__ import annotations

import gc
from functools import cache


@cache
def keep_imports() -> None:
    """Leaves what this worker has imported out of garbage collection; only the first call does anything.

    Spark's daemon collects after each task (``gc.collect()`` in ``pyspark/daemon.py``). That visited all of pyarrow and
    PySpark each time, and took half of a worker's processor time. What tasks allocate later is collected as before.
    """
    gc.freeze()
