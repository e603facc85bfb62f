"""What the project promises, held against the numbers of one run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.columns import ALL_FIELDS, FOUR_THREADS, TWO_PROCESSES
from benchmarks.generation import CHECK, COLD, ONE_CHANGED, UNCHANGED
from benchmarks.growth import exponent
from benchmarks.imports import MESSAGE, PACKAGE_ONLY
from benchmarks.processes import JAVA, KAFKA_PYTHON, KIO, NATIVE, OPERATIONS, PEERS, PURE, Operation
from benchmarks.records import PURE_PEERS
from benchmarks.results import LAZILY, Results, geometric_mean, ratios
from benchmarks.workloads import WORKLOADS

_GENERATION: Final = ((COLD, 4.7, 9.35), (ONE_CHANGED, 0.8, None), (UNCHANGED, 0.41, 1.23), (CHECK, 0.41, 1.23))
"""Seconds that each kind of run may take, and those before runs were recorded, where they are the measure of the goal."""

_STEEPEST: Final = 1.1
"""The exponent up to which growth passes for linear: large messages also leave the processor's caches."""

_COLUMNS: Final = 1000
"""MB/s."""

_FOUR_THREADS: Final = 1.8
"""On two cores."""

_UNTOUCHED: Final = 1.1
"""What a lazily decoded message may keep, its bytes included, for each of its bytes."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, what was measured, and whether that is enough (``None``: it was not measured)."""

    text: str
    measured: str
    met: bool | None

    @property
    def verdict(self) -> str:
        """``met``, ``not met`` or ``not measured``."""
        return {True: "met", False: "not met", None: "not measured"}[self.met]


def goals(results: Results) -> list[Goal]:
    """All goals in the order in which a reader looks for them."""
    return [
        *_pure(results),
        *_native(results),
        *_lazy(results),
        *_records(results.records),
        *_generation(results),
        _help(results),
        *_growth(results),
    ]


def best_peer(results: Results, operation: Operation, *, collector: bool = False) -> dict[str, float]:
    """Microseconds of the fastest other Python library, by workload, with Python's cyclic collector off or on."""
    times = [results.best(operation, peer, collector=collector) for peer in PEERS]
    return {name: min(found[name] for found in times if name in found) for name in set().union(*times)}


def _pure(results: Results) -> Iterator[Goal]:
    for operation, times in (("encode", 5.0), ("decode", 2.5)):
        assert operation in OPERATIONS
        yield _speed(results, operation, PURE, f"{times:g} times kafka-python", KAFKA_PYTHON, times)
    yield _near_the_floor(results)
    yield _nowhere_behind(results)
    yield _less_memory(results)
    yield _below(f"{PURE}: import of the package", results.imports.get(PACKAGE_ONLY), 5, "ms")
    yield _below(f"{PURE}: import of one message", results.imports.get(MESSAGE), 10, "ms")


def _native(results: Results) -> Iterator[Goal]:
    for operation, times in (("encode", 28.0), ("decode", 2.0)):
        assert operation in OPERATIONS
        yield _speed(results, operation, NATIVE, f"{times:g} times the best Python peer", None, times)
    for operation in OPERATIONS:
        yield _speed(results, operation, NATIVE, "within 4 times of warm Java", JAVA, 1 / 4)
    yield from _columns(*(results.columns.get(what) for what in (ALL_FIELDS, FOUR_THREADS, TWO_PROCESSES)))


def _lazy(results: Results) -> Iterator[Goal]:
    peer = best_peer(results, "decode")
    text = f"{NATIVE}: lazy decode, three fields read, at least 10 times the best Python peer's decode"
    yield _mean(text, ratios(peer, results.best("read", NATIVE)), 10)
    proxy = results.best("proxy", NATIVE)
    text = f"{NATIVE}: proxy at least 15 times the best Python peer"
    yield _mean(text, ratios(best_peer(results, "proxy"), proxy), 15)
    yield _mean(f"{NATIVE}: proxy faster than warm Java", ratios(results.best("proxy", JAVA), proxy), 1)
    yield _touched(results)
    yield _untouched(results.memory.get(LAZILY))


def _touched(results: Results) -> Goal:
    text = f"{NATIVE}: lazy decode, then everything touched, at most 1.3 times the eager time"
    slower = ratios(results.best("touch-lazy", NATIVE), results.best("touch", NATIVE))
    if not slower:
        return Goal(text, "", None)
    mean = geometric_mean(slower.values())
    most = max(slower, key=lambda name: slower[name])
    return Goal(text, f"{mean:.2f} times as long (at most {slower[most]:.2f}, {most})", mean <= 1.3)


def _untouched(kept: int | None) -> Goal:
    text = f"{NATIVE}: memory of a lazily decoded W2, untouched, at most its bytes and 10 %"
    if kept is None:
        return Goal(text, "", None)
    (size,) = (workload.size for workload in WORKLOADS if workload.name == "W2")
    return Goal(text, f"{size:,} + {kept:,} bytes", size + kept <= _UNTOUCHED * size)


def _records(times: dict[str, dict[str, float]]) -> Iterator[Goal]:
    """Batches of many records: with a single one, what a batch costs counts more than its record."""
    for ours, least in ((PURE, 1.5), (NATIVE, 10.0)):
        for operation in OPERATIONS:
            rows = {what: row for what, row in times.items() if what.startswith(f"{operation}, 200") and ours in row}
            peers = {what: min(row[peer] for peer in PURE_PEERS if peer in row) for what, row in rows.items()}
            text = f"{ours}: {operation} record batches at least {least:g} times the best peer in pure Python"
            yield _mean(text, ratios(peers, {what: row[ours] for what, row in rows.items()}), least)


