"""The share group member from docs/your-own-share-group.md: its types, and its behaviour with brokers and faults."""

from __future__ import annotations

import asyncio
import importlib
import socket
import sys
from collections.abc import Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from messagegen import load
from messagegen_kafka import Record, ShareFetchRequest
from messagegen_testing import KafkaFaults
from tests.broker.cluster import Cluster
from tests.broker.ports import HOST
from tests.docs.examples import blocks
from tests.docs.setting import ROOT
from tests.oracle.jars import official_specs
from tests.support.type_checkers import CHECKERS, errors

PAGES: Final = {"your-own-client.md": "kafka_client.py", "your-own-share-group.md": "kafka_share_member.py"}
FILES: Final = {
    block.second: block.text
    for page, name in PAGES.items()
    for block in blocks((ROOT / "docs" / page).read_text("utf-8"))
    if block.second == name
}
CONFIG_SPECS: Final = (
    "IncrementalAlterConfigsRequest",
    "IncrementalAlterConfigsResponse",
    "RequestHeader",
    "ResponseHeader",
)
GROUP: Final = 32
"""The type of the resources that configs of groups belong to."""

LONG_LOCK: Final = "60000"
BEFORE_LOCK_ENDS: Final = 50
"""Seconds of a test in which records can't come again because of ``LONG_LOCK``."""


