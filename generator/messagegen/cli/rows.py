"""Rows as lines of JSON, a table or a Parquet file: what the commands ``dump`` and those of histories have in common."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any, Final

import click

from messagegen.cli.options import status_line
from messagegen.cli.types import OutputPlace
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen_arrow.dump.request import Section
    from messagegen_arrow.dump.rows import Tally

EXIT_MALFORMED: Final = 1
_WIDTH: Final = 120
"""How wide tables are that do not go to a terminal."""

limit_option = click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most this many rows.")
columns_option = click.option("--columns", metavar="NAME[,...]", help="Only these columns, such as offset,value.")
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "parquet", "table")),
    default="jsonl",
    show_default=True,
    help="Lines of JSON, a Parquet file, or a table for people.",
)
output_option = click.option(
    "--output",
    type=OutputPlace(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A new file to write, in place of standard output: a path, or a URL such as s3://bucket/rows.jsonl.",
)


def require_arrow(command: str) -> None:
    """Raises ``ClickException`` where a library of the extra ``arrow`` is missing."""
    for name in ("crc32c", "dpkt", "numpy", "pyarrow", "messagegen_arrow"):
        try:
            import_module(name)
        except ImportError:
            raise click.ClickException(
                f"{command} needs {name}; install it with: pip install 'messagegen[arrow]'"
            ) from None


def check_output(form: str, output: Path | str | None) -> None:
    """Raises ``UsageError`` for a Parquet file without a name, and for a file that exists."""
    if form == "parquet" and output is None:
        raise UsageError("Parquet needs a file; pass --output FILE")
    if isinstance(output, Path) and output.exists():
        raise UsageError(f"{output} exists; remove it, or name another file")


def listed(text: str | None) -> tuple[str, ...] | None:
    """Names between commas; ``None`` for no text."""
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def out_of(count: int, total: int, what: str = "row") -> str:
    """``1 of 7 rows``."""
    return f"{count:,} of {total:,} {what}{'s' * (total != 1)}"


@contextmanager
def errors_of_reading() -> Generator[None]:
    """Turns errors in what is read, and files that disappear meanwhile, into a message and exit code 2; damage passes."""
    from messagegen_arrow import MalformedMessageError
    from messagegen_arrow.dump.rows import MalformedRowError
    from messagegen_arrow.log.rows import DataLossError

    try:
        yield
    except (MalformedMessageError, MalformedRowError, UsageError):
        raise
    except (ValueError, DataLossError) as error:
        raise click.ClickException(printable(str(error))) from None


def write_rows(
    sections: Sequence[Section], form: str, output: Path | str | None, mode: str, limit: int | None
) -> Tally:
    """Writes the rows of each section; gives how many there were. Raises ``ClickException`` for what can't be read."""
    from messagegen_arrow.dump.new_file import new_file
    from messagegen_arrow.dump.rows import Tally
    from messagegen_arrow.dump.writing import Writer

    tally, width = Tally(), get_terminal_size((_WIDTH, 24)).columns
    chosen: Any = mode.upper()
    with (
        errors_of_reading(),
        new_file(output) if output else nullcontext() as file,
        status_line(_is_seen(output)) as progress,
    ):
        writer = Writer(tally, chosen, limit, progress)
        for number, section in enumerate(sections):
            if form == "parquet":
                assert file is not None
                writer.parquet(section, file)
                continue
            for line in writer.lines(section, "table" if form == "table" else "jsonl", width):
                if line.is_title and number:
                    _echo("", file)
                _echo(line.text, file, bold=line.is_title, fg="red" if line.is_error else None)
    return tally


def _is_seen(output: Path | str | None) -> bool:
    """Whether the rows themselves appear on the terminal."""
    return output is None and sys.stdout.isatty()


def _echo(text: str, file: IO[bytes] | None, **style: Any) -> None:
    if file is not None:
        file.write(f"{text}\n".encode())
    elif any(style.values()):
        click.secho(text, **style)
    else:
        sys.stdout.write(f"{text}\n")
