"""The options of ``kafka-log``, as texts and as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, Literal

from messagegen_arrow.content_options import CONTENT_OPTIONS, ContentOptions
from messagegen_arrow.log.checkpoints import with_high_watermark, with_log_start
from messagegen_arrow.log.files import PartitionLog
from messagegen_arrow.log.kafka_options import (
    PartitionNumbers,
    assignment,
    ending_offsets,
    starting_offsets,
    times,
    with_own_names,
)
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_arrow.options import (
    OptionError,
    byte_count,
    count,
    flag,
    listed,
    number_ranges,
    parse_options,
    whole_number,
    without_table_properties,
)
from messagegen_arrow.records.engine import MAX_BATCH_BYTES
from messagegen_arrow.records.pure_reader import Bounds
from messagegen_arrow.task_size import MEBIBYTE

IsolationLevel = Literal["read_uncommitted", "read_committed"]
TimeStrategy = Literal["error", "latest"]

_MAX_COLUMN_BYTES: Final = (1 << 31) - 1
"""What a column of bytes in Arrow holds."""
_NO_BOUNDS: Final = Bounds()


@dataclass(frozen=True)
class LogOptions:
    """The options of ``kafka-log``; ``docs/spark.md`` explains them."""

    path: str | None = None
    paths: str | None = None
    topics: frozenset[str | None] | None = None
    """Names; ``None`` among them stands for folders that do not say their topic."""
    topics_pattern: str | None = None
    partitions: tuple[range, ...] | None = None
    starting_offset: int | None = None
    ending_offset: int | None = None
    starting_timestamp: int | None = None
    ending_timestamp: int | None = None
    assign: frozenset[tuple[str, int]] | None = None
    starting_offsets: str | PartitionNumbers = "earliest"
    ending_offsets: str | PartitionNumbers = "latest"
    starting_offsets_by_timestamp: PartitionNumbers | None = None
    ending_offsets_by_timestamp: PartitionNumbers | None = None
    starting_offsets_by_timestamp_strategy: TimeStrategy = "error"
    include_headers: bool = True
    from_log_start: bool = True
    until_high_watermark: bool = False
    include_control: bool = False
    isolation_level: IsolationLevel = "read_uncommitted"
    until_last_stable_offset: bool = True
    columns: tuple[str, ...] | None = None
    mode: Mode = "PERMISSIVE"
    verify_checksum: bool = True
    fail_on_truncated: bool = False
    fail_on_data_loss: bool = True
    max_batch_bytes: int = MAX_BATCH_BYTES
    max_partition_bytes: int = 128 * MEBIBYTE
    min_partitions: int = 1
    max_bytes_per_trigger: int | None = None
    max_offsets_per_trigger: int | None = None
    max_records_per_batch: int = 32_768
    content: ContentOptions | None = None
    """What keys and values are decoded to; ``None``: they stay bytes."""

    @classmethod
    def parse(cls, options: Mapping[str, str], without: Collection[str] = ()) -> LogOptions:
        """The options as Spark hands them over; case of names does not count. Options named in ``without`` are unknown.

        Raises ``OptionError``.
        """
        own = with_own_names(without_table_properties(options))
        known = {name: parser for name, parser in _OPTIONS.items() if name not in without}
        values = parse_options("kafka-log", own, known)
        if "maxOffsetsPerTrigger" in values and "maxBytesPerTrigger" in values:
            raise OptionError(
                "options maxOffsetsPerTrigger and maxBytesPerTrigger: only one says how much a trigger takes"
            )
        content = ContentOptions.of({name: values.pop(name) for name in CONTENT_OPTIONS if name in values})
        return cls(content=content, **{_attribute(name): value for name, value in values.items()})

    @property
    def bounds(self) -> Bounds:
        """The offsets and timestamps that are wanted, inclusive."""
        return Bounds(
            min_offset=_or(self.starting_offset, _NO_BOUNDS.min_offset),
            max_offset=_or(self.ending_offset, _NO_BOUNDS.max_offset + 1) - 1,
            min_timestamp=_or(self.starting_timestamp, _NO_BOUNDS.min_timestamp),
            max_timestamp=_or(self.ending_timestamp, _NO_BOUNDS.max_timestamp + 1) - 1,
        )

    def take_partition(self, topic: str | None, partition: int | None) -> bool:
        """Whether records of a topic and partition are wanted."""
        if self.assign is not None and (topic, partition) not in self.assign:
            return False
        if self.topics is not None and topic not in self.topics:
            return False
        if self._pattern is not None and (topic is None or not self._pattern.fullmatch(topic)):
            return False
        return self.partitions is None or any(partition in numbers for numbers in self.partitions)

    def limited(self, logs: list[PartitionLog]) -> list[PartitionLog]:
        """The logs from their log start offsets on and up to their high watermarks, as wanted. Raises ``LogPathError``."""
        if self.from_log_start:
            logs = with_log_start(logs)
        return with_high_watermark(logs) if self.until_high_watermark else logs

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return None if self.topics_pattern is None else re.compile(self.topics_pattern)


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _attribute(option: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda match: "_" + match[1].lower(), option)


def _names(text: str) -> frozenset[str]:
    return frozenset(listed(text))


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as problem:
        raise ValueError(f"invalid regular expression {text!r}: {problem}") from None
    return text


def _offset(text: str) -> int:
    return whole_number(text, least=0)


def _timestamp(text: str) -> int:
    """Milliseconds since 1970, or a time in ISO 8601, which is UTC where it does not say."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"expected milliseconds since 1970 or a time such as 2026-03-01T12:00:00Z, not {text!r}"
        ) from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - datetime.fromtimestamp(0, UTC)) // _MILLISECOND


def _batch_bytes(text: str) -> int:
    return byte_count(text, _MAX_COLUMN_BYTES)


def _one_of(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}, not {text!r}")
        return text.lower()

    return parse


_MILLISECOND: Final = datetime.resolution * 1000

_OPTIONS: Final[dict[str, Callable[[str], Any]]] = {
    "path": str,
    "paths": str,
    "topics": _names,
    "topicsPattern": _pattern,
    "partitions": number_ranges,
    "startingOffset": _offset,
    "endingOffset": _offset,
    "startingTimestamp": _timestamp,
    "endingTimestamp": _timestamp,
    "assign": assignment,
    "startingOffsets": starting_offsets,
    "endingOffsets": ending_offsets,
    "startingOffsetsByTimestamp": times,
    "endingOffsetsByTimestamp": times,
    "startingOffsetsByTimestampStrategy": _one_of("error", "latest"),
    "includeHeaders": flag,
    "fromLogStart": flag,
    "untilHighWatermark": flag,
    "includeControl": flag,
    "isolationLevel": _one_of("read_uncommitted", "read_committed"),
    "untilLastStableOffset": flag,
    "columns": listed,
    "mode": check_mode,
    "verifyChecksum": flag,
    "failOnTruncated": flag,
    "failOnDataLoss": flag,
    "maxBatchBytes": _batch_bytes,
    "maxPartitionBytes": byte_count,
    "minPartitions": count,
    "maxBytesPerTrigger": byte_count,
    "maxOffsetsPerTrigger": count,
    "maxRecordsPerBatch": count,
    **CONTENT_OPTIONS,
}
