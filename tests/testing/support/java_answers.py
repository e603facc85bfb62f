"""Gets error answers to random requests from Kafka's Java classes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from messagegen_kafka import ErrorCode
from tests.oracle import official_specs
from tests.oracle.jars import compiled_classes, java_command
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.values import sample, samples

_SOURCE: Final = Path(__file__).parents[1] / "java" / "ErrorAnswers.java"
_MANY: Final = 12


@dataclass(frozen=True)
class Question:
    """A request, and the error to answer it with."""

    request: Any
    version: int
    code: ErrorCode

    @property
    def name(self) -> str:
        """The name of the request."""
        return type(self.request).__name__

    def __str__(self) -> str:
        return f"{self.name} version {self.version} {self.code.name}"

    def line(self) -> str:
        """Return the question for Java."""
        data = self.request.encode(version=self.version).hex()
        return json.dumps({"key": self.request.API_KEY, "version": self.version, "hex": data, "error": int(self.code)})


def questions(package: Any, seed: str = "error answers") -> Iterator[Question]:
    """Yield all requests of Kafka's clients in all versions, with few and with many elements, and with all codes."""
    codes = cycle(code for code in ErrorCode if code)
    for name, text in sorted(official_specs()["kafka-clients"].items()):
        cls = getattr(package, name, None)
        if not name.endswith("Request") or cls is None:
            continue
        spec = read_spec(text)
        for version in cls.VALID_VERSIONS:
            requests = list(_requests(cls, spec, version, seed))
            yield from (Question(request, version, ErrorCode.UNKNOWN_SERVER_ERROR) for request in requests)
            yield from (Question(request, version, next(codes)) for request in requests)
            yield from (Question(request, version, ErrorCode.NOT_LEADER_OR_FOLLOWER) for request in requests)


def _requests(cls: Any, spec: MiniSpec, version: int, seed: str) -> Iterator[Any]:
    for one in samples(spec, version, seed=seed, mixed=2, budget=1500):
        yield cls.from_json(one.json, version=version)
    several = [
        cls.from_json(sample(spec, version, "mixed", seed=f"{seed} {number}").json, version=version)
        for number in range(_MANY)
    ]
    yield _joined(several, cls.fields(version=version))


def _joined(messages: Sequence[Any], fields: Sequence[Any]) -> Any:
    """Return the first message, after putting the elements of all messages into its arrays, each only once."""
    changes = {}
    for field in fields:
        if field.is_array:
            several = [each for message in messages for each in getattr(message, field.name) or ()]
            changes[field.name] = tuple({_key(each, field): each for each in several}.values())
    return messages[0].__replace__(**changes)


def _key(element: Any, array: Any) -> Any:
    """Return the key of an array's element: its first field that is not an array, or the element itself."""
    names = [field.name for field in array.fields if not field.is_array]
    return getattr(element, names[0]) if names else element


def has_repeats(value: Any, fields: Sequence[Any]) -> bool:
    """Whether two elements of an array are about the same thing, at any depth."""
    for array in fields:
        if array.is_array:
            found = getattr(value, array.name) or ()
            if len({_key(each, array) for each in found}) < len(found):
                return True
            if array.fields and any(has_repeats(each, array.fields) for each in found):
                return True
    return False


def java_answers(asked: Sequence[Question]) -> list[Mapping[str, Any]]:
    """Return Java's answers: ``hex``, which is ``None`` for a request without an answer, or ``failed``."""
    command = java_command("ErrorAnswers", classes=[compiled_classes("error-answers", [_SOURCE])])
    lines = "".join(f"{question.line()}\n" for question in asked)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def form(value: Any, fields: Sequence[Any], *, without_empty: bool = False) -> dict[str, Any]:
    """Return the fields of a struct, with sorted arrays of structs, because Java uses hash maps.

    Error messages are replaced with whether there is a message, because the texts of ``ErrorCode`` differ from Kafka's.
    With ``without_empty``, elements whose arrays are all empty are omitted.
    """
    found: dict[str, Any] = {}
    for field in fields:
        inner = getattr(value, field.name)
        if inner is None:
            found[field.name] = None
        elif field.is_array and field.fields:
            forms = [form(each, field.fields, without_empty=without_empty) for each in inner]
            if without_empty:
                forms = [one for one in forms if not _is_empty(one)]
            found[field.name] = sorted(forms, key=repr)
        elif field.fields:
            found[field.name] = form(inner, field.fields, without_empty=without_empty)
        else:
            found[field.name] = "in words" if field.name == "error_message" else inner
    return found


def _is_empty(found: Mapping[str, Any]) -> bool:
    arrays = [value for value in found.values() if isinstance(value, list)]
    return bool(arrays) and not any(arrays) and "error_code" not in found


def codes(found: Any) -> int:
    """Return the number of error codes in a form."""
    if isinstance(found, list):
        return sum(map(codes, found))
    if not isinstance(found, dict):
        return 0
    return sum(bool(value) if name.endswith("error_code") else codes(value) for name, value in found.items())
