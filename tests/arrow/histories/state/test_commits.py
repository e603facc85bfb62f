"""The last commits of groups at a time, and the commits that are still known after compaction."""

# pyright: reportAttributeAccessIssue=false
# Most functions of pyarrow.compute are created when it is imported, so pyright does not find them.

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import ColumnStream, HistoryCounts, cluster_state, consumer_lag_history, read_log
from messagegen_arrow.log.errors import LogPathError
from messagegen_kafka.share_group_state_partition_metadata_value import TopicPartitionsInfo
from tests.arrow.support.history_data import ORDERS, log_rows, write_log
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, int16
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment
from tests.arrow.support.state_data import FOLDER, partition, topic
from tests.support.profiles import examples

SHARES = "__share_group_state"
FOLDER_OF_COMMITS = f"{OFFSETS}-0"


def at(second: int) -> int:
    return TIME + 1000 * second


def commit(offset: int | None, group: str = "billing", topic: str = "orders", **more: Any) -> Record:
    """Return a commit, or the deletion of one."""
    key = {"group": group, "topic": topic, "partition": 0}
    value = None if offset is None else kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)


def write_batches(folder: Path, records: Mapping[int, Record], producers: Mapping[int, int] | None = None) -> Path:
    """Write a segment with a batch for each record. A record with offset n was written in second n.

    ``producers`` maps the offsets of records in transactions to their producers. End markers of transactions are
    batches in ``records``, as bytes.
    """
    of_transactions = producers or {}
    batches = []
    for offset, record in records.items():
        producer = of_transactions.get(offset, -1)
        data = [Data(record.value, record.key)]
        batch = Batch(
            offset,
            data,
            base_timestamp=at(offset),
            producer_id=producer,
            transactional=producer >= 0,
            control=record.is_control,
        )
        batches.append(batch.encode())
    return write_segment(folder, min(records), batches)


def end_of_transaction(*, is_commit: bool) -> Record:
    return Record(OFFSETS, int16(0) + int16(int(is_commit)), int16(0) + bytes(4), is_control=True)


def offsets(log: Any, second: int | None = None) -> dict[tuple[str, str], Any]:
    """Return the offsets by group and topic; ``unknown`` for unknown offsets."""
    state = cluster_state(log, None if second is None else at(second), tables=["commits"])
    return {
        (row["group"], row["topic"]): row["offset"] if row["isKnown"] else "unknown"
        for row in state["commits"].to_pylist()
    }


BILLING = ("billing", "orders")
AUDITS = ("audits", "orders")


@pytest.mark.slow
@examples(10)
@given(
    st.lists(st.tuples(st.none() | st.integers(0, 9), st.sampled_from("ab"), st.sampled_from("xy")), min_size=1),
    st.data(),
)
def test_commits_are_the_fold_of_their_history(commits: list[tuple[int | None, str, str]], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(commits)))
    log = log_rows([commit(*each) for each in commits])
    folded: dict[tuple[str, str], int] = {}
    for row in pa.table(consumer_lag_history(log.slice(0, count))).to_pylist():
        if row["isTombstone"]:
            folded.pop((row["group"], row["topic"]), None)
        else:
            folded[row["group"], row["topic"]] = row["offset"]
    state = cluster_state(log, 1000 * (count - 1), tables=["commits"])
    assert {(row["group"], row["topic"]): row["offset"] for row in state["commits"].to_pylist()} == folded


def test_a_commit_has_the_values_of_its_record(tmp_path: Path) -> None:
    group = coordinator_record(
        OFFSETS, "ConsumerGroupMetadata", {"group_id": "billing"}, kafka.ConsumerGroupMetadataValue()
    )
    write_log(tmp_path / FOLDER_OF_COMMITS, [group, commit(7, metadata="by hand", leader_epoch=4), commit(-1, "none")])
    first, second = cluster_state(tmp_path, tables=["commits"])["commits"].to_pylist()
    assert (first["group"], first["groupType"], first["partition"]) == ("billing", "consumer", 0)
    assert (first["offset"], first["leaderEpoch"], first["metadata"]) == (7, 4, "by hand")
    assert first["commitTimestamp"].timestamp() * 1000 == TIME
    # A commit of -1 means no offset, but the commit is known.
    assert (second["group"], second["offset"], second["isKnown"]) == ("none", None, True)


