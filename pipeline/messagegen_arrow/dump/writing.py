"""Writes the selected rows of sections as text or to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Literal

import pyarrow as pa

from messagegen_arrow.dump.json_lines import json_lines
from messagegen_arrow.dump.parquet import write_parquet
from messagegen_arrow.dump.request import Section
from messagegen_arrow.dump.rows import Tally, wanted_rows
from messagegen_arrow.dump.tables import Line, table_lines
from messagegen_arrow.malformed import Mode


@dataclass(frozen=True)
class Writer:
    """Writes the selected rows of all sections, and counts them."""

    tally: Tally
    mode: Mode
    limit: int | None
    progress: Callable[[str], None]
    """Called with a line about the progress."""

    def lines(self, section: Section, form: Literal["jsonl", "table"], width: int) -> Iterator[Line]:
        """The rows as lines of JSON or of a table of this width; raises what reading them raises."""
        if form == "table":
            yield from table_lines(self._rows(section), section, width)
            return
        for batch in self._rows(section):
            yield from (Line(text) for text in json_lines(batch, section).to_pylist())

    def parquet(self, section: Section, file: IO[bytes]) -> None:
        """Writes the rows as a Parquet file; raises what reading them raises."""
        write_parquet(file, section.stream.schema, self._rows(section))

    def _rows(self, section: Section) -> Iterator[pa.RecordBatch]:
        for batch in wanted_rows(section.stream, self.tally, self.mode, self.limit):
            yield batch
            self.progress(f"{self.tally.rows:,} rows")
