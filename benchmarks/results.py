"""What a run measures, as values that can be saved, read again and compared."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import NATIVE, Operation

FORMAT: Final = 1
LAZILY: Final = f"{NATIVE}, lazily, beside its bytes"
"""Whose memory is that of a message that was decoded lazily and not touched."""


class ResultsError(ValueError):
    """Raised for a file that holds no results of a run; says what to do instead."""


@dataclass(frozen=True, slots=True)
class Timing:
    """One operation of one contestant on one workload, microseconds a call: the best round and the median one."""

    workload: str
    operation: Operation
    contestant: str
    best: float
    median: float


@dataclass(frozen=True, slots=True)
class GrowthPoint:
    """One size of one contestant: seconds of the best call and peak bytes allocated by one call."""

    contestant: str
    operation: Operation
    partitions: int
    seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class Generation:
    """Runs of ``messagegen generate`` of one kind, seconds a run: the best one and the median one."""

    kind: str
    best: float
    median: float


@dataclass(frozen=True, slots=True)
class Results:
    """All numbers of a run. A part that was not measured is empty.

    ``machine`` and ``versions`` say where and of what; ``collected`` are timings with Python's cyclic collector on; ``memory`` is bytes kept by the decoded W2 message, by contestant;
    ``imports`` is milliseconds above the bare interpreter (medians), ``generated_bytes`` is the size of all generated files,
    ``columns`` is MB/s of the Arrow sink, ``help`` is milliseconds of ``--help`` above the bare interpreter (best), by command,
    ``records`` is microseconds of CPU time of record batches, by operation and workload, by library.
    """

    machine: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    timings: tuple[Timing, ...] = ()
    collected: tuple[Timing, ...] = ()
    memory: dict[str, int] = field(default_factory=dict)
    imports: dict[str, float] = field(default_factory=dict)
    generation: tuple[Generation, ...] = ()
    generated_bytes: int = 0
    growth: tuple[GrowthPoint, ...] = ()
    columns: dict[str, float] = field(default_factory=dict)
    help: dict[str, float] = field(default_factory=dict)
    records: dict[str, dict[str, float]] = field(default_factory=dict)

    def best(self, operation: Operation, contestant: str, *, collector: bool = False) -> dict[str, float]:
        """Microseconds of the best round by workload, with Python's cyclic collector off or on."""
        return {
            timing.workload: timing.best
            for timing in (self.collected if collector else self.timings)
            if timing.operation == operation and timing.contestant == contestant
        }

    def contestants(self) -> list[str]:
        """The names of those that were timed, in order of appearance."""
        return list(dict.fromkeys(timing.contestant for timing in self.timings))

    def with_older(self, older: Results) -> Results:
        """These results, with the parts that were not measured now taken from an older run."""
        taken: dict[str, Any] = {name: getattr(older, name) for name in _PARTS if not getattr(self, name)}
        return replace(self, **taken)


_PARTS: Final = (
    "versions",
    "timings",
    "collected",
    "memory",
    "imports",
    "generation",
    "generated_bytes",
    "growth",
    "columns",
    "help",
    "records",
)


def ratios(slower: dict[str, float], faster: dict[str, float]) -> dict[str, float]:
    """How many times as fast ``faster`` is, by workload, for the workloads that both took part in."""
    return {name: slower[name] / faster[name] for name in slower if name in faster}


def geometric_mean(values: Iterable[float]) -> float:
    """The n-th root of the product of n values; raises ``ValueError`` for none."""
    logarithms = [math.log(value) for value in values]
    if not logarithms:
        raise ValueError("there is no mean of no values")
    return math.exp(sum(logarithms) / len(logarithms))


def machine() -> dict[str, str]:
    """What a reader needs to know of the computer, and nothing that names it."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def save(results: Results, file: Path) -> None:
    """Writes results as JSON, with six digits, which is more than the noise leaves."""
    rounded = json.loads(json.dumps(asdict(results)), parse_float=lambda text: float(f"{float(text):.6g}"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"format": FORMAT, **rounded}, indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> Results:
    """Reads what ``save`` wrote; raises ``ResultsError`` for anything else."""
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        values = None
    if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
        raise ResultsError(f"{file} is not a result of `benchmarks run` in format {FORMAT}: measure again")
    for name in ("timings", "collected"):
        values[name] = tuple(Timing(**timing) for timing in values.get(name, ()))
    values["generation"] = tuple(Generation(**runs) for runs in values["generation"])
    values["growth"] = tuple(GrowthPoint(**point) for point in values["growth"])
    return Results(**values)
