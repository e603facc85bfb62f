"""The calls of KIP-546 over a cluster: describe, alter and resolve client quotas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from messagegen_client.cluster import ANY_BROKER, Cluster
from messagegen_client.deadlines import Deadline
from messagegen_client.errors import (
    BrokerConnectionError,
    InvalidRequestError,
    KafkaError,
    KafkaTimeoutError,
    ProtocolError,
    broker_error,
    check_error_code,
)
from messagegen_client.quota_batches import batches
from messagegen_client.quota_filters import ClientQuotaFilter
from messagegen_client.quota_names import repeated, sanitize
from messagegen_client.quota_resolution import ResolvedQuota, resolve
from messagegen_client.quotas import ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from messagegen_kafka.alter_client_quotas_request import EntityData, EntryData, OpData
from messagegen_kafka.alter_client_quotas_response import EntryData as AlteredEntry
from messagegen_kafka.describe_client_quotas_request import ComponentData
from messagegen_kafka.error_codes import ErrorCode

_DESCRIBING = "describing client quotas"


class AlterClientQuotasError(KafkaError):
    """Several entities were not altered; ``errors`` says why for each of them."""

    def __init__(self, errors: dict[ClientQuotaEntity, KafkaError]) -> None:
        self.errors = errors
        entity, first = next(iter(errors.items()))
        super().__init__(f"{len(errors)} entities were not altered, {entity} among them: {first}")


class AlterClientQuotasResult(dict[ClientQuotaEntity, KafkaError | None]):
    """One result for each entity, in the order of the alterations: ``None`` if it was altered, else why it was not."""

    @property
    def errors(self) -> dict[ClientQuotaEntity, KafkaError]:
        """The entities that were not altered."""
        return {entity: error for entity, error in self.items() if error is not None}

    def raise_for_errors(self) -> None:
        """Raises the error of the entity that was not altered, or ``AlterClientQuotasError`` for several; else does nothing."""
        errors = self.errors
        if len(errors) == 1:
            raise next(iter(errors.values()))
        if errors:
            raise AlterClientQuotasError(errors)


async def describe_client_quotas(
    cluster: Cluster,
    filter: ClientQuotaFilter | None = None,  # noqa: A002 - the name that it has in Java
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> dict[ClientQuotaEntity, dict[str, float]]:
    """The configured quotas of the entities that ``filter`` selects (all, if there is none); key to value for each.

    Entities without values do not appear. Both levels are sorted: entities in their own order, keys by name. ``timeout``
    is in seconds, for the whole call; without it the config's ``api_timeout`` counts.

    Raises ``BrokerError`` where the broker refuses: with INVALID_REQUEST (``InvalidRequestError``) for a filter that
    contradicts itself, UNSUPPORTED_VERSION for an entity type that it does not know, CLUSTER_AUTHORIZATION_FAILED
    (``AuthorizationError``) where the user may not describe configs; and what ``Cluster.call`` raises.
    """
    deadline = cluster.deadline(timeout)
    request = _describe_request(filter or ClientQuotaFilter.all())

    async def attempt() -> DescribeClientQuotasResponse:
        answer = await cluster.call(request, DescribeClientQuotasResponse, to=ANY_BROKER, deadline=deadline)
        check_error_code(answer.message.error_code, _DESCRIBING, answer.message.error_message)
        return answer.message

    return _described(await cluster.retrying(attempt, deadline=deadline))


async def alter_client_quotas(
    cluster: Cluster,
    alterations: Iterable[ClientQuotaAlteration],
    *,
    validate_only: bool = False,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> AlterClientQuotasResult:
    """Makes the changes to each entity, all of one entity or none; with ``validate_only`` only checks them.

    Entities are independent: each has its own result. An entity that comes twice, or with one key twice, gets
    ``InvalidRequestError`` without being sent, because a broker would carry out a part of it. What the broker refuses
    has its ``BrokerError``: entity types, keys and values that it does not accept are INVALID_REQUEST.

    As many entities as a controller takes go into one request. A request that may have reached a broker is not sent again:
    although setting a value twice does no harm by itself, the second time might undo what somebody else set in between. If no
    answer comes, the error has ``outcome_unknown``. It is raised if no entity has a result yet; later, it becomes the result
    of the entities concerned, and those that were not sent any more say so. ``EncodeError`` (a ``ValueError``), for a name
    that no message can carry, is raised before anything is sent.
    """
    deadline = cluster.deadline(timeout)
    wanted = list(alterations)
    refused = _contradictions(wanted)
    groups = list(batches(alteration for alteration in wanted if alteration.entity not in refused))
    _check_encodable(groups)
    done: dict[ClientQuotaEntity, KafkaError | None] = {}
    failed: KafkaError | None = None
    for batch in groups:
        if failed is not None:
            done |= {alteration.entity: _not_sent(alteration.entity, failed) for alteration in batch}
            continue
        try:
            done |= await _alter_batch(cluster, batch, validate_only=validate_only, deadline=deadline)
        except KafkaError as problem:
            if not done:
                raise
            failed = problem
            done |= {alteration.entity: problem for alteration in batch}
    done |= refused
    return AlterClientQuotasResult({alteration.entity: done[alteration.entity] for alteration in wanted})


async def resolve_client_quotas(
    cluster: Cluster,
    entities: Iterable[ClientQuotaEntity],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - as above
) -> dict[ClientQuotaEntity, dict[str, ResolvedQuota]]:
    """For each entity and each quota type that has a value for it: that value, and the entry that it comes from.

    No broker offers this (key 50, which KIP-546 gave to it, is another API now), so that all entries are described once and
    resolved here, by the rules in ``quota_resolution``. Raises what ``describe_client_quotas`` raises.
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
        if not entry.entity:
            raise ProtocolError(f"{_DESCRIBING}: the answer has an entity without types")
        values = {value.key: value.value for value in sorted(entry.values, key=lambda value: value.key)}
        if values:
            described[ClientQuotaEntity({part.entity_type: part.entity_name for part in entry.entity})] = values
    return dict(sorted(described.items(), key=lambda item: item[0]))


