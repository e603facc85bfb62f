"""Log segments whose values are messages, in Kafka's form and in Avro's.

Beside each segment is the index that a broker keeps.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa

from tests.arrow.support.log_data import Batch, Data

_BATCH_BYTES: Final = 16_384
"""What a producer collects by default before it sends (``batch.size``)."""
_INDEX_BYTES: Final = 4096
"""After so many bytes a broker adds an entry to the index (``log.index.interval.bytes``)."""

Pair = tuple[bytes | None, bytes | None]
"""Key and value."""


def message_log(folder: Path, name: str) -> Path:
    """The folder of the one partition of a topic."""
    return folder / "message-logs" / f"{name}-0"


def write_message_log(partition: Path, records: Sequence[Pair], count: int) -> None:
    """Writes one segment: the records again and again, ``count`` in all.

    Batches have about 16 KiB and are not compressed.
    """
    partition.mkdir(parents=True)
    batches = list(_batches(records))
    entries: list[bytes] = []
    position = last_entry = offset = turn = 0
    with (partition / f"{0:020}.log").open("wb") as segment:
        while offset < count:
            data, size = batches[turn % len(batches)]
            if position - last_entry >= _INDEX_BYTES:
                entries.append(struct.pack(">ii", offset, position))
                last_entry = position
            # The checksum begins behind the base offset.
            segment.write(offset.to_bytes(8, "big") + data[8:])
            position, offset, turn = position + len(data), offset + size, turn + 1
    (partition / f"{0:020}.index").write_bytes(b"".join(entries))


def copies(original: Path, times: int) -> Path:
    """A folder of partitions, each with the files of one log; the disk has the files once."""
    folder = original.parent / f"{times}-times-{original.name}"
    for number in range(times):
        partition = folder / f"copy-{number}"
        partition.mkdir(parents=True, exist_ok=True)
        for file in original.iterdir():
            if file.is_file() and not (partition / file.name).exists():
                (partition / file.name).hardlink_to(file)
    return folder


def pairs(values: pa.Array) -> list[Pair]:
    """Records with these values, and keys as producers have them."""
    return [(b"user-%08d" % number, value) for number, value in enumerate(values.to_pylist())]


def _batches(records: Sequence[Pair]) -> list[tuple[bytes, int]]:
    """The batches of the records, each with how many it has."""
    found: list[tuple[bytes, int]] = []
    some: list[Pair] = []
    size = 0
    for pair in records:
        some.append(pair)
        size += sum(len(part or b"") for part in pair)
        if size >= _BATCH_BYTES:
            found.append((_batch(some), len(some)))
            some, size = [], 0
    return [*found, (_batch(some), len(some))] if some else found


def _batch(records: Sequence[Pair]) -> bytes:
    return Batch(0, [Data(value=value, key=key) for key, value in records]).encode()
