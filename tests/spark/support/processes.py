"""Starts one Spark process, and ends it by its process id."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pyspark

from tests.spark.support import java

SPARK_HOME: Final = Path(pyspark.__file__).parent
_STOP_SECONDS: Final = 30
_LOG_LINES: Final = 40

# These settings, if the user has them, would send drivers to the user's cluster.
_FOREIGN: Final = ("SPARK_", "PYSPARK_", "MASTER")

# This program kills a session of processes when the program's standard input ends, that is, when its parent is gone.
_GUARD: Final = "import os, signal, sys; sys.stdin.buffer.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"


def spark_environment(**settings: str) -> dict[str, str]:
    """Return the environment for Spark's commands: this PySpark and interpreter, loopback, and no user settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    own = {
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **java.ENVIRONMENT,
    }
    return {**kept, **own, **settings}


class SparkProcess:
    """A Spark process, whose output goes to ``log``."""

    def __init__(self, name: str, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self.log = log
        with log.open("ab") as out:
            # Ctrl-C in a terminal does not reach the new session, and `close` ends the whole session.
            self._process = subprocess.Popen(
                [str(argument) for argument in arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=dict(environment),
                start_new_session=True,
            )
        self._guard = subprocess.Popen(
            [sys.executable, "-c", _GUARD, str(self.pid)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process id. It is Java's, because Spark's scripts end in ``exec``."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """Stop the process, or kill it if it does not stop, with all processes that are left in its session."""
        if self.running:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self._guard.kill()
        self._guard.communicate()

    def problem(self, what: str) -> str:
        """Return ``what``, and the last lines of the process's log."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join([f"{what}; the end of {self.log}:", *text.splitlines()[-_LOG_LINES:]])
