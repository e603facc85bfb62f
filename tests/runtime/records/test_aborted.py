"""Batches of aborted transactions are skipped, as by a ``read_committed`` consumer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import ControlRecord, DecodeError, EndTxnMarker, Record, RecordBatch, read_records
from messagegen_kafka.fetch_response import AbortedTransaction
from tests.support.profiles import examples

Kind = Literal["data", "plain", "ABORT", "COMMIT"]
PRODUCERS: Final = 4


@dataclass(frozen=True)
class Written:
    """A batch in a log: a producer's records, or the end marker of its transaction."""

    kind: Kind
    producer_id: int
    base_offset: int
    size: int

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.size - 1

    def batch(self) -> RecordBatch:
        """Return the batch as a broker stores it."""
        fields: dict[str, Any] = {
            "producer_id": self.producer_id,
            "producer_epoch": 0,
            "is_transactional": self.kind != "plain",
        }
        if self.kind in ("ABORT", "COMMIT"):
            records = [ControlRecord(type=self.kind, message=EndTxnMarker()).to_record()]
        else:
            records = [Record(value=b"%d" % (self.base_offset + each)) for each in range(self.size)]
        is_control = self.kind in ("ABORT", "COMMIT")
        return RecordBatch.of(records, base_offset=self.base_offset, is_control=is_control, **fields)


@st.composite
def logs(draw: st.DrawFn) -> list[Written]:
    """Draw the batches of a partition. Transactions that are still open at the end are aborted or committed there."""
    found: list[Written] = []
    offset = draw(st.integers(0, 3))
    running: set[int] = set()
    for _ in range(draw(st.integers(1, 25))):
        producer_id = draw(st.integers(-1, PRODUCERS))
        kinds: list[Kind] = ["plain"]
        if producer_id >= 0:
            kinds.extend(("data", "data"))
        if producer_id in running:
            kinds.extend(("ABORT", "COMMIT"))
        kind = draw(st.sampled_from(kinds))
        if kind == "data":
            running.add(producer_id)
        elif kind != "plain":
            running.discard(producer_id)
        size = draw(st.integers(1, 3)) if kind in ("plain", "data") else 1
        found.append(Written(kind, producer_id, offset, size))
        # Compaction leaves gaps.
        offset += size + draw(st.sampled_from([0, 0, 0, 5]))
    for producer_id in sorted(running):
        found.append(Written(draw(st.sampled_from(["ABORT", "COMMIT"])), producer_id, offset, 1))
        offset += 1
    return found


def fates(log: list[Written]) -> list[tuple[Written, str]]:
    """Return each batch with the end marker of its transaction, by looking ahead. This is the slow model."""
    ends: list[tuple[Written, str]] = []
    for number, written in enumerate(log):
        later = [each.kind for each in log[number:] if each.producer_id == written.producer_id]
        markers = [kind for kind in later if kind in ("ABORT", "COMMIT")]
        ends.append((written, markers[0] if written.kind == "data" else ""))
    return ends


def aborted_transactions(log: list[Written], first: int, last: int) -> list[AbortedTransaction]:
    """Return the aborted transactions that overlap the batches ``first`` to ``last``, as a broker lists them."""
    found: list[AbortedTransaction] = []
    begins: dict[int, int] = {}
    for written in log:
        if written.kind == "data":
            begins.setdefault(written.producer_id, written.base_offset)
        elif written.kind in ("ABORT", "COMMIT"):
            begin = begins.pop(written.producer_id)
            if written.kind == "ABORT" and begin <= log[last].last_offset and written.base_offset >= first:
                found.append(AbortedTransaction(producer_id=written.producer_id, first_offset=begin))
    return found


def values(batches: list[RecordBatch]) -> list[bytes | None]:
    return [record.value for batch in batches if not batch.is_control for record in batch.records]


@pytest.mark.slow
@examples(300)
@given(st.data())
def test_aborted_batches_equal_a_model_that_looks_ahead(data: st.DataObject) -> None:
    log = data.draw(logs())
    first = data.draw(st.integers(0, len(log) - 1))
    last = data.draw(st.integers(first, len(log) - 1))
    aborted = data.draw(st.permutations(aborted_transactions(log, log[first].base_offset, last)))
    wanted = data.draw(st.integers(log[first].base_offset, log[last].last_offset + 1))

    content = b"".join(written.batch().to_bytes() for written in log[first : last + 1])
    batches = read_records(content, aborted=aborted, min_offset=wanted)
    found = list(batches)
    expected = [
        written for written, end in fates(log)[first : last + 1] if end != "ABORT" and written.last_offset >= wanted
    ]
    assert [batch.base_offset for batch in found] == [written.base_offset for written in expected]
    assert found == [written.batch() for written in expected]
    assert batches.next_offset == log[last].last_offset + 1
    assert batches.stopped == "end"


LOG: Final = [
    Written("data", 1, 0, 2),
    Written("data", 2, 2, 1),
    Written("plain", 1, 3, 1),
    Written("ABORT", 1, 4, 1),
    Written("data", 1, 5, 1),
    Written("COMMIT", 1, 6, 1),
    Written("COMMIT", 2, 7, 1),
]
CONTENT: Final = b"".join(written.batch().to_bytes() for written in LOG)
ABORTED: Final = (AbortedTransaction(producer_id=1, first_offset=0),)


def test_all_batches_are_read_without_aborted_transactions() -> None:
    nothing: list[AbortedTransaction] = []
    for none in (None, nothing):
        batches = read_records(CONTENT, aborted=none)
        assert values(list(batches)) == [b"0", b"1", b"2", b"3", b"5"]
        assert batches.next_offset == 8


def test_batches_of_aborted_transactions_are_skipped() -> None:
    found = list(read_records(CONTENT, aborted=ABORTED))
    assert values(found) == [b"2", b"3", b"5"]
    assert [batch.base_offset for batch in found if batch.is_control] == [4, 6, 7]


def test_an_abort_marker_before_min_offset_still_ends_its_transaction() -> None:
    assert values(list(read_records(CONTENT, aborted=ABORTED, min_offset=5))) == [b"5"]


def test_next_offset_is_after_the_last_skipped_batch() -> None:
    batches = read_records(LOG[0].batch().to_bytes(), aborted=ABORTED)
    assert batches.next_offset is None
    assert list(batches) == []
    assert batches.next_offset == 2


@pytest.mark.parametrize("key", [None, b"\x00\x00\x00", b"\xff\xff\x00\x00"])
def test_a_control_record_without_a_valid_key_ends_reading(key: bytes | None) -> None:
    marker = RecordBatch.of([Record(key=key)], producer_id=1, is_transactional=True, is_control=True)
    batches = read_records(marker.to_bytes() + CONTENT, aborted=ABORTED)
    with pytest.raises(DecodeError, match=r"records\[0\].key"):
        next(batches)
    assert list(batches) == []
    assert batches.stopped == "damaged"


def test_a_damaged_batch_ends_reading_with_aborted_transactions() -> None:
    damaged = bytearray(CONTENT)
    damaged[70] ^= 1
    batches = read_records(damaged, aborted=ABORTED)
    with pytest.raises(DecodeError, match="checksum"):
        next(batches)
    assert (list(batches), batches.stopped) == ([], "damaged")