def test_deleted_and_expired_commits_do_not_count(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1), commit(None), commit(2, "audits"), commit(3)])
    assert offsets(tmp_path, 0) == {BILLING: 1}
    assert offsets(tmp_path, 1) == {}
    assert offsets(tmp_path, 2) == {AUDITS: 2}
    assert offsets(tmp_path) == {BILLING: 3, AUDITS: 2}


def test_transactional_commits_are_ignored_until_their_transaction_commits(tmp_path: Path) -> None:
    records = {
        0: commit(1),
        1: commit(2),
        2: commit(5, "audits"),
        3: commit(3, "ledgers"),
        4: end_of_transaction(is_commit=True),
        5: end_of_transaction(is_commit=False),
        6: commit(4),
    }
    producers = {1: 7, 2: 8, 3: 9, 4: 7, 5: 8, 6: 7}
    write_batches(tmp_path / FOLDER_OF_COMMITS, records, producers)
    # The second transaction was aborted; the third and the last have no end marker.
    assert [offsets(tmp_path, second) for second in (0, 1, 3, 4, 5, 6)] == [
        {BILLING: 1},
        {BILLING: 1},
        {BILLING: 1},
        {BILLING: 2},
        {BILLING: 2},
        {BILLING: 2},
    ]
    assert offsets(tmp_path) == {BILLING: 2}
    rows = read_log(tmp_path, include_control=True)
    assert [offsets(rows, second) for second in (0, 4)] == [{BILLING: 1}, {BILLING: 2}]
    assert cluster_state(rows, at(5), tables=["commits"]).notes == ()
    committed = read_log(
        tmp_path, include_control=True, isolation_level="read_committed", until_last_stable_offset=False
    )
    assert offsets(committed) == {BILLING: 2}


@dataclass(frozen=True)
class Write:
    """A group's commit, or the deletion of one. If ``group`` is ``None``, it is the end of a transaction instead."""

    group: str | None
    producer: int | None
    is_commit: bool = True


WRITES = st.one_of(
    st.builds(Write, st.sampled_from("ab"), st.none() | st.sampled_from([7, 8])),
    st.builds(Write, st.sampled_from("ab"), st.none(), st.just(value=False)),
    st.builds(Write, st.none(), st.sampled_from([7, 8]), st.booleans()),
)


def expected(writes: Sequence[Write]) -> dict[tuple[str, str], int]:
    """Return a coordinator's offsets after these writes; each write commits its own position as the offset."""
    last: dict[str, tuple[int, bool]] = {}
    pending: list[tuple[int, Write]] = []
    for offset, write in enumerate(writes):
        if write.group is not None and write.producer is not None:
            pending.append((offset, write))
        elif write.group is not None:
            last[write.group] = (offset, write.is_commit)
        else:
            ended = [(at, each) for at, each in pending if each.producer == write.producer]
            pending = [each for each in pending if each not in ended]
            for at, each in ended if write.is_commit else ():
                assert each.group is not None
                last[each.group] = max((at, True), last.get(each.group, (at, True)))
    return {(group, "orders"): offset for group, (offset, is_held) in last.items() if is_held}


@pytest.mark.slow
@examples(30)
@given(st.lists(WRITES, min_size=1, max_size=12), st.data())
def test_transactions_have_the_same_effect_as_in_a_coordinator(writes: list[Write], data: st.DataObject) -> None:
    second = data.draw(st.integers(0, len(writes) - 1))
    records = {}
    for offset, write in enumerate(writes):
        if write.group is None:
            records[offset] = end_of_transaction(is_commit=write.is_commit)
        else:
            records[offset] = commit(offset if write.is_commit else None, write.group)
    producers = {offset: write.producer for offset, write in enumerate(writes) if write.producer is not None}
    with TemporaryDirectory() as folder:
        write_batches(Path(folder) / FOLDER_OF_COMMITS, records, producers)
        assert offsets(folder, second) == expected(writes[: second + 1])
        assert offsets(folder) == expected(writes)


def compacted(writes: Sequence[Write], cleaned: int, *, drops_deletions: bool) -> list[int]:
    """Return the offsets that the cleaner keeps: before ``cleaned``, only the last record of each key."""
    last = {write.group: offset for offset, write in enumerate(writes[:cleaned])}
    kept = [offset for offset in sorted(last.values()) if writes[offset].is_commit or not drops_deletions]
    return [*kept, *range(cleaned, len(writes))]


