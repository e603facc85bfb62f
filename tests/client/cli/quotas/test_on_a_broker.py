"""The sample sessions of KIP-546, as printed there, and quota files, with the installed command on a real broker."""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from messagegen_client.admin import Admin
from messagegen_client.quotas.entities import ClientQuotaEntity
from tests.broker import Cluster
from tests.client.quotas.broker_fixtures import admin, eventually, set_quotas

__all__ = ["admin"]  # a fixture

SCRIPT = Path(sysconfig.get_path("scripts"), "kafka-client-quotas")
Command = Callable[..., subprocess.CompletedProcess[str]]

USER_ONE = ClientQuotaEntity(user="user-one", client_id="my-client")
USER_TWO = ClientQuotaEntity(user="user-two", client_id="my-client")
DEFAULT = ClientQuotaEntity(user=None, client_id="my-client")


@pytest.fixture
def command(broker: Cluster) -> Command:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        words = [str(SCRIPT), "--bootstrap-server", broker.bootstrap(), *arguments]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)

    return call


def output_of(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_describe_session(admin: Admin, command: Command) -> None:
    set_quotas(
        admin,
        {
            DEFAULT: {"producer_byte_rate": 500000.0, "consumer_byte_rate": 1000000.0},
            USER_TWO: {"producer_byte_rate": 2000000.0},
            USER_ONE: {"producer_byte_rate": 1000000.0, "consumer_byte_rate": 4000000.0},
            ClientQuotaEntity(user="user-one", client_id="another"): {"producer_byte_rate": 1.0},
            ClientQuotaEntity(user="user-one"): {"producer_byte_rate": 1.0},
        },
    )
    assert output_of(command("--describe", "--names=client-id=my-client")) == (
        "{user=user-one, client-id=my-client}\n"
        "consumer_byte_rate=4000000\n"
        "producer_byte_rate=1000000\n"
        "{user=user-two, client-id=my-client}\n"
        "producer_byte_rate=2000000\n"
        "{user=<default>, client-id=my-client}\n"
        "consumer_byte_rate=1000000\n"
        "producer_byte_rate=500000\n"
    )


def test_pruning_and_refusals(admin: Admin, command: Command, tmp_path: Path) -> None:
    set_quotas(
        admin, {USER_ONE: {"producer_byte_rate": 1.0}, ClientQuotaEntity(user="bob"): {"request_percentage": 5.0}}
    )
    file = tmp_path / "quotas.yaml"
    file.write_text(
        "quotas:\n"
        "- entity: {user: alice}\n"
        "  values: {request_percentage: 12.5}\n"
        "- entity: {user: carol}\n"
        "  values: {producer_byte_rate: 0}\n"
    )
    validated = command("apply", "--prune", "--validate-only", str(file))
    assert validated.returncode == 1
    assert validated.stdout.endswith("2 entities valid, nothing was changed, 1 refused\n")
    applied = command("apply", "--prune", str(file))
    assert applied.returncode == 1
    assert "{user=carol}: Quota producer_byte_rate must be greater than 0" in applied.stderr
    expected = {USER_ONE: {"producer_byte_rate": 1.0}, ClientQuotaEntity(user="alice"): {"request_percentage": 12.5}}
    eventually(lambda: admin.describe_client_quotas() == expected)


def test_the_alter_session(admin: Admin, command: Command) -> None:
    set_quotas(admin, {DEFAULT: {"producer_byte_rate": 500000.0, "consumer_byte_rate": 1000000.0}})
    altered = command(
        "--alter",
        "--names=client-id=my-client",
        "--defaults=user",
        "--add=consumer_byte_rate=2000000",
        "--delete=producer_byte_rate",
    )
    assert output_of(altered) == ""
    eventually(lambda: admin.describe_client_quotas() == {DEFAULT: {"consumer_byte_rate": 2000000.0}})
    assert output_of(command("--describe", "--names=client-id=my-client", "--defaults=user")) == (
        "{user=<default>, client-id=my-client}\nconsumer_byte_rate=2000000\n"
    )
