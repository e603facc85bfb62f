"""The command ``messagegen docs``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.findings import format_option
from messagegen.cli.generate import deliver
from messagegen.cli.options import check_option, config_option, message_option, paths_argument, read_outputs
from messagegen.config import FILE_NAME, TABLE, ConfigError, Settings
from messagegen.fetch.releases import release_of


@click.command()
@paths_argument
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Folder of the site.")
@click.option("--title", metavar="TEXT", help="Title of the site.")
@message_option
@config_option
@check_option
@format_option
def docs(
    paths: Sequence[Path],
    output: Path | None,
    title: str | None,
    messages: Sequence[str],
    config: Path | None,
    check: bool,
    form: str,
) -> None:
    """Write a documentation site for messages.

    PATHS are folders of message specs, single specs, or kafka:RELEASE for the official specs of a Kafka release. The
    default is the specs of [tool.messagegen]. The site has a searchable index, and a page for each message: its
    fields, its bytes in each version, what each version changed, and example bytes. It works without a server or network
    access: open DIR/index.html.

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
    if output is None:
        raise ConfigError("no folder for the site; pass --output DIR")
    releases = [release_of(path) for path in paths]
    if title is None and len(releases) == 1 and releases[0]:
        title = f"Kafka {releases[0]} messages"
    specs = paths or [path for settings in read_outputs(config) for path in settings.specs]
    if not specs:
        raise ConfigError(f"no specs; name folders of them, or write specs under [{TABLE}] in {FILE_NAME}")
    options = {} if title is None else {"site": {"title": title}}
    settings = Settings(tuple(specs), output, tuple(messages), include=("site",), options=options)
    deliver([settings], "docs", form, check=check)
