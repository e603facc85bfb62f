"""Delta tables, through delta-rs. A commit has the job as its application transaction, with the batch as the version."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Schema, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from deltalake.fs import DeltaStorageHandler
from deltalake.transaction import AddAction
from pyarrow import fs

from messagegen_arrow.tables.columns import fit, plain_schema
from messagegen_arrow.tables.table import DataFile, Layout, Place, TableError, partitions_differ, retried

_CONFLICTS = (CommitFailedError,)


class DeltaLakeTable:
    """A table at a URL."""

    def __init__(self, url: str, options: Mapping[str, str]) -> None:
        """``options`` are the storage options of delta-rs, besides its environment variables."""
        self.name = f"delta:{url}"
        self._url = url
        self._options = dict(options)

    @property
    def place(self) -> Place:
        """The root of the table."""
        return Place(fs.PyFileSystem(DeltaStorageHandler(self._url, self._options)), "")

    def exists(self) -> bool:
        """Whether there is a Delta log at the URL."""
        with self._errors():
            return self._is_there()

    def prepare(self, columns: pa.Schema, partition_by: Sequence[str]) -> Layout:
        """Makes or widens the table."""
        rows = plain_schema(columns)
        with self._errors():
            return retried(self.name, lambda: self._prepared(rows, tuple(partition_by)), _CONFLICTS)

    def committed(self, job: str) -> int | None:
        """What the table's log says of the job."""
        with self._errors():
            version = self.load().transaction_version(job) if self._is_there() else None
        return None if version is None else int(version)

    def commit(self, files: Sequence[DataFile], job: str, batch: int) -> bool:
        """Appends to the table. delta-rs tries again by itself where others committed something that is not in the way."""
        with self._errors():
            return bool(files) and retried(self.name, lambda: self._append(files, job, batch), _CONFLICTS)

    def _append(self, files: Sequence[DataFile], job: str, batch: int) -> bool:
        # The version that is looked at is the one that is written to: otherwise nobody would see a commit of the same batch in between.
        table, now = self.load(), time.time_ns() // 1_000_000
        last = table.transaction_version(job)
        if last is not None and last >= batch:
            return False
        said = CommitProperties(
            custom_metadata={"messagegen.job": job, "messagegen.batch": str(batch)},
            app_transactions=[Transaction(job, batch, now)],
        )
        table.create_write_transaction(
            [_action(file, now) for file in files],
            "append",
            table.schema(),
            partition_by=table.metadata().partition_columns,
            commit_properties=said,
        )
        return True

    def _prepared(self, rows: pa.Schema, partition_by: tuple[str, ...]) -> Layout:
        try:
            table = self.load()
        except TableNotFoundError:
            table = self._create(rows, partition_by)
        there = table.metadata().partition_columns
        if there != list(partition_by):
            raise TableError(partitions_differ(self.name, there, partition_by))
        columns = _columns(table)
        fitted = fit(columns, rows, self.name)
        if fitted.table != columns:
            changed = [field for field in fitted.table if field not in columns]
            table.alter.add_columns(Schema.from_arrow(pa.schema(changed)).fields)
        return Layout(self.place, fitted.files, partition_by, has_partition_columns=False)

    def _create(self, columns: pa.Schema, partition_by: Sequence[str]) -> DeltaTable:
        return DeltaTable.create(
            self._url, columns, mode="ignore", partition_by=list(partition_by), storage_options=self._options
        )

    def _is_there(self) -> bool:
        return DeltaTable.is_deltatable(self._url, self._options)

    def load(self) -> DeltaTable:
        """The table as delta-rs has it, as it is now. Raises ``TableNotFoundError``."""
        return DeltaTable(self._url, storage_options=self._options)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Makes ``TableError`` of what delta-rs says of the table."""
        try:
            yield
        except DeltaError as problem:
            raise TableError(f"{self.name}: {problem}") from problem


def _columns(table: DeltaTable) -> pa.Schema:
    return plain_schema(pa.schema(table.schema().to_arrow()))


def _action(file: DataFile, now: int) -> AddAction:
    statistics = json.dumps({"numRecords": file.rows, **file.statistics})
    return AddAction(file.path, file.size, dict(file.partition), now, data_change=True, stats=statistics)
