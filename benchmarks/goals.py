"""The goals of the project, compared with the results of one run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.generation import CHECK, COLD, ONE_CHANGED, UNCHANGED
from benchmarks.imports import MESSAGE, PACKAGE_ONLY
from benchmarks.processes import JAVA, KAFKA_PYTHON, KIO, NATIVE, OPERATIONS, PEERS, PURE, Operation
from benchmarks.records import PURE_PEERS
from benchmarks.results import Results, geometric_mean, ratios

_GENERATION: Final = dict.fromkeys((COLD, ONE_CHANGED, UNCHANGED, CHECK), 2.4)
"""The goal for each kind of run in seconds. Every run renders all files."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, the measured value, and whether it is met (``None``: it was not measured)."""

    text: str
    measured: str
    met: bool | None

    @property
    def verdict(self) -> str:
        """``met``, ``not met`` or ``not measured``."""
        return {True: "met", False: "not met", None: "not measured"}[self.met]


def goals(results: Results) -> list[Goal]:
    """Return all goals, in the order of the report."""
    return [*_pure(results), *_native(results), *_records(results.records), *_generation(results)]


def best_peer(results: Results, operation: Operation) -> dict[str, float]:
    """Return the microseconds of the fastest other Python library, by workload."""
    times = [results.best(operation, peer) for peer in PEERS]
    return {name: min(found[name] for found in times if name in found) for name in set().union(*times)}


def _pure(results: Results) -> Iterator[Goal]:
    beside: dict[str, float] = {}
    for operation, times in (("encode", 5.0), ("decode", 2.5)):
        assert operation in OPERATIONS
        compared = ratios(results.best(operation, KAFKA_PYTHON), results.best(operation, PURE))
        beside |= {f"{workload} {operation}": ratio for workload, ratio in compared.items()}
        yield _at_least(f"{PURE}: {operation} at least {times:g} times {KAFKA_PYTHON}", compared, times)
    slowest = {name: ratio for name, ratio in beside.items() if ratio == min(beside.values())}
    yield _at_least(f"{PURE}: no workload slower than {KAFKA_PYTHON}", slowest, 1)
    ours, theirs = results.memory.get(PURE), results.memory.get(KIO)
    yield _below(f"{PURE}: memory of decoded W2, MB, below kio's", _mega(ours), _mega(theirs))
    yield _below(f"{PURE}: import of the package, ms, below 5", results.imports.get(PACKAGE_ONLY), 5)
    yield _below(f"{PURE}: import of one message, ms, below 12", results.imports.get(MESSAGE), 12)


def _native(results: Results) -> Iterator[Goal]:
    for operation, times in (("encode", 28.0), ("decode", 2.0)):
        assert operation in OPERATIONS
        compared = ratios(best_peer(results, operation), results.best(operation, NATIVE))
        yield _at_least(f"{NATIVE}: {operation} at least {times:g} times the best Python peer", compared, times)
        compared = ratios(results.best(operation, JAVA), results.best(operation, NATIVE))
        yield _at_least(f"{NATIVE}: {operation} at least 0.25 times warm Java", compared, 0.25)
    compared = ratios(best_peer(results, "decode"), results.best("read", NATIVE))
    text = f"{NATIVE}: lazy decode, three fields read, at least 10 times the best Python peer's decode"
    yield _at_least(text, compared, 10)


def _records(times: dict[str, dict[str, float]]) -> Iterator[Goal]:
    """Yield the goals for batches of many records. For a single record, most of the time goes to its batch."""
    for ours, least in ((PURE, 1.5), (NATIVE, 10.0)):
        for operation in OPERATIONS:
            rows = {what: row for what, row in times.items() if what.startswith(f"{operation}, 200") and ours in row}
            compared = {
                what: min(row[peer] for peer in PURE_PEERS if peer in row) / row[ours] for what, row in rows.items()
            }
            text = f"{ours}: {operation} record batches at least {least:g} times the best peer in pure Python"
            yield _at_least(text, compared, least)


def _generation(results: Results) -> Iterator[Goal]:
    seconds = {runs.kind: runs.best for runs in results.generation}
    for kind, limit in _GENERATION.items():
        yield _below(f"generate all official specs, {kind}: seconds, below {limit:g}", seconds.get(kind), limit)
    yield _below("generate all official specs: output, MB, below 4", _mega(results.generated_bytes or None), 4)


def _at_least(text: str, compared: dict[str, float], times: float) -> Goal:
    """Return a goal for the geometric mean of speed ratios, with the smallest ratio."""
    if not compared:
        return Goal(text, "", None)
    mean = geometric_mean(compared.values())
    least = min(compared, key=lambda name: compared[name])
    return Goal(text, f"{mean:.2f} times as fast (at least {compared[least]:.2f}, {least})", mean >= times)


def _below(text: str, measured: float | None, limit: float | None) -> Goal:
    if measured is None or limit is None:
        return Goal(text, "", None)
    return Goal(text, f"{measured:.2f} (limit {limit:.3g})", measured < limit)


def _mega(amount: float | None) -> float | None:
    return None if amount is None else amount / 1e6
