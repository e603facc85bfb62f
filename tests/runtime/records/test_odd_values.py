"""Records, headers, flags and strings of unusual types: both engines write them like values in messages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import ControlRecord, EncodeError, EndTxnMarker, Record, RecordBatch, RecordHeader, read_records
from messagegen_kafka.fetch_response import AbortedTransaction
from tests.runtime.records.engines import ENGINES, engines, running

# Type checkers would refuse these invalid values.
batch_of: Any = RecordBatch
read_of: Any = read_records


class OddTuple(tuple[Any, ...]):
    """A tuple that hides its elements from all overridable methods."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = tuple.__hash__

    def __bool__(self) -> bool:
        return False

    def __getitem__(self, key: Any) -> Any:
        raise AssertionError("called")


class OddList(list[Any]):
    """A list that hides its elements from all overridable methods."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None

    def __bool__(self) -> bool:
        return False

    def __getitem__(self, key: Any) -> Any:
        raise AssertionError("called")


class OddText(str):
    """A string that equals everything, and cannot be hashed."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class OddInt(int):
    """An int whose operators return other numbers."""

    def __sub__(self, other: object) -> int:
        return 99

    def __lt__(self, other: object) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return True

    def __index__(self) -> int:
        return 77

    __hash__ = int.__hash__


class OddBytes(bytes):
    """Bytes whose methods return a wrong length and wrong elements."""

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        return iter((9,))

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = bytes.__hash__


class OddRecord(Record):
    """A subclass of a record."""


class OddHeader(RecordHeader):
    """A subclass of a header."""


SEQUENCES: tuple[Callable[[Any], Any], ...] = (list, OddTuple, OddList)

_odd_sequence = st.sampled_from([tuple, *SEQUENCES])
_data = st.none() | st.binary(max_size=3)
_text = st.text(max_size=3, alphabet="aü\U0001f600")


def written(batch: RecordBatch) -> bytes:
    """Return the bytes of a batch, after checking that both engines agree."""
    found = []
    for engine in ENGINES:
        with running(engine):
            found.append(batch.to_bytes())
    assert len(set(found)) == 1
    return found[0]


def odd_data(data: bytes | None, draw: st.DrawFn) -> Any:
    if data is None:
        return None
    return draw(st.sampled_from([bytes, bytearray, memoryview, OddBytes]))(data)


@st.composite
def twins(draw: st.DrawFn) -> tuple[RecordBatch, RecordBatch]:
    """Draw two equal batches, one with plain values and one with unusual values."""
    plain, odd = [], []
    for offset in range(draw(st.integers(0, 3))):
        headers = draw(st.lists(st.tuples(_text, _data), max_size=2))
        key, value, time = draw(_data), draw(_data), draw(st.integers(0, 9))
        plain_headers = tuple([RecordHeader(key=name, value=data) for name, data in headers])
        plain.append(Record(offset=offset, timestamp=time, key=key, value=value, headers=plain_headers))
        header_class = draw(st.sampled_from([RecordHeader, OddHeader]))
        odd_headers = [header_class(key=OddText(name), value=odd_data(data, draw)) for name, data in headers]
        record_class: Any = draw(st.sampled_from([Record, OddRecord]))
        odd.append(
            record_class(
                offset=OddInt(offset),
                timestamp=OddInt(time),
                key=odd_data(key, draw),
                value=odd_data(value, draw),
                headers=draw(_odd_sequence)(odd_headers),
            )
        )
    flags = {name: draw(st.booleans()) for name in ("is_transactional", "is_control", "has_delete_horizon")}
    kind: Any = draw(st.sampled_from(["CreateTime", "LogAppendTime"]))
    return (
        batch_of(records=tuple(plain), timestamp_type=kind, base_timestamp=0, producer_id=4, **flags),
        batch_of(
            records=draw(_odd_sequence)(odd),
            magic=OddInt(2),
            compression=OddText("none"),
            timestamp_type=OddText(kind),
            base_timestamp=OddInt(0),
            producer_id=OddInt(4),
            **flags,
        ),
    )


@given(batches=twins())
def test_unusual_values_are_written_like_plain_ones(batches: tuple[RecordBatch, RecordBatch]) -> None:
    plain, odd = batches
    assert written(odd) == written(plain)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_batch_accepts_records_in_any_type_of_sequence(sequence: Callable[[Any], Any]) -> None:
    records = (Record(value=b"a", timestamp=1), Record(value=b"b", timestamp=2))
    assert RecordBatch.of(sequence(records)) == RecordBatch.of(records)


@engines
@pytest.mark.parametrize("sequence", [*SEQUENCES, iter])
def test_aborted_transactions_can_be_any_iterable(engine: str, sequence: Callable[[Any], Any]) -> None:
    data = RecordBatch.of([Record()], is_transactional=True, producer_id=4, producer_epoch=0).to_bytes()
    aborted = (AbortedTransaction(producer_id=4, first_offset=0),)
    with running(engine):
        assert [*read_records(data, aborted=sequence(aborted))] == []


@engines
@pytest.mark.parametrize("value", ["false", "", 0, 1, 1.0, None, (), OddInt(1)])
def test_a_batch_flag_that_is_not_a_bool_is_refused(engine: str, value: object) -> None:
    flags = [field.name for field in fields(RecordBatch) if isinstance(field.default, bool)]
    assert flags == ["is_transactional", "is_control", "has_delete_horizon"]
    for name in flags:
        for batch in (batch_of(**{name: value}), batch_of.of([Record()], **{name: value})):
            with running(engine), pytest.raises(EncodeError, match=f"^{name}: expected True or False, got") as caught:
                batch.to_bytes()
            assert caught.value.path == name


def test_a_bool_option_refuses_other_types() -> None:
    functions: list[Any] = [
        read_records,
        RecordBatch.of,
        RecordBatch.to_bytes,
        ControlRecord.of,
        ControlRecord.to_record,
    ]
    options = [
        name
        for function in functions
        for name, parameter in inspect.signature(function).parameters.items()
        if isinstance(parameter.default, bool)
    ]
    assert options == ["check_crcs"]
    with pytest.raises(TypeError, match="check_crcs: expected True or False, found 'false'"):
        read_of(b"", check_crcs="false")


@engines
@pytest.mark.parametrize("made", [bytes, bytearray, memoryview, OddBytes])
def test_custom_compressors_can_return_any_buffer_type(engine: str, made: Callable[[bytes], Any]) -> None:
    batch = RecordBatch.of([Record(key=b"k", value=b"v")], compression="lz4")
    with running(engine):
        data = batch.to_bytes(compressors={"lz4": made})
        (again,) = read_records(data, decompressors={"lz4": lambda data, _: made(data)})
    assert again == batch
    assert type(again.records[0].value) is bytes


@pytest.mark.parametrize("version", ["0", None, 0.0])
def test_control_records_with_a_wrong_version_are_refused(version: Any) -> None:
    with pytest.raises(ValueError, match="expected an int as the version of EndTxnMarker"):
        ControlRecord(type="COMMIT", version=version, message=EndTxnMarker()).to_record()


def test_all_public_names_of_records_are_listed() -> None:
    names = {name for name in dir(messagegen_kafka) if "ecord" in name and not name.endswith(("Request", "Response"))}
    found = {
        name
        for name in names
        if getattr(getattr(messagegen_kafka, name), "__module__", "").startswith("messagegen_kafka._runtime.records")
    }
    assert found == {"ControlRecord", "Record", "RecordBatch", "RecordBatches", "RecordHeader", "read_records"}
