"""The ten workloads: everybody encodes and decodes them in turn, and some forward or read them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import (
    AIOKAFKA,
    ALL_OPERATIONS,
    JAVA,
    NATIVE,
    OPERATIONS,
    AbsentError,
    Contestant,
    Operation,
    Worker,
)
from benchmarks.readings import FORWARDINGS
from benchmarks.results import LAZILY, Timing
from benchmarks.worker import proxy_files
from benchmarks.workloads import MESSAGES, OLD_METADATA, WORKLOADS, Workload
from messagegen import load

Progress = Callable[[str], None]

_WARM_MILLISECONDS: Final = {JAVA: 1500}
_WARM_PYTHON_MILLISECONDS: Final = 60
_NANOSECONDS: Final = 1_000_000
"""Nanoseconds in a millisecond."""


@dataclass(slots=True)
class _Cell:
    """One operation of one worker on one workload: how many calls make a sample, and the samples so far in nanoseconds."""

    workload: str
    operation: Operation
    worker: Worker
    calls: int
    collector: bool = False
    samples: list[float] = field(default_factory=list)

    def sample(self) -> None:
        self.samples.append(self.worker.time(self.workload, self.operation, self.calls, collector=self.collector))

    def timing(self) -> Timing:
        best, median = min(self.samples) / 1000, statistics.median(self.samples) / 1000
        return Timing(self.workload, self.operation, self.worker.name, best, median)


@dataclass(frozen=True, slots=True)
class CodecResults:
    """The timings, those of Python with its collector on, and the bytes that W2 keeps when decoded, by contestant."""

    timings: tuple[Timing, ...]
    collected: tuple[Timing, ...]
    memory: dict[str, int]


def write_bodies(specs: Path, folder: Path) -> dict[str, Path]:
    """Writes the bytes of each workload to a file, by messagegen in pure Python; every contestant must write the same.

    Raises ``ValueError`` where a workload does not have the size that it had when it was chosen.
    """
    package: Any = load(specs, messages=MESSAGES)
    return {workload.name: _write_body(package, workload, folder) for workload in (*WORKLOADS, OLD_METADATA)}


def _write_body(package: Any, workload: Workload, folder: Path) -> Path:
    cls = getattr(package, workload.message)
    message = cls.from_json(workload.make(), version=workload.version)
    data = message.encode(version=workload.version)
    if len(data) != workload.size:
        raise ValueError(f"{workload.name} takes {len(data)} bytes instead of {workload.size}: did its values change?")
    file = folder / f"{workload.name}.bin"
    file.write_bytes(data)
    if workload.message in FORWARDINGS:
        _write_forwarded(message, workload, file)
    return file


def _write_forwarded(message: Any, workload: Workload, file: Path) -> None:
    forwarding = FORWARDINGS[workload.message]
    names, forwarded = proxy_files(file)
    names.write_text("".join(f"{name}\n" for name in forwarding.names(message)), encoding="utf-8")
    forwarded.write_bytes(replace(message, **forwarding.changes).encode(version=workload.version))


def measure(
    taking_part: Sequence[Contestant],
    bodies: dict[str, Path],
    *,
    rounds: int,
    sample_milliseconds: int,
    progress: Progress,
) -> CodecResults:
    """Times every contestant on every workload, ``rounds`` times in turn; then weighs what a decoded W2 keeps."""
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant)) for contestant in taking_part]
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
        progress("memory of decoded W2")
        memory = {worker.name: _memory(worker, bodies) for worker in workers if worker.name != JAVA}
        memory.update((LAZILY, worker.memory("W2", lazy=True)) for worker in workers if worker.name == NATIVE)
    cells = [cell for group in groups for cell in group]
    timings, collected = (tuple(cell.timing() for cell in cells if cell.collector is on) for on in (False, True))
    return CodecResults(timings, collected, memory)


def _prepare(workload: Workload, workers: list[Worker], body: Path, sample_milliseconds: int) -> list[list[_Cell]]:
    """The cells of a workload, a list for each operation, and one with the collector on: whoever comes in turn is in one list."""
    able: dict[Operation, list[Worker]] = {operation: [] for operation in ALL_OPERATIONS}
    for worker in workers:
        try:
            for operation in worker.open(workload.name, workload.message, workload.version, body):
                able[operation].append(worker)
        except AbsentError as reason:
            if worker.name != AIOKAFKA:
                raise ValueError(f"{worker.name} does not take part in {workload.name}: {reason}") from None
    warmed = {
        operation: [_warmed(workload.name, operation, worker, sample_milliseconds) for worker in taking_part]
        for operation, taking_part in able.items()
        if taking_part
    }
    return [*warmed.values()] + [
        [replace(cell, collector=True, samples=[]) for cell in warmed[operation] if cell.worker.name != JAVA]
        for operation in OPERATIONS
    ]


def _warmed(name: str, operation: Operation, worker: Worker, sample_milliseconds: int) -> _Cell:
    one_call = worker.warm(name, operation, _WARM_MILLISECONDS.get(worker.name, _WARM_PYTHON_MILLISECONDS))
    return _Cell(name, operation, worker, max(1, round(sample_milliseconds * _NANOSECONDS / one_call)))


def _memory(worker: Worker, bodies: dict[str, Path]) -> int:
    if worker.name != AIOKAFKA:
        return worker.memory("W2")
    worker.open(OLD_METADATA.name, OLD_METADATA.message, OLD_METADATA.version, bodies[OLD_METADATA.name])
    return worker.memory(OLD_METADATA.name)
