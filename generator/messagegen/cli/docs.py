"""The command ``messagegen docs``."""

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
from messagegen.config import Settings


@click.command(cls=VersionedCommand)
@specs_options
@click.option("--output", type=NamedPath(), metavar="DIR", required=True, help="Folder of the site.")
@click.option("--title", metavar="TEXT", help="Title of the site.")
@message_option
@config_option
@check_option
@format_option
def docs(
    specs: Sequence[Path],
    output: Path,
    title: str | None,
    messages: Sequence[str],
    config: Path | None,
    check: bool,
    form: str,
) -> None:
    """Write a documentation site for messages.

    PATHS, or --specs, are folders of message specs, single specs, or kafka:RELEASE for the official specs of a Kafka
    release. The default is the specs of [tool.messagegen]. The site has a searchable index, and a page for each
    message: its fields, and its bytes in each version. It works without a server or network access: open
    DIR/index.html.

    Only files that differ are written, and only files that an earlier run wrote are removed. To write the site with
    `messagegen generate`, set include = ["site"] in [tool.messagegen].

    \b
    Examples:
      messagegen docs --output site
      messagegen docs kafka:4.4.0 --output kafka-site
      messagegen docs message_specs --output site --title "Our messages"
      messagegen docs --output site --check

    Exit codes: 0 written or up to date, 1 out of date (--check), 2 specs with errors, wrong usage or another error.
    """
    sources = specs or [path for settings in read_outputs(config) for path in settings.specs]
    options = {} if title is None else {"site": {"title": title}}
    settings = Settings(tuple(sources), output, tuple(messages), include=("site",), options=options)
    run_outputs([settings], "docs", form, check=check)
