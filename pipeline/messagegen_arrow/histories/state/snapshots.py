"""Snapshots of cluster metadata (KIP-630): their places and times, and whether they are usable."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import name_of
from messagegen_arrow.histories.logs import BOOTSTRAP
from messagegen_arrow.histories.metadata.records import snapshot_place
from messagegen_arrow.histories.records import field
from messagegen_arrow.malformed import ERROR_NAME

HEADER: Final = "SNAPSHOT_HEADER"
FOOTER: Final = "SNAPSHOT_FOOTER"


@dataclass(slots=True)
class Snapshot:
    """A snapshot. Its place in the log matters, not the timestamps of its own batches."""

    path: str
    time: int | None = None
    """The time of the last record that it contains, in milliseconds since 1970; ``None`` if it has no header."""
    has_footer: bool = False
    has_damage: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """The offset after the last record that it contains, and the epoch; -1 if the file's name lacks them."""
        return snapshot_place(self.path)

    @property
    def end(self) -> int:
        """The offset after the last record that it contains; -1 if the file's name lacks it."""
        return self.place[0]

    @property
    def is_usable(self) -> bool:
        """Whether it contains a complete state of the cluster."""
        is_cut_off = self.time is not None and not self.has_footer
        is_beginning = self.end == 0 or name_of(self.path) == BOOTSTRAP
        return not (self.has_damage or is_cut_off or is_beginning)

    def add(self, rows: pa.RecordBatch) -> None:
        """Add the next rows of the file."""
        self.has_damage = self.has_damage or rows.column(ERROR_NAME).null_count < rows.num_rows
        types = rows.column("recordType")
        times = field(rows.filter(pc.equal(types, HEADER)), f"{HEADER}.lastContainedLogTimestamp")
        if len(times):
            self.time = times[0].as_py()
        self.has_footer = self.has_footer or bool(pc.any(pc.equal(types, FOOTER)).as_py())
