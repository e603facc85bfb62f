"""Which quota entities to describe: the filters of KIP-546."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Self


class MatchType(IntEnum):
    """How a component looks at the name of an entity; the numbers are those of DescribeClientQuotasRequest."""

    EXACT = 0
    DEFAULT = 1
    SPECIFIED = 2


@dataclass(frozen=True, slots=True)
class ClientQuotaFilterComponent:
    """A condition on one entity type; made by ``of_entity``, ``of_default_entity`` or ``of_entity_type``."""

    entity_type: str
    match_type: MatchType
    match: str | None = None
    """The name to look for; only with ``EXACT``."""

    def __post_init__(self) -> None:
        if (self.match is None) == (self.match_type is MatchType.EXACT):
            raise ValueError("a name goes with an exact match, and with no other")

    @classmethod
    def of_entity(cls, entity_type: str, entity_name: str) -> Self:
        """Matches the entities with exactly this name for the type."""
        return cls(entity_type, MatchType.EXACT, entity_name)

    @classmethod
    def of_default_entity(cls, entity_type: str) -> Self:
        """Matches the default entities of the type."""
        return cls(entity_type, MatchType.DEFAULT)

    @classmethod
    def of_entity_type(cls, entity_type: str) -> Self:
        """Matches all entities that have the type: under any name, and (so do brokers) as the default."""
        return cls(entity_type, MatchType.SPECIFIED)


@dataclass(frozen=True, slots=True)
class ClientQuotaFilter:
    """The entities that meet all components; made by ``contains``, ``contains_only`` or ``all``."""

    components: tuple[ClientQuotaFilterComponent, ...]
    strict: bool
    """Whether entities with a type that no component names are left out."""

    @classmethod
    def contains(cls, components: Iterable[ClientQuotaFilterComponent]) -> Self:
        """Entities that meet all components, whatever other types they have."""
        return cls(tuple(components), strict=False)

    @classmethod
    def contains_only(cls, components: Iterable[ClientQuotaFilterComponent]) -> Self:
        """Entities that meet all components and have no other type."""
        return cls(tuple(components), strict=True)

    @classmethod
    def all(cls) -> Self:
        """All entities."""
        return cls((), strict=False)
