"""The advisor's result for a message: the size of its integers in each encoding, and the shortest encodings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import pyarrow as pa

from messagegen_arrow.advisor.counting import Counts, FieldCounts
from messagegen_arrow.advisor.edits import Encodings, encodings_of_fields, with_next_version
from messagegen_arrow.advisor.encodings import ENCODINGS, FORMS, split
from messagegen_arrow.advisor.fields import IntegerField, integer_fields
from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.plans import read_plan, root_layouts
from messagegen_arrow.streams.stream import as_binary, require_columns, stream_of

_LEAST_SAVING: Final = 0.01
"""The minimum share of a field's bytes that a different encoding must save."""
_FEW_VALUES: Final = 1000
_ONE_VERSION: Final = "coordinator-key"
"""The kind of message that never gets a new version."""


@dataclass(frozen=True, slots=True)
class FieldAdvice:
    """The advice for one field of a struct.

    It is the same for all uses of the struct, because the encoding belongs to the field.
    """

    struct: str
    key: str
    """The field's name in Kafka's JSON."""
    type: str
    is_array: bool
    count: int
    minimum: int | None
    maximum: int | None
    negatives: int
    current: str
    """The encoding in the newest version; the field's type, if that cannot have an encoding."""
    recommended: str
    """The shortest encoding with the field's own width; the current encoding if no other is sufficiently shorter."""
    bytes_now: int
    bytes_in: Mapping[str, int | None]
    """The size of all values in each encoding, in bytes; ``None`` if some values do not fit."""
    remarks: tuple[str, ...]
    edit: Encodings | None
    """The new value of ``encoding`` in the spec, or of ``elementEncoding`` for an array; ``None`` if it stays."""

    @property
    def changes(self) -> bool:
        """Whether a different encoding is recommended."""
        return self.recommended != self.current

    @property
    def saving_bytes(self) -> int:
        """The number of bytes that the recommended encoding saves for this data."""
        return self.bytes_now - (self.bytes_in[self.recommended] or 0) if self.changes else 0


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice for the integers of a message, with the numbers that it is based on."""

    message: str
    next_version: int | None
    """The version that an edited spec adds; ``None`` for a coordinator key, which has only one version."""
    messages: int
    malformed: Mapping[int | None, tuple[int, str]]
    """For each version, the number of messages that could not be decoded, and one error.

    ``None`` means an unknown version.
    """
    bytes: int
    """The size in bytes of all messages that could be decoded."""
    bytes_in: Mapping[str, int]
    """The size if all integers are ``fixed``, ``packed``, ``upacked`` (in their own widths), or as ``advised``."""
    fields: tuple[FieldAdvice, ...]

    @property
    def changes(self) -> tuple[FieldAdvice, ...]:
        """The fields whose recommended encoding differs from the current one, largest saving first."""
        return tuple(sorted((each for each in self.fields if each.changes), key=lambda each: -each.saving_bytes))

    @property
    def encodings(self) -> dict[tuple[str, str], str]:
        """The recommended encoding of each field that changes, by struct and key."""
        return {(each.struct, each.key): each.recommended for each in self.changes}

    def as_json(self) -> dict[str, Any]:
        """Return all values, ready for ``json.dumps``."""
        malformed = [
            {"version": version, "messages": count, "example": example}
            for version, (count, example) in self.malformed.items()
        ]
        fields = [{**asdict(each), "saving_bytes": each.saving_bytes} for each in self.fields]
        return {**asdict(self), "malformed": malformed, "fields": fields}


def advise(
    rows: Any,
    message: str | MessageTable,
    version: int | str = "version",
    *,
    column: str = "value",
    catalog: Catalog | None = None,
) -> Advice:
    """Return the shortest encoding of each integer field of a message, from one pass over rows with Arrow columns.

    ``column`` contains the bytes of messages without a header or frame. ``records_of`` extracts them from logs, and
    ``bodies_of`` from captures. ``version`` is the version of all messages, or the name of a column of integers. Memory
    usage is one batch and the sums.

    Rows that cannot be read or have an unknown version are counted. Null rows are ignored.
    Raises ``LookupError`` for an unknown message or version, and ``ValueError`` for a missing column.
    """
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(read_plan(table.plan), [version])
    stream = stream_of(rows)
    require_columns(stream, [column] if isinstance(version, int) else [column, version])
    counts = Counts()
    for batch in stream:
        given = isinstance(version, int)
        versions = pa.repeat(pa.scalar(version), batch.num_rows) if given else batch.column(version)
        counts.add(as_binary(batch.column(column)), versions.cast(pa.int32()), table.plan)
    next_version = None if table.kind == _ONE_VERSION else table.valid_versions[1] + 1
    fields = tuple(_field_advice(table, counts, next_version))
    advised = {(each.struct, each.key): each.recommended for each in fields}
    return Advice(
        message=table.name,
        next_version=next_version,
        messages=counts.messages,
        malformed=counts.malformed,
        bytes=counts.bytes,
        bytes_in={name: counts.bytes + _more_bytes(counts, name, advised) for name in (*FORMS, "advised")},
        fields=fields,
    )


def _more_bytes(counts: Counts, form: str, advised: Mapping[tuple[str, str], str]) -> int:
    """Return how many bytes all messages grow if their integers have other encodings; negative if they shrink."""
    more = 0
    for each, found in counts.fields.items():
        if each.advisable:
            own = advised.get(each.name, each.encoding) if form == "advised" else f"{form}{each.width}"
            more += (found.bytes_in.get(own) or 0) - (found.bytes_in.get(each.encoding) or 0)
    return more


def _field_advice(table: MessageTable, counts: Counts, next_version: int | None) -> Iterator[FieldAdvice]:
    """Yield the advice, in field order, for each field that is in both the newest version and the data."""
    latest = {each.name: each for each in integer_fields(table.plan, table.valid_versions[1]).values()}
    encodings = encodings_of_fields(table)
    for name, newest in latest.items():
        found = [of_field for each, of_field in counts.fields.items() if each.name == name]
        if not found:
            continue
        advice = _of_field(newest, found)
        if advice.changes and next_version is not None:
            edit = with_next_version(encodings[name], next_version, advice.recommended)
            advice = replace(advice, edit=edit)
        yield advice


def _of_field(field: IntegerField, found: Sequence[FieldCounts]) -> FieldAdvice:
    """Return the advice for a field, with ``None`` as its ``edit``.

    The field may have different encodings in the versions of the data.
    """
    names = [name for name in ENCODINGS if split(name)[1] <= field.width] if field.advisable else [field.type]
    bytes_in = {name: _total([each.bytes_in.get(name) for each in found]) for name in names}
    count, negatives = sum(each.count for each in found), sum(each.negatives for each in found)
    recommended = _shortest(field, bytes_in) if field.advisable and count else field.encoding
    return FieldAdvice(
        struct=field.struct,
        key=field.key,
        type=field.type,
        is_array=field.is_array,
        count=count,
        minimum=min((each.minimum for each in found if each.minimum is not None), default=None),
        maximum=max((each.maximum for each in found if each.maximum is not None), default=None),
        negatives=negatives,
        current=field.encoding,
        recommended=recommended,
        bytes_now=bytes_in.get(field.encoding) or 0,
        bytes_in=bytes_in,
        remarks=tuple(_remarks(field, recommended, count, negatives)),
        edit=None,
    )


def _total(parts: Sequence[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _shortest(field: IntegerField, bytes_in: Mapping[str, int | None]) -> str:
    """Return the shortest encoding with the field's own width that fits all its values.

    If several encodings are equally short, prefer packed, which is also short for -1. Return the current encoding if
    the shortest encoding saves less than ``_LEAST_SAVING``.
    """
    now = bytes_in.get(field.encoding)
    sizes = {
        name: size
        for form in ("packed", "upacked", "fixed")
        if (size := bytes_in[name := f"{form}{field.width}"]) is not None
    }
    best = min(sizes, key=sizes.__getitem__)
    return field.encoding if now is not None and sizes[best] > now * (1 - _LEAST_SAVING) else best


def _remarks(field: IntegerField, recommended: str, count: int, negatives: int) -> Iterator[str]:
    if not field.advisable:
        yield f"{field.type} fields can't have an encoding"
    elif not count:
        yield "the data has no values of this field"
    elif recommended != field.encoding:
        if count < _FEW_VALUES:
            yield f"only {count:,} values of this field are in the data"
        if recommended.startswith("upacked"):
            share = f"{negatives / count:.1%} of the values are" if negatives else "no value is"
            yield f"{share} negative; in {recommended}, negative values take the full length"
