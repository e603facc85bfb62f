"""Makes Arrow struct arrays of many shapes from messages, for encoding.

Columns have any types that fit and any order, and some are omitted.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.native.column_rows import array_of, pa
from tests.native.columns import encode_columns
from tests.native.random_messages import Subject, same

_INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
_TEXTS = (pa.string(), pa.large_string(), pa.string_view())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())
_NOT_IN_RANGE = (OverflowError, pa.ArrowInvalid)

Definitions = dict[str, tuple[type[Any], dict[str, Any]]]


def definitions(subject: Subject) -> Definitions:
    """Return the class and the fields of each struct in any version, by the name of the struct."""
    found: Definitions = {}

    def visit(layout: Any) -> None:
        found[layout.cls.__name__] = (layout.cls, layout.fields)
        for _, codec in (*layout.steps, *layout.tagged.values()):
            while codec.element:
                codec = codec.element  # noqa: PLW2901 - arrays of arrays
            if codec.layout:
                visit(codec.layout)

    for root in subject.table.roots.values():
        visit(root)
    return found


class Arrays:
    """Makes arrays from the values of messages."""

    def __init__(self, random: Random, structs: Definitions) -> None:
        self.random = random
        self.structs = structs

    def messages(self, messages: Sequence[Any]) -> Any:
        """Return messages of one class as a struct array, sometimes as a slice of a longer array."""
        name = type(messages[0]).__name__
        if self.random.random() < 0.5:
            return self.struct(name, messages)
        return self.struct(name, [messages[0], *messages, messages[0]])[1:-1]

    def array(self, type_: str, values: Sequence[Any]) -> Any:
        """Return values of a Kafka type as an array."""
        if type_.startswith("[]"):
            return self.lists(type_[2:], values)
        if type_ in self.structs:
            return self.struct(type_, values)
        match type_:
            case "bool":
                return pa.array(values, pa.bool_())
            case "float64":
                return pa.array(values, pa.float64())
            case "string":
                return pa.array(values, self.random.choice(_TEXTS))
            case "bytes" | "records":
                raw = [None if value is None else bytes(memoryview(value)) for value in values]
                return pa.array(raw, self.random.choice(_BYTES))
            case "uuid":
                return self.uuids(values)
        return self.integers(values)

    def integers(self, values: Sequence[Any]) -> Any:
        """Return an array of integers, with any type that can hold them."""
        for type_ in (self.random.choice(_INTEGERS), pa.int64(), pa.uint64()):
            try:
                return pa.array(values, type_)
            except _NOT_IN_RANGE:
                continue
        raise AssertionError(values)

    def uuids(self, values: Sequence[Any]) -> Any:
        """Return uuids as bytes or as Kafka's text."""
        raw = [None if value is None else value.bytes for value in values]
        type_ = self.random.choice((pa.binary(16), *_BYTES, pa.string()))
        if type_ != pa.string():
            return pa.array(raw, type_)
        # Other tests compare the engine's base64 with Python's.
        return pa.array([None if data is None else text_of_uuid(data) for data in raw], type_)

    def lists(self, element: str, values: Sequence[Any]) -> Any:
        """Return an array of lists, whose elements are stored one after the other."""
        offsets = [0]
        items: list[Any] = []
        for value in values:
            items.extend(value or ())
            offsets.append(len(items))
        nulls = pa.array([value is None for value in values], pa.bool_())
        maker, width = self.random.choice(((pa.ListArray, pa.int32()), (pa.LargeListArray, pa.int64())))
        return maker.from_arrays(pa.array(offsets, width), self.array(element, items), mask=nulls)

    def struct(self, name: str, values: Sequence[Any]) -> Any:
        """Return an array of structs; columns that contain only defaults may be omitted."""
        fields = self.structs[name][1]
        columns: dict[str, Any] = {}
        for attribute, field in fields.items():
            held = [None if value is None else getattr(value, attribute) for value in values]
            if not (self.random.random() < 0.7 and all(same(item, field.default) for item in held)):
                columns[attribute] = self.array(field.type, held)
        tags = [None if value is None else list(value.unknown_tagged_fields) for value in values]
        if not (self.random.random() < 0.7 and not any(tags)):
            columns["unknown_tagged_fields"] = pa.array(tags, pa.map_(pa.int64(), pa.binary()))
        order = list(columns)
        self.random.shuffle(order)
        order.append("_of_no_field")
        columns["_of_no_field"] = pa.nulls(len(values))
        types = [pa.field(column, columns[column].type) for column in order]
        nulls = pa.array([value is None for value in values], pa.bool_())
        return pa.StructArray.from_arrays([columns[column] for column in order], fields=types, mask=nulls)


def text_of_uuid(data: bytes) -> str:
    """Return Kafka's text form for the bytes of a uuid."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def encoded(subject: Subject, versions: Any, array: Any) -> list[dict[str, Any]]:
    """Return the rows that the engine encodes from an array."""
    return encoded_with(subject.cls.CODEC.plan, versions, array)


def encoded_with(plan: str, versions: Any, array: Any) -> list[dict[str, Any]]:
    """Encode an array with a plan text, and let Arrow check the result."""
    rows: list[dict[str, Any]] = array_of(encode_columns(plan, versions, array)).to_pylist()
    return rows