@pytest.mark.slow
@examples(60)
@given(
    st.lists(st.builds(Write, st.sampled_from("abc"), st.none(), st.booleans()), min_size=1, max_size=10),
    st.booleans(),
    st.data(),
)
def test_after_compaction_known_commits_are_correct_and_gaps_are_noted(
    writes: list[Write], drops_deletions: bool, data: st.DataObject
) -> None:
    second = data.draw(st.integers(0, len(writes) - 1), "second")
    # The cleaner never reads the active segment, which contains at least one record.
    cleaned = data.draw(st.integers(0, len(writes) - 1), "cleaned")
    left = compacted(writes, cleaned, drops_deletions=drops_deletions)
    records = {
        offset: commit(offset if writes[offset].is_commit else None, writes[offset].group or "") for offset in left
    }
    if not records:
        return
    with TemporaryDirectory() as folder:
        write_batches(Path(folder) / FOLDER_OF_COMMITS, records)
        state = cluster_state(folder, at(second), tables=["commits"])
        assert offsets(folder) == expected(writes)
    truth = expected(writes[: second + 1])
    found = {(row["group"], row["topic"]): row["offset"] for row in state["commits"].to_pylist() if row["isKnown"]}
    unknown = {(row["group"], row["topic"]) for row in state["commits"].to_pylist() if not row["isKnown"]}
    assert found.items() <= truth.items()
    hidden = truth.keys() - found.keys() - unknown
    assert not hidden or any("commits that were deleted since are missing" in note for note in state.notes)


def test_a_note_reports_missing_transaction_markers(tmp_path: Path) -> None:
    records = {0: commit(1), 1: commit(2), 2: end_of_transaction(is_commit=True)}
    write_batches(tmp_path / FOLDER_OF_COMMITS, records, {1: 7, 2: 7})
    state = cluster_state(pa.table(read_log(tmp_path, isolation_level="read_committed")), tables=["commits"])
    assert [row["offset"] for row in state["commits"].to_pylist()] == [1]
    (note,) = state.notes
    assert note == (
        "groups: the rows have transactions, but no control records that end them, so their commits are left out; "
        "read the log with include_control=True"
    )


def test_the_log_is_read_once(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1), commit(2)])
    rows = read_log(tmp_path, include_control=True).reader()
    seen: list[int] = []
    state = cluster_state(rows, tables=["commits"], progress=seen.append)
    assert ([row["offset"] for row in state["commits"].to_pylist()], sum(seen)) == ([2], 2)


def test_a_commit_is_unknown_if_only_later_commits_remain(tmp_path: Path) -> None:
    # Compaction removed the offsets 0 to 3 and 5.
    write_batches(tmp_path / FOLDER_OF_COMMITS, {4: commit(4, "audits"), 6: commit(6), 7: commit(7, "new")})
    state = cluster_state(tmp_path, at(5), tables=["commits"])
    assert state.notes == (
        (
            "groups: 2 of 3 commits are unknown (isKnown is false): the logs have only later commits, "
            "which may be the first"
        ),
        "groups: older records are gone, so commits that were deleted after the requested time are missing",
    )
    known = {row["group"]: (row["offset"], row["commitTimestamp"] is None) for row in state["commits"].to_pylist()}
    assert known == {"audits": (4, False), "billing": (None, True), "new": (None, True)}
    assert offsets(tmp_path) == {AUDITS: 4, BILLING: 6, ("new", "orders"): 7}
    assert cluster_state(tmp_path, tables=["commits"]).notes == ()


def test_the_state_before_the_first_commit_of_a_whole_log_is_empty(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1), commit(2)])
    state = cluster_state(tmp_path, at(-1), tables=["commits"])
    assert (state["commits"].num_rows, state.notes) == (0, ())


def test_a_commit_is_unknown_if_records_just_before_the_requested_time_are_missing(tmp_path: Path) -> None:
    # No later record replaces the first one, so the log still begins with it.
    write_batches(tmp_path / FOLDER_OF_COMMITS, {0: commit(0, "audits"), 6: commit(6), 7: commit(7, "audits")})
    state = cluster_state(tmp_path, at(5), tables=["commits"])
    assert {row["group"]: row["isKnown"] for row in state["commits"].to_pylist()} == {"audits": True, "billing": False}
    assert len(state.notes) == 2


