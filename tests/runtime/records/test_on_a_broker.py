"""Batches on a real broker: ours are produced and read by Kafka's console consumer, those of Kafka's producer are fetched."""

from __future__ import annotations

import json
import socket
from importlib import import_module
from pathlib import Path
from typing import Any

from messagegen import load
from messagegen_kafka import FetchRequest, FetchResponse, Record, RecordBatch, RecordHeader, read_records
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools
from tests.runtime.records.engines import ENGINES, running
from tests.runtime.records.made import CODECS

START = 1_700_000_000_000

_PARTITION = [
    {"name": "Index", "type": "int32", "versions": "0+"},
    {"name": "Records", "type": "records", "versions": "0+", "nullableVersions": "0+"},
]
_TOPIC = [
    {"name": "Name", "type": "string", "versions": "0+"},
    {"name": "PartitionData", "type": "[]PartitionProduceData", "versions": "0+", "fields": _PARTITION},
]
PRODUCE = {
    "apiKey": 0,
    "type": "request",
    "name": "ProduceRequest",
    "validVersions": "3-9",
    "flexibleVersions": "9+",
    "fields": [
        {"name": "TransactionalId", "type": "string", "versions": "3+", "nullableVersions": "3+", "default": "null"},
        {"name": "Acks", "type": "int16", "versions": "0+"},
        {"name": "TimeoutMs", "type": "int32", "versions": "0+"},
        {"name": "TopicData", "type": "[]TopicProduceData", "versions": "0+", "fields": _TOPIC},
    ],
}
HEADER = Path(__file__).parents[3] / "message_specs" / "RequestHeader.json"


def ask(broker: Cluster, frame: bytes) -> bytes:
    """The response to a frame."""
    with socket.create_connection(("127.0.0.1", broker.port()), timeout=60) as connection:
        connection.sendall(frame)
        with connection.makefile("rb") as answers:
            length = answers.read(4)
            return length + answers.read(int.from_bytes(length, "big"))


def produce(broker: Cluster, specs: Path, topic: str, data: bytes) -> None:
    (specs / "ProduceRequest.json").write_text(json.dumps(PRODUCE), encoding="utf-8")
    messages: Any = load(specs, HEADER)
    module: Any = import_module(f"{messages.__name__}.produce_request")
    partition = module.PartitionProduceData(index=0, records=data)
    topics = (module.TopicProduceData(name=topic, partition_data=(partition,)),)
    request = messages.ProduceRequest(acks=-1, timeout_ms=30_000, topic_data=topics)
    answer = ask(broker, request.encode_frame(version=9, correlation_id=1, client_id="records"))
    # A header without tagged fields, one topic, its name, one partition: then its number and its error code.
    at = 4 + 4 + 1 + 1 + 1 + len(topic) + 1
    assert answer[at : at + 6] == bytes(6), answer.hex()


def fetch(broker: Cluster, topic: str, offset: int = 0) -> bytes:
    partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    topics = (FetchTopic(topic=topic, partitions=(partition,)),)
    request = FetchRequest(max_wait_ms=1000, min_bytes=1, topics=topics)
    answer = ask(broker, request.encode_frame(version=12, correlation_id=2, client_id="records"))
    _, response = FetchResponse.decode_frame(answer, version=12)
    (found,) = response.responses[0].partitions
    assert found.error_code == 0
    return bytes(found.records or b"")


def test_the_console_consumer_reads_what_was_produced(
    broker: Cluster, java_tools: JavaTools, topic_name: str, tmp_path: Path
) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name, "partitions": 1}])
    expected: list[str] = []
    sent: list[Record] = []
    for engine in ENGINES:
        for codec in CODECS:
            value, key = f"{engine} {codec}", f"key-{codec}"
            headers = (RecordHeader(key="engine", value=engine.encode()),)
            records = [
                Record(timestamp=START + len(expected), key=key.encode(), value=value.encode(), headers=headers),
                Record(timestamp=START + len(expected), value=b"second"),
            ]
            with running(engine):
                batch = RecordBatch.of(records, compression=codec)
                produce(broker, tmp_path, topic_name, batch.to_bytes())
            sent += records
            expected.append(f"CreateTime:{START + len(expected)}\tengine:{engine}\t{key}\t{value}")
            expected.append(f"CreateTime:{START + len(expected) - 1}\tNO_HEADERS\tnull\tsecond")
    shown = [f"print.{what}=true" for what in ("timestamp", "headers", "key")]
    console = java_tools.run(
        "kafka-console-consumer",
        *("--bootstrap-server", broker.bootstrap(), "--topic", topic_name, "--from-beginning"),
        *("--max-messages", str(len(expected)), "--timeout-ms", "60000"),
        *(argument for one in shown for argument in ("--formatter-property", one)),
    )
    assert console.out.splitlines() == expected, console.err
    for engine in ENGINES:
        with running(engine):
            found = [record for batch in read_records(fetch(broker, topic_name)) for record in batch.records]
        assert [(one.offset, one.timestamp, one.key, one.value, one.headers) for one in found] == [
            (offset, one.timestamp, one.key, one.value, one.headers) for offset, one in enumerate(sent)
        ]


def test_what_kafka_produces_is_read(broker: Cluster, java_tools: JavaTools, topic_name: str) -> None:
    java_tools.call("createTopics", broker, topics=[{"name": topic_name, "partitions": 1}])
    for codec in CODECS:
        records = [
            {"topic": topic_name, "partition": 0, "timestamp": START + number, "key": codec, "value": f"v{number}"}
            for number in range(30)
        ]
        settings = {"compression.type": codec, "linger.ms": "200", "enable.idempotence": "true", "acks": "all"}
        java_tools.call("produce", broker, records=records, producer=settings)
    data = fetch(broker, topic_name)
    for engine in ENGINES:
        with running(engine):
            batches = [*read_records(data)]
        assert [*dict.fromkeys(batch.compression for batch in batches)] == [*CODECS]
        assert all(batch.producer_id >= 0 and batch.base_sequence >= 0 for batch in batches)
        found = [record for batch in batches for record in batch.records]
        assert [(one.offset, one.timestamp, one.key, one.value) for one in found] == [
            (30 * part + number, START + number, codec.encode(), b"v%d" % number)
            for part, codec in enumerate(CODECS)
            for number in range(30)
        ]
