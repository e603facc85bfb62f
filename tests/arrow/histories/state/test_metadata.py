"""The metadata of a cluster at a point in time is the fold of its history, from logs and from snapshots."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import (
    ClusterState,
    HistoryCounts,
    UnknownStateError,
    cluster_state,
    metadata_history,
    read_log,
)
from messagegen_arrow.histories.state.metadata import metadata_state
from messagegen_arrow.histories.state.source import StateSource
from messagegen_arrow.log.errors import LogPathError
from tests.arrow.support.history_data import log_rows, write_log
from tests.arrow.support.internal_records import Record, metadata_record
from tests.arrow.support.log_data import TIME
from tests.arrow.support.state_data import (
    FOLDER,
    acl,
    config,
    metadata_logs,
    no_topic,
    partition,
    quota,
    scram,
    topic,
    write_snapshot,
)
from tests.support.profiles import examples


def at(second: int) -> int:
    """Return the time of the record with this offset, in milliseconds."""
    return TIME + 1000 * second


def values_of(log: Any, when: int | None = None, name: str = "retention.ms") -> list[str]:
    """Return the values of a topic config."""
    rows = cluster_state(log, when, tables=["configs"])["configs"].to_pylist()
    return [row["value"] for row in rows if row["config"] == name]


@pytest.mark.slow
@examples(20)
@given(metadata_logs(), st.data())
def test_a_state_equals_the_fold_of_the_history_until_its_time(records: list[Record], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(records)))
    log = log_rows(records)
    folded: dict[tuple[str, str, str], str] = {}
    for row in pa.table(metadata_history(log.slice(0, count))).to_pylist():
        key = (row["subject"], row["name"], row["property"])
        if row["value"] is None:
            folded.pop(key, None)
        else:
            folded[key] = row["value"]
    state = metadata_state(StateSource(log, 1000 * (count - 1), "DROPMALFORMED"), HistoryCounts())
    held = {(each.subject, each.name, each.property): each.value for each in state.properties.held()}
    assert held == folded
    assert state.offset == count - 1


def test_a_topic_that_was_created_again_has_its_own_properties() -> None:
    other = UUID(int=2)
    records = [
        topic(),
        partition(),
        partition(number=1),
        config("1"),
        no_topic(),
        topic(topic_id=other),
        partition(other, replicas=(3,), isr=(3,), leader=3),
        config("2", "cleanup.policy"),
    ]
    state = cluster_state(log_rows(records))
    (row,) = state["partitions"].to_pylist()
    assert (row["topic"], row["partition"], row["leader"], row["replicas"]) == ("orders", 0, 3, [3])
    assert [row["config"] for row in state["configs"].to_pylist()] == ["cleanup.policy"]
    assert state["topics"].num_rows == 1
    gone = cluster_state(log_rows(records), 4000)
    assert [gone[name].num_rows for name in ("topics", "partitions", "configs")] == [0, 0, 0]


def test_lists_of_replicas_are_empty_if_no_record_sets_them() -> None:
    change = kafka.PartitionChangeRecord(partition_id=0, topic_id=UUID(int=1), adding_replicas=(), isr=(1, 2))
    (row,) = cluster_state(log_rows([topic(), partition(), metadata_record(change, 2)]))["partitions"].to_pylist()
    assert (row["isr"], row["addingReplicas"], row["removingReplicas"]) == ([1, 2], [], [])
    assert (row["eligibleLeaderReplicas"], row["leaderRecoveryState"]) == ([], 0)


@pytest.mark.parametrize(("name", "left"), [("orders", [[], [4]]), ("", [[], []]), ("other", [[3], [4]])])
def test_eligible_leader_replicas_are_cleared_for_one_or_all_topics(name: str, left: list[list[int]]) -> None:
    other = UUID(int=2)
    records = [
        topic(),
        partition(eligible_leader_replicas=(3,), last_known_elr=(2,)),
        topic("payments", other),
        partition(other, eligible_leader_replicas=(4,)),
        metadata_record(kafka.ClearElrRecord(topic_name=name)),
    ]
    rows = cluster_state(log_rows(records))["partitions"].to_pylist()
    assert [row["eligibleLeaderReplicas"] for row in rows] == left
    assert rows[0]["lastKnownElr"] == ([2] if name == "other" else [])


def test_entities_and_resources_named_default_differ_from_the_default() -> None:
    records = [
        quota(1, user=None, client_id="<default>"),
        quota(2, user="a,client-id=b"),
        config("1", resource="", type_=32),
        config("2", resource="<default>", type_=32),
    ]
    state = cluster_state(log_rows(records))
    assert [row["entity"] for row in state["quotas"].to_pylist()] == [
        [("user", None), ("client-id", "<default>")],
        [("user", "a,client-id=b")],
    ]
    assert {row["resource"]: row["value"] for row in state["configs"].to_pylist()} == {None: "1", "<default>": "2"}


def test_users_and_acls_have_columns_without_secrets() -> None:
    state = cluster_state(log_rows([scram(2), acl(principal="User:a ALLOW READ on b")]))
    assert state["users"].to_pylist() == [{"user": "carol", "mechanism": "SCRAM-SHA-512", "iterations": 4096}]
    (row,) = state["acls"].to_pylist()
    assert (row["principal"], row["operation"], row["resourceName"]) == ("User:a ALLOW READ on b", "READ", "orders")


def test_each_kind_of_metadata_has_a_table() -> None:
    end_point = kafka.register_broker_record.BrokerEndpoint(name="PLAINTEXT", host="b1", port=9092)
    token = kafka.DelegationTokenRecord(
        owner="User:ann", requester="User:bob", issue_timestamp=1, max_timestamp=1 << 62, token_id="t"
    )
    records = [
        metadata_record(kafka.RegisterBrokerRecord(broker_id=1, rack="a", end_points=(end_point,)), 1),
        metadata_record(kafka.RegisterBrokerRecord(broker_id=1, rack=None, end_points=(end_point,)), 1),
        metadata_record(kafka.UnfenceBrokerRecord(id=1)),
        metadata_record(kafka.RegisterControllerRecord(controller_id=3)),
        metadata_record(token),
        metadata_record(kafka.FeatureLevelRecord(name="metadata.version", feature_level=30)),
        metadata_record(kafka.ProducerIdsRecord(next_producer_id=1000)),
    ]
    state = cluster_state(log_rows(records))
    # A broker that registers again without a rack has no rack.
    assert state["brokers"].to_pylist() == [
        {"broker": 1, "endPoints": "PLAINTEXT://b1:9092", "rack": None, "fenced": False, "inControlledShutdown": False}
    ]
    assert state["controllers"].to_pylist() == [{"controller": 3, "endPoints": ""}]
    assert state["features"].to_pylist() == [{"feature": "metadata.version", "level": 30}]
    assert state["cluster"].to_pylist() == [{"property": "nextProducerId", "value": "1000"}]
    tokens = state["tokens"].drop_columns("maxTimestamp").to_pylist()
    issued = datetime(1970, 1, 1, 0, 0, 0, 1000, UTC)
    assert tokens == [
        {
            "tokenId": "t",
            "owner": "User:ann",
            "requester": "User:bob",
            "issueTimestamp": issued,
            "expirationTimestamp": datetime(1970, 1, 1, tzinfo=UTC),
        }
    ]


def test_transactions_that_end_after_the_time_do_not_count() -> None:
    begin, end = metadata_record(kafka.BeginTransactionRecord(name="t")), metadata_record(kafka.EndTransactionRecord())
    abort = metadata_record(kafka.AbortTransactionRecord())
    records = [config("0"), begin, config("1"), end, begin, config("2"), abort]
    found = [values_of(log_rows(records), 1000 * second) for second in range(7)]
    assert found == [["0"], ["0"], ["0"], ["1"], ["1"], ["1"], ["1"]]


# Times.


@pytest.mark.parametrize(
    "when",
    [at(2), at(2) + 999, str(at(2)), "2023-11-14T22:13:22Z", datetime(2023, 11, 14, 22, 13, 22, tzinfo=UTC)],
)
def test_times_have_the_same_forms_as_in_log_options(when: Any, tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [config("0"), config("1"), config("2"), config("3")])
    assert values_of(tmp_path, when) == ["2"]
    assert values_of(tmp_path) == values_of(tmp_path, "now") == ["3"]  # type: ignore[arg-type]


def test_a_time_without_a_zone_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [config("0")])
    with pytest.raises(ValueError, match=r"missing time zone in datetime.datetime\(2023, 11, 14, 22, 13, 22\): write"):
        cluster_state(tmp_path, datetime(2023, 11, 14, 22, 13, 22))  # noqa: DTZ001
    with pytest.raises(ValueError, match=r"^invalid time 'yesterday': write for example"):
        cluster_state(tmp_path, "yesterday")


def test_reading_stops_at_the_first_record_after_the_requested_time() -> None:
    log = log_rows([config(str(number)) for number in range(4)])
    times = pa.array([0, 5, 3, 9], pa.int64()).cast(pa.timestamp("s", "UTC")).cast(pa.timestamp("us", "UTC"))
    disordered = log.set_column(log.schema.get_field_index("timestamp"), "timestamp", times)
    state = cluster_state(disordered, 4000, tables=["configs"])
    assert [row["value"] for row in state["configs"].to_pylist()] == ["0"]
    (note,) = state.notes
    assert note.startswith("metadata: records after offset 1 have earlier timestamps again")


# Logs and snapshots.


@pytest.fixture
def cleaned(tmp_path: Path) -> Path:
    """Write a folder whose log begins at offset 10, with snapshots up to 4, 10 and 12."""
    folder = tmp_path / FOLDER
    write_snapshot(folder, 4, [topic(), config("old")])
    write_snapshot(folder, 10, [topic(), config("base")])
    write_snapshot(folder, 12, [topic(), config("11")])
    write_log(folder, [config("10"), config("11"), config("12"), no_topic()], first=10)
    return tmp_path


def test_a_state_is_unknown_if_records_just_before_the_requested_time_are_missing(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [config("0"), config("1")])
    # The segment between the two is missing.
    write_log(tmp_path / FOLDER, [config("6")], first=6)
    assert values_of(tmp_path, at(0)) == ["0"]
    with pytest.raises(UnknownStateError, match="some older records of cluster metadata are gone"):
        values_of(tmp_path, at(4))


@pytest.mark.parametrize(
    ("second", "expected"), [(3, ["old"]), (9, ["base"]), (10, ["10"]), (11, ["11"]), (12, ["12"]), (99, [])]
)
def test_a_state_begins_with_the_last_snapshot_before_its_time(cleaned: Path, second: int, expected: list[str]) -> None:
    assert values_of(cleaned, at(second)) == expected


def test_a_state_has_the_offset_and_time_of_its_last_record(cleaned: Path) -> None:
    def position(state: ClusterState) -> tuple[Any, ...]:
        return state.at, state.metadata_offset, state.metadata_time

    assert position(cluster_state(cleaned, at(9) + 1, tables=["users"])) == (at(9) + 1, 9, at(9))
    assert position(cluster_state(cleaned, tables=["users"])) == (None, 13, at(13))


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (2, "22:13:22.000Z is unknown: the oldest known state is at 2023-11-14T22:13:23.000Z"),
        (6, "older records of cluster metadata are gone; the last known state before that is at .*:23.000Z"),
    ],
)
def test_states_whose_records_were_deleted_are_unknown(cleaned: Path, second: int, reason: str) -> None:
    with pytest.raises(UnknownStateError, match=reason):
        cluster_state(cleaned, at(second))


def test_a_state_before_the_first_record_is_unknown(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [config("0")])
    with pytest.raises(UnknownStateError, match=r"the oldest known state is at .*:20.000Z"):
        cluster_state(tmp_path, at(0) - 1)


def test_a_log_without_its_beginning_and_without_a_snapshot_has_no_state(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [config("0")], first=5)
    with pytest.raises(UnknownStateError, match=r"before offset 5 are gone; read them with the snapshots"):
        cluster_state(tmp_path)
    with pytest.raises(
        UnknownStateError, match=r"older records of cluster metadata are gone; read them with the snapshots"
    ):
        cluster_state(tmp_path, at(7))
    write_snapshot(tmp_path / FOLDER, 3, [topic()])
    with pytest.raises(UnknownStateError, match="before offset 5 are gone"):
        cluster_state(tmp_path)


def test_a_missing_segment_hides_states_until_the_next_snapshot(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [topic(), config("1")])
    write_log(tmp_path / FOLDER, [config("5"), config("6")], first=5)
    assert values_of(tmp_path, at(1)) == ["1"]
    with pytest.raises(UnknownStateError, match="before offset 5 are gone"):
        cluster_state(tmp_path)
    write_snapshot(tmp_path / FOLDER, 6, [topic(), config("snapshot")])
    assert values_of(tmp_path) == ["6"]
    assert values_of(tmp_path, at(5)) == ["snapshot"]


def test_states_are_read_from_snapshots_without_a_log(tmp_path: Path) -> None:
    write_snapshot(tmp_path / FOLDER, 4, [topic(), config("4")])
    named = write_snapshot(tmp_path / FOLDER, 8, [topic(), config("8")])
    assert values_of(tmp_path) == ["8"]
    state = cluster_state(tmp_path, at(5), tables=["configs"])
    (note,) = state.notes
    assert note.startswith("metadata: the state is from a snapshot; the log with later changes")
    assert state.metadata_offset == 3
    copy = named.rename(tmp_path / "a copy.checkpoint")
    state = cluster_state(copy, tables=["configs"])
    assert [row["value"] for row in state["configs"].to_pylist()] == ["8"]
    assert (state.metadata_offset, state.metadata_time) == (None, at(7))


def test_incomplete_and_damaged_and_bootstrap_snapshots_are_ignored(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    write_log(folder, [topic(), config("1"), config("2")])
    write_snapshot(folder, 3, [topic()], whole=False)
    write_snapshot(folder, 0, [topic()])
    damaged = write_snapshot(folder, 2, [topic()])
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\x99")
    assert values_of(tmp_path) == ["2"]
    only = write_snapshot(tmp_path / "other", 0, [topic()]).rename(tmp_path / "bootstrap.checkpoint")
    with pytest.raises(UnknownStateError, match="there are no records of cluster metadata"):
        cluster_state(only)


def test_damage_is_counted_unless_a_snapshot_replaces_the_damaged_records(tmp_path: Path) -> None:
    cut_off = Record("__cluster_metadata", None, (config("1").value or b"")[:-1])
    write_log(tmp_path / FOLDER, [topic(), config("0"), cut_off, config("3", "x")])
    counts = HistoryCounts()
    state = cluster_state(tmp_path, tables=["configs"], counts=counts)
    assert [row["value"] for row in state["configs"].to_pylist()] == ["0", "3"]
    assert (counts.rows, counts.malformed) == (4, 1)
    write_snapshot(tmp_path / FOLDER, 3, [topic(), config("1")])
    state = cluster_state(tmp_path, tables=["configs"], counts=counts)
    assert [row["value"] for row in state["configs"].to_pylist()] == ["1", "3"]
    assert counts.malformed == 0


def test_the_newest_replica_is_read_if_folders_of_several_brokers_are_given(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / FOLDER, [topic(), config("1")])
    write_log(tmp_path / "b" / FOLDER, [topic(), config("1"), config("2")])
    write_log(tmp_path / "c" / FOLDER, [topic()])
    assert values_of([tmp_path / "a", tmp_path / "b", tmp_path / "c"]) == ["2"]


def test_a_state_can_be_computed_from_rows_in_offset_order(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [topic(), config("1")])
    assert values_of(read_log(tmp_path, include_control=True)) == ["1"]
    with pytest.raises(LogPathError, match="no rows of __cluster_metadata"):
        values_of(log_rows([]))
    with pytest.raises(ValueError, match="are not in the order of their offsets"):
        values_of(log_rows([topic(), config("1")]).take([1, 0]))
    with pytest.raises(ValueError, match="the log has no column offset"):
        values_of(log_rows([topic()]).drop_columns("offset"))


def test_unknown_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown table quota; expected topics, partitions"):
        cluster_state(tmp_path, tables=["quota"])