def _near_the_floor(results: Results) -> Goal:
    text = f"{PURE}: decode of W3req within 1.5 times of the floor (benchmarks floor)"
    times = ratios(results.best("decode", PURE), results.best("floor", PURE))
    return Goal(text, f"{times['W3req']:.2f} times", times["W3req"] <= 1.5) if times else Goal(text, "", None)


def _columns(one: float | None, four: float | None, processes: float | None) -> Iterator[Goal]:
    text = f"{NATIVE}: Arrow columns of 8.4 KB MetadataResponse rows, at least {_COLUMNS:,} MB/s a core"
    yield Goal(text, "", None) if one is None else Goal(text, f"{one:,.0f} MB/s", one >= _COLUMNS)
    text = f"{NATIVE}: columns, 4 threads at least {_FOUR_THREADS} times 1 thread"
    if one is None or four is None:
        yield Goal(text, "", None)
    else:
        # What the machine gives two processes, it can't give threads.
        beside = "" if processes is None else f" (two processes: {processes / one:.2f} times)"
        yield Goal(text, f"{four / one:.2f} times{beside}", four / one >= _FOUR_THREADS)


def _generation(results: Results) -> Iterator[Goal]:
    seconds = {runs.kind: runs.best for runs in results.generation}
    for kind, limit, before in _GENERATION:
        goal = _below(f"generate all official specs, {kind}:", seconds.get(kind), limit, "s")
        ratio = f", {seconds[kind] / before:.2f} of the time before" if before and kind in seconds else ""
        yield replace(goal, measured=f"{goal.measured}{ratio}")
    yield _below("generate all official specs: output", _mega(results.generated_bytes or None), 4, "MB")


def _help(results: Results) -> Goal:
    slowest = max(results.help, key=lambda name: results.help[name], default="")
    goal = _below("--help of every command, above the bare interpreter:", results.help.get(slowest), 150, "ms")
    return replace(goal, measured=f"{goal.measured} ({slowest})") if slowest else goal


def _growth(results: Results) -> Iterator[Goal]:
    for contestant in dict.fromkeys([PURE, *(point.contestant for point in results.growth)]):
        for operation in OPERATIONS:
            points = [p for p in results.growth if (p.contestant, p.operation) == (contestant, operation)]
            text = f"{contestant}: {operation} grows linearly, 10 to 100,000 partitions (exponent at most {_STEEPEST})"
            if not points:
                yield Goal(text, "", None)
                continue
            seconds = exponent((point.partitions, point.seconds) for point in points)
            peak = exponent((point.partitions, point.peak_bytes) for point in points)
            yield Goal(text, f"time {seconds:.3f}, peak memory {peak:.3f}", max(seconds, peak) <= _STEEPEST)


def _speed(results: Results, operation: Operation, ours: str, target: str, rival: str | None, times: float) -> Goal:
    """The geometric mean over all workloads of how many times as fast ``ours`` is; no rival means the best peer."""
    theirs = results.best(operation, rival) if rival else best_peer(results, operation)
    compared = ratios(theirs, results.best(operation, ours))
    text = f"{ours}: {operation} {'' if rival == JAVA else 'at least '}{target}"
    if not compared:
        return Goal(text, "", None)
    mean = geometric_mean(compared.values())
    shown = f"{1 / mean:.2f} times as long" if rival == JAVA else f"{mean:.2f} times as fast"
    return Goal(text, shown, mean >= times)


def _mean(text: str, compared: dict[str, float], times: float) -> Goal:
    """The geometric mean of how many times as fast we are, and the workload that is the furthest below it."""
    if not compared:
        return Goal(text, "", None)
    mean = geometric_mean(compared.values())
    least = min(compared, key=lambda name: compared[name])
    return Goal(text, f"{mean:.2f} times as fast (at least {compared[least]:.2f}, {least})", mean >= times)


def _less_memory(results: Results) -> Goal:
    text = f"{PURE}: memory of decoded W2 below kio's"
    ours, theirs = _mega(results.memory.get(PURE)), _mega(results.memory.get(KIO))
    if ours is None or theirs is None:
        return Goal(text, "", None)
    return Goal(text, f"{ours:.2f} MB, kio {theirs:.2f} MB", ours < theirs)


def _nowhere_behind(results: Results) -> Goal:
    compared = {
        f"{workload} {operation}": ratio
        for operation in OPERATIONS
        for workload, ratio in ratios(results.best(operation, KAFKA_PYTHON), results.best(operation, PURE)).items()
    }
    text = f"{PURE}: no workload behind kafka-python"
    if not compared:
        return Goal(text, "", None)
    worst = min(compared, key=lambda name: compared[name])
    return Goal(text, f"closest {worst}, {compared[worst]:.2f} times as fast", compared[worst] >= 1)


def _mega(amount: float | None) -> float | None:
    return None if amount is None else amount / 1e6


def _below(text: str, measured: float | None, limit: float, unit: str) -> Goal:
    text = f"{text} below {limit:.3g} {unit}"
    return Goal(text, "", None) if measured is None else Goal(text, f"{measured:.2f} {unit}", measured < limit)
