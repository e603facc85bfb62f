"""Which quotas hold for a client: KIP-546's resolving, which brokers do when they enforce, but offer no API for.

For each quota type on its own, the first of these entries that has a value counts:

    1. {user=U, client-id=C}            5. {user=<default>, client-id=<default>}
    2. {user=U, client-id=<default>}    6. {user=<default>}
    3. {user=U}                         7. {client-id=C}
    4. {user=<default>, client-id=C}    8. {client-id=<default>}

An ``ip`` (KIP-612) is looked up by itself: its own entry, then the default one. All of this is one rule: the entries whose
every type the client has, under the client's name or as the default, in the order of ``ClientQuotaEntity``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from messagegen_client.quotas.entities import ClientQuotaEntity


@dataclass(frozen=True, slots=True)
class ResolvedQuota:
    """The value of a quota type that holds for an entity, and the entry that it comes from."""

    value: float
    source: ClientQuotaEntity


def resolve(
    entities: Iterable[ClientQuotaEntity], entries: Mapping[ClientQuotaEntity, Mapping[str, float]]
) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
    """For each entity the quota types that have a value for it, in order of their names.

    ``entries`` are the configured ones, as described. An entity is a client: its user, its client id, its address. A type
    that it lacks is not matched by a default either. The name ``None`` stands for any name that has no entry of its own.
    """
    shapes = sorted({tuple(entry) for entry in entries})
    return {entity: _resolve_one(_matching(entity, shapes, entries), entries) for entity in entities}


def _matching(
    entity: ClientQuotaEntity,
    shapes: Iterable[tuple[str, ...]],
    entries: Mapping[ClientQuotaEntity, Mapping[str, float]],
) -> list[ClientQuotaEntity]:
    """The entries that may hold for an entity, most specific first; ``shapes`` are the types that entries combine."""
    found: list[ClientQuotaEntity] = []
    for shape in shapes:
        if not all(kind in entity for kind in shape):
            continue
        for names in itertools.product(*({entity[kind], None} for kind in shape)):
            entry = ClientQuotaEntity(dict(zip(shape, names, strict=True)))
            if entry in entries:
                found.append(entry)
    return sorted(found)


def _resolve_one(
    sources: Iterable[ClientQuotaEntity], entries: Mapping[ClientQuotaEntity, Mapping[str, float]]
) -> dict[str, ResolvedQuota]:
    resolved: dict[str, ResolvedQuota] = {}
    for source in sources:
        for key, value in entries[source].items():
            resolved.setdefault(key, ResolvedQuota(value, source))
    return dict(sorted(resolved.items()))
