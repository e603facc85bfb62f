"""The plan: the changes that give a cluster the quotas of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from messagegen_client.quotas.addresses import by_address, same_for_brokers
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.file.reading import QuotaFile


class Action(StrEnum):
    """The kind of a change; the value is the sign that marks it in a plan."""

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
    """``ADD`` if the entity had no quotas before, ``REMOVE`` if it has none afterwards, else ``CHANGE``."""
    changes: tuple[QuotaChange, ...]

    @property
    def exists(self) -> bool:
        """Whether the entity had quotas before the changes."""
        return self.action is not Action.ADD

    def alteration(self) -> ClientQuotaAlteration:
        """Return the changes for ``alter_client_quotas``."""
        return ClientQuotaAlteration(self.entity, tuple(Op(change.key, change.after) for change in self.changes))


@dataclass(frozen=True, slots=True)
class QuotaPlan:
    """The differences, sorted by entity; empty if nothing changes."""

    entities: tuple[EntityChange, ...]

    def __bool__(self) -> bool:
        return bool(self.entities)

    def alterations(self) -> list[ClientQuotaAlteration]:
        """Return the changes for ``alter_client_quotas``."""
        return [change.alteration() for change in self.entities]

    def count(self) -> Counter[Action]:
        """Return the number of quotas that are added, changed and removed."""
        return Counter(change.action for entity in self.entities for change in entity.changes)


def plan_quotas(
    wanted: QuotaFile, current: Mapping[ClientQuotaEntity, Mapping[str, float]], *, prune: bool = False
) -> QuotaPlan:
    """Return the changes that turn ``current``, the entries of a cluster, into the quotas of the file.

    Quotas that are not in the file are kept. ``prune`` removes them from the entities of the file, and from all
    entities whose combination of types is in the file's scope. A file without ``{user, client-id}`` entities never
    removes quotas of such entities.
    """
    values = _as_spelled_in_cluster(wanted, current)
    entities = set(values)
    if prune:
        entities |= {entity for entity in current if frozenset(entity) in wanted.scope}

    changes: list[EntityChange] = []
    for entity in sorted(entities):
        before = current.get(entity, {})
        quotas = tuple(_quota_changes(values.get(entity, {}), before, prune=prune))
        if quotas:
            changes.append(EntityChange(entity, _action_on_entity(quotas, before), quotas))
    return QuotaPlan(tuple(changes))


def _as_spelled_in_cluster(
    wanted: QuotaFile, current: Mapping[ClientQuotaEntity, Mapping[str, float]]
) -> dict[ClientQuotaEntity, Mapping[str, float | None]]:
    """Return the values of the file, with entities spelled as in the cluster.

    An address in the file matches the same address in the cluster, even if it is spelled differently. If the cluster
    has an address in several spellings, each of them gets the values from the file.
    """
    spellings = by_address(current)
    values: dict[ClientQuotaEntity, Mapping[str, float | None]] = {}
    for entity, quotas in wanted.entries.items():
        for spelled in spellings.get(same_for_brokers(entity), (entity,)):
            values[spelled] = quotas
    return values


def _quota_changes(
    wanted: Mapping[str, float | None], current: Mapping[str, float], *, prune: bool
) -> Iterator[QuotaChange]:
    """Yield the changes of one entity, sorted by key. ``prune`` removes quotas that are not wanted."""
    keys = set(wanted)
    if prune:
        keys |= current.keys()
    for key in sorted(keys):
        before = current.get(key)
        after = wanted.get(key)
        if before != after:
            yield QuotaChange(key, before, after)


def _action_on_entity(changes: Sequence[QuotaChange], before: Mapping[str, float]) -> Action:
    """Return the effect of the changes on the entity itself; ``before`` are its quotas before the changes."""
    if not before:
        return Action.ADD
    removed = {change.key for change in changes if change.action is Action.REMOVE}
    added = any(change.action is Action.ADD for change in changes)
    return Action.REMOVE if removed == set(before) and not added else Action.CHANGE
