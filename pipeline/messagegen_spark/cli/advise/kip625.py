"""``messagegen-advise kip625``: the KIP's table beside what is measured here."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from messagegen_arrow.advisor.kip625 import PUBLISHED, encoded, measure_responses, synthetic
from messagegen_arrow.cli.answers import PipeConsole, rich_table
from messagegen_kafka import DecodeError, MetadataResponse, UnsupportedVersionError

if TYPE_CHECKING:
    from messagegen_arrow.advisor.trial import Trial


def show(real: Sequence[tuple[int, bytes]], output: str) -> None:
    """Measures the KIP's two cases, and real responses (version and bytes) if there are some, and prints the table."""
    trials = {case: measure_responses([synthetic(case)]) for case in ("best", "worst")}
    responses = [found for version, data in real if (found := _decoded(version, data)) is not None]
    if responses:
        trials["real"] = measure_responses([encoded(one) for one in responses])
    elif real:
        click.echo("warning: none of the messages could be decoded as MetadataResponse", err=True)
    if output == "json":
        published = {
            name: {"bytes": one.bytes, "struct": one.struct, "buffer": one.buffer} for name, one in PUBLISHED.items()
        }
        measured = {name: trial.as_json() for name, trial in trials.items()}
        click.echo(json.dumps({"measured": measured, "published": published}, indent=2))
        return
    _print(trials)


def _decoded(version: int, data: bytes) -> MetadataResponse | None:
    try:
        return MetadataResponse.decode(data, version=version)
    except (DecodeError, UnsupportedVersionError):
        return None


def _print(trials: dict[str, Trial]) -> None:
    console = PipeConsole(width=None if sys.stdout.isatty() else 140)
    made = rich_table(["values", "integers"], ["bytes", "serialise, µs", "deserialise, µs"])
    for case, trial in trials.items():
        for one in trial.rows:
            costs = (one.encode_microseconds, one.decode_microseconds)
            made.add_row(case, one.name, f"{one.bytes:,.0f}", *(f"{cost:,.2f}" for cost in costs))
        made.add_section()
    for name, published in PUBLISHED.items():
        struct = (f"{cost:,}" for cost in published.struct)
        made.add_row(
            "KIP-625 (struct)", name if name == "fixed" else f"variable, {name}", f"{published.bytes:,}", *struct
        )
    console.print(made)
    engine = next(iter(trials.values())).engine
    console.print(
        f"engine: {engine}; the KIP does not say for how many responses its microseconds are, so only ratios compare",
        highlight=False,
    )
