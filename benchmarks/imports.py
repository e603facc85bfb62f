"""Measures imports without the start of the interpreter, each in a new process with compiled bytecode."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.generation import PACKAGE
from benchmarks.processes import AIOKAFKA, KAFKA_PYTHON, KIO, NATIVE, PURE, has_native, run_python

PACKAGE_ONLY: Final = f"{PURE}, package"
MESSAGE: Final = f"{PURE}, MetadataResponse"

_TIMED: Final = """
import sys, time
sys.path.insert(0, {folder!r})
start = time.perf_counter_ns()
{statement}
print(time.perf_counter_ns() - start)
"""

_OURS: Final = f"from {PACKAGE} import MetadataResponse"
_KIO: Final = """
from kio.schema.metadata.v12.response import MetadataResponse
from kio.serial import entity_reader, entity_writer
"""
_STATEMENTS: Final = {
    PACKAGE_ONLY: f"import {PACKAGE}",
    MESSAGE: _OURS,
    f"{NATIVE}, MetadataResponse": _OURS,
    KIO: _KIO,
    AIOKAFKA: "from aiokafka.protocol.metadata import MetadataResponse_v5",
    KAFKA_PYTHON: "from kafka.protocol.metadata import MetadataResponse",
}


def measure(folder: Path, *, rounds: int, progress: Callable[[str], None]) -> dict[str, float]:
    """Return medians in milliseconds over ``rounds`` processes; ``folder`` has the generated package.

    Time is measured inside the process, so it does not include the start and end of the interpreter.
    """
    times: dict[str, list[float]] = {name: [] for name in _STATEMENTS if not name.startswith(NATIVE) or has_native()}
    for turn in range(rounds + 1):
        progress(f"imports, {turn} of {rounds}")
        for name, found in times.items():
            code = _TIMED.format(folder=str(folder), statement=_STATEMENTS[name])
            milliseconds = int(run_python("-c", code, pure=not name.startswith(NATIVE))) / 1e6
            if turn:  # the first turn compiles the bytecode
                found.append(milliseconds)
    return {name: statistics.median(found) for name, found in times.items()}
