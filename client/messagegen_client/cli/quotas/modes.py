"""The three modes of ``kafka-client-quotas``: what the options ask for, and what is printed for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import click

from messagegen_client.cli.quotas.outcome import result_json, show_errors
from messagegen_client.cli.support import Connection, check_output, say, with_cluster
from messagegen_client.errors import KafkaError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.quotas.calls import (
    alter_client_quotas,
    describe_client_quotas,
    resolve_client_quotas,
)
from messagegen_client.quotas.entities import QUOTAS, ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.file.writing import json_number, json_text
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent
from messagegen_client.quotas.names import (
    QuotaTextError,
    check_known,
    parse_list,
    parse_names,
    parse_values,
    repeated,
    sanitize,
    value_text,
)
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.quotas.results import AlterClientQuotasResult
from messagegen_client.quotas.waiting import wait_for_client_quotas


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the options say, as they were written."""

    names: Sequence[str]
    defaults: Sequence[str]
    add: Sequence[str]
    delete: Sequence[str]
    validate_only: bool
    wait: bool
    as_json: bool


def describe_mode(connection: Connection, request: Request) -> int:
    """Prints the entities that match, each with its values: ``{type=name, ...}``, then a line ``quota=value`` each."""
    wanted = filter_of(request)
    described = with_cluster(
        connection, lambda cluster: describe_client_quotas(cluster, wanted, timeout=connection.timeout)
    )
    text = json_text(described) if request.as_json else _described_text(described)
    say(text)
    return 0


def resolve_mode(connection: Connection, request: Request) -> int:
    """Prints the quotas that hold for the entity, a line ``quota=value {source}`` each."""
    entity = entity_of(request)
    resolved = with_cluster(
        connection, lambda cluster: resolve_client_quotas(cluster, [entity], timeout=connection.timeout)
    )[entity]
    say(_resolved_json(entity, resolved) if request.as_json else _resolved_text(resolved))
    return 0


