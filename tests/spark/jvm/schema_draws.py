"""Random schemas of ``kafka-log`` and random queries, held against the whole table: ``python -m
tests.spark.jvm.schema_draws --draws 2000``.

Each draw reads a subset of the columns and of their nested fields, in any order, once as rows and once as columns. The
number of a draw and the seed repeat it: ``--seed 7 --first 123 --draws 1``.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random, randrange
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import types as sql

from messagegen_arrow.catalog import message_table
from messagegen_spark import register
from tests.arrow.support.log_data import Batch, Data, marker, write_segment
from tests.arrow.support.messages import random_bytes, tables
from tests.spark.support.sessions import classic_session, connect_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_arrow import MessageTable

ROWS: Final = "rows"
COLUMNS: Final = "columns"
DOORS: Final = (ROWS, COLUMNS)
"""The two forms in which Spark reads: rows if it requests the message, columns otherwise."""

_CLEAN: Final = "clean"
_DAMAGED: Final = "damaged"
_MODES: Final = ((_CLEAN, "FAILFAST"), (_DAMAGED, "PERMISSIVE"), (_DAMAGED, "DROPMALFORMED"))
_BATCH_SIZES: Final = ("1", "7", "32768")
_HEADERS: Final = ((), ((b"h", b"x"),), ((b"i", None), (b"h", b"")), ((b"\xff", b"y"),) * 3)
_VALUES: Final = 9
_SELECTED: Final = 4
_STREAM_SHARE: Final = 0.04
"""The fraction of draws that are streams, which take seconds, while a query takes tenths of a second."""

Row = dict[str, Any]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """Logs of one message, and the options that read them."""

    name: str
    table: MessageTable | None
    version: int | None
    """The version of all values; ``None`` if each value begins with its version."""
    options: dict[str, str] = field(default_factory=dict)

    def all_options(self) -> dict[str, str]:
        """Return the options, including the message's."""
        if self.table is None:
            return self.options
        options = {"message": self.table.name, "plan": self.table.plan, "includeSecrets": "true", **self.options}
        return options if self.version is None else options | {"version": str(self.version)}

    def values(self, random: Random, count: int) -> list[bytes]:
        """Return random messages."""
        if self.table is None:
            return [random.randbytes(5) for _ in range(count)]
        if self.version is not None:
            return [random_bytes(random, self.table, self.version) for _ in range(count)]
        versions = [random.choice(self.table.versions) for _ in range(count)]
        return [version.to_bytes(2) + random_bytes(random, self.table, version) for version in versions]


def sources() -> list[Source]:
    """Return sources with nested arrays, maps and structs, with messages without arrays, and with bytes."""
    made = {table.name: table for table in tables()}
    unknown = {"unknownTaggedFields": "true"}
    return [
        Source("bytes", None, None, {"includeControl": "true"}),
        Source("commits", message_table("OffsetCommitValue"), None, {"names": "snake", "uuid": "binary"}),
        Source("update", message_table("RemoteLogSegmentMetadataUpdateRecord"), 0, {"includeControl": "true"}),
        Source("response", message_table("EncodedMetadataResponse"), 0),
        Source("structs", made["CommonStructs"], 4, unknown),
        Source("tagged", made["Tagged"], 2, unknown | {"uuid": "binary"}),
        Source("nullable", made["NullableResponse"], None, {"names": "snake"}),
        Source("types", made["EveryTypeRequest"], 4, unknown),
    ]


def write_logs(folder: Path, source: Source, random: Random) -> None:
    """Write logs without damage, and logs with damaged batches and values that are not messages."""
    for kind in (_CLEAN, _DAMAGED):
        for partition in range(2):
            first, second = source.values(random, _VALUES), source.values(random, _VALUES)
            batches = [_batch(0, first, random), _batch(100, [*second, None], random), marker(200, 1, commit=True)]
            if kind == _DAMAGED:
                batches.insert(1, _broken(_batch(50, first, random)))
                batches.insert(3, _batch(150, [b"", first[0][:-1], None, second[0]], random))
            write_segment(folder / source.name / kind / f"orders-{partition}", 0, batches)


def _batch(base: int, values: Sequence[bytes | None], random: Random) -> bytes:
    records = [
        Data(value, random.choice((b"key", None)), random.choice(_HEADERS), timestamp_delta=number)
        for number, value in enumerate(values)
    ]
    return Batch(base, records, producer_id=random.choice((-1, 7)), base_sequence=3).encode()


