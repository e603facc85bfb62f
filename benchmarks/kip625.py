"""The sizes of EncodedMetadataResponse in the three families of KIP-625's encodings, beside the sizes in the KIP.

The KIP measured "a MetadataResponse (just the body, excluding the header) containing a single 100 partition topic
replicated across two brokers"; in its worst case, broker ids and partition indexes are above 134,217,727 (2^27 - 1) and
error codes above 255.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.console import Console

from benchmarks.report import new_table, show_table
from messagegen_kafka.encoded_metadata_response import (
    EncodedMetadataBroker,
    EncodedMetadataPartition,
    EncodedMetadataResponse,
    EncodedMetadataTopic,
)

PARTITIONS: Final = 100
PUBLISHED: Final = {"fixed": (3216, 3216), "packed": (1170, 4026), "upacked": (1170, 4026)}
"""The KIP's sizes in bytes, best and worst case. The KIP does not state which variable-length family was measured."""

DIFFERENCES: Final = """\
The KIP prints sizes without the layout that was measured. Ours is the body of MetadataResponse 9: a partition takes
34 bytes in fixed encodings, so 100 of them take 3400 of the 3493 bytes; the KIP's 3216 bytes leave no room for the
array of offline replicas and the tag section. In the worst case, a partition grows by 8 bytes (seven 32-bit and one
16-bit integer, a byte each), as in the KIP (810 bytes for 100 partitions). packed is zig-zag: partition indexes from
64 take two bytes, in upacked one."""

_VERSIONS: Final = {"fixed": 0, "packed": 1, "upacked": 2}
_WORST_INT32: Final = 2**28
"""The smallest number that takes five bytes in both packed32 and upacked32."""

_WORST_INT16: Final = 2**14
"""The smallest number that takes three bytes in both packed16 and upacked16."""


@dataclass(frozen=True, slots=True)
class Size:
    """Sizes in bytes: the body in one family of encodings, one partition in the body, and the body in the KIP."""

    family: str
    case: str
    body: int
    partition: float
    published: int


def sizes() -> list[Size]:
    """Return the sizes in all three families, in the best and the worst case."""
    return [
        _size(family, version, case, published)
        for family, version in _VERSIONS.items()
        for case, published in zip(("best", "worst"), PUBLISHED[family], strict=True)
    ]


def _size(family: str, version: int, case: str, published: int) -> Size:
    full = _response(PARTITIONS, worst=case == "worst").size(version=version)
    empty = _response(0, worst=case == "worst").size(version=version)
    return Size(family, case, full, (full - empty) / PARTITIONS, published)


def _response(partitions: int, *, worst: bool) -> EncodedMetadataResponse:
    """Return a response with small numbers, or with the large numbers of the KIP's worst case."""
    base = _WORST_INT32 if worst else 0
    code = _WORST_INT16 if worst else 0
    nodes = (base, base + 1)
    topic = EncodedMetadataTopic(
        error_code=code,
        name="topic-0",
        partitions=tuple(_partition(base + index, nodes, code, base) for index in range(partitions)),
        topic_authorized_operations=base,
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


def _partition(index: int, nodes: tuple[int, int], code: int, epoch: int) -> EncodedMetadataPartition:
    return EncodedMetadataPartition(
        error_code=code,
        partition_index=index,
        leader_id=nodes[index % 2],
        leader_epoch=epoch,
        replica_nodes=nodes,
        isr_nodes=nodes,
    )


def show_sizes(console: Console) -> None:
    """Print our sizes, the KIP's sizes, and the reasons for the differences."""
    table = new_table(["encodings", "case"], ["body", "a partition", "KIP-625"])
    for size in sizes():
        table.add_row(size.family, size.case, str(size.body), f"{size.partition:g}", str(size.published))
    show_table(f"EncodedMetadataResponse, 1 topic x {PARTITIONS} partitions, 2 brokers: bytes", table, console)
    console.print(DIFFERENCES, highlight=False, soft_wrap=True)
