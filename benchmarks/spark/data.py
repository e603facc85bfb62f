"""Writes messages in Kafka's and in Avro's format, as Parquet files and logs, and decoded messages as Parquet files.

The data are computed in each run, so the repository does not contain them.
"""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.spark.bodies import BODIES, Size
from messagegen import load
from messagegen_arrow import Catalog, decode_arrow
from tests.arrow.support.log_data import Batch, Data

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VALUE: Final = "value"
MESSAGE: Final = "message"
READ_TIMES: Final = 3
"""The number of times that each query reads its data. It is high enough that planning and starting hardly matter."""
_ROW_GROUPS: Final = 8
"""The number of row groups of a file. Spark splits files at row groups, so it is also the highest number of tasks."""
_DISTINCT: Final = 1000
"""The number of different rows that ``row_bytes`` is the average of."""
_CATALOG: Final = "catalog.pickle"
_SPECS: Final = Path(__file__).with_name("specs")
_BATCH_BYTES: Final = 16_384
"""The bytes that a producer collects by default before it sends (``batch.size``)."""
_INDEX_BYTES: Final = 4096
"""The bytes after which a broker adds an entry to the index (``log.index.interval.bytes``)."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one message: ``distinct`` different rows, repeated up to ``count`` rows.

    ``row_bytes`` is the average size of the first thousand. ``batch`` is the number of rows that Spark passes to Python
    at a time; ``field`` is the path of the field in queries for one field.
    """

    size: Size
    message: str
    version: int
    row_bytes: int
    count: int
    batch: int
    field: str
    distinct: int = _DISTINCT
    fewest: int = _DISTINCT
    """The fewest different rows, also in a run with few rows."""

    def file(self, folder: Path, kind: str) -> Path:
        """Return the Parquet file of a kind: ``kafka``, ``avro`` or ``typed``."""
        return folder / f"{self.size}-{kind}.parquet"

    def log(self, folder: Path, kind: str) -> Path:
        """Return the folder of the logs of a kind: ``kafka`` or ``avro``."""
        return folder / "message-logs" / f"{self.size}-{kind}"

    def avro_schema(self, folder: Path) -> str:
        """Return the Avro schema of the rows."""
        return folder.joinpath(f"{self.size}.avsc").read_text(encoding="utf-8")

    def rows_read(self, folder: Path) -> int:
        """Return the number of rows that a query reads."""
        return READ_TIMES * int(pq.read_metadata(self.file(folder, "kafka")).num_rows)


ALL_ROWS: Final = (
    Rows("small", "OffsetCommitRequest", 8, 99, 1_000_000, 10_000, "topics.partitions.committedOffset"),
    Rows("large", "MetadataResponse", 12, 8609, 20_000, 500, "topics.partitions.leaderId", fewest=100),
    Rows("events", "PageEvent", 0, 79, 1_000_000, 10_000, "userId"),
    Rows("telemetry", "DeviceTelemetry", 1, 1277, 80_000, 1_000, "channels.samples"),
    Rows("orders", "ShopOrder", 0, 727, 120_000, 1_000, "lines.choices.value", distinct=60_000),
)


def write_inputs(specs: Path, folder: Path, scale: float) -> None:
    """Write the inputs that need no Spark; ``scale`` is the share of rows to write (1.0 for a real run)."""
    package = load(str(specs), str(_SPECS), messages=[rows.message for rows in ALL_ROWS])
    catalog = Catalog.of_package(package)
    (folder / _CATALOG).write_bytes(pickle.dumps(catalog))
    for rows in ALL_ROWS:
        values = _values(rows, getattr(package, rows.message), max(rows.fewest, int(rows.distinct * scale)))
        typed = _typed(rows, values, catalog)
        schema = avro_record(typed, rows.message)
        (folder / f"{rows.size}.avsc").write_text(json.dumps(schema), encoding="utf-8")
        count = max(len(values), int(rows.count * scale))
        _write(rows.file(folder, "typed"), _repeated(typed, count), MESSAGE)
        _write_form(rows, folder, "kafka", values, count)


def write_avro_form(spark: SparkSession, rows: Rows, folder: Path) -> None:
    """Write the rows and their log in Avro's format, which only Spark can encode."""
    from pyspark.sql.avro.functions import to_avro  # noqa: PLC0415 - writing the other inputs needs no Spark

    distinct = spark.read.parquet(str(rows.file(folder, "typed"))).limit(rows.distinct)
    encoded = [row[0] for row in distinct.select(to_avro(MESSAGE, rows.avro_schema(folder))).collect()]
    count = rows.rows_read(folder) // READ_TIMES
    _write_form(rows, folder, "avro", pa.array(encoded, pa.binary()), count)


def catalog_of(folder: Path) -> Catalog:
    """Return the catalog that ``write_inputs`` wrote."""
    found: Catalog = pickle.loads((folder / _CATALOG).read_bytes())  # noqa: S301 - this run wrote it
    return found


