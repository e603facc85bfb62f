"""The command ``messagegen-data dump``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack, get_args

import click

from messagegen_arrow.cli.options import (
    EXIT_MALFORMED,
    catalog,
    columns_option,
    errors_as_messages,
    format_option,
    limit_option,
    listed,
    moment_option,
    output_option,
    paths_argument,
    specs_option,
    standard_input,
    warn,
    warn_of_doubt,
)
from messagegen_arrow.cli.rows import check_output, out_of, write_rows
from messagegen_arrow.console.output import show
from messagegen_arrow.console.parameters import WholeNumber

if TYPE_CHECKING:
    from messagegen_arrow.dump.request import DumpRequest, Section

_HIGHEST_VERSION: Final = (1 << 15) - 1
"""Versions are 16-bit signed integers."""
_TIMES: Final = ("startingtimestamp", "endingtimestamp")
"""Log options that take times, in lower case."""
_OptionOfLogs = Literal["topic", "offsets", "types", "version", "versioned", "option"]
_OF_LOGS: Final[tuple[_OptionOfLogs, ...]] = get_args(_OptionOfLogs)


class _DumpOptions(TypedDict):
    """The options that select the data; the options for the output are separate parameters."""

    message: Sequence[str]
    version: int | None
    versioned: bool
    types: str | None
    fields: str | None
    columns: str | None
    topic: Sequence[str]
    offsets: str | None
    since: str | None
    until: str | None
    show_sensitive: bool
    option: Sequence[str]
    specs: Sequence[str]


@click.command(short_help="Dump logs and captures as JSON, tables or Parquet.")
@paths_argument
@click.option(
    "--message",
    multiple=True,
    metavar="NAME",
    help="Only these requests or responses of a capture (repeatable); or the message of a log's values.",
)
@click.option("--version", type=WholeNumber(0, _HIGHEST_VERSION), metavar="N", help="The version of a log's values.")
@click.option(
    "--versioned",
    is_flag=True,
    help="Each value of the log begins with its version, as an int16; in place of --version.",
)
@click.option("--types", metavar="TYPE[,...]", help="Only these record types of internal topics, such as OffsetCommit.")
@click.option("--fields", metavar="PATH[,...]", help="Only these fields of the message or type, such as topics.name.")
@columns_option
@click.option(
    "--topic",
    multiple=True,
    metavar="TOPIC",
    help="Only this topic (repeatable); for standard input, the topic of its records.",
)
@click.option("--offsets", metavar="FIRST-LAST", help="Only these offsets: 100-199, 100-, -199 or 100.")
@click.option(
    "--since",
    metavar="TIME",
    help="Only from this time on: -1h (an hour ago), 2026-03-01T12:00Z, or milliseconds since 1970.",
)
@click.option("--until", metavar="TIME", help="Only before this time; write it as for --since.")
@limit_option
@format_option
@output_option
@click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too.")
@click.option(
    "--option",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of logs, such as isolationLevel=read_committed (repeatable).",
)
@specs_option
@click.pass_context
def dump(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    limit: int | None,
    form: str,
    output: Path | None,
    **options: Unpack[_DumpOptions],
) -> None:
    """Dump logs and captures of Kafka: records, messages, requests and responses, a row each.

    PATH is a broker's folder (log.dirs), a folder of a partition, a segment (*.log), a snapshot (*.checkpoint), a URL
    of these such as s3://bucket/logs, or a capture: pcap, pcapng, or frames as lines of JSON, gzipped or not. Standard
    input (-) is the bytes of one segment or capture.

    Records of internal topics, such as __consumer_offsets and __cluster_metadata, are decoded by their type, and frames
    by their API key and version. For the values of other topics, pass --message, and --version or --versioned;
    otherwise keys and values are bytes, which are base64 in JSON. Messages are built in for internal topics and some
    APIs; --specs kafka:4.4.0 adds all, and kafka:2.4..4.4 also the versions that Kafka removed.

    Rows that cannot be read are written with an _error that says why, and counted. Values of sensitive fields are left
    out.

    \b
    Examples:
      messagegen-data dump /var/lib/kafka/data/orders-0 --limit 10 --format table
      messagegen-data dump /var/lib/kafka/data --topic __consumer_offsets --types OffsetCommit | jq .value.offset
      messagegen-data dump /var/lib/kafka/data/orders-0 --message SensorReading --version 1 --specs message_specs
      messagegen-data dump traffic.pcap --specs kafka:4.4.0 --message FetchRequest --format parquet --output f.parquet
      tcpdump -w - port 9092 | messagegen-data dump -

    Exit codes: 0 done, 1 some rows could not be read, 2 wrong usage or an error.
    """
    with errors_as_messages():
        check_output(form, output)
        tally = write_rows(_sections(paths, options, form), form, output, limit)
    if not tally.rows and limit != 0:
        show("no rows: there are no records, or none matches the options", err=True)
    if tally.malformed:
        warn(f"{out_of(tally.malformed, tally.rows)} could not be read; the first: {tally.first}")
        ctx.exit(EXIT_MALFORMED)


def _sections(paths: Sequence[str], options: _DumpOptions, form: str) -> list[Section]:
    """Return the requested sections of the paths. Raises ``ValueError``, ``LookupError`` and ``OSError``."""
    from messagegen_arrow.capture.files import is_capture
    from messagegen_arrow.dump.captures import section_of_captures
    from messagegen_arrow.dump.logs import section_of_file, sections_of_logs
    from messagegen_arrow.dump.places import are_captures

    request = _request(options, form)
    captures: Sequence[Any] = standard_input(paths) or paths
    if captures is not paths:
        (file,) = captures
        if not is_capture(file.peek(4)):
            return [section_of_file(file, request)]
    elif not are_captures(paths):
        sections = sections_of_logs(paths, request)
        if form == "parquet" and len(sections) > 1:
            raise click.UsageError(
                "internal topics and other topics have different columns, which need separate Parquet files; "
                "choose with --topic"
            )
        return sections
    given = [name for name in _OF_LOGS if options[name]]
    if given:
        raise click.UsageError(f"--{given[0]} is for logs, but this is a capture")
    return [section_of_captures(captures, request)]


def _request(options: _DumpOptions, form: str) -> DumpRequest:
    from messagegen_arrow.dump.request import DumpRequest

    pairs = _pairs(options["option"])
    for name, text in pairs.items():
        if name.lower() in _TIMES:
            warn_of_doubt(f"--option {name}", text)
    return DumpRequest(
        catalog=catalog(options["specs"]),
        messages=tuple(options["message"]),
        version=options["version"],
        versioned=options["versioned"],
        types=listed(options["types"]) or (),
        fields=listed(options["fields"]),
        columns=listed(options["columns"]),
        topics=tuple(options["topic"]),
        options={
            **pairs,
            **_offsets(options["offsets"]),
            **_time("startingTimestamp", "--since", options["since"]),
            **_time("endingTimestamp", "--until", options["until"]),
        },
        typed=form == "parquet",
        brief=form == "table",
        include_secrets=options["show_sensitive"],
    )


def _time(option_of_logs: str, option: str, text: str | None) -> Mapping[str, str]:
    """Return the log option for a time, which may also be a duration ago. Raises ``UsageError``."""
    return {} if text is None else {option_of_logs: str(moment_option(text, option))}


def _pairs(texts: Sequence[str]) -> Mapping[str, str]:
    for text in texts:
        if not text.partition("=")[1]:
            raise click.UsageError(f"--option {text!r} is not KEY=VALUE")
    return {key.strip(): value for key, _, value in (text.partition("=") for text in texts)}


def _offsets(text: str | None) -> Mapping[str, str]:
    """Return the log options for a range of offsets that includes both ends."""
    if text is None:
        return {}
    match = re.fullmatch(r"(\d*)(-?)(\d*)", text)
    if not match or not (match[1] or match[3]):
        raise click.UsageError(f"--offsets {text!r} is not a range such as 100-199, 100-, -199 or 100")
    first, last = match[1], match[3] if match[2] else match[1]
    if first and last and int(first) > int(last):
        raise click.UsageError(f"--offsets {text}: the first offset is after the last one")
    return {
        **({"startingOffset": first} if first else {}),
        **({"endingOffset": str(int(last) + 1)} if last else {}),
    }
