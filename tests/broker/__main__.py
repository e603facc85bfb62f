"""``python -m tests.broker``: a real broker, and real data, for people."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.broker.cluster import USERS, Cluster
from tests.broker.node import BrokerError
from tests.broker.sample import check_empty, make_sample
from tests.broker.settings import Listener
from tests.broker.traffic import RECORDS, STEPS, TrafficError
from tests.oracle.jars import OracleSetupError

_FOLDER: Final = click.Path(file_okay=False, path_type=Path)
_LISTENERS: Final[tuple[Listener, ...]] = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Runs Apache Kafka on loopback, from its published jars.

    Needs a JDK (17 or newer) and Maven; the first run fetches the jars.

    \b
      python -m tests.broker start /tmp/kafka
      python -m tests.broker sample /tmp/sample --records 10000

    Exit codes: 0 done, 1 failed, 2 wrong use.
    """


@main.command()
@click.argument("folder", type=_FOLDER)
@click.option("--nodes", type=click.IntRange(1, 9), default=1, show_default=True, help="How many brokers.")
@click.option("--authorizer", is_flag=True, help="Refuse what no ACL allows, except to PLAINTEXT clients and admin.")
@click.option("--property", "properties", multiple=True, metavar="NAME=VALUE", help="A broker property; repeatable.")
def start(folder: Path, nodes: int, authorizer: bool, properties: tuple[str, ...]) -> None:
    """Starts brokers that keep what they have in FOLDER, and runs until Ctrl-C or SIGTERM.

    \b
      python -m tests.broker start /tmp/kafka --nodes 3
      python -m tests.broker start /tmp/kafka --property quota.window.size.seconds=2
    """
    extra = dict(_name_and_value(each) for each in properties)
    stopped = _on_signals()
    with _clear_errors():
        check_empty(folder)
        with Cluster(folder, nodes=nodes, authorizer=authorizer, properties=extra) as cluster:
            for listener in _LISTENERS:
                click.echo(f"{listener:15} {cluster.bootstrap(listener)}")
            click.echo(f"{'authority':15} {cluster.certificates.authority}")
            click.echo(f"{'users':15} {', '.join(f'{name} (password {word})' for name, word in USERS.items())}")
            click.echo("running; Ctrl-C stops")
            stopped.wait()
            cluster.stop_all()


@main.command()
@click.argument("folder", type=_FOLDER)
@click.option(
    "--records",
    type=click.IntRange(min=1),
    default=RECORDS,
    show_default=True,
    help="Records in each topic of records.",
)
def sample(folder: Path, records: int) -> None:
    """Makes real data in FOLDER: the log folder of a broker, and a capture of the traffic that filled it.

    \b
      FOLDER/log/               __consumer_offsets-*, __cluster_metadata-0 (with snapshots), topics of all codecs, ...
      FOLDER/capture.pcap       packets
      FOLDER/capture.jsonl.gz   the same traffic as frames, one JSON object a line
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with _clear_errors():
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("starting the broker", total=STEPS + 2)

            def advance(step: str) -> None:
                progress.update(task, advance=1, description=step)

            made = make_sample(folder, records=records, on_step=advance)
        click.echo(f"{made.log}: the log folder")
        click.echo(f"{made.pcap}: {made.connections} connections")
        click.echo(f"{made.frames}: {made.frame_count} frames")


def _name_and_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--property")
    return name, value


def _on_signals() -> threading.Event:
    """An event that SIGINT and SIGTERM set, so that brokers stop in order."""
    stopped = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return stopped


@contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except (BrokerError, FileExistsError, OracleSetupError, TrafficError) as problem:
        click.echo(f"error: {problem}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main(prog_name="python -m tests.broker")
