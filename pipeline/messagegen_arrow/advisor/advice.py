"""What the advisor says about a message: the bytes of its integers in each encoding, and the shortest one for each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from messagegen_arrow.advisor.counting import Counts, FieldCounts, VersionCounts, count_batch
from messagegen_arrow.advisor.encodings import ENCODINGS, FORMS, split
from messagegen_arrow.advisor.fields import IntegerField, integer_fields
from messagegen_arrow.catalog import Catalog, MessageTable, message_table
from messagegen_arrow.plans import read_plan, root_layouts
from messagegen_arrow.streams.stream import as_binary, require_columns, stream_of

_SEED: Final = 625
"""The seed of samples, so that the same rows are chosen each time."""
_LEAST_SAVING: Final = 0.01
"""A smaller share of a field's bytes is not worth another encoding."""
_FEW_MESSAGES: Final = 1000


@dataclass(frozen=True, slots=True)
class FieldAdvice:
    """One field of a struct, wherever the struct is used: an encoding belongs to the field."""

    struct: str
    key: str
    """The field's name in Kafka's JSON."""
    paths: tuple[str, ...]
    type: str
    is_array: bool
    count: int
    messages: int
    """Messages with at least one value, summed over paths."""
    minimum: int | None
    maximum: int | None
    negatives: int
    minus_ones: int
    current: str
    """The encoding in the newest version; the type, if it cannot have an encoding."""
    recommended: str
    """The shortest encoding of the field's own width; the current one if no other is shorter."""
    bytes_now: int
    bytes_in: Mapping[str, int | None]
    """Encoding to the bytes of all values; ``None`` if some do not fit."""
    remarks: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether another encoding is recommended."""
        return self.recommended != self.current

    @property
    def saving_bytes(self) -> int:
        """What the recommended encoding saves on this data."""
        return self.bytes_now - (self.bytes_in[self.recommended] or 0) if self.changes else 0


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do with the integers of a message, and why."""

    message: str
    next_version: int
    messages: int
    malformed: Mapping[int | None, tuple[int, str]]
    """Version to the number of messages that could not be decoded, and the error of one; ``None`` without a version."""
    bytes: int
    """Of all messages that could be decoded."""
    bytes_in: Mapping[str, int]
    """The same with all integers ``fixed``, ``packed``, ``upacked`` (each in the fields' own widths), or as ``advised``."""
    fields: tuple[FieldAdvice, ...]

    @property
    def changes(self) -> tuple[FieldAdvice, ...]:
        """The fields with another recommended encoding, largest saving first."""
        return tuple(sorted((each for each in self.fields if each.changes), key=lambda each: -each.saving_bytes))

    @property
    def encodings(self) -> dict[tuple[str, str], str]:
        """Struct and key of each field that changes, to its encoding: the argument of ``patch_spec``."""
        return {(each.struct, each.key): each.recommended for each in self.changes}

    def as_json(self) -> dict[str, Any]:
        """All values, ready for ``json.dumps``."""
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
    sample: float = 1.0,
) -> Advice:
    """The shortest encoding for each integer field of a message, in one pass over rows: anything with Arrow columns.

    ``column`` has messages without header or frame, as bytes; ``records_of`` takes them out of logs, ``bodies_of`` out of
    captures. ``version`` is the version of all, or the name of a column of integers. ``sample`` is the share of rows to read,
    chosen at random but the same in each run. Memory is limited to a batch and the sums.

    Rows that cannot be read, or have a version that the message does not have, are counted. Null rows do not count. Raises
    ``LookupError`` for an unknown message or version, ``ValueError`` for a sample that is not above 0 and at most 1, and for a
    missing column.
    """
    if not 0 < sample <= 1:
        raise ValueError(f"sample must be above 0 and at most 1, not {sample}")
    table = message_table(message, catalog)
    if isinstance(version, int):
        root_layouts(read_plan(table.plan), [version])
    stream = stream_of(rows)
    require_columns(stream, [column] if isinstance(version, int) else [column, version])
    choose = np.random.default_rng(_SEED)
    counts: Counts = {}
    for whole in stream:
        batch = whole if sample == 1 else whole.filter(pa.array(choose.random(whole.num_rows) < sample))
        values = as_binary(batch.column(column))
        given = isinstance(version, int)
        versions = pa.repeat(pa.scalar(version), len(values)) if given else batch.column(version)
        count_batch(counts, values, versions.cast(pa.int32()), table.plan)
    return _advice(table, counts)


