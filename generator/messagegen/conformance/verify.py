"""Holds another implementation against vectors: it encodes, decodes, and encodes again what it decoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from messagegen.conformance.difference import Locate, bytes_difference, json_difference
from messagegen.conformance.peer import Gone, Json, Peer
from messagegen.vectors import Vector

Operation = Literal["encode", "decode", "reencode"]
OPERATIONS: Final[tuple[Operation, ...]] = ("encode", "decode", "reencode")

_LONGEST_ERROR: Final = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """One check that failed: ``reason`` says how the answer differs from what the vector says."""

    message: str
    version: int
    shape: str
    operation: Operation
    reason: str

    def __str__(self) -> str:
        return f"version {self.version}, {self.shape}, {self.operation}: {self.reason}"

    def as_json(self) -> dict[str, object]:
        """The failure as a JSON object with stable keys."""
        return {
            "message": self.message,
            "version": self.version,
            "shape": self.shape,
            "operation": self.operation,
            "reason": self.reason,
        }


@dataclass(slots=True)
class Tally:
    """What was found of one message: the number of checks, those that failed, and those that it does not support."""

    message: str
    checks: int = 0
    unsupported: int = 0
    failures: list[Failure] = field(default_factory=list[Failure])

    def as_json(self) -> dict[str, object]:
        """The tally as a JSON object with stable keys."""
        return {
            "message": self.message,
            "checks": self.checks,
            "unsupported": self.unsupported,
            "failures": [failure.as_json() for failure in self.failures],
        }


def verify(vectors: Sequence[Vector], peer: Peer, locate: Locate = lambda _vector, _offset: "") -> Iterator[Tally]:
    """The tally of each message, as soon as it is there; ``locate`` names the field of a byte. Raises ``PeerError``."""
    asked: list[tuple[Vector, Operation]] = [
        (vector, operation) for vector in vectors for operation in _operations(vector)
    ]
    tally: Tally | None = None
    for (vector, operation), answer in zip(asked, peer.ask([_question(*one) for one in asked]), strict=True):
        if tally is None or tally.message != vector.message:
            if tally is not None:
                yield tally
            tally = Tally(vector.message)
        if not isinstance(answer, Gone) and "unsupported" in answer:
            tally.unsupported += 1
            continue
        tally.checks += 1
        reason = _difference(vector, operation, answer, locate)
        if reason is not None:
            tally.failures.append(Failure(vector.message, vector.version, vector.shape, operation, reason))
    if tally is not None:
        yield tally


def _operations(vector: Vector) -> tuple[Operation, ...]:
    # Unknown tags are not in JSON.
    return OPERATIONS[1:] if vector.unknown_tags else OPERATIONS


def _question(vector: Vector, operation: Operation) -> Json:
    value: dict[str, Any] = {"json": vector.json} if operation == "encode" else {"hex": vector.data.hex()}
    return {"op": operation, "message": vector.message, "version": vector.version, **value}


def _difference(vector: Vector, operation: Operation, answer: Json | Gone, locate: Locate) -> str | None:
    """How an answer differs from the one that the vector gives; ``None`` if it does not."""
    if isinstance(answer, Gone):
        return f"the command {answer.reason}"
    if "error" in answer:
        return f"refused: {str(answer['error'])[:_LONGEST_ERROR]}"
    wanted = "json" if operation == "decode" else "hex"
    if wanted not in answer:
        return f"the answer has no {wanted}: it has {', '.join(answer) or 'nothing'}"
    if operation == "decode":
        return json_difference(vector.json, answer["json"])
    return bytes_difference(vector, answer["hex"], locate)
