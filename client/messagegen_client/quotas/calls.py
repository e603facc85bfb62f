"""Describes, alters and resolves client quotas (KIP-546)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from messagegen_client.errors import (
    OUTCOME_UNKNOWN_CODES,
    InvalidRequestError,
    KafkaError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.quotas.batches import batches
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.filters import ClientQuotaFilter
from messagegen_client.quotas.names import repeated, sanitize
from messagegen_client.quotas.resolution import ResolvedQuota, resolve
from messagegen_client.quotas.results import AlterClientQuotasResult, NotSentError
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline, Timeout
from messagegen_kafka import (
    AlterClientQuotasRequest,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from messagegen_kafka.alter_client_quotas_request import EntityData, EntryData, OpData
from messagegen_kafka.alter_client_quotas_response import EntryData as AlteredEntry
from messagegen_kafka.describe_client_quotas_request import ComponentData
from messagegen_kafka.error_codes import ErrorCode

_DESCRIBING: Final = "describing client quotas"
_ALTERING: Final = "altering client quotas"


async def describe_client_quotas(
    cluster: Cluster,
    filter: ClientQuotaFilter | None = None,  # noqa: A002 - the name in Java
    *,
    timeout: Timeout = None,
) -> dict[ClientQuotaEntity, dict[str, float]]:
    """Return the configured quotas of the entities that match ``filter`` (default: all), by key.

    Entities without quotas are left out. Entities and keys are sorted. Brokers learn of changes from the
    controller with a delay.

    Raises ``BrokerError``: INVALID_REQUEST (``InvalidRequestError``) for a filter that contradicts itself,
    UNSUPPORTED_VERSION for an unknown entity type, and CLUSTER_AUTHORIZATION_FAILED (``AuthorizationError``) if the
    user may not describe configs. Raises the errors of ``Cluster.call``.
    """
    deadline = cluster.deadline(timeout)
    request = _describe_request(filter or ClientQuotaFilter.all())

    async def attempt() -> DescribeClientQuotasResponse:
        answer = await cluster.call(request, deadline=deadline)
        check_error_code(answer.message.error_code, _DESCRIBING, answer.message.error_message)
        return answer.message

    return _described(await cluster.retrying(attempt, deadline=deadline))


async def alter_client_quotas(
    cluster: Cluster,
    alterations: Iterable[ClientQuotaAlteration],
    *,
    validate_only: bool = False,
    timeout: Timeout = None,
) -> AlterClientQuotasResult:
    """Alter the quotas of entities; with ``validate_only``, only check the changes. Each entity has its own result.

    The changes of one entity are atomic. An entity that occurs twice, or that has one key twice, gets an
    ``InvalidRequestError`` and is not sent, because a broker would carry out only a part of its changes. If the broker
    refuses a change, the result is a ``BrokerError``: INVALID_REQUEST for an unknown entity type or key, or an invalid
    value.

    Each request has as many entities as a controller accepts. A request that a broker may have received is not sent
    again, because another client may have altered a quota since. If no answer comes, the error has ``outcome_unknown``.
    An error that concerns all entities is raised. If a request fails after earlier ones succeeded, entities that were
    not sent yet get a ``NotSentError``. Raises ``EncodeError`` (a ``ValueError``) for a name that is too long, before
    anything is sent.
    """
    deadline = cluster.deadline(timeout)
    wanted = list(alterations)
    results: dict[ClientQuotaEntity, KafkaError | None] = {}
    results |= _contradictions(wanted)
    groups = list(batches(alteration for alteration in wanted if alteration.entity not in results))
    _check_encodable(groups)

    failure: KafkaError | None = None
    for batch in groups:
        if failure is not None:
            results |= {alteration.entity: _not_sent(alteration.entity, failure) for alteration in batch}
            continue
        try:
            results |= await _alter_batch(cluster, batch, validate_only=validate_only, deadline=deadline)
        except KafkaError as problem:
            # If ``outcome_unknown`` is false, no broker has received the request.
            concerns_all = len(groups) == 1 or not problem.outcome_unknown
            if concerns_all and not results:
                raise
            failure = problem
            results |= {alteration.entity: problem for alteration in batch}
    return AlterClientQuotasResult({alteration.entity: results[alteration.entity] for alteration in wanted})


async def resolve_client_quotas(
    cluster: Cluster, entities: Iterable[ClientQuotaEntity], *, timeout: Timeout = None
) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
    """Return the effective quotas of each entity by key: the value, and the entry that it comes from.

    No broker supports ResolveClientQuotas (KIP-546 planned it with key 50, which is a different API now). So all
    entries are described once and resolved here, by the rules in ``quotas.resolution``. Raises the errors of
    ``describe_client_quotas``.
    """
    return resolve(entities, await describe_client_quotas(cluster, timeout=timeout))


def _describe_request(wanted: ClientQuotaFilter) -> DescribeClientQuotasRequest:
    components = tuple(
        ComponentData(entity_type=one.entity_type, match_type=int(one.match_type), match=one.match)
        for one in wanted.components
    )
    return DescribeClientQuotasRequest(components=components, strict=wanted.strict)


def _described(response: DescribeClientQuotasResponse) -> dict[ClientQuotaEntity, dict[str, float]]:
    described: dict[ClientQuotaEntity, dict[str, float]] = {}
    for entry in response.entries or ():
        entity = _entity([(part.entity_type, part.entity_name) for part in entry.entity], _DESCRIBING)
        values = {value.key: value.value for value in sorted(entry.values, key=lambda value: value.key)}
        if values:
            described[entity] = values
    return dict(sorted(described.items(), key=lambda item: item[0]))


async def _alter_batch(
    cluster: Cluster, batch: Sequence[ClientQuotaAlteration], *, validate_only: bool, deadline: Deadline
) -> dict[ClientQuotaEntity, KafkaError | None]:
    request = _alter_request(batch, validate_only=validate_only)
    sent_before = False

    async def attempt() -> dict[ClientQuotaEntity, AlteredEntry]:
        nonlocal sent_before
        answer = await cluster.call(request, deadline=deadline, changes=not validate_only)
        entries = {_entity_of(entry): entry for entry in answer.message.entries}
        for entry in entries.values():
            if ErrorCode(entry.error_code) is ErrorCode.NOT_CONTROLLER:
                sent_before = True
                raise broker_error(entry.error_code, _ALTERING, entry.error_message)
        return entries

    try:
        entries = await cluster.retrying(attempt, deadline=deadline)
    except KafkaError as problem:
        # A controller that loses its role also answers NOT_CONTROLLER if it has written the records but not committed
        # them.
        problem.outcome_unknown |= sent_before and not validate_only
        raise
    return {
        alteration.entity: _result(alteration.entity, entries.get(alteration.entity), validate_only=validate_only)
        for alteration in batch
    }


def _check_encodable(groups: Sequence[Sequence[ClientQuotaAlteration]]) -> None:
    """Raise ``EncodeError`` if one of several requests cannot be encoded. Called before any of them is sent."""
    for batch in groups if len(groups) > 1 else ():
        _alter_request(batch, validate_only=True).size(version=AlterClientQuotasRequest.VALID_VERSIONS[-1])


def _alter_request(batch: Sequence[ClientQuotaAlteration], *, validate_only: bool) -> AlterClientQuotasRequest:
    return AlterClientQuotasRequest(entries=tuple(map(_entry, batch)), validate_only=validate_only)


def _entry(alteration: ClientQuotaAlteration) -> EntryData:
    entity = tuple(EntityData(entity_type=kind, entity_name=name) for kind, name in alteration.entity.items())
    return EntryData(entity=entity, ops=tuple(map(_op, alteration.ops)))


def _op(change: Op) -> OpData:
    if change.value is None:
        return OpData(key=change.key, remove=True)
    return OpData(key=change.key, value=float(change.value))


def _entity_of(entry: AlteredEntry) -> ClientQuotaEntity:
    try:
        return _entity([(part.entity_type, part.entity_name) for part in entry.entity], _ALTERING)
    except ProtocolError as problem:
        problem.outcome_unknown = True
        raise


def _entity(parts: Sequence[tuple[str, str | None]], doing: str) -> ClientQuotaEntity:
    """Return the entity in a response. Raises ``ProtocolError`` if it is invalid."""
    kinds = [kind for kind, _ in parts]
    if not kinds or not all(kinds) or len(set(kinds)) < len(kinds):
        raise ProtocolError(f"{doing}: the response has an entity with invalid types: {kinds}")
    return ClientQuotaEntity(dict(parts))


def _result(entity: ClientQuotaEntity, entry: AlteredEntry | None, *, validate_only: bool) -> KafkaError | None:
    doing = f"{_ALTERING} of {entity}"
    if entry is None:
        return ProtocolError(f"{doing}: missing in the response", outcome_unknown=not validate_only)
    if not entry.error_code:
        return None
    error = broker_error(entry.error_code, doing, entry.error_message)
    error.outcome_unknown = error.code in OUTCOME_UNKNOWN_CODES and not validate_only
    return error


def _contradictions(alterations: Sequence[ClientQuotaAlteration]) -> dict[ClientQuotaEntity, KafkaError]:
    """Return the entities that occur twice, or that have a key twice."""
    seen: set[ClientQuotaEntity] = set()
    refused: dict[ClientQuotaEntity, KafkaError] = {}
    for alteration in alterations:
        entity = alteration.entity
        key = repeated(op.key for op in alteration.ops)
        if entity in seen:
            refused[entity] = _invalid(entity, "duplicate entity; put all its changes into one alteration")
        elif key is not None:
            refused[entity] = _invalid(entity, f"duplicate quota {sanitize(key)}")
        seen.add(entity)
    return refused


def _invalid(entity: ClientQuotaEntity, reason: str) -> InvalidRequestError:
    return InvalidRequestError(ErrorCode.INVALID_REQUEST, f"{_ALTERING} of {entity}", reason)


def _not_sent(entity: ClientQuotaEntity, problem: KafkaError) -> KafkaError:
    error = NotSentError(f"{_ALTERING} of {entity}: not sent, because an earlier request failed")
    error.__cause__ = problem
    return error
