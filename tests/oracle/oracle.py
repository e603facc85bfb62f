"""One Java process that answers questions about messages and specs, from Python.

Every question is one JSON object a line, as in ``messagegen conformance``; the answers come back in order.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Literal, Self

from tests.oracle.jars import KAFKA_RELEASE, java_command, oracle_classes

Json = Any
"""A JSON value as Python's ``json`` module gives it."""

UnknownTags = Mapping[str, Sequence[tuple[int, str]]]
"""Unknown tagged fields: path of the struct (``""`` or like ``topics[2].partitions[0]``) -> (tag, data in hex)."""

_IN_FLIGHT: Final = 256


class OracleError(RuntimeError):
    """Raised where the Java process ends early, where its answer lacks what was asked for, and for wrong use."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about ``message`` at ``version``.

    ``encode`` needs ``json`` (and takes ``unknown`` tagged fields to put in), ``decode`` and ``reencode`` need ``hex``;
    ``read`` is ``decode`` without the JSON, for messages that are large; ``default`` encodes a message as Java constructs it; ``info`` asks for class name, API key and versions.
    """

    op: Literal["encode", "decode", "read", "reencode", "default", "info"]
    message: str
    version: int = 0
    json: Json = None
    hex: str | None = None
    unknown: UnknownTags | None = None

    def line(self) -> str:
        """The question as one line of JSON, without parts that are not given."""
        parts: dict[str, Json] = {"op": self.op, "message": self.message, "version": self.version}
        if self.op == "encode":
            parts["json"] = self.json
        if self.hex is not None:
            parts["hex"] = self.hex
        if self.unknown:
            parts["unknown"] = self.unknown
        return json.dumps(parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """What Java answered: ``error`` (exception class and message), or what the operation gives.

    ``decode`` gives ``json``, ``encode`` gives ``hex``, ``reencode`` and ``default`` give both. ``trailing`` counts the bytes
    that Java left unread, ``unknown`` holds the unknown tagged fields that it kept, ``parts`` the whole answer.
    """

    parts: Mapping[str, Json]

    @property
    def error(self) -> str | None:
        """The exception's class and message, or ``None`` where Java succeeded."""
        error: str | None = self.parts.get("error")
        return error

    @property
    def hex(self) -> str:
        """The encoded message; raises ``OracleError`` where Java refused."""
        return str(self._part("hex"))

    @property
    def json(self) -> Json:
        """The decoded message in Kafka's JSON form; raises ``OracleError`` where Java refused."""
        return self._part("json")

    @property
    def unknown(self) -> dict[str, list[tuple[int, str]]]:
        """The unknown tagged fields by path; empty where there are none."""
        found: dict[str, list[list[Json]]] = self.parts.get("unknown", {})
        return {path: [(int(tag), str(data)) for tag, data in tags] for path, tags in found.items()}

    @property
    def trailing(self) -> int:
        """How many bytes Java left unread behind the message (its readers do not mind)."""
        return int(self.parts.get("trailing", 0))

    def _part(self, name: str) -> Json:
        if name not in self.parts:
            raise OracleError(f"the oracle gave no {name}: {json.dumps(self.parts)[:500]}")
        return self.parts[name]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why Apache refuses a spec, and where: reading the JSON, generating Java, or compiling that Java."""

    stage: Literal["read", "generate", "compile"]
    reason: str


class Oracle:
    """A running Java oracle; use it as a context manager. Not for use by several threads at once.

    ``classes`` are folders with more generated classes (``BuildResult.classes``), looked at before Kafka's own, which are
    those of ``release``. Raises ``OracleSetupError`` on entry where Java, Maven or the network is missing.
    """

    def __init__(self, *, classes: Sequence[Path] = (), release: str = KAFKA_RELEASE) -> None:
        self._classes = tuple(classes)
        self._release = release
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._streaming = False

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
        """Answers one question."""
        (answer,) = self.ask_all([question])
        return answer

    def ask_all(self, questions: Iterable[Question]) -> Generator[Answer, None, None]:
        """Answers a stream of questions in order; they are sent from a thread, so no pipe can fill up on both sides.

        One stream at a time: read it to its end, or close it, before the next question.
        """
        for parts in self._exchange(question.line() for question in questions):
            yield Answer(parts)

    def error_codes(self) -> list[Mapping[str, Json]]:
        """Kafka's error codes: ``code``, ``name``, ``retriable`` and ``message`` of each (``Errors``)."""
        (parts,) = self._exchange([json.dumps({"op": "errors"})])
        errors: list[Mapping[str, Json]] = parts["errors"]
        return errors

    def refusal(self, spec: str, *, compiled: bool = True) -> Refusal | None:
        """Why Apache's generator, or where ``compiled`` javac after it, refuses the text of a spec; ``None`` if accepted."""
        (refusal,) = self.refusals([spec], compiled=compiled)
        return refusal

    def refusals(self, specs: Iterable[str], *, compiled: bool = True) -> Iterator[Refusal | None]:
        """``refusal`` for a stream of specs, in order."""
        for parts in self._exchange(json.dumps({"op": "judge", "spec": spec, "compile": compiled}) for spec in specs):
            if "stage" in parts:
                yield Refusal(parts["stage"], parts["error"])
            elif parts.get("accepted"):
                yield None
            else:
                raise OracleError(f"the oracle could not judge the spec: {parts}")

    def _exchange(self, lines: Iterable[str]) -> Iterator[Mapping[str, Json]]:
        process = self._running()
        if self._streaming:
            raise OracleError("one stream of answers is still open: read it to its end or close it before asking more")
        sender = _Sender(process, lines)
        sender.start()
        self._streaming = True
        try:
            while sender.expects_answer():
                yield self._read(process)
        finally:
            # A caller that stops early must not leave answers behind for the next one.
            self._streaming = False
            sender.stop()
            if process.poll() is None:
                while sender.expects_answer():
                    self._read(process)
            sender.join()
        if sender.problem is not None:
            raise sender.problem

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
            raise OracleError("the oracle is not running: use it in a `with Oracle() as oracle:` block")
        return self._process


class _Sender(threading.Thread):
    """Writes lines to a process; never runs more than ``_IN_FLIGHT`` lines ahead of ``expects_answer``."""

    def __init__(self, process: subprocess.Popen[bytes], lines: Iterable[str]) -> None:
        super().__init__(name="oracle-sender", daemon=True)
        assert process.stdin is not None
        self._pipe: Final = process.stdin
        self._lines: Final = iter(lines)
        self._room: Final = threading.Semaphore(_IN_FLIGHT)
        self._change: Final = threading.Condition()
        self._unanswered = 0
        self._ended = False
        self._stopped = False
        self.problem: Exception | None = None

    def expects_answer(self) -> bool:
        """Waits until another line is on its way (``True``: read one answer) or all are answered (``False``)."""
        with self._change:
            self._change.wait_for(lambda: self._unanswered or self._ended)
            if not self._unanswered:
                return False
            self._unanswered -= 1
        self._room.release()
        return True

    def stop(self) -> None:
        """Lets the thread end after the line that it is writing."""
        self._stopped = True
        self._room.release()

    def run(self) -> None:
        """Sends the lines; what the caller's own iterator raises is kept in ``problem``."""
        try:
            for line in self._lines:
                self._room.acquire()
                if self._stopped:
                    break
                with self._change:
                    self._unanswered += 1
                    self._change.notify_all()
                self._pipe.write(line.encode("utf-8") + b"\n")
                self._pipe.flush()
        except BrokenPipeError:
            # The reader meets the end of the answers and reports it with what Java said.
            pass
        except Exception as problem:  # noqa: BLE001 - whatever the caller's iterator raises, the caller gets
            self.problem = problem
        finally:
            with self._change:
                self._ended = True
                self._change.notify_all()
