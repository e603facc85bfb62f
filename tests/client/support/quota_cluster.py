"""A cluster in memory with client quotas, which answers like brokers and controllers, for tests without a broker."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    Request,
    Response,
)
from messagegen_kafka.alter_client_quotas_request import EntryData
from messagegen_kafka.alter_client_quotas_response import EntityData
from messagegen_kafka.alter_client_quotas_response import EntryData as AlteredEntry
from messagegen_kafka.describe_client_quotas_request import ComponentData
from messagegen_kafka.describe_client_quotas_response import EntityData as DescribedEntity
from messagegen_kafka.describe_client_quotas_response import EntryData as DescribedEntry
from messagegen_kafka.describe_client_quotas_response import ValueData
from tests.client.support.memory_cluster import MemoryCluster

_TYPES = ("user", "client-id", "ip")
_KEYS = (
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
    "connection_creation_rate",
)

Described = Mapping[ClientQuotaEntity, Mapping[str, float]]


@dataclass
class QuotaStore:
    """The quotas and the requests. A store outlives the clusters that a command makes."""

    entries: dict[ClientQuotaEntity, dict[str, float]] = field(default_factory=dict)
    requests: list[object] = field(default_factory=list)
    before: Callable[[object], None] = lambda _: None
    """Called with each request before it is carried out; may raise the errors of a connection."""
    answer_with: Callable[[AlteredEntry], AlteredEntry] = lambda entry: entry
    """Changes the answer to an alteration."""

    @property
    def alterations(self) -> list[AlterClientQuotasRequest]:
        return [request for request in self.requests if isinstance(request, AlterClientQuotasRequest)]


class QuotaCluster(MemoryCluster):
    """A cluster with the quotas of a store."""

    def __init__(self, store: QuotaStore) -> None:
        super().__init__()
        self.store = store

    def offered(self) -> Mapping[int, tuple[int, int]]:
        return {one.API_KEY: (0, 1) for one in (AlterClientQuotasRequest, DescribeClientQuotasRequest)}

    def answer(self, request: Request, version: int, to: int | None) -> Response:
        self.store.requests.append(request)
        self.store.before(request)
        if isinstance(request, DescribeClientQuotasRequest):
            return _describe(request, self.store.entries)
        return self._alter(request)

    def _alter(self, request: Request) -> AlterClientQuotasResponse:
        assert isinstance(request, AlterClientQuotasRequest)
        return AlterClientQuotasResponse(
            entries=tuple(
                self.store.answer_with(self._alter_entity(entry, validate_only=request.validate_only))
                for entry in request.entries
            )
        )

    def _alter_entity(self, entry: EntryData, *, validate_only: bool) -> AlteredEntry:
        names = tuple(EntityData(entity_type=part.entity_type, entity_name=part.entity_name) for part in entry.entity)
        problem = _problem(entry)
        if problem:
            return AlteredEntry(error_code=42, error_message=problem, entity=names)
        if not validate_only:
            entity = ClientQuotaEntity({part.entity_type: part.entity_name for part in entry.entity})
            values = self.store.entries.setdefault(entity, {})
            for op in entry.ops:
                values.pop(op.key, None)
                if not op.remove:
                    values[op.key] = op.value
            if not values:
                del self.store.entries[entity]
        return AlteredEntry(entity=names)


def _describe(request: DescribeClientQuotasRequest, described: Described) -> DescribeClientQuotasResponse:
    unknown = [one.entity_type for one in request.components if one.entity_type not in _TYPES]
    if unknown:
        return DescribeClientQuotasResponse(
            error_code=35, error_message=f"Unsupported entity type {unknown[0]}", entries=None
        )
    entries = tuple(
        DescribedEntry(
            entity=tuple(DescribedEntity(entity_type=kind, entity_name=name) for kind, name in entity.items()),
            values=tuple(ValueData(key=key, value=value) for key, value in values.items()),
        )
        for entity, values in described.items()
        if _selected(entity, request.components, strict=request.strict)
    )
    return DescribeClientQuotasResponse(entries=entries)


def _problem(entry: EntryData) -> str | None:
    for part in entry.entity:
        if part.entity_type not in _TYPES:
            return f"Unhandled client quota entity type: {part.entity_type}"
        if part.entity_name == "":
            return f"Empty {part.entity_type} not supported"
    for op in entry.ops:
        if not op.remove and op.key not in _KEYS:
            return f"Invalid configuration key {op.key}"
        if not op.remove and not (op.value > 0 or math.isnan(op.value)):
            return f"Quota {op.key} must be greater than 0"
    return None


def _selected(entity: ClientQuotaEntity, components: Iterable[ComponentData], *, strict: bool) -> bool:
    wanted = {one.entity_type: one for one in components}
    if strict and set(entity) - set(wanted):
        return False
    for kind, one in wanted.items():
        if kind not in entity:
            return False
        if one.match_type != 2 and entity[kind] != one.match:
            return False
    return True
