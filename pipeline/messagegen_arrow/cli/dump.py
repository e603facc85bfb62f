"""The command ``messagegen-data dump``."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

import click

from messagegen_arrow.cli.options import (
    EXIT_MALFORMED,
    catalog,
    columns_option,
    errors_as_usage,
    format_option,
    limit_option,
    listed,
    output_option,
    paths_argument,
    specs_option,
    warn,
)
from messagegen_arrow.cli.rows import check_output, out_of, write_rows

if TYPE_CHECKING:
    from messagegen_arrow.dump.request import DumpRequest, Section

_STDIN: Final = "-"
_OF_LOGS: Final = ("topic", "offsets", "types", "version", "source_options")


class _Options(TypedDict):
    """What is asked of the rows."""

    messages: Sequence[str]
    version: int | None
    types: str | None
    fields: str | None
    columns: str | None
    topic: Sequence[str]
    offsets: str | None
    since: str | None
    until: str | None
    source_options: Sequence[str]
    specs: Sequence[str]
    show_sensitive: bool


@click.command(short_help="Dump logs and captures as JSON, tables or Parquet.")
@paths_argument
@click.option(
    "--message",
    "messages",
    multiple=True,
    metavar="NAME",
    help="Only these requests or responses of a capture (repeatable); or the message of a log's values.",
)
@click.option("--version", type=click.IntRange(0, 32767), metavar="N", help="The version of a log's values.")
@click.option("--types", metavar="TYPE[,...]", help="Only these record types of internal topics, such as OffsetCommit.")
@click.option("--fields", metavar="PATH[,...]", help="Only these fields of the message or type, such as topics.name.")
@columns_option
@click.option(
    "--topic",
    multiple=True,
    metavar="TOPIC",
    help="Only this topic (repeatable); of standard input, the topic that the records are of.",
)
@click.option("--offsets", metavar="FIRST-LAST", help="Only these offsets: 100-199, 100-, -199 or 100.")
@click.option("--since", metavar="TIME", help="Only from this time on: 2026-03-01T12:00Z, or milliseconds since 1970.")
@click.option("--until", metavar="TIME", help="Only before this time.")
@limit_option
@format_option
@output_option
@click.option(
    "--mode",
    type=click.Choice(("permissive", "dropmalformed", "failfast"), case_sensitive=False),
    default="permissive",
    show_default=True,
    help="Rows that cannot be read: keep them with _error, drop them, or stop.",
)
@click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too.")
@click.option(
    "--option",
    "source_options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the source, such as isolationLevel=read_committed or ports=9092 (repeatable).",
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
    mode: str,
    **options: Unpack[_Options],
) -> None:
    """Dump logs and captures of Kafka: records, messages, requests and responses, a row each.

    PATH is a broker's folder (log.dirs), a folder of a partition, a segment (*.log), a snapshot (*.checkpoint), a URL of these
    such as s3://bucket/logs, or a capture: pcap, pcapng, or frames as lines of JSON, gzipped or not. Standard input (-) is the
    bytes of one segment or capture.

    Records of internal topics, such as __consumer_offsets and __cluster_metadata, are decoded by their type, and frames by
    their API key and version. For the values of other topics, pass --message and --version; otherwise keys and values are
    bytes, which are base64 in JSON. Messages are built in for internal topics and some APIs; --specs kafka:4.4.0 adds all.

    Rows that cannot be read are written with an _error that says why, and counted. Values of sensitive fields are left out.

    \b
    Examples:
      messagegen-data dump /var/lib/kafka/data/orders-0 --limit 10 --format table
      messagegen-data dump /var/lib/kafka/data --topic __consumer_offsets --types OffsetCommit | jq .value.offset
      messagegen-data dump /var/lib/kafka/data/orders-0 --message SensorReading --version 1 --specs message_specs
      messagegen-data dump traffic.pcap --specs kafka:4.4.0 --message FetchRequest --format parquet --output fetch.parquet
      tcpdump -w - port 9092 | messagegen-data dump -

    Exit codes: 0 done, 1 some rows could not be read, 2 wrong usage or an error.
    """
    from messagegen_arrow.dump.rows import MalformedRowError

    with errors_as_usage():
        check_output(form, output)
        sections = _sections(paths, options, form)
        try:
            tally = write_rows(sections, form, output, mode, limit)
        except MalformedRowError as error:
            warn(f"stopped at the first row that could not be read: {error}")
            ctx.exit(EXIT_MALFORMED)
    for reason in [each.why_empty() for each in sections if each.why_empty] if not tally.rows and limit != 0 else []:
        click.echo(reason, err=True)
    if tally.malformed:
        warn(f"{out_of(tally.malformed, tally.rows)} could not be read; the first: {tally.first}")
        ctx.exit(EXIT_MALFORMED)


def _sections(paths: Sequence[str], options: _Options, form: str) -> list[Section]:
    """What the paths hold, as it is asked. Raises ``ValueError``, ``LookupError`` and ``OSError``."""
    from messagegen_arrow.dump.captures import sections_of_capture
    from messagegen_arrow.dump.logs import sections_of_file, sections_of_logs
    from messagegen_arrow.dump.places import kind_of_file, kind_of_path

    if _STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("standard input (-) is read alone")
        if sys.stdin.isatty():
            raise click.UsageError("no input; pass a path, or pipe something in")
        file: Any = sys.stdin.buffer
        kind = kind_of_file(file, "standard input")
        request = _request(kind, options, form)
        return sections_of_capture([file], request) if kind == "capture" else sections_of_file(file, request)
    kinds = {kind_of_path(path) for path in paths}
    if len(kinds) > 1:
        raise click.UsageError("the paths hold both logs and captures; pass one kind at a time")
    request = _request(kinds.copy().pop(), options, form)
    sections = sections_of_capture(paths, request) if kinds == {"capture"} else sections_of_logs(paths, request)
    if options["show_sensitive"] and any(section.is_internal for section in sections):
        raise click.UsageError("secrets in internal topics are never decoded; leave out --show-sensitive")
    if form == "parquet" and len(sections) > 1:
        raise click.UsageError(
            "a Parquet file has the same columns in all rows; choose with --topic among internal and other topics"
        )
    return sections


def _request(kind: str, options: _Options, form: str) -> DumpRequest:
    from messagegen_arrow.dump.request import DumpRequest

    for name in _OF_LOGS:
        if kind == "capture" and options[name]:
            raise click.UsageError(f"--{name.removeprefix('source_').removesuffix('s') if name == 'source_options' else name} is for logs, but this is a capture")
    return DumpRequest(
        catalog=catalog(options["specs"]),
        messages=tuple(options["messages"]),
        version=options["version"],
        types=listed(options["types"]) or (),
        fields=listed(options["fields"]),
        columns=listed(options["columns"]),
        topics=tuple(options["topic"]),
        since=options["since"],
        until=options["until"],
        options={**_pairs(options["source_options"]), **_offsets(options["offsets"])},
        typed=form == "parquet",
        brief=form == "table",
        include_secrets=options["show_sensitive"],
    )


def _pairs(texts: Sequence[str]) -> Mapping[str, str]:
    for text in texts:
        if not text.partition("=")[1]:
            raise click.UsageError(f"--option {text!r} is not KEY=VALUE")
    return {key.strip(): value for key, _, value in (text.partition("=") for text in texts)}


def _offsets(text: str | None) -> Mapping[str, str]:
    """The options for a range of offsets, both ends of which are wanted."""
    if text is None:
        return {}
    match = re.fullmatch(r"(\d*)(-?)(\d*)", text)
    if not match or not (match[1] or match[3]):
        raise click.UsageError(f"--offsets {text!r} is not a range such as 100-199, 100-, -199 or 100")
    first, last = match[1], match[3] if match[2] else match[1]
    return {
        **({"startingOffset": first} if first else {}),
        **({"endingOffset": str(int(last) + 1)} if last else {}),
    }
