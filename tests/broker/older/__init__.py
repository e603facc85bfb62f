"""A broker of Kafka 3.9, and Java clients of older releases, from their published jars."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from tests.oracle.jars import KAFKA_RELEASE, OLD_RELEASES, compiled_classes, java_command, maven_jars

BROKER_RELEASE: Final = "3.9.2"
"""The newest release before 4.0 removed versions of requests (KIP-896)."""
OLDEST_CLIENT: Final = "0.10.2.2"
"""The release of a client whose newest versions of Produce and Fetch are not in Kafka 4.0."""
_HERE: Final = Path(__file__).resolve().parent
_SECONDS: Final = 60


def broker_jars() -> list[Path]:
    """Return the jars of the broker. Raises ``OracleSetupError`` if Maven or the network is missing."""
    return [jar for jar in _jars() if OLDEST_CLIENT not in jar.name]


def can_send(release: str, bootstrap: str, topic: str) -> bool:
    """Whether the Java client of a release can send a record. Its client id is the release."""
    classes = [compiled_classes("send-classes", [_HERE / "Send.java"])]
    if release == OLDEST_CLIENT:
        classes += [jar for jar in _jars() if OLDEST_CLIENT in jar.name]
    known = release if release in OLD_RELEASES else KAFKA_RELEASE
    command = java_command("messagegen.broker.older.Send", bootstrap, topic, release, classes=classes, release=known)
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0 or "ExecutionException" in done.stderr, done.stderr
    return done.returncode == 0


def _jars() -> list[Path]:
    return sorted(maven_jars("older-jars", _HERE / "pom.xml").glob("*.jar"))
