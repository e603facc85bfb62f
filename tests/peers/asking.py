"""Asks a peer: a line of JSON for each question, answers in order. A peer that ends is started again."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

MOST_STARTS: Final = 50
"""The maximum number of times a peer is started."""
_SECONDS: Final = 300


class PeerError(RuntimeError):
    """The peer cannot be judged: it ends too often, or prints anything but answers."""


def ask(
    command: Sequence[str], questions: Sequence[Mapping[str, Any]], folder: Path | None = None
) -> list[Mapping[str, Any]]:
    """Return an answer to each question. The question at which a process ends or hangs is answered by an error."""
    answers: list[Mapping[str, Any]] = []
    for _ in range(MOST_STARTS):
        if len(answers) == len(questions):
            return answers
        end, found = _run(command, questions[len(answers) :], folder)
        answers += found
        if len(answers) < len(questions):
            answers.append({"error": end})
    if len(answers) < len(questions):
        raise PeerError(f"{' '.join(command)} ended {MOST_STARTS} times; the last time it {answers[-1]['error']}")
    return answers


def _run(
    command: Sequence[str], questions: Sequence[Mapping[str, Any]], folder: Path | None
) -> tuple[str, list[Mapping[str, Any]]]:
    """Return how a process ended, and its answers until then."""
    with tempfile.TemporaryFile() as requests, tempfile.TemporaryFile() as answers:
        requests.writelines(f"{json.dumps(question)}\n".encode() for question in questions)
        requests.seek(0)
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=requests,
                stdout=answers,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=False,
            )
            end = f"ended with exit code {done.returncode}"
        except subprocess.TimeoutExpired:
            end = f"did not end in {_SECONDS} seconds"
        answers.seek(0)
        return end, list(_parsed(answers.read().splitlines(keepends=True)))


def _parsed(lines: Sequence[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        # A process that is killed may leave half a line.
        if line.endswith(b"\n"):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise PeerError(f"expected a line of JSON, found {line[:100]!r}") from error
