"""Tables of Iceberg and Delta: files are in them once, columns are added, and files that nobody committed go."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow.tables.data_files import DataFileWriter
from messagegen_arrow.tables.opening import TableName, open_table, table_name
from messagegen_arrow.tables.table import DataFile, Table, TableError
from tests.arrow.tables.reading import FORMATS, rows_of, table_at, table_on
from tests.support.object_store import Bucket

formats = pytest.mark.parametrize("format_", FORMATS)

PATIENCE = 60
PARTITION = pa.struct([pa.field("partition", pa.int32(), nullable=False), ("leader", pa.int16())])
SCHEMA = pa.schema(
    [
        pa.field("topic", pa.string(), metadata={"comment": "of the record"}),
        pa.field("offset", pa.int64(), nullable=False),
        ("at", pa.timestamp("us", tz="Asia/Tokyo")),
        ("partitions", pa.list_(PARTITION)),
        ("_unknownTaggedFields", pa.map_(pa.int32(), pa.binary())),
    ]
)


def row(offset: int, topic: str | None = "orders", **more: Any) -> dict[str, Any]:
    return {
        "topic": topic,
        "offset": offset,
        "at": 1_700_000_000_000_000 + offset,
        "partitions": [{"partition": offset, "leader": None}],
        "_unknownTaggedFields": {7: b"x"},
        **more,
    }


def written(table: Table, rows: list[dict[str, Any]], below: str, by: tuple[str, ...] = ("topic",)) -> list[DataFile]:
    layout = table.prepare(SCHEMA, by)
    batches = [pa.RecordBatch.from_pylist(rows, SCHEMA)] if rows else []
    return list(DataFileWriter(layout, below).write(batches))


@formats
def test_rows_come_back(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    assert not table.exists()
    assert table.committed("job") is None
    files = written(table, [row(1), row(2), row(3, None), row(4)], "job/0")
    assert [(file.rows, dict(file.partition)) for file in files] == [
        (2, {"topic": "orders"}),
        (1, {"topic": None}),
        (1, {"topic": "orders"}),
    ]
    assert rows_of(table) == []
    table.commit(files, "job", 0)
    assert table.exists()
    found = rows_of(table)
    assert [each["offset"] for each in found] == [1, 2, 3, 4]
    assert [each["topic"] for each in found] == ["orders", "orders", None, "orders"]
    assert found[0]["at"].timestamp() == pytest.approx(1_700_000_000.000001)
    assert found[0]["partitions"] == [{"partition": 1, "leader": None}]
    assert dict(found[0]["_unknownTaggedFields"]) == {7: b"x"}


@formats
def test_partitions_by_any_text(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    topics = ["a b", "a/b", "ä:%20", "007", "2026-01-01", "__HIVE_DEFAULT_PARTITION__x"]
    table.commit(written(table, [row(number, topic) for number, topic in enumerate(topics)], "job/0"), "job", 0)
    assert [each["topic"] for each in rows_of(table)] == topics


@formats
def test_a_batch_is_committed_once(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    first, second = written(table, [row(1)], "job/0"), written(table, [row(2)], "job/1")
    assert table.commit(first, "job", 0)
    # Whoever does not know about it commits again, even from another process.
    assert not table_at(tmp_path, format_).commit(first, "job", 0)
    assert not table.commit(written(table, [row(1)], "job/0"), "job", 0)
    assert table.committed("job") == 0
    assert table.committed("other") is None
    table.commit(second, "job", 3)
    table.commit(written(table, [row(9)], "other/0"), "other", 0)
    table.commit(first, "job", 2)
    assert not table.commit([], "job", 4)
    assert (table.committed("job"), table.committed("other")) == (3, 0)
    assert [each["offset"] for each in rows_of(table)] == [1, 2, 9]


@formats
def test_others_commit_at_the_same_moment(format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process has loaded is old when it commits: it loads the table again, and commits to that."""
    table: Any = table_at(tmp_path, format_)
    mine, theirs = written(table, [row(1)], "mine/0"), written(table, [row(2)], "theirs/0")
    load: Callable[[], Any] = table.load
    calls = []

    def slow() -> Any:
        loaded = load()
        calls.append(loaded)
        if len(calls) == 1:
            table_at(tmp_path, format_).commit(theirs, "theirs", 0)
        return loaded

    monkeypatch.setattr(table, "load", slow)
    table.commit(mine, "mine", 0)
    assert [each["offset"] for each in rows_of(table)] == [1, 2]


