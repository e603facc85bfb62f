"""The command ``messagegen-pipeline``: jobs over Kafka's logs, captures and tables of messages, on one machine or a cluster.

Exit codes: 0 success, 1 failure or malformed input, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.types import OutputPlace, Place
from messagegen_spark.cli.histories import consumer_lag, metadata, transactions
from messagegen_spark.cli.options import (
    chosen_catalog,
    chosen_input,
    chosen_limits,
    input_options,
    limits_options,
    listed,
    message_options,
    mode_option,
    output_options,
    run_options,
    run_options_of,
    specs_option,
)
from messagegen_spark.cli.running import EXIT_FAILED, NAME, check_malformed, printable, run, run_and_tell
from messagegen_spark.cli.writing import write_job

if TYPE_CHECKING:

    from messagegen_arrow.conformance import Count

_WIDE: Final = 250
_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_SETTINGS)
@click.version_option(package_name="messagegen", prog_name=NAME)
def pipeline() -> None:
    """Run Spark jobs over Kafka's logs and captures, on this machine or a cluster.

    The input is split into units, and each unit is committed atomically. To resume a job that failed, run the same command
    again: it continues after the committed units, and writes no row twice.

    \b
    Examples:
      messagegen-pipeline decode --input /var/lib/kafka/data --option topics=__consumer_offsets --output offsets
      messagegen-pipeline decode --input data --option topics=orders --message OffsetCommitValue --version 3 --output out
      messagegen-pipeline consumer-lag-history --input data --output commits --master spark://host:7077
      messagegen-pipeline metadata-history --input data --output changes --follow --interval 10
      messagegen-pipeline conformance --input data --format json
      messagegen-pipeline package messagegen_spark.zip

    Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
    """


@pipeline.command()
@input_options
@message_options
@click.option(
    "--keep", metavar="COLUMN[,...]", help="Columns of the input to keep. Default: the position of the record."
)
@click.option(
    "--fields", metavar="PATH[,...]", help="Fields to decode, such as topics.partitions.leaderId. Default: all."
)
@click.option(
    "--types",
    metavar="TYPE[,...]",
    help="Record types to decode to columns, such as OffsetCommit. Default: all, as JSON.",
)
@click.option(
    "--names", type=click.Choice(["kafka", "snake"]), default="kafka", show_default=True, help="Style of field names."
)
@click.option(
    "--uuid", type=click.Choice(["string", "binary"]), default="string", show_default=True, help="Format of UUIDs."
)
@limits_options
@specs_option
@mode_option
@output_options
@run_options
def decode(
    inputs: Sequence[str],
    input_format: str,
    options: Sequence[tuple[str, str]],
    unit_bytes: int | None,
    message: str | None,
    version: str | None,
    column: str,
    keep: str | None,
    fields: str | None,
    types: str | None,
    names: str,
    uuid: str,
    specs: Sequence[Path],
    mode: str,
    partition_by: str | None,
    **rest: Any,
) -> None:
    """Decode messages to rows of typed columns, in Parquet files or a table.

    With --message a column of bytes becomes a struct. Without it the records of Kafka's internal topics are decoded by type
    and version. From captures (--input-format kafka-capture) requests and responses are decoded: all, or those of
    --message. Malformed rows are counted, and kept with an _error.

    \b
    Examples:
      messagegen-pipeline decode --input data --option topics=__consumer_offsets --output offsets
      messagegen-pipeline decode --input data --option topics=__consumer_offsets --types OffsetCommit --output commits
      messagegen-pipeline decode --input rows.parquet --input-format parquet --message MetadataResponse --version 12 \\
          --output metadata --keep id
    """
    from messagegen_spark.jobs.decode import DecodeFrames, DecodeInternalTopics, DecodeMessages

    source = chosen_input(inputs, input_format, options)
    catalog = chosen_catalog(specs)
    folders: tuple[str, ...]
    columns: Any = {"names": names, "uuid": uuid, **chosen_limits(rest)}
    chosen_mode: Any = mode.upper()
    if input_format == "kafka-capture":
        if version is not None or types is not None or keep is not None:
            raise click.UsageError(
                "--version, --types and --keep cannot be used with captures: frames have versions of their own."
            )
        if fields is not None:
            columns["fields"] = listed(fields)
        frames = DecodeFrames(input=source, message=message, mode=chosen_mode, options=columns, catalog=catalog)
        job, folders = frames.job(unit_bytes), ("apiName",)
    elif message is None:
        for name, value in (("--version", version), ("--fields", fields), ("--keep", keep)):
            if value is not None:
                raise click.UsageError(f"{name} needs --message.")
        decoding = DecodeInternalTopics(
            input=source, types=listed(types), mode=chosen_mode, options=columns, catalog=catalog
        )
        job, folders = decoding.job(unit_bytes), ("topic", "recordType")
    else:
        if version is None or types is not None:
            raise click.UsageError("--message needs --version, and cannot be used with --types.")
        columns["fields"] = listed(fields)
        messages = DecodeMessages(
            input=source,
            message=message,
            version=int(version) if version.isdecimal() else version,
            column=column,
            keep=listed(keep),
            mode=chosen_mode,
            options=columns,
            catalog=catalog,
        )
        job = messages.job(unit_bytes)
        folders = ("topic", "partition") if messages.is_log and keep is None else ()
    write_job(job, [source], rest, folders if partition_by is None else listed(partition_by) or ())


for command in (consumer_lag, metadata, transactions):
    pipeline.add_command(command)


@pipeline.command()
@input_options
@message_options
@specs_option
@click.option(
    "--output",
    type=OutputPlace(path_type=Path, file_okay=False),
    help="Folder or URL of the job's state, from which a restarted job continues.",
)
@run_options
@click.pass_context
def conformance(
    context: click.Context,
    /,
    inputs: Sequence[str],
    input_format: str,
    options: Sequence[tuple[str, str]],
    unit_bytes: int | None,
    message: str | None,
    version: str | None,
    column: str,
    specs: Sequence[Path],
    output: Path | str | None,
    format_: str,
    **rest: Any,
) -> None:
    """Decode and encode messages again, and count by message and version those whose bytes differ.

    Exits with 1 if any do. Without --message these are the records of internal topics, and the control records of all
    topics; from captures (--input-format kafka-capture) the headers and bodies of all frames.

    \b
    Example:
      messagegen-pipeline conformance --input /var/lib/kafka/data --format json
    """
    from messagegen_spark.jobs.conformance import Conformance, counts_target, total_counts

    if (message is None) != (version is None):
        raise click.UsageError("--message and --version must be used together.")
    source = chosen_input(inputs, input_format, options)
    job = Conformance(
        input=source,
        message=message,
        version=int(version) if version and version.isdecimal() else version,
        column=column,
        catalog=chosen_catalog(specs),
    ).job(unit_bytes)
    counts: list[Count] = []
    run_as = run_options_of(format_, rest)
    with tempfile.TemporaryDirectory() as scratch:
        # Counts come to this process, so a folder of its own is enough.
        summary, executors = run_and_tell(
            job,
            [source],
            output or Path(scratch),
            run_as,
            lambda _: counts_target(),
            lambda store: counts.extend(total_counts(store)),
            is_shared=False,
        )
    if format_ == "json":
        found = {"messages": [count._asdict() for count in counts], "engines": executors.engines}
        click.echo(json.dumps({**found, "seconds": summary.seconds, "units": summary.units}, indent=2))
    else:
        _show(counts)
    check_malformed(summary, run_as)
    context.exit(EXIT_FAILED if any(count.different or count.malformed for count in counts) else 0)


def _show(counts: Sequence[Count]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("message", no_wrap=True)
    for name in ("version", "messages", "bytes", "different", "malformed"):
        table.add_column(name, justify="right")
    table.add_column("reason", overflow="fold")
    for count in counts:
        numbers = (count.messages, count.bytes, count.different, count.malformed)
        version = "" if count.version is None else str(count.version)
        table.add_row(count.message, version, *map(str, numbers), printable(count.reason or ""))
    # Names are never truncated: the log of a job has no width.
    console = Console(width=None if sys.stdout.isatty() else _WIDE, markup=False, highlight=False)
    with console.capture() as captured:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


@pipeline.command()
@click.argument("path", type=Place(path_type=Path, dir_okay=False))
def package(path: Path) -> None:
    """Write the archive of this package for executors (--py-files, addArtifacts).

    It contains messagegen_arrow, messagegen_spark and messagegen_kafka, and is reproducible. Their dependencies (pyarrow,
    numpy, pandas, crc32c) must be installed on executors, and so must messagegen-native: a native engine can't be loaded
    from an archive, and without it decoding is slow.

    \b
    Example:
      messagegen-pipeline package messagegen_spark.zip
      spark-submit --master spark://host:7077 --py-files messagegen_spark.zip run.py decode --input ...
    """
    from messagegen_spark.jobs.packaging import write_package

    count = write_package(path.absolute())
    click.echo(f"{path}: {count} files")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with ``arguments`` (else the process's own) and exits with its code."""
    sys.exit(run(pipeline, arguments))
