"""Iceberg tables, through PyIceberg. A snapshot says in its summary which batch of which job it added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.exceptions import (
    CommitFailedException,
    CommitStateUnknownException,
    NoSuchTableError,
    TableAlreadyExistsError,
)
from pyiceberg.io.pyarrow import PyArrowFileIO, schema_to_pyarrow
from pyiceberg.table import Table as Loaded
from pyiceberg.table.snapshots import ancestors_of
from pyiceberg.transforms import IdentityTransform

from messagegen_arrow.tables.columns import fit, plain_schema
from messagegen_arrow.tables.table import DataFile, Layout, Place, TableError, partitions_differ, retried

JOB: Final = "messagegen.job"
BATCH: Final = "messagegen.batch"
"""Properties of snapshots."""

_DATA_PATH: Final = "write.data.path"
_OF_CATALOGS: Final = ("sqlalchemy", "botocore", "requests", "thrift")
"""Libraries of catalogs, whose errors PyIceberg does not turn into its own. Not all of them are installed."""
_CONFLICTS: Final = (CommitFailedException, CommitStateUnknownException)


class IcebergTable:
    """A table in one of PyIceberg's catalogs."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        """``name`` is ``CATALOG.NAMESPACE.TABLE``; ``options`` are properties of the catalog, besides PyIceberg's configuration.

        Raises ``TableError`` for a catalog that can't be loaded.
        """
        self.name = f"iceberg:{name}"
        catalog, _, self._identifier = name.partition(".")
        try:
            self._catalog = load_catalog(catalog, **options)
        except ValueError as problem:
            # The text of the error has all properties, and secrets are among them.
            raise TableError(
                f"the catalog {catalog} is not configured, or its settings are wrong ({type(problem).__name__}): define it in "
                f"~/.pyiceberg.yaml, with variables such as PYICEBERG_CATALOG__{catalog.upper()}__URI, or with --table-option uri=..."
            ) from None
        except Exception as problem:
            raise TableError(f"the catalog {catalog} can't be loaded ({_said(problem)})") from problem

    @property
    def place(self) -> Place:
        """The folder of the table's data files."""
        with self._errors():
            return self._place(self.load())

    def exists(self) -> bool:
        """Whether the catalog has it."""
        with self._errors():
            return self._catalog.table_exists(self._identifier)

    def prepare(self, columns: pa.Schema, partition_by: Sequence[str]) -> Layout:
        """Makes or widens the table; identity transforms of ``partition_by`` are its partitions."""
        rows = plain_schema(columns, _iceberg_type)
        with self._errors():
            return retried(self.name, lambda: self._prepared(rows, tuple(partition_by)), _CONFLICTS)

    def committed(self, job: str) -> int | None:
        """What the snapshots say that lead to the current one."""
        with self._errors():
            return _last_batch(self.load(), job) if self._catalog.table_exists(self._identifier) else None

    def commit(self, files: Sequence[DataFile], job: str, batch: int) -> bool:
        """Appends a snapshot. A commit whose outcome is unknown is looked up before it is tried again."""
        with self._errors():
            return bool(files) and retried(self.name, lambda: self._append(files, job, batch), _CONFLICTS)

    def _append(self, files: Sequence[DataFile], job: str, batch: int) -> bool:
        table = self.load()
        folder = _data_location(table)
        paths = [f"{folder}/{file.path}" for file in files]
        last = _last_batch(table, job)
        if last is not None and last >= batch:
            return False
        if last is None and not _has_all_snapshots(table) and _has_file(table, paths[0]):
            return False
        said = {JOB: job, BATCH: str(batch)}
        # That a file is not there twice is known: its name is new, and its batch is not committed.
        table.add_files(paths, said, check_duplicate_files=False)
        return True

    def _prepared(self, rows: pa.Schema, partition_by: tuple[str, ...]) -> Layout:
        try:
            table = self.load()
        except NoSuchTableError:
            table = self._create(rows, partition_by)
        _check_partitions(table, partition_by, self.name)
        fitted = fit(_columns(table), rows, self.name)
        if fitted.table != _columns(table):
            with table.update_schema() as update:
                update.union_by_name(fitted.table)
        return Layout(self._place(table), fitted.files, partition_by, has_partition_columns=True)

    def _create(self, columns: pa.Schema, partition_by: Sequence[str]) -> Loaded:
        try:
            with (
                self._catalog.create_table_transaction(self._identifier, columns) as transaction,
                transaction.update_spec() as spec,
            ):
                for name in partition_by:
                    spec.add_identity(name)
        except TableAlreadyExistsError:
            pass  # others were faster, and their table is as good
        return self.load()

    def _place(self, table: Loaded) -> Place:
        properties = table.io.properties
        scheme, host, path = PyArrowFileIO.parse_location(_data_location(table), properties)
        return Place(PyArrowFileIO(properties).fs_by_scheme(scheme, host), path)

    def load(self) -> Loaded:
        """The table as PyIceberg has it, as it is now. Raises ``NoSuchTableError``."""
        return self._catalog.load_table(self._identifier)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Makes ``TableError`` of what PyIceberg says of the table, and of what its catalogs pass on."""
        try:
            yield
        except TableError:
            raise
        except Exception as problem:
            if isinstance(problem, ValueError) or _library_of(problem) == "pyiceberg":
                raise TableError(f"{self.name}: {problem}") from problem
            if _library_of(problem) in _OF_CATALOGS:
                raise TableError(f"{self.name}: {_said(problem)}") from problem
            raise


def _library_of(problem: Exception) -> str:
    return type(problem).__module__.partition(".")[0]


def _said(problem: Exception) -> str:
    """What an error is and its first line; statements and advice about Python follow in others."""
    first = str(problem).partition("\n")[0]
    return f"{type(problem).__name__}: {first}" if first else type(problem).__name__


def _data_location(table: Loaded) -> str:
    return table.properties.get(_DATA_PATH, f"{table.location().rstrip('/')}/data").rstrip("/")


def _columns(table: Loaded) -> pa.Schema:
    return plain_schema(schema_to_pyarrow(table.schema(), include_field_ids=False), _iceberg_type)


def _iceberg_type(type_: pa.DataType) -> pa.DataType:
    """The type that Iceberg has for a value: its smallest integer has 32 bits."""
    return pa.int32() if type_ in (pa.int8(), pa.int16()) else type_


def _check_partitions(table: Loaded, partition_by: tuple[str, ...], name: str) -> None:
    schema = table.schema()
    there = [
        (
            schema.find_column_name(field.source_id)
            if isinstance(field.transform, IdentityTransform)
            else str(field.transform)
        )
        for field in table.spec().fields
    ]
    if there != list(partition_by):
        raise TableError(partitions_differ(name, there, partition_by))


def _last_batch(table: Loaded, job: str) -> int | None:
    for snapshot in ancestors_of(table.current_snapshot(), table.metadata):
        said = snapshot.summary.additional_properties if snapshot.summary else {}
        if said.get(JOB) == job:
            return int(said[BATCH])
    return None


def _has_all_snapshots(table: Loaded) -> bool:
    """Whether no snapshot that led to the current one has expired: the first one of a table has the sequence number 1."""
    current = table.current_snapshot()
    oldest = current and list(ancestors_of(current, table.metadata))[-1]
    return oldest is None or oldest.sequence_number == 1


def _has_file(table: Loaded, path: str) -> bool:
    return any(task.file.file_path == path for task in table.scan().plan_files())
