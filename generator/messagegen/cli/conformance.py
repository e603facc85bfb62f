"""The command ``messagegen conformance``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from messagegen.cli.options import errors_as_usage, specs_option

PURE_VARIABLE: Final = "MESSAGEGEN_PURE"


@click.command()
@specs_option
@click.option("--package", metavar="NAME", help="An importable generated package, instead of --specs.")
@click.option(
    "--engine",
    type=click.Choice(("auto", "pure", "native")),
    default="auto",
    show_default=True,
    help="Codecs to use: pure Python, messagegen-native, or native if it is installed.",
)
def conformance(specs: Sequence[Path], package: str | None, engine: str) -> None:
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
      messagegen conformance --specs kafka_specs --engine pure < cases.jsonl

    Exit codes: 0 every line has its answer, 2 specs with errors, wrong usage or an error.
    """
    if bool(specs) == (package is not None):
        raise click.UsageError("Pass either --specs DIR or --package NAME.")
    _choose_engine(engine)
    with errors_as_usage():
        from messagegen import conformance as protocol

        # A line that is not UTF-8 gets an error as its answer, like any other invalid line.
        lines = (line.decode("utf-8", errors="surrogateescape") for line in sys.stdin.buffer)
        try:
            protocol.run(specs, package, lines, sys.stdout)
        except ImportError as error:
            raise click.UsageError(f"{package} cannot be imported ({error}); is its folder on PYTHONPATH?") from error


def _choose_engine(engine: str) -> None:
    """Sets the environment variable that generated code reads once, when it is first imported, to choose its engine."""
    if engine == "pure":
        os.environ[PURE_VARIABLE] = "1"
    elif engine == "native":
        os.environ.pop(PURE_VARIABLE, None)
        if find_spec("messagegen_native") is None:
            raise click.UsageError("messagegen-native is not installed; install it, or pass --engine pure.")
