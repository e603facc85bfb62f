"""Which transactions were open at an offset, as a broker wrote it down (upstream: ``ProducerStateManager``).

Brokers write such a snapshot for each new segment and at an orderly shutdown. It has a checksum, so a damaged one is not used.
"""

from __future__ import annotations

import re
from typing import Final

from messagegen_arrow.files import Folders, joined, read_bytes
from messagegen_kafka import ProducerSnapshot

_NAME: Final = re.compile(r"(\d{20})\.snapshot", re.ASCII)
_VERSION: Final = 1
_BODY_AT: Final = 6
"""The version and the checksum stand before what the checksum is of."""

OpenTransactions = dict[int, int]
"""The offsets at which the open transactions of producers begin."""


def snapshot_offsets(folder: str) -> list[int]:
    """The offsets that a partition's folder has snapshots for, ascending."""
    return sorted(int(match[1]) for name in Folders().names(folder) if (match := _NAME.fullmatch(name)))


def open_transactions_at(folder: str, offset: int) -> OpenTransactions | None:
    """The transactions that were open before an offset; ``None`` where no intact snapshot tells."""
    try:
        data = read_bytes(joined(folder, f"{offset:020}.snapshot"))
    except OSError:
        return None
    if len(data) < _BODY_AT or int.from_bytes(data[:2], "big") != _VERSION:
        return None
    try:
        snapshot, end = ProducerSnapshot.decode_from(data, 2, version=_VERSION)
    except ValueError:
        return None
    # It imports what parses command lines, and few logs have snapshots with transactions to check.
    import crc32c  # noqa: PLC0415

    if end != len(data) or snapshot.crc != crc32c.crc32c(data[_BODY_AT:]):
        return None
    return {
        each.producer_id: each.current_txn_first_offset
        for each in snapshot.producer_entries
        if each.current_txn_first_offset >= 0
    }
