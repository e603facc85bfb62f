"""The client from docs/your-own-client.md: its types, and its behaviour with brokers and faults."""

from __future__ import annotations

import asyncio
import importlib
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen_kafka import FetchRequest, ProduceRequest, Record
from messagegen_testing import KafkaFaults
from tests.broker.cluster import Cluster
from tests.broker.settings import USERS
from tests.docs.examples import blocks
from tests.docs.setting import ROOT
from tests.support.type_checkers import CHECKERS, errors

PAGE: Final = ROOT / "docs" / "your-own-client.md"
NAMES: Final = ("kafka_client.py", "kafka_member.py")
FILES: Final = {block.second: block.text for block in blocks(PAGE.read_text("utf-8")) if block.second in NAMES}


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """The modules of the page: the client and the group member."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = [name.removesuffix(".py") for name in FILES]
    client, member = map(importlib.import_module, names)
    yield client, member
    for name in names:
        del sys.modules[name]


def new_topic(broker: Cluster, name: str, partitions: int) -> None:
    from tests.broker.records import create_topics  # noqa: PLC0415 - only tests with a broker have what it needs

    create_topics(broker.bootstrap(), {name: partitions})


def login(broker: Cluster, modules: tuple[Any, Any], password: str) -> Any:
    authority = broker.client_properties("SASL_SSL")["ssl.truststore.location"]
    return modules[0].Login("ann", password, ssl.create_default_context(cafile=authority))


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_accept_the_client(tmp_path: Path, checker: str) -> None:
    found, output = errors(checker, tmp_path, FILES)
    assert not found, output


def test_a_member_shares_a_topic_over_tls_with_scram(
    broker: Cluster, modules: tuple[Any, Any], topic_name: str
) -> None:
    new_topic(broker, topic_name, 2)

    async def main() -> None:
        client = modules[0].Client(broker.bootstrap("SASL_SSL"), login(broker, modules, USERS["ann"]))
        written = [client.produce((topic_name, n % 2), [Record(value=b"%d" % n)]) for n in range(10)]
        assert await asyncio.gather(*written) == [n // 2 for n in range(10)]

        first, second = (modules[1].Member(client, topic_name, [topic_name]) for _ in range(2))
        while len(first.offsets) < 2:  # noqa: ASYNC110 - the member itself asks
            await asyncio.sleep(await client.retry(first.heartbeat))
        assert sorted(int(record.value) for record in await first.poll()) == [*range(10)]
        await first.commit()
        while (len(first.offsets), len(second.offsets)) != (1, 1):
            await client.retry(first.heartbeat)
            await asyncio.sleep(await client.retry(second.heartbeat))
        assert {**first.offsets, **second.offsets} == {(topic_name, 0): 5, (topic_name, 1): 5}
        await second.leave()
        await first.leave()
        client.close()

    asyncio.run(asyncio.wait_for(main(), 90))


def test_the_client_raises_if_the_password_is_wrong(broker: Cluster, modules: tuple[Any, Any]) -> None:
    client = modules[0].Client(broker.bootstrap("SASL_SSL"), login(broker, modules, "wrong"))
    with pytest.raises(modules[0].KafkaError, match=r"^SASL_AUTHENTICATION_FAILED: "):
        asyncio.run(client.topic("any"))


def test_records_are_written_once_even_if_connections_break(
    broker: Cluster, modules: tuple[Any, Any], topic_name: str
) -> None:
    new_topic(broker, topic_name, 1)
    partition = (topic_name, 0)

    async def main(faults: KafkaFaults) -> None:
        client = modules[0].Client(faults.bootstrap)
        assert await client.produce(partition, [Record(value=b"one")]) == 0
        with faults.when(ProduceRequest, times=1).cut(after_bytes=3) as cut:
            assert await client.produce(partition, [Record(value=b"two")]) == 1
        with faults.when(ProduceRequest, times=1).error("NOT_LEADER_OR_FOLLOWER") as moved:
            assert await client.produce(partition, [Record(value=b"three")]) == 2
        with faults.when(FetchRequest, times=1).error("NOT_LEADER_OR_FOLLOWER"):
            records, following = await client.retry(lambda: client.fetch(partition, 0))
        assert [record.value for record in records] == [b"one", b"two", b"three"]
        assert (cut.used, moved.used, following) == (1, 1, 3)
        client.close()

    with KafkaFaults(broker.bootstrap()) as faults:
        asyncio.run(asyncio.wait_for(main(faults), 90))
