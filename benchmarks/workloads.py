"""The ten messages that all contestants encode and decode, computed so that every run measures the same bytes.

Values are in the JSON format of Kafka's ``JsonConverter`` classes, which ``from_json`` reads.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

Json = dict[str, Any]
"""A message as JSON."""

_NOT_ASKED: Final = -(2**31)
"""The value of authorized operations in a response if the client did not request them."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One message in one version; ``size`` is the length of its body in bytes, which each run checks."""

    name: str
    message: str
    version: int
    title: str
    size: int
    make: Callable[[], Json]


def metadata(topics: int, partitions: int, brokers: int) -> Json:
    """Return a MetadataResponse. Every broker has a replica of every partition, and leads every nth partition."""
    width = 4 if topics > 1 else 1
    return {
        "throttleTimeMs": 0,
        "brokers": [
            {"nodeId": node, "host": f"broker-{node}.example.com", "port": 9092, "rack": None}
            for node in range(brokers)
        ],
        "clusterId": "Z0lJVHYyTDNTaE9nZzRxVA",
        "controllerId": 0,
        "clusterAuthorizedOperations": _NOT_ASKED,
        "errorCode": 0,
        "topics": [
            {
                "errorCode": 0,
                "name": f"topic-{topic:0{width}d}",
                "topicId": _topic_id(topic),
                "isInternal": False,
                "topicAuthorizedOperations": _NOT_ASKED,
                "partitions": [_metadata_partition(index, topic + index, brokers) for index in range(partitions)],
            }
            for topic in range(topics)
        ],
    }


def _metadata_partition(index: int, turn: int, brokers: int) -> Json:
    return {
        "errorCode": 0,
        "partitionIndex": index,
        "leaderId": turn % brokers,
        "leaderEpoch": 5,
        "replicaNodes": list(range(brokers)),
        "isrNodes": list(range(brokers)),
        "offlineReplicas": [],
    }


def _fetch_request() -> Json:
    return {
        "replicaId": -1,
        "maxWaitMs": 500,
        "minBytes": 1,
        "maxBytes": 50 * 2**20,
        "isolationLevel": 1,
        "sessionId": 0,
        "sessionEpoch": -1,
        "topics": [
            {
                "topic": f"topic-{topic:03d}",
                "topicId": _topic_id(topic),
                "partitions": [_fetch_position(topic, index) for index in range(10)],
            }
            for topic in range(100)
        ],
        "forgottenTopicsData": [],
        "rackId": "",
    }


def _fetch_position(topic: int, index: int) -> Json:
    return {
        "partition": index,
        "currentLeaderEpoch": 5,
        "fetchOffset": _offset(topic) + index,
        "lastFetchedEpoch": -1,
        "logStartOffset": -1,
        "partitionMaxBytes": 2**20,
    }


def _fetch_response() -> Json:
    return {
        "throttleTimeMs": 0,
        "errorCode": 0,
        "sessionId": 0,
        "responses": [
            {
                "topic": f"topic-{topic:03d}",
                "topicId": _topic_id(topic),
                "partitions": [_fetched_partition(topic, index) for index in range(4)],
            }
            for topic in range(50)
        ],
    }


def _fetched_partition(topic: int, index: int) -> Json:
    return {
        "partitionIndex": index,
        "errorCode": 0,
        "highWatermark": _offset(topic) + index,
        "lastStableOffset": _offset(topic),
        "logStartOffset": 0,
        "abortedTransactions": None,
        "preferredReadReplica": -1,
        "records": _records(4 * topic + index, 2**10),
    }


def _produce_request() -> Json:
    data = [{"index": 0, "records": _records(1, 16 * 2**10)}]
    return {
        "transactionalId": None,
        "acks": -1,
        "timeoutMs": 30_000,
        "topicData": [{"name": "topic-0", "topicId": _topic_id(0), "partitionData": data}],
    }


def _api_versions_response() -> Json:
    keys = [{"apiKey": key, "minVersion": 0, "maxVersion": 1 + key % 13} for key in range(70)]
    return {"errorCode": 0, "throttleTimeMs": 0, "apiKeys": keys}


def _offset_commit_request() -> Json:
    return {
        "groupId": "group-1",
        "generationIdOrMemberEpoch": 7,
        "memberId": "consumer-1-0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0",
        "groupInstanceId": None,
        "retentionTimeMs": -1,
        "topics": [
            {
                "name": f"topic-{topic:02d}",
                "topicId": _topic_id(topic),
                "partitions": [_committed_offset(topic, index) for index in range(50)],
            }
            for topic in range(20)
        ],
    }


def _committed_offset(topic: int, index: int) -> Json:
    return {
        "partitionIndex": index,
        "committedOffset": _offset(topic) + index,
        "committedLeaderEpoch": 5,
        "committedMetadata": "",
    }


def _quotas_response() -> Json:
    return {
        "throttleTimeMs": 0,
        "errorCode": 0,
        "errorMessage": None,
        "entries": [
            {
                "entity": [{"entityType": "user", "entityName": f"user-{user:04d}"}],
                "values": [
                    {"key": "producer_byte_rate", "value": 2**20 + user + 0.5},
                    {"key": "consumer_byte_rate", "value": 2**21 + user + 0.25},
                ],
            }
            for user in range(1000)
        ],
    }


def _topic_id(topic: int) -> str:
    """Return a topic id as Kafka writes it in JSON: base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(uuid.UUID(int=(0x10 << 120) + topic + 1).bytes).decode().rstrip("=")


def _offset(topic: int) -> int:
    return 1_000_003 * (topic + 1)


def _records(seed: int, length: int) -> str:
    """Return base64 of ``length`` bytes without short repetitions.

    Codecs copy records as bytes, so the bytes need not be a record batch.
    """
    return base64.b64encode(bytes((131 * seed + 7 * i + i // 251) % 256 for i in range(length))).decode()


def _one_topic() -> Json:
    return metadata(topics=1, partitions=100, brokers=2)


def _thousand_topics() -> Json:
    return metadata(topics=1000, partitions=10, brokers=3)


WORKLOADS: Final = (
    Workload("W1v1", "MetadataResponse", 1, "1 topic x 100 partitions, 2 brokers", 3492, _one_topic),
    Workload("W1v9", "MetadataResponse", 9, "1 topic x 100 partitions, 2 brokers", 3517, _one_topic),
    Workload("W1v12", "MetadataResponse", 12, "1 topic x 100 partitions, 2 brokers", 3529, _one_topic),
    Workload("W2", "MetadataResponse", 12, "1,000 topics x 10 partitions, 3 brokers", 456_128, _thousand_topics),
    Workload("W3req", "FetchRequest", 12, "100 topics x 10 partitions", 34_229, _fetch_request),
    Workload("W3resp", "FetchResponse", 12, "50 topics x 4 partitions x 1 KiB of records", 213_012, _fetch_response),
    Workload("W4prod", "ProduceRequest", 9, "16 KiB of records", 16_411, _produce_request),
    Workload("W4api", "ApiVersionsResponse", 3, "70 API keys", 498, _api_versions_response),
    Workload("W5oc", "OffsetCommitRequest", 8, "20 topics x 50 partitions", 18_283, _offset_commit_request),
    Workload("W5quota", "DescribeClientQuotasResponse", 1, "1,000 users", 75_010, _quotas_response),
)

MESSAGES: Final = tuple(sorted({workload.message for workload in WORKLOADS}))
