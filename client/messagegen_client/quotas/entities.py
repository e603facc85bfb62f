"""Client quotas in the terms of KIP-546: who they are for, and how to change them.

The types follow Apache's package ``org.apache.kafka.common.quota``. They are values: they compare and hash by content,
and never change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import total_ordering
from types import MappingProxyType
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
"""The quotas that brokers know (upstream: ``QuotaConfig``; KIP-13, KIP-124, KIP-599, KIP-612)."""

COMBINATIONS: Final = (frozenset({USER}), frozenset({CLIENT_ID}), frozenset({USER, CLIENT_ID}), frozenset({IP}))
"""The combinations of entity types that a quota can be for."""

_ORDER: Final = {USER: 0, CLIENT_ID: 1, IP: 2}
_DEFAULT: Final = 1
_ABSENT: Final = (2, "")


@total_ordering
class ClientQuotaEntity(Mapping[str, str | None]):
    """Whom a quota is for: a mapping from entity type to name, where ``None`` is the default entity of that type.

    ``ClientQuotaEntity({"user": "alice", "client-id": None})`` and ``ClientQuotaEntity(user="alice", client_id=None)`` are
    the same; in a keyword an underscore stands for a hyphen. Entity types are open strings: brokers know ``user``,
    ``client-id`` and, since KIP-612, ``ip``, and they refuse others.

    Entities are hashable and have an order, which is the order in which a broker looks for quotas: a name before the
    default, the default before a type that is not there, users first, then client ids. Raises ``ValueError`` for an entity
    without types, and ``TypeError`` for names that are neither strings nor ``None``.
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
                raise ValueError(f"entity type {kind!r} is given twice")
            pairs[kind] = name
        _check(pairs.items())
        self._names = {kind: pairs[kind] for kind in sorted(pairs, key=lambda kind: (_ORDER.get(kind, 3), kind))}
        self._hash = hash(tuple(self._names.items()))
        self._order = _order_of(self._names)

    @property
    def entries(self) -> Mapping[str, str | None]:
        """The mapping by itself, under the name that it has in Java."""
        return MappingProxyType(self._names)

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
    """One change: sets the quota type ``key`` to ``value``, or removes it where that is ``None``.

    Units are those of the key: bytes per second, percent, or operations per second. Brokers judge the value.
    """

    key: str
    value: float | None


@dataclass(frozen=True, slots=True, init=False)
class ClientQuotaAlteration:
    """The changes to one entity, which a broker makes all or not at all."""

    entity: ClientQuotaEntity
    ops: tuple[Op, ...]

    def __init__(self, entity: ClientQuotaEntity, ops: Mapping[str, float | None] | tuple[Op, ...] | list[Op]) -> None:
        """Takes the changes as ``Op`` objects, or as a mapping from key to value or ``None``."""
        changes = [Op(key, value) for key, value in ops.items()] if isinstance(ops, Mapping) else ops
        object.__setattr__(self, "entity", entity)
        object.__setattr__(self, "ops", tuple(changes))


def _check(pairs: Collection[tuple[object, object]]) -> None:
    # Callers without a type checker pass numbers, which would fail later and far from here: hence ``object``.
    if not pairs:
        raise ValueError("a quota entity has at least one type; name one, as ClientQuotaEntity(user='alice')")
    for kind, name in pairs:
        if not isinstance(kind, str) or not kind:
            raise TypeError(f"an entity type is a string that is not empty, not {kind!r}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name of a {kind} is a string, or None for the default, not {name!r}")


def _keyword(kind: str) -> str:
    return kind.replace("-", "_")


def _order_of(names: Mapping[str, str | None]) -> tuple[object, ...]:
    known = tuple(_rank(names[kind]) if kind in names else _ABSENT for kind in _ORDER)
    return known, tuple((kind, _rank(name)) for kind, name in names.items() if kind not in _ORDER)


def _rank(name: str | None) -> tuple[int, str]:
    return (_DEFAULT, "") if name is None else (0, name)
