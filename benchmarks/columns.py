"""The native engine's second sink: a batch of MetadataResponse rows straight into Arrow columns, on one core.

``python -m benchmarks.columns SPECS`` prints one JSON line: MB/s by what is asked for.
"""

from __future__ import annotations

import json
import math
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import has_native, run_python
from benchmarks.workloads import metadata
from messagegen import load

ALL_FIELDS: Final = "all fields"
_VERSION: Final = 12
_ROWS: Final = 2000
_TOPICS: Final = 18
"""So many topics of ten partitions make a row of 8.4 KB."""

_SECONDS: Final = 2.0
_WANTED: Final[dict[str, list[str] | None]] = {ALL_FIELDS: None, "topics.name only": ["topics.name"]}


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
    megabytes = len(body) * _ROWS / 1e6
    return {what: megabytes / _best_seconds(native, cls.CODEC.plan, rows, paths) for what, paths in _WANTED.items()}


def _best_seconds(native: Any, plan: str, rows: Any, paths: list[str] | None) -> float:
    decoder = native.ColumnDecoder(plan, [_VERSION], paths)
    best, deadline = math.inf, time.perf_counter() + _SECONDS
    while best == math.inf or time.perf_counter() < deadline:
        start = time.perf_counter()
        decoder.decode(rows, _VERSION)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Prints the rates; the first argument is the folder of specs."""
    print(json.dumps(_rates(sys.argv[1])))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
