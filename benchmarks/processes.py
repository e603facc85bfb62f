"""Contestants as processes: one each, so that none pays for what another one loaded, and one at work at a time."""

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

Operation = Literal["encode", "decode", "read", "read-deep", "proxy", "touch", "touch-lazy", "floor"]
OPERATIONS: Final[tuple[Operation, ...]] = ("encode", "decode")
"""What everybody takes part in."""

ALL_OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
"""``read`` and ``read-deep`` decode lazily and read a few fields; a ``proxy`` decodes, reads all names of topics, changes a field
and encodes; ``touch`` and ``touch-lazy`` decode and read every attribute; ``floor`` makes the objects of W3req, and no more.
"""

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
"""Whoever installs a library imports it from bytecode, so that is what is measured, whatever this environment says."""


class WorkerError(RuntimeError):
    """Raised where a contestant's process fails; carries what it wrote last."""


class AbsentError(Exception):
    """Raised where a contestant can't take part in a workload; says why."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """What takes part: the command that starts its worker, what it adds to the environment, and its version."""

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
        """Prepares a workload whose bytes are in ``file``; gives the operations that the contestant takes part in.

        Raises ``AbsentError`` where it takes part in none, ``WorkerError`` where it writes other bytes than those.
        """
        verdict, _, rest = self._ask(f"open {name} {message} {version} {file}").partition(" ")
        if verdict != "ok":
            raise AbsentError(rest)
        return [operation for operation in ALL_OPERATIONS if operation in rest.split()]

    def warm(self, name: str, operation: Operation, milliseconds: int) -> float:
        """Repeats an operation for that long and gives the nanoseconds of one call, roughly."""
        calls, nanoseconds = map(int, self._ask(f"warm {name} {operation} {milliseconds}").split())
        return nanoseconds / calls

    def time(self, name: str, operation: Operation, calls: int, *, collector: bool = False) -> float:
        """The nanoseconds of one call, on average over that many; ``collector``: with Python's cyclic collector on."""
        return int(self._ask(f"{'collected' if collector else 'time'} {name} {operation} {calls}")) / calls

    def memory(self, name: str, *, lazy: bool = False) -> int:
        """The bytes that one decoded message keeps; ``lazy``: decoded lazily and untouched, beside the bytes of the message."""
        return int(self._ask(f"memory {name} {'lazy' if lazy else 'decode'}"))

    def _ask(self, line: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except BrokenPipeError:
            pass  # the missing answer says it, too
        answer = stdout.readline()
        if not answer:
            raise WorkerError(f"{self.name} ended at {line!r}; its last words are above")
        return answer.rstrip("\n")


def contestants(specs: Path, scratch: Path) -> list[Contestant]:
    """All that take part; messagegen native where ``has_native``.

    Compiles the Java program into ``scratch``. Raises ``OracleSetupError`` where Maven, a JDK or the network is missing.
    """
    found = [_python(PURE, "messagegen", specs, {_FORCE_PURE: "1"})]
    if has_native():
        found.append(_python(NATIVE, "messagegen", specs, {_FORCE_PURE: ""}))
    found.extend(_python(peer, peer, specs, {}) for peer in PEERS)
    found.append(_java(scratch))
    return found


def has_native() -> bool:
    """Whether the classes use the native engine: it is installed, reads their plans, and is not turned off."""
    return ENGINE is not None


def _python(name: str, library: str, specs: Path, environment: Mapping[str, str]) -> Contestant:
    command = (sys.executable, "-m", "benchmarks.worker", library, str(specs))
    return Contestant(name, command, environment, _version_of("messagegen-native" if name == NATIVE else library))


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise WorkerError(
            f"{distribution} is not installed: run `make bench`, it makes an environment with it"
        ) from None


def _java(scratch: Path) -> Contestant:
    classes = scratch / "java-classes"
    classes.mkdir()
    compile_java([Path(__file__).with_name("java") / "Worker.java"], classes)
    command = ("java", *_JAVA_OPTIONS, "-cp", class_path(classes), "messagegen.benchmarks.Worker")
    return Contestant(JAVA, command, {}, f"kafka-clients {KAFKA_RELEASE}")


def run_python(*arguments: str, pure: bool = True) -> str:
    """``run_program`` for this Python, with messagegen's native engine or, as ``pure``, without."""
    return run_program([sys.executable, *arguments], {_FORCE_PURE: "1" if pure else ""})


def run_program(command: Sequence[str], environment: Mapping[str, str], folder: Path = _ROOT) -> str:
    """Standard output of a program run in ``folder`` with additions to the environment.

    Raises ``WorkerError`` with its last words where it fails.
    """
    variables = {**os.environ, **_KEEP_BYTECODE, **environment}
    done = subprocess.run(  # noqa: S603 - commands are made in this package
        command, capture_output=True, text=True, cwd=folder, env=variables, check=False
    )
    if done.returncode:
        words = "\n".join(f"{done.stdout}\n{done.stderr}".strip().splitlines()[-20:])
        raise WorkerError(f"{' '.join(command)} failed (exit code {done.returncode}):\n{words}")
    return done.stdout
