"""Messages in Parquet files: the same rows as decoding gives that comes after reading, however files are cut into tasks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import MalformedMessageError, decode_messages, read_message_files
from messagegen_arrow.message_files.files import find_files
from messagegen_arrow.message_files.options import MessageFileOptions
from messagegen_arrow.message_files.parquet import opened_parquet, plain
from messagegen_arrow.message_files.planning import plan
from messagegen_arrow.message_files.source import MessageFileSource
from tests.arrow.support.internal_records import commit, group_record
from tests.support.object_store import Bucket
from tests.support.profiles import examples

NAME = "OffsetCommitValue"


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    pq.write_table(pa.table({"value": [b""]}), tmp_path / "sub" / "a.parquet")
    (tmp_path / "sub" / "loop").symlink_to("..")
    assert [file.path for file in find_files([str(tmp_path)])] == [str(tmp_path / "sub" / "a.parquet")]


def committed(offset: int, version: int = 3) -> bytes:
    return kafka.OffsetCommitValue(offset=offset, metadata=f"m{offset}", commit_timestamp=1000).encode(version=version)


def prefixed(offset: int, version: int) -> bytes:
    return struct.pack(">h", version) + committed(offset, version)


def written(file: Path, row_group_size: int = 3, **columns: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), file, row_group_size=row_group_size)
    return file


def rows(*places: Any, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_message_files(*places, **options) for row in batch.to_pylist()]


def read_by_tasks(file: Path, task_bytes: int, **options: str) -> list[dict[str, Any]]:
    """The rows as Spark's tasks read them."""
    chosen = MessageFileOptions.parse({"path": str(file), "maxPartitionBytes": str(task_bytes), **options})
    source = MessageFileSource.of(chosen, str(file))
    reader = source.reader(source.default_names)
    tasks = plan(find_files([str(file)]), chosen)
    return [row for task in tasks for batch in reader.read(task) for row in batch.to_pylist()]


def after_reading(table: pa.Table, version: int | str, mode: str) -> list[dict[str, Any]]:
    """The same rows from ``decode_messages``, which tells errors within the message."""
    found: list[dict[str, Any]] = pa.table(decode_messages(table, "value", NAME, version, mode)).to_pylist()
    if mode != "PERMISSIVE":
        return found
    shaped = []
    for row in found:
        message = row.pop("message") or {}
        error, raw = (message.pop(name, None) for name in ("_error", "_raw"))
        shaped.append({**row, "message": None if error or not message else message, "_error": error, "_raw": raw})
    return shaped


_VALUES = st.one_of(
    st.none(),
    st.binary(max_size=20),
    st.integers(0, 99).map(committed),
    st.builds(committed, st.integers(0, 99), st.integers(0, 4)),
)


@examples(60)
@given(
    values=st.lists(st.tuples(_VALUES, st.one_of(st.none(), st.integers(-1, 6))), min_size=1, max_size=30),
    group=st.integers(1, 12),
    task_bytes=st.integers(50, 4000),
    batch=st.integers(1, 8),
    mode=st.sampled_from(["PERMISSIVE", "DROPMALFORMED"]),
    has_versions=st.booleans(),
)
def test_rows_are_those_of_reading_first_and_decoding_then(
    values: Sequence[tuple[bytes | None, int | None]],
    group: int,
    task_bytes: int,
    batch: int,
    mode: str,
    has_versions: bool,
) -> None:
    columns: dict[str, Any] = {
        "row": range(len(values)),
        "value": pa.array([value for value, _ in values], pa.binary()),
        "error": pa.array([version for _, version in values], pa.int8()),
    }
    version: dict[str, str] = {"versionColumn": "error"} if has_versions else {"version": "3"}
    with TemporaryDirectory() as folder:
        file = written(Path(folder) / "a.parquet", group, **columns)
        options = {"message": NAME, "mode": mode, "maxRecordsPerBatch": str(batch), **version}
        found = read_by_tasks(file, task_bytes, **options)
    assert found == after_reading(pa.table(columns), "error" if has_versions else 3, mode)


def test_failfast_names_the_row_of_the_file(tmp_path: Path) -> None:
    values = [committed(at) for at in range(8)]
    good = written(tmp_path / "good.parquet", value=values)
    options: dict[str, Any] = {"message": NAME, "version": 3, "mode": "failfast"}
    assert rows(good, **options) == after_reading(pa.table({"value": values}), 3, "FAILFAST")
    values[6] = values[6][:-1]
    bad = written(tmp_path / "bad.parquet", value=values)
    with pytest.raises(MalformedMessageError, match=r"bad.parquet: the message in row 6 can't be decoded: .*byte"):
        rows(bad, **options)
    with pytest.raises(MalformedMessageError, match=r"row 6 .*with the column _error"):
        list(_reader(bad, ("message",), {**options, "mode": "permissive"}))


