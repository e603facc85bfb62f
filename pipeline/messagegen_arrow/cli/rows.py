"""Writes rows as JSON lines, a table or a Parquet file: the output that commands share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

import click

from messagegen_arrow.cli.progress import RowProgress

if TYPE_CHECKING:
    from messagegen_arrow.dump.request import Section
    from messagegen_arrow.dump.rows import Tally

DEFAULT_SIZE: Final = (120, 24)
"""The width of tables that are not printed to a terminal, and an unused height."""


def check_output(form: str, output: Path | None) -> None:
    """Raise ``UsageError`` if the output is a Parquet file and no file name is given."""
    if form == "parquet" and output is None:
        raise click.UsageError("Parquet needs a file; pass --output FILE")


def out_of(count: int, total: int, what: str = "row") -> str:
    """Return text such as ``1 of 7 rows``."""
    name = what if total == 1 else f"{what}s"
    return f"{count:,} of {total:,} {name}"


def write_rows(
    sections: Sequence[Section], form: str, output: Path | None, limit: int | None, *, shows_progress: bool = True
) -> Tally:
    """Write the rows of each section, and return their counts. Raises what reading them raises.

    Also show progress, as the number of written rows, unless the caller does that itself (``shows_progress`` is false).
    """
    from messagegen_arrow.dump.new_file import new_file
    from messagegen_arrow.dump.rows import Tally, write_parquet
    from messagegen_arrow.dump.texts import json_lines, printable_lines_of, table_lines

    tally = Tally()
    width = get_terminal_size(DEFAULT_SIZE).columns
    own_progress = RowProgress(prints_rows=output is None) if shows_progress else nullcontext()
    with new_file(output) if output else nullcontext() as file, own_progress as progress:

        def write(text: str) -> None:
            if file is None:
                sys.stdout.write(text)
            else:
                file.write(text.encode())

        for number, section in enumerate(sections):
            rows = tally.counted(section.stream, limit)
            if progress is not None:
                rows = progress.counted(rows)
            if form == "parquet":
                assert file is not None
                write_parquet(file, section.stream.schema, rows)
            elif form == "table":
                is_first_line = True
                for line in table_lines(rows, section, width):
                    # Write an empty line between tables.
                    write(f"\n{line}\n" if number and is_first_line else f"{line}\n")
                    is_first_line = False
            else:
                for batch in rows:
                    for line in printable_lines_of(json_lines(batch, section)):
                        write(f"{line}\n")
    return tally
