"""The native engine's second sink: batches of MetadataResponse rows straight into Arrow columns, in one thread and in four.

Two processes, which share no lock and no allocator, show what the machine's cores and memory have to give.

``python -m benchmarks.columns SPECS`` prints one JSON line: MB/s by what is asked for.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import has_native, run_python
from benchmarks.workloads import metadata
from messagegen import load

ALL_FIELDS: Final = "all fields"
FOUR_THREADS: Final = "all fields, 4 threads"
TWO_PROCESSES: Final = "all fields, 2 processes"
_VERSION: Final = 12
_ROWS: Final = 2000
_TOPICS: Final = 18
"""So many topics of ten partitions make a row of 8.4 KB."""

_SECONDS: Final = 6.0
_BATCHES: Final = 4
"""Batches in a sample: one for each of the threads."""
_PROCESSES: Final = 2


def measure(specs: Path) -> dict[str, float]:
    """MB (10^6 bytes of messages) decoded a second; empty where the native engine is not installed or has no such sink."""
    if not has_native():
        return {}
    found: dict[str, float] = json.loads(run_python("-m", "benchmarks.columns", str(specs), pure=False))
    return found


def _rates(specs: str) -> dict[str, float]:
    native = import_module("messagegen_native")
    if not hasattr(native, "ColumnDecoder"):
        return {}
    cls: Any = load(specs, messages=["MetadataResponse"]).MetadataResponse
    body = cls.from_json(metadata(_TOPICS, 10, 3), version=_VERSION).encode(version=_VERSION)
    rows = import_module("pyarrow").array([body] * _ROWS)
    every = native.ColumnDecoder(cls.CODEC.plan, [_VERSION])
    names = native.ColumnDecoder(cls.CODEC.plan, [_VERSION], ["topics.name"])
    # Processes start before the threads, so that they are forked from a process with one thread.
    with _processes(partial(_decode_some, every, rows)) as processes, ThreadPoolExecutor(_BATCHES) as threads:
        seconds = _best_seconds(
            {
                ALL_FIELDS: lambda: _one_by_one(every, rows),
                FOUR_THREADS: lambda: _all(threads, partial(_decode, every, rows), _BATCHES),
                TWO_PROCESSES: lambda: _all(processes, _work, _PROCESSES),
                "topics.name only": lambda: _one_by_one(names, rows),
            }
        )
    return {what: len(body) * _ROWS * _BATCHES / 1e6 / best for what, best in seconds.items()}


def _decode(decoder: Any, rows: Any) -> None:
    """Decodes a batch and frees the columns."""
    decoder.decode(rows, _VERSION)


def _one_by_one(decoder: Any, rows: Any) -> None:
    for _ in range(_BATCHES):
        _decode(decoder, rows)


def _decode_some(decoder: Any, rows: Any) -> None:
    """What one of the processes does."""
    for _ in range(_BATCHES // _PROCESSES):
        _decode(decoder, rows)


def _all(pool: Executor, task: Callable[[], None], times: int) -> None:
    for done in [pool.submit(task) for _ in range(times)]:
        done.result()


_works: list[Callable[[], None]] = []


def _work() -> None:
    """Runs what this process was forked with, because decoders can't be pickled."""
    _works[0]()


@contextmanager
def _processes(work: Callable[[], None]) -> Iterator[Executor]:
    _works.append(work)
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("fork")) as pool:
        _all(pool, _work, _PROCESSES)
        yield pool


def _best_seconds(samples: dict[str, Callable[[], None]]) -> dict[str, float]:
    """The least seconds of each kind of sample; all take turns, so that what slows the computer down slows all of them."""
    best, deadline = dict.fromkeys(samples, math.inf), time.perf_counter() + _SECONDS
    while math.inf in best.values() or time.perf_counter() < deadline:
        for what, sample in samples.items():
            start = time.perf_counter()
            sample()
            best[what] = min(best[what], time.perf_counter() - start)
    return best


def main() -> None:
    """Prints the rates; the first argument is the folder of specs."""
    print(json.dumps(_rates(sys.argv[1])))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
