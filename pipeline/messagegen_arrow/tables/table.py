"""What a table has to do for those who write to it: take columns, and take files, each batch of them once."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import pyarrow as pa
from pyarrow import fs

_Result = TypeVar("_Result")

_TRIES: Final = 10
_FIRST_WAIT_SECONDS: Final = 0.1
_LONGEST_WAIT_SECONDS: Final = 5.0


class TableError(ValueError):
    """Raised for a table that can't be opened, does not fit the rows, or does not take them."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A Parquet file that is finished."""

    path: str
    """Below the folder of ``Place``."""
    size: int
    """In bytes."""
    rows: int
    partition: Mapping[str, str | None]
    """The value of each column that the table is partitioned by, as the text that Delta has for it."""
    statistics: Mapping[str, Mapping[str, int | str]]
    """``minValues``, ``maxValues`` and ``nullCount`` by column, as Delta has them; they may lack columns."""


@dataclass(frozen=True)
class Place:
    """Where the files of a table are; it pickles, so that workers can write there."""

    filesystem: fs.FileSystem
    folder: str
    """In the file system, without a slash at its end; empty for its root."""

    def full(self, path: str) -> str:
        """The path in the file system of one below the folder."""
        return f"{self.folder}/{path}" if self.folder else path

    def has(self, paths: Collection[str]) -> bool:
        """Whether all these files are there."""
        found = self.filesystem.get_file_info([self.full(path) for path in paths])
        return all(info.type == fs.FileType.File for info in found)

    def remove_others(self, below: str, keep: Collection[str]) -> None:
        """Removes the files below a folder of ours except those to keep; what can't be removed stays."""
        for path in set(self.files(below)) - set(keep):
            with suppress(OSError):
                self.filesystem.delete_file(self.full(path))

    def files(self, below: str) -> list[str]:
        """The files below a folder, in the order of their paths, which are relative to ours."""
        selector = fs.FileSelector(self.full(below), allow_not_found=True, recursive=True)
        found = self.filesystem.get_file_info(selector)
        start = len(self.full(""))
        return sorted(info.path[start:] for info in found if info.type == fs.FileType.File)


@dataclass(frozen=True)
class Layout:
    """What the files of a table are like; it pickles."""

    place: Place
    columns: pa.Schema
    """Those of the rows, with the types that the table has for them."""
    partition_by: tuple[str, ...]
    """A file has one value of each of these columns."""
    has_partition_columns: bool
    """Whether files have these columns too."""


class Table(Protocol):
    """A table that files are added to.

    A job has an id that no other job has, and numbers its batches upwards. What was committed is found by these two, so that a
    batch that is committed again, because nobody knows what became of the first time, is in the table once.
    """

    name: str
    """How the command calls it, such as ``iceberg:lake.kafka.commits``."""

    @property
    def place(self) -> Place:
        """Where its files are. Raises ``TableError`` if there is no such table."""
        ...

    def exists(self) -> bool:
        """Whether there is such a table."""
        ...

    def prepare(self, columns: pa.Schema, partition_by: Sequence[str]) -> Layout:
        """Makes the table if there is none, and adds the columns that it lacks, which are null in rows that are there already.

        Raises ``TableError`` for a column of another type, and for a table that is partitioned in another way.
        """
        ...

    def committed(self, job: str) -> int | None:
        """The highest number of a batch of the job that the table has; ``None`` if it has none, or if there is no table."""
        ...

    def commit(self, files: Sequence[DataFile], job: str, batch: int) -> bool:
        """Adds the files of a batch in one transaction, and gives whether it did.

        It does not if the table has this batch or a higher one, or if there are no files.
        Raises ``TableError`` where others commit all the time, and for what the table does not take.
        """
        ...


def partitions_differ(name: str, there: Sequence[str | None], wanted: Sequence[str]) -> str:
    """What to say of a table that is partitioned in another way."""

    def listed(names: Sequence[str | None]) -> str:
        return ",".join(map(str, names)) or "nothing"

    return (
        f"{name} is partitioned by {listed(there)}, and the rows by {listed(wanted)}: give the table's columns with --partition-by "
        "('' for none), or write to another table"
    )


def is_committed(table: Table, job: str, batch: int) -> bool:
    """Whether the table has a batch of a job."""
    last = table.committed(job)
    return last is not None and last >= batch


def retried(name: str, attempt: Callable[[], _Result], conflicts: tuple[type[Exception], ...]) -> _Result:
    """Calls ``attempt`` until nobody else commits at the same moment.

    Raises ``TableError`` after ten times.
    """
    wait = _FIRST_WAIT_SECONDS
    for _ in range(_TRIES - 1):
        try:
            return attempt()
        except conflicts:
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_SECONDS)
    try:
        return attempt()
    except conflicts as problem:
        raise TableError(
            f"{name} was changed by others during each of {_TRIES} attempts to commit ({problem}): run the command again, and it "
            "continues with this commit"
        ) from problem
