"""``python -m benchmarks.client``: the commands ``run`` and ``report``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from benchmarks.client import offsets, quotas
from benchmarks.client.names import OFFSETS, QUOTAS
from benchmarks.client.report import show
from benchmarks.console import FILE, console, progress_lines
from benchmarks.measures import Measure, Measures, read, save
from benchmarks.processes import WorkerError
from benchmarks.results import ResultsError, machine
from tests.broker.cluster import Cluster
from tests.broker.node import BrokerError
from tests.broker.tools import JavaTools
from tests.oracle.jars import KAFKA_RELEASE, OracleSetupError

_LATEST: Final = Path(__file__).resolve().parents[1] / "results" / "client.json"
_PARTS: Final = (QUOTAS, OFFSETS)
_NAMES: Final = ("kafka-python", "aiokafka", "confluent-kafka")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def benchmarks() -> None:
    """Measure the client beside Apache's tools and other Python clients, on a broker that is started for it."""


@benchmarks.command()
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="How often everybody has a turn.")
@click.option("--part", "parts", multiple=True, type=click.Choice(_PARTS), help="Only this part (repeatable).")
@click.option("--entities", default=10_000, show_default=True, type=click.IntRange(1), help="Users with a quota.")
@click.option(
    "--java-entities", default=20, show_default=True, type=click.IntRange(1), help="Users that kafka-configs changes."
)
@click.option("--partitions", default=2_000, show_default=True, type=click.IntRange(1), help="Partitions to look into.")
@click.option("--out", default=_LATEST, type=click.Path(dir_okay=False, path_type=Path), help="Where results go.")
def run(rounds: int, parts: Sequence[str], entities: int, java_entities: int, partitions: int, out: Path) -> None:
    """Measure, print every number and save the results.

    Parts that are not measured now keep the numbers that --out holds from an earlier run.
    """
    found: list[Measure] = []
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch, progress_lines() as progress:
        folder = Path(scratch)
        progress("starting a broker")
        with Cluster(folder / "cluster") as cluster, JavaTools() as tools:
            if QUOTAS in (parts or _PARTS):
                found += quotas.measure(
                    cluster,
                    tools,
                    folder,
                    entities=entities,
                    java_entities=min(entities, java_entities),
                    rounds=rounds,
                    progress=progress,
                )
            if OFFSETS in (parts or _PARTS):
                found += offsets.measure(cluster, tools, partitions=partitions, rounds=rounds, progress=progress)
    versions = {"Kafka": KAFKA_RELEASE, **{name: version(name) for name in _NAMES}}
    measured = Measures(machine(), versions, rounds, tuple(found))
    if parts and out.exists():
        measured = measured.with_older(read(out))
    save(measured, out)
    show(measured, console())


@benchmarks.command()
@click.argument("results", default=_LATEST, type=FILE)
@click.option("--markdown", is_flag=True, help="Tables for a document.")
def report(results: Path, markdown: bool) -> None:
    """Print the tables of a saved run."""
    show(read(results), console(200 if markdown else None), markdown=markdown)


def main() -> None:
    """Runs the command line; what is missing or wrong outside of this package is said without a traceback."""
    try:
        benchmarks()
    except (BrokerError, OracleSetupError, ResultsError, WorkerError) as problem:
        raise SystemExit(f"error: {problem}") from None


if __name__ == "__main__":
    main()
