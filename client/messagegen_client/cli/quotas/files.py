"""The commands ``plan``, ``apply`` and ``export``, for quota files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import IO, Final, Unpack

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli import support
from messagegen_client.cli.quotas.modes import alter
from messagegen_client.cli.quotas.output import (
    plan_json,
    plan_text,
    refused_json,
    result_json,
    result_text,
    show_errors,
)
from messagegen_client.console.parameters import WholeNumber
from messagegen_client.console.text import count, printable
from messagegen_client.errors import AuthorizationError
from messagegen_client.quotas.addresses import address_warnings
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError, read_quota_file
from messagegen_client.quotas.file.writing import json_value, yaml_text
from messagegen_client.quotas.plan import Action, QuotaPlan, plan_quotas
from messagegen_client.quotas.refusals import check_plan
from messagegen_client.quotas.results import AlterClientQuotasResult
from messagegen_client.transport.deadlines import Deadline

EXIT_CHANGES: Final = 2

_FORMAT: Final = click.option("--format", "form", type=click.Choice(["text", "json"]), help="Output format.")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A quota file and its name."""

    quotas: QuotaFile
    name: str


_FILE: Final = click.argument("file", type=support.InputFile())
_PRUNE: Final = click.option(
    "--prune",
    is_flag=True,
    help="Also remove quotas that are not in the file, from all entities whose combination of types occurs in it.",
)
_MAX_REMOVALS: Final = click.option(
    "--max-removals",
    type=WholeNumber(0),
    metavar="NUMBER",
    help="Fail, and change nothing, if more than NUMBER quotas would be removed.",
)


