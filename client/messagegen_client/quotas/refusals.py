"""The parts of a plan that every broker refuses, found without asking a broker."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen_client.documents.checking import report
from messagegen_client.quotas.checks import problem_of_key, problems_of_kinds
from messagegen_client.quotas.entities import CLIENT_ID, IP, QUOTAS_OF_IP, USER, ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError
from messagegen_client.quotas.plan import EntityChange, QuotaChange, QuotaPlan


def check_plan(plan: QuotaPlan, file: QuotaFile, name: str) -> None:
    """Raise ``QuotaFileError`` with all changes that brokers would refuse, at their lines of the file ``name``."""
    found = [file.problem(entity, key, text) for entity, key, text in problems_of(plan)]
    if found:
        raise QuotaFileError(report(name, found))


def problems_of(plan: QuotaPlan) -> Iterator[tuple[ClientQuotaEntity, str | None, str]]:
    """Yield the parts of a plan that brokers refuse: entity, quota key (``None`` for the entity itself), and reason.

    Existing entities and quotas are accepted: a newer broker may know more types and quotas, and an older broker may
    have entities with an empty name.
    """
    for change in plan.entities:
        yield from ((change.entity, None, text) for text in _problems_of_entity(change))
        for quota in change.changes:
            text = _problem_of_quota(change.entity, quota)
            if text is not None:
                yield change.entity, quota.key, text


def _problems_of_entity(change: EntityChange) -> Iterator[str]:
    if change.exists:
        return
    yield from problems_of_kinds(tuple(change.entity))
    for kind, name in change.entity.items():
        if name == "":
            yield f"empty name of {kind}; write a name, or null for the default entity"


def _problem_of_quota(entity: ClientQuotaEntity, change: QuotaChange) -> str | None:
    if change.after is None:
        return None
    kinds = set(entity)
    if change.before is None:
        unknown = problem_of_key(change.key)
        if unknown is not None:
            return unknown
        if kinds == {IP} and change.key not in QUOTAS_OF_IP:
            return f"{change.key} is not a quota of an ip; expected {' or '.join(QUOTAS_OF_IP)}"
        if kinds <= {USER, CLIENT_ID} and change.key in QUOTAS_OF_IP:
            return f"{change.key} is a quota of an ip, not of {' and '.join(entity)}"
    if change.after <= 0:
        return f"{change.after:g} is not above 0; to remove the quota, write null"
    return None
