"""Offsets by partition, in the syntax of Spark's ``kafka`` source, limit batches and streams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from messagegen_arrow.log.errors import LogGapError
from messagegen_arrow.options import OptionError
from tests.arrow.support.log_changes import append, in_transaction
from tests.arrow.support.log_data import many_batches, marker, write_segment
from tests.arrow.support.log_reading import Source, Stream, rows, values


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Partitions 0 and 1 of ``orders``, each of 30 records in batches of three, and one of ``payments``."""
    for name in ("orders-0", "orders-1", "payments-0"):
        write_segment(tmp_path / name, 0, many_batches(0, 10))
    return tmp_path


def offsets(path: Path, **options: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row in rows(path, **options):
        found.setdefault(f"{row['topic']}-{row['partition']}", []).append(row["offset"])
    return found


def of_orders(first: int, second: int) -> str:
    return json.dumps({"orders": {"0": first, "1": second}})


def test_subscribe_and_assign_options_select_partitions(logs: Path) -> None:
    assert set(offsets(logs, subscribe="payments")) == {"payments-0"}
    assert set(offsets(logs, subscribePattern="o.*|x")) == {"orders-0", "orders-1"}
    assert set(offsets(logs, assign='{"orders":[1],"payments":[0]}')) == {"orders-1", "payments-0"}


def test_offset_bounds_can_differ_between_partitions(logs: Path) -> None:
    chosen = {"startingOffsets": of_orders(4, -2), "endingOffsets": of_orders(-1, 7)}
    assert offsets(logs, subscribe="orders", **chosen) == {
        "orders-0": list(range(4, 30)),
        "orders-1": list(range(7)),
    }
    assert offsets(logs, subscribe="orders", startingOffsets="earliest", endingOffsets="latest") == {
        "orders-0": list(range(30)),
        "orders-1": list(range(30)),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"startingOffsets": of_orders(0, 0)},
            "option startingOffsets: payments-0 is missing; -2 is the earliest offset",
        ),
        (
            {"assign": '{"orders":[0]}', "startingOffsets": of_orders(0, 0)},
            "option startingOffsets: the query reads no orders-1; remove its offset",
        ),
        (
            {"subscribe": "orders", "startingOffsets": of_orders(0, -1)},
            "a batch query can't begin at the latest offset",
        ),
        ({"startingOffsets": "latest"}, "a batch query can't begin at the latest offset"),
        ({"endingOffsets": of_orders(1, 1)}, "option endingOffsets: payments-0 is missing; -1 is the latest offset"),
    ],
)
def test_missing_and_impossible_offsets_are_refused(logs: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        offsets(logs, **options)


def test_headers_are_left_out_on_request(logs: Path) -> None:
    first, *_ = rows(logs, subscribe="payments", includeHeaders="false")
    assert "headers" not in first
    assert set(rows(logs, subscribe="payments", includeHeaders="false", columns="headers")[0]) == {"headers"}


def read(stream: Stream) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    end = stream.plan()
    for row in stream.rows(end):
        found.setdefault(f"{row['topic']}-{row['partition']}", []).append(row["offset"])
    stream.offsets = end
    return found


def test_a_stream_begins_at_its_own_offset_in_each_partition(logs: Path) -> None:
    stream = Stream(logs, subscribe="orders", startingOffsets=of_orders(4, -1))
    assert read(stream) == {"orders-0": list(range(4, 30))}
    append(logs / "orders-1" / f"{0:020}.log", *many_batches(30, 1))
    write_segment(logs / "orders-2", 0, many_batches(0, 1))
    stream.restart()
    assert read(stream) == {"orders-1": [30, 31, 32], "orders-2": [0, 1, 2]}
    assert read(Stream(logs, assign='{"orders":[0]}', startingOffsets='{"orders":{"0":30}}')) == {}


def test_a_stream_cannot_begin_at_a_missing_offset(logs: Path) -> None:
    with pytest.raises(OptionError, match="orders-0 ends at offset 30, before 31"):
        Stream(logs, subscribe="orders", startingOffsets=of_orders(31, 0))
    (logs / "orders-0" / f"{0:020}.log").rename(logs / "orders-0" / f"{5:020}.log")
    with pytest.raises(
        LogGapError, match="orders-0 begins at offset 5, and startingOffsets says 4; option failOnDataLoss"
    ):
        Stream(logs, subscribe="orders", startingOffsets=of_orders(4, 0))
    with pytest.raises(OptionError, match="a stream does not end"):
        Stream(logs, endingOffsets=of_orders(4, 0))


def test_a_micro_batch_has_at_most_max_offsets_per_trigger(logs: Path) -> None:
    stream = Source(logs, subscribe="orders", maxOffsetsPerTrigger="12")
    at: Any = stream.initial()
    counts = []
    while (end := stream.latest(at, max_offsets=12)) != at:
        counts.append(sum(table.num_rows for task in stream.tasks_between(at, end) for table in stream.read(task)))
        at = end
    assert counts == [12, 12, 12, 12, 12]
    assert stream.latest({}, max_offsets=1) != {}
    assert stream.latest({}) == at


def test_offsets_that_the_cleaner_removed_do_not_count_toward_the_limit(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, [*many_batches(0, 1), *many_batches(900, 2)])
    stream = Source(tmp_path, maxOffsetsPerTrigger="3")
    at: Any = {}
    for count in (3, 3, 3):
        end = stream.latest(at, max_offsets=3)
        assert sum(table.num_rows for task in stream.tasks_between(at, end) for table in stream.read(task)) == count
        at = end


def test_the_consumer_option_for_the_isolation_level_is_accepted(tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, [in_transaction(0, 1), marker(2, 1, commit=False)])
    assert values(tmp_path, **{"kafka.isolation.level": "read_committed"}) == []
