"""Fixtures for tests of ``kafka-client-quotas`` with a cluster in memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from messagegen_client import admin as admin_module
from messagegen_client.cli.quotas.command import EXIT_USAGE, NAME, quotas
from messagegen_client.cli.support import run
from messagegen_client.quotas.entities import ClientQuotaEntity
from tests.client.support.quota_cluster import QuotaCluster, QuotaStore

RATE = "producer_byte_rate"
ALICE = ClientQuotaEntity(user="alice")
BOB = ClientQuotaEntity(user="bob")
Command = Callable[..., tuple[int, str, str]]


def run_quotas(arguments: list[str]) -> int:
    return run(quotas, NAME, arguments, exit_usage=EXIT_USAGE)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> QuotaStore:
    store = QuotaStore()
    monkeypatch.setattr(admin_module, "Cluster", lambda _: QuotaCluster(store))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return store


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run_quotas(["--bootstrap-server", "memory:9092", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call