def _broken(batch: bytes) -> bytes:
    return batch[:-1] + bytes([batch[-1] ^ 1])


def door_of(paths: Iterable[FieldPath]) -> str:
    """Return ``ROWS`` if one of these paths is within a message, and otherwise ``COLUMNS``."""
    return ROWS if any(path.names[0] == "message" for path in paths) else COLUMNS


def drawn_schema(random: Random, whole: sql.StructType, *, may_be_empty: bool = False) -> sql.StructType:
    """Return some fields of a struct in any order, and some of the fields inside them."""
    fields = list(whole)
    count = random.randint(0 if may_be_empty else min(1, len(fields)), min(len(fields), random.choice((1, 3, 20))))
    chosen = random.sample(fields, count)
    return sql.StructType([sql.StructField(each.name, _drawn_type(random, each.dataType)) for each in chosen])


def _drawn_type(random: Random, whole: sql.DataType) -> sql.DataType:
    if random.random() < 0.2:
        return whole
    if isinstance(whole, sql.StructType):
        return drawn_schema(random, whole, may_be_empty=random.random() < 0.1)
    if isinstance(whole, sql.ArrayType):
        return sql.ArrayType(_drawn_type(random, whole.elementType))
    return whole


def _innermost(data_type: sql.DataType, outer: str = "") -> Iterator[str | None]:
    """Yield the paths of the innermost fields; ``None`` for a struct without fields."""
    if isinstance(data_type, sql.ArrayType):
        yield from _innermost(data_type.elementType, outer)
    elif not isinstance(data_type, sql.StructType):
        yield outer
    elif not len(data_type):
        yield None
    else:
        for each in data_type:
            yield from _innermost(each.dataType, f"{outer}.{each.name}" if outer else each.name)


def narrowed(value: Any, schema: sql.DataType) -> Any:
    """Return the part of a value that a schema selects."""
    if isinstance(value, dict) and isinstance(schema, sql.StructType):
        return {each.name: narrowed(value[each.name], each.dataType) for each in schema}
    if isinstance(value, list) and isinstance(schema, sql.ArrayType):
        return [narrowed(each, schema.elementType) for each in value]
    return value


@dataclass(frozen=True)
class FieldPath:
    """A column, or a field inside a column. The value of a field of structs in an array is an array."""

    names: Names
    data_type: sql.DataType

    def __str__(self) -> str:
        return ".".join(f"`{name}`" for name in self.names)

    def of(self, value: Any, depth: int = 0) -> Any:
        """Return the value of this path in a row."""
        if depth == len(self.names) or value is None:
            return value
        if isinstance(value, list):
            return [self.of(each, depth) for each in value]
        return self.of(value[self.names[depth]], depth + 1)


def drawn_path(random: Random, schema: sql.StructType) -> FieldPath:
    """Return a column, or a field at any depth. SQL can name a field only if at most one array contains it."""
    names: Names = ()
    current: sql.DataType = schema
    is_in_array = False
    while True:
        inner = current
        if isinstance(current, sql.ArrayType) and not is_in_array:
            inner = current.elementType
        if not isinstance(inner, sql.StructType) or not len(inner) or (names and random.random() < 0.25):
            break
        is_in_array = is_in_array or isinstance(current, sql.ArrayType)
        chosen = random.choice(list(inner))
        names, current = (*names, chosen.name), chosen.dataType
    return FieldPath(names, sql.ArrayType(current) if is_in_array else current)


