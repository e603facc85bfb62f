"""Asks a Java process questions about messages and specs.

Each question is a line with a JSON object, as in ``messagegen conformance``; the answers come back in order.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Self

from tests.oracle.jars import KAFKA_RELEASE, java_command, oracle_classes

Json = Any
"""A JSON value as Python's ``json`` module returns it."""

UnknownTags = Mapping[str, Sequence[tuple[int, str]]]
"""Unknown tagged fields as (tag, data in hex), by the path of their struct: ``""``, or ``topics[2].partitions[0]``."""


class OracleError(RuntimeError):
    """The Java process ended early, its answer is incomplete, or the oracle was used wrongly."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about ``message`` in ``version``.

    ``encode`` needs ``json`` (and adds ``unknown`` tagged fields), ``decode`` and ``reencode`` need ``hex``.
    ``json_version`` is the version of ``json``, if it differs from the version to encode. ``read`` is ``decode``
    without the JSON, for large messages. ``default`` encodes a newly constructed Java message. ``info`` returns the
    class name, the API key and the versions.
    """

    op: Literal["encode", "decode", "read", "reencode", "default", "info"]
    message: str
    version: int = 0
    json: Json = None
    json_version: int | None = None
    hex: str | None = None
    unknown: UnknownTags | None = None

    def line(self) -> str:
        """Return the question as one line of JSON, without its unset parts."""
        parts: dict[str, Json] = {"op": self.op, "message": self.message, "version": self.version}
        if self.op == "encode":
            parts["json"] = self.json
            parts |= {} if self.json_version is None else {"json_version": self.json_version}
        if self.hex is not None:
            parts["hex"] = self.hex
        if self.unknown:
            parts["unknown"] = self.unknown
        return json.dumps(parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """Java's answer: ``error`` (exception class and message), or the result of the operation.

    ``decode`` returns ``json``, ``encode`` returns ``hex``, ``reencode`` and ``default`` return both. ``trailing`` is
    the number of bytes that Java did not read, ``unknown`` the unknown tagged fields that it kept, ``parts`` the whole
    answer.
    """

    parts: Mapping[str, Json]

    @property
    def error(self) -> str | None:
        """The exception's class and message, or ``None`` if Java succeeded."""
        error: str | None = self.parts.get("error")
        return error

    @property
    def hex(self) -> str:
        """The encoded message. Raises ``OracleError`` if Java refused."""
        return str(self._part("hex"))

    @property
    def json(self) -> Json:
        """The decoded message in Kafka's JSON form. Raises ``OracleError`` if Java refused."""
        return self._part("json")

    @property
    def unknown(self) -> dict[str, list[tuple[int, str]]]:
        """The unknown tagged fields by path; may be empty."""
        found: dict[str, list[list[Json]]] = self.parts.get("unknown", {})
        return {path: [(int(tag), str(data)) for tag, data in tags] for path, tags in found.items()}

    @property
    def trailing(self) -> int:
        """The number of bytes after the message; Java's readers ignore them."""
        return int(self.parts.get("trailing", 0))

    def _part(self, name: str) -> Json:
        if name not in self.parts:
            raise OracleError(f"no {name} in the answer: {json.dumps(self.parts)[:500]}")
        return self.parts[name]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why Apache refuses a spec, and the stage: reading the JSON, generating Java, or compiling it."""

    stage: Literal["read", "generate", "compile"]
    reason: str


class Oracle:
    """A running Java oracle. Use it as a context manager, and only in one thread at a time.

    ``classes`` are folders with further generated classes (``BuildResult.classes``). They are searched before Kafka's
    own classes, which come from ``release``. Raises ``OracleSetupError`` on entry if Java, Maven or the network is
    missing.
    """

    def __init__(self, *, classes: Sequence[Path] = (), release: str = KAFKA_RELEASE) -> None:
        self._classes = tuple(classes)
        self._release = release
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def __enter__(self) -> Self:
        classes = [*self._classes, oracle_classes(self._release)]
        command = java_command("messagegen.oracle.Oracle", classes=classes, release=self._release)
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        process, errors = self._running(), self._errors
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, errors):
            if pipe is not None:
                pipe.close()
        self._process = self._errors = None

    def ask(self, question: Question) -> Answer:
        """Answer one question."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Iterable[Question]) -> list[Answer]:
        """Answer questions, in order."""
        return [Answer(parts) for parts in self._exchange([question.line() for question in questions])]

    def error_codes(self) -> list[Mapping[str, Json]]:
        """Return Kafka's error codes (``Errors``), each with ``code``, ``name``, ``retriable`` and ``message``."""
        (parts,) = self._exchange([json.dumps({"op": "errors"})])
        errors: list[Mapping[str, Json]] = parts["errors"]
        return errors

    def refusals(self, specs: Iterable[str], *, compiled: bool = True) -> list[Refusal | None]:
        """Return why each spec text is refused, or ``None`` if it is accepted.

        Apache's generator judges it first, and then, with ``compiled``, javac.
        """
        lines = [json.dumps({"op": "judge", "spec": spec, "compile": compiled}) for spec in specs]
        return [
            None if answer.get("accepted") else Refusal(answer["stage"], answer["error"])
            for answer in self._exchange(lines)
        ]

    def _exchange(self, lines: Sequence[str]) -> list[Mapping[str, Json]]:
        """Send lines from a thread, so that neither side waits for a full pipe, and return an answer to each."""
        process = self._running()
        sender = threading.Thread(target=_send, args=(process, lines), daemon=True)
        sender.start()
        answers = [self._read(process) for _ in lines]
        sender.join()
        return answers

    def _read(self, process: subprocess.Popen[bytes]) -> Mapping[str, Json]:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise OracleError(f"the Java oracle ended (exit code {process.wait()}): {self._last_words()}")
        answer: Mapping[str, Json] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        assert self._errors is not None
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")[-2000:]

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise OracleError("the oracle is not running; use `with Oracle() as oracle:`")
        return self._process


def _send(process: subprocess.Popen[bytes], lines: Sequence[str]) -> None:
    assert process.stdin is not None
    # If the process has ended, reading its answer fails, and that error contains its output.
    with contextlib.suppress(BrokenPipeError):
        for line in lines:
            process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
