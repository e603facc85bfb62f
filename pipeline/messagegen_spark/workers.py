"""What Spark's Python workers do once, before their first batch."""

from __future__ import annotations

import gc
from functools import cache

from pyspark import TaskContext


@cache
def settle() -> None:
    """Takes all that a worker has loaded out of the garbage collector's rounds; elsewhere it does nothing.

    A worker collects garbage after every task (``pyspark.daemon``) and looks at each object of each module then: 15 ms, as long as
    decoding 80,000 small messages takes. Modules stay until the process ends, so there is nothing to find.
    """
    if TaskContext.get() is not None:
        gc.freeze()
