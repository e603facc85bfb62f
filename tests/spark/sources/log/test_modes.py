"""What becomes of damage where a query does not say it, and options that ``kafka-log`` does not have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.datasource import CaseInsensitiveDict

from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.options import OptionError
from messagegen_spark.sources.log.source import KafkaLogDataSource
from tests.arrow.support.log_data import Batch, Data, many_batches, write_segment
from tests.spark.sources.log.test_rows import damaged
from tests.spark.support.log_reading import numbers


def read(log: Path, **options: str) -> Iterator[dict[str, Any]]:
    made = KafkaLogDataSource(CaseInsensitiveDict({"path": str(log), **options}))
    reader: Any = made.reader(made.schema())
    return (row for task in reader.partitions() for batch in reader.read(task) for row in batch.to_pylist())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    first, second, third = many_batches(0, 3)
    write_segment(tmp_path / "orders-0", 0, [first, damaged(second), third])
    return tmp_path


def test_damage_ends_a_query_that_does_not_ask_for_another_mode(log: Path) -> None:
    with pytest.raises(MalformedMessageError, match=r"\(base offset 3\) can't be read: crc: the checksum is wrong"):
        list(read(log))


def test_damage_ends_a_stream_that_does_not_ask_for_another_mode(log: Path) -> None:
    made = KafkaLogDataSource(CaseInsensitiveDict({"path": str(log)}))
    stream = made.streamReader(made.schema())
    end = stream.latestOffset({}, stream.getDefaultReadLimit())
    with pytest.raises(MalformedMessageError, match="the checksum is wrong"):
        [batch for task in stream.partitions({}, end) for batch in stream.read(task)]


def test_a_value_that_cannot_be_decoded_ends_a_query_too(tmp_path: Path) -> None:
    write_segment(tmp_path / "commits-0", 0, [Batch(0, [Data(b"\0\1\2")]).encode()])
    options = {"message": "OffsetCommitValue", "version": "3"}
    with pytest.raises(MalformedMessageError, match="the record at offset 0 can't be decoded"):
        list(read(tmp_path, **options))
    (row,) = read(tmp_path, **options, MODE="permissive")
    assert (row["message"], row["_raw"], row["_error"]["path"]) == (None, b"\0\1\2", "offset")


@pytest.mark.parametrize("name", ["mode", "Mode", "MODE"])
def test_permissive_shows_each_damaged_part(log: Path, name: str) -> None:
    found = list(read(log, **{name: "permissive"}))
    assert [row["value"] for row in found] == [*numbers(0, 3), None, *numbers(6, 9)]
    assert [row["_error"] is not None for row in found] == [row["value"] is None for row in found]


@pytest.mark.parametrize("name", ["fields", "pushFilters"])
def test_options_that_were_taken_away_are_unknown(log: Path, name: str) -> None:
    for given in (name, name.upper()):
        with pytest.raises(OptionError, match=f"kafka-log has no option {given}; "):
            KafkaLogDataSource({"path": str(log), given: "true"})
    with pytest.raises(OptionError, match=r"known options: .*failOnTruncated, fromLogStart"):
        KafkaLogDataSource({"path": str(log), "zzz": "red"})


def test_a_table_has_the_same_default_and_its_own_mode(log: Path) -> None:
    table = {"provider": "kafka-log", "path": str(log), "owner": "ann"}
    with pytest.raises(MalformedMessageError):
        list(read(log, **table))
    assert len(list(read(log, **table, **{"option.mode": "dropmalformed"}))) == 6
