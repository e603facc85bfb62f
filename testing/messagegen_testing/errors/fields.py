"""What the specs say of the fields that errors need: topics, partitions, error codes."""

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
"""What Kafka's specs call the number of a partition, and arrays of such numbers: they have no entity type for it."""

_ERROR_CODE: Final = "error_code"


def names_topic(field: FieldInfo) -> bool:
    """Whether a field has the name of a topic, or an array of them."""
    return field.entity_type == TOPIC_ENTITY and field.element_type == "string"


def is_topic_id(field: FieldInfo) -> bool:
    """Whether a field has the id of a topic."""
    return field.name == TOPIC_ID and field.type == "uuid"


def numbers_partition(field: FieldInfo) -> bool:
    """Whether a field has the number of a partition, or an array of them."""
    return field.name in PARTITION_NAMES and field.element_type == "int32"


def has_topics(fields: Iterable[FieldInfo]) -> bool:
    """Whether there are topics among fields, at any depth."""
    return any(names_topic(each) or is_topic_id(each) or has_topics(each.fields) for each in fields)


def has_partitions(fields: Iterable[FieldInfo]) -> bool:
    """Whether there are numbers of partitions among fields, at any depth."""
    return any(numbers_partition(each) or has_partitions(each.fields) for each in fields)


def error_field(fields: Iterable[FieldInfo]) -> str | None:
    """The attribute of a struct's own error code; ``None`` if it has none.

    A few structs have more error codes, of a part of them, such as ``acknowledge_error_code``: those are left alone.
    """
    names = [each.name for each in fields if each.type == "int16" and each.name.endswith(_ERROR_CODE)]
    if _ERROR_CODE in names:
        return _ERROR_CODE
    return names[0] if names else None


def has_error(fields: Iterable[FieldInfo]) -> bool:
    """Whether there is an error code among fields, at any depth."""
    fields = tuple(fields)
    return error_field(fields) is not None or any(has_error(each.fields) for each in fields)


def struct_arrays(fields: Iterable[FieldInfo]) -> list[FieldInfo]:
    """The arrays of structs among fields."""
    return [each for each in fields if each.is_array and each.fields]


def elements(value: Any, attribute: str) -> tuple[Any, ...]:
    """The elements of an array of a message, which may be null."""
    return tuple(getattr(value, attribute) or ())
