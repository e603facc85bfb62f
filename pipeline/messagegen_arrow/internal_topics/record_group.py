"""Decoding of records of one type and version."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa

from messagegen_arrow.arrays import (
    errors_everywhere,
    errors_within,
    first_error,
    null_unless,
    repeated,
    without_errors,
)
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.json_text import json_column, json_fields
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.secrets import redact, redacted_bytes
from messagegen_arrow.internal_topics.contents import RAW_TYPE, FamilyContent, TypeContent
from messagegen_arrow.internal_topics.prefixes import TOMBSTONE, PrefixGroup, Problem
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME

_PROBLEMS: Final = {
    Problem.NO_KEY: ("key", "the key is null, so the type of the record is unknown"),
    Problem.SHORT_KEY: ("key", "the key is too short for the type of the record"),
    Problem.NO_VALUE: ("value", "the value is null"),
    Problem.SHORT_VALUE: ("value", "the value is too short for its version"),
    Problem.BAD_VARINT: ("value", "the frame before the record is damaged or cut off"),
    Problem.FRAME_VERSION: ("value", "expected frame version 1"),
}
"""The path and the text of the error about a record whose type or version is unknown."""

_HIGHEST_VERSION: Final = (1 << 15) - 1
_KEY_VERSION: Final = 0
"""Keys only have one version, because the number before a key is its type."""
_KEY_PREFIX_BYTES: Final = 2

_Decoded = tuple[pa.Array | None, pa.StructArray]
"""Keys or values in the form of their column, or ``None`` if they have no column; and the error of each row."""


@dataclass(frozen=True, slots=True)
class RecordGroup:
    """Records of one type and version, or with the same problem."""

    family: FamilyContent
    prefix: PrefixGroup
    keys: pa.BinaryArray
    values: pa.BinaryArray
    is_json: bool

    def columns(self) -> dict[str, pa.Array]:
        """Return the columns of ``Contents.arrow_schema`` for these records; missing columns are null."""
        if self.prefix.problem:
            path, reason = _PROBLEMS[self.prefix.problem]
            return self._undecoded(path, reason)

        columns = self._head()
        content = self.family.types.get(self.prefix.number)
        if content is None:
            return columns | self._undecoded("", self._unknown_type())

        columns["recordType"] = self._repeated(content.name, pa.string())
        key, key_errors = self._key(content)
        value, value_errors = self._value(content)
        columns |= self._content_columns(content, key, value)
        errors = first_error(key_errors, value_errors)
        if errors.null_count < len(errors):
            values = redacted_bytes(self.values) if content.may_hold_secrets else self.values
            columns[ERROR_NAME] = errors
            columns[RAW_NAME] = null_unless(errors.is_valid(), raw_array(self.keys, values))
        return columns

    @property
    def _is_tombstone(self) -> bool:
        return self.prefix.version == TOMBSTONE

    def _repeated(self, value: str | int | bool, type_: pa.DataType) -> pa.Array:
        return repeated(value, type_, len(self.keys))

    def _head(self) -> dict[str, pa.Array]:
        """Return the columns that all records have, whatever their type."""
        columns = {"isTombstone": self._repeated(self._is_tombstone, pa.bool_())}
        if self.family.framing in ("coordinator", "control"):
            columns["keyVersion"] = self._repeated(self.prefix.key_version, pa.int16())
        if not self._is_tombstone and self.prefix.version <= _HIGHEST_VERSION:
            columns["valueVersion"] = self._repeated(self.prefix.version, pa.int16())
        return columns

    def _key(self, content: TypeContent) -> _Decoded:
        if content.key is None:
            return None, self._no_errors()
        wanted = self._of_version(content.key, _KEY_VERSION)
        key, errors = without_errors(decode_columns(wanted, self.keys, _KEY_VERSION, _KEY_PREFIX_BYTES))
        return self._shaped(key, wanted), errors_within(errors, "key", _KEY_PREFIX_BYTES)

    def _value(self, content: TypeContent) -> _Decoded:
        if self._is_tombstone:
            return None, self._no_errors()
        if self.prefix.version not in content.versions:
            return None, errors_everywhere(self._unknown_version(content), "value", len(self.keys))
        if content.value is None:
            return None, self._no_errors()

        skip = 0 if content.version_is_a_field else self.prefix.skip
        wanted = self._of_version(content.value, self.prefix.version)
        value, errors = without_errors(decode_columns(wanted, self.values, self.prefix.version, skip))
        value = redact(wanted, value)
        if content.protocol is not None:
            value = content.protocol.add_to(value)
        return self._shaped(value, wanted), errors_within(errors, "value", skip)

    def _of_version(self, wanted: MessageColumns, version: int) -> MessageColumns:
        """Return the columns for a version.

        JSON contains only the fields of that version; structs have the fields of all versions.
        """
        if self.is_json and version in wanted.versions:
            return replace(wanted, versions=(version,))
        return wanted

    def _shaped(self, array: pa.StructArray, wanted: MessageColumns) -> pa.Array:
        return json_column(array, json_fields(wanted)) if self.is_json else array

    def _content_columns(
        self, content: TypeContent, key: pa.Array | None, value: pa.Array | None
    ) -> dict[str, pa.Array]:
        """Return the JSON columns ``key`` and ``value``, or the struct column of the type."""
        parts = {"key": key, "value": value}
        known = {name: array for name, array in parts.items() if array is not None}
        if self.is_json or not content.is_wanted:
            return known
        type_ = content.arrow_type
        if not type_.num_fields:
            return {}
        if not content.has_key:
            return {} if value is None else {content.name: value}
        arrays = [known.get(part.name, pa.nulls(len(self.keys), part.type)) for part in type_]
        return {content.name: pa.StructArray.from_arrays(arrays, fields=list(type_))}

    def _undecoded(self, path: str, reason: str) -> dict[str, pa.Array]:
        """Return the error and the bytes of records whose type is unknown."""
        values = redacted_bytes(self.values) if self.family.may_hold_secrets else self.values
        return {
            ERROR_NAME: errors_everywhere(reason, path, len(self.keys)),
            RAW_NAME: raw_array(self.keys, values),
        }

    def _no_errors(self) -> pa.StructArray:
        return pa.nulls(len(self.keys), ERROR_ARROW_TYPE)

    def _unknown_type(self) -> str:
        number = self.prefix.number
        return f"{self.family.name}: unknown record type {number}; a catalog of newer specs may have it"

    def _unknown_version(self, content: TypeContent) -> str:
        if not content.versions:
            return f"no spec of {content.value_message}"
        lowest = content.versions[0]
        highest = content.versions[-1]
        return f"{content.value_message} has versions {lowest} to {highest} here, not {self.prefix.version}"


def raw_array(keys: pa.BinaryArray, values: pa.BinaryArray) -> pa.StructArray:
    """Return the column ``_raw`` of records."""
    return pa.StructArray.from_arrays([keys, values], fields=list(RAW_TYPE))
