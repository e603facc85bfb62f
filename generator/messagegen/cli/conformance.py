"""The command ``messagegen conformance``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.options import specs_option


@click.command()
@specs_option
@click.option("--package", metavar="NAME", help="An importable generated package, instead of --specs.")
def conformance(specs: Sequence[Path], package: str | None) -> None:
    """Answer each JSON line on standard input with one on standard output, in order.

    \b
    Lines and answers:
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      anything that fails                                               {"error": "..."}

    JSON has the format of Kafka's own JsonConverter classes. Code is generated from the specs in memory, or
    imported from a generated package. Use this to compare implementations with each other.

    \b
    Examples:
      messagegen conformance --specs kafka_specs < cases.jsonl
      messagegen conformance --package kafka_messages < cases.jsonl
      MESSAGEGEN_PURE=1 messagegen conformance --specs kafka_specs < cases.jsonl

    Exit codes: 0 every line has its answer, 2 specs with errors, wrong usage or an error.
    """
    if bool(specs) == (package is not None):
        raise click.UsageError("Pass either --specs DIR or --package NAME.")
    from messagegen import conformance as protocol

    # A line that is not UTF-8 gets an error as its answer, like any other invalid line.
    lines = (line.decode("utf-8", errors="surrogateescape") for line in sys.stdin.buffer)
    try:
        protocol.run(specs, package, lines, sys.stdout)
    except ImportError as error:
        raise click.UsageError(f"{package} cannot be imported ({error}); is its folder on PYTHONPATH?") from error
