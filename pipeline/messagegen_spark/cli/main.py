"""The command ``messagegen-pipeline``: jobs over Kafka's logs, captures and tables of messages, on one machine or a cluster.

Exit codes: 0 done, 1 something failed or is not as it should be, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen_spark.cli.options import (
    RunOptions,
    SparkOptions,
    chosen_catalog,
    chosen_input,
    chosen_limits,
    history_mode_option,
    input_options,
    limits_options,
    listed,
    mode_option,
    output_options,
    run_options,
    specs_option,
)
from messagegen_spark.cli.running import EXIT_FAILED, NAME, check_malformed, printable, run, run_and_tell, tell
from messagegen_spark.cli.types import Place

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_arrow.conformance import Count
    from messagegen_spark.jobs.inputs import Input
    from messagegen_spark.jobs.runner import Job
    from messagegen_spark.jobs.targets import Target

_WIDE: Final = 250
_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_SETTINGS)
@click.version_option(package_name="messagegen", prog_name=NAME)
def pipeline() -> None:
    """Jobs over Kafka's logs and captures with Spark, on this machine or a cluster.

    The input is cut into units, and each unit is committed whole. A job that died is started again with the same
    arguments: it goes on after the units that are done, and no row is there twice.

    \b
    Examples:
      messagegen-pipeline decode --input /var/lib/kafka/data --option topics=__consumer_offsets --output offsets
      messagegen-pipeline decode --input data --option topics=orders --message OffsetCommitValue --version 3 --output out
      messagegen-pipeline consumer-lag-history --input data --output commits --master spark://host:7077
      messagegen-pipeline conformance --input data --format json
      messagegen-pipeline package messagegen_spark.zip

    Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
    """


def _run_options(format_: str, options: dict[str, Any]) -> RunOptions:
    spark = SparkOptions(master=options["master"], conf=options["conf"], ship=options["ship"])
    return RunOptions(spark=spark, format=format_, max_malformed=options["max_malformed"])


def _write_job(job: Job, inputs: Sequence[Input], options: dict[str, Any], partition_by: tuple[str, ...]) -> None:
    """Runs a job whose rows are written where ``--output`` and ``--table`` say."""
    from messagegen_spark.jobs.tables import table_target
    from messagegen_spark.jobs.targets import parquet_target

    output, table, table_format = options["output"], options["table"], options["table_format"]
    run_as = _run_options(options["format_"], options)

    def target(spark: SparkSession) -> Target:
        return table_target(spark, table, table_format, partition_by) if table else parquet_target(partition_by)

    try:
        summary, executors = run_and_tell(job, inputs, output, run_as, target)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("The same command goes on after the units that are done.") from None
    tell(summary, executors, run_as)


@pipeline.command()
@input_options
@click.option(
    "--message", metavar="NAME", help="The message that the bytes are; without it records of internal topics."
)
@click.option("--version", metavar="NUMBER|COLUMN", help="Its version, or the column that has it.")
@click.option("--column", default="value", show_default=True, metavar="NAME", help="The column of the bytes.")
@click.option(
    "--keep", metavar="COLUMN[,...]", help="Columns of the input to keep; without it those that say where it was."
)
@click.option("--fields", metavar="PATH[,...]", help="Fields that are wanted, as topics.partitions.leaderId (all).")
@click.option("--types", metavar="TYPE[,...]", help="Record types that get columns, as OffsetCommit (all, as JSON).")
@click.option(
    "--names", type=click.Choice(["kafka", "snake"]), default="kafka", show_default=True, help="Names of fields."
)
@click.option(
    "--uuid", type=click.Choice(["string", "binary"]), default="string", show_default=True, help="Form of UUIDs."
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
    """Messages as rows of typed columns, in Parquet files or a table.

    With --message a column of bytes becomes a struct; without it the records of Kafka's internal topics are told apart by
    type and version. Of captures (--input-format kafka-capture) it is the requests and responses: all, or those of --message. Rows that cannot be read are kept with an _error that says why, and are counted.

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
            raise click.UsageError("--version, --types and --keep do not go with captures: each frame says what it is.")
        if fields is not None:
            columns["fields"] = listed(fields)
        frames = DecodeFrames(input=source, message=message, mode=chosen_mode, options=columns, catalog=catalog)
        job, folders = frames.job(unit_bytes), ("apiName",)
    elif message is None:
        for name, value in (("--version", version), ("--fields", fields), ("--keep", keep)):
            if value is not None:
                raise click.UsageError(f"{name} goes with --message.")
        decoding = DecodeInternalTopics(
            input=source, types=listed(types), mode=chosen_mode, options=columns, catalog=catalog
        )
        job, folders = decoding.job(unit_bytes), ("topic", "recordType")
    else:
        if version is None or types is not None:
            raise click.UsageError("--message goes with --version, and not with --types.")
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
    _write_job(job, [source], rest, folders if partition_by is None else listed(partition_by) or ())


