"""Repeats KIP-625's measurement: its MetadataResponse in fixed, packed and upacked encodings, in bytes and in time.

The KIP measured "a MetadataResponse (just the body, excluding the header) containing a single 100 partition topic replicated
across two brokers", with small numbers at best, and at worst with broker ids and partition indexes above 134,217,727 and error
codes above 255. ``EncodedMetadataResponse`` is MetadataResponse 9 with all integers fixed (version 0), packed (1) and upacked (2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from messagegen_arrow.advisor.trial import ROUNDS, Trial, measure
from messagegen_arrow.engine import engine_name
from messagegen_kafka import EncodedMetadataResponse, MetadataResponse
from messagegen_kafka.encoded_metadata_response import (
    EncodedMetadataBroker,
    EncodedMetadataPartition,
    EncodedMetadataTopic,
)

VERSIONS: Final = {"fixed": 0, "packed": 1, "upacked": 2}
PARTITIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Published:
    """A line of the KIP's table: bytes, and microseconds of its two ways to serialise and deserialise (struct and buffer)."""

    bytes: int
    struct: tuple[int, int]
    buffer: tuple[int, int]


PUBLISHED: Final = {
    "fixed": Published(3216, (56458, 14416), (7215, 11508)),
    "best": Published(1170, (65226, 14713), (7667, 10155)),
    "worst": Published(4026, (81328, 14755), (21400, 17681)),
}
"""The KIP's figures. It does not say how many responses its microseconds are for, so only ratios can be compared."""


def synthetic(case: str) -> EncodedMetadataResponse:
    """The KIP's response at its ``best`` or ``worst``; raises ``ValueError`` for another case."""
    if case not in {"best", "worst"}:
        raise ValueError(f"the KIP has a best and a worst case, not {case!r}")
    # 2^28 and 2^14 are the smallest numbers that take five and three bytes in both packed and upacked encodings.
    base, code = (2**28, 2**14) if case == "worst" else (0, 0)
    nodes = (base, base + 1)
    partitions = tuple(
        EncodedMetadataPartition(
            error_code=code,
            partition_index=base + index,
            leader_id=nodes[index % 2],
            leader_epoch=base,
            replica_nodes=nodes,
            isr_nodes=nodes,
        )
        for index in range(PARTITIONS)
    )
    topic = EncodedMetadataTopic(
        error_code=code, name="topic-0", partitions=partitions, topic_authorized_operations=base
    )
    return EncodedMetadataResponse(
        throttle_time_ms=base,
        brokers=tuple(
            EncodedMetadataBroker(node_id=node, host=f"broker-{n}", port=9092) for n, node in enumerate(nodes)
        ),
        cluster_id="Z0lJVHYyTDNTaE9nZzRxVA",
        controller_id=base,
        topics=(topic,),
        cluster_authorized_operations=base,
    )


def encoded(response: MetadataResponse) -> EncodedMetadataResponse:
    """A response of a real broker, reduced to version 9; topics without a name in later versions get an empty one."""
    return EncodedMetadataResponse(
        throttle_time_ms=response.throttle_time_ms,
        brokers=tuple(
            EncodedMetadataBroker(node_id=one.node_id, host=one.host, port=one.port, rack=one.rack)
            for one in response.brokers
        ),
        cluster_id=response.cluster_id,
        controller_id=response.controller_id,
        topics=tuple(
            EncodedMetadataTopic(
                error_code=topic.error_code,
                name=topic.name or "",
                is_internal=topic.is_internal,
                partitions=tuple(
                    EncodedMetadataPartition(
                        error_code=one.error_code,
                        partition_index=one.partition_index,
                        leader_id=one.leader_id,
                        leader_epoch=one.leader_epoch,
                        replica_nodes=one.replica_nodes,
                        isr_nodes=one.isr_nodes,
                        offline_replicas=one.offline_replicas,
                    )
                    for one in topic.partitions
                ),
                topic_authorized_operations=topic.topic_authorized_operations,
            )
            for topic in response.topics
        ),
        cluster_authorized_operations=response.cluster_authorized_operations,
    )


def measure_responses(responses: Iterable[EncodedMetadataResponse], rounds: int = ROUNDS) -> Trial:
    """The responses in all three versions. Raises ``ValueError`` if there are none."""
    messages = [(0, one.encode(version=0)) for one in responses]
    variants = {name: (EncodedMetadataResponse, version) for name, version in VERSIONS.items()}
    return Trial(engine_name(), len(messages), 0, measure(variants, messages, rounds))
