"""Encodes to the same bytes as the native engine in Python: row by row and slow. Tests compare the engine with it."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Any, Final
from uuid import UUID

import pyarrow as pa

from messagegen_arrow.columns.model import UNKNOWN_TAGGED_FIELDS
from messagegen_arrow.malformed import ENCODE_ERROR_ARROW_TYPE, ERROR_NAME
from messagegen_kafka import EncodeError
from tests.arrow.support.reference.accepted_types import check_columns
from tests.arrow.support.reference.decoding import unsupported
from tests.arrow.support.reference.plan_walk import Codec, Layout, codecs_of, structs_of, table_of, walk_encode

_PATH_PART: Final = re.compile(r"\w+")
_UUID_LETTERS: Final = re.compile(r"[A-Za-z0-9_-]{22}(==)?")

_Error = dict[str, str]


def encode_columns(
    plan_text: str, rows: pa.StructArray, version: int | pa.Array
) -> tuple[pa.BinaryArray, pa.StructArray]:
    """See ``messagegen_arrow.columns.encoding.encode_columns``; columns are named by attributes."""
    check_columns(plan_text, rows.type)
    if not isinstance(version, int) and len(version) != len(rows):
        raise ValueError(f"there are {len(version)} versions for {len(rows)} values; each needs one")
    versions: Iterable[int | None] = repeat(version) if isinstance(version, int) else version.to_pylist()
    writer = _Writer(plan_text)
    pairs = [writer.row(row, known) for row, known in zip(rows.to_pylist(), versions, strict=False)]
    values = pa.array([value for value, _ in pairs], pa.binary())
    return values, pa.array([error for _, error in pairs], ENCODE_ERROR_ARROW_TYPE)


class _Writer:
    """Converts rows to messages and to bytes."""

    def __init__(self, plan_text: str) -> None:
        self.table = table_of(plan_text)
        self.structs = structs_of(plan_text)

    def row(self, row: dict[str, Any] | None, version: int | None) -> tuple[bytes | None, _Error | None]:
        """The bytes of a row, or its error; ``None`` for null."""
        if row is None:
            return None, None
        if version is None or version not in self.table.roots:
            return None, {"message": unsupported(sorted(self.table.roots), version), "path": ""}
        if row.get(ERROR_NAME) is not None:
            return None, {"message": "the row has an _error, so it is no message", "path": ""}
        message = self.struct(self.table.roots[version], row, present=True)
        try:
            return walk_encode(self.table, message, version), None
        except EncodeError as error:
            return None, {"message": _reason(error, row), "path": error.path}

    def struct(self, layout: Layout, row: Mapping[str, Any], *, present: bool) -> Any:
        """The object for a row; null becomes the default of a field that the version does not have.

        In a struct that the version does not have (not ``present``) it has none of the fields.
        """
        message = layout.cls()
        codecs = codecs_of(layout) if present else {}
        for name, value in row.items():
            if name == UNKNOWN_TAGGED_FIELDS:
                message.unknown_tagged_fields = () if value is None else tuple(value)
            elif name in layout.fields and (name in codecs or value is not None):
                setattr(message, name, self.value(codecs.get(name), layout.fields[name].type, value))
        return message

    def value(self, codec: Codec | None, type_: str, value: Any) -> Any:
        """The value for generated classes; an invalid one stays unchanged, and the reference codec reports it."""
        if value is None:
            return None
        if type_.startswith("[]"):
            element = None if codec is None else codec.element
            return tuple([self.value(element, type_.removeprefix("[]"), item) for item in value])
        if type_ == "uuid":
            return _uuid(value)
        if type_ in self.structs:
            layout = None if codec is None else codec.layout
            return self.struct(layout or self.structs[type_], value, present=layout is not None)
        return value


def _uuid(value: bytes | str) -> UUID | bytes | str:
    if isinstance(value, bytes):
        return UUID(bytes=value) if len(value) == 16 else value
    if not _UUID_LETTERS.fullmatch(value):
        return value
    try:
        return UUID(bytes=urlsafe_b64decode(f"{value[:22]}=="))
    except Base64Error:
        return value


def _reason(error: EncodeError, row: Mapping[str, Any]) -> str:
    """The error in terms of columns; the reference codec reports Python values."""
    value: Any = row
    for part in _PATH_PART.findall(error.path):
        if value is None:
            break
        value = value[int(part)] if isinstance(value, list) else value.get(part)
    if value is None and error.path:
        return "null is not allowed here"
    if error.reason.startswith("expected a uuid.UUID"):
        return "a uuid is 22 letters of base64url" if isinstance(value, str) else "a uuid has 16 bytes"
    return error.reason
