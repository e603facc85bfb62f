"""The effective quotas of a client, as brokers enforce them (KIP-546). Brokers have no API for this.

For each quota, the first of these entries with a value is effective:

    1. {user=U, client-id=C}            5. {user=<default>, client-id=<default>}
    2. {user=U, client-id=<default>}    6. {user=<default>}
    3. {user=U}                         7. {client-id=C}
    4. {user=<default>, client-id=C}    8. {client-id=<default>}

For an ``ip`` (KIP-612), the entry of the address comes first, however it is spelled, and the default entry second.
So an entry applies if the client has all of its types, and if the name of each type is the client's or the default.
Entries apply in the order of ``ClientQuotaEntity``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from messagegen_client.quotas.addresses import by_address, same_for_brokers
from messagegen_client.quotas.entities import KINDS, ClientQuotaEntity


@dataclass(frozen=True, slots=True)
class ResolvedQuota:
    """The effective value of a quota, and the entry that it comes from."""

    value: float
    source: ClientQuotaEntity


def resolve(
    entities: Iterable[ClientQuotaEntity], entries: Mapping[ClientQuotaEntity, Mapping[str, float]]
) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
    """Return the effective quotas of each entity, sorted by key.

    Entries with entity types that Kafka does not have are left out (``left_out``), unless the entity has them.

    ``entries`` are the configured quotas. An entity is a client: its user, client id and address. The default of a type
    applies only to entities with that type. The name ``None`` means any name without an entry of its own.
    """
    shapes = sorted({tuple(entry) for entry in entries})
    found = by_address(entries)
    return {entity: _resolve_one(_matching(entity, shapes, found), entries) for entity in entities}


def left_out(entity: ClientQuotaEntity, entries: Iterable[ClientQuotaEntity]) -> list[ClientQuotaEntity]:
    """Return the entries with an entity type that Kafka does not have, and that ``entity`` does not have either.

    Other brokers have such types, which may apply to any client: ``client-id-prefix`` of Redpanda matches client ids.
    """
    known = {*KINDS, *entity}
    return [entry for entry in entries if not entry.keys() <= known]


def _matching(
    entity: ClientQuotaEntity,
    shapes: Iterable[tuple[str, ...]],
    entries: Mapping[ClientQuotaEntity, Sequence[ClientQuotaEntity]],
) -> list[ClientQuotaEntity]:
    """Return the entries that apply to an entity, most specific first; ``shapes`` are the combinations of types.

    The keys of ``entries`` are entities in the usual form.
    """
    found: list[ClientQuotaEntity] = []
    for shape in shapes:
        if not all(kind in entity for kind in shape):
            continue
        for names in itertools.product(*({entity[kind], None} for kind in shape)):
            entry = ClientQuotaEntity(dict(zip(shape, names, strict=True)))
            found.extend(entries.get(same_for_brokers(entry), ()))
    return sorted(found)


def _resolve_one(
    sources: Iterable[ClientQuotaEntity], entries: Mapping[ClientQuotaEntity, Mapping[str, float]]
) -> dict[str, ResolvedQuota]:
    resolved: dict[str, ResolvedQuota] = {}
    for source in sources:
        for key, value in entries[source].items():
            resolved.setdefault(key, ResolvedQuota(value, source))
    return dict(sorted(resolved.items()))
