"""Fetching from a real broker with ``read_committed`` returns the same records as Java's consumer."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from typing import Any, Final

import pytest

import messagegen_kafka
from messagegen_kafka import ClientSession, FetchRequest, read_records
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from tests.broker.cluster import Cluster

_VERSION: Final = 11
_READ_COMMITTED: Final = 1
_FEW_BYTES: Final = 400
"""A maximum size of responses, so small that they end in the middle of transactions."""


def fetch(connection: socket.socket, session: ClientSession, topic: str, offset: int) -> Any:
    """Return the partition of a fetch response."""
    partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=_FEW_BYTES)
    request = FetchRequest(
        max_wait_ms=100,
        min_bytes=1,
        isolation_level=_READ_COMMITTED,
        topics=(FetchTopic(topic=topic, partitions=(partition,)),),
    )
    connection.sendall(session.send(request, version=_VERSION).frame)
    while True:
        for event in session.receive(connection.recv(1 << 16)):
            received: Any = event
            response = received.decode()
            return response.responses[0].partitions[0]


def committed(bootstrap: str, topic: str, offset: int) -> Iterator[str]:
    """Yield the values from an offset to the last stable offset, like the loop on the page."""
    host, _, port = bootstrap.rpartition(":")
    session = ClientSession(messagegen_kafka, client_id="test")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        while True:
            partition = fetch(connection, session, topic, offset)
            assert partition.error_code == 0
            aborted = partition.aborted_transactions
            batches = read_records(partition.records or b"", aborted=aborted, min_offset=offset)
            for batch in batches:
                for record in batch.records:
                    if not batch.is_control and record.offset >= offset:
                        yield (record.value or b"").decode()
            if batches.next_offset is not None:
                offset = max(offset, batches.next_offset)
            if offset >= partition.last_stable_offset:
                return


def write(bootstrap: str, topic: str) -> list[str]:
    """Write concurrent transactions of several producers, and return the committed values in order. One stays open."""
    from confluent_kafka import Producer  # noqa: PLC0415 - only tests with a broker have it

    draw = random.Random(7)
    settings = {"bootstrap.servers": bootstrap, "linger.ms": 0}
    plain = Producer(settings)
    producers = [Producer({**settings, "transactional.id": f"{topic}-{number}"}) for number in range(3)]
    running: dict[int, list[str]] = {}
    written: list[str] = []
    left_out: set[str] = set()
    for producer in producers:
        producer.init_transactions(30)

    def produce(producer: Any, value: str) -> None:
        producer.produce(topic, value=value, partition=0)
        assert producer.flush(30) == 0
        written.append(value)

    for number in range(80):
        chosen = draw.randrange(len(producers) + 1)
        if chosen == len(producers):
            produce(plain, f"plain {number}")
            continue
        producer = producers[chosen]
        if chosen in running and draw.random() < 0.4:
            values = running.pop(chosen)
            if draw.random() < 0.5:
                producer.abort_transaction(30)
                left_out.update(values)
            else:
                producer.commit_transaction(30)
            continue
        if chosen not in running:
            producer.begin_transaction()
            running[chosen] = []
        produce(producer, f"{chosen} writes {number}")
        running[chosen].append(written[-1])
    # All other transactions end, so only the last one limits the offsets that a consumer may read.
    for chosen in list(running):
        producers[chosen].abort_transaction(30)
        left_out.update(running[chosen])
    producers[0].begin_transaction()
    end = len(written)
    produce(producers[0], "open")
    produce(plain, "behind the open transaction")
    return [value for value in written[:end] if value not in left_out]


@pytest.mark.slow
def test_committed_records_equal_the_records_that_javas_consumer_reads(broker: Cluster, topic_name: str) -> None:
    from tests.broker.java import client  # noqa: PLC0415 - only tests with a broker have what they need
    from tests.broker.records import create_topics  # noqa: PLC0415

    create_topics(broker.bootstrap(), {topic_name: 1})
    expected = write(broker.bootstrap(), topic_name)
    assert list(committed(broker.bootstrap(), topic_name, 0)) == expected

    java = client("read", broker.bootstrap(), topic_name, str(len(expected)))
    out, _ = java.communicate(timeout=120)
    assert out.split("\n")[:-1] == expected

    # Later start offsets are tested, too, some of them inside a transaction.
    for offset in range(1, 65, 8):
        found = list(committed(broker.bootstrap(), topic_name, offset))
        assert found == expected[len(expected) - len(found) :]
