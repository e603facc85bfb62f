"""Batches of records of internal topics to columns: rows are put together by type and version, and each group decoded at once."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import (
    Rows,
    error_array,
    errors_within,
    first_error,
    scattered,
    take_rows,
    without_errors,
)
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.json_text import json_column, json_fields
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.secrets import REDACTED_BYTES, redact
from messagegen_arrow.internal_topics.contents import Contents, FamilyContent, TypeContent
from messagegen_arrow.internal_topics.prefixes import TOMBSTONE, Problem, prefix_groups
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME, Mode, fail_on_first

_PROBLEMS: Final = {
    Problem.NO_KEY: ("key", "the key is null, so the type of the record is unknown"),
    Problem.SHORT_KEY: ("key", "the key is too short for the type of the record"),
    Problem.NO_VALUE: ("value", "the value is null"),
    Problem.SHORT_VALUE: ("value", "the value is too short for its version"),
    Problem.BAD_VARINT: ("value", "the frame before the record is damaged or cut off"),
    Problem.FRAME_VERSION: ("value", "expected frame version 1"),
}

_NO_FAMILY: Final = -1
_FAILED: Final = -2
_HIGHEST_VERSION: Final = (1 << 15) - 1

_RAW_ARROW_TYPE: Final = pa.struct([("key", pa.binary()), ("value", pa.binary())])


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Columns of records, with a row each."""

    keys: pa.BinaryArray
    values: pa.BinaryArray
    topics: pa.StringArray
    is_control: pa.BooleanArray | None = None
    errors: pa.StructArray | None = None
    """Why the log could not be read there, where there is no record."""
    raws: pa.BinaryArray | None = None
    """The bytes of the log in those rows."""

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(slots=True)
class _Found:
    """What some rows of a batch turned out to be; a column that is not there is null."""

    rows: Rows
    columns: dict[str, pa.Array] = field(default_factory=dict)

    def constant(self, name: str, value: str | int | bool, type_: pa.DataType) -> None:
        self.columns[name] = pa.repeat(pa.scalar(value, type_), len(self.rows))


@dataclass(frozen=True)
class RecordReader:
    """Decodes batches of records in workers; it pickles, with the plans of all messages it may need."""

    contents: Contents
    mode: Mode

    def read(self, batch: RecordBatch) -> tuple[pa.StructArray, pa.BooleanArray]:
        """The columns of ``Contents.arrow_schema``, without errors unless the mode keeps them, and which rows could not be read.

        Raises ``MalformedMessageError`` under FAILFAST.
        """
        found = list(self._found(batch)) if len(batch) else []
        columns = self._columns(found, len(batch))
        errors = columns.field(ERROR_NAME)
        if self.mode == "PERMISSIVE":
            return columns, errors.is_valid()
        if self.mode == "FAILFAST":
            fail_on_first(errors, columns.field("recordType"), columns.field("valueVersion"))
        return pa.StructArray.from_arrays(columns.flatten()[:-2], fields=list(columns.type)[:-2]), errors.is_valid()

    def _columns(self, found: Sequence[_Found], count: int) -> pa.StructArray:
        columns = [
            scattered([(each.rows, each.columns[name]) for each in found if name in each.columns], type_, count)
            for name, type_ in self._types
        ]
        return pa.StructArray.from_arrays(columns, fields=[pa.field(name, type_) for name, type_ in self._types])

    @cached_property
    def _topics_with_secrets(self) -> pa.StringArray:
        families = [family.name for family in self.contents.families if family.may_hold_secrets]
        return pa.array(families, pa.string())

    @cached_property
    def _types(self) -> list[tuple[str, pa.DataType]]:
        return [(field.name, field.type) for field in self.contents.arrow_schema(with_errors=True)]

    def _found(self, batch: RecordBatch) -> Iterator[_Found]:
        families = self._families(batch)
        # A part of a log has one topic.
        is_one = (families == families[0]).all()
        for number in families[:1] if is_one else np.unique(families):
            rows: Rows = np.flatnonzero(families == number)
            if number == _FAILED:
                yield _failed(batch, rows, self._topics_with_secrets)
            elif number == _NO_FAMILY:
                yield _unknown_topic(batch, rows)
            else:
                yield from self._found_in(self.contents.families[number], batch, rows)

    def _families(self, batch: RecordBatch) -> Rows:
        """The number of each row's family, or why it has none."""
        names = [family.name for family in self.contents.families]
        index = pc.index_in(batch.topics, pa.array(names[:-1]))
        families: Rows = pc.fill_null(index, _NO_FAMILY).to_numpy(zero_copy_only=False).astype(np.intp)
        if batch.is_control is not None:
            control = pc.fill_null(batch.is_control, fill_value=False).to_numpy(zero_copy_only=False)
            families[control] = len(names) - 1
        if batch.errors is not None and batch.errors.null_count < len(batch):
            families[batch.errors.is_valid().to_numpy(zero_copy_only=False)] = _FAILED
        return families

    def _found_in(self, family: FamilyContent, batch: RecordBatch, rows: Rows) -> Iterator[_Found]:
        keys, values = take_rows(batch.keys, rows), take_rows(batch.values, rows)
        for alike in prefix_groups(family.framing, keys, values):
            group = _Group(
                family=family,
                number=alike.number,
                version=alike.version,
                skip=alike.skip,
                keys=take_rows(keys, alike.rows),
                values=take_rows(values, alike.rows),
                is_json=self.contents.is_json,
            )
            found = _Found(rows[alike.rows])
            if alike.problem:
                group.fill_problem(found, alike.problem)
                yield found
                continue
            if family.framing in ("coordinator", "control"):
                found.constant("keyVersion", alike.key_version, pa.int16())
            group.fill(found)
            yield found


