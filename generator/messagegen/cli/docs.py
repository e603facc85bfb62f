"""The command ``messagegen docs``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.findings import CheckCommand, format_option
from messagegen.cli.generate import How, deliver
from messagegen.cli.options import config_option, message_option, read_outputs
from messagegen.config import FILE_NAME, TABLE, ConfigError, Settings
from messagegen.fetch.releases import release_of


@click.command(cls=CheckCommand)
@click.argument("specs", type=click.Path(path_type=Path), nargs=-1)
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Folder of the site.")
@click.option("--title", metavar="TEXT", help="Title of the site.")
@message_option
@config_option
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the site is out of date.")
@click.option("--diff/--no-diff", default=True, help="With --check, show how files differ.  [default: diff]")
@format_option
@click.option("--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def docs(
    ctx: click.Context,
    /,
    specs: Sequence[Path],
    output: Path | None,
    title: str | None,
    messages: Sequence[str],
    config: Path | None,
    check: bool,
    diff: bool,
    form: str,
    quiet: bool,
) -> None:
    """Write a documentation site for messages.

    SPECS are folders of message specs, single specs, or kafka:RELEASE for the official specs of a Kafka release. The
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
    deliver(
        ctx,
        lambda: [_settings(specs, output, title, messages, config)],
        How(command="docs", form=form, check=check, diff=diff, quiet=quiet),
    )


def _settings(
    specs: Sequence[Path], output: Path | None, title: str | None, messages: Sequence[str], config: Path | None
) -> Settings:
    if output is None:
        raise ConfigError("no folder for the site; pass --output DIR")
    title = _title(specs) if title is None else title
    specs = specs or [path for settings in read_outputs(config) for path in settings.specs]
    if not specs:
        raise ConfigError(f"no specs; name folders of them, or write specs under [{TABLE}] in {FILE_NAME}")
    return Settings(
        specs=tuple(specs),
        output=output,
        messages=tuple(messages),
        include=("site",),
        options={} if title is None else {"site": {"title": title}},
    )


def _title(specs: Sequence[Path]) -> str | None:
    """The title of a site for a Kafka release."""
    releases = [release_of(path) for path in specs]
    return f"Kafka {releases[0]} messages" if len(releases) == 1 and releases[0] else None
