"""The topics and partitions of a message that a rule is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from messagegen_testing.errors.fields import elements, is_topic_id, names_topic, numbers_partition

if TYPE_CHECKING:
    from messagegen_kafka import FieldInfo


@dataclass(frozen=True, slots=True)
class Place:
    """The attributes of array elements that hold their topic and partition; ``None`` for a missing attribute.

    The empty string stands for the element itself, in arrays of names or numbers.
    """

    topic: str | None = None
    topic_id: str | None = None
    partition: str | None = None

    @classmethod
    def of(cls, array: FieldInfo) -> Place:
        """Return the attributes for the elements of an array."""
        if not array.fields:
            return cls(
                topic="" if names_topic(array) else None,
                partition="" if numbers_partition(array) else None,
            )
        return cls(
            topic=_first(each.name for each in array.fields if names_topic(each) and not each.is_array),
            topic_id=_first(each.name for each in array.fields if is_topic_id(each)),
            partition=_first(each.name for each in array.fields if numbers_partition(each) and not each.is_array),
        )

    @property
    def has_topic(self) -> bool:
        """Whether elements name a topic."""
        return self.topic is not None or self.topic_id is not None

    @property
    def is_known(self) -> bool:
        """Whether elements name a topic or a partition."""
        return self.has_topic or self.partition is not None


def _first(names: Iterable[str]) -> str | None:
    return next(iter(names), None)


@dataclass(frozen=True, slots=True)
class Selection:
    """The topic and the partition that a rule names; ``None`` selects all. ``topic_names`` maps topic ids to names."""

    topic: str | None = None
    partition: int | None = None
    topic_names: Mapping[UUID, str] = field(default_factory=dict[UUID, str])

    @property
    def is_limited(self) -> bool:
        """Whether the selection excludes anything."""
        return self.topic is not None or self.partition is not None

    def __contains__(self, placed: tuple[Place, Any]) -> bool:
        """Whether an array element is selected. An element without a topic and partition always is."""
        place, element = placed
        if self.topic is not None and place.has_topic and self.topic not in self._topics(place, element):
            return False
        if self.partition is None or place.partition is None:
            return True
        return bool(_value(element, place.partition) == self.partition)

    def selects(self, message: Any, fields: Iterable[FieldInfo]) -> bool:
        """Whether part of a message is selected. A message without topics and partitions always is."""
        return _selected(self, message, fields) is not False

    def _topics(self, place: Place, element: Any) -> list[str]:
        """Return the possible names of an element's topic: from its name field, and from the id in its id field."""
        names: list[str] = []
        if place.topic is not None:
            names.append(_value(element, place.topic))
        if place.topic_id is not None:
            names.append(self.topic_names.get(_value(element, place.topic_id), ""))
        return names


def _value(element: Any, attribute: str) -> Any:
    return getattr(element, attribute) if attribute else element


def _selected(selection: Selection, value: Any, fields: Iterable[FieldInfo]) -> bool | None:
    """Whether an array element in a struct is selected; ``None`` if no element names a topic or partition."""
    found: bool | None = None
    for array in fields:
        if not array.is_array:
            continue
        place = Place.of(array)
        for each in elements(value, array.name):
            inner = _selected(selection, each, array.fields)
            if not place.is_known and inner is None:
                continue
            if (place, each) in selection and inner is not False:
                return True
            found = False
    return found
