"""Other implementations, held against vectors by the command, as users do it; each is skipped where it is not installed."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from messagegen.cli import run
from tests.support.specs import OWN


def failures(specs: Path, peer: str, capsys: pytest.CaptureFixture[str], *messages: str) -> list[dict[str, str]]:
    chosen = [part for message in messages for part in ("--message", message)]
    command = [sys.executable, "-m", f"tests.peers.{peer}"]
    code = run(["verify-vectors", "--specs", str(specs), *chosen, "--format", "json", "--", *command])
    report = json.loads(capsys.readouterr().out)
    assert code == (1 if report["status"] == "failed" else 0)
    return [failure for message in report["messages"] for failure in message["failures"]]


@pytest.mark.java
def test_java(official: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failures(official, "java", capsys, "ListOffsetsRequest", "MetadataResponse", "ApiVersionsResponse") == []


@pytest.mark.java
@pytest.mark.exhaustive
def test_java_on_official_specs(official: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failures(official, "java", capsys) == []


@pytest.mark.skipif(find_spec("kafka") is None, reason="kafka-python is not installed")
def test_kafka_python(capsys: pytest.CaptureFixture[str]) -> None:
    found = failures(OWN, "kafka_python", capsys, "ListOffsetsRequest", "ListOffsetsResponse", "MetadataRequest")
    assert {(failure["shape"], failure["operation"]) for failure in found} <= {("unknown-tags", "reencode")}


@pytest.mark.skipif(find_spec("kio") is None, reason="kio is not installed")
def test_kio(capsys: pytest.CaptureFixture[str]) -> None:
    found = failures(OWN, "kio", capsys, "ListOffsetsRequest", "MetadataRequest")
    assert {failure["shape"] for failure in found} <= {"unknown-tags"}
