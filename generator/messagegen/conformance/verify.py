"""Holds another implementation against vectors: it encodes, decodes, and encodes again what it decoded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any, Final, cast

from messagegen.conformance.peer import Json, ask
from messagegen.plan.ops import MessagePlan
from messagegen.plan.walkable import walkable
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.walk import walk_decode
from messagegen.vectors import Vector, make_vectors

_LONGEST: Final = 80
_LONGEST_ERROR: Final = 300
_AROUND: Final = 8


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


def verify(plans: Sequence[MessagePlan], command: Sequence[str], seconds: float) -> Iterator[Tally]:
    """The tally of each message, as soon as it is there. Raises ``PeerError``."""
    checks = [(vector, *check) for vector in make_vectors(plans) for check in _checks(vector)]
    questions = [
        {"op": operation, "message": vector.message, "version": vector.version, **given}
        for vector, operation, given in checks
    ]
    by_name = {plan.name: plan for plan in plans}
    answered = zip(checks, ask(command, questions, seconds), strict=True)
    for message, answers in groupby(answered, key=lambda one: one[0][0].message):
        tally = Tally(message)
        for (vector, operation, _), answer in answers:
            if "unsupported" in answer:
                tally.unsupported += 1
                continue
            tally.checks += 1
            reason = _difference(by_name[message], vector, operation, answer)
            if reason is not None:
                tally.failures.append(Failure(message, vector.version, vector.shape, operation, reason))
        yield tally


def _checks(vector: Vector) -> Iterator[tuple[str, Json]]:
    """The checks that a vector gives: the operation, and what it is given."""
    # Unknown tags are not in JSON.
    if not vector.unknown_tags:
        yield "encode", {"json": vector.json}
    yield "decode", {"hex": vector.data.hex()}
    yield "reencode", {"hex": vector.data.hex()}


def _difference(plan: MessagePlan, vector: Vector, operation: str, answer: Json) -> str | None:
    """How an answer differs from the one that the vector gives; ``None`` if it does not."""
    if "error" in answer:
        return f"refused: {str(answer['error'])[:_LONGEST_ERROR]}"
    wanted = "json" if operation == "decode" else "hex"
    if wanted not in answer or "op" in answer:
        return f"the answer has no {wanted}, or more: it has {', '.join(answer) or 'nothing'}"
    if operation == "decode":
        return json_difference(vector.json, answer["json"])
    return _bytes_difference(plan, vector, answer["hex"])


def json_difference(expected: object, got: object) -> str | None:
    """The first place at which a JSON value is another one, in words; ``None`` if it is not. NaN equals NaN here."""
    wanted, found = dict(_leaves(expected)), dict(_leaves(got))
    for place, value in wanted.items():
        if place not in found:
            return f"{place} is missing, expected {_shown(value)}"
        # repr tells 0.0 from -0.0 and true from 1, and writes every NaN alike; any way to write an integer will do.
        other = found[place]
        number = type(value) is int and type(other) is float and value == other
        if repr(other) != repr(value) and not number:
            return f"{place}: {_shown(other)}, expected {_shown(value)}"
    more = next((place for place in found if place not in wanted), None)
    return None if more is None else f"{more} is not expected: {_shown(found[more])}"


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """The values in a JSON value, each with its place, such as ``topics[0].name``; of an array also its length."""
    if isinstance(value, dict):
        yield path or "the message", {}
        for key, inside in cast("Mapping[str, object]", value).items():
            yield from _leaves(inside, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        items = cast("Sequence[object]", value)
        yield f"the length of {path or 'the message'}", len(items)
        for index, inside in enumerate(items):
            yield from _leaves(inside, f"{path}[{index}]")
    else:
        yield path or "the message", value


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 3]}..."


def _bytes_difference(plan: MessagePlan, vector: Vector, got: Any) -> str | None:
    """The first byte at which a message in hex is another one, in words; ``None`` if it is not."""
    try:
        data = bytes.fromhex(got)
    except (TypeError, ValueError):
        return f"{_shown(got)} is not hex"
    if data == vector.data:
        return None
    offset = next(index for index, (one, other) in enumerate(zip_longest(vector.data, data)) if one != other)
    place = f" ({_field_at(plan, vector, offset)})"
    was, expected = (part[offset : offset + _AROUND].hex(" ") or "the end" for part in (data, vector.data))
    return f"byte {offset}{place} differs: {was}, expected {expected} ({len(data)} bytes, expected {len(vector.data)})"


def _field_at(plan: MessagePlan, vector: Vector, offset: int) -> str:
    """The field of a byte: the reference codec names the one that is cut off where the bytes end there."""
    try:
        walk_decode(walkable(plan), vector.data[:offset], 0, vector.version)
    except DecodeError as error:
        return error.path
    return ""
