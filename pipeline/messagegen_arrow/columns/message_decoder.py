"""Decoding of byte columns to structs, with a mode for malformed rows, and without secrets."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from messagegen_arrow.arrays import null_unless
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import may_hold_secrets, redact, redacted_bytes, without_secrets
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME, Mode, fail_on_first


@dataclass(frozen=True, slots=True)
class MessageDecoder:
    """A decoder of Arrow arrays in workers; it is small, and can be pickled."""

    message: str
    wanted: MessageColumns
    version: int | None
    """The version of all messages; ``None`` if each row has its own version."""
    mode: Mode
    hides_secrets: bool = False
    """Whether secret config values, and the bytes of messages that may contain secrets, are ``<redacted>``."""

    @classmethod
    def of(
        cls, table: MessageTable, version: int | None, mode: Mode, options: ColumnOptions, *, include_secrets: bool
    ) -> MessageDecoder:
        """Create a decoder, and check its options.

        Fields that are always sensitive get no column unless ``include_secrets`` is set. Raises ``LookupError`` for an
        unknown version, and ``ValueError`` for invalid options.
        """
        wanted = MessageColumns.of(table, version, options)
        if include_secrets:
            return cls(table.name, wanted, version, mode)
        return cls(table.name, without_secrets(table, wanted), version, mode, hides_secrets=may_hold_secrets(table))

    def decode(self, values: pa.Array, versions: pa.Array | None = None) -> tuple[pa.StructArray, pa.BooleanArray]:
        """Return the struct array of ``decoded_fields``, and which rows are malformed.

        Raises ``MalformedMessageError`` in mode FAILFAST.
        """
        version = versions if self.version is None else self.version
        assert version is not None
        decoded = decode_columns(self.wanted, values, version)
        if self.hides_secrets:
            decoded = redact(self.wanted, decoded)
        *columns, errors = decoded.flatten()
        *fields, error_field = decoded.type
        if self.mode == "PERMISSIVE":
            columns += [errors, self._raw(values, errors)]
            fields += [error_field, pa.field(RAW_NAME, pa.binary())]
        elif self.mode == "FAILFAST":
            fail_on_first(errors, self.message, version)
        return _struct(decoded, columns, fields), errors.is_valid()

    def _raw(self, values: pa.Array, errors: pa.StructArray) -> pa.Array:
        if errors.null_count == len(errors):
            return pa.nulls(len(values), pa.binary())
        given = values.cast(pa.binary())
        return null_unless(errors.is_valid(), redacted_bytes(given) if self.hides_secrets else given)


def decoded_fields(wanted: MessageColumns, mode: Mode, table: MessageTable) -> list[pa.Field]:
    """Return the columns of a ``MessageDecoder``, with the comments from the spec."""
    fields = list(arrow_struct(wanted.columns, wanted.uuid, table))
    if mode == "PERMISSIVE":
        fields += [pa.field(ERROR_NAME, ERROR_ARROW_TYPE), pa.field(RAW_NAME, pa.binary())]
    return fields


def _struct(whole: pa.StructArray, arrays: Sequence[pa.Array], fields: Sequence[pa.Field]) -> pa.StructArray:
    mask = whole.is_null() if whole.null_count else None
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=mask)
