"""Finds the fields that errors need: topics, partitions and error codes, as the specs describe them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo

TOPIC_ENTITY: Final = "topicName"
TOPIC_ID: Final = "topic_id"
PARTITION_NAMES: Final = frozenset(
    {"partition", "partition_id", "partition_index", "index", "partitions", "partition_indexes"}
)
"""Names of fields with a partition number or an array of them. Kafka's specs have no entity type for partitions."""

_ERROR_CODE: Final = "error_code"


def names_topic(field: FieldInfo) -> bool:
    """Whether a field is a topic name, or an array of topic names."""
    return field.entity_type == TOPIC_ENTITY and field.element_type == "string"


def is_topic_id(field: FieldInfo) -> bool:
    """Whether a field is a topic id."""
    return field.name == TOPIC_ID and field.type == "uuid"


def numbers_partition(field: FieldInfo) -> bool:
    """Whether a field is a partition number, or an array of partition numbers."""
    return field.name in PARTITION_NAMES and field.element_type == "int32"


def has_topics(fields: Iterable[FieldInfo]) -> bool:
    """Whether one of the fields names a topic, at any depth."""
    return any(names_topic(each) or is_topic_id(each) or has_topics(each.fields) for each in fields)


def has_partitions(fields: Iterable[FieldInfo]) -> bool:
    """Whether one of the fields is a partition number, at any depth."""
    return any(numbers_partition(each) or has_partitions(each.fields) for each in fields)


def error_field(fields: Iterable[FieldInfo]) -> str | None:
    """Return the attribute of a struct's own error code; ``None`` if it has none.

    A few structs have further error codes that are only about a part of the struct, such as
    ``acknowledge_error_code``. They are ignored.
    """
    names = [each.name for each in fields if each.type == "int16" and each.name.endswith(_ERROR_CODE)]
    if _ERROR_CODE in names:
        return _ERROR_CODE
    return names[0] if names else None


def has_error(fields: Iterable[FieldInfo]) -> bool:
    """Whether one of the fields is an error code, at any depth."""
    fields = tuple(fields)
    return error_field(fields) is not None or any(has_error(each.fields) for each in fields)


def struct_arrays(fields: Iterable[FieldInfo]) -> list[FieldInfo]:
    """Return the fields that are arrays of structs."""
    return [each for each in fields if each.is_array and each.fields]


def elements(value: Any, attribute: str) -> tuple[Any, ...]:
    """Return the elements of an array in a message; an empty tuple if the array is null."""
    return tuple(getattr(value, attribute) or ())
