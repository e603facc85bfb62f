"""Asks a peer: a line of JSON for each question, answers in order. A peer that ends is started again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from messagegen.conformance.verify import run

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
        ran = run(command, questions[len(answers) :], _SECONDS, folder)
        answers += _parsed(ran.answers)
        if len(answers) < len(questions):
            answers.append({"error": ran.end})
    if len(answers) < len(questions):
        raise PeerError(f"{' '.join(command)} ended {MOST_STARTS} times; the last time it {answers[-1]['error']}")
    return answers


def _parsed(lines: Sequence[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        # A process that is killed may leave half a line.
        if line.endswith(b"\n"):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise PeerError(f"expected a line of JSON, found {line[:100]!r}") from error
