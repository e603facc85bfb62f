"""The parts of a plan that every broker refuses, found without asking a broker."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen_client.documents.checking import report
from messagegen_client.quotas.checks import problem_of_new_quota, problem_of_value, problems_of_new_entity
from messagegen_client.quotas.entities import ClientQuotaEntity
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
    return iter(()) if change.exists else problems_of_new_entity(change.entity)


def _problem_of_quota(entity: ClientQuotaEntity, change: QuotaChange) -> str | None:
    if change.after is None:
        return None
    problem = problem_of_new_quota(tuple(entity), change.key) if change.before is None else None
    return problem or problem_of_value(change.key, change.after)
