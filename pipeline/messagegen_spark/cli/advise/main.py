"""The command line ``messagegen-advise``: which encodings serve the integers of a message best.

Exit codes: 0 done, 1 no message could be read, 2 wrong usage or an error, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen import __version__
from messagegen.cli.answer_options import answer_options, reading_options
from messagegen.cli.types import Place
from messagegen_spark.cli.options import Pairs, conf_option, master_option
from messagegen_spark.cli.running import run as run_command_line

if TYPE_CHECKING:
    from messagegen_arrow.cli.answers import Answer

NAME: Final = "messagegen-advise"
EXIT_ERROR: Final = 2

_READABLE: Final = Place(exists=True, dir_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="messagegen-advise")
def advise() -> None:
    """Choose encodings (KIP-625) for the integers of Kafka messages from data.

    \b
    Examples:
      messagegen-advise run responses.parquet --message MetadataResponse --version 12
      messagegen-advise run capture.pcap --format kafka-capture --message MetadataResponse
      messagegen-advise run /var/kafka/__consumer_offsets-* --format kafka-log --message OffsetCommitValue
      messagegen-advise run day1 --message FetchResponse --version version --save day1.json
      messagegen-advise merge day1.json day2.json --specs message_specs --report page.html

    Exit codes: 0 done, 1 no message could be read, 2 wrong usage or an error.
    """


@advise.command()
@click.argument("inputs", nargs=-1, required=True, type=Place(readable=False), metavar="PATH...")
@click.option(
    "--message", required=True, metavar="NAME", help="The message that the data holds, such as MetadataResponse."
)
@click.option(
    "--version", "version", metavar="N|COLUMN",
    help="The version of all messages, or the column of integers that has it; logs and captures know it themselves.",
)  # fmt: skip
@click.option(
    "--format",
    "format_",
    default="parquet",
    show_default=True,
    metavar="FORMAT",
    help="Anything that Spark reads, and kafka-log and kafka-capture.",
)
@click.option(
    "--column",
    default="value",
    show_default=True,
    metavar="NAME",
    help="The column with the messages: bytes without header or frame, or decoded structs.",
)
@click.option("--option", "reader_options", type=Pairs(), multiple=True, help="An option of the format (repeatable).")
@click.option(
    "--where", metavar="SQL", help="Only rows for which this is true, such as \"topic = '__consumer_offsets'\"."
)
@reading_options
@master_option
@conf_option
@answer_options
def run(inputs: tuple[str, ...], message: str, trial: int | None, specs: Path | None, **rest: Any) -> None:
    """Look at messages in one pass, and say which encoding each integer field should have.

    Rows that cannot be read are counted and told, and nothing else counts them. With --specs messages are those of the specs
    there, otherwise those of the package messagegen_kafka.
    """
    from messagegen_spark.cli.advise.input import Input, session

    if specs is None and (trial is not None or rest["patch"] is not None):
        raise click.UsageError("--trial and --patch need the spec: name its folder or file with --specs")
    source = Input(
        inputs=inputs, message=message, version=rest["version"], format=rest["format_"], column=rest["column"],
        options=dict(rest["reader_options"]), where=rest["where"], sample=rest["sample"], specs=specs,
    )  # fmt: skip
    with session(rest["master"], dict(rest["conf"])) as spark:
        rows = source.rows(spark)
        statistics = source.statistics(rows)
        messages = source.some(rows, trial) if trial else ()
    _answer(specs, rest).tell(statistics, messages)


@advise.command()
@click.argument("files", nargs=-1, required=True, type=_READABLE, metavar="FILE...")
@answer_options
def merge(files: tuple[Path, ...], specs: Path | None, **rest: Any) -> None:
    """Add up statistics that `run --save` wrote, and advise on all of them together."""
    from messagegen_arrow.advisor.statistics import Statistics

    if specs is None and rest["patch"] is not None:
        raise click.UsageError("--patch needs the spec: name its folder or file with --specs")
    _answer(specs, rest).tell(reduce(add, map(Statistics.load, files)), ())


@advise.command()
@click.argument("inputs", nargs=-1, type=Place(readable=False), metavar="[PATH]...")
@click.option("--version", "version", metavar="N|COLUMN", help="As for run, for the MetadataResponses in PATH.")
@click.option("--format", "format_", default="parquet", show_default=True, metavar="FORMAT", help="As for run.")
@click.option("--column", default="value", show_default=True, metavar="NAME", help="As for run.")
@click.option(
    "--messages",
    "limit",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many of them to measure.",
)
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def kip625(inputs: tuple[str, ...], limit: int, output: str, **rest: Any) -> None:
    """Make KIP-625's own table again: its MetadataResponse in fixed and variable encodings, in bytes and in time.

    Without PATH on made-up responses, the KIP's best and worst case; with PATH also on real ones.
    """
    from messagegen_spark.cli.advise.input import Input, session
    from messagegen_spark.cli.advise.kip625 import show

    real: Sequence[tuple[int, bytes]] = ()
    if inputs:
        source = Input(inputs, "MetadataResponse", rest["version"], rest["format_"], rest["column"])
        with session(None, {}) as spark:
            real = source.some(source.rows(spark), limit)
    show(real, output)


def _answer(specs: Path | None, rest: dict[str, Any]) -> Answer:
    from messagegen_arrow.cli.answers import Answer

    names = ("engine", "ns_per_byte", "costs", "report", "patch", "save", "output")
    return Answer(specs=specs, page=_page, **{name: rest[name] for name in names})


def _page() -> Callable[..., str]:
    from messagegen_spark.advisor.report import report_page

    return report_page


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with ``arguments`` (else the process's own) and exits with its code."""
    sys.exit(run_command(arguments))


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    return run_command_line(advise, arguments, name=NAME, exit_failed=EXIT_ERROR)
