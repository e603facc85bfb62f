"""The commands of histories: once over what is there, or on and on while the log grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.answer_options import added_options
from messagegen.cli.types import Place
from messagegen_spark.cli.options import (
    chosen_input,
    history_mode_option,
    input_options,
    listed,
    output_options,
    run_options,
)
from messagegen_spark.cli.writing import write_job, write_stream

if TYPE_CHECKING:
    from messagegen_arrow.malformed import Mode
    from messagegen_spark.jobs.inputs import Input

_KAFKA: Final = "kafka"

follow_options = added_options(
    click.option(
        "--follow",
        is_flag=True,
        help="Keep running, and write what is appended to the log. Started again, it continues where it stopped.",
    ),
    click.option(
        "--catch-up",
        is_flag=True,
        help="Like --follow, but end when all is written that the log has now; the next run writes what is new then.",
    ),
    click.option(
        "--interval",
        type=click.FloatRange(min=0, min_open=True),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How often --follow looks for new records.",
    ),
)
"""Adds ``--follow``, ``--catch-up`` and ``--interval``."""


@click.command(name="consumer-lag-history")
@input_options
@click.option(
    "--ends",
    type=Place(readable=False),
    multiple=True,
    metavar="PATH",
    help="Logs of the consumed topics, for the lag (repeatable).",
)
@history_mode_option
@follow_options
@output_options
@run_options
def consumer_lag(
    inputs: Sequence[str],
    input_format: str,
    options: Sequence[tuple[str, str]],
    ends: Sequence[str],
    **rest: Any,
) -> None:
    """List the commits in __consumer_offsets: a row for each commit, with the previous one.

    With --ends each commit has the end offset of its partition at that time, and the lag. Give the logs of one broker only.

    \b
    Examples:
      messagegen-pipeline consumer-lag-history --input /var/lib/kafka/data --output commits
      messagegen-pipeline consumer-lag-history --input data --ends data --output commits --partition-by groupType
      messagegen-pipeline consumer-lag-history --input data --ends data --output commits --catch-up --report lag.html
    """
    from messagegen_spark.jobs.histories import ConsumerLagHistory

    of_topics = chosen_input(ends, "kafka-log", ()) if ends else None
    _run("consumer-lag-history", ConsumerLagHistory, _input(inputs, input_format, options, rest), rest, of_topics)


@click.command(name="metadata-history")
@input_options
@history_mode_option
@follow_options
@output_options
@run_options
def metadata(inputs: Sequence[str], input_format: str, options: Sequence[tuple[str, str]], **rest: Any) -> None:
    """List the changes of topics, configs and quotas in __cluster_metadata and its snapshots: a row for each change.

    \b
    Examples:
      messagegen-pipeline metadata-history --input /var/lib/kafka/data --output changes --partition-by subject
      messagegen-pipeline metadata-history --input /var/lib/kafka/data --output changes --catch-up --report page.html
    """
    from messagegen_spark.jobs.histories import MetadataHistory

    _run("metadata-history", MetadataHistory, _input(inputs, input_format, options, rest), rest)


@click.command(name="transaction-history")
@input_options
@history_mode_option
@follow_options
@output_options
@run_options
def transactions(inputs: Sequence[str], input_format: str, options: Sequence[tuple[str, str]], **rest: Any) -> None:
    """List the states of transactions in __transaction_state: a row for each change of the state of a transactional id.

    \b
    Examples:
      messagegen-pipeline transaction-history --input /var/lib/kafka/data --output states
      messagegen-pipeline transaction-history --input /var/lib/kafka/data --output states --follow --interval 10
    """
    from messagegen_spark.jobs.histories import TransactionHistory

    _run("transaction-history", TransactionHistory, _input(inputs, input_format, options, rest), rest)


def _is_stream(rest: dict[str, Any]) -> bool:
    return bool(rest["follow"] or rest["catch_up"])


def _input(inputs: Sequence[str], input_format: str, options: Sequence[tuple[str, str]], rest: dict[str, Any]) -> Input:
    """The input. Raises ``click.UsageError`` where a stream can't be read from it."""
    if rest["follow"] and rest["catch_up"]:
        raise click.UsageError("--follow and --catch-up cannot be used together.")
    is_kafka = input_format == _KAFKA
    if _is_stream(rest) and not is_kafka and input_format != "kafka-log":
        raise click.UsageError(f"--follow and --catch-up read kafka-log and kafka, not {input_format}.")
    if is_kafka and not _is_stream(rest):
        raise click.UsageError("--input-format kafka needs --follow or --catch-up.")
    if is_kafka and inputs:
        raise click.UsageError("--input cannot be used with --input-format kafka: name the brokers with --option.")
    return chosen_input(inputs, input_format, options, needs_paths=not is_kafka)


def _run(name: str, history: type[Any], source: Input, rest: dict[str, Any], ends: Input | None = None) -> None:
    """Runs a history once, or as a stream."""
    from messagegen_arrow.histories.kinds import HISTORIES

    mode: Mode = rest["mode"].upper()
    unit_bytes, folders = rest["unit_bytes"], listed(rest["partition_by"]) or ()
    if not _is_stream(rest):
        more = {} if ends is None else {"ends": ends}
        write_job(history(input=source, mode=mode, **more).job(unit_bytes), [source], rest, folders)
        return
    from messagegen_spark.streams.history import HistoryStream

    if unit_bytes is not None and source.format == _KAFKA:
        raise click.UsageError("--unit-bytes cannot be used with kafka: use --option maxOffsetsPerTrigger=100000.")
    if unit_bytes is not None:
        source = source.with_options(maxBytesPerTrigger=str(unit_bytes))
    stream = HistoryStream(kind=HISTORIES[name], input=source, ends=ends, mode=mode)
    write_stream(stream, rest["interval"] if rest["follow"] else None, rest, folders)
