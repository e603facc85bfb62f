"""Another implementation: a process that answers lines of the conformance protocol, with a limit on the time of an answer."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self, cast

Json = Mapping[str, Any]

_LONGEST_SHOWN: Final = 200


class PeerError(Exception):
    """Raised where a command does not start, ends, does not answer in time, or does not answer in JSON."""


class Peer:
    """Runs ``command`` and asks it; use it as a context manager.

    ``seconds`` is how long an answer may take. Raises ``PeerError``.
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._seconds = seconds
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
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
        # A thread receives the lines, so that waiting for them can end.
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._receive, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()

    def ask(self, question: Json) -> Json:
        """The answer to a question. Raises ``PeerError``."""
        # A command that ended is noticed by the missing answer.
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(question).encode() + b"\n")
            self._stdin.flush()
        try:
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            raise PeerError(f"the command gave no answer in {self._seconds:g} seconds") from None
        if not line:
            raise PeerError(f"the command {self._end()}")
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

    def _receive(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self._stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def _end(self) -> str:
        """How the command ended, with its last line on standard error."""
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._errors.seek(0)
        words = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        last = f": {words[-1][:_LONGEST_SHOWN]}" if words else ""
        return f"{f'was killed by signal {-code}' if code < 0 else f'ended with exit code {code}'}{last}"
