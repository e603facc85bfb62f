"""What pure Python cannot go below: the time of the steps that any decoder into objects has to take.

``python -m benchmarks floor`` reads the 1,000 partitions of W3req's rows in ever more complete ways. The last way is what generated
code does; the ones before it leave something out that no decoder can.
"""

from __future__ import annotations

import gc
import struct
import time
from collections.abc import Callable
from typing import Any, Final

COUNT: Final = 1000
COUNTED: Final = "FetchRequest"
"""The message of W3req."""

_ROW: Final = struct.Struct(">iiqiqix")
_NEW: Final = object.__new__


class Partition:
    """The slots of a FetchPartition."""

    __slots__ = ("epoch", "fetch", "high", "index", "last", "limit", "log", "replica", "unknown")


def _numbers(data: bytes) -> list[Any]:
    return list(_ROW.iter_unpack(data))


def _objects(_: bytes) -> list[Any]:
    new, cls = _NEW, Partition
    return [new(cls) for _ in range(COUNT)]


def _both(data: bytes) -> list[Any]:
    items: list[Any] = []
    for row in _ROW.iter_unpack(data):
        o: Any = _NEW(Partition)
        o.index, o.epoch, o.fetch, o.last, o.log, o.limit = row
        o.replica = None
        o.high = 1
        o.unknown = ()
        items.append(o)
    return items


STEPS: Final[dict[str, Callable[[bytes], list[Any]]]] = {
    "unpack the numbers": _numbers,
    "make the objects": _objects,
    "both, and put the numbers into the objects": _both,
}


def floor(rounds: int = 300) -> dict[str, float]:
    """Nanoseconds for each element by step, freeing included: the best of ``rounds``, with the collector off."""
    data = _rows()
    enabled = gc.isenabled()
    gc.disable()
    try:
        return {name: min(_once(step, data) for _ in range(rounds)) * 1e9 / COUNT for name, step in STEPS.items()}
    finally:
        if enabled:
            gc.enable()


def floor_call() -> Callable[[], object]:
    """The last of the steps, to be timed beside decoders that read as many objects."""
    data = _rows()
    return lambda: _both(data)


def _rows() -> bytes:
    return b"".join(_ROW.pack(index, 5, 10**9 + index, -1, -1, 1 << 20) for index in range(COUNT))


def _once(step: Callable[[bytes], list[Any]], data: bytes) -> float:
    start = time.perf_counter()
    step(data)
    return time.perf_counter() - start
