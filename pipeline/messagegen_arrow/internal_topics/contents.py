"""The columns for the contents of records, by record type, as values that are sent to workers."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import pyarrow as pa

from messagegen_arrow.catalog import Catalog, MessageTable, default_catalog
from messagegen_arrow.columns.model import Column, ColumnOptions, MessageColumns, Names, UuidType
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.columns.secrets import may_hold_secrets, shown_and_hidden
from messagegen_arrow.internal_topics.consumer_protocol import ConsumerProtocol
from messagegen_arrow.internal_topics.record_types import Framing, RecordType, record_families
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS, Limits

Types = Sequence[str] | Mapping[str, Sequence[str] | None]
"""Names of record types, or a mapping from names to the paths of wanted fields (``None``: all)."""

Part = Literal["key", "value"]

_NEEDED_WITH: Final = {"GroupMetadataValue": {"members": ("protocol_type",)}}
"""The fields that can't be shown without some other fields of the message."""

HEAD_FIELDS: Final = (
    pa.field("recordType", pa.string(), metadata={"comment": "The type of the record."}),
    pa.field("keyVersion", pa.int16(), metadata={"comment": "The int16 that the key begins with."}),
    pa.field("valueVersion", pa.int16(), metadata={"comment": "The version of the value."}),
    pa.field("isTombstone", pa.bool_(), metadata={"comment": "Whether the value is null, which deletes the key."}),
)
"""The columns of every record, whatever its type."""

RAW_TYPE: Final = pa.struct([("key", pa.binary()), ("value", pa.binary())])


@dataclass(frozen=True)
class TypeContent:
    """A record type, and the columns of its records."""

    name: str
    key: MessageColumns | None
    value: MessageColumns | None
    key_message: str
    value_message: str
    versions: tuple[int, ...]
    """The versions of values; empty if the message in values is unknown."""
    is_wanted: bool
    """Whether the type has columns at all. If not, only the type of its records is shown."""
    has_key: bool
    version_is_a_field: bool
    may_hold_secrets: bool
    """Whether unreadable values must be hidden, because they may contain secrets."""
    protocol: ConsumerProtocol | None

    @cached_property
    def arrow_type(self) -> pa.StructType:
        """The type of the column for the content."""
        return self.type_with_comments()

    def type_with_comments(self, key: MessageTable | None = None, value: MessageTable | None = None) -> pa.StructType:
        """Return the type of the content, with comments from the tables as metadata."""
        of_value = self._value_type(value)
        if not self.has_key:
            return of_value or pa.struct([])
        of_key = None if self.key is None else arrow_struct(self.key.columns, self.key.uuid, key)
        types = {"key": of_key, "value": of_value}
        return pa.struct([(name, type_) for name, type_ in types.items() if type_ is not None])

    def _value_type(self, table: MessageTable | None) -> pa.StructType | None:
        if self.value is None:
            return None
        type_ = arrow_struct(self.value.columns, self.value.uuid, table)
        return type_ if self.protocol is None else self.protocol.extended_type(type_)


@dataclass(frozen=True)
class FamilyContent:
    """The record types of one topic, with the columns of each type."""

    name: str
    framing: Framing
    types: Mapping[int, TypeContent]

    @cached_property
    def may_hold_secrets(self) -> bool:
        """Whether values of an unknown type must be hidden."""
        return any(each.may_hold_secrets for each in self.types.values())


@dataclass(frozen=True)
class Contents:
    """All record types, and their columns."""

    families: tuple[FamilyContent, ...]
    is_json: bool
    """Whether contents are JSON text. Otherwise, each wanted type has a struct column."""

    @classmethod
    def of(
        cls,
        types: Types | None,
        catalog: Catalog | None = None,
        *,
        names: Names = "kafka",
        uuid: UuidType = "string",
        limits: Limits = DEFAULT_LIMITS,
        as_json: bool | None = None,
    ) -> Contents:
        """Return the contents for the requested ``types`` (``None``: all), as JSON text or columns.

        By default, ``as_json`` is true if ``types`` is ``None``, and otherwise false.

        Raises ``LookupError`` for an unknown type, and ``ValueError`` for an unknown or secret field.
        """
        known = default_catalog() if catalog is None else catalog
        families = record_families(known)
        if types is not None:
            _check_types([name for family in families for name in _names(family.types.values())], types)
        maker = _ContentMaker(known, types, {"names": names, "uuid": uuid, "limits": limits})
        made = (
            FamilyContent(
                family.name, family.framing, {each.number: maker.content(each) for each in family.types.values()}
            )
            for family in families
        )
        return cls(tuple(made), is_json=types is None if as_json is None else as_json)

    @cached_property
    def columns(self) -> tuple[TypeContent, ...]:
        """The types that have a column of their own."""
        if self.is_json:
            return ()
        every = (each for family in self.families for each in family.types.values())
        return tuple(each for each in every if each.is_wanted and each.arrow_type.num_fields)

    def arrow_schema(self, *, with_errors: bool, catalog: Catalog | None = None) -> pa.Schema:
        """Return the columns of all records, with comments if a catalog is given."""
        fields = list(HEAD_FIELDS) if catalog else [each.remove_metadata() for each in HEAD_FIELDS]
        if self.is_json:
            fields += [pa.field("key", pa.string()), pa.field("value", pa.string())]
        for each in self.columns:
            tables = [
                catalog.message(name) if catalog and name in catalog else None
                for name in (each.key_message, each.value_message)
            ]
            fields.append(pa.field(each.name, each.type_with_comments(*tables)))
        if with_errors:
            fields += [pa.field(ERROR_NAME, ERROR_ARROW_TYPE), pa.field(RAW_NAME, RAW_TYPE)]
        return pa.schema(fields)


