"""Rows of ``kafka-log``: what a task makes of its ranges of files."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import OpenFile, opened, shown
from messagegen_arrow.log.columns import LOG_COLUMNS, LogColumn, log_columns, spark_timestamps
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import FileRange, settled
from messagegen_arrow.log.reading import ReadSettings, read_range, tail_row
from messagegen_arrow.log.recovery import first_byte
from messagegen_arrow.log.relocation import has_begin, is_as_planned, is_part, relocated
from messagegen_arrow.log.scan import Tail
from messagegen_arrow.log.tiered import check_plain
from messagegen_arrow.log.transactions.decisions import NEEDED_COLUMNS, Decisions, Place, decisions
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, MalformedMessageError
from messagegen_arrow.records.pure_reader import Bounds

_LOG: Final = logging.getLogger(__name__)


class DataLossError(RuntimeError):
    """Raised where bytes that should be read are gone."""


class TruncatedLogError(MalformedMessageError):
    """Raised under ``failOnTruncated`` for a file that ends within a batch."""


@dataclass(slots=True)
class Tally:
    """What a task has read; rows of damaged batches that a mode leaves out count as left out."""

    files: int = 0
    bytes: int = 0
    rows: int = 0
    damaged: int = 0
    left_out: int = 0

    def __str__(self) -> str:
        return (
            f"{self.rows} rows of {self.bytes} bytes in {self.files} parts of files; {self.damaged} damaged batches; "
            f"{self.left_out} rows left out: control records, not committed, or by mode"
        )


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads ranges of files into the columns that a query asks for; it pickles."""

    names: tuple[str, ...]
    options: LogOptions
    bounds: Bounds
    max_bytes: int = 1 << 24
    """How many bytes of records a batch has at most, if it has several."""

    def read(self, ranges: tuple[FileRange, ...]) -> Iterator[pa.RecordBatch]:
        """The rows of ranges, one after the other.

        Raises ``MalformedMessageError`` for a batch that can't be read, unless the mode keeps or drops those, and
        ``DataLossError`` for a file that is gone, unless ``failOnDataLoss`` is false.
        """
        return (rows for _, rows in self.read_places(ranges))

    def read_places(self, ranges: tuple[FileRange, ...]) -> Iterator[tuple[FileRange, pa.RecordBatch]]:
        """The same, each batch with the range that it is of."""
        columns, tally = log_columns(self.names), Tally()
        try:
            for each in ranges:
                for place, table in self._read_file(each, tally):
                    kept = self._judged(table, place)
                    tally.left_out += table.num_rows - kept.num_rows
                    tally.rows += kept.num_rows
                    if kept.num_rows:
                        yield place, _shaped(kept, columns, place)
        finally:
            _LOG.info("kafka-log: %s", tally)

    def _settings(self, each: FileRange) -> ReadSettings:
        sources = [column.source for column in log_columns(self.names) if column.source not in (None, ERROR_NAME)]
        needed = [] if self.options.include_control else ["is_control"]
        bounds = self.bounds if each.offsets is None else self.bounds.within_offsets(*each.offsets)
        if each.read_until is not None:
            needed += NEEDED_COLUMNS
        return ReadSettings(
            columns=tuple(dict.fromkeys([*sources, *needed])),
            with_raw=RAW_NAME in self.names,
            bounds=bounds,
            verify_checksums=self.options.verify_checksum,
            max_batch_bytes=self.options.max_batch_bytes,
            max_records=self.options.max_records_per_batch,
            max_bytes=self.max_bytes,
        )

    def _read_file(self, each: FileRange, tally: Tally, tries: int = 5) -> Iterator[tuple[FileRange, pa.RecordBatch]]:
        """Tables, each with the range that it is of: where the log cleaner was at work, that is another one."""
        try:
            with opened(each.path) as file:
                if not tries or is_as_planned(file, each):
                    check_plain(each.path)
                    place = settled(each, self.bounds)
                    yield from ((place, table) for table in self._read_opened(file, place, tally))
                    return
        except FileNotFoundError:
            pass
        if is_part(each):
            raise DataLossError(f"{shown(each.path)} was replaced or deleted since the query was planned: run it again")
        if each.planned is None or not tries or not has_begin(each.planned, each.path):
            reason = f"{shown(each.path)} is gone: a broker or somebody else deleted it since the query was planned"
            if self.options.fail_on_data_loss:
                raise DataLossError(f"{reason}; option failOnDataLoss=false continues without it")
            _LOG.warning("%s; its records are missing", reason)
        if each.planned is not None and tries > 0:
            for place in relocated(each, each.planned):
                yield from self._read_file(place, tally, tries - 1)

    def _read_opened(self, file: OpenFile, each: FileRange, tally: Tally) -> Iterator[pa.RecordBatch]:
        settings = self._settings(each)
        decided = _decisions(file, each)
        tally.files += 1
        tally.bytes += each.end - each.start
        tail = yield from _counted(read_range(file, each.start, each.end, settings), decided, tally)
        if self._is_lost(file, tail, each):
            tally.damaged += 1
            yield tail_row(file, tail, each.end, settings)

    def _is_lost(self, file: OpenFile, tail: Tail, each: FileRange) -> bool:
        """Whether the bytes from the tail to the end of the range are damage, and not something that will be a batch."""
        if tail.stopped in ("end", "damaged"):
            return False
        if tail.stopped == "truncated" and self.options.fail_on_truncated:
            raise TruncatedLogError(f"{shown(each.path)} ends within the batch at byte {tail.position}")
        if tail.stopped == "preallocated":
            # Another range begins at a batch, so zeros before it are damage.
            return not each.ends_file or first_byte(file, tail.position, each.end) is not None
        if each.is_complete or not each.ends_file:
            return True
        _LOG.warning("%s ends within the batch at byte %d, which is not read", shown(each.path), tail.position)
        return False

    def _judged(self, table: pa.RecordBatch, each: FileRange) -> pa.RecordBatch:
        """The rows that are wanted: what becomes of errors, of control records and of aborted transactions."""
        errors = table.column(ERROR_NAME)
        if errors.null_count < len(errors):
            table = self._without_errors(table, each)
        if not self.options.include_control:
            is_control = pc.fill_null(table.column("is_control"), fill_value=False)
            if pc.any(is_control).as_py():
                # A damaged marker stays, as any other batch that can't be read.
                table = table.filter(pc.or_(pc.invert(is_control), table.column(ERROR_NAME).is_valid()))
        return table

    def _without_errors(self, table: pa.RecordBatch, each: FileRange) -> pa.RecordBatch:
        mode = self.options.mode
        if mode == "PERMISSIVE" and ERROR_NAME in self.names:
            return table
        errors = table.column(ERROR_NAME)
        if mode == "DROPMALFORMED":
            for problem in table.filter(errors.is_valid()).to_pylist():
                _LOG.warning("left out: %s", _described(problem, each))
            return table.filter(errors.is_null())
        raise MalformedMessageError(
            f"{_described(table.filter(errors.is_valid()).slice(0, 1).to_pylist()[0], each)}; "
            "mode DROPMALFORMED leaves such batches out; "
            f"format('kafka-log') in mode PERMISSIVE, with the column {ERROR_NAME}, keeps them and says what is wrong"
        )


