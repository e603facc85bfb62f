"""The output of a stream, whose process is killed at every step: each row is there once, and the state fits the rows."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import messagegen_arrow
import messagegen_kafka as kafka
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.kinds import TRANSACTIONS
from messagegen_spark.jobs.unit_store import OutputError, UnitCounts
from messagegen_spark.jobs.units import Unit
from messagegen_spark.streams.history import history_before
from messagegen_spark.streams.store import StreamStore, stream_store
from tests.arrow.support.history_data import log_rows
from tests.arrow.support.internal_records import coordinator_record
from tests.spark.support.dying import die_at

BATCHES = 5
STEPS = ((os, "fsync"), (Path, "mkdir"), (Path, "replace"), (Path, "rename"), (Path, "unlink"))
"""What makes units part of an output."""


@pytest.fixture(scope="module")
def log() -> pa.Table:
    """A micro-batch has two rows."""
    key = {"transactional_id": "ledger"}
    values = [kafka.TransactionLogValue(transaction_status=number % 5) for number in range(2 * BATCHES)]
    records = [coordinator_record("__transaction_state", "TransactionLog", key, value) for value in values]
    return log_rows(records, batch=1000)


def run(output: Path, log: pa.Table) -> None:
    """Does what a stream does with its micro-batches; like Spark it repeats the last one."""
    reader = TRANSACTIONS.reader("FAILFAST")
    with stream_store(output, "states", {}) as store:
        store.checkpoint.mkdir(parents=True, exist_ok=True)
        last = store.last()
        for number in range(last or 0, BATCHES):
            if (done := store.last()) is not None and number <= done:
                continue
            history, counts = TRANSACTIONS.begin(), HistoryCounts()
            state = store.state_before(number)
            if state is not None:
                history.restore(state)
            (batch,) = log.slice(2 * number, 2).combine_chunks().to_batches()
            rows = history.feed(TRANSACTIONS.extract(reader.read(batch, counts)))
            store.commit(number, writer(rows), UnitCounts(counts.rows, counts.malformed), history.state())


def writer(rows: pa.RecordBatch) -> Callable[[Unit, Path], None]:
    def write(_unit: Unit, staged: Path) -> None:
        staged.mkdir()
        parquet.write_table(pa.table(rows), staged / "part.parquet")

    return write


def killed_at(step: int, output: Path, log: pa.Table) -> bool:
    """Runs in a process of its own that is killed at a step; whether it came so far."""
    child = os.fork()
    if child == 0:
        die_at(step, STEPS)
        code = 1
        try:
            run(output, log)
            code = 0
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL)
    return status != 0


def rows_of(output: Path) -> list[dict[str, Any]]:
    files = sorted(output.glob("unit=*/*.parquet"))
    return [row for file in files for row in parquet.ParquetFile(file).read().to_pylist()]


def test_a_process_that_is_killed_at_every_step(log: pa.Table, tmp_path: Path) -> None:
    expected = pa.table(messagegen_arrow.transaction_history(log)).to_pylist()
    step = 1
    while killed_at(step, output := tmp_path / f"{step}", log):
        # What is there is always the beginning of the history.
        found = rows_of(output)
        assert found == expected[: len(found)]
        # The next process is killed, too.
        killed_at(step + 7, output, log)
        run(output, log)
        assert rows_of(output) == expected
        assert not (output / "_staging").exists()
        step += 7
    assert step > 10 * BATCHES, "the process was killed less often than it should be"


def test_what_is_gone_is_told(log: pa.Table, tmp_path: Path) -> None:
    run(tmp_path, log)
    with stream_store(tmp_path, "states", {}) as store:
        assert store.last() == BATCHES - 1
        assert [counts.rows for counts in store.counts()] == [2] * BATCHES
        assert len(list(tmp_path.glob("unit=*/_state.json.gz"))) == 2
        check_damaged(store, tmp_path)
    shutil.rmtree(tmp_path / "_checkpoint")
    with pytest.raises(OutputError, match=r"its checkpoint .* is gone"), stream_store(tmp_path, "states", {}):
        pass


@pytest.mark.parametrize(
    ("change", "is_known"),
    [
        ({}, True),
        ({"history": {"states": {}, "types": {}}}, False),
        ({"history": {}}, False),
        ({"ends": {"orders-0": {"offset": 3}}}, False),
        ({"started": 7}, False),
    ],
)
def test_a_state_of_another_version_is_refused(change: dict[str, Any], is_known: bool, tmp_path: Path) -> None:
    state = {"history": {"states": {"ledger": "Ongoing"}}, "ends": {}, **change}
    with stream_store(tmp_path, "states", {}) as store:
        store.commit(0, lambda _, staged: staged.mkdir(), UnitCounts(0, 0), state)
        if is_known:
            history, ends = history_before(TRANSACTIONS, store, 1)
            assert (history.state(), ends) == (state["history"], {})
            return
        with pytest.raises(
            OutputError, match=r"another version of messagegen wrote the state in .*unit=0.*: name a new output"
        ):
            history_before(TRANSACTIONS, store, 1)


def check_damaged(store: StreamStore, output: Path) -> None:
    last = output / f"unit={BATCHES - 1:09}"
    (last / "_state.json.gz").write_bytes(b"\x1f\x8b")
    with pytest.raises(OutputError, match=r"can't be read .* put back what it was, or name a new output"):
        store.state_before(BATCHES)
    (last / "_unit.json").write_bytes(b"{")
    with pytest.raises(OutputError, match=r"is damaged .*: put back what it was, or name a new output"):
        list(store.counts())
    # The rows of the unit would be missing, and the state of the one before is too old.
    shutil.rmtree(last)
    with pytest.raises(OutputError, match=f"{last.name} is gone, .*: put it back, or name a new output"):
        store.state_before(BATCHES)
    assert store.state_before(0) is None
