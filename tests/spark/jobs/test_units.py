"""Units: what is read together, and in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_arrow.log.files import LogPathError, find_logs
from messagegen_spark.jobs.cluster import cores
from messagegen_spark.jobs.inputs import KAFKA_CAPTURE, Input, base_path
from messagegen_spark.jobs.units import LEAST_UNIT_BYTES, Piece, file_units, log_units, packed, sized_by
from tests.arrow.support.log_data import many_batches, write_segment
from tests.support.object_store import Bucket

sizes = st.lists(st.integers(min_value=0, max_value=50), max_size=40)


def everything(_topic: str | None, _partition: int | None) -> bool:
    return True


@given(sizes, st.integers(min_value=1, max_value=100))
def test_each_piece_is_in_one_unit_and_in_order(numbers: list[int], unit_bytes: int) -> None:
    pieces = [Piece((f"{number}", f"{number}b"), size) for number, size in enumerate(numbers)]
    units = packed(pieces, unit_bytes)
    assert [path for unit in units for path in unit.paths] == [path for piece in pieces for path in piece.paths]
    assert sum(unit.size for unit in units) == sum(numbers)
    assert all(unit.size <= unit_bytes or len(unit.paths) == 2 for unit in units)
    first_of_next = [pieces[int(unit.paths[0])].size for unit in units[1:]]
    assert all(unit.size + size > unit_bytes for unit, size in zip(units, first_of_next, strict=False))
    assert sorted(unit.name for unit in units) == [unit.name for unit in units]


def test_segments_are_the_smallest_part_of_logs(tmp_path: Path) -> None:
    for partition in (10, 9):
        for base in (0, 30):
            write_segment(tmp_path / f"orders-{partition}", base, many_batches(base, 10))
    units = log_units([str(tmp_path)], everything, 1)
    places = [[Path(path).relative_to(tmp_path).as_posix() for path in unit.paths] for unit in units]
    assert places == [[f"orders-{p}/{b:020}.log"] for p in (9, 10) for b in (0, 30)]
    assert [unit.size for unit in units] == [Path(unit.paths[0]).stat().st_size for unit in units]
    whole = log_units([str(tmp_path)], everything, 1, whole_partitions=True)
    assert [len(unit.paths) for unit in whole] == [2, 2]
    assert len(log_units([str(tmp_path)], everything)) == 1


def test_partitions_are_chosen_and_paths_are_checked(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    assert log_units([str(tmp_path)], lambda topic, _: topic == "payments") == []
    with pytest.raises(LogPathError, match="does not exist"):
        log_units([str(tmp_path / "nowhere")], everything)


def test_files_are_taken_once_whatever_spark_calls_them(tmp_path: Path) -> None:
    for name, size in (("a b.parquet", 10), ("c.parquet", 20)):
        (tmp_path / name).write_bytes(bytes(size))
    files = [f"file://{tmp_path / name}" for name in ("c.parquet", "a b.parquet", "c.parquet")]
    units = file_units(files, 15)
    assert [unit.size for unit in units] == [10, 20]
    assert [unit.paths for unit in units] == [(files[1],), (files[0],)]


def test_sizes_of_captures_in_object_stores_count(bucket: Bucket) -> None:
    for name, size in (("1.pcap", 10), ("2.pcap", 20), ("3.pcap", 30)):
        bucket.put(f"captures/{name}", bytes(size))
    captures = Input((bucket.url("captures"),), KAFKA_CAPTURE)
    units = captures.units(cast("Any", None), 35)
    assert [unit.size for unit in units] == [30, 30]
    assert [len(unit.paths) for unit in units] == [2, 1]
    # What Spark reads with its own libraries may be out of our reach.
    assert [unit.size for unit in file_units(["s3a://elsewhere/1.parquet"])] == [128 << 20]


def test_a_folder_of_a_broker_may_be_called_as_a_partition_is(tmp_path: Path) -> None:
    write_segment(tmp_path / "kafka-logs-1" / "orders-0", 0, many_batches(0, 1))
    (unit,) = log_units([str(tmp_path / "kafka-logs-1")], everything)
    assert [Path(path).parent.name for path in unit.paths] == ["orders-0"]


def test_files_of_a_folder_stay_together_on_request() -> None:
    files = ["/b/1.pcap", "/a/2.pcap", "/a/1.pcap", "/a-b/1.pcap"]
    units = file_units(files, 1, whole_folders=True)
    assert [unit.paths for unit in units] == [("/a/1.pcap", "/a/2.pcap"), ("/a-b/1.pcap",), ("/b/1.pcap",)]


def test_a_segment_read_alone_is_complete_where_others_follow(tmp_path: Path) -> None:
    """Or damage at its end would pass for a log that is still written."""
    first = write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    last = write_segment(tmp_path / "orders-0", 3, many_batches(3, 1))
    for path, is_complete in ((first, True), (last, False)):
        (log,) = find_logs([str(path)])
        assert [segment.is_complete for segment in log.segments] == [is_complete]


@pytest.mark.parametrize(
    ("files", "base"),
    [
        (["/rows/a.parquet", "/more/b.parquet"], None),
        (["file:///rows/date=1/hour=2/a.parquet", "file:///rows/date=2/hour=1/b.parquet"], "file:///rows"),
        (["/env=test/rows/a.parquet"], None),
        (["s3a://bucket/date=1/a.parquet"], "s3a://bucket"),
    ],
)
def test_columns_in_the_names_of_folders_begin_below_one(files: list[str], base: str | None) -> None:
    assert base_path(files) == base


def test_columns_below_different_folders_are_refused() -> None:
    with pytest.raises(ValueError, match=r"below different folders \(/more, /rows\)"):
        base_path(["/rows/date=1/a.parquet", "/more/date=2/b.parquet"])


def test_units_keep_a_cluster_busy() -> None:
    assert sized_by(1) == sized_by(2) == LEAST_UNIT_BYTES
    assert sized_by(1_000, 1 << 30) == 64_000 << 30


class Settings:
    """A session that knows its settings only, as one of Spark Connect."""

    __module__ = "pyspark.sql.connect.session"

    def __init__(self, **settings: str) -> None:
        self.settings = {f"spark.{name.replace('_', '.')}": value for name, value in settings.items()}

    @property
    def conf(self) -> Settings:
        return self

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.settings.get(name, default)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, 1),
        ({"executor_instances": "20", "executor_cores": "8"}, 160),
        ({"dynamicAllocation_enabled": "true", "dynamicAllocation_maxExecutors": "50", "executor_cores": "4"}, 200),
        ({"dynamicAllocation_enabled": "true", "dynamicAllocation_maxExecutors": "2147483647"}, 1),
        ({"cores_max": "64"}, 64),
    ],
)
def test_the_size_of_a_cluster_is_what_settings_say(settings: dict[str, str], found: int) -> None:
    session: Any = Settings(**settings)
    assert cores(session) == found