def _advice(table: MessageTable, counts: Counts) -> Advice:
    plan = read_plan(table.plan)
    known = {version: each for version, each in counts.items() if version is not None and version in plan.roots}
    fields = tuple(_field_advice(table, known))
    advised = {(each.struct, each.key): each.recommended for each in fields}
    total = sum(each.bytes for each in known.values())
    return Advice(
        message=table.name,
        next_version=table.valid_versions[1] + 1,
        messages=sum(each.messages for each in known.values()),
        malformed={version: (each.malformed, each.example or "") for version, each in counts.items() if each.malformed},
        bytes=total,
        bytes_in={name: total + _more_bytes(table, known, name, advised) for name in (*FORMS, "advised")},
        fields=fields,
    )


def _more_bytes(
    table: MessageTable, counts: Mapping[int, VersionCounts], name: str, advised: Mapping[tuple[str, str], str]
) -> int:
    """How many bytes more all messages take with other encodings of their integers."""
    more = 0
    for each, found in _evidence(table, counts):
        if each.advisable:
            own = advised.get((each.struct, each.key), each.encoding) if name == "advised" else f"{name}{each.width}"
            more += (found.bytes_in.get(own) or 0) - (found.bytes_in.get(each.encoding) or 0)
    return more


def _evidence(table: MessageTable, counts: Mapping[int, VersionCounts]) -> Iterator[tuple[IntegerField, FieldCounts]]:
    """Each field at each path in each version that has messages, with its counts."""
    for version, of_version in counts.items():
        for each in integer_fields(table.plan, version):
            if each.path in of_version.fields:
                yield each, of_version.fields[each.path]


def _field_advice(table: MessageTable, counts: Mapping[int, VersionCounts]) -> Iterator[FieldAdvice]:
    """The advice for each field of the newest version that the data has, in its order."""
    evidence = list(_evidence(table, counts))
    latest = {(each.struct, each.key): each for each in integer_fields(table.plan, table.valid_versions[1])}
    for key, newest in latest.items():
        found = [(each, of_field) for each, of_field in evidence if (each.struct, each.key) == key]
        if found:
            yield _of_field(newest, [each.keys for each, _ in found], [of_field for _, of_field in found])


def _of_field(field: IntegerField, paths: Sequence[str], found: Sequence[FieldCounts]) -> FieldAdvice:
    names = [name for name in ENCODINGS if split(name)[1] <= field.width] if field.advisable else [field.type]
    bytes_in = {name: _total([each.bytes_in.get(name) for each in found]) for name in names}
    count, negatives = sum(each.count for each in found), sum(each.negatives for each in found)
    messages, minus_ones = sum(each.messages for each in found), sum(each.minus_ones for each in found)
    recommended = _shortest(field, bytes_in) if field.advisable and count else field.encoding
    return FieldAdvice(
        struct=field.struct,
        key=field.key,
        paths=tuple(sorted(set(paths))),
        type=field.type,
        is_array=field.is_array,
        count=count,
        messages=messages,
        minimum=min((each.minimum for each in found if each.minimum is not None), default=None),
        maximum=max((each.maximum for each in found if each.maximum is not None), default=None),
        negatives=negatives,
        minus_ones=minus_ones,
        current=field.encoding,
        recommended=recommended,
        bytes_now=bytes_in.get(field.encoding) or 0,
        bytes_in=bytes_in,
        remarks=tuple(_remarks(field, recommended, count, messages, negatives)),
    )


def _total(parts: Sequence[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _shortest(field: IntegerField, bytes_in: Mapping[str, int | None]) -> str:
    """The shortest encoding of the field's width, so that all its values fit; of equal ones packed, which is short for -1 too."""
    now = bytes_in.get(field.encoding)
    sizes = {
        name: size
        for form in ("packed", "upacked", "fixed")
        if (size := bytes_in[name := f"{form}{field.width}"]) is not None
    }
    best = min(sizes, key=sizes.__getitem__)
    return field.encoding if now is not None and sizes[best] > now * (1 - _LEAST_SAVING) else best


def _remarks(field: IntegerField, recommended: str, count: int, messages: int, negatives: int) -> Iterator[str]:
    if not field.advisable:
        yield f"{field.type} fields can have no encoding"
    elif not count:
        yield "there are no values of it in the data"
    elif recommended != field.encoding:
        if messages < _FEW_MESSAGES:
            yield f"only {messages:,} messages have it"
        if recommended.startswith("upacked"):
            share = f"{negatives / count:.1%} of the values are" if negatives else "no value is"
            yield f"{share} negative; negative values take the full length in {recommended}"
