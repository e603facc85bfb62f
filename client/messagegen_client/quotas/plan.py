"""The changes that give a cluster the quotas of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from messagegen_client.quotas.addresses import by_address, same_for_brokers
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.file.reading import QuotaFile


class Action(StrEnum):
    """The kind of a change; the value is its mark in a plan."""

    ADD = "+"
    CHANGE = "~"
    REMOVE = "-"


@dataclass(frozen=True, slots=True)
class QuotaChange:
    """A quota of an entity: its value before and after, ``None`` for no value."""

    key: str
    before: float | None
    after: float | None

    @property
    def action(self) -> Action:
        """Whether the quota is added, changed or removed."""
        if self.before is None:
            return Action.ADD
        return Action.REMOVE if self.after is None else Action.CHANGE


@dataclass(frozen=True, slots=True)
class EntityChange:
    """The changes of one entity, at least one, sorted by key."""

    entity: ClientQuotaEntity
    action: Action
    """``ADD`` for an entity without quotas before, ``REMOVE`` for one without quotas after, else ``CHANGE``."""
    changes: tuple[QuotaChange, ...]

    @property
    def exists(self) -> bool:
        """Whether the entity has quotas before."""
        return self.action is not Action.ADD

    def alteration(self) -> ClientQuotaAlteration:
        """The changes for ``alter_client_quotas``."""
        return ClientQuotaAlteration(self.entity, tuple(Op(change.key, change.after) for change in self.changes))


@dataclass(frozen=True, slots=True)
class QuotaPlan:
    """The differences, sorted by entity; empty if there are none."""

    entities: tuple[EntityChange, ...]

    def __bool__(self) -> bool:
        return bool(self.entities)

    def alterations(self) -> list[ClientQuotaAlteration]:
        """The changes for ``alter_client_quotas``."""
        return [change.alteration() for change in self.entities]

    def count(self) -> Counter[Action]:
        """The number of quotas that are added, changed and removed."""
        return Counter(change.action for entity in self.entities for change in entity.changes)


def plan_quotas(
    wanted: QuotaFile, current: Mapping[ClientQuotaEntity, Mapping[str, float]], *, prune: bool = False
) -> QuotaPlan:
    """The plan that gives a cluster with the entries ``current`` the quotas of the file.

    Quotas that are not in the file are kept. ``prune`` removes them from the entities of the file, and from all
    entities whose combination of types is in the file's scope. A file without ``{user, client-id}`` entities never
    removes one. An address of the file is that of the cluster, also if its text differs; all its texts get the values
    of the file.
    """
    texts = by_address(current)
    values = {
        found: quotas
        for entity, quotas in wanted.entries.items()
        for found in texts.get(same_for_brokers(entity), (entity,))
    }
    entities = {entity for entity in current if prune and frozenset(entity) in wanted.scope} | values.keys()
    changes = (
        _entity_change(entity, values.get(entity, {}), current.get(entity, {}), prune=prune)
        for entity in sorted(entities)
    )
    return QuotaPlan(tuple(change for change in changes if change is not None))


def _entity_change(
    entity: ClientQuotaEntity, wanted: Mapping[str, float | None], current: Mapping[str, float], *, prune: bool
) -> EntityChange | None:
    changes = tuple(_changes(wanted, current, prune=prune))
    if not changes:
        return None
    removed = {change.key for change in changes if change.after is None}
    added = any(change.before is None for change in changes)
    empties = not added and removed >= current.keys()
    return EntityChange(entity, Action.REMOVE if empties else Action.CHANGE if current else Action.ADD, changes)


def _changes(wanted: Mapping[str, float | None], current: Mapping[str, float], *, prune: bool) -> Iterator[QuotaChange]:
    for key in sorted(wanted.keys() | current.keys() if prune else wanted.keys()):
        before, after = current.get(key), wanted.get(key)
        if before != after:
            yield QuotaChange(key, before, after)
