"""The sources of the names that generated modules import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Import:
    """Names of a module, each with its local name; without names, the module itself is imported."""

    module: str
    names: tuple[tuple[str, str], ...] = ()


_VARINTS: Final = tuple(f"{form}{bits}" for form in ("packed", "upacked") for bits in (16, 32, 64))
_RUNTIME: Final = {
    "codecs": ["Codec"],
    "entities": ["BrokerId", "ErrorCode", "GroupId", "ProducerId", "TopicName", "TransactionalId"],
    "errors": ["CodecFailure"],
    "limits": ["LITTLE"],
    "messages": ["KeyedMessage", "Message", "Request", "Response"],
    "numbers": [
        "COUNTS",
        "packers",
        "read_compact_numbers",
        "read_compact_numbers_or_null",
        "read_numbers",
        "read_numbers_or_null",
        "unpackers",
        "write_compact_numbers",
        "write_numbers",
    ],
    "structs": ["Struct", "dataclass", "default_of", "index_by"],
    "uuids": ["ZERO", "read_uuid", "uuid_bytes", "uuid_of", "write_uuid"],
    "varints": [
        *(f"read_{form}" for form in _VARINTS),
        "read_uvarint",
        *(f"write_{form}" for form in _VARINTS),
        "write_uvarint",
    ],
    "wire": [
        "INFINITY",
        "NAN",
        "NOTHING",
        "NEW",
        "array_of",
        "bytes_of",
        "check_bools",
        "check_instance",
        "no_tags",
        "raw_tags",
        "read_array",
        "read_bytes",
        "read_bytes_or_null",
        "read_compact_array",
        "read_compact_bytes",
        "read_compact_bytes_or_null",
        "read_compact_string",
        "read_compact_string_or_null",
        "read_leaves",
        "read_string",
        "read_string_or_null",
        "read_structs",
        "read_tag_count",
        "read_unknown_tags",
        "some",
        "some_bytes",
        "utf8",
        "write_array",
        "write_compact_array",
        "write_compact_length",
        "write_compact_string",
        "write_string",
        "write_tags",
    ],
}
"""What generated modules may need from the runtime, in import order."""

_ALIASES: Final = {"NEW": "_new", "Struct": "_Base", "ZERO": "_ZERO_UUID"}
"""The local names that differ from those in the runtime by more than an underscore."""

_STANDARD: Final = (
    ("_builtins", Import("builtins")),
    ("_Struct", Import("struct", (("Struct", "_Struct"),))),
    ("_UUID", Import("uuid", (("UUID", "_UUID"),))),
)


def standard_imports(used: Iterable[str]) -> tuple[Import, ...]:
    """The standard library imports that provide these names."""
    used = frozenset(used)
    return tuple(import_ for alias, import_ in _STANDARD if alias in used)


def runtime_imports(used: Iterable[str]) -> tuple[Import, ...]:
    """The runtime imports that provide these names."""
    return tuple(_runtime_imports(frozenset(used)))


def _runtime_imports(used: frozenset[str]) -> Iterator[Import]:
    for module, names in _RUNTIME.items():
        pairs = ((name, _ALIASES.get(name, f"_{name}")) for name in names)
        if imported := tuple((name, alias) for name, alias in pairs if alias in used):
            yield Import(f"._runtime.{module}", imported)
