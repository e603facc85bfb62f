"""The files of the page about faults do what it says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tests.broker.cluster import Cluster
from tests.oracle.jars import compiled_classes, kafka_jars
from tests.testing.support.page import run_file, write_files

_JARS: Final = ("kafka-clients-*.jar", "slf4j-*.jar")
"""What Java's client needs; with all of Kafka's jars, it starts more slowly."""

_QUICK_START: Final = "-XX:TieredStopAtLevel=1 -Xshare:auto"


def test_no_kafka_is_needed(tmp_path: Path) -> None:
    assert run_file("test_without_kafka.py", tmp_path).passed == 4


def test_four_clients_meet_four_faults(tmp_path: Path, broker: Cluster) -> None:
    write_files(tmp_path)
    classes = compiled_classes("round-trip", [tmp_path / "RoundTrip.java"])
    jars = [jar for pattern in _JARS for jar in sorted(kafka_jars().glob(pattern))]
    outcome = run_file(
        "test_faults.py",
        tmp_path,
        broker=broker.bootstrap(),
        CLASSPATH=os.pathsep.join(map(str, [classes, *jars])),
        JAVA_TOOL_OPTIONS=_QUICK_START,
    )
    assert outcome.passed == 16