def _failed(batch: RecordBatch, rows: Rows, topics_with_secrets: pa.StringArray) -> _Found:
    """Rows for damage of the log: the reason and the bytes are handed on."""
    found = _Found(rows)
    errors = batch.errors
    assert errors is not None
    found.columns[ERROR_NAME] = take_rows(errors, rows).cast(ERROR_ARROW_TYPE)
    raws = pa.nulls(len(rows), pa.binary()) if batch.raws is None else take_rows(batch.raws, rows)
    may_hold_secrets = pc.is_in(take_rows(batch.topics, rows), topics_with_secrets)
    raws = pc.if_else(may_hold_secrets, _shown(raws, hide=True), raws)
    found.columns[RAW_NAME] = _raw(pa.nulls(len(rows), pa.binary()), raws)
    return found


def _unknown_topic(batch: RecordBatch, rows: Rows) -> _Found:
    found = _Found(rows)
    names = pc.fill_null(take_rows(batch.topics, rows), "(null)")
    reason = pc.binary_join_element_wise("the topic ", names, " is not an internal topic with known records", "")
    found.columns[ERROR_NAME] = error_array(reason, "topic", 0, pa.repeat(pa.scalar(value=True), len(rows)))
    found.columns[RAW_NAME] = _raw(take_rows(batch.keys, rows), take_rows(batch.values, rows))
    return found


def _shown(values: pa.BinaryArray, *, hide: bool) -> pa.BinaryArray:
    return pc.if_else(values.is_valid(), pa.scalar(REDACTED_BYTES, pa.binary()), values) if hide else values


