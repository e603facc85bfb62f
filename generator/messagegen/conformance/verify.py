"""Compares a different implementation with vectors: it must encode, decode, and re-encode decoded messages."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, cast

from messagegen.findings import UsageError
from messagegen.plan.ops import MessagePlan
from messagegen.plan.walkable import walkable
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.walk import walk_decode
from messagegen.vectors import Vector, make_vectors

Json = Mapping[str, Any]

_LONGEST: Final = 200
_AROUND: Final = 8
_NOTHING: Final = "nothing"


@dataclass(slots=True)
class Tally:
    """The result for one message: the numbers of checks and of unsupported checks, and the reasons for failures."""

    message: str
    checks: int = 0
    unsupported: int = 0
    failures: list[str] = field(default_factory=list[str])


def verify(plans: Sequence[MessagePlan], command: Sequence[str], seconds: float) -> list[Tally]:
    """Return the tally of each message. Raise ``UsageError`` if answers of the command are missing or invalid."""
    tallies = {plan.name: Tally(plan.name) for plan in plans}
    by_name = {plan.name: plan for plan in plans}
    checks = [(vector, *check) for vector in make_vectors(plans) for check in _checks(vector)]
    questions = [
        {"op": operation, "message": vector.message, "version": vector.version, **given}
        for vector, operation, given in checks
    ]
    for (vector, operation, _), answer in zip(checks, _ask(command, questions, seconds), strict=True):
        tally = tallies[vector.message]
        if "unsupported" in answer:
            tally.unsupported += 1
            continue
        tally.checks += 1
        if reason := _difference(by_name[vector.message], vector, operation, answer):
            tally.failures.append(f"version {vector.version}, {vector.shape}, {operation}: {reason}")
    return list(tallies.values())


def _checks(vector: Vector) -> Iterator[tuple[str, Json]]:
    """Yield the checks of a vector: the operation and its input."""
    # JSON can't contain unknown tags.
    if not vector.unknown_tags:
        yield "encode", {"json": vector.json}
    yield "decode", {"hex": vector.data.hex()}
    yield "reencode", {"hex": vector.data.hex()}


@dataclass(frozen=True, slots=True)
class Run:
    """The output of a command, and its end."""

    answers: list[bytes]
    """The lines of standard output; the last one may be incomplete."""
    errors: bytes
    """The text of standard error."""
    end: str
    """The predicate of a sentence about its end, such as ``ended with exit code 3``."""


def run(command: Sequence[str], questions: Sequence[Json], seconds: float, folder: Path | None = None) -> Run:
    """Run a command in a folder with all questions as its standard input, for ``seconds`` seconds at most.

    Raise ``UsageError`` if it cannot be started.
    """
    with tempfile.TemporaryFile() as requests, tempfile.TemporaryFile() as answers, tempfile.TemporaryFile() as errors:
        requests.writelines(f"{json.dumps(question)}\n".encode() for question in questions)
        requests.seek(0)
        try:
            done = subprocess.run(  # noqa: S603 - the user's own command, no shell
                command, cwd=folder, stdin=requests, stdout=answers, stderr=errors, timeout=seconds, check=False
            )
            end = f"ended with exit code {done.returncode}"
        except subprocess.TimeoutExpired:
            end = f"did not end in {seconds:g} seconds"
        except OSError as error:
            raise UsageError(f"{command[0]} cannot be started: {error.strerror or error}") from error
        answers.seek(0)
        errors.seek(0)
        return Run(answers.readlines(), errors.read(), end)


def _ask(command: Sequence[str], questions: Sequence[Json], seconds: float) -> Iterator[Json]:
    """Yield the answers of a command to all questions, in order.

    The command may take ``seconds`` seconds in total. Raise ``UsageError`` if it fails.
    """
    ran = run(command, questions, seconds)
    for line in ran.answers[: len(questions)]:
        yield _parsed(line)
    if (number := len(ran.answers)) < len(questions):
        question = questions[number]
        asked_next = f"{question['op']} {question['message']}, version {question['version']}"
        *_, words = ["", *ran.errors.decode("utf-8", "replace").strip().splitlines()]
        raise UsageError(
            f"the command {ran.end}{words and f': {words[:_LONGEST]}'}; "
            f"it answered {number} questions, and the next is: {asked_next}"
        )


def _parsed(line: bytes) -> Json:
    try:
        answer: object = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        shown = line[:_LONGEST].decode("utf-8", "replace").strip()
        raise UsageError(
            f"the command answered {shown!r}, which is not a JSON object; "
            "it must print one line for each question, and nothing else, to standard output"
        )
    return cast("Json", answer)


def _difference(plan: MessagePlan, vector: Vector, operation: str, answer: Json) -> str | None:
    """Return the difference between an answer and the vector as text, or ``None``."""
    if "error" in answer:
        return f"refused: {str(answer['error'])[:_LONGEST]}"
    wanted = "json" if operation == "decode" else "hex"
    if wanted not in answer or "op" in answer:
        return f"expected {wanted} in the answer, and no op, found {', '.join(answer) or 'nothing'}"
    if operation == "decode":
        return json_difference(vector.json, answer["json"])
    return _bytes_difference(plan, vector, answer["hex"])


def json_difference(expected: object, got: object) -> str | None:
    """Return the first difference between JSON values as text, or ``None``. Here, NaN is equal to NaN."""
    wanted, found = dict(_leaves(expected)), dict(_leaves(got))
    for place in [*wanted, *found]:
        value = wanted.get(place, _NOTHING)
        other = found.get(place, _NOTHING)
        # repr distinguishes 0.0 from -0.0 and true from 1, and is equal for all NaNs. A float may replace an equal
        # integer.
        number = type(value) is int and type(other) is float and value == other
        if repr(other) != repr(value) and not number:
            return f"{place}: {_shown(other)}, expected {_shown(value)}"
    return None


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values in a JSON value, and the lengths of arrays, each with its path, such as ``topics[0].name``."""
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
    return _NOTHING if value is _NOTHING else json.dumps(value)[:_LONGEST]


def _bytes_difference(plan: MessagePlan, vector: Vector, got: Any) -> str | None:
    """Return, as text, the first difference between a message in hex and the vector, or ``None``."""
    try:
        data = bytes.fromhex(got)
    except (TypeError, ValueError):
        return f"{_shown(got)} is not hex"
    if data == vector.data:
        return None
    offset = next(index for index, (one, other) in enumerate(zip_longest(vector.data, data)) if one != other)
    was, expected = (part[offset : offset + _AROUND].hex(" ") or "the end" for part in (data, vector.data))
    place = f"byte {offset} ({_field_at(plan, vector, offset)})"
    return f"{place} differs: {was}, expected {expected} ({len(data)} bytes, expected {len(vector.data)})"


def _field_at(plan: MessagePlan, vector: Vector, offset: int) -> str:
    """Return the path of the field at an offset, which the reference codec reports if the bytes end there."""
    try:
        walk_decode(walkable(plan), vector.data[:offset], 0, vector.version)
    except DecodeError as error:
        return error.path or "tagged fields"
    return ""
