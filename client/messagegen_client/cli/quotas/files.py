"""``plan``, ``apply`` and ``export``: quota files against a cluster."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

import click

from messagegen_client.cli.quotas.main import EXIT_CHANGES
from messagegen_client.cli.quotas.modes import alter, waited
from messagegen_client.cli.quotas.outcome import counts_text, result_json, show_errors
from messagegen_client.cli.quotas.plan import plan_json, plan_text, summary
from messagegen_client.cli.support import (
    Connection,
    check_output,
    connection_options,
    printable,
    say,
    with_cluster,
)
from messagegen_client.errors import KafkaError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.quotas.calls import describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError, read_quota_file
from messagegen_client.quotas.file.writing import json_text, yaml_text
from messagegen_client.quotas.plan import Action, QuotaPlan, plan_quotas
from messagegen_client.quotas.results import AlterClientQuotasResult

_OUTPUT: Final = click.option("--output", type=click.Choice(["text", "json"]), help="Form of output.")
_FILE: Final = click.argument("file", type=click.File(encoding="utf-8"))
_PRUNE: Final = click.option(
    "--prune",
    is_flag=True,
    help="Also remove quotas that the file does not name: those of its entities, and all of other entities with the same "
    "combination of types.",
)

_MAX_REMOVALS: Final = click.option(
    "--max-removals",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    help="Fail, and change nothing, if more quotas than that would be removed.",
)


def _with_connection(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of the connection, which may stand before the command's name as well, and passes them as one."""

    @functools.wraps(function)
    @click.pass_context
    def command(
        context: click.Context,
        /,
        bootstrap_server: str | None,
        command_config: Path | None,
        timeout: float | None,
        output: str | None,
        **options: Any,
    ) -> None:
        group, group_output = context.obj
        own = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
        function(context, own.otherwise(group), (output or group_output) == "json", **options)

    return connection_options(_OUTPUT(command))


@click.command(short_help="Show what would change so that the cluster is as a file says.")
@_FILE
@_PRUNE
@click.option("--validate", is_flag=True, help="Also let the broker check the changes; exits with 1 if it refuses any.")
@_MAX_REMOVALS
@_with_connection
def plan(
    context: click.Context,
    connection: Connection,
    as_json: bool,
    file: IO[str],
    prune: bool,
    validate: bool,
    max_removals: int | None,
) -> None:
    """Shows what would have to change so that the quotas of the cluster are as FILE says, and changes nothing.

    FILE is YAML or JSON; - is standard input. Quotas that it does not name are left alone, unless --prune is there. Exits with
    2 if there is something to change, and with 0 if there is not.

    \b
    A quota file:
      quotas:
        - entity: {user: alice, client-id: null}     # null: the default client id
          values: {producer_byte_rate: 1000000, request_percentage: null}     # null: no such quota
    """
    wanted = _read(file)

    async def work(cluster: Cluster) -> tuple[QuotaPlan, AlterClientQuotasResult]:
        deadline = cluster.deadline(connection.timeout)
        current = await describe_client_quotas(cluster, timeout=connection.timeout)
        changes = plan_quotas(wanted, current, prune=prune)
        checked = _alterations(changes) if validate else []
        return changes, await alter(cluster, checked, validate_only=True, timeout=_rest(deadline))

    changes, results = with_cluster(connection, work)
    if as_json:
        _say_json(plan_json(changes) | ({"validate_only": True} | result_json(results) if validate else {}))
    else:
        say(plan_text(changes) + "\n" + (counts_text(results, validate_only=True) + "\n" if results else ""))
    code = show_errors(results)
    _check_removals(changes, max_removals)
    context.exit(code or (EXIT_CHANGES if changes else 0))


