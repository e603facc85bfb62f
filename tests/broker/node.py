"""One Kafka process: started, watched, stopped or killed by its own process id."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.broker.java_classes import broker_classes
from tests.oracle.jars import java_command

_STOP_SECONDS: Final = 30
_LOG_LINES: Final = 30
_JVM_OPTIONS: Final = (
    "-Xmx512m",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
)


class BrokerError(RuntimeError):
    """Raised where a broker does not do what it should; carries the end of its log."""


class Node:
    """One process that is broker and controller; ``log`` gets all that it says."""

    def __init__(self, properties: Path, log: Path) -> None:
        self._properties = properties
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self, format_arguments: Sequence[str] = ()) -> None:
        """Starts the process, which formats its log folder first where ``format_arguments`` are given."""
        if self.running:
            raise BrokerError(f"the broker of {self._properties} runs already: stop or kill it first")
        command = java_command(
            "messagegen.broker.Node",
            str(self._properties),
            *format_arguments,
            classes=[broker_classes()],
            options=_JVM_OPTIONS,
        )
        # Standard input is a pipe that nobody writes: the broker halts when it closes, that is when this process dies.
        # Its own session keeps Ctrl-C of a terminal from it, so that it is stopped in order.
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )

    def ended_within(self, seconds: float) -> bool:
        """Waits up to ``seconds`` for the process to end; whether it has."""
        if self._process is None:
            return True
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return not self.running

    def stop(self) -> None:
        """Stops the process in order; raises ``BrokerError`` (and kills it) where that takes more than 30 seconds."""
        if self._process is not None:
            self._process.terminate()
        if not self.ended_within(_STOP_SECONDS):
            self.kill()
            raise self.problem(f"the broker did not stop within {_STOP_SECONDS} seconds, so it was killed")
        self._forget()

    def kill(self) -> None:
        """Ends the process as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._forget()

    def problem(self, what: str) -> BrokerError:
        """An error that says ``what``, and what the broker logged last."""
        try:
            lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            lines = []
        return BrokerError("\n".join([f"{what}; the end of {self._log}:", *lines[-_LOG_LINES:]]))

    def _forget(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None
