"""The command ``messagegen-data``: its list of commands, and its exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import metadata

import click

from messagegen_arrow.cli.advise import advise
from messagegen_arrow.cli.clients.command import clients
from messagegen_arrow.cli.dump import dump
from messagegen_arrow.cli.histories import lag, metadata_history
from messagegen_arrow.cli.state.command import state
from messagegen_arrow.console import running
from messagegen_arrow.engine import EngineError


@click.group(context_settings=running.CONTEXT_SETTINGS)
@click.version_option(metadata.version("messagegen-pipeline"), prog_name="messagegen-data")
def messagegen_data() -> None:
    """Read Kafka's log folders and network captures on this machine. No broker has to run.

    \b
    Examples:
      messagegen-data dump /var/lib/kafka/data/orders-0 --limit 10 --format table
      messagegen-data lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --format table
      messagegen-data state /var/lib/kafka/data --at 2026-03-01T12:00Z
      messagegen-data dump traffic.pcap
      messagegen-data clients traffic.pcap --broker 4.4.0

    Exit codes: 0 done, 1 some rows could not be read or a client breaks, 2 wrong usage or an error.
    """


for _command in (dump, lag, metadata_history, state, clients, advise):
    messagegen_data.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line with ``arguments`` (default: ``sys.argv``) and exit with its code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, without tracebacks for a broken pipe and Ctrl-C."""
    return running.run(messagegen_data, "messagegen-data", arguments, _report)


def _report(error: Exception, _: Sequence[str]) -> int:
    if isinstance(error, click.ClickException):
        running.show_usage_error(error)
    else:
        running.show_error(running.reason_of(error, (EngineError,)))
    return running.EXIT_ERROR
