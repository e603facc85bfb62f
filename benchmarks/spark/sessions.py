"""Spark sessions as processes: one each, so that sessions with one core and with two can take turns.

``python -m benchmarks.spark.sessions FOLDER CORES`` is such a process. It answers JSON lines: ``{"run": key}`` with
seconds of wall and processor time, ``{"repeat": [what, times]}`` as well, ``{"peaks": [what, times]}`` with bytes,
``{"cases": null}`` with keys and amounts, ``{"write topics": bootstrap}``, ``{"add topics": bootstrap}``, which adds
questions about them, and ``{"prepare": null}``, which must come first where nobody asked it of this folder yet.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, NamedTuple, Self

from pyspark.sql import SparkSession

from benchmarks.processes import WorkerError
from benchmarks.spark import frames, resources
from benchmarks.spark.frames import Case
from benchmarks.spark.functions import write_topics
from benchmarks.spark.inputs import ALL_ROWS
from benchmarks.spark.python_log import PythonLog
from messagegen_spark import register
from tests.oracle.jars import maven_jars

Key = tuple[str, str, str]

_ROOT: Final = Path(__file__).resolve().parents[2]
_POM: Final = Path(__file__).with_name("pom.xml")
_MODULE_JAR: Final = re.compile(r"(?P<name>spark-avro|spark-sql-kafka-0-10)_[\d.]+-(?P<version>.+)\.jar")
_HEAP: Final = "2g"
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": _HEAP,
    # All of the heap from the start: what the JVM's memory grows by is then what lies outside of it. With one
    # processor, Java would choose a simpler garbage collector than with two. Without the latter two, Arrow checks each
    # value that Spark reads of what a Python function returns.
    "spark.driver.extraJavaOptions": f"-Xms{_HEAP} -XX:+AlwaysPreTouch -XX:+UseG1GC"
    " -Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.sql.execution.arrow.pythonUDF.columnarInput.enabled": "true",
}


class Turn(NamedTuple):
    """What one run of a question took: seconds of wall time, and of processor time of the session's processes."""

    seconds: float
    cpu: float


class Peaks(NamedTuple):
    """Peaks of resident memory in bytes: of all Python workers together, and of the JVM."""

    workers: int
    jvm: int


