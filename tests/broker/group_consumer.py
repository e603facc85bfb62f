"""Makes a consumer of kafka-python that gets the partitions of a new topic."""

from __future__ import annotations

from typing import Any

import kafka  # type: ignore[import-untyped]

from tests.broker.waiting import eventually


def group_consumer(topic: str, **settings: Any) -> Any:
    """Return a consumer of a group that is subscribed to a topic, and whose metadata contains the topic.

    kafka-python 3.0.12 may join a group before it has the topic's metadata. It then assigns no partitions, and if the
    metadata arrive while it does so, it never joins again.
    """
    consumer: Any = kafka.KafkaConsumer(**settings)
    eventually(lambda: topic in consumer.topics())
    consumer.subscribe([topic])
    return consumer