@click.command(short_help="Show the changes that apply would make.")
@_FILE
@_PRUNE
@_MAX_REMOVALS
@_FORMAT
@support.connection_options
@click.pass_context
def plan(
    context: click.Context,
    /,
    file: IO[str],
    prune: bool,
    max_removals: int | None,
    form: str | None,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Show the changes that apply would make, and change nothing.

    FILE is YAML or JSON; - is standard input. Quotas that are not in the file are kept, unless --prune is given. The
    broker checks the changes. Exits with 2 if there are changes, with 0 if there are none, and with 1 if the broker
    would refuse one.

    \b
    A quota file:
      quotas:
        - entity: {user: alice, client-id: null}     # null: the default client id
          values: {producer_byte_rate: 1000000, request_percentage: null}     # null: remove the quota
    """
    wanted = _read(file)

    async def work(admin: AsyncAdmin, deadline: Deadline) -> tuple[QuotaPlan, AlterClientQuotasResult]:
        changes = await _planned(admin, deadline, wanted, prune=prune)
        return changes, await _checked_if_allowed(admin, deadline, changes)

    changes, checked = support.with_admin(context, connection, work)
    if _as_json(context, form):
        support.say_json(plan_json(changes) | {"refused": refused_json(checked)})
    else:
        support.say(plan_text(changes))
    _check_removals(changes, max_removals)
    if checked.errors:
        context.exit(show_errors(checked))
    context.exit(EXIT_CHANGES if changes else 0)


@click.command(name="apply", short_help="Make the quotas of the cluster match a quota file.")
@_FILE
@_PRUNE
@click.option("--validate-only", is_flag=True, help="Let the broker check the changes, and change nothing.")
@_MAX_REMOVALS
@_FORMAT
@support.connection_options
@click.pass_context
def apply(
    context: click.Context,
    /,
    file: IO[str],
    prune: bool,
    validate_only: bool,
    max_removals: int | None,
    form: str | None,
    **connection: Unpack[support.ConnectionOptions],
) -> None:
    """Change the quotas of the cluster to those in FILE. Only differences are sent, thousands at a time.

    Prints the plan, lets the broker check all of it, and applies it without confirmation. If the broker would refuse a
    change, nothing is changed. Exits with 1 if a change was refused, was not sent, or has an unknown outcome because no
    answer came. Applying a file again changes nothing.
    """
    wanted = _read(file)
    as_json = _as_json(context, form)
    support.check_output()

    async def work(admin: AsyncAdmin, deadline: Deadline) -> tuple[QuotaPlan, AlterClientQuotasResult]:
        changes = await _planned(admin, deadline, wanted, prune=prune)
        if not as_json:
            support.say(plan_text(changes))
        _check_removals(changes, max_removals)
        checked = await _validated(admin, deadline, changes)
        if validate_only:
            return changes, checked
        if checked.errors:
            return changes, checked.nothing_sent()
        return changes, await alter(admin, deadline, changes.alterations(), validate_only=False)

    changes, results = support.with_admin(context, connection, work)
    if as_json:
        support.say_json(plan_json(changes) | {"validate_only": validate_only} | result_json(results))
    elif changes:
        support.say(result_text(results, validate_only=validate_only))
    context.exit(show_errors(results))


@click.command(short_help="Print the quotas of the cluster as a quota file.")
@_FORMAT
@support.connection_options
@click.pass_context
def export(context: click.Context, /, form: str | None, **connection: Unpack[support.ConnectionOptions]) -> None:
    """Print all quotas of the cluster as a quota file in YAML, or in JSON with --format json.

    A plan of this file has no changes until a quota is altered. `apply --prune` of this file restores all quotas,
    because its scope has all combinations of entity types.
    """
    described = support.with_admin(
        context, connection, lambda admin, deadline: admin.describe_client_quotas(timeout=deadline)
    )
    for entity, values in list(described.items()):
        described[entity] = {key: value for key, value in values.items() if value > -math.inf}
        for key in values.keys() - described[entity].keys():
            support.warn(f"{entity}: {key} is {values[key]}, which does not limit anything; left out")
    limits = {entity: values for entity, values in described.items() if values}
    if _as_json(context, form):
        support.say_json(json_value(limits, whole=True))
    else:
        support.say(yaml_text(limits, whole=True))


async def _planned(admin: AsyncAdmin, deadline: Deadline, wanted: _Wanted, *, prune: bool) -> QuotaPlan:
    """Return the plan for a file.

    Prints warnings about addresses. Raises ``click.ClickException`` for changes that every broker refuses.
    """
    current = await admin.describe_client_quotas(timeout=deadline)
    changes = plan_quotas(wanted.quotas, current, prune=prune)
    try:
        check_plan(changes, wanted.quotas, wanted.name)
    except QuotaFileError as problem:
        raise _file_error(problem) from None
    for text in address_warnings([*current, *(change.entity for change in changes.entities)]):
        support.warn(text)
    return changes


async def _checked_if_allowed(admin: AsyncAdmin, deadline: Deadline, changes: QuotaPlan) -> AlterClientQuotasResult:
    """Let the broker check the changes. If the user is not allowed to make them, warn and return an empty result."""
    try:
        checked = await _validated(admin, deadline, changes)
    except AuthorizationError as problem:
        forbidden = problem
    else:
        errors = [error for error in checked.values() if isinstance(error, AuthorizationError)]
        if not errors:
            return checked
        forbidden = errors[0]
    support.warn(f"the broker did not check the changes, because you lack the permission to alter quotas: {forbidden}")
    return AlterClientQuotasResult()


async def _validated(admin: AsyncAdmin, deadline: Deadline, changes: QuotaPlan) -> AlterClientQuotasResult:
    """Let the broker check the changes in a plan, without making them, and return its results."""
    return await alter(admin, deadline, changes.alterations(), validate_only=True)


def _as_json(context: click.Context, form: str | None) -> bool:
    """Whether ``--format json`` was given, after the subcommand or before it."""
    assert context.parent is not None
    return (form or context.parent.params["form"]) == "json"


def _check_removals(changes: QuotaPlan, most: int | None) -> None:
    """Raise ``click.ClickException`` if more quotas would be removed than ``--max-removals`` allows."""
    removed = changes.count()[Action.REMOVE]
    if most is not None and removed > most:
        raise click.ClickException(
            f"{count(removed, 'quota')} would be removed, but --max-removals allows {most}; nothing was changed. "
            f"To remove them, use --max-removals {removed}"
        )


def _read(file: IO[str]) -> _Wanted:
    name = support.input_name(file)
    text = support.read_input(file)
    try:
        return _Wanted(read_quota_file(text, name), name)
    except QuotaFileError as problem:
        raise _file_error(problem) from None


def _file_error(problem: QuotaFileError) -> click.ClickException:
    return click.ClickException("\n".join(map(printable, problem.problems)))