_AVRO_TYPES: Final = {
    pa.bool_(): "boolean",
    pa.int8(): "int",
    pa.int16(): "int",
    pa.int32(): "int",
    pa.int64(): "long",
    pa.float64(): "double",
    pa.string(): "string",
    pa.binary(): "bytes",
}


def avro_record(array: pa.StructArray, name: str) -> dict[str, Any]:
    """Return the Avro schema of structs. Only fields with nulls are unions with null, which are read more slowly."""
    # Drop null structs, because ``flatten`` would add a null to each of their fields.
    columns = zip(array.type, array.drop_null().flatten(), strict=True)
    fields = [{"name": field.name, "type": _avro_type(inner, f"{name}_{field.name}")} for field, inner in columns]
    return {"type": "record", "name": name, "fields": fields}


def _avro_type(array: pa.Array, name: str) -> Any:
    declared: Any
    if pa.types.is_list(array.type):
        declared = {"type": "array", "items": _avro_type(array.flatten(), f"{name}_item")}
    elif pa.types.is_struct(array.type):
        declared = avro_record(array, name)
    else:
        declared = _AVRO_TYPES[array.type]
    return ["null", declared] if array.null_count else declared


def _values(rows: Rows, cls: Any, distinct: int) -> pa.Array:
    """Return different messages. Raises ``ValueError`` if the first ones differ from ``row_bytes`` on average."""
    bodies = BODIES[rows.size](distinct)
    data = [cls.from_json(body, version=rows.version).encode(version=rows.version) for body in bodies]
    first = data[:_DISTINCT]
    average = sum(map(len, first)) // len(first)
    if average != rows.row_bytes:
        raise ValueError(f"{rows.size} rows have {average} bytes on average, not {rows.row_bytes}")
    return pa.array(data, pa.binary())


def _typed(rows: Rows, values: pa.Array, catalog: Catalog) -> pa.StructArray:
    """Return the rows as a column of structs."""
    decoded = decode_arrow(values, rows.message, rows.version, catalog=catalog, uuid="binary")
    *fields, errors = decoded.flatten()
    if errors.null_count != len(errors):
        raise ValueError(f"{rows.message} {rows.version}: the benchmark's own rows can't be read")
    typed = pa.StructArray.from_arrays(fields, fields=list(decoded.type)[:-1])
    return typed.cast(_nullable(typed.type))


def _nullable(type_: pa.DataType) -> pa.DataType:
    """Return a type with all fields nullable. The Parquet writer requires this for structs that are null."""
    if pa.types.is_list(type_):
        return pa.list_(_nullable(type_.value_type))
    if not pa.types.is_struct(type_):
        return type_
    return pa.struct([pa.field(field.name, _nullable(field.type)) for field in type_])


def _write_form(rows: Rows, folder: Path, kind: str, values: pa.Array, count: int) -> None:
    """Write the values as a Parquet file and as logs."""
    _write(rows.file(folder, kind), _repeated(values, count), VALUE)
    first, *others = (rows.log(folder, kind) / f"copy-{number}" for number in range(READ_TIMES))
    write_log(first, [Data(value=value, key=b"user-%08d" % at) for at, value in enumerate(values.to_pylist())], count)
    for other in others:
        other.mkdir()
        for file in first.iterdir():
            (other / file.name).hardlink_to(file)


def _repeated(values: pa.Array, count: int) -> Iterator[pa.Array]:
    """Yield the values, repeated until there are ``count``, as one array for each row group."""
    group = -(-count // _ROW_GROUPS)
    while count:
        size = min(group, count)
        turns = -(-size // len(values))
        yield pa.concat_arrays([values] * turns)[:size]
        count -= size


def _write(file: Path, groups: Iterator[pa.Array], name: str) -> None:
    """Write one column without compression or dictionary, so that reading is cheap and values are not deduplicated."""
    first = next(groups)
    schema = pa.schema([pa.field(name, first.type)])
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        for group in (first, *groups):
            writer.write_table(pa.table([group], schema), row_group_size=len(group))


def write_log(partition: Path, records: Sequence[Data], count: int) -> None:
    """Write one uncompressed segment with its index. The records are repeated until there are at least ``count``."""
    partition.mkdir(parents=True)
    batches = [(Batch(0, some).encode(), len(some)) for some in _batches(records)]
    entries: list[bytes] = []
    position = last_entry = offset = turn = 0
    with (partition / f"{0:020}.log").open("wb") as segment:
        while offset < count:
            data, size = batches[turn % len(batches)]
            if position - last_entry >= _INDEX_BYTES:
                entries.append(struct.pack(">ii", offset, position))
                last_entry = position
            # The checksum does not cover the base offset.
            segment.write(offset.to_bytes(8, "big") + data[8:])
            position, offset, turn = position + len(data), offset + size, turn + 1
    (partition / f"{0:020}.index").write_bytes(b"".join(entries))


def _batches(records: Sequence[Data]) -> Iterator[list[Data]]:
    some: list[Data] = []
    size = 0
    for record in records:
        some.append(record)
        size += len(record.key or b"") + len(record.value or b"")
        if size >= _BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some
