"""What decoding needs of files: columns of bytes and what says how to read them, as records call them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from messagegen_arrow.log.message_content import MessageContent
from messagegen_arrow.log.types_content import TypesContent
from messagegen_arrow.message_files.options import MessageFileOptions
from messagegen_arrow.message_files.parquet import MessageFileError, plain

_IsType = Callable[[pa.DataType], bool]

VERSION: Final = "version"
_OPTIONS: Final = {"value": "column", "key": "keyColumn", VERSION: "versionColumn"}
_CONTENT_TYPES: Final = {"value": pa.binary(), "key": pa.binary(), "topic": pa.string(), "isControl": pa.bool_()}


def _any_of(*tests: _IsType) -> _IsType:
    return lambda type_: any(is_type(type_) for is_type in tests)


_BYTES: Final = (
    _any_of(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary),
    "bytes (binary)",
)
_EXPECTED: Final[dict[str, tuple[_IsType, str]]] = {
    "value": _BYTES,
    "key": _BYTES,
    VERSION: (pa.types.is_integer, "integers"),
    # A file without any topic may have a column of nulls.
    "topic": (
        _any_of(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null),
        "text (string)",
    ),
    "isControl": (_any_of(pa.types.is_boolean, pa.types.is_null), "bool"),
}
"""What tells the types that a column may have, and their names."""


@dataclass(frozen=True)
class Inputs:
    """The columns of files by what records call them; it pickles."""

    required: dict[str, str]
    optional: tuple[str, ...]
    """Names of records alone: where files do not have them, they are null."""

    @classmethod
    def of(
        cls, options: MessageFileOptions, content: MessageContent | TypesContent, schema: pa.Schema, name: str
    ) -> Inputs:
        """What is needed under these options. Raises ``MessageFileError`` for a file of this name and schema that does not have it."""
        required = options.inputs
        optional = tuple(name for name in content.needed if name not in required)
        made = cls(required, optional)
        made.check(schema, name)
        if isinstance(content, TypesContent) and "topic" not in schema.names:
            topics = {each.name for each in content.reader.contents.wanted_families if each.framing != "control"}
            if len(topics) > 1:
                types = ", ".join(options.content.types or ())
                raise MessageFileError(
                    f"{name} has no column topic, and records of {types} are of several topics ({', '.join(sorted(topics))}): read each topic "
                    "on its own"
                )
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of files."""
        return tuple(dict.fromkeys([*self.required.values(), *self.optional]))

    def check(self, schema: pa.Schema, name: str) -> None:
        """Raises ``MessageFileError`` for a file that lacks a column, has two of its name, or has another type there."""
        check_names(schema, name, self.names)
        for role, column in self.required.items():
            if column not in schema.names:
                near = difflib.get_close_matches(column, schema.names, n=1)
                advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(schema.names)}"
                raise MessageFileError(f"{name} has no column {column}; {advice} (option {_OPTIONS[role]})")
            _check_type(schema, name, column, role, f"option {_OPTIONS[role]}")
        for column in self.optional:
            if column in schema.names:
                _check_type(schema, name, column, column, "columns of this name are read as that of records; rename it")

    def arrays(self, rows: pa.RecordBatch) -> dict[str, pa.Array]:
        """The columns of a batch by what records call them."""
        there = {name: name for name in self.optional if name in rows.schema.names}
        found = {role: _as(rows.column(column), role) for role, column in {**self.required, **there}.items()}
        missing = {name: pa.nulls(rows.num_rows, _CONTENT_TYPES[name]) for name in self.optional if name not in there}
        return found | missing


def check_names(schema: pa.Schema, file: str, wanted: Iterable[str]) -> None:
    """Raises ``MessageFileError`` for a file that has several columns of a wanted name."""
    several = sorted(name for name in set(wanted) if schema.names.count(name) > 1)
    if several:
        raise MessageFileError(f"{file} has several columns named {' and '.join(several)}; expected one")


def _as(array: pa.Array, role: str) -> pa.Array:
    """The array with the type that records have; versions are any integers."""
    found = plain(array)
    type_ = _CONTENT_TYPES.get(role, found.type)
    return found if found.type == type_ else found.cast(type_)


def _check_type(schema: pa.Schema, name: str, column: str, role: str, advice: str) -> None:
    found = value_type(schema.field(column).type)
    fits, expected = _EXPECTED[role]
    if not fits(found):
        raise MessageFileError(
            f"{name}: invalid type of the column {column}: expected {expected}, not {found} ({advice})"
        )


def value_type(type_: pa.DataType) -> pa.DataType:
    """The type of a column's values, also where a dictionary holds them."""
    return type_.value_type if pa.types.is_dictionary(type_) else type_
