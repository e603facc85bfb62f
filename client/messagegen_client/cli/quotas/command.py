"""The command ``kafka-client-quotas`` (KIP-546): three modes, and subcommands for quota files.

Exit codes: 0 success, 1 failure, 2 ``plan`` found changes, 64 usage error, 130 interrupted. Other commands exit with 2
after a usage error; here, a mistyped option would then look like a plan with changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, Literal, Unpack

import click

from messagegen_client.cli import support
from messagegen_client.cli.quotas.files import apply, export, plan
from messagegen_client.cli.quotas.modes import MODES, Mode, QuotasOptions
from messagegen_client.console.running import CONTEXT_SETTINGS

NAME: Final = "kafka-client-quotas"
EXIT_USAGE: Final = 64  # EX_USAGE of sysexits.h
_Option = Literal["describe", "resolve", "alter", "names", "defaults", "add", "delete", "validate_only"]
_ALTERING: Final[tuple[_Option, ...]] = ("add", "delete", "validate_only")


class _ModesAndCommands(click.Group):
    """A group whose errors suggest ``--describe`` for ``describe``, and ``plan`` for ``--plan``. Modes are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, for click."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-")
            if name not in self.commands:
                raise
            raise click.UsageError(f"No such option '{error.option_name}'; write {name}", ctx) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, for click."""
        if args[0] in MODES:
            raise click.UsageError(f"No such command '{args[0]}'; write --{args[0]}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_ModesAndCommands,
    invoke_without_command=True,
    context_settings=CONTEXT_SETTINGS,
    subcommand_metavar="[COMMAND [ARGS]...]",
)
@support.connection_options
@click.option("--describe", is_flag=True, help="Show the matching entities with their configured quotas.")
@click.option("--resolve", is_flag=True, help="Show the effective quotas of a client, and where they come from.")
@click.option("--alter", is_flag=True, help="Set and delete quotas of one entity, atomically.")
@click.option(
    "--names",
    multiple=True,
    metavar="TYPE=NAME[,...]",
    help="Entity types with names: user=alice,client-id=app. With --describe, a type alone matches any name.",
)
@click.option("--defaults", multiple=True, metavar="TYPE[,...]", help="Entity types whose default entity is meant.")
@click.option("--add", multiple=True, metavar="QUOTA=VALUE[,...]", help="With --alter: quotas to set.")
@click.option("--delete", multiple=True, metavar="QUOTA[,...]", help="With --alter: quotas to remove.")
@click.option(
    "--validate-only", is_flag=True, help="With --alter: let the broker check the changes, and change nothing."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.version_option(package_name="messagegen-client", prog_name=NAME)
@click.pass_context
def quotas(context: click.Context, /, **options: Unpack[QuotasOptions]) -> None:
    """Describe, resolve and alter client quotas, or plan and apply a file of quotas.

    Entity types are user, client-id (also both together) and ip. With --describe, a missing type matches everything.
    Names are percent-encoded in options and output: a comma is %2C, a percent sign %25.

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
    modes: list[Mode] = [mode for mode in MODES if options[mode]]
    given = _given(options, *MODES)
    if context.invoked_subcommand is not None:
        given += _given(options, "names", "defaults", *_ALTERING)
        if given:
            raise click.UsageError(f"{given[0]} can't be used with {context.invoked_subcommand}.")
        return
    if len(modes) != 1:
        found = f", not {' and '.join(given)}" if given else ""
        raise click.UsageError(f"Expected one of --describe, --resolve and --alter{found}, or a command.")
    if modes != ["alter"] and (wrong := _given(options, *_ALTERING)):
        raise click.UsageError(f"{wrong[0]} requires --alter.")
    context.exit(MODES[modes[0]](context, options))


def _given(options: QuotasOptions, *names: _Option) -> list[str]:
    """Return the given options among ``names``, in their command-line form."""
    return [f"--{name.replace('_', '-')}" for name in names if options[name]]


quotas.add_command(plan)
quotas.add_command(apply)
quotas.add_command(export)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with ``arguments`` (default: ``sys.argv[1:]``) and exit with its code."""
    sys.exit(support.run(quotas, NAME, arguments, exit_usage=EXIT_USAGE))


if __name__ == "__main__":
    main()
