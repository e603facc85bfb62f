"""A small reader of message specs for making test values. It checks nothing.

It shares no code with the project's own reader, so that a mistake there does not also affect the values.
Like Apache's generator, it accepts comments, single objects instead of lists, and numbers and booleans as strings.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_COMMENT_OR_TEXT: Final = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_ALL_VERSIONS: Final = range(32768)
_NO_VERSIONS: Final = range(0)
_OCTAL: Final = re.compile(r"[+-]?0[0-7]+")
_INTEGER_BITS: Final = {"int8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64}
_VARIABLE: Final = frozenset({"string", "bytes", "records"})


@dataclass(frozen=True, slots=True)
class MiniField:
    """One field; ``types`` and ``encodings`` map version ranges to names, usually with one range for all versions."""

    name: str
    types: tuple[tuple[range, str], ...]
    versions: range
    nullable: range
    tagged: range
    tag: int | None
    ignorable: bool
    default: str
    encodings: tuple[tuple[range, str], ...] = ()
    fields: tuple[MiniField, ...] = ()

    @property
    def array(self) -> bool:
        """Whether the field is an array."""
        return self.types[0][1].startswith("[]")

    def base(self, version: int) -> str:
        """Return the type in ``version``, or the element type of an array; ``varint32`` and the like are ``int32``."""
        name = _at(self.types, version) or self.types[0][1]
        return re.sub(r"^(unsigned_)?varint", "int", name.removeprefix("[]").strip()).replace("double", "float64")

    @property
    def is_struct(self) -> bool:
        """Whether the type, or the element type, is a struct."""
        return self.base(0)[0].isupper()

    @property
    def can_be_null(self) -> bool:
        """Whether the type allows null; ``nullable`` are the versions where the field may be null."""
        return self.array or self.is_struct or self.base(0) in _VARIABLE

    def integer_limits(self, version: int) -> tuple[int, int] | None:
        """Return the lowest and highest value of an integer in ``version``, limited by its encoding, else ``None``."""
        base = self.base(version)
        if base not in _INTEGER_BITS:
            return None
        if base.startswith("u"):
            return 0, 2 ** _INTEGER_BITS[base] - 1
        encoding = _at(self.encodings, version)
        bits = int(encoding[-2:]) if encoding else _INTEGER_BITS[base]
        return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1

    def default_json(self, version: int) -> Any:
        """Return the default in Kafka's JSON form. It is also ``None`` for a struct that is not null by default."""
        base, text = self.base(version), self.default
        if self.is_struct or base == "records" or (self.can_be_null and text == "null"):
            return [] if self.array and text != "null" else None
        if self.array:
            return []
        if base in _INTEGER_BITS:
            return _java_integer(text or "0")
        return _default_of(base, text)


@dataclass(frozen=True, slots=True)
class MiniSpec:
    """One message spec; ``versions`` is empty for a retired message."""

    name: str
    kind: str
    versions: range
    flexible: range
    fields: tuple[MiniField, ...]
    structs: Mapping[str, tuple[MiniField, ...]] = field(default_factory=dict)

    def struct_fields(self, of: MiniField) -> tuple[MiniField, ...]:
        """Return the fields of the struct that a field contains."""
        return self.structs.get(of.base(0), of.fields)


def read_spec(text: str) -> MiniSpec:
    """Read a spec that Apache's generator, or this project's, accepts."""
    bare = _COMMENT_OR_TEXT.sub(
        lambda match: match[0] if match[0].startswith('"') else " ", text.removeprefix("\ufeff")
    )
    # Old generators stopped at the end of the first value, and ignored the rest.
    spec: dict[str, Any] = json.JSONDecoder().raw_decode(bare.lstrip())[0]
    return MiniSpec(
        name=spec["name"],
        kind=spec["type"],
        versions=_versions(spec["validVersions"], _NO_VERSIONS),
        flexible=_versions(spec.get("flexibleVersions"), _NO_VERSIONS),
        fields=_fields(spec.get("fields")),
        structs={struct["name"]: _fields(struct.get("fields")) for struct in _list(spec.get("commonStructs"))},
    )


def _fields(found: Any) -> tuple[MiniField, ...]:
    return tuple(_field(one) for one in _list(found))


def _field(found: dict[str, Any]) -> MiniField:
    tagged = _versions(found.get("taggedVersions"), _NO_VERSIONS)
    tag, default = found.get("tag"), found.get("default")
    return MiniField(
        name=found["name"][0].lower() + found["name"][1:],
        types=_version_map(found["type"]),
        versions=_versions(found.get("versions"), tagged),
        nullable=_versions(found.get("nullableVersions"), _NO_VERSIONS),
        tagged=tagged,
        tag=None if tag is None else int(tag),
        ignorable=_boolean(found.get("ignorable")),
        default="" if default is None else str(default),
        encodings=_version_map(found.get("encoding", found.get("elementEncoding"))),
        fields=_fields(found.get("fields")),
    )


def _list(found: Any) -> list[Any]:
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def _boolean(found: Any) -> bool:
    return found.lower() == "true" if isinstance(found, str) else bool(found)


def _version_map(found: Any) -> tuple[tuple[range, str], ...]:
    if found is None:
        return ()
    if isinstance(found, str):
        return ((_ALL_VERSIONS, found.strip()),)
    return tuple((_versions(versions, _NO_VERSIONS), name.strip()) for versions, name in found.items())


def _versions(found: Any, absent: range) -> range:
    text = "" if found is None else str(found).strip()
    if not text:
        return absent
    if text == "none":
        return _NO_VERSIONS
    if text.endswith("+"):
        return range(int(text[:-1]), _ALL_VERSIONS.stop)
    lowest, _, highest = text.partition("-")
    return range(int(lowest), int(highest or lowest) + 1)


def _at(entries: tuple[tuple[range, str], ...], version: int) -> str | None:
    return next((name for versions, name in entries if version in versions), None)


def _java_integer(text: str) -> int:
    # Apache pastes the text of a default into Java source, where a leading zero means octal.
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    return int(text, 16) if text.startswith("0x") else int(text)


def _default_of(base: str, text: str) -> Any:
    if base == "bool":
        return text.lower() == "true"
    if base == "float64":
        return float(text.strip().rstrip("dDfF").replace("Infinity", "inf")) if text else 0.0
    if base == "uuid":
        return text or base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")
    return text
