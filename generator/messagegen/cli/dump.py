"""The command ``messagegen dump``."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

import click

from messagegen.cli.options import config_option, errors_as_usage, fetch_releases, read_outputs, specs_option
from messagegen.cli.rows import (
    EXIT_MALFORMED,
    check_output,
    columns_option,
    format_option,
    limit_option,
    listed,
    out_of,
    output_option,
    require_arrow,
    write_rows,
)
from messagegen.cli.types import Name
from messagegen.cli.wire import sensitive_option
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog
    from messagegen_arrow.dump.request import DumpRequest, Section

_STDIN: Final = "-"


class _Options(TypedDict):
    """What is asked of the rows."""

    messages: Sequence[str]
    version: int | None
    types: str | None
    fields: str | None
    columns: str | None
    topics: Sequence[str]
    offsets: str | None
    since: str | None
    until: str | None
    source_options: Sequence[str]
    specs: Sequence[Path]
    config: Path | None
    show_sensitive: bool


@click.command()
@click.argument("paths", nargs=-1, required=True, type=Name(), metavar="PATH|-...")
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
    "topics",
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
    help="Rows that can't be read: keep them with _error, drop them, or stop.",
)
@sensitive_option
@click.option(
    "--option",
    "source_options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the source, such as isolationLevel=read_committed or ports=9092 (repeatable).",
)
@specs_option
@config_option
@click.pass_context
def dump(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    limit: int | None,
    form: str,
    output: Path | str | None,
    mode: str,
    **options: Unpack[_Options],
) -> None:
    """Dump logs and captures of Kafka: records, messages, requests and responses, a row each.

    PATH is a broker's folder (log.dirs), a folder of a partition, a segment (*.log), a snapshot (*.checkpoint), or a capture:
    pcap, pcapng, or frames as lines of JSON, gzipped or not. Standard input (-) is the bytes of one segment or capture.
    No broker has to run. It needs pip install 'messagegen[arrow]', 'messagegen[stores]' for URLs such as s3://bucket/logs, and
    'messagegen[hdfs]' for hdfs://host:8020/logs.

    Records of internal topics, such as __consumer_offsets and __cluster_metadata, are decoded by their type, and frames by
    their API key and version. For the values of other topics, pass --message and --version; otherwise keys and values are
    bytes, which are base64 in JSON. Messages are built in for internal topics and some APIs; --specs kafka:4.4.0 adds all.

    Rows that can't be read are written with an _error that says why, and counted. Values of sensitive fields are left out.

    \b
    Examples:
      messagegen dump /var/lib/kafka/data/orders-0 --limit 10 --format table
      messagegen dump /var/lib/kafka/data --topic __consumer_offsets --types OffsetCommit | jq .value.offset
      messagegen dump /var/lib/kafka/data/orders-0 --message SensorReading --version 1 --specs message_specs
      messagegen dump traffic.pcap --specs kafka:4.4.0 --message FetchRequest --format parquet --output fetch.parquet
      tcpdump -w - port 9092 | messagegen dump -

    Exit codes: 0 done, 1 rows could not be read, 2 wrong usage or an error.
    """
    require_arrow("dump")
    with errors_as_usage():
        check_output(form, output)
        from messagegen_arrow.dump.rows import MalformedRowError

        try:
            tally = write_rows(_sections(paths, options, form), form, output, mode, limit)
        except MalformedRowError as error:
            click.secho(printable(f"stopped at the first row that could not be read: {error}"), fg="red", err=True)
            ctx.exit(EXIT_MALFORMED)
    if tally.malformed:
        click.secho(
            printable(f"{out_of(tally.malformed, tally.rows)} could not be read; the first: {tally.first}"),
            fg="red",
            err=True,
        )
    ctx.exit(EXIT_MALFORMED if tally.malformed else 0)


def _sections(paths: Sequence[str], options: _Options, form: str) -> list[Section]:
    """What the paths hold, as it is asked. Raises ``UsageError`` and ``OSError``."""
    from messagegen_arrow.capture.files import PeekedFile
    from messagegen_arrow.dump.captures import sections_of_capture
    from messagegen_arrow.dump.logs import sections_of_file, sections_of_logs
    from messagegen_arrow.dump.places import kind_of_file, kind_of_path

    try:
        if _STDIN in paths:
            if len(paths) > 1:
                raise UsageError("standard input (-) is read alone")
            if sys.stdin.isatty():
                raise UsageError("no input; pass a path, or pipe something in")
            file: Any = PeekedFile(sys.stdin.buffer, "standard input")
            kind = kind_of_file(file, file.name)
            request = _request(kind, options, form)
            return sections_of_capture([file], request) if kind == "capture" else sections_of_file(file, request)
        kinds = {kind_of_path(path) for path in paths}
        if len(kinds) > 1:
            raise UsageError("some of the paths hold logs and others captures; dump them one after the other")
        request = _request(kinds.copy().pop(), options, form)
        sections = sections_of_capture(paths, request) if kinds == {"capture"} else sections_of_logs(paths, request)
    except (ValueError, LookupError) as error:
        raise UsageError(str(error.args[0]) if error.args else str(error)) from None
    if options["show_sensitive"] and any(section.is_internal for section in sections):
        raise UsageError("secrets in internal topics are never decoded; leave out --show-sensitive")
    if form == "parquet" and len(sections) > 1:
        raise UsageError(
            "a Parquet file has the same columns in all rows; choose with --topic among internal and other topics"
        )
    return sections


def _request(kind: str, options: _Options, form: str) -> DumpRequest:
    from messagegen_arrow.dump.request import DumpRequest

    for name, flag in (("topics", "--topic"), ("offsets", "--offsets"), ("types", "--types"), ("version", "--version")):
        if kind == "capture" and options[name]:  # type: ignore[literal-required]
            raise UsageError(f"{flag} is about logs, and this is a capture")
    return DumpRequest(
        catalog=_catalog(options["specs"], options["config"]),
        messages=tuple(options["messages"]),
        version=options["version"],
        types=listed(options["types"]) or (),
        fields=listed(options["fields"]),
        columns=listed(options["columns"]),
        topics=tuple(options["topics"]),
        since=options["since"],
        until=options["until"],
        options={**_pairs(options["source_options"]), **_offsets(options["offsets"])},
        typed=form == "parquet",
        brief=form == "table",
        include_secrets=options["show_sensitive"],
    )


def _catalog(specs: Sequence[Path], config: Path | None) -> Catalog:
    """The built-in messages, and those of ``--specs`` or of the configuration."""
    from messagegen_arrow.catalog import catalog_with_specs, default_catalog

    sources = list(specs) or [path for output in read_outputs(config) for path in output.specs]
    return catalog_with_specs(*fetch_releases(sources)) if sources else default_catalog()


def _pairs(texts: Sequence[str]) -> Mapping[str, str]:
    for text in texts:
        if not text.partition("=")[1]:
            raise UsageError(f"--option {text!r} is not KEY=VALUE")
    return {key.strip(): value for key, _, value in (text.partition("=") for text in texts)}


def _offsets(text: str | None) -> Mapping[str, str]:
    """The options for a range of offsets, both ends of which are wanted."""
    if text is None:
        return {}
    match = re.fullmatch(r"(\d*)(-?)(\d*)", text)
    if not match or not (match[1] or match[3]):
        raise UsageError(f"--offsets {text!r} is not a range such as 100-199, 100-, -199 or 100")
    first, last = match[1], match[3] if match[2] else match[1]
    return {
        **({"startingOffset": first} if first else {}),
        **({"endingOffset": str(int(last) + 1)} if last else {}),
    }
