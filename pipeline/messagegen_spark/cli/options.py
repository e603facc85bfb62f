"""The options that the commands of ``messagegen-pipeline`` share, and what they say as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from messagegen_spark.cli.types import Name, Place

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog
    from messagegen_spark.jobs.inputs import Input

Function = TypeVar("Function", bound=Callable[..., Any])

_WITH_KEY_OF_THEIR_OWN: Final = ("request", "response")
_UNITS: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


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
        match = re.fullmatch(r"(\d+)\s*([kmgt]?)(?:i?b)?", str(value).strip().lower())
        if match is None or int(match[1]) == 0:
            self.fail(f"{value!r} is not a number of bytes such as 512m or 16g", param, ctx)
        return int(match[1]) * _UNITS[match[2]]


@dataclass(frozen=True, kw_only=True)
class SparkOptions:
    """What is said about the session."""

    master: str | None
    conf: tuple[tuple[str, str], ...]
    ship: bool | None


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a job is run, and what is said about it."""

    spark: SparkOptions
    format: str
    max_malformed: int | None


def _added(function: Function, options: Iterable[Callable[[Function], Function]]) -> Function:
    for option in reversed(list(options)):
        function = option(function)
    return function


def input_options(function: Function) -> Function:
    """Adds ``--input``, ``--input-format``, ``--option`` and ``--unit-bytes``."""
    return _added(
        function,
        (
            click.option(
                "--input",
                "inputs",
                type=Place(readable=False),
                multiple=True,
                required=True,
                metavar="PATH",
                help="Log folders of a broker, folders of partitions, files, globs (repeatable).",
            ),
            click.option(
                "--input-format",
                default="kafka-log",
                show_default=True,
                metavar="NAME",
                help="Spark's data source for the input: kafka-log, kafka-capture, parquet, ...",
            ),
            click.option(
                "--option",
                "options",
                type=Pairs(),
                multiple=True,
                help="An option of that source, as topics=orders or startingTimestamp=2026-03-01T00:00Z (repeatable).",
            ),
            click.option(
                "--unit-bytes",
                type=Size(),
                help="About how much is read before it is committed; a job that died goes on behind that. Without it 64 tasks "
                "for each core of the cluster, and at least 16g.",
            ),
        ),
    )


def run_options(function: Function) -> Function:
    """Adds ``--master``, ``--conf``, ``--ship``, ``--max-malformed`` and ``--format``."""
    return _added(
        function,
        (
            click.option(
                "--master",
                type=Name(),
                metavar="URL",
                help="local[4], spark://host:7077, yarn, k8s://..., or sc://host:15002 for Spark Connect. Without it what "
                "spark-submit or spark-defaults.conf says, else this machine.",
            ),
            click.option("--conf", type=Pairs(), multiple=True, help="A setting of Spark's (repeatable)."),
            click.option(
                "--ship/--no-ship",
                default=None,
                help="Whether to send this package to the executors. Without it: to clusters, unless spark-submit runs this.",
            ),
            click.option(
                "--max-malformed",
                type=click.IntRange(min=0),
                metavar="COUNT",
                help="Exit with 1 if more rows than this could not be read.",
            ),
            click.option(
                "--format",
                "format_",
                type=click.Choice(["text", "json"]),
                default="text",
                show_default=True,
                help="Form of the summary on standard output.",
            ),
        ),
    )


def output_options(function: Function) -> Function:
    """Adds ``--output``, ``--table``, ``--table-format`` and ``--partition-by``."""
    return _added(
        function,
        (
            click.option(
                "--output",
                type=Place(path_type=Path, file_okay=False),
                required=True,
                help="Folder for Parquet files; with --table for the record of what is done. Executors have to see it too.",
            ),
            click.option(
                "--table", type=Name(), metavar="NAME", help="Write into this table instead, as catalog.schema.table."
            ),
            click.option(
                "--table-format",
                default="iceberg",
                show_default=True,
                metavar="NAME",
                help="The format of a table that is not there yet: parquet or orc, or iceberg or delta, which the session must have.",
            ),
            click.option(
                "--partition-by",
                metavar="COLUMN[,...]",
                help="Columns that become folders, or partitions of the table.",
            ),
        ),
    )


def mode_option(function: Function) -> Function:
    """Adds ``--mode``."""
    option = click.option(
        "--mode",
        type=click.Choice(["permissive", "dropmalformed", "failfast"], case_sensitive=False),
        default="permissive",
        show_default=True,
        help="Rows that can't be read: keep them with _error, leave them out, or end the job.",
    )
    return option(function)


def history_mode_option(function: Function) -> Function:
    """Adds ``--mode`` as histories have it."""
    option = click.option(
        "--mode",
        type=click.Choice(["dropmalformed", "failfast"], case_sensitive=False),
        default="dropmalformed",
        show_default=True,
        help="Records that can't be read: leave them out and count them, or end the job.",
    )
    return option(function)


def specs_option(function: Function) -> Function:
    """Adds ``--specs``."""
    option = click.option(
        "--specs",
        "specs",
        multiple=True,
        type=Place(exists=True, path_type=Path),
        help="Folder or file of message specs beside those that are built in (repeatable).",
    )
    return option(function)


def limits_options(function: Function) -> Function:
    """Adds an option for each of the limits of decoding."""
    return _added(
        function,
        (
            click.option(
                "--array-length",
                type=click.IntRange(min=0),
                metavar="COUNT",
                help="The most elements of one array; a message with more is a row that can't be read [default: 1000000].",
            ),
            click.option(
                "--tagged-field-count",
                type=click.IntRange(min=0),
                metavar="COUNT",
                help="The most tagged fields of one struct [default: 10000].",
            ),
            click.option(
                "--memory-factor",
                type=click.IntRange(min=0),
                metavar="NUMBER",
                help="The most memory that the columns of a message may take, as a multiple of its bytes [default: 10],",
            ),
            click.option(
                "--memory-constant", type=Size(), metavar="SIZE", help="and so many bytes more [default: 1000000]."
            ),
        ),
    )


def chosen_limits(options: dict[str, Any]) -> dict[str, Any]:
    """Takes the limits out of a command's options; gives them as an option of columns, if any was given."""
    from messagegen_kafka import Limits

    named = ("array_length", "tagged_field_count", "memory_factor", "memory_constant")
    given = {name: value for name in named if (value := options.pop(name)) is not None}
    return {"limits": Limits(**given)} if given else {}


def chosen_input(inputs: Sequence[str], input_format: str, options: Sequence[tuple[str, str]]) -> Input:
    """The input that the options describe. Raises ``click.UsageError`` for an option that logs do not have."""
    from messagegen_arrow.log.options import LogOptions
    from messagegen_arrow.options import OptionError
    from messagegen_spark.jobs.inputs import KAFKA_LOG, Input

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
    """The built-in messages and those of the specs, ``None`` for the built-in ones alone.

    Specs win: a built-in request or response gives way to one of theirs with its name or its api key.
    """
    if not specs:
        return None
    from messagegen_arrow.catalog import Catalog, default_catalog

    own = Catalog.of_specs(*specs)
    taken = {(table.kind, table.api_key) for table in own if table.kind in _WITH_KEY_OF_THEIR_OWN}
    return Catalog([*(table for table in default_catalog() if (table.kind, table.api_key) not in taken), *own])


def listed(text: str | None) -> tuple[str, ...] | None:
    """The names in a list such as ``a,b``; ``None`` for none."""
    if text is None:
        return None
    return tuple(part.strip() for part in text.split(",") if part.strip())
