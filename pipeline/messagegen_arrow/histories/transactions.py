"""How transactions changed state, from ``__transaction_state`` (KIP-98, KIP-890)."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import like_list
from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.keys import KeyGroups, LastValues
from messagegen_arrow.histories.logs import Log, log_mode, log_of, paths_of
from messagegen_arrow.histories.records import (
    POSITION,
    TIMESTAMP,
    Batches,
    HistoryReader,
    Records,
    in_order,
    when_milliseconds,
)
from messagegen_arrow.histories.states import State, parts_of
from messagegen_arrow.internal_topics.record_types import TRANSACTION_STATE
from messagegen_arrow.streams.stream import ColumnStream

TOPICS: Final = (TRANSACTION_STATE,)
TYPES: Final = ("TransactionLog",)

_STATES: Final = (
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Dead",
    "PrepareEpochFence",
)
"""By their numbers (upstream: ``TransactionState``)."""

_PARTITIONS: Final = pa.struct([("topic", pa.string()), ("partitions", pa.list_(pa.int32()))])
STATES: Final = pa.schema(
    [
        pa.field("transactionalId", pa.string()),
        pa.field("state", pa.string()),
        pa.field("producerId", pa.int64()),
        pa.field("producerEpoch", pa.int16()),
        pa.field("transactionTimeoutMs", pa.int32()),
        pa.field("partitions", pa.list_(_PARTITIONS)),
        pa.field("startTimestamp", TIMESTAMP),
        pa.field("lastUpdateTimestamp", TIMESTAMP),
        pa.field("isTombstone", pa.bool_()),
        *list(POSITION)[1:],
    ]
)
"""What a record of a transaction says."""
TRANSACTION_HISTORY: Final = STATES.append(pa.field("previousState", pa.string()))
"""The columns of a history of transactions."""


def transaction_history(
    log: Log, mode: str = "DROPMALFORMED", *, counts: HistoryCounts | None = None, catalog: Catalog | None = None
) -> ColumnStream:
    """A row for each change of the state of a transactional id, and for each that was given up (``isTombstone``), as logged.

    ``log`` is the path of a broker's folder, or several paths; or the rows of ``read_log(...)``. ``state`` is Kafka's name of
    it, ``previousState`` that of the record before; ``partitions`` are those of the transaction, as ``topic`` and
    ``partitions``. Memory holds a state for each transactional id.

    Records that can't be read are left out (``counts`` has how many), or raise ``MalformedMessageError`` (``mode`` FAILFAST).
    Raises ``LogPathError`` for paths without this topic, ``ValueError`` for rows that lack columns, and for other modes.
    """
    reader = HistoryReader.of(TOPICS, TYPES, mode, catalog)
    source = log_of(log, TOPICS, mode=log_mode(mode))
    counted = HistoryCounts() if counts is None else counts

    def rows() -> Batches:
        history = TransactionHistory()
        counted.clear()
        for batch in in_order(source, paths_of(log)):
            yield history.feed(states_of(reader.read(batch, counted)))

    return ColumnStream(TRANSACTION_HISTORY, rows)


def states_of(records: Records) -> pa.RecordBatch:
    """The records of transactions as rows of ``STATES``."""
    records = records.of(pc.equal(records.types, "TransactionLog"))
    number = records.field("TransactionLog.value.transactionStatus")
    names = pa.array(_STATES)
    is_known = pc.and_(pc.greater_equal(number, 0), pc.less(number, len(_STATES)))
    known = names.take(pc.if_else(is_known, number, pa.scalar(None, number.type)))
    columns = {
        "transactionalId": records.field("TransactionLog.key.transactionalId"),
        "state": pc.coalesce(known, number.cast(pa.string())),
        "partitions": _partitions(records.field("TransactionLog.value.transactionPartitions")),
        "startTimestamp": when_milliseconds(records.field("TransactionLog.value.transactionStartTimestampMs")),
        "lastUpdateTimestamp": when_milliseconds(
            records.field("TransactionLog.value.transactionLastUpdateTimestampMs")
        ),
        "isTombstone": records.is_tombstone,
        **dict(zip(POSITION.names, records.position.columns, strict=True)),
        **{
            name: records.field(f"TransactionLog.value.{name}")
            for name in ("producerId", "producerEpoch", "transactionTimeoutMs")
        },
    }
    return pa.RecordBatch.from_arrays([columns[field.name].cast(field.type) for field in STATES], schema=STATES)


class TransactionHistory:
    """Adds previous states to rows that come in the order of their offsets. Memory holds a state for each transactional id."""

    def __init__(self) -> None:
        self._last = LastValues(pa.string())

    def feed(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Rows of ``STATES`` as rows of ``TRANSACTION_HISTORY``."""
        groups = KeyGroups.of(rows.column("transactionalId"))
        previous = self._last.previous(groups, rows.column("state"))
        return pa.RecordBatch.from_arrays([*rows.columns, previous], schema=TRANSACTION_HISTORY)

    def state(self) -> State:
        """The last state of each transactional id."""
        return {"states": self._last.state()}

    def restore(self, state: State) -> None:
        """Goes on from what ``state`` gave."""
        (states,) = parts_of(state, "states")
        self._last.restore(states)


def _partitions(lists: pa.ListArray) -> pa.ListArray:
    each = pc.list_flatten(lists)
    topics = pc.struct_field(each, "topic")
    numbers = pc.struct_field(each, "partitionIds").cast(pa.list_(pa.int32()))
    found = pa.StructArray.from_arrays([topics, numbers], fields=list(_PARTITIONS))
    return like_list(found, lists, nullable=True)
