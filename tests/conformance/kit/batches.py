"""Record batches of every codec and magic, valid and damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tests.native.record_batches import CODECS, CONTROL, LOG_APPEND_TIME, TRANSACTIONAL, Batch, Record, log

_OLD_MESSAGES: Final = Path(__file__).parents[2] / "arrow" / "log" / "old_messages.jsonl"
_HEADERS: Final = ((b"unit", b"C"), (b"empty", b""), (b"null", None), (b"unit", b"again"))
_MANY: Final = (
    Record(key=b"key", value=b"value " * 20),
    Record(1, -5, key=None, value=None),
    Record(2, 2**33, key=b"", value=b"", headers=_HEADERS),
    Record(7, 1, key=bytes(range(256)), value=b"\0" * 300),
)
_CASES: Final = {
    "one-record": Batch(),
    "many-records": Batch(_MANY, base_offset=2**40, leader_epoch=7),
    "log-append-time": Batch(_MANY[:2], attributes=LOG_APPEND_TIME),
    "idempotent": Batch(_MANY[:2], producer_id=2**40, producer_epoch=3, base_sequence=2**31 - 1),
    "transactional": Batch(_MANY[:2], attributes=TRANSACTIONAL, producer_id=9, producer_epoch=0, base_sequence=0),
}
_COMMIT: Final = Record(key=bytes.fromhex("00000001"), value=bytes.fromhex("000000000000"))
_DAMAGE: Final = {"crc": {"crc": 1}, "record-count": {"count": 5}, "unknown-codec": {"codec_number": 5}}
"""Wrong parts of a batch, by reason."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Bytes of batches; ``reason`` is why readers should refuse them, and ``rows`` are the expected records."""

    magic: int
    codec: str
    case: str
    data: bytes
    rows: tuple[tuple[int, int], ...] = ()
    reason: str | None = None

    def about(self) -> dict[str, Any]:
        """Return the keys of a line that do not depend on releases."""
        about = {"magic": self.magic, "codec": self.codec, "case": self.case}
        return about | ({"reason": self.reason} if self.reason else {}) | {"hex": self.data.hex()}

    def agrees(self, batches: list[dict[str, Any]]) -> bool:
        """Whether batches as Java reads them have the offsets and times that were written."""
        found = [(record["offset"], record["timestamp"]) for batch in batches for record in batch["records"]]
        return tuple(found) == self.rows


def all_batches() -> Iterator[Batches]:
    """Yield the valid batches in the order of magic, codec and case, then the damaged batches."""
    for text in _OLD_MESSAGES.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        case = {-1: "messages", 0: "create-time", 1: "log-append-time"}[line["timestampType"]]
        rows = tuple((row[0], row[1]) for row in line["rows"])
        yield Batches(line["magic"], line["codec"], case, bytes.fromhex(line["hex"]), rows)
    for codec in CODECS:
        for case, batch in _CASES.items():
            yield _line(codec, case, [replace(batch, codec=codec)])
        yield _line(codec, "two-batches", [Batch(codec=codec), Batch(_MANY, base_offset=1, codec=codec)])
    yield _line("snappy", "snappy-frames", [Batch(_MANY, codec="snappy", snappy_block=64)])
    marker = Batch((_COMMIT,), attributes=TRANSACTIONAL | CONTROL, producer_id=9, producer_epoch=0)
    yield _line("none", "commit-marker", [marker])
    yield _line("none", "no-records", [Batch((), base_offset=5, change={"last_offset_delta": 3, "max_timestamp": -1})])
    for reason, change in _DAMAGE.items():
        yield Batches(2, "none", "one-record", Batch(change=change).encoded, reason=reason)
    data = Batch().encoded
    yield Batches(2, "none", "one-record", data[:16] + b"\x03" + data[17:], reason="unknown-magic")
    for codec in CODECS[1:]:
        yield Batches(
            2,
            codec,
            "one-record",
            Batch(codec=codec, change={"compressed": b"\xff\0" * 9}).encoded,
            reason="compressed-data",
        )


def _line(codec: str, case: str, batches: list[Batch]) -> Batches:
    data, rows = log(batches)
    return Batches(2, codec, case, data, tuple((row["offset"], row["timestamp"]) for row in rows))
