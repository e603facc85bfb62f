"""Runs Apache's own clients and tools, and returns their output.

Clients run in this folder's Java programs; tools run by the classes that Kafka's scripts call.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.oracle.jars import TOOLS_RELEASE, compiled_classes, java_command, run

_SOURCES: Final = Path(__file__).resolve().parent / "java"
_QUIET: Final = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=error",)
_TOOLS: Final = {
    "kafka-consumer-groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "kafka-topics": "org.apache.kafka.tools.TopicCommand",
}


def broker_classes() -> Path:
    """Return the folder with the classes of ``java/``; raise ``OracleSetupError`` if no JDK 17 or newer is found."""
    return compiled_classes("broker-classes", sorted(_SOURCES.glob("*.java")))


def make_traffic(bootstrap: str, records: int) -> None:
    """Make traffic of every kind, as in ``Traffic.java``, on a fresh broker with an authorizer.

    ``records`` is the number of records in each topic of records. Raises ``OracleSetupError`` with Java's output.
    """
    arguments = [bootstrap, str(records)]
    run(java_command("messagegen.broker.Traffic", *arguments, classes=[broker_classes()], options=_QUIET), "traffic")


def call(name: str, bootstrap: str, question: Any = None) -> Any:
    """Return the answer of a Java admin client's call; ``Calls.java`` describes all calls and their JSON."""
    command = java_command("messagegen.broker.Calls", name, bootstrap, classes=[broker_classes()], options=_QUIET)
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def client(name: str, bootstrap: str, topic: str, argument: str = "") -> subprocess.Popen[str]:
    """Start an application in ``Client.java``, which uses Kafka's Java clients, with pipes for input and output."""
    arguments = ["messagegen.broker.Client", name, bootstrap, topic, argument]
    command = java_command(*arguments, classes=[broker_classes()], options=_QUIET)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def tool(name: str, *arguments: str) -> str:
    """Run one of Kafka's tools, by the name of its script, and return its output.

    Raise ``OracleSetupError`` on failure.
    """
    return run(tool_command(name, *arguments), name)


def tool_command(name: str, *arguments: str) -> list[str]:
    """Return the command line of one of Kafka's tools, by the name of its script."""
    return java_command(_TOOLS[name], *arguments, options=_QUIET, release=TOOLS_RELEASE)


def dump_logs(files: Sequence[Path], *options: str) -> dict[Path, str]:
    """Return the output of ``kafka-dump-log`` for each segment or snapshot, by its path."""
    printed = tool("kafka-dump-log", "--files", ",".join(map(str, files)), *options)
    parts = [part.partition("\n") for part in printed.split("Dumping ")[1:]]
    return {Path(name): text for name, _, text in parts}