def test_a_commit_is_deleted_if_its_tombstone_is_still_in_the_log(tmp_path: Path) -> None:
    write_batches(tmp_path / FOLDER_OF_COMMITS, {4: commit(None), 6: commit(6)})
    assert offsets(tmp_path, 5) == {}


def test_share_groups_have_start_offsets(tmp_path: Path) -> None:
    def state(name: str, value: Any) -> Record:
        return coordinator_record(SHARES, name, {"group_id": "workers", "topic_id": ORDERS, "partition": 0}, value)

    topics = kafka.ShareGroupStatePartitionMetadataValue(
        initialized_topics=(TopicPartitionsInfo(topic_id=ORDERS, topic_name="orders", partitions=(0,)),)
    )
    names = coordinator_record(OFFSETS, "ShareGroupStatePartitionMetadata", {"group_id": "workers"}, topics)
    write_log(tmp_path / FOLDER_OF_COMMITS, [names])
    states = [kafka.ShareUpdateValue(start_offset=4), kafka.ShareUpdateValue(start_offset=-1), None]
    write_log(tmp_path / f"{SHARES}-0", [state("ShareUpdate", value) for value in states])
    assert [offsets(tmp_path, second) for second in range(3)] == [{("workers", "orders"): 4}] * 2 + [{}]


def test_timestamps_out_of_order_are_noted(tmp_path: Path) -> None:
    batches = [
        Batch(offset, [Data(commit(offset).value, commit(offset).key)], base_timestamp=at(second)).encode()
        for offset, second in enumerate([0, 5, 3])
    ]
    write_segment(tmp_path / FOLDER_OF_COMMITS, 0, batches)
    state = cluster_state(tmp_path, at(4), tables=["commits"])
    assert [row["offset"] for row in state["commits"].to_pylist()] == [0]
    (note,) = state.notes
    assert note.startswith("groups: timestamps in __consumer_offsets-0 are not in order")


# Folders.


def test_a_note_reports_a_missing_topic(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / FOLDER, [topic()])
    write_log(tmp_path / "b" / FOLDER_OF_COMMITS, [commit(1)])
    metadata = cluster_state(tmp_path / "a")
    assert "commits" not in metadata.tables
    assert metadata.notes == (f"no __consumer_offsets in {tmp_path / 'a'}; the state does not include it",)
    commits = cluster_state(tmp_path / "b")
    assert [*commits.tables] == ["commits"]
    assert commits.notes == (f"no __cluster_metadata in {tmp_path / 'b'}; the state does not include it",)
    both = cluster_state([tmp_path / "a", tmp_path / "b"])
    assert (both["topics"].num_rows, both["commits"].num_rows, both.notes) == (1, 1, ())
    with pytest.raises(LogPathError, match="no __cluster_metadata in"):
        cluster_state(tmp_path / "b", tables=["quotas"])
    write_log(tmp_path / "c" / "orders-0", [Record("orders", None, b"x")])
    with pytest.raises(LogPathError, match="no __cluster_metadata in"):
        cluster_state(tmp_path / "c")


def test_missing_partitions_of_consumer_offsets_are_noted(tmp_path: Path) -> None:
    partitions = [partition(number=number) for number in range(4)]
    write_log(tmp_path / FOLDER, [topic(OFFSETS), *partitions])
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1)])
    # An existing partition without records is not missing.
    write_segment(tmp_path / f"{OFFSETS}-2", 0, [])
    (note,) = cluster_state(tmp_path).notes
    assert note == "groups: the logs do not have partitions 1, 3 of __consumer_offsets, so commits are missing"
    # The metadata is not read, so the number of partitions is unknown.
    (note,) = cluster_state(tmp_path, tables=["commits"]).notes
    assert note == "groups: the logs do not have partitions 1 of __consumer_offsets, so commits are missing"


