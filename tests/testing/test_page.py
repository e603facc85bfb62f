"""The files of the page about faults do what it says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.broker.cluster import Cluster
from tests.oracle.jars import compiled_classes, kafka_jars
from tests.testing.support.page import run_file, write_files

_JARS: Final = ("kafka-clients-*.jar", "slf4j-*.jar")
"""What Java's client needs; with all of Kafka's jars, it starts more slowly."""

_QUICK_START: Final = "-XX:TieredStopAtLevel=1 -Xshare:auto"


_FAULTS: Final = 20
"""Four clients meet five faults."""


def test_no_kafka_is_needed(tmp_path: Path) -> None:
    assert run_file("test_without_kafka.py", tmp_path).passed == 8


def test_clients_connect_with_tls(tmp_path: Path) -> None:
    assert run_file("test_tls.py", tmp_path).passed == 1


def test_answers_are_edited(tmp_path: Path, broker: Cluster) -> None:
    assert run_file("test_edits.py", tmp_path, broker=broker.bootstrap()).passed == 3


def _java(folder: Path) -> dict[str, str]:
    """Return the variables with which the page's Java client runs."""
    classes = compiled_classes("round-trip", [folder / "RoundTrip.java"])
    jars = [jar for pattern in _JARS for jar in sorted(kafka_jars().glob(pattern))]
    return {"CLASSPATH": os.pathsep.join(map(str, [classes, *jars])), "JAVA_TOOL_OPTIONS": _QUICK_START}


def test_four_clients_meet_five_faults(tmp_path: Path, broker: Cluster) -> None:
    write_files(tmp_path)
    outcome = run_file("test_faults.py", tmp_path, broker=broker.bootstrap(), variables=_java(tmp_path))
    assert outcome.passed == _FAULTS


@pytest.mark.exhaustive
def test_without_faults_no_client_passes(tmp_path: Path, broker: Cluster) -> None:
    """The tests of the page find that a client saw its fault: they fail if rules are never applied."""
    write_files(tmp_path)
    text = (tmp_path / "test_faults.py").read_text(encoding="utf-8")
    disabled = text.replace("times=1)", "after=10_000)")
    assert disabled != text
    outcome = run_file("test_faults.py", tmp_path, text=disabled, broker=broker.bootstrap(), variables=_java(tmp_path))
    assert f"{_FAULTS} failed" in outcome.printed
