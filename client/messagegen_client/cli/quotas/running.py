"""Runs the commands ``plan``, ``apply`` and ``export``; each function returns the exit code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import IO

import click

from messagegen_client.admin import AsyncAdmin
from messagegen_client.cli.quotas.altering import Altered, alter
from messagegen_client.cli.quotas.main import EXIT_CHANGES
from messagegen_client.cli.quotas.outcome import counts_text, result_json, show_errors
from messagegen_client.cli.quotas.plan import plan_json, plan_text
from messagegen_client.cli.support import Connection, check_output, plural, printable, say, say_json, with_admin
from messagegen_client.net.deadlines import Deadline
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError, read_quota_file
from messagegen_client.quotas.file.writing import json_text, yaml_text
from messagegen_client.quotas.plan import Action, QuotaPlan, plan_quotas
from messagegen_client.quotas.results import AlterClientQuotasResult


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The options of ``plan`` and ``apply``."""

    file: IO[str]
    prune: bool
    max_removals: int | None
    as_json: bool


def run_plan(connection: Connection, options: FileOptions, *, validate: bool) -> int:
    """Prints the changes that the file would make; ``validate`` lets the broker check them."""
    wanted = _read(options.file)

    async def work(admin: AsyncAdmin, deadline: Deadline) -> tuple[QuotaPlan, AlterClientQuotasResult]:
        current = await admin.describe_client_quotas(timeout=deadline)
        changes = plan_quotas(wanted, current, prune=options.prune)
        checked = _alterations(changes) if validate else []
        return changes, (await alter(admin, deadline, checked, validate_only=True))[0]

    changes, results = with_admin(connection, work)
    if options.as_json:
        say_json(plan_json(changes) | ({"validate_only": True} | result_json(results) if validate else {}))
    else:
        say(plan_text(changes) + "\n" + (counts_text(results, validate_only=True) + "\n" if results else ""))
    code = show_errors(results)
    _check_removals(changes, options.max_removals)
    return code or (EXIT_CHANGES if changes else 0)


def run_apply(connection: Connection, options: FileOptions, *, validate_only: bool, wait: bool) -> int:
    """Changes quotas to those of the file, or lets the broker check that; ``wait`` waits until all brokers describe them."""
    wanted, as_json = _read(options.file), options.as_json
    check_output()

    async def work(admin: AsyncAdmin, deadline: Deadline) -> tuple[QuotaPlan, Altered]:
        current = await admin.describe_client_quotas(timeout=deadline)
        changes = plan_quotas(wanted, current, prune=options.prune)
        if not as_json:
            say(plan_text(changes) + "\n")
        _check_removals(changes, options.max_removals)
        return changes, await alter(admin, deadline, _alterations(changes), validate_only=validate_only, wait=wait)

    changes, (results, behind) = with_admin(connection, work)
    if as_json:
        agreement = {"brokers_agree": behind is None} if wait else {}
        say_json(plan_json(changes) | {"validate_only": validate_only} | result_json(results) | agreement)
    elif changes:
        say(counts_text(results, validate_only=validate_only) + "\n")
    return show_errors(results, behind)


def run_export(connection: Connection, *, as_json: bool) -> int:
    """Prints all quotas as a quota file."""
    described = with_admin(connection, lambda admin, deadline: admin.describe_client_quotas(timeout=deadline))
    entries: dict[ClientQuotaEntity, dict[str, float]] = {}
    for entity, values in described.items():
        limits = {key: value for key, value in values.items() if value > -math.inf}
        for key in sorted(values.keys() - limits.keys()):
            click.echo(f"warning: {entity}: {key} is {values[key]}, which is not a limit; left out", err=True)
        if limits:
            entries[entity] = limits
    say(json_text(entries) if as_json else yaml_text(entries))
    return 0


def _alterations(changes: QuotaPlan) -> list[ClientQuotaAlteration]:
    return [change.alteration() for change in changes.entities]


def _check_removals(changes: QuotaPlan, most: int | None) -> None:
    """Raises ``click.ClickException`` if more quotas would be removed than ``--max-removals`` allows."""
    removed = changes.count()[Action.REMOVE]
    if most is not None and removed > most:
        raise click.ClickException(
            f"{plural(removed, 'quota')} would be removed, --max-removals allows {most}; nothing was changed. "
            f"To remove them, use --max-removals {removed}"
        )


def _read(file: IO[str]) -> QuotaFile:
    name = getattr(file, "name", "<stdin>")  # a replacement of standard input may have none
    try:
        return read_quota_file(file.read(), name)
    except UnicodeDecodeError as problem:
        raise click.ClickException(f"{name}: not UTF-8 text ({problem.reason} at byte {problem.start})") from None
    except QuotaFileError as problem:
        raise click.ClickException(printable(str(problem))) from None
