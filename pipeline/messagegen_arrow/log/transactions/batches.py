"""Batches of transactions, as headers and end markers tell: data, commit or abort."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from messagegen_arrow.files import OpenFile
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.records.engine import record_reader
from messagegen_kafka import ControlRecordTypeSchema

_LOG: Final = logging.getLogger(__name__)

DATA: Final = -1
ABORT: Final = 0
COMMIT: Final = 1
"""The types of control records that end a transaction (upstream: ``ControlRecordType``)."""
_OTHER: Final = 2
_AT_ONCE: Final = 1 << 23

Numbers = np.ndarray[Any, np.dtype[np.int64]]


class TransactionalBatches(NamedTuple):
    """Batches in the order of the file: their producers, what they are, their first offsets, where they lie."""

    producers: Numbers
    kinds: Numbers
    """``DATA``, ``COMMIT`` or ``ABORT``. A marker that can't be read is an ``ABORT``: what it says is not known."""
    offsets: Numbers
    positions: Numbers
    lengths: Numbers

    def chosen(self, where: Any) -> TransactionalBatches:
        """Those for which a mask or an array of indices says so."""
        return TransactionalBatches(*(column[where] for column in self))


def transactional_batches(file: OpenFile, headers: pa.RecordBatch) -> TransactionalBatches:
    """The batches of transactions among those of a table of headers; the records of markers are read from the file."""
    chosen = np.flatnonzero(_column(headers, "is_transactional"))
    producers, offsets, positions, lengths = (
        _column(headers, name)[chosen] for name in ("producer_id", "base_offset", "position", "length")
    )
    kinds = np.full(len(chosen), DATA)
    batches = TransactionalBatches(producers, kinds, offsets, positions, lengths)
    markers = np.flatnonzero(_column(headers, "is_control")[chosen])
    for group in _groups(markers, lengths):
        _read_markers(file, batches, group)
    return batches.chosen(kinds != _OTHER) if (kinds == _OTHER).any() else batches


def _column(table: pa.RecordBatch, name: str) -> Any:
    """Null, which headers of magic 0 and 1 have, becomes false or 0."""
    column = table.column(name)
    return (column.fill_null(0) if column.null_count else column).to_numpy(zero_copy_only=False)


def _groups(markers: Numbers, lengths: Numbers) -> Iterator[Numbers]:
    """Markers whose bytes are read together: all, but for damaged headers that make large batches look like markers."""
    if len(markers):
        borders = np.flatnonzero(np.diff(np.cumsum(lengths[markers]) // _AT_ONCE)) + 1
        yield from np.split(markers, borders)


def _read_markers(file: OpenFile, batches: TransactionalBatches, markers: Numbers) -> None:
    """Sets kinds and offsets of the batches that ``markers`` gives the numbers of."""
    places = zip(batches.lengths[markers].tolist(), batches.positions[markers].tolist(), strict=True)
    data = b"".join(file.read_at(length, position) for length, position in places)
    ends = np.cumsum(batches.lengths[markers])
    is_read = np.zeros(len(markers), dtype=bool)
    reader = record_reader(data, columns=["offset", "key", "batch_position"])
    while (table := reader.read(1 << 16)) is not None:
        intact = table if _is_clean(table) else table.filter(table.column(ERROR_NAME).is_null())
        # Of several records in a batch the first one counts: there is nothing between them that the others could end.
        found, first = np.unique(
            ends.searchsorted(intact.column("batch_position").to_numpy(), side="right"), return_index=True
        )
        new = ~is_read[found]
        numbers = markers[found[new]]
        batches.kinds[numbers] = _kinds(intact.column("key"))[first[new]]
        batches.offsets[numbers] = intact.column("offset").to_numpy()[first[new]]
        is_read[found] = True
    batches.kinds[markers[~is_read]] = ABORT
    for number in markers[~is_read].tolist():
        _LOG.warning("the marker at byte %d (offset %d) is damaged", batches.positions[number], batches.offsets[number])


def _is_clean(table: pa.RecordBatch) -> bool:
    errors = table.column(ERROR_NAME)
    return bool(errors.null_count == len(errors))


def _kinds(keys: pa.Array) -> Numbers:
    encoded = keys.dictionary_encode()
    kinds = [_kind(key) for key in encoded.dictionary.to_pylist()]
    numbers = encoded.indices.fill_null(len(kinds)).to_numpy()
    found: Numbers = np.array([*kinds, _OTHER])[numbers]
    return found


def _kind(key: bytes) -> int:
    # The key is the schema's version and then the type, in every version so far.
    kind = ControlRecordTypeSchema.decode_from(key, 2, version=0)[0].type if len(key) >= 4 else _OTHER
    return kind if kind in (ABORT, COMMIT) else _OTHER
