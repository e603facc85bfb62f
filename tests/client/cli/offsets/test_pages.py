"""The sessions of docs/client-offsets.md are what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.offsets.command import NAME, offsets
from messagegen_client.cli.support import run
from messagegen_client.offsets.partitions import UNKNOWN_ATTEMPTS
from tests.client.fakes.offset_cluster import Log, OffsetCluster, OffsetStore

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "client-offsets.md").read_text(encoding="utf-8")
SESSIONS = "".join(re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r"^\$ kafka-offsets (.*)\n((?:(?!\$ ).*\n)*)", SESSIONS, re.MULTILINE)


def test_the_page_has_sessions() -> None:
    assert len(COMMANDS) == 3


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_a_session_is_what_the_command_prints(
    command: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = OffsetStore()
    store.add("orders", Log(1, 5, [1793491199000, 1793491200123]), Log(2, 6, [1793400000000]), Log(1, 7))
    store.add("payments", Log(2, 8, [1793400000000], start=100))
    monkeypatch.setattr(admin_module, "Cluster", lambda _: OffsetCluster(store))
    assert run(offsets, NAME, shlex.split(command)) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == (expected, "")


def test_the_page_knows_how_often_is_asked() -> None:
    assert UNKNOWN_ATTEMPTS == 5
    assert "tries five times" in PAGE
