"""A run: inputs are written, sessions take turns, and measures come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Final

from benchmarks.measures import Measure, Measures, Memory
from benchmarks.results import machine
from benchmarks.spark import inputs, logs
from benchmarks.spark.names import (
    BROKER,
    DECODE,
    ENCODE,
    FUNCTIONS,
    FUSED_PART,
    KAFKA_LOG,
    LOGS,
    ONE_CORE,
    READ_AGAIN,
    SCALED,
    SCALED_TIMES,
    SCALING,
    TIMES,
    TWO_CORES,
)
from benchmarks.spark.sessions import Key, Session, Turn, module_versions
from tests.broker.cluster import Cluster

MEMORY: Final = "memory"
PARTS: Final = (DECODE, FUNCTIONS, ENCODE, LOGS, KAFKA_LOG, FUSED_PART, BROKER, SCALING, MEMORY)
_IN_ONE_SESSION: Final = (DECODE, ENCODE, KAFKA_LOG)
_IN_NEW_SESSIONS: Final = (FUNCTIONS, FUSED_PART)
_NAMES: Final = ("pyspark", "messagegen-native", "pyarrow", "kafka-python", "aiokafka")

PAIRS: Final = 2
"""Of sessions with one core and with two."""
SESSIONS: Final = 2
"""New ones for each part about what decodes in the JVM, which all turns come from."""
WARM_UP: Final = 8
"""Rounds before those that count: workers start, and for several rounds the JVM spends a third of its time on
compiling.
"""
_LEAST_WARM_UP: Final = 3
_WARM_SECONDS: Final = 3.0
"""Who took so long in at least so many rounds has run its code often enough, and sits out the rest of the warm-up."""

_PARTITIONED: Final = {"num.partitions": "4", "auto.create.topics.enable": "true"}
"""So that topics have tasks for two cores."""

Progress = Callable[[str], None]


def measure(
    specs: Path, folder: Path, parts: Sequence[str], rounds: int, scale: float, progress: Progress
) -> Iterator[Measures]:
    """Measures the parts with ``scale`` times all rows, and gives the results so far after each.

    The inputs are written to ``folder``. Raises ``WorkerError`` where a session fails.
    """
    progress("writing messages and logs")
    inputs.write_inputs(specs, folder, scale)
    logs.write_logs(folder, scale)
    versions = {name: version(name) for name in _NAMES} | module_versions()
    found = Measures(machine(), versions, rounds)
    if LOGS in parts:
        progress("log segments, one core")
        found = replace(found, measures=tuple(logs.measure(folder, rounds)))
        yield found
    if set(parts) - {LOGS}:
        progress("starting Spark")
        with Session(folder, 2) as session:
            session.prepare()
            for part in _IN_ONE_SESSION:
                if part in parts:
                    found = replace(found, measures=(*found.measures, *_asked(session, part, rounds, progress)))
                    yield found
            if MEMORY in parts:
                found = replace(found, memory=tuple(_memory(session, progress)))
                yield found
    for part in _IN_NEW_SESSIONS:
        if part in parts:
            found = replace(found, measures=(*found.measures, *_in_new_sessions(folder, part, rounds, progress)))
            yield found
    if BROKER in parts:
        progress("starting a broker")
        with Cluster(folder / "broker", properties=_PARTITIONED) as cluster:
            topics = cluster.bootstrap()
            measured = _in_new_sessions(folder, BROKER, rounds, progress, topics)
            found = replace(found, measures=(*found.measures, *measured))
        yield found
    if SCALING in parts:
        yield replace(found, measures=(*found.measures, *_scaling(folder, rounds, progress)))


def _asked(session: Session, part: str, rounds: int, progress: Progress) -> list[Measure]:
    turns: defaultdict[Key, list[Turn]] = defaultdict(list)
    cases = _take_turns(session, part, rounds, progress, turns)
    return measures_of(cases, turns)


def _in_new_sessions(
    folder: Path, part: str, rounds: int, progress: Progress, bootstrap: str | None = None
) -> list[Measure]:
    """All rounds in each of several new sessions, one after the other.

    With a broker, the part is about topics, which are written to it first. What Java makes of the same code depends on
    all that ran before, and differs from process to process: in a session that had answered other questions, the scan
    of a topic took a third less time than in new ones, and the function over it the same.
    """
    turns: defaultdict[Key, list[Turn]] = defaultdict(list)
    cases: dict[Key, int] = {}
    for number in range(1, SESSIONS + 1):
        progress(f"starting Spark, session {number} of {SESSIONS}")
        with Session(folder, 2) as session:
            if bootstrap is not None and number == 1:
                progress("writing topics")
                session.write_topics(bootstrap)
            if bootstrap is not None:
                session.add_topics(bootstrap)
            cases = _take_turns(session, part, rounds, progress, turns)
    return measures_of(cases, turns)


def _take_turns(
    session: Session, part: str, rounds: int, progress: Progress, turns: defaultdict[Key, list[Turn]]
) -> dict[Key, int]:
    """Everybody in turn in each round, after those that do not count. Gives the questions of the part."""
    cases = {key: amount for key, amount in session.cases().items() if key[0] == part}
    warm_up({", ".join(key): partial(session.run, key) for key in cases}, progress)
    for turn, key in product(range(1, rounds + 1), cases):
        progress(f"round {turn} of {rounds}: {', '.join(key)}")
        turns[key].append(session.run(key))
    return cases


def warm_up(contestants: Mapping[str, Callable[[], Turn]], progress: Progress) -> None:
    """Runs everybody in turn until their code is compiled."""
    spent: defaultdict[str, float] = defaultdict(float)
    for turn, (name, run) in product(range(1, WARM_UP + 1), contestants.items()):
        if turn <= _LEAST_WARM_UP or spent[name] < _WARM_SECONDS:
            progress(f"warm-up {turn} of {WARM_UP}: {name}")
            spent[name] += run().seconds


def measures_of(cases: Mapping[Key, int], turns: Mapping[Key, Iterable[Turn]]) -> list[Measure]:
    """The measures of turns; ``cases`` has how many rows each question is about."""
    return [
        Measure.of(key, amount, [turn.seconds for turn in turns[key]], [turn.cpu for turn in turns[key]])
        for key, amount in cases.items()
    ]


def _scaling(folder: Path, rounds: int, progress: Progress) -> list[Measure]:
    """One core and two in turn, all rounds in each of several pairs of new sessions.

    What Java makes of the same code differs from process to process, and so does its speed: one pair would compare two
    accidents.
    """
    turns: defaultdict[Key, list[Turn]] = defaultdict(list)
    amounts: dict[Key, int] = {}
    for pair in range(1, PAIRS + 1):
        progress(f"starting Spark, pair {pair} of {PAIRS}")
        with Session(folder, 1) as one, Session(folder, 2) as two:
            amounts = two.cases()
            asked = list(product(SCALED, ((ONE_CORE, one), (TWO_CORES, two))))
            # Once is enough to start workers and to have Spark's code compiled.
            first = {
                f"{what}, {name}": partial(session.repeat, SCALED[what].what, 1) for what, (name, session) in asked
            }
            warm_up(first, progress)
            for turn, (what, (name, session)) in product(range(1, rounds + 1), asked):
                progress(f"pair {pair} of {PAIRS}, round {turn} of {rounds}: {what}, {name}")
                turns[SCALING, what, name].append(session.repeat(SCALED[what].what, SCALED_TIMES))
    return measures_of({key: SCALED_TIMES * amounts[SCALED[key[1]].once] for key in turns}, turns)


def _memory(session: Session, progress: Progress) -> list[Memory]:
    found: list[Memory] = []
    for what in READ_AGAIN:
        # What is read once before is what the second time is compared with: imports and compiled code are in both.
        session.peaks(what, 1)
        for times in (1, TIMES):
            progress(f"memory, {what}, {times} times")
            peaks = session.peaks(what, times)
            found.append(Memory(what, times, peaks.workers, peaks.jvm))
    return found
