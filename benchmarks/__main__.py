"""``python -m benchmarks``: the commands ``run``, ``report``, ``compare``, ``kip625`` and ``floor``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from benchmarks import (
    codecs,
    columns,
    generation,
    growth,
    help,  # noqa: A004 - the name of the option
    imports,
    records,
)
from benchmarks.chart import draw
from benchmarks.compare import changes, show_changes
from benchmarks.console import FILE, Progress, console, progress_lines
from benchmarks.floor import floor
from benchmarks.kip625 import show_sizes
from benchmarks.processes import WorkerError, contestants
from benchmarks.report import show
from benchmarks.results import Results, ResultsError, machine, read, save
from tests.oracle.jars import OracleSetupError

_HERE: Final = Path(__file__).resolve().parent
_LATEST: Final = _HERE / "results" / "latest.json"
_CHART: Final = _HERE.parent / "docs" / "benchmarks.svg"
_PARTS: Final = ("codecs", "growth", "columns", "generation", "imports", "help", "records")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def benchmarks() -> None:
    """Measure messagegen beside the other Python libraries for Kafka's protocol and Apache's own Java classes."""


@benchmarks.command()
@click.option("--rounds", default=15, show_default=True, type=click.IntRange(1), help="How often everybody has a turn.")
@click.option("--sample", default=20, show_default=True, type=click.IntRange(1), metavar="MS", help="Length of a turn.")
@click.option("--part", "parts", multiple=True, type=click.Choice(_PARTS), help="Only this part (repeatable).")
@click.option("--specs", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of Kafka's specs.")
@click.option("--out", default=_LATEST, type=click.Path(dir_okay=False, path_type=Path), help="Where results go.")
@click.option("--chart", default=_CHART, type=click.Path(dir_okay=False, path_type=Path), help="Where the chart goes.")
def run(rounds: int, sample: int, parts: Sequence[str], specs: Path | None, out: Path, chart: Path) -> None:
    """Measure, print every number and goal, save the results and draw the chart.

    Parts that are not measured now keep the numbers that --out holds from an earlier run.
    """
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch, progress_lines() as progress:
        folder = Path(scratch)
        results = _measured(
            parts or _PARTS, specs or _fetched_specs(folder, progress), folder, rounds, sample, progress
        )
    if parts and out.exists():
        results = results.with_older(read(out))
    save(results, out)
    if results.timings:
        draw(results, chart)
    show(results, console())


@benchmarks.command()
@click.argument("results", default=_LATEST, type=FILE)
@click.option("--markdown", is_flag=True, help="Tables for a document.")
def report(results: Path, markdown: bool) -> None:
    """Print the tables and goals of a saved run."""
    show(read(results), console(200 if markdown else None), markdown=markdown)


@benchmarks.command()
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@click.option("--tolerance", default=0.15, show_default=True, type=click.FloatRange(0), help="What passes for noise.")
def compare(before: Path, after: Path, tolerance: float) -> None:
    """Show what became faster or slower from one saved run to another, measured against kafka-python in each.

    Exit codes: 0 nothing became slower, 1 something did.
    """
    found = list(changes(read(before), read(after)))
    if not found:
        raise click.UsageError("the two runs have no timings in common: run the part `codecs` in both")
    raise SystemExit(show_changes(found, tolerance, console()))


@benchmarks.command()
def kip625() -> None:
    """Print the sizes of EncodedMetadataResponse beside those that KIP-625 gives."""
    show_sizes(console())


@benchmarks.command("floor")
def floor_command() -> None:
    """Print what pure Python cannot go below when it reads objects."""
    for step, nanoseconds in floor().items():
        click.echo(f"{step}: {nanoseconds:.0f} ns an element")


def _measured(parts: Sequence[str], specs: Path, folder: Path, rounds: int, sample: int, progress: Progress) -> Results:
    results = Results(machine=machine(), rounds=rounds)
    if "codecs" in parts:
        results = _with_codecs(results, specs, folder, sample, progress)
    if "growth" in parts:
        progress("growth from 10 to 100,000 partitions")
        results = replace(results, growth=growth.measure(specs))
    if "columns" in parts:
        progress("Arrow columns")
        results = replace(results, columns=columns.measure(specs))
    if "generation" in parts or "imports" in parts:
        results = _with_generation(results, parts, specs, folder, progress)
    if "help" in parts:
        results = replace(results, help=help.measure(rounds=7, progress=progress))
    if "records" in parts:
        progress("record batches")
        results = replace(results, records=records.measure())
    return results


def _with_codecs(results: Results, specs: Path, folder: Path, sample: int, progress: Progress) -> Results:
    taking_part = contestants(specs, folder)
    bodies = codecs.write_bodies(specs, folder)
    found = codecs.measure(taking_part, bodies, rounds=results.rounds, sample_milliseconds=sample, progress=progress)
    versions = {contestant.name: contestant.version for contestant in taking_part}
    return replace(results, versions=versions, timings=found.timings, collected=found.collected, memory=found.memory)


def _with_generation(results: Results, parts: Sequence[str], specs: Path, folder: Path, progress: Progress) -> Results:
    """Generation and imports: what is imported is what was generated, so the second needs a run of the first."""
    thorough = "generation" in parts
    scratch = folder / "generation"
    scratch.mkdir()
    runs, size = generation.measure(
        specs, scratch, cold=3 if thorough else 1, warm=7 if thorough else 0, progress=progress
    )
    if thorough:
        results = replace(results, generation=runs, generated_bytes=size)
    if "imports" in parts:
        results = replace(results, imports=imports.measure(scratch, rounds=21, progress=progress))
    return results


def _fetched_specs(folder: Path, progress: Progress) -> Path:
    progress("fetching Kafka's specs")
    return generation.fetch_specs(folder / "kafka-specs")


def main() -> None:
    """Runs the command line; what is missing or wrong outside of this package is said without a traceback."""
    try:
        benchmarks()
    except (OracleSetupError, ResultsError, WorkerError) as problem:
        raise SystemExit(f"error: {problem}") from None


if __name__ == "__main__":
    main()