@pytest.fixture
def kafka(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module with the client of the first page, next to the member's module."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("kafka_client")
    for name in FILES:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.fixture
def share(kafka: ModuleType) -> Any:
    """The module with the member."""
    del kafka
    return importlib.import_module("kafka_share_member")


@pytest.fixture
def group(broker: Cluster, topic_name: str, tmp_path: Path) -> str:
    """A group that begins at the first offset of a topic with the same name, which has one partition."""
    from tests.broker.records import create_topics  # noqa: PLC0415 - only tests with a broker have what it needs

    create_topics(broker.bootstrap(), {topic_name: 1})
    configure(broker, topic_name, tmp_path, {"share.auto.offset.reset": "earliest"})
    return topic_name


def configure(broker: Cluster, group: str, folder: Path, configs: dict[str, str]) -> None:
    """Set configs of a group. The committed package lacks the message, so it is loaded from Kafka's own specs."""
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    for name in CONFIG_SPECS:
        (specs / f"{name}.json").write_text(official_specs()["kafka-clients"][name], encoding="utf-8")
    messages: Any = load(specs)
    entries = [{"name": name, "configOperation": 0, "value": value} for name, value in configs.items()]
    resource = {"resourceType": GROUP, "resourceName": group, "configs": entries}
    given = {"resources": [resource], "validateOnly": False}
    request = messages.IncrementalAlterConfigsRequest.from_json(given, version=1)
    address = (HOST, broker.ports.listeners["PLAINTEXT"])
    with socket.create_connection(address, timeout=30) as connection, connection.makefile("rb") as answers:
        connection.sendall(request.encode_frame(version=1, correlation_id=1))
        size = answers.read(4)
        frame = size + answers.read(int.from_bytes(size, "big"))
    response = messages.IncrementalAlterConfigsResponse.decode_frame(frame, version=1)[1]
    assert [each.error_code for each in response.responses] == [0], response


def run(main: Coroutine[Any, Any, None], seconds: float = 120) -> None:
    asyncio.run(asyncio.wait_for(main, seconds))


async def join(client: Any, *members: Any) -> None:
    """Send heartbeats until each member has partitions."""
    while not all(member.partitions for member in members):
        seconds = [await client.retry(member.heartbeat) for member in members]
        await asyncio.sleep(min(seconds))


async def acquire(member: Any, count: int) -> list[Any]:
    """Poll until the member has `count` records."""
    found: list[Any] = []
    while len(found) < count:
        found += await member.client.retry(partial(member.poll, count - len(found)))
    return found


def offsets(deliveries: Sequence[Any]) -> list[int]:
    return [delivery.record.offset for delivery in deliveries]


def counts(deliveries: Sequence[Any]) -> list[int]:
    return [delivery.count for delivery in deliveries]


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_accept_the_member(tmp_path: Path, checker: str) -> None:
    assert set(FILES) == set(PAGES.values())
    found, output = errors(checker, tmp_path, FILES)
    assert not found, output


def test_two_members_share_one_partition_and_each_record_is_accepted_once(
    broker: Cluster, kafka: Any, share: Any, group: str
) -> None:
    async def main() -> None:
        clients = [kafka.Client(broker.bootstrap()) for _ in range(3)]
        first, second, later = (share.ShareMember(client, group, [group]) for client in clients)
        await clients[0].produce((group, 0), [Record(value=b"%d" % n) for n in range(10)])
        await join(clients[0], first, second)
        assert first.partitions == second.partitions == {(group, 0)}

        mine, yours = await acquire(first, 5), await acquire(second, 5)
        assert sorted(offsets(mine) + offsets(yours)) == [*range(10)]
        assert {*counts(mine), *counts(yours)} == {1}
        await asyncio.gather(
            first.acknowledge(share.Answer.ACCEPT, mine), second.acknowledge(share.Answer.ACCEPT, yours)
        )
        await first.leave()
        await second.leave()

        await join(clients[2], later)
        await clients[0].produce((group, 0), [Record(value=b"new")])
        assert [delivery.record.value for delivery in await acquire(later, 1)] == [b"new"]
        await later.leave()
        for client in clients:
            client.close()

    run(main())


def test_a_released_record_is_delivered_again_but_a_rejected_record_is_not(
    broker: Cluster, kafka: Any, share: Any, group: str
) -> None:
    async def main() -> None:
        client = kafka.Client(broker.bootstrap())
        member = share.ShareMember(client, group, [group])
        await client.produce((group, 0), [Record(value=b"%d" % n) for n in range(4)])
        await join(client, member)

        accepted, rejected, *released = await acquire(member, 4)
        await member.acknowledge(share.Answer.ACCEPT, [accepted])
        await member.acknowledge(share.Answer.REJECT, [rejected])
        for count in (2, 3, 4, 5):
            await member.acknowledge(share.Answer.RELEASE, released)
            released = await acquire(member, 2)
            assert (offsets(released), counts(released)) == ([2, 3], [count] * 2)
        await member.acknowledge(share.Answer.RELEASE, released)
        await client.produce((group, 0), [Record(value=b"new")])
        last = await acquire(member, 1)
        assert (offsets(last), counts(last)) == ([4], [1])
        await member.leave()
        client.close()

    run(main())


def test_a_record_goes_to_another_member_after_its_lock_ends(
    broker: Cluster, kafka: Any, share: Any, group: str, tmp_path: Path
) -> None:
    configure(broker, group, tmp_path, {"share.record.lock.duration.ms": "1000"})

    async def main() -> None:
        clients = [kafka.Client(broker.bootstrap()) for _ in range(2)]
        slow, other = (share.ShareMember(client, group, [group]) for client in clients)
        await clients[0].produce((group, 0), [Record(value=b"one")])
        await join(clients[0], slow, other)

        held = await acquire(slow, 1)
        assert slow.lock_seconds == 1
        found = await acquire(other, 1)
        assert (offsets(held), counts(held)) == ([0], [1])
        assert (offsets(found), counts(found)) == ([0], [2])
        with pytest.raises(kafka.KafkaError, match=r"^INVALID_RECORD_STATE: "):
            await slow.acknowledge(share.Answer.ACCEPT, held)
        await slow.leave()
        await other.leave()
        for client in clients:
            client.close()

    run(main())


def test_a_renewed_lock_lasts_longer(broker: Cluster, kafka: Any, share: Any, group: str, tmp_path: Path) -> None:
    configure(broker, group, tmp_path, {"share.record.lock.duration.ms": "6000"})

    async def main() -> None:
        client = kafka.Client(broker.bootstrap())
        member = share.ShareMember(client, group, [group])
        await client.produce((group, 0), [Record(value=b"one"), Record(value=b"two")])
        await join(client, member)

        held = await acquire(member, 2)
        for _ in range(2):
            await asyncio.sleep(4)
            await member.acknowledge(share.Answer.RENEW, held[:1])
        with pytest.raises(kafka.KafkaError, match=r"^INVALID_RECORD_STATE: "):
            await member.acknowledge(share.Answer.ACCEPT, held)
        await member.acknowledge(share.Answer.ACCEPT, held[:1])
        await member.leave()
        client.close()

    run(main())


def test_a_member_that_leaves_gives_its_records_back(
    broker: Cluster, kafka: Any, share: Any, group: str, tmp_path: Path
) -> None:
    configure(broker, group, tmp_path, {"share.record.lock.duration.ms": LONG_LOCK})

    async def main() -> None:
        clients = [kafka.Client(broker.bootstrap()) for _ in range(2)]
        first, second = (share.ShareMember(client, group, [group]) for client in clients)
        await clients[0].produce((group, 0), [Record(value=b"%d" % n) for n in range(3)])
        await join(clients[0], first, second)

        held = await acquire(first, 3)
        await first.acknowledge(share.Answer.ACCEPT, held[1:2])
        await first.leave()
        found = await acquire(second, 2)
        assert offsets(found) == [0, 2]
        assert first.lock_seconds == 60
        await second.acknowledge(share.Answer.ACCEPT, found)
        await second.leave()
        for client in clients:
            client.close()

    run(main(), BEFORE_LOCK_ENDS)


def test_a_member_opens_a_new_session_after_errors(
    broker: Cluster, kafka: Any, share: Any, group: str, tmp_path: Path
) -> None:
    configure(broker, group, tmp_path, {"share.record.lock.duration.ms": LONG_LOCK})

    async def main(faults: KafkaFaults) -> None:
        client = kafka.Client(faults.bootstrap)
        member = share.ShareMember(client, group, [group])
        await client.produce((group, 0), [Record(value=b"%d" % n) for n in range(3)])
        await join(client, member)
        with faults.when(ShareFetchRequest, times=1).error("SHARE_SESSION_NOT_FOUND") as lost:
            await member.acknowledge(share.Answer.ACCEPT, await acquire(member, 1))
        with faults.when(ShareFetchRequest, times=1).cut(after_bytes=3) as cut:
            rest = await acquire(member, 2)
        assert (offsets(rest), lost.used, cut.used) == ([1, 2], 1, 1)
        await member.acknowledge(share.Answer.ACCEPT, rest)
        await member.leave()
        client.close()

    with KafkaFaults(broker.bootstrap()) as faults:
        run(main(faults), BEFORE_LOCK_ENDS)


def test_markers_of_transactions_are_acknowledged_as_gaps(
    broker: Cluster, kafka: Any, share: Any, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aiokafka import AIOKafkaProducer  # type: ignore[import-untyped] # noqa: PLC0415 - only with a broker

    answers: list[tuple[str, list[int]]] = []
    send_answer = share.ShareMember.send_answer

    async def recorded(member: Any, answer: Any, partition: Any, numbers: Any) -> None:
        answers.append((answer.name, sorted(numbers)))
        await send_answer(member, answer, partition, numbers)

    async def main() -> None:
        producer = AIOKafkaProducer(bootstrap_servers=broker.bootstrap(), transactional_id=group)
        async with producer, producer.transaction():
            await producer.send_and_wait(group, b"one", partition=0)
        client = kafka.Client(broker.bootstrap())
        member = share.ShareMember(client, group, [group])
        while (await client.fetch((group, 0), 0))[1] < 2:
            pass  # The broker writes the marker after its answer to the producer.
        await client.produce((group, 0), [Record(value=b"two")])
        await join(client, member)
        found = await acquire(member, 2)
        assert offsets(found) == [0, 2]
        await member.acknowledge(share.Answer.ACCEPT, found)
        assert answers == [("GAP", [1]), ("ACCEPT", [0, 2])]
        await member.leave()
        client.close()

    monkeypatch.setattr(share.ShareMember, "send_answer", recorded)
    run(main())


def test_ranges_contain_only_consecutive_offsets(share: Any) -> None:
    assert share.ranges([7, 1, 2, 9, 3, 8]) == [(1, 3), (7, 9)]
    assert share.ranges([]) == []
