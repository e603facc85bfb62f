"""Writes the inputs, and starts a Spark session for each part, in which all contestants take turns.

``python -m benchmarks.spark.runner FOLDER PART ROUNDS`` is such a session. It prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.measures import Measure, Measures
from benchmarks.processes import run_python
from benchmarks.results import machine
from benchmarks.spark import logs, resources
from benchmarks.spark.data import ALL_ROWS, Rows, write_avro_form, write_inputs
from benchmarks.spark.workloads import PARTS, WORKLOADS, Inputs
from tests.oracle.jars import maven_jars

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ALL_PARTS: Final = (logs.LOGS, *PARTS)
_PREPARE: Final = "prepare"
_POM: Final = Path(__file__).with_name("pom.xml")
_MODULE_JAR: Final = re.compile(r"(?P<name>spark-avro)_[\d.]+-(?P<version>.+)\.jar")
_NAMES: Final = ("pyspark", "messagegen-native", "pyarrow", "aiokafka")
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    # Without the last two options, Arrow checks each value that Spark reads from the result of a Python function.
    "spark.driver.extraJavaOptions": "-XX:+UseG1GC"
    " -Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.sql.execution.arrow.pythonUDF.columnarInput.enabled": "true",
    # With any other limit, Spark computes the size of a batch after every row.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
}
_BATCH_ROWS: Final = "spark.sql.execution.arrow.maxRecordsPerBatch"
WARM_UP: Final = 8
"""The number of rounds before the measured rounds, in which workers start and the JVM compiles."""
_LEAST_WARM_UP: Final = 3
_WARM_SECONDS: Final = 3.0
"""A contestant that took this long in at least ``_LEAST_WARM_UP`` rounds skips the rest of the warm-up."""

Key = tuple[str, str, str]
Progress = Callable[[str], None]


class Turn(NamedTuple):
    """One run of a query: its wall time, and the processor time of the session's processes, in seconds."""

    seconds: float
    cpu: float


def measure(
    specs: Path, folder: Path, parts: Sequence[str], rounds: int, scale: float, progress: Progress
) -> Iterator[Measures]:
    """Measure the parts with ``scale`` times all rows, and yield all results after each part.

    The inputs are written to ``folder``. Raises ``WorkerError`` if a session fails.
    """
    progress("writing messages and logs")
    write_inputs(specs, folder, scale)
    logs.write_logs(folder, scale)
    found = Measures(machine(), {name: version(name) for name in _NAMES} | _profile() | _module_versions(), rounds)
    if set(parts) - {logs.LOGS}:
        progress("writing Avro with Spark")
        _session(folder, _PREPARE, 0)
    for part in ALL_PARTS:
        if part in parts:
            progress(part)
            measured = logs.measure(folder, rounds) if part == logs.LOGS else measured_in_session(folder, part, rounds)
            found = replace(found, measures=(*found.measures, *measured))
            yield found


def measured_in_session(folder: Path, part: str, rounds: int) -> list[Measure]:
    """Measure a part in a new session, because earlier code influences what Java's compiler does."""
    found = json.loads(_session(folder, part, rounds))
    return [
        Measure.of((part, data, contestant), amount, [turn[0] for turn in turns], [turn[1] for turn in turns])
        for data, contestant, amount, turns in found
    ]


def _session(folder: Path, part: str, rounds: int) -> str:
    return run_python("-m", "benchmarks.spark.runner", str(folder), part, str(rounds), pure=False)


def _profile() -> dict[str, str]:
    """Return the Cargo profile of the engine: a build for tests is two to three times slower than ``release``."""
    return {"Cargo profile": import_module("messagegen_native").PROFILE}


def _module_jars() -> list[Path]:
    return sorted(maven_jars("spark-avro", _POM).glob("*.jar"))


def _module_versions() -> dict[str, str]:
    """Return the versions of Spark's modules that PySpark does not contain, by name."""
    found = (_MODULE_JAR.fullmatch(jar.name) for jar in _module_jars())
    return {match["name"]: match["version"] for match in found if match}


def start() -> SparkSession:
    """Start a session with two cores, Spark's Avro functions and the data sources for logs."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - the process that only starts sessions needs none

    from benchmarks.spark.python_log import PythonLog  # noqa: PLC0415 - likewise
    from messagegen_spark import register  # noqa: PLC0415 - likewise

    os.environ["PYSPARK_PYTHON"] = sys.executable
    jars = ",".join(map(str, _module_jars()))
    builder = SparkSession.builder.master("local[2]").appName("benchmarks")
    session = builder.config(map={**_SETTINGS, "spark.jars": jars}).getOrCreate()
    register(session)
    session.dataSource.register(PythonLog)
    return session


def questions(inputs: Inputs, part: str) -> dict[Key, tuple[Rows, Callable[[], DataFrame]]]:
    """Return the queries of a part, in order."""
    return {
        (part, rows.size, workload.contestant): (rows, partial(workload.frame, inputs, rows))
        for rows, workload in product(ALL_ROWS, WORKLOADS)
        if workload.part == part and rows.size in workload.sizes()
    }


def ask(inputs: Inputs, rows: Rows, frame: Callable[[], DataFrame]) -> Turn:
    """Run a query, and return its time. Its rows are written to the sink ``noop``, which discards them."""
    inputs.spark.conf.set(_BATCH_ROWS, rows.batch)
    before = resources.cpu_times(os.getpid())
    started = time.perf_counter()
    frame().write.format("noop").mode("overwrite").save()
    seconds = time.perf_counter() - started
    return Turn(seconds, resources.cpu_between(before, resources.cpu_times(os.getpid())))


def warm_up(contestants: Mapping[Key, Callable[[], Turn]]) -> None:
    """Run all contestants in turn until their code is compiled."""
    spent: defaultdict[Key, float] = defaultdict(float)
    for turn, (key, run) in product(range(1, WARM_UP + 1), contestants.items()):
        if turn <= _LEAST_WARM_UP or spent[key] < _WARM_SECONDS:
            spent[key] += run().seconds


def turns_of(inputs: Inputs, part: str, rounds: int) -> list[tuple[str, str, int, list[Turn]]]:
    """Return the data, contestant, rows and turns of each query of a part. All contestants take turns in each round."""
    inputs.add_functions()
    by_key = questions(inputs, part)
    runs = {key: partial(ask, inputs, rows, frame) for key, (rows, frame) in by_key.items()}
    warm_up(runs)
    turns: defaultdict[Key, list[Turn]] = defaultdict(list)
    for _, (key, run) in product(range(rounds), runs.items()):
        turns[key].append(run())
    return [(key[1], key[2], by_key[key][0].rows_read(inputs.folder), turns[key]) for key in by_key]


def main() -> None:
    """Run the queries of a part, and print the turns. The part ``prepare`` writes the Avro data instead."""
    folder, part, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    # Only the result goes to standard output. Output of the JVM and of libraries goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    inputs = Inputs(start(), folder)
    if part == _PREPARE:
        for rows in ALL_ROWS:
            write_avro_form(inputs.spark, rows, folder)
    else:
        with answers:
            answers.write(json.dumps(turns_of(inputs, part, rounds)))
    inputs.spark.stop()


if __name__ == "__main__":
    main()