def _reader(file: Path, names: tuple[str, ...], options: dict[str, Any]) -> Any:
    chosen = MessageFileOptions.parse({"path": str(file)} | {name: str(value) for name, value in options.items()})
    return MessageFileSource.of(chosen, str(file)).reader(names).read(plan(find_files([str(file)]), chosen)[0])


def test_values_that_begin_with_their_version(tmp_path: Path) -> None:
    values = [prefixed(0, 0), b"\0", None, prefixed(3, 3), prefixed(4, 4)[:-1], prefixed(5, 4), b"\0\x63"]
    keys = [b"\0\1", b"\0\1", b"\0\1", b"\0\2", b"\0\1", b"\0\1", b"\0\1"]
    file = written(tmp_path / "a.parquet", key=keys, payload=values)
    every = rows(file, message=NAME, column="payload", keep="key")
    assert [row["message"] and row["message"]["offset"] for row in every] == [0, None, None, 3, None, 5, None]
    assert [bool(row["_error"]) for row in every] == [False, True, False, False, True, False, True]
    assert every[4]["_error"]["offset"] == len(prefixed(4, 4)) - 1
    assert [row["key"] for row in every] == keys
    chosen = rows(file, message=NAME, column="payload", keep="", versions="3-4", key_types=1)
    assert [row["message"] and row["message"]["offset"] for row in chosen] == [None, None, 5]


def test_versions_choose_by_the_column_that_has_them(tmp_path: Path) -> None:
    versions = [3, 0, None, 4]
    values = [committed(at, version or 3) for at, version in enumerate(versions)]
    file = written(tmp_path / "a.parquet", value=values, v=pa.array(versions, pa.int16()))
    found = rows(file, message=NAME, version_column="v", versions="3-4")
    assert [(row["v"], bool(row["_error"])) for row in found] == [(3, False), (None, True), (4, False)]


def test_a_version_that_no_message_has(tmp_path: Path) -> None:
    versions = pa.array([3, (1 << 64) - 1, 99], pa.uint64())
    file = written(tmp_path / "a.parquet", value=[committed(1)] * 3, v=versions)
    said = [row["_error"] and row["_error"]["message"] for row in rows(file, message=NAME, version_column="v", keep="")]
    assert said == [
        None,
        "version 18446744073709551615 is none of those that were expected: 0 to 4",
        "version 99 is none of those that were expected: 0 to 4",
    ]
    assert len(rows(file, message=NAME, version_column="v", versions="3-4")) == 1


def test_records_of_internal_topics(tmp_path: Path) -> None:
    records = [commit(5), group_record(), commit(6, 3)]
    columns: dict[str, Any] = {
        "key": [record.key for record in records],
        "value": [record.value for record in records],
        "at": [1, 2, 3],
    }
    file = written(tmp_path / "a.parquet", **columns)
    found = rows(file, types="OffsetCommit")
    assert [(row["at"], row["recordType"], row["OffsetCommit"]["value"]["offset"]) for row in found] == [
        (1, "OffsetCommit", 5),
        (3, "OffsetCommit", 6),
    ]
    both = written(tmp_path / "b.parquet", topic=["__consumer_offsets", "orders", None], **columns)
    assert [row["topic"] for row in rows(both, types="OffsetCommit")] == ["__consumer_offsets", None]
    with pytest.raises(ValueError, match=r"has no column topic, and records of .* are of several topics"):
        rows(file, types="OffsetCommit,TransactionLog")


def test_secrets_stay_out_unless_an_option_includes_them(tmp_path: Path) -> None:
    record = kafka.UserScramCredentialRecord(
        name="ada", mechanism=1, salt=b"salt", stored_key=b"stored", server_key=b"server", iterations=4096
    )
    file = written(tmp_path / "a.parquet", value=[record.encode(version=0), b"secret"])
    options = {"message": "UserScramCredentialRecord", "version": 0}
    hidden, wrong = rows(file, **options)
    assert "storedKey" not in hidden["message"]
    assert wrong["_raw"] == b"<redacted>"
    shown, wrong = rows(file, include_secrets=True, **options)
    assert shown["message"]["storedKey"] == b"stored"
    assert wrong["_raw"] == b"secret"


def test_only_fields_and_columns_that_are_asked_for(tmp_path: Path) -> None:
    file = written(tmp_path / "a.parquet", value=[committed(1)], a=[1], b=["x"], message=["collides"])
    assert rows(file, message=NAME, version=3, mode="failfast", fields="offset", keep="b,value") == [
        {"b": "x", "value": committed(1), "message": {"offset": 1}}
    ]
    with pytest.raises(ValueError, match="two columns named message; leave those of the files out with keep="):
        rows(file, message=NAME, version=3)


