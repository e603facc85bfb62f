"""Another implementation: a command that answers lines of the conformance protocol."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final, cast

Json = Mapping[str, Any]

_LONGEST_SHOWN: Final = 200


class PeerError(Exception):
    """Raised where a command cannot be judged: it does not start, stops answering, or does not answer in JSON."""


def ask(command: Sequence[str], questions: Sequence[Json], seconds: float) -> Iterator[Json]:
    """The answers of a command to all questions, in order; it may take ``seconds`` for each. Raises ``PeerError``."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, no shell
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        except OSError as error:
            raise PeerError(f"{command[0]} cannot be started: {error.strerror or error}") from error
        assert process.stdin is not None
        assert process.stdout is not None
        threading.Thread(target=_write, args=(process.stdin, questions), daemon=True).start()
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        try:
            for number, question in enumerate(questions):
                timer = threading.Timer(seconds, give_up)
                timer.start()
                line = process.stdout.readline()
                timer.cancel()
                if not line:
                    reason = f"gave no answer in {seconds:g} seconds" if late.is_set() else _last_words(process, errors)
                    asked = f"{question['op']} {question['message']}, version {question['version']}"
                    raise PeerError(f"the command {reason}; it answered {number} questions, and the next is: {asked}")
                yield _parse(line)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def _write(stdin: IO[bytes], questions: Sequence[Json]) -> None:
    # A command that ended is noticed by the missing answer.
    with contextlib.suppress(OSError), stdin:
        for question in questions:
            stdin.write(json.dumps(question).encode() + b"\n")
            stdin.flush()


def _parse(line: bytes) -> Json:
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


def _last_words(process: subprocess.Popen[bytes], errors: IO[bytes]) -> str:
    try:
        code = process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        return "closed its standard output"
    errors.seek(0)
    words = errors.read().decode("utf-8", "replace").strip().splitlines()
    last = f": {words[-1][:_LONGEST_SHOWN]}" if words else ""
    return f"{f'was killed by signal {-code}' if code < 0 else f'ended with exit code {code}'}{last}"
