"""The data: Kafka messages as Parquet, the same as Avro and as typed columns, and log segments.

It is made by rule; nothing is stored.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.spark.bodies import BODIES
from benchmarks.spark.names import READ_TIMES, Size
from messagegen import load
from messagegen_arrow import Catalog, decode_arrow
from messagegen_arrow.columns.model import ColumnOptions

ROW_GROUPS: Final = 8
"""Parquet files are split at row groups, so that is how many tasks a file can have."""
AVRO: Final = {"avro": False, "avro-unions": True}
"""The Avro forms, and whether every field is a union with null; the form without is the quickest to read."""
VALUE: Final = "value"
MESSAGE: Final = "message"
FAILFAST_COLUMNS: Final[ColumnOptions] = {"uuid": "binary"}
_CATALOG: Final = "catalog.pickle"
_SPECS: Final = Path(__file__).with_name("specs")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one message: ``distinct`` different ones, of ``row_bytes`` on average, repeated up to ``count`` in all.

    ``few`` is how many rows those get who would take minutes for all; ``batch`` is how many at a time Spark hands to
    Python; ``field`` is the path that queries for one field ask for.
    """

    size: Size
    message: str
    version: int
    row_bytes: int
    distinct: int
    count: int
    few: int
    batch: int
    field: str

    def file(self, folder: Path, kind: str) -> Path:
        """The Parquet file of a kind: ``kafka``, ``few``, ``typed``, or one of ``AVRO``."""
        return folder / f"{self.size}-{kind}.parquet"

    def schema_file(self, folder: Path, kind: str) -> Path:
        """The Avro schema of the rows in one of ``AVRO``."""
        return folder / f"{self.size}-{kind}.avsc"


SMALL: Final = Rows(
    "small", "OffsetCommitRequest", 8, 99, 1000, 1_000_000, 60_000, 10_000, "topics.partitions.committedOffset"
)
LARGE: Final = Rows("large", "MetadataResponse", 12, 8609, 1000, 20_000, 600, 500, "topics.partitions.leaderId")
EVENTS: Final = Rows("events", "PageEvent", 0, 79, 1000, 1_000_000, 60_000, 10_000, "userId")
SESSIONS: Final = Rows("sessions", "UserSession", 0, 4459, 1000, 20_000, 600, 500, "pages.path")
TELEMETRY: Final = Rows("telemetry", "DeviceTelemetry", 1, 1277, 1000, 80_000, 1_000, 1_000, "channels.samples")
CHANGES: Final = Rows("changes", "RowChange", 0, 150, 1000, 500_000, 10_000, 5_000, "after.status")
ROWS: Final = (SMALL, LARGE)
LOG_ROWS: Final = (*ROWS, EVENTS, SESSIONS)
ALL_ROWS: Final = (*LOG_ROWS, TELEMETRY, CHANGES)
"""The last two are a second data set, of other shapes: the goals should not hold for the others alone."""


def write_inputs(specs: Path, folder: Path, scale: float) -> None:
    """Writes for each kind of rows what queries read; ``scale`` is the share of all rows (1.0 for a real run)."""
    package = load(str(specs), str(_SPECS), messages=[rows.message for rows in ALL_ROWS])
    catalog = Catalog.of_package(package)
    (folder / _CATALOG).write_bytes(pickle.dumps(catalog))
    for rows in ALL_ROWS:
        values = _values(rows, getattr(package, rows.message))
        count = max(rows.distinct, int(rows.count * scale))
        is_encoded = rows in ROWS
        typed = _typed(rows, values, catalog)
        _write(rows.file(folder, "kafka"), _repeated(values, count), VALUE)
        # Of the others, the distinct rows are all that is needed to make the Avro form.
        _write(rows.file(folder, "typed"), _repeated(typed, count if is_encoded else rows.distinct), MESSAGE)
        if is_encoded:
            _write(rows.file(folder, "few"), _repeated(values, min(count, rows.few)), VALUE)
        for kind, unions in AVRO.items():
            schema = _avro_value(typed, rows.message, unions=unions)
            rows.schema_file(folder, kind).write_text(json.dumps(schema), encoding="utf-8")


