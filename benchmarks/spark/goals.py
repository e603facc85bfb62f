"""What the pipeline promises, held against the numbers of one run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from benchmarks.goals import Goal
from benchmarks.measures import Measures, ratio
from benchmarks.spark.names import (
    AIOKAFKA,
    ALL_SIZES,
    BROKER,
    CODECS,
    DECODE,
    ENCODE,
    ENCODE_FUNCTION,
    ENCODE_MESSAGES,
    FIVE_COLUMNS,
    FROM_AVRO,
    FUNCTION,
    FUNCTIONS,
    FUSED,
    FUSED_COUNT,
    FUSED_FIELD,
    FUSED_PARQUET,
    FUSED_PART,
    KAFKA_PYTHON,
    LOG_DECODE,
    LOG_FUNCTION,
    LOG_SIZES,
    LOGS,
    ONE_CORE,
    OURS,
    OURS_COLUMN,
    PYTHON_AVRO,
    PYTHON_AVRO_PARQUET,
    READ_AGAIN,
    SCALED,
    SCALING,
    SIZES,
    TIMES,
    TO_AVRO,
    TO_KAFKA,
    TWO_CORES,
)

_OVER_KAFKA_PYTHON: Final = 25.0
_IN_THE_JVM: Final = {FUNCTIONS: 2.0, BROKER: 1.5}
"""The time for reading is in both: Parquet files are read quickly, a topic is not."""
_FUSED: Final = {"small": 1.8, "large": 2.4, "events": 1.4, "sessions": 1.7, "telemetry": 1.7, "changes": 1.4}
"""How many times as fast a log is decoded where it is read, by data."""
_ONE_FIELD: Final = {
    "small": 3.0,
    "large": 6.0,
    "events": 2.5,
    "sessions": 3.5,
    "telemetry": 2.5,
    "changes": 2.5,
}
_COUNT: Final = 5.0
_BEHIND_A_LOG: Final = {"small": 1.0, "large": 1.2}
_PARQUET: Final = 1.3
_OF_DECODE_MESSAGES: Final = 0.9
_OF_TO_AVRO: Final = 0.8
_ENCODE_IN_THE_JVM: Final = 1.0
"""The scan of the columns, which is in both times, takes more than half of the time of `to_avro`."""
_RECORDS_A_SECOND: Final = 1e6
_FLAT: Final = 1.25
"""Up to so many times the memory passes for the same."""
_GROWS: Final = 1.7
"""From so many times the rows a second on, two cores pass for more than one: the driver and the system have theirs of
it.
"""


def goals(found: Measures) -> list[Goal]:
    """All goals in the order in which a reader looks for them."""
    return [
        *_decode(found),
        *_in_the_jvm(found),
        *_functions(found),
        *_logs(found),
        *_fused(found),
        *_written(found),
        *_scaling(found),
        *_memory(found),
    ]


def _decode(found: Measures) -> Iterator[Goal]:
    for rival, times in ((FROM_AVRO, 1.0), (KAFKA_PYTHON, _OVER_KAFKA_PYTHON)):
        for size in SIZES:
            compared = ratio(found.find(DECODE, size, OURS), found.find(DECODE, size, rival))
            yield _at_least(f"decode, {size} rows: at least {times:g} times {rival}", compared, times)


def _in_the_jvm(found: Measures) -> Iterator[Goal]:
    for (part, least), data in product(_IN_THE_JVM.items(), ALL_SIZES):
        compared = ratio(found.find(part, data, FUNCTION), found.find(part, data, FROM_AVRO))
        yield _at_least(f"{part}, {data}, {FUNCTION}: at least {least:g} times {FROM_AVRO}", compared, least)


def _functions(found: Measures) -> Iterator[Goal]:
    for part, ours, rival, times in (
        (DECODE, OURS_COLUMN, OURS, _OF_DECODE_MESSAGES),
        (ENCODE, TO_KAFKA, TO_AVRO, _OF_TO_AVRO),
        (ENCODE, ENCODE_MESSAGES, TO_AVRO, _OF_TO_AVRO),
        (ENCODE, ENCODE_FUNCTION, TO_AVRO, _ENCODE_IN_THE_JVM),
    ):
        for size in SIZES:
            compared = ratio(found.find(part, size, ours), found.find(part, size, rival))
            yield _at_least(f"{ours}, {size} rows: at least {times:g} times {rival}", compared, times)


def _logs(found: Measures) -> Iterator[Goal]:
    for codec in CODECS:
        ours = found.find(LOGS, codec, FIVE_COLUMNS)
        text = f"log segments, {codec}: a million records/s a core"
        if ours is None:
            yield Goal(text, "", None)
            continue
        beside = ratio(ours, found.find(LOGS, codec, AIOKAFKA))
        measured = f"{ours.rate / 1e6:.2f} million/s" + (f", {beside:.1f} times aiokafka" if beside else "")
        yield Goal(text, measured, ours.rate >= _RECORDS_A_SECOND)


def _fused(found: Measures) -> Iterator[Goal]:
    for data in ALL_SIZES:
        asked = [(FUSED, _FUSED[data]), (FUSED_FIELD, _ONE_FIELD[data])]
        if data in SIZES:
            asked += [(function, _BEHIND_A_LOG[data]) for function in (LOG_DECODE, LOG_FUNCTION)]
        elif data in LOG_SIZES:
            asked.append((FUSED_COUNT, _COUNT))
        for ours, least in asked:
            compared = ratio(found.find(FUSED_PART, data, ours), found.find(FUSED_PART, data, PYTHON_AVRO))
            yield _at_least(f"{data}, {ours}: at least {least:g} times {PYTHON_AVRO}", compared, least)


def _written(found: Measures) -> Iterator[Goal]:
    for data in SIZES:
        compared = ratio(found.find(FUSED_PART, data, FUSED_PARQUET), found.find(FUSED_PART, data, PYTHON_AVRO_PARQUET))
        yield _at_least(
            f"{data}, {FUSED_PARQUET}: at least {_PARQUET:g} times {PYTHON_AVRO_PARQUET}", compared, _PARQUET
        )


def _scaling(found: Measures) -> Iterator[Goal]:
    for what in SCALED:
        grown = ratio(found.find(SCALING, what, TWO_CORES), found.find(SCALING, what, ONE_CORE))
        yield _at_least(f"{what}: two cores at least {_GROWS:g} times one", grown, _GROWS)


def _memory(found: Measures) -> Iterator[Goal]:
    peaks = {(each.data, each.times): each for each in found.memory}
    for what in READ_AGAIN:
        text = f"{what}: peak memory of {TIMES} times the data at most {_FLAT:g} times"
        once, often = peaks.get((what, 1)), peaks.get((what, TIMES))
        if once is None or often is None:
            yield Goal(text, "", None)
            continue
        workers, jvm = often.workers / once.workers, often.jvm / once.jvm
        yield Goal(text, f"workers {workers:.2f}, JVM {jvm:.2f}", max(workers, jvm) <= _FLAT)


def _at_least(text: str, compared: float | None, times: float) -> Goal:
    return Goal(text, "", None) if compared is None else Goal(text, f"{compared:.2f} times", compared >= times)
