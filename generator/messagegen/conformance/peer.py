"""Another implementation: a process that answers lines of the conformance protocol, watched while it does."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Final, Self, cast

Json = Mapping[str, Any]

_IN_FLIGHT: Final = 64
"""How many questions are sent ahead of the answers."""
_LONGEST_SHOWN: Final = 200
MOST_RESTARTS: Final = 5


class PeerError(Exception):
    """Raised where a command cannot be judged: it does not start, does not answer at all, or not in JSON."""


@dataclass(frozen=True, slots=True)
class Gone:
    """No answer: ``reason`` says that the command ended, or took too long."""

    reason: str


class Peer:
    """Runs ``command`` and asks it; a command that dies or hangs is started again for the questions that are left.

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

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def ask(self, questions: Sequence[Json]) -> Iterator[Json | Gone]:
        """The answer to each question, in order."""
        done = 0
        while done < len(questions):
            if self._process is None:
                self._process = _Process(self._command)
            sent = self._process.send(questions[done:])
            for _ in range(len(questions) - done):
                answer = self._process.answer(self._seconds)
                if isinstance(answer, Gone):
                    self._restart(answer)
                    yield answer
                    done += 1
                    break
                self._answered = True
                done += 1
                sent.release()
                yield answer

    def _restart(self, gone: Gone) -> None:
        self._end()
        if not self._answered:
            raise PeerError(f"the command {gone.reason}; it had answered nothing")
        self._restarts += 1
        if self._restarts > MOST_RESTARTS:
            raise PeerError(f"the command {gone.reason}; it was started {self._restarts} times, and that was the last")

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """One run of the command: a thread sends, a thread receives."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command, no shell
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self._errors.close()
            raise PeerError(f"{command[0]} cannot be started: {error.strerror or error}") from error
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._slots = threading.Semaphore(_IN_FLIGHT)
        threading.Thread(target=self._receive, daemon=True).start()

    def send(self, questions: Sequence[Json]) -> threading.Semaphore:
        """Sends questions from a thread, as far as the semaphore lets it; it is released for every answer."""
        threading.Thread(target=self._send, args=(questions,), daemon=True).start()
        return self._slots

    def _send(self, questions: Sequence[Json]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        # A command that ended is reported by the thread that waits for its answers.
        with contextlib.suppress(OSError, ValueError):
            for question in questions:
                self._slots.acquire()
                if self._ended.is_set():
                    return
                stdin.write(json.dumps(question).encode() + b"\n")
                stdin.flush()

    def _receive(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in stdout:
                self._lines.put(line)
        self._lines.put(None)

    def answer(self, seconds: float) -> Json | Gone:
        """The next answer. Raises ``PeerError`` for a line that is not an object of JSON."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return Gone(f"gave no answer in {seconds:g} seconds")
        if line is None:
            return Gone(self._last_words())
        try:
            answer: object = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            shown = line[:_LONGEST_SHOWN].decode("utf-8", "replace").strip()
            raise PeerError(
                f"the command answered {shown!r}, which is not an object of JSON; "
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
        self._ended.set()
        self._slots.release()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        self._errors.close()
