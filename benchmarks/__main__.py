"""``python -m benchmarks``: the commands ``run``, ``report``, ``compare``, ``histories`` and ``kip625``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from benchmarks import codecs, generation, histories, imports, records
from benchmarks.compare import changes, show_changes
from benchmarks.console import FILE, Progress, console, progress_lines
from benchmarks.kip625 import show_sizes
from benchmarks.processes import WorkerError, contestants
from benchmarks.report import show
from benchmarks.results import Results, ResultsError, machine, read, save
from tests.oracle.jars import OracleSetupError

_LATEST: Final = Path(__file__).resolve().parent / "results" / "latest.json"
_PARTS: Final = ("codecs", "generation", "imports", "records")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def benchmarks() -> None:
    """Compare the speed of messagegen with other Python libraries for Kafka and with Apache's Java classes."""


@benchmarks.command()
@click.option("--rounds", default=15, show_default=True, type=click.IntRange(1), help="Rounds in which all take turns.")
@click.option("--sample", default=20, show_default=True, type=click.IntRange(1), metavar="MS", help="Length of a turn.")
@click.option("--part", "parts", multiple=True, type=click.Choice(_PARTS), help="Only this part (repeatable).")
@click.option("--specs", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of Kafka's specs.")
@click.option("--out", default=_LATEST, type=click.Path(dir_okay=False, path_type=Path), help="Where results go.")
def run(rounds: int, sample: int, parts: Sequence[str], specs: Path | None, out: Path) -> None:
    """Measure, print all numbers and goals, and save the results.

    Parts that are not measured keep their numbers in --out.
    """
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch, progress_lines() as progress:
        folder = Path(scratch)
        results = _measured(
            parts or _PARTS, specs or _fetched_specs(folder, progress), folder, rounds, sample, progress
        )
    if parts and out.exists():
        results = results.with_older(read(out))
    save(results, out)
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
@click.option(
    "--tolerance", default=0.15, show_default=True, type=click.FloatRange(0), help="Differences that count as noise."
)
def compare(before: Path, after: Path, tolerance: float) -> None:
    """Show what is faster or slower in the second of two saved runs, relative to kafka-python in each.

    Exit codes: 0 nothing is slower, 1 something is.
    """
    found = list(changes(read(before), read(after)))
    if not found:
        raise click.UsageError("the two runs have no timings in common; run the part codecs in both")
    raise SystemExit(show_changes(found, tolerance, console()))


@benchmarks.command("histories")
@click.option("--commits", default=10_000_000, show_default=True, type=click.IntRange(1), help="Commits in the log.")
def run_histories(commits: int) -> None:
    """Measure the commands for the commits of groups, and Kafka's tool that prints them."""
    with progress_lines() as progress:
        runs = histories.measure(commits, progress)
    histories.show(commits, runs, console())


@benchmarks.command()
def kip625() -> None:
    """Print the sizes of EncodedMetadataResponse and those in KIP-625."""
    show_sizes(console())


def _measured(parts: Sequence[str], specs: Path, folder: Path, rounds: int, sample: int, progress: Progress) -> Results:
    results = Results(machine=machine(), rounds=rounds)
    if "codecs" in parts:
        results = _with_codecs(results, specs, folder, sample, progress)
    if "generation" in parts or "imports" in parts:
        results = _with_generation(results, parts, specs, folder, progress)
    if "records" in parts:
        progress("record batches")
        results = replace(results, records=records.measure())
    return results


def _with_codecs(results: Results, specs: Path, folder: Path, sample: int, progress: Progress) -> Results:
    taking_part = contestants(specs, folder)
    bodies = codecs.write_bodies(specs, folder)
    timings, memory = codecs.measure(
        taking_part, bodies, rounds=results.rounds, sample_milliseconds=sample, progress=progress
    )
    versions = {contestant.name: contestant.version for contestant in taking_part}
    return replace(results, versions=versions, timings=timings, memory=memory)


def _with_generation(results: Results, parts: Sequence[str], specs: Path, folder: Path, progress: Progress) -> Results:
    """Add the times of generation and imports. Imports need a run of generation, which writes the imported package."""
    thorough = "generation" in parts
    scratch = folder / "generation"
    scratch.mkdir()
    cold, warm = (3, 7) if thorough else (1, 0)
    runs, size = generation.measure(specs, scratch, cold=cold, warm=warm, progress=progress)
    if thorough:
        results = replace(results, generation=runs, generated_bytes=size)
    if "imports" in parts:
        results = replace(results, imports=imports.measure(scratch, rounds=21, progress=progress))
    return results


def _fetched_specs(folder: Path, progress: Progress) -> Path:
    progress("fetching Kafka's specs")
    return generation.fetch_specs(folder / "kafka-specs")


def main() -> None:
    """Run the command line, and print errors without a traceback."""
    try:
        benchmarks()
    except (OracleSetupError, ResultsError, WorkerError) as problem:
        raise SystemExit(f"error: {problem}") from None


if __name__ == "__main__":
    main()
