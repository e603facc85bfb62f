"""Values of records as messages: each decoded where it is read, after the rows that nobody wants are left out."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import error_array, errors_within, first_error, without_errors
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import REDACTED_BYTES, may_hold_secrets, redact, without_secrets
from messagegen_arrow.content_options import ContentOptions
from messagegen_arrow.internal_topics.prefixes import Bytes, Flags, within
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import NamedColumn

MESSAGE_COLUMN: Final = "message"
_VERSION_BYTES: Final = 2


@dataclass(frozen=True)
class MessageContent:
    """Decodes values as one message; it pickles."""

    table: MessageTable
    wanted: MessageColumns
    options: ContentOptions
    version_column: str | None = None
    """The column with the version of each row; ``None``: the options or the values say it."""

    @classmethod
    def of(cls, options: ContentOptions, version_column: str | None = None) -> MessageContent:
        """What the options say. Raises ``LookupError`` and ``ValueError`` for messages, versions and fields that do not exist."""
        table = options.table()
        wanted = MessageColumns.of(
            table,
            options.version,
            {**options.column_options, "fields": options.fields, "versions": _versions(table, options)},
        )
        wanted = wanted if options.include_secrets else without_secrets(table, wanted)
        return cls(table, wanted, options, version_column)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The columns of the log that there are not beside the message."""
        return ("value",)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns of the log that decoding needs."""
        keys = () if self.options.key_types is None else ("key",)
        versions = () if self.version_column is None else (self.version_column,)
        return (*keys, "value", *versions)

    @property
    def columns(self) -> tuple[NamedColumn, ...]:
        """The columns that decoding adds."""
        type_ = arrow_struct(self.wanted.columns, self.wanted.uuid, self.table)
        return (NamedColumn(MESSAGE_COLUMN, type_, "The record's value, decoded."),)

    def limited(self, options: LogOptions) -> LogOptions:
        """The options as they are: any topic may hold such messages."""
        return options

    def decode(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that are wanted, with ``message``, and ``_error`` and ``_raw`` of those that can't be read."""
        rows = self._wanted_rows(rows)
        decoded, errors = self._decoded(rows)
        if not self.options.include_secrets:
            decoded = redact(self.wanted, decoded)
        columns = dict(zip(rows.schema.names, rows.columns, strict=True))
        return pa.RecordBatch.from_pydict({**columns, MESSAGE_COLUMN: decoded, **self._told(columns, errors)})

    def _decoded(self, rows: pa.RecordBatch) -> tuple[pa.StructArray, pa.StructArray]:
        """The messages, null where there is an error, and the errors."""
        values = rows.column("value")
        version = self.options.version if self.version_column is None else rows.column(self.version_column)
        if version is not None:
            return without_errors(decode_columns(self.wanted, values, version))
        decoded, errors = without_errors(decode_columns(self.wanted, values, _own_versions(values), _VERSION_BYTES))
        return decoded, first_error(_too_short(values), errors_within(errors, "", _VERSION_BYTES))

    def _told(self, columns: dict[str, pa.Array], errors: pa.StructArray) -> dict[str, pa.Array]:
        """``_error`` and ``_raw`` of the log and of messages; where the log has an error there is no value."""
        told = {ERROR_NAME: first_error(columns[ERROR_NAME], errors) if ERROR_NAME in columns else errors}
        if RAW_NAME in columns:
            shown, of_batches = columns["value"], columns[RAW_NAME]
            if not self.options.include_secrets and may_hold_secrets(self.table):
                shown = pa.scalar(REDACTED_BYTES, pa.binary())
                of_batches = pc.if_else(of_batches.is_valid(), shown, of_batches)
            told[RAW_NAME] = pc.if_else(errors.is_valid(), shown, of_batches)
        return told

    def _wanted_rows(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows without those of other key types and versions; rows that report damage stay."""
        chosen = np.ones(rows.num_rows, np.bool_)
        if self.options.key_types is not None:
            chosen &= _is_among(Bytes.of(rows.column("key")), self.options.key_types)
        if self.options.versions is not None:
            chosen &= self._has_version(rows, self.options.versions)
        return rows_of(rows, chosen)

    def _has_version(self, rows: pa.RecordBatch, ranges: Sequence[range]) -> Flags:
        if self.version_column is None:
            return _is_among(Bytes.of(rows.column("value")), ranges)
        versions = rows.column(self.version_column)
        # A row without a version is damage.
        found: Flags = pc.fill_null(versions, ranges[0].start).to_numpy(zero_copy_only=False)
        return within(found.astype(np.int64), ranges)


def rows_of(rows: pa.RecordBatch, chosen: Flags) -> pa.RecordBatch:
    """The chosen rows, and those that report damage; without a copy if these are all."""
    if ERROR_NAME in rows.schema.names and rows.column(ERROR_NAME).null_count < rows.num_rows:
        chosen = chosen | rows.column(ERROR_NAME).is_valid().to_numpy(zero_copy_only=False)
    return rows if chosen.all() else rows.filter(pa.array(chosen))


def _is_among(data: Bytes, ranges: Sequence[range]) -> Flags:
    """Which rows begin with an int16 in one of the ranges; also those that are not null and too short for one, which are damage."""
    is_short = ~data.is_null & ~data.has(_VERSION_BYTES)
    chosen: Flags = is_short | data.has(_VERSION_BYTES) & within(data.int16(0), ranges)
    return chosen


def _own_versions(values: pa.BinaryArray) -> pa.Array:
    data = Bytes.of(values)
    return pa.array(data.int16(0), pa.int64(), mask=~data.has(_VERSION_BYTES))


def _too_short(values: pa.BinaryArray) -> pa.StructArray:
    data = Bytes.of(values)
    is_short = ~data.is_null & ~data.has(_VERSION_BYTES)
    if not is_short.any():
        return pa.nulls(len(values), ERROR_ARROW_TYPE)
    return error_array("the value is too short for its version", "", 0, pa.array(is_short))


def _versions(table: MessageTable, options: ContentOptions) -> list[int] | None:
    """The versions whose fields there are columns for, if not those of all. Raises ``ValueError`` for a filter that leaves none."""
    if options.versions is None:
        return None
    found = [version for version in table.versions if any(version in each for each in options.versions)]
    if not found:
        raise ValueError(
            f"option versions: {table.name} has versions {table.valid_versions[0]} to {table.valid_versions[1]}"
        )
    return found