def _raw(keys: pa.Array, values: pa.Array) -> pa.StructArray:
    return pa.StructArray.from_arrays([keys, values], fields=list(_RAW_ARROW_TYPE))


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows of one type and version."""

    family: FamilyContent
    number: int
    version: int
    skip: int
    keys: pa.BinaryArray
    values: pa.BinaryArray
    is_json: bool

    def fill_problem(self, found: _Found, problem: Problem) -> None:
        path, reason = _PROBLEMS[problem]
        found.columns[ERROR_NAME] = self._error(path, reason)
        found.columns[RAW_NAME] = self._unknown_raw()

    def fill(self, found: _Found) -> None:
        is_tombstone = self.version == TOMBSTONE
        found.constant("isTombstone", is_tombstone, pa.bool_())
        if not is_tombstone and self.version <= _HIGHEST_VERSION:
            found.constant("valueVersion", self.version, pa.int16())
        content = self.family.types.get(self.number)
        if content is None:
            found.columns[ERROR_NAME] = self._error("", self._unknown_type())
            found.columns[RAW_NAME] = self._unknown_raw()
            return
        found.constant("recordType", content.name, pa.string())
        errors = self._fill_content(found, content, is_tombstone=is_tombstone)
        if errors.null_count == len(errors):
            return
        found.columns[ERROR_NAME] = errors
        raw = _raw(self.keys, _shown(self.values, hide=content.may_hold_secrets))
        found.columns[RAW_NAME] = pc.if_else(errors.is_valid(), raw, pa.scalar(None, raw.type))

    def _fill_content(self, found: _Found, content: TypeContent, *, is_tombstone: bool) -> pa.StructArray:
        """Puts the content into its columns, and gives the errors."""
        decoded: dict[str, pa.Array] = {}
        errors = []
        if content.key is not None:
            wanted = self._of_version(content.key, 0)
            key, error = without_errors(decode_columns(wanted, self.keys, 0, 2))
            decoded["key"] = self._shaped(key, wanted)
            errors.append(errors_within(error, "key", 2))
        if not is_tombstone and self.version not in content.versions:
            errors.append(self._error("value", self._unknown_version(content)))
        elif not is_tombstone and content.value is not None:
            wanted = self._of_version(content.value, self.version)
            value, error = self._value(content, wanted)
            decoded["value"] = self._shaped(value, wanted)
            errors.append(errors_within(error, "value", self._skip(content)))
        found.columns |= self._columns(content, decoded)
        return first_error(*errors) if errors else pa.nulls(len(self.keys), ERROR_ARROW_TYPE)

    def _value(self, content: TypeContent, wanted: MessageColumns) -> tuple[pa.StructArray, pa.StructArray]:
        value, error = without_errors(decode_columns(wanted, self.values, self.version, self._skip(content)))
        value = redact(wanted, value)
        return (value if content.protocol is None else content.protocol.add_to(value)), error

    def _columns(self, content: TypeContent, decoded: dict[str, pa.Array]) -> dict[str, pa.Array]:
        if self.is_json or not content.is_wanted:
            return decoded
        type_ = content.arrow_type
        if not type_.num_fields:
            return {}
        if not content.has_key:
            return {content.name: decoded["value"]} if "value" in decoded else {}
        arrays = [decoded.get(part.name, pa.nulls(len(self.keys), part.type)) for part in type_]
        return {content.name: pa.StructArray.from_arrays(arrays, fields=list(type_))}

    def _shaped(self, array: pa.StructArray, wanted: MessageColumns) -> pa.Array:
        return json_column(array, json_fields(wanted)) if self.is_json else array

    def _of_version(self, wanted: MessageColumns, version: int) -> MessageColumns:
        """JSON has the fields of one version, and structs have those of all."""
        return replace(wanted, versions=(version,)) if self.is_json and version in wanted.versions else wanted

    def _skip(self, content: TypeContent) -> int:
        return 0 if content.version_is_a_field else self.skip

    def _unknown_type(self) -> str:
        return f"{self.family.name} has no type {self.number} that is known here; a catalog of newer specs may have it"

    def _unknown_version(self, content: TypeContent) -> str:
        if not content.versions:
            return f"no spec of {content.value_message}"
        lowest, highest = content.versions[0], content.versions[-1]
        return f"{content.value_message} has versions {lowest} to {highest} here, not {self.version}"

    def _error(self, path: str, reason: str) -> pa.StructArray:
        return error_array(reason, path, 0, pa.repeat(pa.scalar(value=True), len(self.keys)))

    def _unknown_raw(self) -> pa.StructArray:
        return _raw(self.keys, _shown(self.values, hide=self.family.may_hold_secrets))
