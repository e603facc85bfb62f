"""Filters for the entities to describe (KIP-546)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Self


class MatchType(IntEnum):
    """The kinds of name matches, with the numbers of DescribeClientQuotasRequest."""

    EXACT = 0
    DEFAULT = 1
    SPECIFIED = 2


@dataclass(frozen=True, slots=True)
class ClientQuotaFilterComponent:
    """A condition on one entity type. Use ``of_entity``, ``of_default_entity`` or ``of_entity_type``."""

    entity_type: str
    match_type: MatchType
    match: str | None = None
    """The name to match, only with ``EXACT``."""

    @classmethod
    def of_entity(cls, entity_type: str, entity_name: str) -> Self:
        """Match entities with this name."""
        return cls(entity_type, MatchType.EXACT, entity_name)

    @classmethod
    def of_default_entity(cls, entity_type: str) -> Self:
        """Match the default entity."""
        return cls(entity_type, MatchType.DEFAULT)

    @classmethod
    def of_entity_type(cls, entity_type: str) -> Self:
        """Match entities with any name, and the default entity, as brokers do."""
        return cls(entity_type, MatchType.SPECIFIED)


@dataclass(frozen=True, slots=True)
class ClientQuotaFilter:
    """A filter for entities. Use ``contains``, ``contains_only`` or ``all``."""

    components: tuple[ClientQuotaFilterComponent, ...]
    strict: bool
    """Whether to exclude entities with types that no component has."""

    @classmethod
    def contains(cls, components: Iterable[ClientQuotaFilterComponent]) -> Self:
        """Match entities that match all components, and may have other types."""
        return cls(tuple(components), strict=False)

    @classmethod
    def contains_only(cls, components: Iterable[ClientQuotaFilterComponent]) -> Self:
        """Match entities that match all components and have no other types."""
        return cls(tuple(components), strict=True)

    @classmethod
    def all(cls) -> Self:
        """Match all entities."""
        return cls((), strict=False)
