"""What is said of files, columns and options that can't be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from messagegen_arrow import read_message_files
from messagegen_arrow.message_files.files import MessagePathError
from messagegen_arrow.message_files.options import MessageFileOptions
from messagegen_arrow.message_files.parquet import MessageFileError
from messagegen_arrow.options import OptionError

MESSAGE: dict[str, Any] = {"message": "OffsetCommitValue"}
RECORDS: dict[str, Any] = {"types": "OffsetCommit"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    table = pa.table(
        {
            "value": [b"\0\0" * 500] * 40,
            "text": ["x"] * 40,
            "version": [1.5] * 40,
            "topic": pa.array([7] * 40, pa.int32()),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet", use_dictionary=False, compression="none")
    return tmp_path / "a.parquet"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "missing option message or types"),
        ({**MESSAGE, "types": "OffsetCommit"}, "only one of them"),
        ({**MESSAGE, "version": "3", "versionColumn": "v"}, "versionColumn and version: all messages"),
        ({"types": "OffsetCommit", "versionColumn": "v"}, "versionColumn and types: records"),
        ({**MESSAGE, "colum": "v"}, "did you mean column?"),
        ({**MESSAGE, "mode": "strict"}, "expected mode PERMISSIVE"),
    ],
)
def test_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        MessageFileOptions.parse({"path": "a.parquet", **options})


def test_a_path_is_needed() -> None:
    with pytest.raises(OptionError, match="missing path of the files"):
        read_message_files(**MESSAGE)
    with pytest.raises(OptionError, match="about tasks of Spark"):
        read_message_files("a.parquet", **MESSAGE, min_partitions=3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"column": "vale"}, r"a.parquet has no column vale; did you mean value\? \(option column\)"),
        ({"column": "text"}, r"a.parquet: invalid type of the column text: expected bytes \(binary\), not string"),
        ({"key_types": 1}, r"has no column key; there are value, text, version, topic \(option keyColumn\)"),
        ({"version_column": "version"}, "the column version: expected integers, not double"),
        ({"keep": "texts"}, r"has no column texts; did you mean text\?"),
        (
            {**RECORDS, "key_column": "value"},
            r"a.parquet: invalid type of the column topic: expected text \(string\), not int32 \(.*; rename it",
        ),
    ],
)
def test_columns(file: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_message_files(file, **({} if "types" in options else MESSAGE), **options)


def test_files(file: Path, tmp_path: Path) -> None:
    for path, error, said in (
        (tmp_path / "b.parquet", MessagePathError, "b.parquet does not exist here"),
        (tmp_path / "*.txt", MessagePathError, r"\*.txt holds no Parquet files"),
        (Path(__file__), MessageFileError, "test_errors.py can't be read as Parquet: .*magic bytes"),
    ):
        with pytest.raises(error, match=said):
            read_message_files(path, **MESSAGE)
    data = file.read_bytes()
    file.write_bytes(b"PAR1" + bytes(len(data) // 4) + data[4 + len(data) // 4 :])
    with pytest.raises(MessageFileError, match=r"a.parquet (is damaged|can't be read as Parquet): "):
        list(read_message_files(file, **MESSAGE))


def test_files_that_differ(file: Path, tmp_path: Path) -> None:
    for columns, said in (
        ({"values": [b""]}, "z.parquet has no column value"),
        (
            {"value": [b""], "version": ["x"]},
            "z.parquet: invalid type of the column version: expected double, as in the first",
        ),
    ):
        pq.write_table(pa.table(columns), tmp_path / "z.parquet")
        stream = read_message_files(tmp_path, **MESSAGE)
        with pytest.raises(MessageFileError, match=said):
            list(stream)


def test_columns_of_one_name(tmp_path: Path) -> None:
    usual, values = tmp_path / "a.parquet", pa.array([b""])
    pq.write_table(pa.table({"value": values, "k": [1]}), usual)
    for names, options, said in (
        (["value", "value"], {}, "b.parquet has several columns named value; expected one"),
        (["value", "k", "k"], {"keep": "k"}, "b.parquet has several columns named k; expected one"),
        (["value", "k", "k"], {}, "the result would have two columns named k"),
    ):
        twice = pa.table([values, *[pa.array([1])] * (len(names) - 1)], names)
        pq.write_table(twice, tmp_path / "b.parquet")
        with pytest.raises(ValueError, match=said):
            read_message_files(tmp_path / "b.parquet", **MESSAGE, **options)
    stream = read_message_files(tmp_path, **MESSAGE)
    with pytest.raises(MessageFileError, match=r"b.parquet has several columns named k; expected one"):
        list(stream)


def test_columns_that_not_all_files_have(tmp_path: Path) -> None:
    columns = {"key": [b""], "value": [b""]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    pq.write_table(pa.table({**columns, "isControl": ["no"]}), tmp_path / "b.parquet")
    stream = read_message_files(tmp_path, **RECORDS)
    with pytest.raises(
        MessageFileError, match=r"b.parquet: invalid type of the column isControl: expected bool, not string"
    ):
        list(stream)
