"""The command ``messagegen-data clients``, which fails if a client breaks."""

from __future__ import annotations

from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Any, Final

import click

from messagegen_arrow.cli.clients.texts import lines_of
from messagegen_arrow.cli.options import Name, errors_as_messages, paths_argument, standard_input, warn
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.cli.rows import DEFAULT_SIZE
from messagegen_arrow.console.output import show

EXIT_BREAKS: Final = 1
EXIT_INCOMPLETE: Final = 2


@click.command(short_help="List the clients in a capture, and whether a newer broker breaks them.")
@paths_argument
@click.option(
    "--broker",
    required=True,
    type=Name(),
    metavar="RELEASE",
    help="The release of Kafka to judge by, such as 4.4.0, or a range such as 3.9..4.4.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("json", "markdown", "table")),
    default="table",
    show_default=True,
    help="A JSON object a line, a Markdown table, or a table for people.",
)
@click.pass_context
def clients(ctx: click.Context, /, paths: Sequence[str], broker: str, form: str) -> None:
    """List the clients in a capture of brokers' traffic, and whether they work with another release of Kafka.

    PATH is a capture: pcap, pcapng, or frames as lines of JSON, gzipped or not, or a folder of such files, which are
    one capture. Standard input (-) is the bytes of one capture. Capture at brokers of today, for as long as the rarest
    client needs to connect: software and versions of clients are in the first requests of a connection.

    \b
    Verdicts, the worst first. The worst API decides, and of a range of releases the worst release:
      breaks                           the release lacks all used versions, and the client has no newer ones
      unknown: capped by the broker    the release lacks all of them, but the captured broker offered no newer ones
      unknown: no offer of the broker  the release lacks all of them, and no offer of a broker was captured
      unknown: not an API of Kafka     no release has the API
      unknown: some versions are gone  the release has only some of them
      newer than the broker            some of them are newer than the release
      fell back                        the release has only the versions that the client used after a refusal
      works                            the release has all of them

    What cannot be read, such as connections with TLS or a cut file, may hide other clients. The report then ends with a
    row whose verdict is "unknown: cannot be read".

    \b
    Examples:
      messagegen-data clients traffic.pcap --broker 4.4.0
      messagegen-data clients traffic.pcap --broker 3.9..4.4 --format json | jq 'select(.verdict == "breaks")'
      tcpdump -w - port 9092 | messagegen-data clients - --broker 4.4.0

    Exit codes: 0 no client breaks, 1 a client breaks, 2 wrong usage, an error, or a part that cannot be read.
    """
    from messagegen_arrow.clients.captures import captured_clients
    from messagegen_arrow.clients.releases import releases_of
    from messagegen_arrow.clients.report import client_reports
    from messagegen_arrow.clients.verdicts import Verdict

    with errors_as_messages():
        # An unknown release is reported before a long capture is read.
        releases_of(broker)
        places: Sequence[Any] = standard_input(paths) or paths
        with RowProgress() as progress:
            found = captured_clients(*places, progress=progress.add)
        reports = client_reports(found.traffic, broker)
    show(*lines_of(reports, found, form, get_terminal_size(DEFAULT_SIZE).columns))
    if found.unread:
        warn(f"the report is incomplete: {found.unread}")
    if any(report.verdict is Verdict.BREAKS for report in reports):
        ctx.exit(EXIT_BREAKS)
    if found.unread:
        ctx.exit(EXIT_INCOMPLETE)
