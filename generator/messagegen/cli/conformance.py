"""The command ``messagegen conformance``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.options import VersionedCommand, config_option, read_specs, specs_options
from messagegen.console.output import show
from messagegen.console.text import json_line


@click.command(cls=VersionedCommand)
@specs_options
@click.option("--package", metavar="NAME", help="An importable generated package, instead of specs.")
@config_option
def conformance(specs: Sequence[Path], package: str | None, config: Path | None) -> None:
    """Answer each JSON line on standard input with one on standard output, in order.

    \b
    Lines and answers:
      {"op": "encode", "message": NAME, "version": N, "json": {...}}    {"hex": "..."}
      {"op": "decode", "message": NAME, "version": N, "hex": "..."}     {"json": {...}}
      {"op": "reencode", "message": NAME, "version": N, "hex": "..."}   {"hex": "..."}
      anything that fails                                               {"error": "..."}

    JSON has the format of Kafka's own JsonConverter classes. Code is generated from the specs of PATHS, --specs or
    [tool.messagegen] in memory, or imported from a generated package. Use this to compare implementations with each
    other.

    \b
    Examples:
      messagegen conformance --specs kafka_specs < cases.jsonl
      messagegen conformance --package kafka_messages < cases.jsonl
      MESSAGEGEN_PURE=1 messagegen conformance --specs kafka_specs < cases.jsonl

    Exit codes: 0 every line has its answer, 2 specs with errors, wrong usage or an error.
    """
    from messagegen.conformance import answer
    from messagegen.generation.loading import load_specs

    if specs and package is not None:
        raise click.UsageError("Pass either specs or --package NAME.")
    try:
        messages = importlib.import_module(package) if package else load_specs(read_specs(specs, config).values())
    except ImportError as error:
        raise click.UsageError(f"{package} cannot be imported ({error}); is its folder on PYTHONPATH?") from error
    for line in sys.stdin.buffer:
        # A line that is not UTF-8 gets an error as its answer, like any other invalid line.
        text = line.decode("utf-8", errors="surrogateescape")
        if text.strip():
            show(json_line(answer(messages, text)))
