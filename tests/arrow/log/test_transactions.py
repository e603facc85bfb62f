"""``read_committed`` returns the committed records of the whole log, whatever happens to the broker's other files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arrow.support.log_model import BrokerLog, Logged
from tests.arrow.support.log_reading import Source, values

PRODUCERS = st.integers(0, 3)
EVENTS = st.one_of(
    st.tuples(st.just("data"), PRODUCERS, st.integers(1, 3)),
    st.tuples(st.just("end"), PRODUCERS, st.booleans()),
    st.tuples(st.just("plain"), st.just(0), st.integers(1, 3)),
    st.tuples(st.just("roll"), st.just(0), st.just(0)),
)
SIDE_FILES = ("*.snapshot", "*.txnindex", "*.index", "*.timeindex")


def history(folder: Path, events: list[tuple[str, int, int]], *, shut_down: bool) -> BrokerLog:
    log = BrokerLog(folder, interval=100)
    for kind, producer, number in events:
        if kind == "data":
            log.data(number, producer=producer)
        elif kind == "end":
            log.end(producer, commit=bool(number))
        elif kind == "plain":
            log.data(number)
        else:
            log.roll()
    if shut_down:
        log.take_snapshot()
    return log


def committed(logged: list[Logged], first: int = 0, last: int = 1 << 62) -> list[bytes]:
    """Return the values that a consumer reads, computed from all records."""
    stable = 1 << 62
    ends = {}
    for number, each in enumerate(logged):
        after = (
            later for later in logged[number + 1 :] if later.producer == each.producer and later.commit is not None
        )
        if each.producer is not None and each.commit is None:
            ends[number] = next(after, None)
            if ends[number] is None and each.base_offset <= last:
                stable = min(stable, each.base_offset)
    found: list[bytes] = []
    for number, each in enumerate(logged):
        end = ends.get(number)
        if each.commit is None and (number not in ends or (end is not None and end.commit)):
            offsets = range(max(each.base_offset, first), min(each.next_offset, last + 1, stable))
            found += [str(offset).encode() for offset in offsets]
    return found


def clean(log: BrokerLog, keep: Callable[[], bool]) -> None:
    """Drop batches, as the log cleaner does, and the markers of transactions without remaining batches."""
    stable = min(log.open.values(), default=log.next_offset)
    kept: list[Logged] = []
    for number, each in enumerate(log.logged):
        is_cleaned = each.base_offset < min(stable, log.segments[-1].base_offset)
        ends_something = each.commit is not None and any(
            before.producer == each.producer and before.commit is None
            for before in kept[_last_marker(kept, each.producer) :]
        )
        if not is_cleaned or ends_something or keep():
            kept.append(log.logged[number])
    removed = {each.base_offset for each in log.logged} - {each.base_offset for each in kept}
    for segment in log.segments[:-1]:
        data, position = bytearray(), 0
        while position < len(segment.data):
            length = 12 + int.from_bytes(segment.data[position + 8 : position + 12], "big")
            batch = segment.data[position : position + length]
            if int.from_bytes(batch[:8], "big") not in removed:
                data += batch
            position += length
        segment.data = data
        segment.offset_index.clear()
    log.logged = kept


def _last_marker(logged: list[Logged], producer: int | None) -> int:
    numbers = [number for number, each in enumerate(logged) if each.producer == producer and each.commit is not None]
    return numbers[-1] + 1 if numbers else 0


def damage(folder: Path, data: st.DataObject) -> None:
    """Remove side files, cut them anywhere, or flip one of their bits."""
    for file in sorted(file for pattern in SIDE_FILES for file in folder.glob(pattern)):
        content = file.read_bytes()
        what = data.draw(st.sampled_from(["nothing", "gone", "cut", "flipped", "empty"]), label=file.name)
        if what == "gone":
            file.unlink()
        elif what == "cut":
            file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
        elif what == "flipped" and content:
            at = data.draw(st.integers(0, 8 * len(content) - 1))
            changed = bytearray(content)
            changed[at // 8] ^= 1 << at % 8
            file.write_bytes(changed)
        elif what == "empty":
            file.write_bytes(b"")


def made(root: Path, data: st.DataObject) -> list[Logged]:
    """Write a log with a random history, and return its remaining contents."""
    log = history(root / "ledger-0", data.draw(st.lists(EVENTS, max_size=40)), shut_down=data.draw(st.booleans()))
    if data.draw(st.booleans(), label="cleaned"):
        clean(log, lambda: data.draw(st.booleans()))
    folder = log.write()
    deleted = data.draw(st.integers(0, len(log.segments) - 1), label="deleted by retention")
    for segment in log.segments[:deleted]:
        for file in folder.glob(f"{segment.base_offset:020}.*"):
            file.unlink()
    # A copy may end before the log did, but contain snapshots of later offsets.
    end = cut_off(log, data.draw(st.integers(0, 5), label="batches that were not copied"))
    damage(folder, data)
    return [each for each in log.logged if log.segments[deleted].base_offset <= each.base_offset < end]


def cut_off(log: BrokerLog, batches: int) -> int:
    """Remove batches from the end of the last segment; return the offset before which the log now ends."""
    base = log.segments[-1].base_offset
    last = [each for each in log.logged if each.base_offset >= base]
    if not batches or not last:
        return log.next_offset
    kept = last[:-batches]
    file = log.folder / f"{base:020}.log"
    content, position = file.read_bytes(), 0
    for _ in kept:
        position += 12 + int.from_bytes(content[position + 8 : position + 12], "big")
    file.write_bytes(content[:position])
    return kept[-1].next_offset if kept else base


@settings(max_examples=20)
@given(st.data())
def test_committed_records_do_not_depend_on_side_files(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        logged = made(Path(folder), data)
        first = data.draw(st.integers(0, 60), label="first")
        last = data.draw(st.integers(first, 80), label="last")
        size = str(data.draw(st.sampled_from([1, 200, 1000, 1 << 20]), label="maxPartitionBytes"))
        options = {"isolationLevel": "read_committed", "maxPartitionBytes": size, "topics": "ledger"}
        assert values(folder + "/*-0", **options) == committed(logged)
        bounds = {"startingOffset": str(first), "endingOffset": str(last + 1)}
        found = values(folder + "/*-0", **options, **bounds)
        assert found == committed(logged, first, last)


@settings(max_examples=20)
@given(st.data())
def test_a_stream_reads_committed_records(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        logged = made(Path(folder), data)
        options = {"isolationLevel": "read_committed", "maxPartitionBytes": "300"}
        stream = Source(folder + "/*-0", **options)
        offsets: Any = stream.initial()
        found: list[bytes] = []
        size = data.draw(st.sampled_from([1, 300, 5000]), label="size")
        while (end := json.loads(json.dumps(stream.latest(offsets, max_bytes=size)))) != offsets:
            for task in stream.tasks_between(offsets, end):
                found += [row["value"] for table in stream.read(task) for row in table.to_pylist()]
            offsets = end
            if data.draw(st.booleans(), label="restart"):
                stream = Source(folder + "/*-0", **options)
        assert found == committed(logged)


def test_a_stream_rereads_transactions_of_a_truncated_log(tmp_path: Path) -> None:
    """After a leader change, a replica may be truncated, and grow again with different records."""
    path = BrokerLog(tmp_path / "ledger-0")
    path.data()
    path.data(producer=1)
    folder = path.write()
    stream = Source(folder, isolationLevel="read_committed")
    first = stream.latest({})
    other = BrokerLog(tmp_path / "ledger-0")
    other.data()
    other.data(3)
    other.write()
    second = stream.latest(first)
    found = [
        row["value"] for task in stream.tasks_between({}, second) for t in stream.read(task) for row in t.to_pylist()
    ]
    assert found == committed(other.logged)