@pipeline.command(name="consumer-lag-history")
@input_options
@click.option(
    "--ends",
    type=Place(readable=False),
    multiple=True,
    metavar="PATH",
    help="Logs of the topics that were read, for the lag (repeatable).",
)
@history_mode_option
@output_options
@run_options
def consumer_lag(
    inputs: Sequence[str],
    input_format: str,
    options: Sequence[tuple[str, str]],
    unit_bytes: int | None,
    ends: Sequence[str],
    mode: str,
    partition_by: str | None,
    **rest: Any,
) -> None:
    """Who committed what when, out of __consumer_offsets: a row for each commit, with the one before it.

    With --ends each commit has the end of its partition at that time, and the lag. Give the logs of one broker.

    \b
    Examples:
      messagegen-pipeline consumer-lag-history --input /var/lib/kafka/data --output commits
      messagegen-pipeline consumer-lag-history --input data --ends data --output commits --partition-by groupType
    """
    from messagegen_spark.jobs.histories import ConsumerLagHistory

    source = chosen_input(inputs, input_format, options)
    of_topics = chosen_input(ends, "kafka-log", ()) if ends else None
    chosen_mode: Any = mode.upper()
    history = ConsumerLagHistory(input=source, ends=of_topics, mode=chosen_mode)
    _write_job(history.job(unit_bytes), [source], rest, listed(partition_by) or ())


@pipeline.command(name="metadata-history")
@input_options
@history_mode_option
@output_options
@run_options
def metadata(
    inputs: Sequence[str],
    input_format: str,
    options: Sequence[tuple[str, str]],
    unit_bytes: int | None,
    mode: str,
    partition_by: str | None,
    **rest: Any,
) -> None:
    """What became of topics, configs and quotas, out of __cluster_metadata and its snapshots: a row for each change.

    \b
    Example:
      messagegen-pipeline metadata-history --input /var/lib/kafka/data --output changes --partition-by subject
    """
    from messagegen_spark.jobs.histories import MetadataHistory

    source = chosen_input(inputs, input_format, options)
    chosen_mode: Any = mode.upper()
    history = MetadataHistory(input=source, mode=chosen_mode)
    _write_job(history.job(unit_bytes), [source], rest, listed(partition_by) or ())


@pipeline.command()
@input_options
@click.option(
    "--message", metavar="NAME", help="The message that the bytes are; without it records of internal topics."
)
@click.option("--version", metavar="NUMBER|COLUMN", help="Its version, or the column that has it.")
@click.option("--column", default="value", show_default=True, metavar="NAME", help="The column of the bytes.")
@specs_option
@click.option(
    "--output",
    type=Place(path_type=Path, file_okay=False),
    help="Folder that keeps the counts of the units that are done, so that a job that died can go on.",
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
    output: Path | None,
    format_: str,
    **rest: Any,
) -> None:
    """Decodes everything and encodes it again, and counts by message and version what is not the same bytes.

    Exits with 1 if anything is not. Without --message the records of internal topics are compared, and the control records
    of all topics; of captures (--input-format kafka-capture) the headers and bodies of all frames.

    \b
    Example:
      messagegen-pipeline conformance --input /var/lib/kafka/data --format json
    """
    from messagegen_spark.jobs.conformance import Conformance, counts_target, total_counts

    if (message is None) != (version is None):
        raise click.UsageError("--message and --version go together.")
    source = chosen_input(inputs, input_format, options)
    job = Conformance(
        input=source,
        message=message,
        version=int(version) if version and version.isdecimal() else version,
        column=column,
        catalog=chosen_catalog(specs),
    ).job(unit_bytes)
    counts: list[Count] = []
    run_as = _run_options(format_, rest)
    with tempfile.TemporaryDirectory() as scratch:
        # Counts come to this process, so a folder of its own is enough.
        summary, executors = run_and_tell(
            job,
            [source],
            output or Path(scratch),
            run_as,
            lambda _: counts_target(),
            lambda store: counts.extend(total_counts(store)),
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
    # Names are never cut short: a log of a job is no terminal, and has no width.
    console = Console(width=None if sys.stdout.isatty() else _WIDE, markup=False, highlight=False)
    with console.capture() as captured:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


@pipeline.command()
@click.argument("path", type=Place(path_type=Path, dir_okay=False))
def package(path: Path) -> None:
    """Writes the archive that brings this package to executors, for --py-files and addArtifacts.

    It has messagegen_spark and messagegen_kafka, and equal packages give equal bytes. What they need besides (pyarrow, numpy,
    pandas, crc32c) has to be installed on executors. So has messagegen-native: a native engine can't be loaded from an
    archive, and without it the pure-Python path does the same work, slowly.

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
