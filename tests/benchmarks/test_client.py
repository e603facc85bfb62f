"""The benchmarks of the client do on a real broker what they say they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.client import offsets, quotas
from benchmarks.client.names import APPLY, CALL, CHANGED, JAVA_CONFIGS, OURS, UNCHANGED
from messagegen_client import Admin, ClientQuotaEntity
from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools

pytestmark = pytest.mark.java


@pytest.mark.exhaustive
def test_everybody_sets_quotas(broker: Cluster, java_tools: JavaTools, tmp_path: Path) -> None:
    found = quotas.measure(
        broker, java_tools, tmp_path, entities=20, java_entities=1, rounds=1, progress=lambda _: None
    )
    amounts = {(each.data, each.contestant): each.amount for each in found}
    assert amounts[CHANGED, APPLY] == amounts[UNCHANGED, APPLY] == 20
    assert amounts[CHANGED, JAVA_CONFIGS] == 1
    with Admin(broker.bootstrap()) as admin:
        rates = admin.describe_client_quotas()
    # Six change in a round, of two: the last one changed only the first user.
    first, second = (rates[ClientQuotaEntity(user=f"user-0000{number}")]["producer_byte_rate"] for number in (0, 1))
    assert first - second == 2


def test_everybody_finds_the_same_offsets(broker: Cluster, java_tools: JavaTools) -> None:
    pytest.importorskip("aiokafka", reason="peers are installed by `make bench-client`")
    pytest.importorskip("confluent_kafka", reason="peers are installed by `make bench-client`")
    found = offsets.measure(broker, java_tools, partitions=5, rounds=1, progress=lambda _: None)
    assert (CALL, OURS) in {(each.data, each.contestant) for each in found}