class Session:
    """A process with a Spark session over the inputs in ``folder``; use it as a context manager.

    It and all that it starts have ``cores`` processors of the computer, or all where those are fewer: Spark's
    ``local[1]`` alone limits tasks, and a task keeps a thread of the JVM and a Python worker busy. Settings are those
    that the documents recommend: Unix sockets to workers, and batches of so many rows that a processor's caches hold
    them (``frames.set_batches``).
    """

    def __init__(self, folder: Path, cores: int) -> None:
        self.name = f"local[{cores}]"
        # Workers run the interpreter that this says, and read bytecode as whoever installs packages does. Options for
        # Java that are set for other Spark programs would change what is measured, and Java refuses to start with two
        # garbage collectors.
        own = {"PYSPARK_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "", "SPARK_SUBMIT_OPTS": ""}
        self._process = subprocess.Popen(  # noqa: S603 - the command is made here
            [sys.executable, "-m", "benchmarks.spark.sessions", str(folder), str(cores)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
            env={**os.environ, **own},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The end of its input ends the process in order, and with it the JVM and the workers.
        self._process.communicate()

    def prepare(self) -> None:
        """Writes the inputs that only Spark can make: the Avro form of the messages, and logs with it."""
        self._ask({"prepare": None})

    def write_topics(self, bootstrap: str) -> None:
        """Writes the rows to topics of a broker."""
        self._ask({"write topics": bootstrap})

    def add_topics(self, bootstrap: str) -> None:
        """Adds the questions about topics that were written."""
        self._ask({"add topics": bootstrap})

    def cases(self) -> dict[Key, int]:
        """What can be asked, in order, and of how many rows."""
        return {(part, data, contestant): amount for (part, data, contestant), amount in self._ask({"cases": None})}

    def run(self, key: Key) -> Turn:
        """Asks once. Raises ``WorkerError`` where the session fails; its last words are on standard error."""
        return Turn(*self._ask({"run": key}))

    def repeat(self, what: str, times: int) -> Turn:
        """Reads ``what``, one of ``SCALED``, so many times in one query."""
        return Turn(*self._ask({"repeat": [what, times]}))

    def peaks(self, what: str, times: int) -> Peaks:
        """Reads ``what``, one of ``READ_AGAIN``, so many times in one query; gives the peaks of this query."""
        return Peaks(*self._ask({"peaks": [what, times]}))

    def _ask(self, question: dict[str, Any]) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with contextlib.suppress(BrokenPipeError):  # the missing answer says it, too
            stdin.write(json.dumps(question) + "\n")
            stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise WorkerError(f"Spark's session {self.name} ended at {question}; its last words are above")
        return json.loads(answer)


def module_versions() -> dict[str, str]:
    """The versions of Spark's modules that are not in PySpark, by name."""
    found = (_MODULE_JAR.fullmatch(jar.name) for jar in _module_jars())
    return {match["name"]: match["version"] for match in found if match}


def _module_jars() -> list[Path]:
    return sorted(maven_jars("spark-avro", _POM).glob("*.jar"))


def start(cores: int) -> SparkSession:
    """A session with so many cores, Spark's Avro functions and the source of the pipeline."""
    jars = ",".join(map(str, _module_jars()))
    builder = SparkSession.builder.master(f"local[{cores}]").appName("benchmarks")
    session = builder.config(map={**_SETTINGS, "spark.jars": jars}).getOrCreate()
    register(session)
    session.dataSource.register(PythonLog)
    return session


class _Answers:
    """What a session answers; the folder's frames are built when they are first asked for."""

    def __init__(self, folder: Path, cores: int) -> None:
        self._folder = folder
        self._session = start(cores)

    @cached_property
    def _cases(self) -> dict[Key, Case]:
        return frames.cases(self._session, self._folder)

    def answer(self, question: dict[str, Any]) -> Any:
        """The answer to one question, as JSON has it."""
        match question:
            case {"prepare": _}:
                for rows in ALL_ROWS:
                    frames.write_avro_form(self._session, self._folder, rows)
                frames.write_message_logs(self._session, self._folder)
                return None
            case {"write topics": bootstrap}:
                write_topics(self._session, self._folder, bootstrap)
                return None
            case {"add topics": bootstrap}:
                self._cases.update(frames.broker_cases(self._session, self._folder, bootstrap))
                return None
            case {"cases": _}:
                return [(key, case.amount) for key, case in self._cases.items()]
            case {"run": key}:
                return _timed(self._cases[tuple(key)].run)
            case {"repeat": [what, times]}:
                return _timed(partial(frames.consume_repeated, self._session, self._folder, what, times))
            case {"peaks": [what, times]}:
                resources.reset_peaks(os.getpid())
                frames.consume_repeated(self._session, self._folder, what, times)
                return Peaks(_peak("pyspark.daemon"), _peak("org.apache.spark.deploy.SparkSubmit"))
        raise ValueError(f"not a question: {question}")

    def stop(self) -> None:
        """Ends the session, its JVM and its workers."""
        self._session.stop()


def main() -> None:
    """Answers questions from standard input until it ends."""
    folder, cores = Path(sys.argv[1]), int(sys.argv[2])
    _keep_to(cores)
    with _answers_alone() as answers:
        session = _Answers(folder, cores)
        for line in sys.stdin:
            answers.write(json.dumps(session.answer(json.loads(line))) + "\n")
            answers.flush()
        session.stop()


def _keep_to(cores: int) -> None:
    """Keeps this process and those that it starts to some processors of the computer; macOS and Windows can't."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _timed(run: Callable[[], object]) -> Turn:
    before = resources.cpu_times(os.getpid())
    started = time.perf_counter()
    run()
    seconds = time.perf_counter() - started
    return Turn(seconds, resources.cpu_between(before, resources.cpu_times(os.getpid())))


def _peak(command: str) -> int:
    return resources.peak_bytes(os.getpid(), lambda line: command in line)


@contextlib.contextmanager
def _answers_alone() -> Iterator[IO[str]]:
    """Standard output for answers alone: what the JVM and libraries print goes to standard error."""
    answers: IO[str] = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with answers:
        yield answers


if __name__ == "__main__":
    main()
