"""Spark's standalone cluster on loopback, out of the PySpark that pip installed: a master, two workers, Spark Connect."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.spark.support.java import SMALL_JVM
from tests.spark.support.processes import SPARK_HOME, SparkProcess, spark_environment

WORKERS: Final = 2
_RUN_SECONDS: Final = 300
_HOST: Final = "127.0.0.1"

SETTINGS: Final = {
    "spark.driver.host": _HOST,
    "spark.driver.bindAddress": _HOST,
    "spark.executor.memory": "700m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": SMALL_JVM,
    "spark.driver.extraJavaOptions": SMALL_JVM,
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    # A worker that is killed is missed at once: its connection breaks. One that hangs, after this.
    "spark.network.timeout": "60s",
    # Rows on their way to a driver in Python wait longer where everything waits.
    "spark.python.authenticate.socketTimeout": "120s",
}
"""What drivers are told: everything stays on this machine, and small."""


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    code: int
    out: str
    err: str


class SparkCluster:
    """A master and two workers of one core each, as a context manager. Ports are the system's choice.

    Each process is started by ``spark-class``, as Spark's own scripts do it, and is ended by its own process id.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = ExitStack()
        self.master = ""
        """The address of the master: ``spark://127.0.0.1:PORT``."""

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.push(self._started)
            self._start()
            self._started = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._started.close()

    def run(self, command: Sequence[str | Path], *, folder: Path | None = None, **environment: str) -> Finished:
        """Runs a command, such as a driver, to its end; in ``folder``, if it matters where."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env=spark_environment(**environment),
            capture_output=True,
            text=True,
            check=False,
            timeout=_RUN_SECONDS,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def connect_server(self, **environment: str) -> Iterator[str]:
        """A Spark Connect server whose executors are this cluster's; gives its address, ``sc://127.0.0.1:PORT``.

        ``PYSPARK_PYTHON`` is the interpreter of its executor. It takes one core while it runs.
        """
        settings = {
            **SETTINGS,
            # It keeps what it takes, and one executor is a Java less.
            "spark.cores.max": "1",
            "spark.connect.grpc.binding.address": _HOST,
            "spark.connect.grpc.binding.port": "0",
            "spark.sql.warehouse.dir": str(self._folder / "warehouse"),
        }
        command = [
            str(SPARK_HOME / "bin" / "spark-submit"),
            *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
            *("--master", self.master),
            *conf_arguments(settings),
            "spark-internal",
        ]
        server = self._process("connect", command, **environment)
        try:
            started = server.wait_for(r"Spark Connect server started at: \S*?:(\d+)")
            yield f"sc://{_HOST}:{started[1]}"
        finally:
            server.close()

    def _start(self) -> None:
        master = self._launch("master", "org.apache.spark.deploy.master.Master", "--webui-port", "0")
        self.master = master.wait_for(r"Starting Spark master at (spark://[\d.]+:\d+)")[1]
        master.wait_for("I have been elected leader")
        for worker in [self._launch_worker(f"worker-{number}") for number in range(WORKERS)]:
            worker.wait_for("Successfully registered with master")

    def _launch_worker(self, name: str) -> SparkProcess:
        sizes = ("--cores", "1", "--memory", "1g")
        places = ("--work-dir", str(self._folder / name), "--webui-port", "0")
        return self._launch(name, "org.apache.spark.deploy.worker.Worker", *sizes, *places, self.master)

    def _launch(self, name: str, main_class: str, *arguments: str) -> SparkProcess:
        command = [str(SPARK_HOME / "bin" / "spark-class"), main_class, "--host", _HOST, "--port", "0", *arguments]
        process = self._process(name, command, SPARK_DAEMON_MEMORY="256m", SPARK_DAEMON_JAVA_OPTS=SMALL_JVM)
        self._started.callback(process.close)
        return process

    def _process(self, name: str, command: Sequence[str], **environment: str) -> SparkProcess:
        # Scratch files of executors go with the folder, and not into what everybody shares.
        own = {"SPARK_LOCAL_DIRS": str(self._folder / "scratch"), **environment}
        return SparkProcess(name, command, self._folder / f"{name}.log", spark_environment(**own))


def conf_arguments(settings: dict[str, str] = SETTINGS) -> list[str]:
    """Settings as Spark's commands, and those of this project, take them."""
    return [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
