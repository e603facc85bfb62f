"""Entity types, combinations of them, and quotas that every broker refuses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from messagegen_client.quotas.entities import COMBINATIONS, KINDS, QUOTAS
from messagegen_client.quotas.names import QuotaTextError, check_known

_EXPECTED: Final = "expected user, client-id, user and client-id, or ip"


def problems_of_kinds(kinds: Collection[str]) -> Iterator[str]:
    """Yield the problems of entity types: unknown types, or a combination that cannot have quotas."""
    unknown = [text for kind in kinds if (text := _unknown(kind, KINDS, "entity type"))]
    yield from unknown
    if not unknown and frozenset(kinds) not in COMBINATIONS:
        yield f"invalid combination {' and '.join(kinds) or '[]'}; {_EXPECTED}"


def problem_of_key(key: str) -> str | None:
    """Return the problem of a quota key; ``None`` for a known key."""
    return _unknown(key, QUOTAS, "quota")


def _unknown(name: str, known: tuple[str, ...], what: str) -> str | None:
    try:
        check_known(name, known, what)
    except QuotaTextError as problem:
        return str(problem)
    return None