def alter_mode(connection: Connection, request: Request) -> int:
    """Alters the entity; prints nothing if that succeeds, or the result in JSON. Returns the exit code."""
    alteration = alteration_of(request)
    if request.as_json:
        check_output()

    async def work(cluster: Cluster) -> tuple[AlterClientQuotasResult, KafkaError | None]:
        deadline = cluster.deadline(connection.timeout)
        results = await alter(cluster, [alteration], validate_only=request.validate_only, timeout=connection.timeout)
        return results, await waited(cluster, [alteration], results, deadline) if request.wait else None

    results, behind = with_cluster(connection, work)
    if request.as_json:
        document = result_json(results) | ({"brokers_agree": behind is None} if request.wait else {})
        say(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return show_errors(results, behind)


async def alter(
    cluster: Cluster,
    alterations: Iterable[ClientQuotaAlteration],
    *,
    validate_only: bool,
    timeout: float | None,  # noqa: ASYNC109 - as ``alter_client_quotas`` takes it
) -> AlterClientQuotasResult:
    """``alter_client_quotas``, which does not raise an error of an alteration that may have been done: it is a result.

    Who interrupts it (Ctrl-C) is told that it may have been done all the same.
    """
    wanted = list(alterations)
    try:
        return await alter_client_quotas(cluster, wanted, validate_only=validate_only, timeout=timeout)
    except KafkaError as problem:
        if not problem.outcome_unknown:
            raise
        return AlterClientQuotasResult((alteration.entity, problem) for alteration in wanted)
    except asyncio.CancelledError:
        if not validate_only:
            click.echo("Interrupted: the outcome is unknown; describe the quotas to see what was done.", err=True)
        raise


async def waited(
    cluster: Cluster, alterations: Iterable[ClientQuotaAlteration], results: AlterClientQuotasResult, deadline: Deadline
) -> KafkaError | None:
    """Waits until all brokers describe what was done; returns why they do not where that takes too long."""
    done = [alteration for alteration in alterations if results[alteration.entity] is None]
    try:
        # No time at all is no timeout: the call has to say that it is over.
        await wait_for_client_quotas(cluster, done, timeout=max(deadline.remaining(), 0.001))
    except KafkaError as problem:
        return problem
    return None


def filter_of(request: Request) -> ClientQuotaFilter:
    """The filter that ``--names`` and ``--defaults`` stand for. Raises ``click.UsageError``."""
    components = [
        (
            ClientQuotaFilterComponent.of_entity_type(kind)
            if name is None
            else ClientQuotaFilterComponent.of_entity(kind, name)
        )
        for kind, name in _names(request)
    ]
    components += [ClientQuotaFilterComponent.of_default_entity(kind) for kind in _defaults(request)]
    _check_once([component.entity_type for component in components])
    return ClientQuotaFilter.contains(components)


def entity_of(request: Request) -> ClientQuotaEntity:
    """The entity that ``--names`` and ``--defaults`` stand for. Raises ``click.UsageError``."""
    names = _names(request)
    for kind, name in names:
        if name is None:
            raise click.UsageError(f"--names: write {kind}=NAME, or --defaults={kind} for the default entity.")
    pairs = [*names, *((kind, None) for kind in _defaults(request))]
    if not pairs:
        raise click.UsageError("Say which entity: --names=user=NAME,client-id=NAME, or --defaults=user, or both.")
    _check_once([kind for kind, _ in pairs])
    return ClientQuotaEntity(dict(pairs))


def alteration_of(request: Request) -> ClientQuotaAlteration:
    """The alteration that the options stand for. Raises ``click.UsageError``."""
    entity = entity_of(request)
    try:
        ops = [Op(key, value) for text in request.add for key, value in parse_values(text)]
    except QuotaTextError as problem:
        raise click.UsageError(f"--add: {problem}.") from None
    try:
        deleted = [key for text in request.delete for key in parse_list(text, "a quota")]
        for key in deleted:
            # Brokers refuse to set what they do not know, but say nothing when it is to be removed.
            check_known(key, QUOTAS, "quota")
    except QuotaTextError as problem:
        raise click.UsageError(f"--delete: {problem}.") from None
    ops += [Op(key, None) for key in deleted]
    if not ops:
        raise click.UsageError("Say what to alter: --add=QUOTA=VALUE or --delete=QUOTA, or both.")
    return ClientQuotaAlteration(entity, tuple(ops))


def _names(request: Request) -> list[tuple[str, str | None]]:
    try:
        return [pair for text in request.names for pair in parse_names(text)]
    except QuotaTextError as problem:
        raise click.UsageError(f"--names: {problem}.") from None


def _defaults(request: Request) -> list[str]:
    try:
        return [kind for text in request.defaults for kind in parse_list(text, "an entity type")]
    except QuotaTextError as problem:
        raise click.UsageError(f"--defaults: {problem}.") from None


def _check_once(kinds: Sequence[str]) -> None:
    twice = repeated(kinds)
    if twice is not None:
        raise click.UsageError(f"The entity type {sanitize(twice)} is given twice.")


def _described_text(described: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> str:
    lines: list[str] = []
    for entity, values in described.items():
        lines.append(f"{entity}\n")
        lines += [f"{sanitize(key)}={value_text(value)}\n" for key, value in values.items()]
    return "".join(lines)


def _resolved_text(resolved: Mapping[str, ResolvedQuota]) -> str:
    return "".join(f"{sanitize(key)}={value_text(quota.value)} {quota.source}\n" for key, quota in resolved.items())


def _resolved_json(entity: ClientQuotaEntity, resolved: Mapping[str, ResolvedQuota]) -> str:
    values = {key: {"value": json_number(quota.value), "source": dict(quota.source)} for key, quota in resolved.items()}
    return json.dumps({"entity": dict(entity), "values": values}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
