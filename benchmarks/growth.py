"""Time and memory against the size of a message: MetadataResponse with one topic of 10 to 100,000 partitions.

``python -m benchmarks.growth SPECS`` prints one JSON line a size and operation, for the form of messagegen that the
environment selects.
"""

from __future__ import annotations

import gc
import json
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import NATIVE, OPERATIONS, PURE, Operation, has_native, run_python
from benchmarks.results import GrowthPoint
from benchmarks.workloads import metadata
from messagegen import load

SIZES: Final = (10, 100, 1_000, 10_000, 100_000)
_VERSION: Final = 12
_SECONDS: Final = 0.5
_FEWEST_CALLS: Final = 5


def measure(specs: Path) -> tuple[GrowthPoint, ...]:
    """All sizes, for pure Python and, where it is installed, for the native engine; each in a process of its own."""
    return tuple(
        GrowthPoint(contestant, **json.loads(line))
        for contestant in ((PURE, NATIVE) if has_native() else (PURE,))
        for line in run_python("-m", "benchmarks.growth", str(specs), pure=contestant == PURE).splitlines()
    )


def exponent(points: Iterable[tuple[int, float]]) -> float:
    """How a cost grows from the smallest to the largest size: 1 is in proportion, 2 is with the square."""
    ordered = sorted(points)
    (small, low), (large, high) = ordered[0], ordered[-1]
    return math.log(high / low) / math.log(large / small)


def _points(specs: str) -> Iterator[dict[str, object]]:
    cls: Any = load(specs, messages=["MetadataResponse"]).MetadataResponse
    for partitions in SIZES:
        message = cls.from_json(metadata(topics=1, partitions=partitions, brokers=2), version=_VERSION)
        data = message.encode(version=_VERSION)
        calls: dict[Operation, Callable[[], object]] = {
            "encode": partial(message.encode, version=_VERSION),
            "decode": partial(cls.decode, data, version=_VERSION),
        }
        for operation in OPERATIONS:
            seconds, peak = _best_seconds(calls[operation]), _peak_bytes(calls[operation])
            yield {"operation": operation, "partitions": partitions, "seconds": seconds, "peak_bytes": peak}


def _best_seconds(call: Callable[[], object]) -> float:
    best, calls, deadline = math.inf, 0, time.perf_counter() + _SECONDS
    while calls < _FEWEST_CALLS or time.perf_counter() < deadline:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        calls += 1
    return best


def _peak_bytes(call: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def main() -> None:
    """Prints the points; the first argument is the folder of specs."""
    gc.disable()
    for point in _points(sys.argv[1]):
        print(json.dumps(point))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
