"""The command ``messagegen plan``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.options import (
    config_option,
    errors_as_usage,
    fetch_releases,
    message_option,
    read_outputs,
    specs_option,
)
from messagegen.config import Settings


@click.command()
@specs_option
@message_option
@config_option
def plan(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Show what messages look like on the wire, version by version.

    A plan lists the structs of a message with their fields, then each layout: the bytes of one struct in the versions
    that share them, field by field in order. Without --specs, those of [tool.messagegen] are read.

    \b
    Examples:
      messagegen plan --message MetadataResponse
      messagegen plan --specs kafka_specs --message FetchRequest --message FetchResponse

    Exit codes: 0 done, 2 specs with errors, wrong usage or an error.
    """
    with errors_as_usage():
        from messagegen.findings import UsageError
        from messagegen.generation.plans import checked_plan
        from messagegen.generation.sources import read_sources
        from messagegen.plan.text import plan_text

        outputs = (Settings(specs=tuple(specs)),) if specs else read_outputs(config)
        unknown: list[UsageError] = []
        for settings in (output.override(messages=messages) for output in outputs):
            try:
                sources = read_sources(
                    fetch_releases(settings.require_specs()), messages=settings.messages, versions=settings.versions
                )
            except UsageError as error:
                unknown.append(error)
                continue
            for warning in sources.warnings:
                click.secho(str(warning), err=True, fg="yellow")
            for spec in sources.messages:
                click.echo(plan_text(checked_plan(spec)))
        # A message that is named may belong to one of several outputs only.
        if len(unknown) == len(outputs):
            raise unknown[0]
