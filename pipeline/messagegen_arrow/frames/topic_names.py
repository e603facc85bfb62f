"""Topic names for messages that only have topic ids (KIP-516), from MetadataResponses in the same capture."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import like_list, with_fields, without_errors
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import Column, MessageColumns
from messagegen_arrow.plans import Plan, read_plan

_LEARNED: Final = ("topics.name", "topics.topic_id")
"""The fields of MetadataResponse with names and ids."""
_ID: Final = "topic_id"
_NAMES: Final = ("topic", "topic_name", "name")
"""The attributes that contain a topic name beside a topic id, in Kafka's messages."""
_NO_ID: Final = urlsafe_b64encode(bytes(16))[:22].decode()


class TopicNames:
    """The names of topics by id."""

    def __init__(self, metadata: MessageTable | None) -> None:
        """Begin without names. ``metadata`` is MetadataResponse, or ``None`` if the catalog lacks it."""
        self.metadata = metadata
        self._names: dict[str, str] = {}

    def learn(self, bodies: pa.BinaryArray, version: int) -> None:
        """Learn topic names from the bodies of MetadataResponses; unreadable bodies are ignored."""
        if self.metadata is None or not _has_fields(read_plan(self.metadata.plan)):
            return
        wanted = MessageColumns.of(self.metadata, version, {"fields": _LEARNED, "names": "snake"})
        decoded, _ = without_errors(decode_columns(wanted, bodies, version))
        if "topics" not in decoded.type.names:
            return
        topics = pc.struct_field(decoded, "topics").flatten()
        if not set(topics.type.names) >= {"name", _ID}:
            return
        names, ids = (pc.struct_field(topics, each).to_pylist() for each in ("name", _ID))
        found = zip(ids, names, strict=True)
        self._names |= {topic_id: name for topic_id, name in found if name and topic_id != _NO_ID}

    def filled(self, wanted: MessageColumns, decoded: pa.StructArray, *, may_add: bool) -> pa.StructArray:
        """Return the messages, with names filled in beside ids where names are missing.

        If ``may_add`` is set, structs whose version has no field for the name get one, provided that any name is known.
        Otherwise, the type stays the same.
        """
        if not self._names:
            return decoded
        return _Filling(self._names, read_plan(wanted.plan), wanted, may_add).struct(wanted.columns, decoded)


@dataclass(frozen=True, slots=True)
class _Filling:
    names: Mapping[str, str]
    plan: Plan
    wanted: MessageColumns
    may_add: bool

    def struct(self, columns: Iterable[Column], array: pa.StructArray) -> pa.StructArray:
        """Add names to a struct array whose fields are these columns."""
        values = dict(zip(array.type.names, array.flatten(), strict=True))
        changed: list[tuple[str, pa.Array]] = []
        for column in columns:
            value = values[column.name]
            if column.fields and column.is_array:
                elements = self.struct(column.fields, value.flatten())
                changed.append((column.name, like_list(elements, value, nullable=value.type.value_field.nullable)))
            elif column.fields:
                changed.append((column.name, self.struct(column.fields, value)))
            elif column.attribute == _ID and column.type == "uuid":
                changed += self._named(column, values)
        return with_fields(array, changed) if changed else array

    def _named(self, column: Column, values: Mapping[str, pa.Array]) -> list[tuple[str, pa.Array]]:
        """Return the column of names for a column of ids, if any version of the struct has names."""
        fields = self.plan.structs[column.struct].fields
        attribute = next((name for name in _NAMES if name in fields and fields[name].type == "string"), None)
        if attribute is None:
            return []
        name = fields[attribute].key if self.wanted.names == "kafka" else attribute
        names = self._of(values[column.name])
        if name in values:
            return [(name, pc.coalesce(values[name], names))]
        is_added = self.may_add and names.null_count < len(names)
        return [(name, names)] if is_added else []

    def _of(self, ids: pa.Array) -> pa.StringArray:
        texts = ids
        if not pa.types.is_string(ids.type):
            found = ids.to_pylist()
            encoded = [None if each is None else urlsafe_b64encode(each)[:22].decode() for each in found]
            texts = pa.array(encoded, pa.string())
        places = pc.index_in(texts, pa.array(self.names.keys(), pa.string()))
        return pa.array(self.names.values(), pa.string()).take(places)


def _has_fields(plan: Plan) -> bool:
    """Whether any version of a MetadataResponse has the ids and names of topics."""
    topics = plan.structs[plan.root.class_name].fields.get("topics")
    inner = None if topics is None else plan.structs.get(topics.element_type)
    return inner is not None and {"name", _ID} <= inner.fields.keys()