@formats
def test_columns_of_a_later_release_are_added(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    table.commit(written(table, [row(1)], "job/0"), "job", 0)
    leader = pa.struct([("epoch", pa.int8()), *PARTITION])
    later = SCHEMA.set(3, pa.field("partitions", pa.list_(leader))).append(pa.field("errorCode", pa.int16()))
    layout = table.prepare(later, ("topic",))
    newer = {**row(2), "partitions": [{"epoch": 5, "partition": 2, "leader": 3}], "errorCode": 41}
    files = list(DataFileWriter(layout, "job/1").write([pa.RecordBatch.from_pylist([newer], later)]))
    table.commit(files, "job", 1)
    # A job of the older release still fits.
    table.commit(written(table, [row(3)], "job/2"), "job", 2)
    found = rows_of(table)
    assert [each["errorCode"] for each in found] == [None, 41, None]
    assert [each["partitions"][0]["epoch"] for each in found] == [None, 5, None]
    assert [each["partitions"][0]["leader"] for each in found] == [None, 3, None]


@formats
def test_a_changed_type_is_an_error(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    table.prepare(SCHEMA, ())
    wide = pa.struct([("partition", pa.int64())])
    with pytest.raises(
        TableError,
        match=r"column partitions\.element\.partition of .* is int32, but the rows have int64: change the type",
    ):
        table.prepare(pa.schema([("partitions", pa.list_(wide))]), ())
    with pytest.raises(TableError, match=r"column offset of .* is int64, but the rows have string"):
        table.prepare(pa.schema([("offset", pa.string())]), ())
    narrow = table.prepare(pa.schema([("offset", pa.int32())]), ())
    assert narrow.columns == pa.schema([("offset", pa.int64())])


@formats
def test_other_partitions_are_an_error(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    table.prepare(SCHEMA, ("topic",))
    with pytest.raises(
        TableError, match="is partitioned by topic, and the rows by topic,offset: give the table's columns"
    ):
        table.prepare(SCHEMA, ("topic", "offset"))
    with pytest.raises(TableError, match="and the rows by nothing"):
        table.prepare(SCHEMA, ())


@formats
def test_files_that_nobody_committed_go(format_: str, tmp_path: Path) -> None:
    table = table_at(tmp_path, format_)
    lost, kept, others = (written(table, [row(number)], f"job/{number // 3}") for number in (1, 2, 3))
    table.commit(kept, "job", 0)
    paths = [file.path for file in kept]
    table.place.remove_others("job/0", paths)
    assert table.place.has(paths)
    assert not table.place.has([file.path for file in lost])
    assert table.place.has([file.path for file in others])
    table.place.remove_others("job/9", ())
    assert [each["offset"] for each in rows_of(table)] == [2]


@formats
def test_a_table_on_an_object_store(format_: str, bucket: Bucket, tmp_path: Path) -> None:
    name, options = table_on(bucket, tmp_path, format_)
    # delta-rs keeps Python from serving the bucket in another thread while it waits for it.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        assert other.submit(commit_as_job, name, options).result(PATIENCE) == 3
    keys = bucket.keys()
    assert sum(key.endswith(".parquet") for key in keys) == 3
    assert [each["offset"] for each in rows_of(open_table(name, options))] == [2, 3, 4]


def commit_as_job(name: str, options: dict[str, str]) -> int:
    """Commits files of three attempts, of which one is lost; gives the number of files that are in the table."""
    table = open_table(name, options)
    lost = written(table, [row(1)], "job/0")
    kept = written(table, [row(2), row(3, "payments")], "job/0")
    # Workers get all that they need to write, and no environment.
    for variable in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        del os.environ[variable]
    writer = pickle.loads(pickle.dumps(DataFileWriter(table.prepare(SCHEMA, ("topic",)), "job/0")))
    kept += writer.write([pa.RecordBatch.from_pylist([row(4)], SCHEMA)])
    assert table.commit(kept, "job", 0)
    assert not table.commit(lost, "job", 0)
    paths = [file.path for file in kept]
    table.place.remove_others("job/0", paths)
    assert table.place.has(paths)
    return len(kept)


def test_a_commit_is_found_when_its_snapshot_has_expired(tmp_path: Path) -> None:
    table: Any = table_at(tmp_path, "iceberg")
    files = written(table, [row(1)], "job/0")
    table.commit(files, "job", 0)
    table.commit(written(table, [row(2)], "other/0"), "other", 0)
    loaded = table.load()
    first = loaded.snapshots()[0].snapshot_id
    loaded.maintenance.expire_snapshots().by_id(first).commit()
    assert table.committed("job") is None
    table.commit(files, "job", 0)
    assert [each["offset"] for each in rows_of(table)] == [1, 2]
    table.commit(written(table, [row(3)], "third/0"), "third", 0)
    assert [each["offset"] for each in rows_of(table)] == [1, 2, 3]


def test_delta_gets_statistics(tmp_path: Path) -> None:
    table = table_at(tmp_path, "delta")
    (file,) = written(table, [row(2), row(5, at=None)], "job/0", by=())
    assert json.loads(json.dumps(file.statistics)) == {
        "minValues": {"topic": "orders", "offset": 2, "at": "2023-11-14T22:13:20.000002Z"},
        "maxValues": {"topic": "orders", "offset": 5, "at": "2023-11-14T22:13:20.000002Z"},
        "nullCount": {"topic": 0, "offset": 0, "at": 1},
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lake.kafka.commits", None),
        ("iceberg:lake.kafka.commits", TableName("iceberg", "lake.kafka.commits")),
        ("delta:s3://lake/commits", TableName("delta", "s3://lake/commits")),
        ("delta:/lake/commits", TableName("delta", "/lake/commits")),
    ],
)
def test_names(text: str, name: TableName | None) -> None:
    assert table_name(text) == name


@pytest.mark.parametrize(
    "text", ["iceberg:commits", "iceberg:lake.commits", "iceberg:lake..commits", "delta:", "hudi:x"]
)
def test_names_that_no_format_has(text: str) -> None:
    with pytest.raises(ValueError, match=r"invalid table .*: expected iceberg:CATALOG"):
        table_name(text)


@formats
def test_the_extra_is_named(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("messagegen_arrow.tables.opening.find_spec", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'messagegen\[spark,{format_}\]'"):
        open_table(f"{format_}:a.b.c")


def test_a_catalog_that_is_not_configured() -> None:
    reason = r"catalog nowhere is not configured, or its settings are wrong \(ValueError\): .*PYICEBERG_CATALOG__NOWHERE__URI"
    with pytest.raises(TableError, match=reason) as caught:
        open_table("iceberg:nowhere.a.b", {"s3.secret-access-key": "hidden"})
    assert "hidden" not in str(caught.value)


def test_a_table_that_is_not_there_has_no_place(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"iceberg:lake\.kafka\.rows: Table does not exist"):
        _ = table_at(tmp_path, "iceberg").place


def test_errors_of_a_catalog_are_those_of_the_table(tmp_path: Path) -> None:
    table = table_at(tmp_path, "iceberg")
    (tmp_path / "catalog.db").write_text("no database, and too long for its header " * 4)
    with pytest.raises(TableError, match=r"iceberg:lake\.kafka\.rows: DatabaseError: .*not a database$"):
        table.exists()
