"""Measures the contestants on the ten workloads, in interleaved rounds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.console import Progress
from benchmarks.processes import AIOKAFKA, ALL_OPERATIONS, JAVA, AbsentError, Contestant, Operation, Worker
from benchmarks.results import Timing
from benchmarks.workloads import MESSAGES, WORKLOADS, Workload
from messagegen import load

_WARM_MILLISECONDS: Final = {JAVA: 1500}
_WARM_PYTHON_MILLISECONDS: Final = 60
_NANOSECONDS: Final = 1_000_000
"""The number of nanoseconds in a millisecond."""


@dataclass(slots=True)
class _Cell:
    """One operation of one worker on one workload: the number of calls in a sample, and the samples in nanoseconds."""

    workload: str
    operation: Operation
    worker: Worker
    calls: int
    samples: list[float] = field(default_factory=list)

    def sample(self) -> None:
        self.samples.append(self.worker.time(self.workload, self.operation, self.calls))

    def timing(self) -> Timing:
        best, median = min(self.samples) / 1000, statistics.median(self.samples) / 1000
        return Timing(self.workload, self.operation, self.worker.name, best, median)


def write_bodies(specs: Path, folder: Path) -> dict[str, Path]:
    """Write the bytes of each workload to a file, with messagegen in pure Python; all contestants must match them.

    Raises ``ValueError`` if the size of a workload has changed.
    """
    package: Any = load(specs, messages=MESSAGES)
    bodies = {}
    for workload in WORKLOADS:
        message = getattr(package, workload.message).from_json(workload.make(), version=workload.version)
        data = message.encode(version=workload.version)
        if len(data) != workload.size:
            raise ValueError(f"{workload.name} has {len(data)} bytes, expected {workload.size}")
        bodies[workload.name] = folder / f"{workload.name}.bin"
        bodies[workload.name].write_bytes(data)
    return bodies


def measure(
    contestants: Sequence[Contestant],
    bodies: dict[str, Path],
    *,
    rounds: int,
    sample_milliseconds: int,
    progress: Progress,
) -> tuple[tuple[Timing, ...], dict[str, int]]:
    """Return the times of every contestant on every workload, and the bytes that a decoded W2 uses, by contestant."""
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant)) for contestant in contestants]
        groups = []
        for workload in WORKLOADS:
            progress(f"{workload.name}: comparing bytes, warming up")
            groups.extend(_prepare(workload, workers, bodies[workload.name], sample_milliseconds))
        for turn in range(rounds):
            progress(f"round {turn + 1} of {rounds}")
            for cells in groups:
                first = turn % len(cells)
                for cell in cells[first:] + cells[:first]:
                    cell.sample()
        memory = {worker.name: worker.memory("W2") for worker in workers if worker.name not in (JAVA, AIOKAFKA)}
    return tuple(cell.timing() for group in groups for cell in group), memory


def _prepare(workload: Workload, workers: list[Worker], body: Path, sample_milliseconds: int) -> list[list[_Cell]]:
    """Return one list of cells for each operation. The cells of a list are sampled in turn."""
    cells: dict[Operation, list[_Cell]] = {operation: [] for operation in ALL_OPERATIONS}
    for worker in workers:
        try:
            operations = worker.open(workload.name, workload.message, workload.version, body)
        except AbsentError as reason:
            if worker.name != AIOKAFKA:
                raise ValueError(f"{worker.name} does not support {workload.name}: {reason}") from None
            continue
        for operation in operations:
            milliseconds = _WARM_MILLISECONDS.get(worker.name, _WARM_PYTHON_MILLISECONDS)
            one_call = worker.warm(workload.name, operation, milliseconds)
            calls = max(1, round(sample_milliseconds * _NANOSECONDS / one_call))
            cells[operation].append(_Cell(workload.name, operation, worker, calls))
    return [group for group in cells.values() if group]
