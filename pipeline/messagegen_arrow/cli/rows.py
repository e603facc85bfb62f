"""Rows as lines of JSON, a table or a Parquet file: what the commands have in common that print rows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any, Final

import click

from messagegen_arrow.cli.options import errors_of_reading, progress_line

if TYPE_CHECKING:
    from messagegen_arrow.dump.request import Section
    from messagegen_arrow.dump.rows import Tally

_WIDTH: Final = 120
"""How wide tables are that do not go to a terminal."""


def check_output(form: str, output: Path | None) -> None:
    """Raises ``UsageError`` for a Parquet file without a name."""
    if form == "parquet" and output is None:
        raise click.UsageError("Parquet needs a file; pass --output FILE")


def out_of(count: int, total: int, what: str = "row") -> str:
    """``1 of 7 rows``."""
    return f"{count:,} of {total:,} {what}{'s' * (total != 1)}"


def write_rows(sections: Sequence[Section], form: str, output: Path | None, mode: str, limit: int | None) -> Tally:
    """Writes the rows of each section; gives how many there were. Raises ``ClickException`` for what cannot be read."""
    from messagegen_arrow.dump.json_lines import json_lines
    from messagegen_arrow.dump.new_file import new_file
    from messagegen_arrow.dump.parquet import write_parquet
    from messagegen_arrow.dump.rows import Tally, wanted_rows
    from messagegen_arrow.dump.tables import table_lines

    tally, width = Tally(), get_terminal_size((_WIDTH, 24)).columns
    chosen: Any = mode.upper()
    # On a terminal the rows themselves show the progress.
    progress_shown = nullcontext(lambda _: None) if output is None and sys.stdout.isatty() else progress_line()
    with errors_of_reading(), new_file(output) if output else nullcontext() as file, progress_shown as progress:
        for number, section in enumerate(sections):
            rows = wanted_rows(section.stream, tally, chosen, limit, progress)
            if form == "parquet":
                assert file is not None
                write_parquet(file, section.stream.schema, rows)
            elif form == "table":
                for line in table_lines(rows, section, width):
                    if line.is_title and number:
                        _echo("", file)
                    _echo(line.text, file, bold=line.is_title, fg="red" if line.is_error else None)
            else:
                for batch in rows:
                    for text in json_lines(batch, section).to_pylist():
                        _echo(text, file)
    return tally


def _echo(text: str, file: IO[bytes] | None, **style: Any) -> None:
    if file is not None:
        file.write(f"{text}\n".encode())
    elif any(style.values()):
        click.secho(text, **style)
    else:
        sys.stdout.write(f"{text}\n")