def _decisions(file: OpenFile, each: FileRange) -> Decisions | None:
    if each.read_until is None:
        return None
    if each.planned is not None and each.planned.first_offset >= each.read_until:
        return Decisions(each.read_until)
    return decisions(file, Place(each.path, each.start, each.end, each.is_complete), each.read_until)


def _counted(
    reading: Generator[pa.RecordBatch, None, Tail], decided: Decisions | None, tally: Tally
) -> Generator[pa.RecordBatch, None, Tail]:
    """The tables without what is not committed, and what they add to the tally."""
    while True:
        try:
            table = next(reading)
        except StopIteration as stop:
            tail: Tail = stop.value
            return tail
        tally.damaged += table.num_rows - table.column(ERROR_NAME).null_count
        kept = table if decided is None else decided.take(table)
        tally.left_out += table.num_rows - kept.num_rows
        yield kept


def _described(row: dict[str, Any], each: FileRange) -> str:
    error = row[ERROR_NAME]
    return (
        f"{shown(each.path)}: the batch at byte {row['batch_position']} (base offset {row['batch_offset']}) can't be read: "
        f"{error['path']}: {error['message']} (byte {error['offset']})"
    )


def _shaped(table: pa.RecordBatch, columns: list[LogColumn], each: FileRange) -> pa.RecordBatch:
    """The columns that Spark asked for, with its types."""
    constants = {"topic": each.topic, "partition": each.partition, "path": shown(each.path)}
    arrays = [_array(table, column, constants) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema([(c.name, c.arrow_type) for c in columns]))


def _array(table: pa.RecordBatch, column: LogColumn, constants: dict[str, Any]) -> pa.Array:
    if column.name in constants:
        return pa.repeat(pa.scalar(constants[column.name], column.arrow_type), table.num_rows)
    if column.name == RAW_NAME:
        return table.column(RAW_NAME)
    array = table.column(column.source or column.name)
    return spark_timestamps(array) if column is LOG_COLUMNS["timestamp"] else array
