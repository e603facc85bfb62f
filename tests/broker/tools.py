"""Apache's own tools and Java clients (of the tools' release), many questions to one JVM: what the tests hold ours against."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, Final, Self

from tests.broker.cluster import Cluster
from tests.broker.java_classes import tool_classes
from tests.broker.settings import Listener
from tests.oracle.jars import TOOLS_RELEASE, java_command

Json = Any
"""A JSON value as Python's ``json`` module gives it."""

_LOG_LEVEL: Final = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"


class JavaCallError(RuntimeError):
    """Raised where a Java call throws; ``error`` is the exception's class, such as ``UnknownTopicOrPartitionException``."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error


@dataclass(frozen=True, slots=True)
class ToolResult:
    """How a tool exited, and what it wrote to standard output and standard error."""

    exit: int
    out: str
    err: str


class JavaTools:
    """A JVM that runs Kafka's tools and clients; use it as a context manager, and from one thread at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[str] | None = None

    def __enter__(self) -> Self:
        self._log = tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace", suffix=".log")
        options = [_LOG_LEVEL, f"-Dorg.slf4j.simpleLogger.logFile={self._log.name}"]
        classes = [tool_classes()]
        command = java_command("messagegen.broker.Tools", classes=classes, options=options, release=TOOLS_RELEASE)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        return self

    def __exit__(self, *_: object) -> None:
        process, log = self._process, self._log
        self._process = self._log = None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                # What the dead JVM did not read can't be written any more.
                with contextlib.suppress(BrokenPipeError):
                    if pipe is not None:
                        pipe.close()
        if log is not None:
            log.close()

    def run(self, tool: str, *arguments: str) -> ToolResult:
        """Runs a tool by the name of its script (``kafka-configs``, ``kafka-get-offsets``, ``kafka-dump-log``, ...)."""
        answer = self._ask({"tool": tool, "args": list(arguments)})
        return ToolResult(exit=answer["exit"], out=answer["out"], err=answer["err"])

    def call(self, name: str, cluster: Cluster, *, listener: Listener = "PLAINTEXT", **arguments: Json) -> Json:
        """Makes a call of the Java clients on a cluster; ``Calls.java`` names all, with what they take and give.

        Raises ``JavaCallError`` with what Java throws.
        """
        client = {"bootstrap.servers": cluster.bootstrap(listener), **cluster.client_properties(listener)}
        return self._ask({"call": name, "client": client, **arguments})["result"]

    def _ask(self, question: Mapping[str, Json]) -> dict[str, Json]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("JavaTools is a context manager: `with JavaTools() as tools:`")
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"the JVM of the Java tools ended early; its log:\n{self._last_words()}")
        answer: dict[str, Json] = json.loads(line)
        if "error" in answer:
            raise JavaCallError(answer["error"], answer["message"])
        return answer

    def _last_words(self) -> str:
        return "".join(self._log.readlines()[-30:]) if self._log is not None else ""
