"""Damaged batches raise an error with its position in both engines, and are never read as a different batch."""

from __future__ import annotations

import dataclasses
import struct
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import DecodeError, EncodeError, Record, RecordBatch, RecordHeader, read_records
from messagegen_kafka._runtime.records import decoding, encoding
from tests.runtime.records.engines import agreed, engines, running
from tests.runtime.records.made import CODECS, batches, outcomes
from tests.support.profiles import examples

RECORDS = (
    Record(timestamp=1_000, key=b"key", value=b"value" * 4, headers=(RecordHeader(key="h", value=b"v"),)),
    Record(timestamp=900, value=b"", headers=(RecordHeader(key="é"), RecordHeader())),
    Record(timestamp=70_000, key=b""),
)


@pytest.mark.slow
@pytest.mark.parametrize("codec", CODECS)
def test_a_flipped_bit_is_an_error_unless_the_checksum_omits_its_field(codec: str) -> None:
    batch = RecordBatch.of(RECORDS, compression=codec, base_offset=5)  # type: ignore[arg-type]
    data = batch.to_bytes()
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        first, *_ = agreed(bytes(damaged))
        if isinstance(first, RecordBatch):
            # The checksum leaves out the base offset and the leader epoch, because brokers set them later.
            shift = batch.base_offset - first.base_offset
            moved = tuple(dataclasses.replace(one, offset=one.offset + shift) for one in first.records)
            epoch = batch.partition_leader_epoch
            assert batch == dataclasses.replace(
                first, base_offset=batch.base_offset, partition_leader_epoch=epoch, records=moved
            )


@examples(60)
@given(batch=batches(compression="none"), data=st.data())
def test_engines_agree_on_records_that_are_damaged_with_a_right_checksum(
    batch: RecordBatch, data: st.DataObject
) -> None:
    written = bytearray(batch.to_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    agreed(bytes(written), check_crcs=False)
    agreed(bytes(written[:60]) + bytes(written), check_crcs=False)


def record_bytes(*parts: int, count: int = 1, more: bytes = b"") -> bytes:
    """Return a batch whose only record has the given bytes after its length; ``more`` follows the record."""
    payload = bytes([2 * len(parts), *parts]) + more
    head = struct.pack(">hiqqqhii", 0, 0, 0, 0, -1, -1, -1, count)
    return struct.pack(">qiibI", 0, 49 + len(payload), -1, 2, 0) + head + payload


CASES = [
    (record_bytes(0, 0, 0, 20, 1, 0), "records[0]", "the bytes end early", 61),
    (record_bytes(0, 0, 0, 1, 1, 1), "records[0]", "invalid number of headers: -1", 61),
    (record_bytes(0, 0, 0, 1, 1, 2, 1, 0), "records[0]", "the key of a header is null", 61),
    (record_bytes(0, 0, 0, 1, 1, 0, 9), "records[0]", "the record has 7 bytes, but its parts take 6", 61),
    (record_bytes(0, 0, 0, 1, 1, 0, count=2, more=b"\1"), "records[1]", "invalid record length", 68),
    (record_bytes(0, 0, 0, 1, 1, 0, more=b"\0"), "records", "extra bytes after the last record: 1", 68),
    (record_bytes(*[0x80] * 12, 0), "records[0]", "the varint is too long for 64 bits", 61),
]


@pytest.mark.parametrize(("data", "path", "reason", "offset"), CASES)
def test_errors_locate_the_invalid_part_of_a_record(data: bytes, path: str, reason: str, offset: int) -> None:
    agreed(data, check_crcs=False)
    with pytest.raises(DecodeError) as caught:
        next(read_records(data, check_crcs=False))
    assert (caught.value.path, caught.value.reason, caught.value.offset) == (path, reason, offset)


@engines
def test_reading_goes_on_after_a_damaged_batch(engine: str) -> None:
    first, second = (RecordBatch.of(RECORDS[:number]) for number in (1, 2))
    data = bytearray(first.to_bytes() + second.to_bytes())
    data[70] ^= 1
    with running(engine):
        found = outcomes(bytes(data))
    crc = "crc: the checksum is wrong: the batch was damaged (RecordBatch version 2, byte 17)"
    assert found == [("DecodeError", crc), second, "end", len(data)]


def test_a_batch_that_was_cut_off_is_not_an_error() -> None:
    batch = RecordBatch.of(RECORDS)
    data = batch.to_bytes()
    for size in range(1, len(data)):
        assert outcomes(data + data[:size]) == [batch, "truncated", len(data)]
    assert outcomes(data + bytes(100)) == [batch, "preallocated", len(data)]


def test_impossible_lengths_are_errors() -> None:
    reason = "length: invalid batch length; the position of the next batch is unknown (RecordBatch version 2, byte 8)"
    assert agreed(bytes(11) + b"\5" + bytes(60)) == [("DecodeError", reason), "damaged", 0]
    reason = "length: a batch has at least 61 bytes, not 32 (RecordBatch version 2, byte 8)"
    assert agreed(struct.pack(">qiib", 0, 20, 0, 2) + bytes(15)) == [("DecodeError", reason), "end", 32]
    reason = "magic: unsupported magic 3: only batches of magic 2 can be read"
    (_, text), stopped, position = agreed(struct.pack(">qiib", 0, 20, 0, 3) + bytes(15))
    assert (text.startswith(reason), stopped, position) == (True, "end", 32)


def header_with(field: str, value: int) -> bytes:
    """Return a batch of three records with a changed value in its header."""
    place, size = {"count": (57, 4), "attributes": (21, 2)}[field]
    data = bytearray(RecordBatch.of(RECORDS).to_bytes())
    data[place : place + size] = value.to_bytes(size, "big", signed=True)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "options", "error"),
    [
        (header_with("count", -1), {}, "records: invalid number of records: -1; the maximum is max_records=1000000"),
        (header_with("count", 2), {}, "extra bytes after the last record"),
        (header_with("count", 99), {}, "records[3]: the bytes end early"),
        (header_with("attributes", 6), {}, "records: unknown compression type 6"),
        *(
            (header_with("attributes", number), {}, f"records: the records can't be decompressed ({codec})")
            for number, codec in enumerate(CODECS[1:], 1)
        ),
        (
            header_with("count", 3),
            {"max_records": 2},
            "records: invalid number of records: 3; the maximum is max_records=2",
        ),
        (
            RecordBatch(records=RECORDS[:2]).to_bytes(),
            {"max_records": 2},
            "records[1]: the records of the batch have too many headers",
        ),
    ],
)
def test_errors_locate_the_invalid_part_of_a_batch(data: bytes, options: dict[str, int], error: str) -> None:
    (kind, text), *_ = agreed(data, check_crcs=False, **options)
    assert (kind, error in text) == ("DecodeError", True), text


