"""Finds entity types, combinations of entity types, and quotas that every broker refuses."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from messagegen_client.quotas.entities import (
    CLIENT_ID,
    COMBINATIONS,
    IP,
    KINDS,
    QUOTAS,
    QUOTAS_OF_IP,
    USER,
    WHOLE_QUOTAS,
)
from messagegen_client.quotas.names import QuotaTextError, check_known, value_text

_FRACTION: Final = 1e-6
"""The largest distance from a whole number that brokers ignore (upstream: ``ClientQuotaControlManager``)."""
_EXPECTED: Final = "expected user, client-id, user and client-id, or ip"


def problems_of_kinds(kinds: Collection[str]) -> Iterator[str]:
    """Yield the problems of entity types: unknown types, or a combination that cannot have quotas."""
    unknown = [text for kind in kinds if (text := _unknown(kind, KINDS, "entity type"))]
    yield from unknown
    if not unknown and frozenset(kinds) not in COMBINATIONS:
        yield f"invalid combination {' and '.join(kinds) or '[]'}; {_EXPECTED}"


def problems_of_new_entity(names: Mapping[str, str | None]) -> Iterator[str]:
    """Yield the problems of an entity that the cluster does not have yet: invalid types, and empty names."""
    yield from problems_of_kinds(tuple(names))
    for kind, name in names.items():
        if name == "":
            yield f"empty name of {kind}; write a name, or null for the default entity"


def problem_of_new_quota(kinds: Collection[str], key: str) -> str | None:
    """Return the problem of a quota that an entity does not have yet; ``None`` if brokers accept the quota."""
    unknown = problem_of_key(key)
    if unknown is not None:
        return unknown
    if set(kinds) == {IP} and key not in QUOTAS_OF_IP:
        return f"{key} is not a quota of an ip; expected {' or '.join(QUOTAS_OF_IP)}"
    if kinds and set(kinds) <= {USER, CLIENT_ID} and key in QUOTAS_OF_IP:
        return f"{key} is a quota of an ip, not of {' and '.join(kinds)}"
    return None


def problem_of_value(key: str, value: float) -> str | None:
    """Return the problem of the value of a quota; ``None`` if current brokers accept it."""
    if value <= 0:
        return f"{value_text(value)} is not above 0; to remove the quota, write null"
    return problem_of_number(key, value)


def problem_of_number(key: str, value: float) -> str | None:
    """Return the problem of a value that no cluster can have: a number that is not in the range of the quota's type.

    In contrast, old brokers accept 0, so that a file from ``export`` may contain it.
    """
    if key not in WHOLE_QUOTAS:
        return None
    most = WHOLE_QUOTAS[key]
    if value > float(most):
        return f"{value_text(value)} is too large; the maximum of {key} is {most}"
    if math.isfinite(value) and abs(value - round(value)) > _FRACTION:
        return f"{key} must be a whole number, not {value_text(value)}"
    return None


def problem_of_key(key: str) -> str | None:
    """Return the problem of a quota key; ``None`` for a known key."""
    return _unknown(key, QUOTAS, "quota")


def _unknown(name: str, known: tuple[str, ...], what: str) -> str | None:
    try:
        check_known(name, known, what)
    except QuotaTextError as problem:
        return str(problem)
    return None