def catalog_of(folder: Path) -> Catalog:
    """The catalogue that ``write_inputs`` left."""
    found: Catalog = pickle.loads((folder / _CATALOG).read_bytes())  # noqa: S301 - this run wrote it
    return found


def write_avro(rows: Rows, folder: Path, kind: str, encoded: pa.Array) -> None:
    """Writes an Avro form of the distinct rows, which only Spark can make, as often as there are Kafka messages."""
    _write(rows.file(folder, kind), _repeated(encoded, row_count(rows.file(folder, "kafka"))), VALUE)


def row_count(file: Path) -> int:
    """How many rows a Parquet file has."""
    return int(pq.read_metadata(file).num_rows)


def rows_read(folder: Path, rows: Rows) -> int:
    """How many rows a query reads that has the rows ``READ_TIMES`` times."""
    return READ_TIMES * row_count(rows.file(folder, "kafka"))


def avro_type(array: pa.Array, name: str, *, unions: bool) -> Any:
    """The Avro schema of these values: a union with null for all of them, or only where there is a null."""
    declared = _avro_value(array, name, unions=unions)
    return ["null", declared] if unions or array.null_count else declared


_AVRO_NUMBERS: Final = {
    pa.bool_(): "boolean",
    pa.int8(): "int",
    pa.int16(): "int",
    pa.int32(): "int",
    pa.int64(): "long",
    pa.float64(): "double",
    pa.string(): "string",
    pa.binary(): "bytes",
}


def _avro_value(array: pa.Array, name: str, *, unions: bool) -> Any:
    if pa.types.is_list(array.type):
        return {"type": "array", "items": avro_type(array.flatten(), f"{name}_item", unions=unions)}
    if not pa.types.is_struct(array.type):
        return _AVRO_NUMBERS[array.type]
    # A field is not null because its struct is.
    inner_arrays = array.drop_null().flatten()
    fields = [
        {"name": field.name, "type": avro_type(inner, f"{name}_{field.name}", unions=unions)}
        for field, inner in zip(array.type, inner_arrays, strict=True)
    ]
    return {"type": "record", "name": name, "fields": fields}


def _typed(rows: Rows, values: pa.Array, catalog: Catalog) -> pa.StructArray:
    """The same rows as columns, as ``from_kafka_message`` gives them under FAILFAST."""
    decoded = decode_arrow(values, rows.message, rows.version, catalog=catalog, **FAILFAST_COLUMNS)
    *fields, errors = decoded.flatten()
    if errors.null_count != len(errors):
        raise ValueError(f"{rows.message} {rows.version}: the benchmark's own rows can't be read")
    typed = pa.StructArray.from_arrays(fields, fields=list(decoded.type)[:-1])
    return typed.cast(_nullable(typed.type))


def _nullable(type_: pa.DataType) -> pa.DataType:
    """The type, where every field may be null: Parquet's writer wants it of fields whose struct is null."""
    if pa.types.is_list(type_):
        return pa.list_(_nullable(type_.value_type))
    if not pa.types.is_struct(type_):
        return type_
    return pa.struct([pa.field(field.name, _nullable(field.type)) for field in type_])


def _values(rows: Rows, cls: Any) -> pa.Array:
    """The distinct messages; raises ``ValueError`` where they have not the size that they must have."""
    bodies = BODIES[rows.size]
    data = [cls.from_json(body, version=rows.version).encode(version=rows.version) for body in bodies(rows.distinct)]
    average = sum(map(len, data)) // len(data)
    if average != rows.row_bytes:
        raise ValueError(f"{rows.size} rows have {average} bytes on average, not {rows.row_bytes}")
    return pa.array(data, pa.binary())


def _repeated(values: pa.Array, count: int) -> Iterator[pa.Array]:
    """The values again and again, ``count`` in all, as one array for each row group."""
    group = -(-count // ROW_GROUPS)
    while count:
        size = min(group, count)
        turns = -(-size // len(values))
        yield pa.concat_arrays([values] * turns)[:size]
        count -= size


def _write(file: Path, groups: Iterator[pa.Array], name: str) -> None:
    """One column without compression or dictionary, so that reading costs as little as it can and nothing is folded."""
    first = next(groups)
    schema = pa.schema([pa.field(name, first.type)])
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        for group in (first, *groups):
            writer.write_table(pa.table([group], schema), row_group_size=len(group))
