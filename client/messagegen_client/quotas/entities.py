"""Entities and alterations of client quotas (KIP-546; upstream: ``org.apache.kafka.common.quota``).

All types are immutable, and compare and hash by content.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

from messagegen_client.quotas.names import entity_text

USER: Final = "user"
CLIENT_ID: Final = "client-id"
IP: Final = "ip"

QUOTAS: Final = (
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
    "connection_creation_rate",
)
"""The quotas of brokers (upstream: ``QuotaConfig``; KIP-13, KIP-124, KIP-599, KIP-612)."""

QUOTAS_OF_IP: Final = ("connection_creation_rate",)
"""The quotas of an ``ip``; all others are quotas of users and client ids."""

WHOLE_QUOTAS: Final = {
    "producer_byte_rate": 2**63 - 1,
    "consumer_byte_rate": 2**63 - 1,
    "connection_creation_rate": 2**31 - 1,
}
"""The quotas whose values are whole numbers, with the maximum (upstream: ``QuotaConfig``)."""

KINDS: Final = (CLIENT_ID, IP, USER)
"""The entity types of brokers."""

COMBINATIONS: Final = (frozenset({USER}), frozenset({CLIENT_ID}), frozenset({USER, CLIENT_ID}), frozenset({IP}))
"""The combinations of entity types that can have quotas."""

_ORDER: Final = {USER: 0, CLIENT_ID: 1, IP: 2}
_DEFAULT: Final = 1
_ABSENT: Final = (2, "")


@total_ordering
class ClientQuotaEntity(Mapping[str, str | None]):
    """The entity that a quota is for: a mapping from entity type to name, where ``None`` is the default entity.

    ``ClientQuotaEntity({"user": "alice", "client-id": None})`` equals ``ClientQuotaEntity(user="alice",
    client_id=None)``; an underscore in a keyword means a hyphen. Brokers support the entity types ``user``,
    ``client-id`` and ``ip`` (KIP-612), and refuse others.

    Entities sort in the order in which brokers look up quotas: a name before the default, the default before a
    missing type, users before client ids. Raises ``ValueError`` for an entity without types, and ``TypeError`` for a
    name that is neither a string nor ``None``.
    """

    __slots__ = ("_hash", "_names", "_order")

    USER: Final = USER
    CLIENT_ID: Final = CLIENT_ID
    IP: Final = IP

    def __init__(self, entries: Mapping[str, str | None] | None = None, /, **names: str | None) -> None:
        pairs = dict(entries or {})
        for keyword, name in names.items():
            kind = keyword.replace("_", "-")
            if kind in pairs:
                raise ValueError(f"duplicate entity type {kind!r}")
            pairs[kind] = name
        _check(pairs.items())
        self._names = {kind: pairs[kind] for kind in sorted(pairs, key=lambda kind: (_ORDER.get(kind, 3), kind))}
        self._hash = hash(tuple(self._names.items()))
        self._order = _order_of(self._names)

    def __getitem__(self, kind: str) -> str | None:
        return self._names[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        return self._names == other._names if isinstance(other, ClientQuotaEntity) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: ClientQuotaEntity) -> bool:
        return self._order < other._order

    def __repr__(self) -> str:
        if self._names.keys() <= _ORDER.keys():
            return f"ClientQuotaEntity({', '.join(f'{_keyword(kind)}={name!r}' for kind, name in self._names.items())})"
        return f"ClientQuotaEntity({self._names!r})"

    def __str__(self) -> str:
        return entity_text(self._names)

    def __reduce__(self) -> tuple[type[ClientQuotaEntity], tuple[dict[str, str | None]]]:
        return ClientQuotaEntity, (dict(self._names),)


@dataclass(frozen=True, slots=True)
class Op:
    """One change: it sets the quota ``key`` to ``value``, or removes it if ``value`` is ``None``.

    The unit depends on the key: bytes per second, percent, or operations per second. Brokers check the value.
    """

    key: str
    value: float | None


@dataclass(frozen=True, slots=True, init=False)
class ClientQuotaAlteration:
    """The changes of one entity, which are atomic."""

    entity: ClientQuotaEntity
    ops: tuple[Op, ...]

    def __init__(self, entity: ClientQuotaEntity, ops: Mapping[str, float | None] | tuple[Op, ...] | list[Op]) -> None:
        """Store the changes. ``ops`` are ``Op`` objects, or a mapping from each key to its value or ``None``."""
        changes = [Op(key, value) for key, value in ops.items()] if isinstance(ops, Mapping) else ops
        object.__setattr__(self, "entity", entity)
        object.__setattr__(self, "ops", tuple(changes))


def _check(pairs: Collection[tuple[object, object]]) -> None:
    # The type is ``object``, because callers without a type checker may pass numbers.
    if not pairs:
        raise ValueError("a quota entity needs at least one type, for example ClientQuotaEntity(user='alice')")
    for kind, name in pairs:
        if not isinstance(kind, str) or not kind:
            raise TypeError(f"invalid entity type {kind!r}: expected a string that is not empty")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"invalid name {name!r} of a {kind}: expected a string, or None for the default")


def _keyword(kind: str) -> str:
    return kind.replace("-", "_")


def _order_of(names: Mapping[str, str | None]) -> tuple[object, ...]:
    known = tuple(_rank(names[kind]) if kind in names else _ABSENT for kind in _ORDER)
    return known, tuple((kind, _rank(name)) for kind, name in names.items() if kind not in _ORDER)


def _rank(name: str | None) -> tuple[int, str]:
    return (_DEFAULT, "") if name is None else (0, name)
