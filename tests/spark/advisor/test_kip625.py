"""KIP-625's table as the command prints it."""

from __future__ import annotations

import json

import pytest

from messagegen_kafka import MetadataResponse
from messagegen_spark.cli.advise.kip625 import show
from messagegen_spark.cli.advise.main import run_command


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    response = MetadataResponse(controller_id=1)
    show([(9, response.encode(version=9)), (9, b"\xff")], "json")
    measured = json.loads(capsys.readouterr().out)["measured"]
    assert list(measured) == ["best", "worst", "real"]
    assert measured["real"]["messages"] == 1
    assert run_command(["kip625"]) == 0
    out = capsys.readouterr().out
    assert "3,216" in out
    assert "4,026" in out
