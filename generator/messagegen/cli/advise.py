"""The command ``messagegen advise``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.answer_options import answer_options, reading_options
from messagegen.cli.options import errors_as_usage
from messagegen.cli.rows import require_arrow
from messagegen.cli.types import Name
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen_arrow import ColumnStream, MessageTable

_VALUE: Final = "value"
_VERSION: Final = "version"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=Name(), metavar="PATH...")
@click.option("--message", required=True, metavar="NAME", help="The message that the data holds.")
@click.option(
    "--version",
    "version",
    metavar="N|COLUMN",
    help="The version of all messages, or the column that has it; internal topics and captures know it themselves.",
)
@click.option(
    "--column",
    default=_VALUE,
    show_default=True,
    metavar="NAME",
    help="The column with the messages: bytes without header or frame.",
)
@click.option("--topic", "topics", multiple=True, metavar="TOPIC", help="Only this topic of a log (repeatable).")
@reading_options
@answer_options
@click.pass_context
def advise(
    ctx: click.Context,
    /,
    paths: Sequence[str],
    message: str,
    version: str | None,
    column: str,
    topics: Sequence[str],
    sample: float,
    trial: int | None,
    specs: Path | None,
    **rest: Any,
) -> None:
    """Choose encodings (KIP-625) for the integers of a message from data, on this machine.

    PATH is a log (a folder of log.dirs, a segment), a capture, or a Parquet file with a column of messages. With --specs the message
    is that of the specs there. messagegen-advise does the same with Spark, for more data. It needs pip install
    'messagegen[arrow]', and --report also matplotlib.

    \b
    Examples:
      messagegen advise /var/lib/kafka/data --topic __consumer_offsets --message OffsetCommitValue
      messagegen advise traffic.pcap --message MetadataResponse --report page.html
      messagegen advise responses.parquet --message MetadataResponse --version 12 --save statistics.json

    Exit codes: 0 done, 1 no message could be read, 2 wrong usage or an error.
    """
    require_arrow("advise")
    from messagegen_arrow import Catalog, default_catalog
    from messagegen_arrow.advisor import collect
    from messagegen_arrow.advisor.sources import some_messages
    from messagegen_arrow.cli.answers import Answer
    from messagegen_arrow.log.rows import DataLossError

    if rest["report"] is not None:
        _page()
    with errors_as_usage():
        if specs is None and (trial is not None or rest["patch"] is not None):
            raise UsageError("--trial and --patch need the spec; pass its folder or file with --specs")
        try:
            catalog = default_catalog() if specs is None else Catalog.of_specs(specs, messages=[message])
            table = catalog.message(message)
            rows, named = _rows(paths, table, version, column, topics)
            number = named if version is None else int(version) if version.isdecimal() else version
            holder = _VALUE if version is None else column
            statistics = collect(rows, table, number, column=holder, sample=sample)
            some = some_messages(rows, trial, number, holder) if trial else []
            names = ("engine", "ns_per_byte", "costs", "report", "patch", "save", "output")
            Answer(specs=specs, page=_page, **{name: rest[name] for name in names}).tell(statistics, some)
        except (ValueError, LookupError) as error:
            raise UsageError(str(error.args[0]) if error.args else str(error)) from None
        except DataLossError as error:
            raise click.ClickException(printable(str(error))) from None
    ctx.exit(0)


def _rows(
    paths: Sequence[str], table: MessageTable, version: str | None, column: str, topics: Sequence[str]
) -> tuple[ColumnStream, str]:
    """The messages, and the name of the column with their versions, if they know them. Raises ``ValueError``."""
    from messagegen_arrow import read_capture, read_log
    from messagegen_arrow.advisor.sources import bodies_of, parquet_rows, records_of
    from messagegen_arrow.dump.places import kind_of_path

    if all(path.endswith(".parquet") for path in paths):
        if version is None:
            raise UsageError("missing version of the messages; pass --version N, or --version COLUMN")
        columns = [column] if version.isdecimal() else [column, version]
        return parquet_rows(paths, columns), _VERSION
    kinds = {kind_of_path(path) for path in paths}
    if len(kinds) > 1:
        raise UsageError("some of the paths hold logs and others captures; look at them one after the other")
    if kinds == {"capture"}:
        return bodies_of(read_capture(*paths), table), _VERSION
    chosen: dict[str, Any] = {"topics": list(topics)} if topics else {}
    if version is not None:
        return read_log(*paths, columns=[column], **chosen), _VERSION
    return records_of(read_log(*paths, columns=["key", "value"], **chosen), table), _VERSION


def _page() -> Callable[..., str]:
    """The function that makes a page. Raises ``ClickException`` where a library for charts is missing."""
    try:
        from messagegen_spark.advisor.report import report_page
    except ImportError as problem:
        raise click.ClickException(
            f"--report needs {(problem.name or '').partition('.')[0]}; install it with: pip install 'messagegen[spark]'"
        ) from None
    return report_page