def test_missing_partitions_of_share_group_state_are_noted(tmp_path: Path) -> None:
    partitions = [partition(number=number) for number in range(12)]
    write_log(tmp_path / FOLDER, [topic(SHARES), *partitions])
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1)])
    (note,) = cluster_state(tmp_path).notes
    numbers = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"
    assert note == f"groups: the logs do not have partitions {numbers} of {SHARES}, so commits are missing"


def test_folders_of_two_clusters_are_refused(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / FOLDER, [topic()])
    write_log(tmp_path / "b" / FOLDER_OF_COMMITS, [commit(1)])
    (tmp_path / "a" / "meta.properties").write_text("#\ncluster.id=one\nversion=1\n")
    assert cluster_state([tmp_path / "a", tmp_path / "b"]).notes == ()
    (tmp_path / "b" / "meta.properties").write_text("cluster.id=two\n")
    folders = f"{tmp_path / 'a'} and {tmp_path / 'b'}"
    message = f"{folders} belong to different clusters (one, two): pass the logs of one cluster only"
    with pytest.raises(LogPathError, match=re.escape(message)):
        cluster_state([tmp_path / "a", tmp_path / "b"])
    assert offsets([tmp_path / "b"]) == {BILLING: 1}


def test_an_error_quotes_the_beginning_of_a_cluster_id(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / FOLDER, [topic()])
    write_log(tmp_path / "b" / FOLDER_OF_COMMITS, [commit(1)])
    for name in "ab":
        (tmp_path / name / "meta.properties").write_text(f"cluster.id={name * 3000}\n")
    with pytest.raises(LogPathError, match=rf"\({'a' * 100}\.\.\., {'b' * 100}\.\.\.\)"):
        cluster_state([tmp_path / "a", tmp_path / "b"])


@pytest.mark.parametrize("tables", [[], "topics"])
def test_an_invalid_list_of_tables_is_an_error(tables: str | list[str], tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [topic()])
    with pytest.raises(ValueError, match=r"^expected a list of tables: topics, partitions, configs"):
        cluster_state(tmp_path, tables=tables)


def test_replicas_are_read_as_one_log(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / FOLDER_OF_COMMITS, [commit(1), commit(2)])
    write_log(tmp_path / "b" / FOLDER_OF_COMMITS, [commit(1)])
    write_log(tmp_path / "b" / f"{OFFSETS}-1", [commit(9, "audits")])
    assert offsets([tmp_path / "a", tmp_path / "b"]) == {BILLING: 2, AUDITS: 9}


def test_damage_is_counted(tmp_path: Path) -> None:
    good = commit(2)
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1), Record(OFFSETS, good.key, (good.value or b"")[:-1])])
    counts = HistoryCounts()
    state = cluster_state(tmp_path, tables=["commits"], counts=counts)
    assert [row["offset"] for row in state["commits"].to_pylist()] == [1]
    assert (counts.rows, counts.malformed) == (2, 1)
    assert state.notes == ("groups: 1 of 2 records could not be read; the state does not include them",)


def test_a_state_from_rows_contains_both_metadata_and_commits(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [topic()])
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1)])
    state = cluster_state(pa.table(read_log(tmp_path, include_control=True)))
    assert (state["topics"].num_rows, state["commits"].num_rows, state.notes) == (1, 1, ())


def test_records_written_while_the_log_is_read_do_not_count(tmp_path: Path) -> None:
    write_log(tmp_path / FOLDER, [topic(), topic("payments", UUID(int=2))])
    write_log(tmp_path / FOLDER_OF_COMMITS, [commit(1), commit(2), commit(3, "audits")])
    rows = pa.table(read_log(tmp_path, include_control=True)).combine_chunks()
    first = rows.filter(pc.equal(rows.column("offset"), 0))
    readings = iter([first])
    growing = ColumnStream(rows.schema, lambda: iter(next(readings, rows).to_batches()))
    assert cluster_state(growing, tables=["topics"])["topics"].num_rows == 1


def test_a_commit_hidden_by_damage_is_unknown(tmp_path: Path) -> None:
    segment = write_batches(tmp_path / FOLDER_OF_COMMITS, {0: commit(1), 1: commit(2, "audits"), 2: commit(3)})
    data = bytearray(segment.read_bytes())
    data[len(data) // 3 - 1] ^= 1
    segment.write_bytes(data)
    assert offsets(tmp_path, 1) == {AUDITS: 2, BILLING: "unknown"}
