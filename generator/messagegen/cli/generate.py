"""The command ``messagegen generate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.options import (
    NamedPath,
    VersionedCommand,
    check_option,
    config_option,
    format_option,
    message_option,
    read_outputs,
    specs_options,
)
from messagegen.cli.outputs import run_outputs
from messagegen.config import Settings, choose
from messagegen.fetch.releases import releases_of


@click.command(cls=VersionedCommand)
@specs_options
@click.option(
    "--output",
    type=NamedPath(),
    metavar="DIR",
    help="Output folder; its last part is the name of the package.",
)
@message_option
@click.option(
    "--exclude", multiple=True, metavar="NAME", help="Leave out this message, or all that match a pattern (repeatable)."
)
@click.option(
    "--brokers", metavar="RELEASES", help="Only the versions that clients of these brokers need, such as 2.8..4.4."
)
@click.option("--error-codes", type=NamedPath(), metavar="FILE", help="File of error codes for an enum, or kafka.")
@click.option("--include", multiple=True, metavar="NAME", help="Only this output, such as python (repeatable).")
@config_option
@check_option
@format_option
def generate(
    specs: Sequence[Path],
    output: Path | None,
    messages: Sequence[str],
    exclude: Sequence[str],
    brokers: str | None,
    error_codes: Path | None,
    include: Sequence[str],
    config: Path | None,
    check: bool,
    form: str,
) -> None:
    """Write a Python package from message specs, or check it.

    Without PATHS, or --specs, and other flags, the settings are read from [tool.messagegen] in the nearest
    pyproject.toml; flags override them:

    \b
      [tool.messagegen]
      specs = ["message_specs"]                      # folders, files, or kafka:RELEASE
      output = "src/kafka_messages"                  # the last part is the package's name
      messages = ["MetadataRequest", "Fetch*"]       # optional: only these messages; * matches any text
      exclude = ["*Record"]                          # optional: not these messages
      brokers = "2.8..4.4"                           # optional: only what clients of these releases need
      versions = { MetadataRequest = "9-12" }        # optional: only these of the valid versions
      error_codes = "kafka"                          # optional: an enum of error codes: "kafka", or a file
      include = ["python"]                           # optional: only these outputs
      license = "Apache-2.0"                         # optional: the licence in generated files
      required-version = ">=0.1,<0.2"                # optional: versions of messagegen that may run

    For several outputs, write a [[tool.messagegen.outputs]] table for each; keys above them are their defaults.

    Only files that differ are written, only files that an earlier run wrote are removed (MANIFEST.json lists
    them), and hand edits of generated files are overwritten. Your own files in the folder are left alone.
    With PATHS, the keys messages, exclude, brokers, versions and error_codes are ignored, because they belong to the
    specs of the table.

    \b
    Examples:
      messagegen generate
      messagegen generate --check                    also shows how files differ
      messagegen generate --check --format github    annotations in a GitHub workflow
      messagegen generate --specs kafka_specs --output src/kafka_messages --message FetchRequest
      messagegen generate --specs kafka:4.4.0 --output src/kafka_messages --brokers 2.8..4.4

    Exit codes: 0 written or up to date, 1 out of date (--check), 2 specs with errors, wrong usage or another error.
    """
    flags = Settings(
        specs=tuple(specs),
        output=output,
        messages=tuple(messages),
        exclude=tuple(exclude),
        brokers=releases_of(brokers) if brokers is not None else (),
        error_codes=error_codes,
        include=tuple(include),
    )
    outputs = read_outputs(config)
    others = [settings.output for settings in outputs if settings.output]
    run_outputs(choose(outputs, flags), "generate", form, check=check, others=others)