def test_all_files_of_a_folder_but_hidden_ones(tmp_path: Path) -> None:
    written(tmp_path / "t" / "day=1" / "part-0.snappy.parquet", value=[committed(1)], extra=[1])
    written(tmp_path / "t" / "day=2" / "part-0.parquet", value=[committed(2)])
    written(tmp_path / "t" / "_temporary" / "part-0.parquet", value=[committed(3)])
    (tmp_path / "t" / "_SUCCESS").touch()
    (tmp_path / "t" / "notes.txt").write_text("no Parquet")
    found = rows(tmp_path / "t", message=NAME, version=3, mode="failfast")
    assert [(row["extra"], row["message"]["offset"]) for row in found] == [(1, 1), (None, 2)]
    assert len(rows(tmp_path / "t" / "day=*", tmp_path / "t" / "day=1", message=NAME, version=3)) == 2


def test_files_of_an_object_store(tmp_path: Path, bucket: Bucket) -> None:
    values = [committed(at) for at in range(50)]
    bucket.put_folder(written(tmp_path / "t" / "day=1" / "a.parquet", 7, value=values, a=range(50)).parent.parent, "t")
    assert rows(bucket.url("t"), message=NAME, version=3) == rows(tmp_path / "t", message=NAME, version=3)


def test_other_columns_keep_their_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "value": pa.array([committed(1)], pa.large_binary()),
            "topic": pa.array(["a"]).dictionary_encode(),
            "nested": [{"a": [1, None]}],
            "at": pa.array([1_000_000_001], pa.timestamp("ns")),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    stream = read_message_files(tmp_path / "a.parquet", message=NAME, version=3)
    assert stream.schema.field("nested").type == table.schema.field("nested").type
    assert stream.reader().read_all().to_pylist()[0]["nested"] == {"a": [1, None]}
    pq.write_table(table, tmp_path / "old.parquet", use_deprecated_int96_timestamps=True)
    old = read_message_files(tmp_path / "old.parquet", message=NAME, version=3)
    assert old.schema.field("at").type == pa.timestamp("us", tz="UTC")


def test_no_task_is_without_rows_where_few_files_are_split(tmp_path: Path) -> None:
    file = written(tmp_path / "a.parquet", 10, value=[committed(at) for at in range(40)])
    chosen = MessageFileOptions.parse({"path": str(file), "message": NAME, "version": "3", "maxPartitionBytes": "100"})
    tasks = plan(find_files([str(file)]), chosen)
    reader = MessageFileSource.of(chosen, str(file)).reader(("message",))
    assert [sum(batch.num_rows for batch in reader.read(task)) for task in tasks] == [10] * 4


MEBIBYTE = 1 << 20


@pytest.mark.parametrize(
    "type_", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())]
)
def test_batches_are_bounded_by_what_is_decoded(tmp_path: Path, type_: pa.DataType) -> None:
    """The file has each value once, and only numbers in its rows."""
    long = [bytes([number]) * 100_000 for number in range(5)]
    values = [None if at % 7 == 6 else long[at % 5] for at in range(700)]
    note = ["n" * 20_000] * 700
    file = written(
        tmp_path / "a.parquet", 400, value=pa.array(values, pa.binary()).cast(type_), note=note, at=range(700)
    )
    assert file.stat().st_size < MEBIBYTE
    with opened_parquet(str(file)) as opened:
        before = pa.total_allocated_bytes()
        held = [pa.total_allocated_bytes() - before for _ in opened.batches(0, ["value", "note", "at"], 32_768)]
        assert max(held) < 16 * MEBIBYTE
        batches = [
            pa.RecordBatch.from_arrays([plain(column) for column in batch.columns], batch.schema.names)
            for number in range(2)
            for batch in opened.batches(number, ["value", "note", "at"], 32_768)
        ]
    found = [row for batch in batches for row in batch.to_pylist()]
    assert found == [{"value": value, "note": note[0], "at": at} for at, value in enumerate(values)]
    sizes = [sum(len(row["value"] or b"") + len(row["note"]) for row in batch.to_pylist()) for batch in batches]
    assert 3 * MEBIBYTE < max(sizes) < 4 * MEBIBYTE


def test_columns_without_a_dictionary_of_their_own(tmp_path: Path) -> None:
    """A writer ends a dictionary that gets too large, or stores values as differences."""
    values = [bytes([at % 250]) * (1000 + at) for at in range(3000)]
    expected = list(enumerate(values))
    table = pa.table({"at": range(3000), "value": values})
    kinds: dict[str, dict[str, Any]] = {
        "full": {"dictionary_pagesize_limit": 20_000},
        "plain": {"use_dictionary": False},
        "differences": {"use_dictionary": False, "column_encoding": {"value": "DELTA_BYTE_ARRAY"}},
        "lengths": {"use_dictionary": False, "column_encoding": {"value": "DELTA_LENGTH_BYTE_ARRAY"}},
    }
    for name, options in kinds.items():
        file = tmp_path / f"{name}.parquet"
        pq.write_table(table, file, **options)
        with opened_parquet(str(file)) as opened:
            batches = list(opened.batches(0, ["at", "value"], 32_768))
        assert [(row["at"], row["value"]) for batch in batches for row in batch.to_pylist()] == expected
        assert [batch.nbytes for batch in batches[:2] if not 1 * MEBIBYTE < batch.nbytes < 4 * MEBIBYTE] == []
