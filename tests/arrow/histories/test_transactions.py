"""How transactions changed state, without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

import messagegen_kafka as kafka
from messagegen_arrow import HistoryCounts, transaction_history
from messagegen_kafka.transaction_log_value import PartitionsSchema
from tests.arrow.support.history_data import at_second, log_rows, write_log
from tests.arrow.support.internal_records import Record, coordinator_record

TOPIC = "__transaction_state"


def test_transactional_ids_change_state() -> None:
    def state(status: int, **more: Any) -> Record:
        value = kafka.TransactionLogValue(producer_id=9, transaction_status=status, transaction_timeout_ms=60, **more)
        return coordinator_record(TOPIC, "TransactionLog", {"transactional_id": "ledger"}, value)

    partitions = (PartitionsSchema(topic="orders", partition_ids=(0, 2)),)
    gone = coordinator_record(TOPIC, "TransactionLog", {"transactional_id": "ledger"})
    ongoing = state(1, transaction_partitions=partitions, transaction_start_timestamp_ms=1000)
    records = [state(0, transaction_start_timestamp_ms=-1), ongoing, state(2), state(4), gone]
    rows = pa.table(transaction_history(log_rows(records))).to_pylist()
    assert [(row["previousState"], row["state"], row["isTombstone"]) for row in rows] == [
        (None, "Empty", False),
        ("Empty", "Ongoing", False),
        ("Ongoing", "PrepareCommit", False),
        ("PrepareCommit", "CompleteCommit", False),
        ("CompleteCommit", None, True),
    ]
    assert [(each["topic"], each["partitions"]) for each in rows[1]["partitions"]] == [("orders", [0, 2])]
    assert rows[0]["startTimestamp"] is None
    assert rows[1]["startTimestamp"] == at_second(1)


def test_a_folder_is_read(tmp_path: Path) -> None:
    def state(transactional_id: str, status: int) -> Record:
        value = kafka.TransactionLogValue(transaction_status=status)
        return coordinator_record(TOPIC, "TransactionLog", {"transactional_id": transactional_id}, value)

    cut_off = Record(TOPIC, state("a", 1).key, b"\0")
    write_log(tmp_path / f"{TOPIC}-3", [state("a", 0), state("b", 1), cut_off, state("a", 99)])
    counts = HistoryCounts()
    rows = pa.table(transaction_history(tmp_path, counts=counts)).to_pylist()
    found = [(row["transactionalId"], row["previousState"], row["state"], row["logPartition"]) for row in rows]
    # States that are not known yet are numbers.
    assert found == [("a", None, "Empty", 3), ("b", None, "Ongoing", 3), ("a", "Empty", "99", 3)]
    assert (counts.rows, counts.malformed) == (4, 1)
