"""Decoding of records in internal topics to columns, in batches."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import Rows, errors_everywhere, take_rows
from messagegen_arrow.columns.row_groups import DecodedRows, Kinds, merged_columns, rows_by_kind
from messagegen_arrow.columns.secrets import redacted_bytes
from messagegen_arrow.internal_topics.contents import Contents, FamilyContent
from messagegen_arrow.internal_topics.prefixes import prefix_groups
from messagegen_arrow.internal_topics.record_group import RecordGroup, raw_array
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME, Mode, fail_on_first

# The kinds of rows that belong to no family. The kind of a family is its index in ``Contents.families``.
_UNKNOWN_TOPIC: Final = -1
_FAILED: Final = -2


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """The columns of a batch, with one row for each record."""

    keys: pa.BinaryArray
    values: pa.BinaryArray
    topics: pa.StringArray
    is_control: pa.BooleanArray | None = None
    errors: pa.StructArray | None = None
    """The log's error, in rows without a record."""
    raws: pa.BinaryArray | None = None
    """The log's bytes, in rows without a record."""

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True)
class RecordReader:
    """A decoder of record batches in workers. It can be pickled, with the plans of all messages that it may need."""

    contents: Contents
    mode: Mode

    def read(self, batch: RecordBatch) -> tuple[pa.StructArray, pa.BooleanArray]:
        """Return the columns of ``Contents.arrow_schema``, and which rows are malformed.

        The result only has error columns if the mode keeps malformed rows. Raises ``MalformedMessageError`` in mode
        FAILFAST.
        """
        arrays = merged_columns(self._groups(batch), self._types, len(batch))
        fields = [pa.field(name, type_) for name, type_ in self._types.items()]
        columns = dict(zip(self._types, arrays, strict=True))
        errors = columns[ERROR_NAME]
        if self.mode == "FAILFAST":
            fail_on_first(errors, columns["recordType"], columns["valueVersion"])
        if self.mode != "PERMISSIVE":
            kept = [field for field in fields if field.name not in (ERROR_NAME, RAW_NAME)]
            arrays = [columns[field.name] for field in kept]
            fields = kept
        return pa.StructArray.from_arrays(arrays, fields=fields), errors.is_valid()

    @cached_property
    def _types(self) -> dict[str, pa.DataType]:
        return {field.name: field.type for field in self.contents.arrow_schema(with_errors=True)}

    @cached_property
    def _topics_with_secrets(self) -> pa.StringArray:
        families = [family.name for family in self.contents.families if family.may_hold_secrets]
        return pa.array(families, pa.string())

    def _groups(self, batch: RecordBatch) -> Iterator[DecodedRows]:
        for kind, rows in rows_by_kind(self._kinds(batch)):
            if kind == _FAILED:
                yield _failed(batch, rows, self._topics_with_secrets)
            elif kind == _UNKNOWN_TOPIC:
                yield _unknown_topic(batch, rows)
            else:
                yield from self._of_family(self.contents.families[kind], batch, rows)

    def _kinds(self, batch: RecordBatch) -> Kinds:
        """Return the index of each row's family in ``Contents.families``, or a negative number if it has no family."""
        # Control records, which are the last family, may be in any topic.
        topics = [family.name for family in self.contents.families[:-1]]
        families = pc.fill_null(pc.index_in(batch.topics, pa.array(topics)), _UNKNOWN_TOPIC)
        kinds: Kinds = families.cast(pa.int64()).to_numpy(zero_copy_only=False).copy()
        if batch.is_control is not None:
            is_control = pc.fill_null(batch.is_control, fill_value=False)
            kinds[is_control.to_numpy(zero_copy_only=False)] = len(topics)
        if batch.errors is not None and batch.errors.null_count < len(batch):
            kinds[batch.errors.is_valid().to_numpy(zero_copy_only=False)] = _FAILED
        return kinds

    def _of_family(self, family: FamilyContent, batch: RecordBatch, rows: Rows) -> Iterator[DecodedRows]:
        """Yield the decoded records of one family, by type and version."""
        keys = take_rows(batch.keys, rows)
        values = take_rows(batch.values, rows)
        for prefix in prefix_groups(family.framing, keys, values):
            group = RecordGroup(
                family=family,
                prefix=prefix,
                keys=take_rows(keys, prefix.rows),
                values=take_rows(values, prefix.rows),
                is_json=self.contents.is_json,
            )
            yield DecodedRows(rows[prefix.rows], group.columns())


def _failed(batch: RecordBatch, rows: Rows, topics_with_secrets: pa.StringArray) -> DecodedRows:
    """Return the rows of damaged batches, with the log's errors and bytes."""
    assert batch.errors is not None
    nothing = pa.nulls(len(rows), pa.binary())
    raws = nothing if batch.raws is None else take_rows(batch.raws, rows)
    may_hold_secrets = pc.is_in(take_rows(batch.topics, rows), topics_with_secrets)
    shown = pc.if_else(may_hold_secrets, redacted_bytes(raws), raws)

    found = DecodedRows(rows)
    found.columns[ERROR_NAME] = take_rows(batch.errors, rows).cast(ERROR_ARROW_TYPE)
    found.columns[RAW_NAME] = raw_array(nothing, shown)
    return found


def _unknown_topic(batch: RecordBatch, rows: Rows) -> DecodedRows:
    names = pc.fill_null(take_rows(batch.topics, rows), "(null)")
    reason = pc.binary_join_element_wise("the topic ", names, " is not an internal topic with known records", "")

    found = DecodedRows(rows)
    found.columns[ERROR_NAME] = errors_everywhere(reason, "topic", len(rows))
    found.columns[RAW_NAME] = raw_array(take_rows(batch.keys, rows), take_rows(batch.values, rows))
    return found