@click.command(name="apply", short_help="Make the cluster as a file says; only what differs is changed.")
@_FILE
@_PRUNE
@click.option("--validate-only", is_flag=True, help="Let the broker check the changes, and change nothing.")
@_MAX_REMOVALS
@click.option("--wait", is_flag=True, help="Wait until all brokers describe what was changed.")
@_with_connection
def apply(
    context: click.Context,
    connection: Connection,
    as_json: bool,
    file: IO[str],
    prune: bool,
    validate_only: bool,
    max_removals: int | None,
    wait: bool,
) -> None:
    """Changes the quotas of the cluster to what FILE says: only what differs, in one request for thousands of entities.

    Prints the plan, then does it, without asking. Entities are independent: what the broker refuses for one does not keep
    the others from being changed. Exits with 1 if anything was refused, was not sent, or has an unknown outcome because no
    answer came. Doing it again changes nothing.
    """
    if wait and validate_only:
        raise click.UsageError("--wait does not go with --validate-only, which changes nothing.")
    wanted = _read(file)
    check_output()

    async def work(cluster: Cluster) -> tuple[QuotaPlan, AlterClientQuotasResult, KafkaError | None]:
        deadline = cluster.deadline(connection.timeout)
        current = await describe_client_quotas(cluster, timeout=connection.timeout)
        changes = plan_quotas(wanted, current, prune=prune)
        if not as_json:
            say(plan_text(changes) + "\n")
        _check_removals(changes, max_removals)
        alterations = _alterations(changes)
        results = await alter(cluster, alterations, validate_only=validate_only, timeout=_rest(deadline))
        return changes, results, await waited(cluster, alterations, results, deadline) if wait else None

    changes, results, behind = with_cluster(connection, work)
    if as_json:
        agreement = {"brokers_agree": behind is None} if wait else {}
        _say_json(plan_json(changes) | {"validate_only": validate_only} | result_json(results) | agreement)
    elif changes:
        say(counts_text(results, validate_only=validate_only) + "\n")
    context.exit(show_errors(results, behind))


def _alterations(changes: QuotaPlan) -> list[ClientQuotaAlteration]:
    return [change.alteration() for change in changes.entities]


def _rest(deadline: Deadline) -> float:
    # No time at all is no timeout: the call has to say that it is over.
    return max(deadline.remaining(), 0.001)


def _check_removals(changes: QuotaPlan, most: int | None) -> None:
    """Raises ``click.ClickException`` where more quotas would be removed than ``--max-removals`` allows."""
    removed = changes.count()[Action.REMOVE]
    if most is not None and removed > most:
        quotas = summary(removed, "quota", "quotas")
        raise click.ClickException(
            f"{quotas} would be removed, and --max-removals allows {most}; nothing was changed. "
            f"If they shall go, write --max-removals {removed}"
        )


def _say_json(document: dict[str, object]) -> None:
    say(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


@click.command(short_help="Write the quotas of the cluster as a quota file.")
@_with_connection
def export(context: click.Context, connection: Connection, as_json: bool) -> None:
    """Writes all quotas of the cluster to standard output as a quota file: YAML, or JSON with --output json.

    A plan of that file is empty until somebody changes a quota.
    """
    described = with_cluster(connection, lambda cluster: describe_client_quotas(cluster, timeout=connection.timeout))
    entries: dict[ClientQuotaEntity, dict[str, float]] = {}
    for entity, values in described.items():
        limits = {key: value for key, value in values.items() if value > -math.inf}
        for key in sorted(values.keys() - limits.keys()):
            click.echo(f"warning: {entity}: {key} is {values[key]}, which is no limit; left out", err=True)
        if limits:
            entries[entity] = limits
    say(json_text(entries) if as_json else yaml_text(entries))
    context.exit(0)


def _read(file: IO[str]) -> QuotaFile:
    name = getattr(file, "name", "<stdin>")  # what stands in for standard input may have none
    try:
        return read_quota_file(file.read(), name)
    except UnicodeDecodeError as problem:
        raise click.ClickException(f"{name}: not UTF-8 text ({problem.reason} at byte {problem.start})") from None
    except QuotaFileError as problem:
        raise click.ClickException(printable(str(problem))) from None
