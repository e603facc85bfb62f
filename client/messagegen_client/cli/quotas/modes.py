"""The modes ``--describe``, ``--resolve`` and ``--alter`` of ``kafka-client-quotas``.

The function of a mode returns the exit code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeVar

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli import support
from messagegen_client.cli.quotas.output import described_text, resolved_text, result_json, show_errors
from messagegen_client.errors import KafkaError
from messagegen_client.quotas.addresses import address_warnings
from messagegen_client.quotas.entities import IP, QUOTAS, ClientQuotaAlteration, ClientQuotaEntity, Op
from messagegen_client.quotas.file.writing import json_number, json_value
from messagegen_client.quotas.filters import ClientQuotaFilter, ClientQuotaFilterComponent
from messagegen_client.quotas.names import (
    QuotaTextError,
    check_known,
    parse_list,
    parse_names,
    parse_values,
    repeated,
    sanitize,
)
from messagegen_client.quotas.resolution import left_out, resolve
from messagegen_client.quotas.results import AlterClientQuotasResult
from messagegen_client.transport.deadlines import Deadline

_SHOWN: Final = 5
"""The maximum number of entities that a warning names."""

T = TypeVar("T")


class QuotasOptions(support.ConnectionOptions):
    """The options of ``kafka-client-quotas`` without a subcommand."""

    describe: bool
    resolve: bool
    alter: bool
    names: Sequence[str]
    defaults: Sequence[str]
    add: Sequence[str]
    delete: Sequence[str]
    validate_only: bool
    form: str


Mode = Literal["describe", "resolve", "alter"]


async def alter(
    admin: AsyncAdmin, deadline: Deadline, alterations: Sequence[ClientQuotaAlteration], *, validate_only: bool
) -> AlterClientQuotasResult:
    """Alter quotas, and return the results. An error with an unknown outcome becomes the result of all entities.

    Ctrl-C prints that the outcome is unknown.
    """
    try:
        return await admin.alter_client_quotas(alterations, validate_only=validate_only, timeout=deadline)
    except KafkaError as problem:
        if not problem.outcome_unknown:
            raise
        return AlterClientQuotasResult((alteration.entity, problem) for alteration in alterations)
    except asyncio.CancelledError:
        if not validate_only:
            support.note("Interrupted: the outcome is unknown; describe the quotas to see what was done.")
        raise


def _describe(context: click.Context, options: QuotasOptions) -> int:
    wanted = filter_of(options)
    described = support.with_admin(
        context, options, lambda admin, deadline: admin.describe_client_quotas(wanted, timeout=deadline)
    )
    if not described:
        support.note("No entity with quotas matches.")
    if options["form"] == "json":
        support.say_json(json_value(described))
    else:
        support.say(described_text(described))
    return 0


def _resolve(context: click.Context, options: QuotasOptions) -> int:
    entity = entity_of(options)
    described = support.with_admin(
        context, options, lambda admin, deadline: admin.describe_client_quotas(timeout=deadline)
    )
    found = resolve([entity], described)
    if unknown := left_out(entity, described):
        support.warn(f"left out entries with unknown entity types, which may also apply: {_few(unknown)}")
    if IP in entity:
        for text in dict.fromkeys([*address_warnings([entity]), *address_warnings(described)]):
            support.warn(text)
    if not found[entity]:
        support.note(f"No quota applies to {entity}.")
    if options["form"] == "json":
        values = {
            key: {"value": json_number(quota.value), "source": dict(quota.source)}
            for key, quota in found[entity].items()
        }
        support.say_json({"entity": dict(entity), "values": values})
    else:
        support.say(resolved_text(found[entity]))
    return 0


def _few(entities: Sequence[ClientQuotaEntity]) -> str:
    """Return the first few entities as text, and the number of others."""
    more = len(entities) - _SHOWN
    return ", ".join(map(str, entities[:_SHOWN])) + (f", and {more} more" if more > 0 else "")


def _alter(context: click.Context, options: QuotasOptions) -> int:
    """Alter the quotas, and print the result as JSON. Without JSON, print only errors."""
    alteration = alteration_of(options)
    validate_only = options["validate_only"]
    if options["form"] == "json":
        support.check_output()
    results = support.with_admin(
        context, options, lambda admin, deadline: alter(admin, deadline, [alteration], validate_only=validate_only)
    )
    if options["form"] == "json":
        support.say_json(result_json(results))
    return show_errors(results)


MODES: Final[Mapping[Mode, Callable[[click.Context, QuotasOptions], int]]] = {
    "describe": _describe,
    "resolve": _resolve,
    "alter": _alter,
}


def filter_of(options: QuotasOptions) -> ClientQuotaFilter:
    """Return the filter from ``--names`` and ``--defaults``. Raises ``click.UsageError``."""
    of = ClientQuotaFilterComponent
    components = [
        of.of_entity_type(kind) if name is None else of.of_entity(kind, name) for kind, name in _names(options)
    ]
    components += [of.of_default_entity(kind) for kind in _defaults(options)]
    _check_once([component.entity_type for component in components])
    return ClientQuotaFilter.contains(components)


def entity_of(options: QuotasOptions) -> ClientQuotaEntity:
    """Return the entity from ``--names`` and ``--defaults``. Raises ``click.UsageError``."""
    names = _names(options)
    for kind, name in names:
        if name is None:
            raise click.UsageError(f"--names: write {kind}=NAME, or --defaults={kind} for the default entity.")
    pairs = [*names, *((kind, None) for kind in _defaults(options))]
    if not pairs:
        raise click.UsageError("Missing entity: use --names=user=NAME,client-id=NAME, or --defaults=user, or both.")
    _check_once([kind for kind, _ in pairs])
    return ClientQuotaEntity(dict(pairs))


def alteration_of(options: QuotasOptions) -> ClientQuotaAlteration:
    """Return the alteration from the options. Raises ``click.UsageError``."""
    entity = entity_of(options)
    ops = [Op(key, value) for key, value in _parsed("--add", options["add"], parse_values)]
    ops += [Op(key, None) for key in _parsed("--delete", options["delete"], _known_quotas)]
    if not ops:
        raise click.UsageError("Nothing to alter: use --add=QUOTA=VALUE or --delete=QUOTA, or both.")
    return ClientQuotaAlteration(entity, tuple(ops))


def _known_quotas(text: str) -> list[str]:
    keys = parse_list(text, "a quota")
    for key in keys:
        # Brokers refuse to set an unknown quota, but ignore its removal.
        check_known(key, QUOTAS, "quota")
    return keys


def _names(options: QuotasOptions) -> list[tuple[str, str | None]]:
    return _parsed("--names", options["names"], parse_names)


def _defaults(options: QuotasOptions) -> list[str]:
    return _parsed("--defaults", options["defaults"], lambda text: parse_list(text, "an entity type"))


def _parsed(option: str, texts: Sequence[str], parse: Callable[[str], list[T]]) -> list[T]:
    """Return the items of a repeatable option. Raises ``click.UsageError``."""
    try:
        return [item for text in texts for item in parse(text)]
    except QuotaTextError as problem:
        raise click.UsageError(f"{option}: {problem}.") from None


def _check_once(kinds: Sequence[str]) -> None:
    twice = repeated(kinds)
    if twice is not None:
        raise click.UsageError(f"Duplicate entity type {sanitize(twice)}.")
