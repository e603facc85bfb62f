"""The options that commands of the pipeline share, and their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from messagegen.cli.answer_options import added_options
from messagegen.cli.types import Name, OutputPlace, Place
from messagegen_arrow.options import byte_count

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog
    from messagegen_arrow.tables.table import Table
    from messagegen_spark.jobs.inputs import Input


class Pairs(click.ParamType[tuple[str, str]]):
    """``KEY=VALUE``."""

    name = "KEY=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Both sides of the first equals sign."""
        if isinstance(value, tuple):
            return value
        key, sign, rest = str(value).partition("=")
        if not sign or not key:
            self.fail(f"{value!r} is not KEY=VALUE", param, ctx)
        return key.strip(), rest


class Size(click.ParamType[int]):
    """A number of bytes, as ``512m`` or ``16g``."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes."""
        if isinstance(value, int):
            return value
        try:
            return byte_count(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


@dataclass(frozen=True, kw_only=True)
class SparkOptions:
    """The options of the session."""

    master: str | None
    conf: tuple[tuple[str, str], ...]
    ship: bool | None


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a job is run and reported."""

    spark: SparkOptions
    format: str
    max_malformed: int | None


input_options = added_options(
    click.option(
        "--input",
        "inputs",
        type=Place(readable=False),
        multiple=True,
        metavar="PATH",
        help="Log folder of a broker, folder of a partition, file or glob, or a URL of one, such as s3://bucket/logs (repeatable).",
    ),
    click.option(
        "--input-format",
        default="kafka-log",
        show_default=True,
        metavar="NAME",
        help="Spark data source of the input: kafka-log, kafka-capture, parquet, ...",
    ),
    click.option(
        "--option",
        "options",
        type=Pairs(),
        multiple=True,
        help="Option of the data source, such as topics=orders or startingTimestamp=2026-03-01T00:00Z (repeatable).",
    ),
    click.option(
        "--unit-bytes",
        type=Size(),
        help="Bytes of input to commit at a time; a restarted job continues after them. Default: 64 tasks for each core of "
        "the cluster, and at least 16g.",
    ),
)
"""Adds ``--input``, ``--input-format``, ``--option`` and ``--unit-bytes``."""

master_option = click.option(
    "--master",
    type=Name(),
    metavar="URL",
    help="Spark master: local[4], spark://host:7077, yarn, k8s://..., or sc://host:15002 for Spark Connect. Default: that of "
    "spark-submit or spark-defaults.conf, else this machine.",
)
conf_option = click.option("--conf", type=Pairs(), multiple=True, help="A Spark setting (repeatable).")
version_option = click.option(
    "--version", metavar="NUMBER|COLUMN", help="Version of the messages, or the column of integers that has it."
)
column_option = click.option(
    "--column", default="value", show_default=True, metavar="NAME", help="Column with the bytes of the messages."
)
message_options = added_options(
    click.option("--message", metavar="NAME", help="Message to decode. Default: records of internal topics."),
    version_option,
    column_option,
)
"""Adds ``--message``, ``--version`` and ``--column``."""

run_options = added_options(
    master_option,
    conf_option,
    click.option(
        "--ship/--no-ship",
        default=None,
        help="Send this package to the executors. Default: to clusters, unless started by spark-submit.",
    ),
    click.option(
        "--max-malformed",
        type=click.IntRange(min=0),
        metavar="COUNT",
        help="Exit with 1 if more rows than this are malformed.",
    ),
    click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Format of the summary on standard output.",
    ),
)
"""Adds ``--master``, ``--conf``, ``--ship``, ``--max-malformed`` and ``--format``."""

output_options = added_options(
    click.option(
        "--output",
        type=OutputPlace(path_type=Path, file_okay=False),
        required=True,
        help="Folder of Parquet files, or with --table of the job's state; a path that executors see, or a URL such as "
        "s3://bucket/folder.",
    ),
    click.option(
        "--table",
        type=Name(),
        metavar="NAME",
        help="Write to this table instead: iceberg:CATALOG.NAMESPACE.TABLE, delta:URL, or a table in Spark's catalog.",
    ),
    click.option(
        "--table-option",
        "table_options",
        type=Pairs(),
        multiple=True,
        help="Property of the Iceberg catalog, or storage option of the Delta table (repeatable).",
    ),
    click.option(
        "--table-format",
        metavar="NAME",
        help="Format of a new table in Spark's catalog: parquet or orc, or iceberg or delta if the session provides it "
        "[default: iceberg].",
    ),
    click.option(
        "--partition-by",
        metavar="COLUMN[,...]",
        help="Columns to partition the output by.",
    ),
    click.option(
        "--report",
        type=OutputPlace(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write a page (HTML) that sums up the run, with charts; a file or a URL. With --follow it is renewed from time to time.",
    ),
)
"""Adds ``--output``, ``--table``, ``--table-option``, ``--table-format``, ``--partition-by`` and ``--report``."""

mode_option = click.option(
    "--mode",
    type=click.Choice(["permissive", "dropmalformed", "failfast"], case_sensitive=False),
    default="permissive",
    show_default=True,
    help="Malformed rows: keep them with _error, drop them, or fail.",
)
"""Adds ``--mode``."""

history_mode_option = click.option(
    "--mode",
    type=click.Choice(["dropmalformed", "failfast"], case_sensitive=False),
    default="dropmalformed",
    show_default=True,
    help="Malformed records: drop and count them, or fail.",
)
"""Adds ``--mode`` as histories have it."""

specs_option = click.option(
    "--specs",
    "specs",
    multiple=True,
    type=Place(exists=True, path_type=Path),
    help="Folder or file of message specs to use besides the built-in ones (repeatable).",
)
"""Adds ``--specs``."""

limits_options = added_options(
    click.option(
        "--array-length",
        type=click.IntRange(min=0),
        metavar="COUNT",
        help="Maximum number of elements in an array; a message with more is malformed [default: 1000000].",
    ),
    click.option(
        "--tagged-field-count",
        type=click.IntRange(min=0),
        metavar="COUNT",
        help="Maximum number of tagged fields in a struct [default: 10000].",
    ),
    click.option(
        "--memory-factor",
        type=click.IntRange(min=0),
        metavar="NUMBER",
        help="Maximum memory of a message's columns, as a multiple of its size [default: 10],",
    ),
    click.option("--memory-constant", type=Size(), metavar="SIZE", help="plus this many bytes [default: 1000000]."),
)
"""Adds an option for each of the limits of decoding."""


def chosen_limits(options: dict[str, Any]) -> dict[str, Any]:
    """Takes the limits out of a command's options; gives them as an option of columns, if any was given."""
    from messagegen_kafka import Limits

    named = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
    given = {name: value for name in named if (value := options.pop(name)) is not None}
    return {"limits": Limits(**given)} if given else {}


def chosen_table(options: dict[str, Any]) -> Table | None:
    """The table that a library writes; ``None`` for a folder, and for a table of Spark's catalog.

    Raises ``click.UsageError`` for options that do not go together.
    """
    from messagegen_arrow.tables.opening import open_table, table_name

    try:
        name = table_name(options["table"] or "")
    except ValueError as problem:
        raise click.UsageError(f"--table: {problem}, or the name of a table in Spark's catalog.") from None
    if name is None:
        if options["table_options"]:
            raise click.UsageError("--table-option needs --table iceberg:... or --table delta:...")
        return None
    if options["table_format"] is not None:
        raise click.UsageError(f"--table-format cannot be used with --table {name}: the name has the format.")
    return open_table(str(name), dict(options["table_options"]))


def chosen_input(
    inputs: Sequence[str], input_format: str, options: Sequence[tuple[str, str]], *, needs_paths: bool = True
) -> Input:
    """The input that the options describe. Raises ``click.UsageError`` without paths, and for an option that logs do not have."""
    from messagegen_arrow.log.options import LogOptions
    from messagegen_arrow.options import OptionError
    from messagegen_spark.jobs.inputs import KAFKA_LOG, Input

    if needs_paths and not inputs:
        raise click.UsageError("Missing option '--input'.")
    if input_format == KAFKA_LOG:
        try:
            LogOptions.parse(dict(options))
        except OptionError as problem:
            raise click.UsageError(f"--option: {problem}.") from None
    # A job goes on from another folder, too: what it reads must not depend on where it was started.
    return Input(tuple(_absolute(path) for path in inputs), input_format, dict(options))


def _absolute(path: str) -> str:
    return path if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path) else str(Path(path).absolute())


def chosen_catalog(specs: Sequence[Path]) -> Catalog | None:
    """The built-in messages and those of the specs, which win; ``None`` for the built-in ones alone."""
    if not specs:
        return None
    from messagegen_arrow.catalog import catalog_with_specs

    return catalog_with_specs(*specs)


def listed(text: str | None) -> tuple[str, ...] | None:
    """The names in a list such as ``a,b``; ``None`` for none."""
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def run_options_of(format_: str, options: dict[str, Any]) -> RunOptions:
    """How a command's options say that a job is run."""
    spark = SparkOptions(master=options["master"], conf=options["conf"], ship=options["ship"])
    return RunOptions(spark=spark, format=format_, max_malformed=options["max_malformed"])
