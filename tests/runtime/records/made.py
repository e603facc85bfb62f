"""Makes batches for tests, some of them random, and records the outcomes of reading bytes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from hypothesis import strategies as st

from messagegen_kafka import Record, RecordBatch, RecordHeader, read_records

HAS_NATIVE = find_spec("messagegen_native") is not None
CODECS: tuple[Any, ...] = ("none", "gzip", *("snappy", "lz4", "zstd") * HAS_NATIVE)

_int64 = st.integers(-(1 << 63), (1 << 63) - 1)
_times = st.integers(-1, 1 << 42)
_bytes = st.none() | st.binary(max_size=200) | st.binary(min_size=1, max_size=9).map(lambda piece: piece * 200)
_headers = st.builds(RecordHeader, key=st.text(max_size=9), value=_bytes)


@st.composite
def batches(draw: st.DrawFn, /, **fields: Any) -> RecordBatch:
    """Draw a batch that can be written and read back unchanged."""
    base_offset = draw(st.integers(0, 1 << 62))
    base_timestamp = draw(_times)
    offsets = draw(st.lists(st.integers(0, 5000), max_size=12, unique=True).map(sorted))
    appended = draw(st.booleans())
    max_timestamp = draw(_times)
    records = tuple(
        Record(
            offset=base_offset + offset,
            timestamp=max_timestamp if appended else draw(_times),
            key=draw(_bytes),
            value=draw(_bytes),
            headers=tuple(draw(st.lists(_headers, max_size=3))),
        )
        for offset in offsets
    )
    made: dict[str, Any] = {
        "base_offset": base_offset,
        "compression": draw(st.sampled_from(CODECS)),
        "timestamp_type": "LogAppendTime" if appended else "CreateTime",
        "is_transactional": draw(st.booleans()),
        "is_control": draw(st.booleans()),
        "has_delete_horizon": draw(st.booleans()),
        "partition_leader_epoch": draw(st.integers(-1, (1 << 31) - 1)),
        "producer_id": draw(_int64),
        "producer_epoch": draw(st.integers(-(1 << 15), (1 << 15) - 1)),
        "base_sequence": draw(st.integers(-1, (1 << 31) - 1)),
        "last_offset_delta": offsets[-1] if offsets else 0,
        "base_timestamp": base_timestamp,
        "max_timestamp": max_timestamp,
        "records": records,
    }
    return RecordBatch(**(made | fields))


def outcomes(data: bytes, **options: Any) -> list[Any]:
    """Read bytes, and return the batches, the errors, and the position where reading ends."""
    found: list[Any] = []
    reader = read_records(data, **options)
    while True:
        try:
            found.append(next(reader))
        except StopIteration:
            return [*found, reader.stopped, reader.position]
        except ValueError as error:
            found.append((type(error).__name__, str(error)))
