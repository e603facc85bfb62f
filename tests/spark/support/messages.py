"""Messages as Kafka's JSON."""

from __future__ import annotations

from typing import Any

RESPONSE: dict[str, Any] = {
    "throttleTimeMs": 0,
    "brokers": [],
    "clusterId": "c",
    "controllerId": 1,
    "errorCode": 0,
    "topics": [
        {
            "errorCode": 0,
            "name": "a",
            "topicId": "AAAAAAAAAAAAAAAAAAAAAA",
            "isInternal": False,
            "topicAuthorizedOperations": 0,
            "partitions": [
                {
                    "errorCode": 0,
                    "partitionIndex": number,
                    "leaderId": number + 1,
                    "leaderEpoch": 0,
                    "replicaNodes": [1],
                    "isrNodes": [],
                    "offlineReplicas": [],
                }
                for number in range(2)
            ],
        }
    ],
}
