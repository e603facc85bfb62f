"""``python -m benchmarks.spark``: the commands ``run`` and ``report``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.console import FILE, console, progress_lines
from benchmarks.generation import fetch_specs
from benchmarks.measures import Measures, read, save
from benchmarks.processes import WorkerError
from benchmarks.results import ResultsError
from benchmarks.spark.chart import draw
from benchmarks.spark.report import show
from benchmarks.spark.runner import ALL_PARTS, measure
from tests.oracle.jars import OracleSetupError

_ROOT: Final = Path(__file__).resolve().parents[2]
_LATEST: Final = _ROOT / "benchmarks" / "results" / "spark.json"
_CHART: Final = _ROOT / "docs" / "benchmarks-spark.svg"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def benchmarks() -> None:
    """Measure the pipeline beside Spark's own decoders and the Python libraries that read messages and logs."""


@benchmarks.command()
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="How often everybody has a turn.")
@click.option("--part", "parts", multiple=True, type=click.Choice(ALL_PARTS), help="Only this part (repeatable).")
@click.option(
    "--scale", default=1.0, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Share of all rows."
)
@click.option("--out", default=_LATEST, type=click.Path(dir_okay=False, path_type=Path), help="Where results go.")
@click.option("--chart", default=_CHART, type=click.Path(dir_okay=False, path_type=Path), help="Where the chart goes.")
def run(rounds: int, parts: Sequence[str], scale: float, out: Path, chart: Path) -> None:
    """Measure, print every number and goal, save the results and draw the chart.

    What is measured is saved part by part. Parts that are not measured now keep the numbers that --out holds from an
    earlier run, if --part is given.
    """
    found = older = read(out) if parts and out.exists() else Measures()
    with tempfile.TemporaryDirectory(prefix="messagegen-benchmarks-") as scratch, progress_lines() as progress:
        progress("fetching Kafka's specs")
        specs = fetch_specs(Path(scratch) / "specs")
        for measured in measure(specs, Path(scratch), parts or ALL_PARTS, rounds, scale, progress):
            found = measured.with_older(older)
            save(found, out)
    draw(found, chart)
    show(found, console())


@benchmarks.command()
@click.argument("results", default=_LATEST, type=FILE)
@click.option("--markdown", is_flag=True, help="Tables for a document.")
def report(results: Path, markdown: bool) -> None:
    """Print the tables and goals of a saved run."""
    show(read(results), console(200 if markdown else None), markdown=markdown)


def main() -> None:
    """Run the command line, and print errors from outside of this package without a traceback."""
    try:
        benchmarks()
    except (OracleSetupError, ResultsError, WorkerError) as problem:
        raise SystemExit(f"error: {problem}") from None


if __name__ == "__main__":
    main()
