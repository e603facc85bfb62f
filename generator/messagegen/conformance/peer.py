"""Another implementation: a process that answers lines of the conformance protocol, watched while it does."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, cast

Json = Mapping[str, Any]

_LONGEST_SHOWN: Final = 200
MOST_RESTARTS: Final = 5


class PeerError(Exception):
    """Raised where a command cannot be judged: it does not start, does not answer at all, or not in JSON."""


@dataclass(frozen=True, slots=True)
class Gone:
    """No answer: ``reason`` says that the command ended, or took too long."""

    reason: str


class Peer:
    """Runs ``command`` and asks it; a command that dies or hangs is started again for the next question.

    ``seconds`` is how long an answer may take. Use it as a context manager. Raises ``PeerError``.
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._process: _Process | None = None
        self._answered = False
        self._restarts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def ask(self, question: Json) -> Json | Gone:
        """The answer to a question."""
        if self._process is None:
            self._process = _Process(self._command)
        answer = self._process.ask(question, self._seconds)
        if isinstance(answer, Gone):
            self.__exit__()
            self._restarts += 1
            if not self._answered:
                raise PeerError(f"the command {answer.reason}; it had not answered yet")
            if self._restarts > MOST_RESTARTS:
                raise PeerError(
                    f"the command {answer.reason}; it was started {self._restarts} times, and is not started again"
                )
        self._answered = True
        return answer


class _Process:
    """One run of the command; a thread receives its lines, so that waiting for them can end."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command, no shell
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self._errors.close()
            raise PeerError(f"{command[0]} cannot be started: {error.strerror or error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self._stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def ask(self, question: Json, seconds: float) -> Json | Gone:
        """The next answer. Raises ``PeerError`` for a line that is not an object of JSON."""
        # A command that ended is noticed by the missing answer.
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(question).encode() + b"\n")
            self._stdin.flush()
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return Gone(f"gave no answer in {seconds:g} seconds")
        if not line:
            return Gone(self._last_words())
        try:
            answer: object = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            shown = line[:_LONGEST_SHOWN].decode("utf-8", "replace").strip()
            raise PeerError(
                f"the command answered {shown!r}, which is not a JSON object; "
                "it must print one line for each question, and nothing else, to standard output"
            )
        return cast("Json", answer)

    def _last_words(self) -> str:
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._errors.seek(0)
        words = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        last = f": {words[-1][:_LONGEST_SHOWN]}" if words else ""
        return f"{f'was killed by signal {-code}' if code < 0 else f'ended with exit code {code}'}{last}"

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()
