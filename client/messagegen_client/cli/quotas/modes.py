"""The modes ``--describe``, ``--resolve`` and ``--alter`` of ``kafka-client-quotas``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import click

from messagegen_client.cli.quotas.altering import alter
from messagegen_client.cli.quotas.outcome import result_json, show_errors
from messagegen_client.cli.support import Connection, check_output, say, say_json, with_admin
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

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Request:
    """The options, unparsed."""

    names: Sequence[str]
    defaults: Sequence[str]
    add: Sequence[str]
    delete: Sequence[str]
    validate_only: bool
    wait: bool
    as_json: bool


def describe_mode(connection: Connection, request: Request) -> int:
    """Prints the matching entities, as ``{type=name, ...}`` and a line ``quota=value`` for each quota."""
    wanted = filter_of(request)
    described = with_admin(connection, lambda admin, deadline: admin.describe_client_quotas(wanted, timeout=deadline))
    say(json_text(described) if request.as_json else _described_text(described))
    return 0


def resolve_mode(connection: Connection, request: Request) -> int:
    """Prints the effective quotas of the entity, a line ``quota=value {source}`` each."""
    entity = entity_of(request)
    found = with_admin(connection, lambda admin, deadline: admin.resolve_client_quotas([entity], timeout=deadline))
    resolved = found[entity]
    if request.as_json:
        values = {
            key: {"value": json_number(quota.value), "source": dict(quota.source)} for key, quota in resolved.items()
        }
        say_json({"entity": dict(entity), "values": values})
    else:
        say(_resolved_text(resolved))
    return 0


def alter_mode(connection: Connection, request: Request) -> int:
    """Alters the entity. Prints the result in JSON, or only errors. Returns the exit code."""
    alteration = alteration_of(request)
    if request.as_json:
        check_output()
    results, behind = with_admin(
        connection,
        lambda admin, deadline: alter(
            admin, deadline, [alteration], validate_only=request.validate_only, wait=request.wait
        ),
    )
    if request.as_json:
        say_json(result_json(results) | ({"brokers_agree": behind is None} if request.wait else {}))
    return show_errors(results, behind)


def filter_of(request: Request) -> ClientQuotaFilter:
    """The filter from ``--names`` and ``--defaults``. Raises ``click.UsageError``."""
    of = ClientQuotaFilterComponent
    components = [
        of.of_entity_type(kind) if name is None else of.of_entity(kind, name) for kind, name in _names(request)
    ]
    components += [of.of_default_entity(kind) for kind in _defaults(request)]
    _check_once([component.entity_type for component in components])
    return ClientQuotaFilter.contains(components)


def entity_of(request: Request) -> ClientQuotaEntity:
    """The entity from ``--names`` and ``--defaults``. Raises ``click.UsageError``."""
    names = _names(request)
    for kind, name in names:
        if name is None:
            raise click.UsageError(f"--names: write {kind}=NAME, or --defaults={kind} for the default entity.")
    pairs = [*names, *((kind, None) for kind in _defaults(request))]
    if not pairs:
        raise click.UsageError("Missing entity: use --names=user=NAME,client-id=NAME, or --defaults=user, or both.")
    _check_once([kind for kind, _ in pairs])
    return ClientQuotaEntity(dict(pairs))


def alteration_of(request: Request) -> ClientQuotaAlteration:
    """The alteration from the options. Raises ``click.UsageError``."""
    entity = entity_of(request)
    ops = [Op(key, value) for key, value in _parsed("--add", request.add, parse_values)]
    ops += [Op(key, None) for key in _parsed("--delete", request.delete, _known_quotas)]
    if not ops:
        raise click.UsageError("Nothing to alter: use --add=QUOTA=VALUE or --delete=QUOTA, or both.")
    return ClientQuotaAlteration(entity, tuple(ops))


def _known_quotas(text: str) -> list[str]:
    keys = parse_list(text, "a quota")
    for key in keys:
        # Brokers refuse to set an unknown quota, but ignore its removal.
        check_known(key, QUOTAS, "quota")
    return keys


def _names(request: Request) -> list[tuple[str, str | None]]:
    return _parsed("--names", request.names, parse_names)


def _defaults(request: Request) -> list[str]:
    return _parsed("--defaults", request.defaults, lambda text: parse_list(text, "an entity type"))


def _parsed(option: str, texts: Sequence[str], parse: Callable[[str], list[T]]) -> list[T]:
    """The items of a repeatable option. Raises ``click.UsageError``."""
    try:
        return [item for text in texts for item in parse(text)]
    except QuotaTextError as problem:
        raise click.UsageError(f"{option}: {problem}.") from None


def _check_once(kinds: Sequence[str]) -> None:
    twice = repeated(kinds)
    if twice is not None:
        raise click.UsageError(f"Duplicate entity type {sanitize(twice)}.")


def _described_text(described: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> str:
    lines: list[str] = []
    for entity, values in described.items():
        lines.append(f"{entity}\n")
        lines += [f"{sanitize(key)}={value_text(value)}\n" for key, value in values.items()]
    return "".join(lines)


def _resolved_text(resolved: Mapping[str, ResolvedQuota]) -> str:
    return "".join(f"{sanitize(key)}={value_text(quota.value)} {quota.source}\n" for key, quota in resolved.items())


MODES: Final = {"describe": describe_mode, "resolve": resolve_mode, "alter": alter_mode}
