"""Holds another implementation against vectors: it encodes, decodes, and encodes again what it decoded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, cast

from messagegen.conformance.peer import Gone, Json, Peer
from messagegen.vectors import Vector

_LONGEST: Final = 80
_LONGEST_ERROR: Final = 300
_AROUND: Final = 8

Locate = Callable[[Vector, int], str]
"""The field that a byte of a vector belongs to, empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One check that failed: ``reason`` says how the answer differs from what the vector says."""

    message: str
    version: int
    shape: str
    operation: str
    reason: str

    def __str__(self) -> str:
        return f"version {self.version}, {self.shape}, {self.operation}: {self.reason}"


@dataclass(slots=True)
class Tally:
    """What was found of one message: the number of checks, those that failed, and those that it does not support."""

    message: str
    checks: int = 0
    unsupported: int = 0
    failures: list[Failure] = field(default_factory=list[Failure])


def verify(vectors: Iterable[Vector], peer: Peer, locate: Locate = lambda _vector, _offset: "") -> Iterator[Tally]:
    """The tally of each message, as soon as it is there; ``locate`` names the field of a byte. Raises ``PeerError``."""
    tally: Tally | None = None
    for vector in vectors:
        if tally is None or tally.message != vector.message:
            if tally is not None:
                yield tally
            tally = Tally(vector.message)
        for operation, given in _questions(vector):
            question = {"op": operation, "message": vector.message, "version": vector.version, **given}
            answer = peer.ask(question)
            if not isinstance(answer, Gone) and "unsupported" in answer:
                tally.unsupported += 1
                continue
            tally.checks += 1
            reason = _difference(vector, operation, answer, locate)
            if reason is not None:
                shape = vector.shape if given.get("hex") != _hex(vector.longer) else f"{vector.shape}, longer bytes"
                tally.failures.append(Failure(vector.message, vector.version, shape, operation, reason))
    if tally is not None:
        yield tally


def _questions(vector: Vector) -> Iterator[tuple[str, Json]]:
    # Unknown tags are not in JSON.
    if not vector.unknown_tags:
        yield "encode", {"json": vector.json}
    for data in (vector.data, vector.longer):
        if data is not None:
            yield "decode", {"hex": _hex(data)}
            yield "reencode", {"hex": _hex(data)}


def _hex(data: bytes | None) -> str:
    return "" if data is None else data.hex()


def _difference(vector: Vector, operation: str, answer: Json | Gone, locate: Locate) -> str | None:
    """How an answer differs from the one that the vector gives; ``None`` if it does not."""
    if isinstance(answer, Gone):
        return f"the command {answer.reason}"
    if "error" in answer:
        return f"refused: {str(answer['error'])[:_LONGEST_ERROR]}"
    wanted = "json" if operation == "decode" else "hex"
    if wanted not in answer:
        return f"the answer has no {wanted}: it has {', '.join(answer) or 'nothing'}"
    if "op" in answer:
        return "the answer repeats the question"
    if operation == "decode":
        return json_difference(vector.json, answer["json"])
    return _bytes_difference(vector, answer["hex"], locate)


def json_difference(expected: object, got: object, path: str = "") -> str | None:
    """The first place at which a JSON value is another one, in words; ``None`` if it is not. NaN equals NaN here."""
    where = path or "the message"
    one, other = expected, got
    if isinstance(expected, dict) and isinstance(got, dict):
        objects = cast("Mapping[str, object]", expected), cast("Mapping[str, object]", got)
        start = f"{path}." if path else ""
        for key, value in objects[0].items():
            found = json_difference(value, objects[1][key], start + key) if key in got else None
            if key not in got or found:
                return found or f"{start}{key} is missing, expected {_shown(value)}"
        more = next((key for key in objects[1] if key not in expected), None)
        return None if more is None else f"{start}{more} is not expected: {_shown(objects[1][more])}"
    if isinstance(expected, list) and isinstance(got, list):
        lists = cast("Sequence[object]", expected), cast("Sequence[object]", got)
        if len(lists[0]) != len(lists[1]):
            return f"{path}: {len(lists[1])} elements, expected {len(lists[0])}"
        found_in = (json_difference(*both, f"{path}[{index}]") for index, both in enumerate(zip(*lists, strict=True)))
        return next(filter(None, found_in), None)
    # repr tells 0.0 from -0.0 and true from 1, and writes every NaN alike; any way to write an integer will do.
    numbers = type(one) is int and type(other) is float
    if repr(one) == repr(other) or (numbers and one == other):
        return None
    return f"{where}: {_shown(other)}, expected {_shown(one)}"


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 3]}..."


def _bytes_difference(vector: Vector, got: Any, locate: Locate) -> str | None:
    """The first byte at which a message in hex is another one, in words; ``None`` if it is not."""
    try:
        data = bytes.fromhex(got)
    except (TypeError, ValueError):
        return f"{_shown(got)} is not hex"
    if data == vector.data:
        return None
    offset = next(index for index, (one, other) in enumerate(zip_longest(vector.data, data)) if one != other)
    place = locate(vector, offset)
    return (
        f"byte {offset}{f' ({place})' if place else ''} differs: {_bytes(data, offset)}, expected {_bytes(vector.data, offset)} "
        f"({len(data)} bytes, expected {len(vector.data)})"
    )


def _bytes(data: bytes, offset: int) -> str:
    part = data[offset : offset + _AROUND]
    return f"{part.hex(' ')}{' ...' if offset + _AROUND < len(data) else ''}" if part else "the end"
