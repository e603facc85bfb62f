"""Jobs that write into tables of Spark's own catalog, and go on after they died."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.spark.support.history_command import Command, command
from tests.spark.support.job_data import VERSION, unit_names, write_commits

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_spark.jobs.decode import DecodeMessages
from messagegen_spark.jobs.inputs import Input
from messagegen_spark.jobs.runner import run_job
from messagegen_spark.jobs.tables import table_target
from messagegen_spark.jobs.targets import Target, Writer
from messagegen_spark.jobs.unit_store import OutputError, UnitStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

__all__ = ["command"]  # a fixture

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

TABLE = "decoded_commits"


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    Input(()).register(spark)
    yield spark
    spark.sql(f"DROP TABLE IF EXISTS {TABLE}")


def offsets(session: SparkSession) -> list[tuple[str, int, int]]:
    rows = session.table(TABLE).selectExpr("topic", "offset", "message.offset as decoded").collect()
    return sorted((row.topic, row.offset, row.decoded) for row in rows)


def decode(logs: Path) -> Any:
    return DecodeMessages(input=Input((str(logs),)), message="OffsetCommitValue", version=VERSION).job(1)


def dying_behind_the_table(target: Target, last: int = 1) -> Target:
    """The target of a process that ends when the table has the rows of a unit, and the output does not know it."""

    def of(store: UnitStore) -> Writer:
        assert target.writer is not None
        whole = target.writer(store)

        def write(frame: Any, unit: Any, staged: Path) -> None:
            whole(frame, unit, staged)
            if int(unit.name) == last:
                raise KeyboardInterrupt

        return write

    return replace(target, writer=of)


@pytest.mark.parametrize("format_", ["parquet", "orc"])
def test_a_unit_that_is_written_twice_is_there_once(session: SparkSession, tmp_path: Path, format_: str) -> None:
    logs, out = tmp_path / "logs", tmp_path / "state"
    write_commits(logs / "orders-0", 300, segment_records=100)
    target = table_target(session, TABLE, format_, ("topic", "partition"))
    with pytest.raises(KeyboardInterrupt):
        run_job(session, decode(logs), out, dying_behind_the_table(target))
    assert unit_names(out) == ["unit=000000"]
    assert session.table(TABLE).count() == 200
    summary = run_job(session, decode(logs), out, target)
    assert (summary.units, summary.units_done_before, summary.rows) == (3, 1, 300)
    assert offsets(session) == [("orders", number, number) for number in range(300)]
    # Another job adds its rows and replaces none.
    write_commits(tmp_path / "more" / "refunds-0", 50)
    run_job(session, decode(tmp_path / "more"), tmp_path / "other", target)
    assert len(offsets(session)) == 350


def test_tables_that_units_would_replace_as_a_whole_are_refused(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 10)
    session.sql(f"CREATE TABLE {TABLE} (id INT, unit STRING) USING parquet")
    session.sql(f"INSERT INTO {TABLE} VALUES (1, 'mine')")
    target = table_target(session, TABLE, "parquet", ())
    with pytest.raises(OutputError, match="is not partitioned by unit first"):
        run_job(session, decode(tmp_path / "logs"), tmp_path / "state", target)
    assert [tuple(row) for row in session.table(TABLE).collect()] == [(1, "mine")]
    session.sql(f"DROP TABLE {TABLE}")
    session.sql(f"CREATE TABLE {TABLE} (id INT, unit STRING) USING parquet PARTITIONED BY (unit)")
    with pytest.raises(OutputError, match=r"has other columns .*batchPosition.*id"):
        run_job(session, decode(tmp_path / "logs"), tmp_path / "state", target)


def test_a_job_goes_on_in_its_table_alone(session: SparkSession, tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "state"
    write_commits(logs / "orders-0", 200, segment_records=100)
    target = table_target(session, TABLE, "parquet", ())
    with pytest.raises(KeyboardInterrupt):
        run_job(session, decode(logs), out, dying_behind_the_table(target, last=0))
    others = {
        "table": table_target(session, f"{TABLE}_2", "parquet", ()),
        "table-format": table_target(session, TABLE, "orc", ()),
        "partition-by": table_target(session, TABLE, "parquet", ("topic",)),
    }
    for other in others.values():
        with pytest.raises(OutputError, match="has begun to write into decoded_commits: give the same arguments"):
            run_job(session, decode(logs), out, other)
    with pytest.raises(KeyboardInterrupt):
        run_job(session, decode(logs), out, dying_behind_the_table(target))
    for name, other in others.items():
        with pytest.raises(OutputError, match=rf"other arguments \({name}"):
            run_job(session, decode(logs), out, other)
    assert run_job(session, decode(logs), out, target).rows == 200
    assert len(offsets(session)) == 200
    session.sql(f"DROP TABLE {TABLE}")
    with pytest.raises(OutputError, match="table decoded_commits does not exist, but 2 units were written to it"):
        run_job(session, decode(logs), out, target)


def test_the_session_keeps_its_settings(session: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 10)
    before = dict(session.conf.getAll)
    run_job(session, decode(tmp_path / "logs"), tmp_path / "state", table_target(session, TABLE, "parquet", ()))
    assert dict(session.conf.getAll) == before


def test_the_command_writes_a_table(session: SparkSession, command: Command, tmp_path: Path) -> None:
    write_commits(tmp_path / "logs" / "orders-0", 20, bad=[3])
    arguments = ("decode", "--input", tmp_path / "logs", "--message", "OffsetCommitValue", "--version", VERSION)
    target = ("--output", tmp_path / "state", "--table", TABLE, "--table-format", "parquet")
    done = command(*arguments, *target)
    assert done.code == 0, done.err
    assert "20 rows read, 1 of them malformed" in done.out
    assert session.table(TABLE).where("message._error is not null").count() == 1
    again = command(*arguments, *target, "--report", tmp_path / "page.html")
    assert "1 unit (1 done before), 20 rows read" in again.out
    page = (tmp_path / "page.html").read_text()
    for said in (
        "1 of 20 records (5 %) could not be read.",
        "<h2>Rows by topic</h2>",
        "8 bytes are needed, but only 5 are left",
    ):
        assert said in page
    assert session.table(TABLE).count() == 20
