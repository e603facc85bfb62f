"""Runs contestants as separate processes, so that none pays for another's imports. Only one works at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, get_args

from messagegen.runtime.native import ENGINE
from tests.oracle.jars import KAFKA_RELEASE, class_path, compile_java

Operation = Literal["encode", "decode", "read"]
OPERATIONS: Final[tuple[Operation, ...]] = ("encode", "decode")
"""The operations of all contestants."""

ALL_OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
"""The operation ``read`` decodes lazily and reads three fields."""

PURE: Final = "messagegen pure"
NATIVE: Final = "messagegen native"
KIO: Final = "kio"
KAFKA_PYTHON: Final = "kafka-python"
AIOKAFKA: Final = "aiokafka"
JAVA: Final = "Java"
PEERS: Final = (KIO, KAFKA_PYTHON, AIOKAFKA)
"""The other Python libraries."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_JAVA_OPTIONS: Final = ("-XX:+UseSerialGC", "-Xms1g", "-Xmx1g")
_FORCE_PURE: Final = "MESSAGEGEN_PURE"
_KEEP_BYTECODE: Final = {"PYTHONDONTWRITEBYTECODE": ""}
"""Users import installed libraries from bytecode, so this setting makes every environment use it."""


class WorkerError(RuntimeError):
    """Raised if a process fails; contains its last output."""


class AbsentError(Exception):
    """Raised if a contestant does not support a workload; contains the reason."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A library: the command that starts its worker, additional environment variables, and its version."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    version: str


class Worker:
    """A contestant's running process; use it as a context manager."""

    def __init__(self, contestant: Contestant) -> None:
        self.name = contestant.name
        self._process = subprocess.Popen(  # noqa: S603 - the command is made below
            contestant.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
            env={**os.environ, **contestant.environment},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def open(self, name: str, message: str, version: int, file: Path) -> list[Operation]:
        """Prepare a workload whose bytes are in ``file``, and return the operations that the contestant supports.

        Raises ``AbsentError`` if it supports no operation, and ``WorkerError`` if it encodes to different bytes.
        """
        verdict, _, rest = self._ask(f"open {name} {message} {version} {file}").partition(" ")
        if verdict != "ok":
            raise AbsentError(rest)
        return [operation for operation in ALL_OPERATIONS if operation in rest.split()]

    def warm(self, name: str, operation: Operation, milliseconds: int) -> float:
        """Repeat an operation for ``milliseconds``, and return the approximate nanoseconds of one call."""
        calls, nanoseconds = map(int, self._ask(f"warm {name} {operation} {milliseconds}").split())
        return nanoseconds / calls

    def time(self, name: str, operation: Operation, calls: int) -> float:
        """Return the nanoseconds of one call, on average over ``calls``."""
        return int(self._ask(f"time {name} {operation} {calls}")) / calls

    def memory(self, name: str) -> int:
        """Return the bytes that one decoded message keeps."""
        return int(self._ask(f"memory {name}"))

    def _ask(self, line: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except BrokenPipeError:
            pass  # reported below, because there is no answer
        answer = stdout.readline()
        if not answer:
            raise WorkerError(f"{self.name} ended at {line!r}; its output is above")
        return answer.rstrip("\n")


def contestants(specs: Path, scratch: Path) -> list[Contestant]:
    """Return all contestants. Messagegen native is only included if ``has_native`` returns true.

    Compiles the Java program into ``scratch``. Raises ``OracleSetupError`` if Maven, a JDK or the network is missing.
    """
    found = [_python(PURE, "messagegen", specs, {_FORCE_PURE: "1"})]
    if has_native():
        found.append(_python(NATIVE, "messagegen", specs, {_FORCE_PURE: ""}))
    found.extend(_python(peer, peer, specs, {}) for peer in PEERS)
    found.append(_java(scratch))
    return found


def has_native() -> bool:
    """Whether generated classes use the native engine: it is installed, supports their plans, and is not disabled."""
    return ENGINE is not None


def _python(name: str, library: str, specs: Path, environment: Mapping[str, str]) -> Contestant:
    command = (sys.executable, "-m", "benchmarks.worker", library, str(specs))
    return Contestant(name, command, environment, _version_of("messagegen-native" if name == NATIVE else library))


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise WorkerError(
            f"{distribution} is not installed; run `make bench`, which installs it into .venv-bench"
        ) from None


def _java(scratch: Path) -> Contestant:
    classes = scratch / "java-classes"
    classes.mkdir()
    compile_java([Path(__file__).with_name("java") / "Worker.java"], classes)
    command = ("java", *_JAVA_OPTIONS, "-cp", class_path(classes), "messagegen.benchmarks.Worker")
    return Contestant(JAVA, command, {}, f"kafka-clients {KAFKA_RELEASE}")


def run_python(*arguments: str, pure: bool = True) -> str:
    """Run this Python with ``run_program``. If ``pure`` is true, messagegen's native engine is disabled."""
    return run_program([sys.executable, *arguments], {_FORCE_PURE: "1" if pure else ""})


def run_program(command: Sequence[str], environment: Mapping[str, str], folder: Path = _ROOT) -> str:
    """Run a program in ``folder`` with additional environment variables, and return its standard output.

    Raises ``WorkerError`` with the end of its output if it fails.
    """
    variables = {**os.environ, **_KEEP_BYTECODE, **environment}
    done = subprocess.run(  # noqa: S603 - commands are made in this package
        command, capture_output=True, text=True, cwd=folder, env=variables, check=False
    )
    if done.returncode:
        words = "\n".join(f"{done.stdout}\n{done.stderr}".strip().splitlines()[-20:])
        raise WorkerError(f"{' '.join(command)} failed (exit code {done.returncode}):\n{words}")
    return done.stdout
