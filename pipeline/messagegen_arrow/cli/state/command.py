"""The command ``messagegen-data state``, which also reports uncertain and unreadable data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from messagegen_arrow.cli.options import (
    EXIT_MALFORMED,
    errors_as_messages,
    listed,
    moment_option,
    output_option,
    paths_argument,
    warn,
)
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.cli.rows import DEFAULT_SIZE
from messagegen_arrow.cli.state.sections import GROUPS, SECTIONS, tables_of
from messagegen_arrow.console.output import show

if TYPE_CHECKING:
    from messagegen_arrow.histories.state.cluster import ClusterState


@click.command(short_help="Show topics, configs, quotas and commits as they were at a time.")
@paths_argument
@click.option(
    "--at",
    metavar="TIME",
    help="The time: -24h, 2026-03-01T12:00Z, milliseconds since 1970, or now, which is the newest state (default).",
)
@click.option("--only", metavar="SECTION[,...]", help=f"Only these sections: {', '.join(SECTIONS)}.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("json", "yaml", "table")),
    default="json",
    show_default=True,
    help="One JSON object, YAML, or tables for people.",
)
@output_option
@click.pass_context
def state(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    at: str | None,
    only: str | None,
    form: str,
    output: Path | None,
) -> None:
    """Show the state of a cluster at a time.

    It has topics with partitions and configs, quotas, ACLs, SCRAM users (without secrets), features, brokers, and the
    last commits of groups. In option --at, -24h is a day ago; the units are ms, s, m, h, d and w.

    PATH is a broker's folder (log.dirs), or folders of partitions of __cluster_metadata and __consumer_offsets. Pass
    the folders of several brokers if none has all partitions; if a partition has several replicas, the newest is read.
    If only one of the two topics is found, the command shows the state without the other topic, and prints a note.

    Brokers delete old records. If the logs no longer contain the state at a time, the command prints the time of the
    oldest known state, and exits with 2. If they contain only later commits of a partition, its isKnown is false.

    With --only quotas, the result is a quota file: kafka-client-quotas plan shows what changed since, and apply sets
    the quotas of that time again.

    \b
    Examples:
      messagegen-data state /var/lib/kafka/data --format table
      messagegen-data state /var/lib/kafka/data --at 2026-03-01T12:00Z --only groups | jq .groups
      messagegen-data state /var/lib/kafka/data --at -24h --only quotas --format yaml > quotas.yaml

    Exit codes: 0 done, 1 some records could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.histories.counts import HistoryCounts
    from messagegen_arrow.histories.state.cluster import NOW, cluster_state
    from messagegen_arrow.histories.state.metadata import UnknownStateError

    moment = None if at is None or at == NOW else moment_option(at)
    sections = _sections(only)
    counts = HistoryCounts()
    with errors_as_messages():
        try:
            with RowProgress() as progress:
                found = cluster_state(
                    [*paths], moment, tables=tables_of(sections), counts=counts, progress=progress.add
                )
        except UnknownStateError as error:
            advice = f"; --only {GROUPS} shows the commits of groups" if GROUPS in sections else ""
            raise ValueError(f"{error}{advice}") from None
        _write(_text(found, sections, form), output)
    for note in (*found.notes, *_unwritable(found, sections, form)):
        show(note, err=True)
    if counts.malformed:
        warn("messagegen-data dump shows the records that could not be read, and their errors")
        ctx.exit(EXIT_MALFORMED)


def _sections(only: str | None) -> list[str]:
    """Return the sections to show. Raises ``UsageError``."""
    names = listed(only)
    if names is None:
        return [*SECTIONS]
    for name in names:
        if name not in SECTIONS:
            raise click.UsageError(f"--only: unknown section {name!r}; expected {', '.join(SECTIONS)}")
    if not names:
        raise click.UsageError(f"--only: expected at least one of {', '.join(SECTIONS)}")
    return [name for name in SECTIONS if name in names]


def _text(found: ClusterState, sections: Sequence[str], form: str) -> str:
    from messagegen_arrow.cli.state.texts import state_json, state_yaml, table_text

    if form == "table":
        return table_text(found, sections, get_terminal_size(DEFAULT_SIZE).columns)
    return state_yaml(found, sections) if form == "yaml" else state_json(found, sections)


def _unwritable(found: ClusterState, sections: Sequence[str], form: str) -> Sequence[str]:
    """Return a note for each quota that a document cannot contain."""
    from messagegen_arrow.cli.state.document import left_out_quotas

    return left_out_quotas(found) if form != "table" and "quotas" in sections else ()


def _write(text: str, output: Path | None) -> None:
    from messagegen_arrow.dump.new_file import new_file

    if output is None:
        sys.stdout.write(text)
        return
    with new_file(output) as file:
        file.write(text.encode())