class Draws:
    """Draws of the sources, with the whole table of each."""

    def __init__(self, folder: Path, sessions: Sequence[SparkSession], seed: int) -> None:
        self._folder = folder
        self._sessions = sessions
        self._seed = seed
        self._sources = sources()
        self._schemas: dict[str, sql.StructType] = {}
        self._wholes: dict[tuple[str, str], list[Row]] = {}
        self.counts: Counter[str] = Counter()
        for number, source in enumerate(self._sources):
            write_logs(folder, source, Random(seed + number))

    def run(self, numbers: Iterable[int]) -> None:
        """Run draws by their numbers, each once as rows and once as columns.

        Raise ``AssertionError`` for a draw that differs from the whole table.
        """
        for number in numbers:
            for door in DOORS:
                random = Random(f"{self._seed} {number} {door}")
                try:
                    self._run_one(random, door)
                except Exception as problem:
                    raise AssertionError(f"draw {number} of seed {self._seed}, {door}: {problem}") from problem

    def _run_one(self, random: Random, door: str) -> None:
        session = random.choice(self._sessions)
        is_stream = random.random() < _STREAM_SHARE
        ways = [self._by_schema, self._by_columns, self._by_paths, self._by_filter, self._by_count, self._by_explode]
        if is_stream:
            ways = [self._by_schema, self._by_columns, self._by_paths, self._by_filter]
        way = random.choice(ways)
        while True:
            source = random.choice(self._sources)
            kind, mode = random.choice(_MODES)
            options = source.all_options() | {"mode": mode, "maxRecordsPerBatch": random.choice(_BATCH_SIZES)}
            reader = Reader(session, str(self._folder / source.name / kind), options, is_stream=is_stream)
            if way(random, door, reader, source, mode):
                break
        self.counts[door] += 1
        self.counts[way.__name__.removeprefix("_by_")] += 1
        self.counts["stream" if is_stream else "batch"] += 1
        self.counts["classic" if session is self._sessions[0] else "connect"] += 1

    def whole(self, source: Source, mode: str) -> list[Row]:
        """Return all rows with all columns, in the order of partitions and offsets."""
        found = self._wholes.get((source.name, mode))
        if found is None:
            (kind,) = (kind for kind, known in _MODES if known == mode)
            path = str(self._folder / source.name / kind)
            frame = Reader(self._sessions[0], path, source.all_options() | {"mode": mode}).load()
            self._schemas[source.name] = frame.schema
            found = self._wholes[source.name, mode] = frame.toArrow().to_pylist()
        return found

    def schema(self, source: Source, mode: str) -> sql.StructType:
        """Return all columns."""
        self.whole(source, mode)
        return self._schemas[source.name]

    def _paths(self, random: Random, door: str, source: Source, mode: str) -> list[FieldPath]:
        """Return drawn paths that Spark reads in the form ``door``; empty if Spark reads them in the other form."""
        schema = self.schema(source, mode)
        paths = [drawn_path(random, schema) for _ in range(random.randint(1, _SELECTED))]
        return paths if door_of(paths) == door else []

    def _by_schema(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        schema = drawn_schema(random, self.schema(source, mode))
        if door_of(FieldPath((each.name,), each.dataType) for each in schema) != door:
            return False
        found = reader.load(schema)
        assert [each.name for each in found.schema] == [each.name for each in schema]
        reader.check(found, [narrowed(row, schema) for row in self.whole(source, mode)], schema.simpleString())
        return True

    def _by_columns(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        schema = drawn_schema(random, self.schema(source, mode))
        paths = list(_innermost(schema))
        if door_of(FieldPath((each.name,), each.dataType) for each in schema) != door or None in paths:
            return False
        options = reader.options | {"columns": ",".join(map(str, paths))}
        found = replace(reader, options=options).load()
        assert found.schema.simpleString() == schema.simpleString()
        reader.check(found, [narrowed(row, schema) for row in self.whole(source, mode)], options["columns"])
        return True

    def _by_paths(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        paths = self._paths(random, door, source, mode)
        if paths:
            query = [f"{path} AS c{number}" for number, path in enumerate(paths)]
            found = reader.load().selectExpr(*query)
            reader.check(found, [_selected(row, paths) for row in self.whole(source, mode)], query)
        return bool(paths)

    def _by_filter(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        paths = self._paths(random, door, source, mode)
        if paths:
            by, is_null = random.choice(paths), random.random() < 0.5
            condition = f"{by} IS NULL" if is_null else f"{by} IS NOT NULL"
            query = [f"{path} AS c{number}" for number, path in enumerate(paths)]
            found = reader.load().where(condition).selectExpr(*query)
            rows = [row for row in self.whole(source, mode) if (by.of(row) is None) == is_null]
            reader.check(found, [_selected(row, paths) for row in rows], [condition, *query])
        return bool(paths)

    def _by_count(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        """Count the values of some fields, and group rows by the first one if it is plain.

        Return whether fields were drawn.
        """
        paths = self._paths(random, door, source, mode)
        if paths:
            rows = self.whole(source, mode)
            query = [f"count({path}) AS c{number}" for number, path in enumerate(paths)]
            counts = {f"c{number}": sum(path.of(row) is not None for row in rows) for number, path in enumerate(paths)}
            reader.check(reader.load().selectExpr(*query), [counts], query)
            by = paths[0]
            if isinstance(by.data_type, sql.StringType | sql.IntegralType | sql.BinaryType | sql.BooleanType):
                found = reader.load().selectExpr(f"{by} AS value").groupBy("value").count()
                groups = Counter(by.of(row) for row in rows)
                expected = [{"value": value, "count": count} for value, count in groups.items()]
                reader.check(found, expected, f"values of {by}", has_order=False)
        return bool(paths)

    def _by_explode(self, random: Random, door: str, reader: Reader, source: Source, mode: str) -> bool:
        path = drawn_path(random, self.schema(source, mode))
        if door_of([path]) != door or not isinstance(path.data_type, sql.ArrayType):
            return False
        found = reader.load().selectExpr(f"explode({path}) AS one")
        elements = [each for row in self.whole(source, mode) for each in path.of(row) or ()]
        expected = [{"one": each} for each in elements]
        if isinstance(path.data_type.elementType, sql.StructType):
            inner = drawn_path(random, sql.StructType([sql.StructField("one", path.data_type.elementType)]))
            found = found.selectExpr(f"{inner} AS c0")
            expected = [_selected(row, [inner]) for row in expected]
        reader.check(found, expected, f"elements of {path}")
        return True


def _selected(row: Row, paths: Sequence[FieldPath]) -> Row:
    return {f"c{number}": path.of(row) for number, path in enumerate(paths)}


@dataclass
class Reader:
    """Reads logs in a batch or as a stream, and compares the rows."""

    session: SparkSession
    path: str
    options: dict[str, str]
    is_stream: bool = False

    def load(self, schema: sql.StructType | None = None) -> Any:
        """Return the DataFrame."""
        reader: Any = self.session.readStream if self.is_stream else self.session.read
        reader = reader.format("kafka-log").options(**self.options)
        return (reader if schema is None else reader.schema(schema)).load(self.path)

    def check(self, frame: Any, expected: list[Row], query: object, *, has_order: bool = True) -> None:
        """Raise ``AssertionError`` unless the rows equal the expected rows. Here, NaN equals itself."""
        found = [repr(row) for row in self._rows(frame)]
        wanted = [repr(row) for row in expected]
        if self.is_stream or not has_order:
            found, wanted = sorted(found), sorted(wanted)
        differing = [pair for pair in zip(found, wanted, strict=False) if pair[0] != pair[1]]
        assert found == wanted, f"{query} of {self.path}: {len(found)} rows, not {len(wanted)}; {differing[:1]}"

    def _rows(self, frame: Any) -> list[Row]:
        if not self.is_stream:
            rows: list[Row] = frame.toArrow().to_pylist()
            return rows
        name = f"stream_{time.monotonic_ns()}"
        with tempfile.TemporaryDirectory() as checkpoint:
            writer = frame.writeStream.format("memory").queryName(name).trigger(availableNow=True)
            query = writer.option("checkpointLocation", checkpoint).start()
            query.awaitTermination()
            if query.exception():
                raise AssertionError(query.exception())
        rows = self.session.table(name).toArrow().to_pylist()
        self.session.sql(f"DROP VIEW {name}")
        return rows


def main() -> None:
    """Run from the command line, in one session of Spark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, help="stop after this time, however many draws were made")
    parser.add_argument("--seed", type=int, default=randrange(1 << 32))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        classic = classic_session(Path(name))
        register(classic)
        with connect_session(classic) as connect:
            register(connect)
            draws = Draws(Path(name) / "logs", [classic, connect], arguments.seed)
            sys.stdout.write(f"seed {arguments.seed}\n")
            end = time.monotonic() + (arguments.seconds or math.inf)
            for number in range(arguments.first, arguments.first + arguments.draws):
                if time.monotonic() > end:
                    break
                draws.run([number])
                if number % 100 == 99:
                    sys.stdout.write(f"{number + 1}: {dict(draws.counts)}\n")
                    sys.stdout.flush()
            sys.stdout.write(f"done: {dict(draws.counts)}\n")
        classic.stop()


if __name__ == "__main__":
    main()
