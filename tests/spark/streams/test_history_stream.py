"""Histories as streams: whatever happens to their process, the rows are those of one run over the whole log, each of them once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import messagegen_arrow
from tests.arrow.support.history_data import write_broker, write_log
from tests.arrow.support.internal_records import OFFSETS, Record
from tests.arrow.tables.reading import rows_of as rows_of_table
from tests.arrow.tables.reading import table_at

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.errors import StreamingQueryException

from messagegen_arrow.histories.kinds import CONSUMER_LAG, METADATA, TRANSACTIONS, HistoryKind
from messagegen_arrow.log.files import LogPathError
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import JobSummary
from messagegen_spark.jobs.table_commits import committed_target
from messagegen_spark.jobs.targets import Target, parquet_target
from messagegen_spark.jobs.unit_store import LocalUnits, OutputError
from messagegen_spark.jobs.units import Unit
from messagegen_spark.streams.history import HistoryStream, run_history_stream
from messagegen_spark.streams.store import StreamStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

Run = Callable[..., JobSummary]


class KilledError(RuntimeError):
    """Stands for the end of a process."""


@pytest.fixture
def run(spark: SparkSession) -> Run:
    def run(
        kind: HistoryKind,
        logs: Path,
        output: Path,
        *,
        ends: bool = False,
        target: Target | None = None,
        **options: str,
    ) -> JobSummary:
        source = Input((str(logs),), options=options)
        source.register(spark)
        stream = HistoryStream(kind=kind, input=source, ends=Input((str(logs),)) if ends else None)
        return run_history_stream(spark, stream, output, target or parquet_target())

    return run


@contextmanager
def dying(monkeypatch: pytest.MonkeyPatch, number: int, *, is_committed: bool) -> Iterator[None]:
    """Lets the process end at a micro-batch, before or after it is part of the output."""
    commit = StreamStore.commit

    def die(store: StreamStore, each: int, *arguments: Any) -> None:
        if each == number and not is_committed:
            raise KilledError
        commit(store, each, *arguments)
        if each == number:
            raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(StreamStore, "commit", die)
        with pytest.raises(StreamingQueryException, match="KilledError"):
            yield


def rows_of(spark: SparkSession, output: Path) -> list[dict[str, Any]]:
    rows = spark.read.parquet(str(output)).drop("unit").toArrow().to_pylist()
    return in_order(rows)


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str((row.get("logOffset"), row.get("offset"), row.get("place"))))


def test_a_stream_that_dies_and_starts_again(
    spark: SparkSession, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after a commit, with a log that grows and a topic that comes meanwhile."""
    logs, output = write_broker(tmp_path / "logs"), tmp_path / "out"
    options = {"maxOffsetsPerTrigger": "1"}
    with dying(monkeypatch, 1, is_committed=False):
        run(CONSUMER_LAG, logs, output, ends=True, **options)
    with dying(monkeypatch, 2, is_committed=True):
        run(CONSUMER_LAG, logs, output, ends=True, **options)
    # What comes later is not of the broker's first four records, so the state of the last commit counts.
    shutil.rmtree(logs)
    write_broker(logs, damaged=True)
    write_log(logs / "payments-0", [Record("payments", None, b"a payment")] * 3)
    summary = run(CONSUMER_LAG, logs, output, ends=True)
    expected = pa.table(messagegen_arrow.consumer_lag_history(logs, logs)).to_pylist()
    assert rows_of(spark, output) == in_order(expected)
    assert (summary.rows, summary.malformed) == (5, 1)
    # There is nothing new, so there is no unit.
    again = run(CONSUMER_LAG, logs, output, ends=True)
    assert (again.units, again.units_done_before) == (summary.units, summary.units)
    assert len(list(output.glob("unit=*/_state.json.gz"))) == 2


