"""Damages, cuts and extends batches and files of logs."""

from __future__ import annotations

from pathlib import Path

from tests.arrow.support.log_data import Batch, Data
from tests.arrow.support.log_model import BrokerLog
from tests.arrow.support.log_reading import rows


def damaged(batch: bytes) -> bytes:
    return batch[:-1] + bytes([batch[-1] ^ 1])


def in_transaction(offset: int, producer: int, count: int = 2) -> bytes:
    records = [Data(str(offset + number).encode()) for number in range(count)]
    return Batch(offset, records, producer_id=producer, producer_epoch=0, transactional=True).encode()


def append(path: Path, *batches: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(batches))


def positions(log: BrokerLog, path: Path) -> dict[int, int]:
    """Return the positions where batches begin, by base offset."""
    return {row["batchOffset"]: row["batchPosition"] for row in rows(path, includeControl="true")}


def cut_out(path: Path, start: int, end: int) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:start] + data[end:])


def log_of(folder: Path, count: int, sizes: int, *, producer: int | None = None) -> BrokerLog:
    """Return a log of two segments: batches of ``count`` records with varying sizes, and a single record."""
    log = BrokerLog(folder, interval=200)
    for number in range(40):
        log.data(count, size=sizes + number % 7, producer=producer)
    if producer is not None:
        log.end(producer, commit=True)
    log.roll()
    log.data(1)
    log.write()
    return log
