"""Compares two runs.

On a shared computer, absolute times of two runs are hard to compare. Ratios to an unchanged library are more reliable,
so each time is divided by kafka-python's time in the same run: for the same operation, or for decoding if kafka-python
does not support the operation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from benchmarks.processes import ALL_OPERATIONS, KAFKA_PYTHON, NATIVE, PURE, Operation
from benchmarks.report import new_table, number, show_table
from benchmarks.results import Results, geometric_mean, ratios


@dataclass(frozen=True, slots=True)
class Change:
    """The speed of one form of messagegen in two runs, as a multiple of kafka-python's speed in the same run."""

    workload: str
    operation: Operation
    contestant: str
    before: float
    after: float

    @property
    def factor(self) -> float:
        """The new speed divided by the old one: above 1 if it is faster."""
        return self.after / self.before

    def verdict(self, tolerance: float) -> str:
        """Return ``faster`` or ``slower`` beyond the tolerance (0.1: ten percent), else ``same``."""
        if self.factor > 1 + tolerance:
            return "faster"
        return "slower" if self.factor < 1 / (1 + tolerance) else "same"


def changes(before: Results, after: Results) -> Iterator[Change]:
    """Yield the timings in both runs, pure Python before native, in the order of the workloads."""
    for contestant in (PURE, NATIVE):
        for operation in ALL_OPERATIONS:
            old, new = (_beside_kafka_python(results, operation, contestant) for results in (before, after))
            for workload in (name for name in old if name in new):
                yield Change(workload, operation, contestant, old[workload], new[workload])


def _beside_kafka_python(results: Results, operation: Operation, contestant: str) -> dict[str, float]:
    yardstick = results.best(operation, KAFKA_PYTHON) or results.best("decode", KAFKA_PYTHON)
    return ratios(yardstick, results.best(operation, contestant))


def show_changes(found: Sequence[Change], tolerance: float, console: Console) -> int:
    """Print the changes and their geometric mean, and return 1 if something is slower, otherwise 0."""
    table = new_table(["form", "operation", "workload", "verdict"], ["before", "after", "factor"])
    for change in found:
        numbers = map(number, (change.before, change.after, change.factor))
        table.add_row(change.contestant, change.operation, change.workload, change.verdict(tolerance), *numbers)
    show_table(f"times as fast as {KAFKA_PYTHON}, before and after", table, console)
    verdicts = Counter(change.verdict(tolerance) for change in found)
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("faster", "same", "slower"))
    mean = geometric_mean(change.factor for change in found)
    console.print(f"{counts} (beyond {tolerance:.0%}); geometric mean of the factors {mean:.3f}", highlight=False)
    return 1 if verdicts["slower"] else 0
