"""The results of a run, as values that can be saved, read again and compared."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import Operation

FORMAT: Final = 1


class ResultsError(ValueError):
    """Raised for a file that does not contain results of a run."""


@dataclass(frozen=True, slots=True)
class Timing:
    """One operation of one contestant on one workload: the best and the median round, in microseconds per call."""

    workload: str
    operation: Operation
    contestant: str
    best: float
    median: float


@dataclass(frozen=True, slots=True)
class Generation:
    """Runs of ``messagegen generate`` of one kind: the best and the median run, in seconds."""

    kind: str
    best: float
    median: float


@dataclass(frozen=True, slots=True)
class Results:
    """All numbers of a run. A part that was not measured is empty.

    ``versions`` and ``memory``, the bytes of a decoded W2 message, are by contestant. ``imports`` contains medians in
    milliseconds above the bare interpreter. ``generated_bytes`` is the size of all generated files. ``records``
    contains microseconds of CPU time for record batches, by operation and workload, and by library.
    """

    machine: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    timings: tuple[Timing, ...] = ()
    memory: dict[str, int] = field(default_factory=dict)
    imports: dict[str, float] = field(default_factory=dict)
    generation: tuple[Generation, ...] = ()
    generated_bytes: int = 0
    records: dict[str, dict[str, float]] = field(default_factory=dict)

    def best(self, operation: Operation, contestant: str) -> dict[str, float]:
        """Return the microseconds of the best round by workload."""
        return {
            timing.workload: timing.best
            for timing in self.timings
            if timing.operation == operation and timing.contestant == contestant
        }

    def contestants(self) -> list[str]:
        """Return the names of the timed contestants, in order of appearance."""
        return list(dict.fromkeys(timing.contestant for timing in self.timings))

    def with_older(self, older: Results) -> Results:
        """Return these results; parts that are empty come from the older run."""
        names = [each.name for each in fields(self) if not getattr(self, each.name)]
        return replace(self, **{name: getattr(older, name) for name in names})


def ratios(slower: dict[str, float], faster: dict[str, float]) -> dict[str, float]:
    """Return the speed of ``faster`` as a multiple of ``slower``'s, for the workloads that both measured."""
    return {name: slower[name] / faster[name] for name in slower if name in faster}


def geometric_mean(values: Iterable[float]) -> float:
    """Return the n-th root of the product of n values, which must not be empty."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def machine() -> dict[str, str]:
    """Return facts about the computer that do not identify it."""
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


def save_values(values: dict[str, Any], file: Path) -> None:
    """Write values as JSON. Numbers are rounded to six digits, because the seventh would only be noise."""
    rounded = json.loads(json.dumps(values), parse_float=lambda text: float(f"{float(text):.6g}"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"format": FORMAT, **rounded}, indent=1) + "\n", encoding="utf-8")


def read_values(file: Path) -> dict[str, Any]:
    """Read a file that ``save_values`` wrote. Raises ``ResultsError`` for any other file."""
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        values = None
    if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
        raise ResultsError(f"{file}: not a result of these benchmarks in format {FORMAT}; measure again")
    return values


def save(results: Results, file: Path) -> None:
    """Write results as JSON."""
    save_values(asdict(results), file)


def read(file: Path) -> Results:
    """Read a file that ``save`` wrote. Raises ``ResultsError`` for any other file."""
    values = read_values(file)
    values["timings"] = tuple(Timing(**timing) for timing in values["timings"])
    values["generation"] = tuple(Generation(**runs) for runs in values["generation"])
    return Results(**values)
