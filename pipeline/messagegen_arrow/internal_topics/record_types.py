"""What kinds of records internal topics hold: dispatch tables made from the messages of a catalog, not written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from messagegen_arrow.catalog import Catalog, MessageTable, default_catalog

if TYPE_CHECKING:
    from messagegen.record_types import Framing
    from messagegen.record_types import RecordType as NamedType

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"
SHARE_GROUP_STATE: Final = "__share_group_state"
CLUSTER_METADATA: Final = "__cluster_metadata"


@dataclass(frozen=True, slots=True)
class RecordType:
    """A type of record: ``OffsetCommit``, ``TopicRecord``, ``COMMIT``."""

    name: str
    number: int
    """Kafka's number of the type in its family: the API key, or the number of a control record type."""
    key: MessageTable | None
    """What the key is; ``None`` where keys say nothing but the type."""
    value: MessageTable | None
    """What the value is; ``None`` where the catalog has no such message."""
    version_is_a_field: bool = False
    """Whether the version at the start of a value is a field of the message, and not a prefix."""


@dataclass(frozen=True, slots=True)
class RecordFamily:
    """The record types that one topic can hold, by number; or those of control records."""

    name: str
    framing: Framing
    types: Mapping[int, RecordType]

    @property
    def is_control(self) -> bool:
        """Whether these are the control records of any topic."""
        return self.framing == "control"


def record_families(catalog: Catalog) -> tuple[RecordFamily, ...]:
    """The families of records that a catalog has messages for; control records are the last one. For drivers.

    Raises ``ValueError`` for a catalog in which two messages claim one type.
    """
    from messagegen.record_types import FAMILIES, Described, record_types  # noqa: PLC0415 - workers have no generator

    types = list(record_types(Described(each.name, each.kind, each.api_key) for each in catalog))
    return tuple(
        RecordFamily(name, framing, _by_number(catalog, name, framing, (each for each in types if each.family == name)))
        for name, framing in FAMILIES.items()
    )


def _by_number(catalog: Catalog, family: str, framing: Framing, types: Iterable[NamedType]) -> dict[int, RecordType]:
    by_number: dict[int, RecordType] = {}
    for each in types:
        if each.number in by_number:
            raise ValueError(f"{by_number[each.number].name} and {each.name} are both type {each.number} of {family}")
        key = None if each.key is None else catalog.message(each.key)
        value = catalog.message(each.value) if each.value in catalog else None
        by_number[each.number] = RecordType(
            each.name, each.number, key, value, _has_version(value, is_control=framing == "control")
        )
    return by_number


def _has_version(value: MessageTable | None, *, is_control: bool) -> bool:
    return is_control and value is not None and "version" in value.parsed_plan.root.fields


def record_type_names(topic: str | None = None, catalog: Catalog | None = None) -> tuple[str, ...]:
    """The names of record types, of one topic or of all with control records, in the order of Kafka's numbers.

    Raises ``LookupError`` for a topic whose records are not known.
    """
    families = record_families(default_catalog() if catalog is None else catalog)
    chosen = [family for family in families if topic in (None, family.name)]
    if not chosen:
        raise LookupError(
            f"unknown internal topic {topic}; known topics: {', '.join(family.name for family in families)}"
        )
    return tuple(family.types[number].name for family in chosen for number in sorted(family.types))
