"""The command ``kafka-client-quotas``: three modes, and subcommands for quota files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen_client.cli.quotas.files import apply, export, plan
from messagegen_client.cli.quotas.main import NAME
from messagegen_client.cli.support import CONTEXT_SETTINGS, Connection, connection_options, version_option


@click.group(invoke_without_command=True, context_settings=CONTEXT_SETTINGS, subcommand_metavar="[COMMAND [ARGS]...]")
@connection_options
@click.option("--describe", is_flag=True, help="Show the matching entities with their configured quotas.")
@click.option("--resolve", is_flag=True, help="Show the effective quotas of a client, and where they come from.")
@click.option("--alter", is_flag=True, help="Set and delete quotas of one entity, atomically.")
@click.option(
    "--names",
    multiple=True,
    metavar="TYPE=NAME[,...]",
    help="Entity types with names: user=alice,client-id=app. With --describe, a type alone matches any name.",
)
@click.option("--defaults", multiple=True, metavar="TYPE[,...]", help="Entity types with the default entity.")
@click.option("--add", multiple=True, metavar="QUOTA=VALUE[,...]", help="With --alter: quotas to set.")
@click.option("--delete", multiple=True, metavar="QUOTA[,...]", help="With --alter: quotas to remove.")
@click.option(
    "--validate-only", is_flag=True, help="With --alter: let the broker check the changes, and change nothing."
)
@click.option("--wait", is_flag=True, help="With --alter: wait until all brokers describe the changes.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format.")
@version_option(NAME)
@click.pass_context
def quotas(
    context: click.Context,
    bootstrap_server: str | None,
    command_config: Path | None,
    timeout: float | None,
    describe: bool,
    resolve: bool,
    alter: bool,
    names: Sequence[str],
    defaults: Sequence[str],
    add: Sequence[str],
    delete: Sequence[str],
    validate_only: bool,
    wait: bool,
    output: str,
) -> None:
    """Describe, resolve and alter client quotas, or plan and apply a file of quotas.

    Entity types are user, client-id (also both together) and ip. With --describe, a missing type matches everything. Names
    are percent-encoded in options and output: a comma is %2C, a percent sign %25.

    \b
    Examples, each with --bootstrap-server localhost:9092:
      kafka-client-quotas --describe
      kafka-client-quotas --describe --names=client-id=my-client --defaults=user
      kafka-client-quotas --resolve --names=user=alice,client-id=my-client
      kafka-client-quotas --alter --names=user=alice --add=producer_byte_rate=1000000 --delete=request_percentage
      kafka-client-quotas export > quotas.yaml
      kafka-client-quotas plan quotas.yaml
      kafka-client-quotas apply quotas.yaml

    Exit codes: 0 success, 1 failure, 2 plan found changes, 64 wrong usage.
    """
    connection = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
    modes = [mode for mode, wanted in (("describe", describe), ("resolve", resolve), ("alter", alter)) if wanted]
    given = [f"--{mode}" for mode in modes]
    altering: dict[str, object] = {"add": add, "delete": delete, "validate-only": validate_only, "wait": wait}
    if context.invoked_subcommand is not None:
        given += _given({"names": names, "defaults": defaults, **altering})
        if given:
            raise click.UsageError(f"{given[0]} can't be used with {context.invoked_subcommand}.")
        context.obj = connection
        return
    if len(modes) != 1:
        found = f", not {' and '.join(given)}" if given else ""
        raise click.UsageError(f"Expected one of --describe, --resolve and --alter{found}, or a command.")
    if not alter and (wrong := _given(altering)):
        raise click.UsageError(f"{wrong[0]} requires --alter.")
    if wait and validate_only:
        raise click.UsageError("--wait can't be used with --validate-only, which changes nothing.")
    from messagegen_client.cli.quotas.modes import MODES, Request

    request = Request(
        names=names,
        defaults=defaults,
        add=add,
        delete=delete,
        validate_only=validate_only,
        wait=wait,
        as_json=output == "json",
    )
    context.exit(MODES[modes[0]](connection, request))


def _given(options: dict[str, object]) -> list[str]:
    return [f"--{name}" for name, value in options.items() if value]


quotas.add_command(plan)
quotas.add_command(apply)
quotas.add_command(export)
