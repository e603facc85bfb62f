"""The command ``messagegen-data advise``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen_arrow.cli.options import (
    EXIT_MALFORMED,
    Name,
    errors_as_messages,
    paths_argument,
    specs_option,
)
from messagegen_arrow.cli.progress import RowProgress
from messagegen_arrow.console.output import show
from messagegen_arrow.console.text import aligned, json_text

if TYPE_CHECKING:
    from messagegen_arrow.advisor import Advice
    from messagegen_arrow.catalog import MessageTable
    from messagegen_arrow.streams.stream import ColumnStream

_VALUE: Final = "value"
_VERSION: Final = "version"


@click.command(short_help="Find the shortest encodings of a message's integers.")
@paths_argument
@click.option("--message", required=True, type=Name(), metavar="NAME", help="The name of the message in the data.")
@click.option(
    "--version",
    metavar="N|COLUMN",
    help="The version of all messages, or the column with versions; not needed for internal topics and captures.",
)
@click.option(
    "--column",
    default=_VALUE,
    show_default=True,
    metavar="NAME",
    help="The column with the messages: bytes without header or frame.",
)
@click.option("--topic", "topics", multiple=True, metavar="TOPIC", help="Only this topic of a log (repeatable).")
@specs_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def advise(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    message: str,
    version: str | None,
    column: str,
    topics: Sequence[str],
    specs: Sequence[str],
    form: str,
) -> None:
    """Find the shortest encodings (KIP-625) of a message's integers, from data.

    PATH is a log (a folder of log.dirs, a segment), a capture, or a Parquet file with a column of messages. With
    --specs, the message is taken from these specs. The last lines of the output are the changes to make in its spec.

    \b
    Examples:
      messagegen-data advise /var/lib/kafka/data --topic __consumer_offsets --message OffsetCommitValue
      messagegen-data advise traffic.pcap --message MetadataResponse
      messagegen-data advise rows.parquet --message Trip --version 2 --specs message_specs

    Exit codes: 0 done, 1 no message could be read, 2 wrong usage or an error.
    """
    with errors_as_messages():
        table = _message_table(message, specs)
        rows = _rows(paths, table, version, column, topics)
        advice = _advice(rows, table, version, column)
    text = json_text(advice.as_json()) if form == "json" else _text(advice)
    show(*text.split("\n"))
    _warn_of_malformed(advice)
    if not advice.messages:
        ctx.exit(EXIT_MALFORMED)


def _message_table(message: str, specs: Sequence[str]) -> MessageTable:
    """Return the message from the specs, or the built-in message. Raises ``LookupError`` and ``ImportError``."""
    from messagegen_arrow.catalog import Catalog, default_catalog

    catalog = Catalog.of_specs(*specs, messages=[message]) if specs else default_catalog()
    return catalog.message(message)


def _rows(
    paths: Sequence[str], table: MessageTable, version: str | None, column: str, topics: Sequence[str]
) -> ColumnStream:
    """Return the messages, with a column of versions if one is needed. Raises ``ValueError``."""
    from messagegen_arrow.advisor import bodies_of, parquet_rows, records_of
    from messagegen_arrow.dump.places import are_captures
    from messagegen_arrow.streams.sources import read_capture, read_log

    if all(path.endswith(".parquet") for path in paths):
        if version is None:
            raise click.UsageError("missing version of the messages; pass --version N, or --version COLUMN")
        return parquet_rows(paths, [column] if version.isdecimal() else [column, version])
    if are_captures(paths):
        return bodies_of(read_capture(*paths), table)
    options: dict[str, Any] = {"mode": "DROPMALFORMED"}
    if topics:
        options["topics"] = list(topics)
    if version is not None:
        return read_log(*paths, columns=[column], **options)
    return records_of(read_log(*paths, columns=["key", "value"], **options), table)


def _advice(rows: ColumnStream, table: MessageTable, version: str | None, column: str) -> Advice:
    from messagegen_arrow.advisor import advise as advice_for
    from messagegen_arrow.streams.stream import ColumnStream

    with RowProgress() as progress:
        counted = ColumnStream(rows.schema, lambda: progress.counted(rows))
        if version is None:
            return advice_for(counted, table, _VERSION, column=_VALUE)
        number_or_column = int(version) if version.isdecimal() else version
        return advice_for(counted, table, number_or_column, column=column)


def _warn_of_malformed(advice: Advice) -> None:
    for version, (count, example) in advice.malformed.items():
        what = "rows without a version" if version is None else f"messages of version {version}"
        show(f"warning: {count:,} {what} could not be decoded, such as: {example}", err=True)


def _text(advice: Advice) -> str:
    """Return the advice as text: a table of sizes, and a table of changes with the lines for the spec."""
    lines = [f"{advice.message}: {advice.messages:,} messages"]
    if not advice.messages:
        return lines[0]
    sizes = {"as now": advice.bytes, **advice.bytes_in}
    rows = [["integers", "bytes", "a message"]]
    rows += [[name, f"{size:,}", f"{size / advice.messages:,.1f}"] for name, size in sizes.items()]
    lines += ["", *aligned(rows, range(1, len(rows[0])))]
    if not advice.changes:
        return "\n".join([*lines, "", "no other encoding is shorter"])
    rows = [["field", "now", "advised", "values", "min", "max", "bytes now", "saved"]]
    for each in advice.changes:
        numbers = (each.count, each.minimum or 0, each.maximum or 0, each.bytes_now, each.saving_bytes)
        rows.append(
            [f"{each.struct}.{each.key}", each.current, each.recommended, *(f"{number:,}" for number in numbers)]
        )
    lines += ["", *aligned(rows, range(3, len(rows[0]))), ""]
    lines += [f"{each.struct}.{each.key}: {remark}" for each in advice.changes for remark in each.remarks]
    return "\n".join([*lines, *_edit(advice)])


def _edit(advice: Advice) -> list[str]:
    """Return lines about what the advice saves and what to write into the spec."""
    from messagegen_arrow.advisor.edits import property_text

    saved = f"{(advice.bytes - advice.bytes_in['advised']) / advice.messages:,.1f} bytes a message"
    version = advice.next_version
    if version is None:
        return [
            f"another layout would save {saved}; it needs a new API key, because a coordinator-key has only version 0"
        ]
    rows: list[tuple[str, str]] = []
    for each in advice.changes:
        assert each.edit is not None
        name = "elementEncoding" if each.is_array else "encoding"
        rows.append((f"{each.struct}.{each.key}", property_text(name, each.edit)))
    ranges = f"extend version ranges that end at {version - 1} to {version}"
    return [f"version {version} would save {saved}; in the spec, {ranges}, and write:", "", *aligned(rows)]