async def _alter_batch(
    cluster: Cluster, batch: Sequence[ClientQuotaAlteration], *, validate_only: bool, deadline: Deadline
) -> dict[ClientQuotaEntity, KafkaError | None]:
    request = _alter_request(batch, validate_only=validate_only)

    async def attempt() -> dict[ClientQuotaEntity, AlteredEntry]:
        answer = await cluster.call(
            request, AlterClientQuotasResponse, to=ANY_BROKER, deadline=deadline, idempotent=validate_only
        )
        entries = {_entity_of(entry): entry for entry in answer.message.entries}
        for entry in entries.values():
            # The one error that says that nothing was done and that asking again will help.
            if ErrorCode(entry.error_code) is ErrorCode.NOT_CONTROLLER:
                raise broker_error(entry.error_code, "altering client quotas", entry.error_message)
        return entries

    entries = await cluster.retrying(attempt, deadline=deadline)
    return {
        alteration.entity: _result(alteration.entity, entries.get(alteration.entity), validate_only=validate_only)
        for alteration in batch
    }


def _check_encodable(groups: Sequence[Sequence[ClientQuotaAlteration]]) -> None:
    """Raises ``EncodeError`` before the first of several requests is sent, not between two of them."""
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
    if not entry.entity:
        raise ProtocolError("altering client quotas: the answer has an entity without types", outcome_unknown=True)
    return ClientQuotaEntity({part.entity_type: part.entity_name for part in entry.entity})


def _result(entity: ClientQuotaEntity, entry: AlteredEntry | None, *, validate_only: bool) -> KafkaError | None:
    doing = f"altering client quotas of {entity}"
    if entry is None:
        return ProtocolError(f"{doing}: the answer does not mention this entity", outcome_unknown=not validate_only)
    if not entry.error_code:
        return None
    error = broker_error(entry.error_code, doing, entry.error_message)
    if error.code is ErrorCode.REQUEST_TIMED_OUT and not validate_only:
        # The broker had no answer from the controller, which may have made the change.
        timeout = KafkaTimeoutError(f"{error}; the outcome is unknown: describe the entity", outcome_unknown=True)
        timeout.__cause__ = error
        return timeout
    return error


def _contradictions(alterations: Sequence[ClientQuotaAlteration]) -> dict[ClientQuotaEntity, KafkaError]:
    """The entities that come twice, or with a key twice."""
    seen: set[ClientQuotaEntity] = set()
    refused: dict[ClientQuotaEntity, KafkaError] = {}
    for alteration in alterations:
        entity = alteration.entity
        key = repeated(op.key for op in alteration.ops)
        if entity in seen:
            refused[entity] = _invalid(entity, "the entity is given twice; put all its changes into one alteration")
        elif key is not None:
            refused[entity] = _invalid(entity, f"the quota {sanitize(key)} is given twice")
        seen.add(entity)
    return refused


def _invalid(entity: ClientQuotaEntity, reason: str) -> InvalidRequestError:
    return InvalidRequestError(ErrorCode.INVALID_REQUEST, f"altering client quotas of {entity}", reason)


def _not_sent(entity: ClientQuotaEntity, problem: KafkaError) -> KafkaError:
    error = BrokerConnectionError(f"altering client quotas of {entity}: not sent, because a request before it failed")
    error.__cause__ = problem
    return error