@pytest.mark.parametrize("codec", CODECS[1:])
def test_decompressed_records_are_limited(codec: str) -> None:
    batch = RecordBatch.of([Record(value=bytes(1 << 20))], compression=codec)  # type: ignore[arg-type]
    data = batch.to_bytes()
    (kind, text), *_ = agreed(data, max_batch_bytes=1 << 20)
    limit = "records: the decompressed records take more than 1048576 bytes; to allow more, pass max_batch_bytes=..."
    assert (kind, text) == ("DecodeError", f"{limit} (RecordBatch version 2, byte 61)")
    assert agreed(data, max_batch_bytes=(1 << 20) + 100)[0] == batch


@pytest.mark.parametrize("cut", range(1, 20))
def test_gzip_that_was_cut_off_is_an_error(cut: int) -> None:
    data = bytearray(RecordBatch.of(RECORDS, compression="gzip").to_bytes()[:-cut])
    data[8:12] = (len(data) - 12).to_bytes(4, "big")
    (kind, text), *_ = agreed(bytes(data), check_crcs=False)
    assert (kind, text[:48]) == ("DecodeError", "records: the records can't be decompressed (gzip")


def test_the_size_limit_also_applies_to_custom_decompressors() -> None:
    data = RecordBatch.of(RECORDS, compression="gzip").to_bytes()
    for found in (bytes(101), None):
        (_, text), *_ = outcomes(data, max_batch_bytes=100, decompressors={"gzip": lambda *_, found=found: found})
        assert text.startswith("records: the decompressed records take more than 100 bytes")


def test_damage_within_compressed_records_is_reported_at_the_first_compressed_byte() -> None:
    data = RecordBatch(records=RECORDS, compression="gzip", last_offset_delta=2).to_bytes()
    broken = Record(value=b"v")
    payload = RecordBatch(records=(broken, broken)).to_bytes()[61:-1]
    (_, text), *_ = outcomes(data, decompressors={"gzip": lambda *_: payload})
    assert text == "records[1]: the bytes end early (RecordBatch version 2, byte 61)"


def test_batches_that_end_before_an_offset_are_skipped() -> None:
    first, second = RecordBatch.of(RECORDS, base_offset=5), RecordBatch.of(RECORDS, base_offset=8)
    data = bytearray(first.to_bytes() + second.to_bytes())
    data[17] ^= 1  # The checksums of skipped batches are not checked.
    assert outcomes(bytes(data), min_offset=8) == [second, "end", len(data)]
    assert outcomes(bytes(data), min_offset=7)[0][0] == "DecodeError"


def test_a_batch_with_an_impossible_length_or_magic_is_damaged() -> None:
    assert outcomes(struct.pack(">qiib", 0, 13, 0, 0) + bytes(8))[1:] == ["damaged", 0]
    assert outcomes(struct.pack(">qiib", 0, 14, 0, 0) + bytes(9))[1:] == ["end", 26]
    assert outcomes(struct.pack(">qiib", 0, 99, 0, 2) + bytes(9)) == ["truncated", 0]
    assert outcomes(struct.pack(">qiib", 0, 99, 0, 3) + bytes(9))[1:] == ["damaged", 0]


def test_records_and_batches_above_the_maximum_length_are_errors() -> None:
    record = Record(value=bytes(20))
    data = RecordBatch.of([record]).to_bytes()
    with running("python"), patch.object(decoding, "LONGEST", 25), patch.object(encoding, "LONGEST", 25):
        assert outcomes(data)[0][1].startswith("records[0]: invalid record length")
        with pytest.raises(EncodeError, match=r"^records\[0\].length: expected at most 25 bytes, got 26"):
            RecordBatch.of([record]).to_bytes()
    with (
        patch(f"{RecordBatch.__module__}.compress", return_value=Huge()),
        pytest.raises(EncodeError, match="expected less than 2 GiB"),
    ):
        RecordBatch.of([record], compression="gzip").to_bytes()


class Huge(bytes):
    """Bytes whose length is too large for a batch."""

    def __len__(self) -> int:
        return 1 << 31