@dataclass(frozen=True)
class _ContentMaker:
    catalog: Catalog
    types: Types | None
    options: ColumnOptions

    def content(self, record_type: RecordType) -> TypeContent:
        is_wanted = self.types is None or record_type.name in self.types
        wanted = self.types.get(record_type.name) if isinstance(self.types, Mapping) else None
        key = value = None
        if is_wanted:
            key = self._columns(record_type, record_type.key, "key", wanted)
            value = self._columns(record_type, record_type.value, "value", wanted)
        table = record_type.value
        return TypeContent(
            name=record_type.name,
            key=key,
            value=value,
            key_message=f"{record_type.name}Key" if record_type.key else "",
            value_message=table.name if table else f"{record_type.name}Value",
            versions=tuple(table.versions) if table else (),
            is_wanted=is_wanted,
            has_key=record_type.key is not None,
            version_is_a_field=record_type.version_is_a_field,
            may_hold_secrets=table is not None and may_hold_secrets(table),
            protocol=self._protocol(value) if table and table.name == "GroupMetadataValue" else None,
        )

    def _columns(
        self, record_type: RecordType, table: MessageTable | None, part: Part, wanted: Sequence[str] | None
    ) -> MessageColumns | None:
        if table is None:
            return None
        fields = None if wanted is None else list(_fields_of(record_type, part, wanted))
        if fields == []:
            return None
        columns = MessageColumns.of(table, None, {**self.options, "fields": fields})
        shown, hidden = shown_and_hidden(table, columns)
        if hidden and fields is not None:
            raise ValueError(f"{table.name}: cannot select secret fields: {', '.join(sorted(hidden))}")
        if hidden:
            columns = replace(columns, fields=shown)
        return _with_needed(table, columns)

    def _protocol(self, value: MessageColumns | None) -> ConsumerProtocol | None:
        messages = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
        if value is None or not all(name in self.catalog for name in messages):
            return None
        members = next((column for column in value.columns if column.attribute == "members"), None)
        if members is None:
            return None
        subscription, assignment = map(self.catalog.message, messages)
        return ConsumerProtocol.of(subscription, assignment, self.options, frozenset(_attributes(members.fields)))


def _attributes(columns: Iterable[Column]) -> Iterator[str]:
    return (column.attribute for column in columns)


def _with_needed(table: MessageTable, columns: MessageColumns) -> MessageColumns:
    if columns.fields is None:
        return columns
    needed_with = {**_NEEDED_WITH.get(table.name, {}), **table.parsed_plan.root.sensitive}
    shown = {path.split(".")[0] for path in columns.fields}
    needed = {name for field, names in needed_with.items() if field in shown for name in names}
    return replace(columns, fields=tuple(sorted({*columns.fields, *needed}))) if needed else columns


def _fields_of(record_type: RecordType, part: Part, wanted: Sequence[str]) -> Iterator[str]:
    """Yield the paths of the key or of the value.

    If a type has both, the wanted paths begin with ``key`` or ``value``.
    """
    if record_type.key is None:
        yield from wanted
        return
    for path in wanted:
        head, _, rest = path.partition(".")
        if head not in ("key", "value") or not rest:
            raise ValueError(f"a field of {record_type.name} must be key.NAME or value.NAME, not {path!r}")
        if head == part:
            yield rest


def _names(types: Iterable[RecordType]) -> Iterator[str]:
    return (each.name for each in types)


def _check_types(known: Sequence[str], types: Types) -> None:
    if isinstance(types, str):
        raise TypeError(f"types is a list of names: [{types!r}]")
    for name in types:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3)
            advice = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
            raise LookupError(f"unknown record type {name!r}; {advice}")
