"""The command ``messagegen plan``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.options import config_option, errors_as_usage, message_option, read_plans, specs_option


@click.command()
@specs_option
@message_option
@config_option
def plan(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Show the wire format of messages, version by version.

    A plan lists the structs of a message with their fields, then each layout: the bytes of one struct in the versions
    that share them, field by field in order. The default for --specs is the specs of [tool.messagegen].

    \b
    Examples:
      messagegen plan --message MetadataResponse
      messagegen plan --specs kafka_specs --message FetchRequest --message FetchResponse

    Exit codes: 0 done, 2 specs with errors, wrong usage or an error.
    """
    with errors_as_usage():
        from messagegen.plan.text import plan_text

        for each in read_plans(specs, messages, config):
            click.echo(plan_text(each))