@pytest.mark.parametrize(
    ("kind", "one_run"),
    [(METADATA, messagegen_arrow.metadata_history), (TRANSACTIONS, messagegen_arrow.transaction_history)],
)
def test_other_histories(spark: SparkSession, run: Run, kind: HistoryKind, one_run: Any, tmp_path: Path) -> None:
    logs, output = write_broker(tmp_path / "logs"), tmp_path / "out"
    run(kind, logs, output, maxOffsetsPerTrigger="2")
    assert rows_of(spark, output) == in_order(pa.table(one_run(logs)).to_pylist())


def test_a_table_gets_each_micro_batch_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies when the table has a micro-batch that the output knows nothing of."""
    logs, output = write_broker(tmp_path / "logs"), tmp_path / "out"
    table = table_at(tmp_path, "delta")
    target = committed_target(table, ())
    commit, done = LocalUnits.commit, list[str]()

    def die(store: LocalUnits, unit: Unit, *arguments: Any) -> None:
        done.append(unit.name)
        if len(done) == 2:
            raise KilledError
        commit(store, unit, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(LocalUnits, "commit", die)
        with pytest.raises(StreamingQueryException, match="KilledError"):
            run(METADATA, logs, output, target=target, maxOffsetsPerTrigger="2")
    (output / "unit=000000000").rename(tmp_path / "unit")
    with pytest.raises(OutputError, match="with other arguments, which has begun to write into delta:"):
        run(METADATA, logs, output, target=target, topics="__cluster_metadata")
    (tmp_path / "unit").rename(output / "unit=000000000")
    (tmp_path / "delta").rename(tmp_path / "gone")
    with pytest.raises(OutputError, match="does not exist, but 1 unit was written to it"):
        run(METADATA, logs, output, target=target, maxOffsetsPerTrigger="2")
    (tmp_path / "gone").rename(tmp_path / "delta")
    summary = run(METADATA, logs, output, target=target, maxOffsetsPerTrigger="2")
    assert summary.units > summary.units_done_before == 1
    assert in_order(rows_of_table(table)) == in_order(pa.table(messagegen_arrow.metadata_history(logs)).to_pylist())


def test_what_is_refused(run: Run, tmp_path: Path) -> None:
    logs, output = write_broker(tmp_path / "logs"), tmp_path / "out"
    with pytest.raises(LogPathError, match=f"no {OFFSETS} in"):
        run(CONSUMER_LAG, logs / "orders-0", tmp_path / "other")
    assert not (tmp_path / "other").exists()
    run(TRANSACTIONS, logs, output)
    with pytest.raises(OutputError, match="another job, transaction-history-stream: name another output"):
        run(METADATA, logs, output)
    with pytest.raises(OutputError, match="other arguments \\(input\\)"):
        run(TRANSACTIONS, logs, output, topics="__transaction_state")
    shutil.rmtree(output / "_checkpoint")
    with pytest.raises(OutputError, match=r"checkpoint .* is gone"):
        run(TRANSACTIONS, logs, output)


def test_ends_need_logs(tmp_path: Path) -> None:
    logs = write_broker(tmp_path / "logs")
    (tmp_path / "logz").mkdir()
    stream = HistoryStream(kind=CONSUMER_LAG, input=Input((str(logs),)), ends=Input((str(tmp_path / "logz"),)))
    with pytest.raises(LogPathError, match="logz holds no Kafka logs"):
        stream.check_paths()


def test_how_brokers_are_reached_is_not_kept() -> None:
    """A password must not be in the output, and a new one must not make another stream."""
    options = {
        "kafka.bootstrap.servers": "broker:9092",
        "kafka.sasl.jaas.config": "password=secret",
        "Kafka.ssl.keystore.password": "secret",
        "kafka.isolation.level": "read_committed",
        "assign": '{"__transaction_state":[0]}',
        "maxOffsetsPerTrigger": "7",
    }
    arguments = HistoryStream(kind=TRANSACTIONS, input=Input((), format="kafka", options=options)).arguments()
    assert "secret" not in str(arguments)
    assert set(arguments["input"]["options"]) == {"kafka.isolation.level", "assign"}
