"""The table of workloads: the compared queries, and the speeds that are the goals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.spark.bodies import Size
from benchmarks.spark.data import ALL_ROWS, MESSAGE, READ_TIMES, VALUE, Rows, catalog_of
from benchmarks.spark.python_log import PYTHON_LOG

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

DECODE: Final = "decode"
FUNCTIONS: Final = "functions"
ENCODE: Final = "encode"
LOGS_OF_MESSAGES: Final = "fused"
FROM_AVRO: Final = "from_avro FAILFAST"
FUNCTION: Final = "function in the JVM, FAILFAST"
DECODE_MESSAGES: Final = "decode_messages FAILFAST"
TO_AVRO: Final = "to_avro"
ENCODE_FUNCTION: Final = "encode function in the JVM, FAILFAST"
ENCODE_MESSAGES: Final = "encode_messages FAILFAST"
PYTHON_AVRO: Final = "log through Python, from_avro"
LOG_MESSAGE: Final = "log with message="
LOG_MESSAGE_FIELD: Final = "log with message=, one field"

# Do not use the name of `register`'s catalog, because decode_messages would then decode in the JVM.
_CATALOG: Final = "functions"
_SETTING: Final = f"spark.sql.catalog.{_CATALOG}"

Frame = Callable[["Inputs", Rows], "DataFrame"]


@dataclass(frozen=True, slots=True)
class Workload:
    """A Spark query, which is measured with rows of each size in ``sizes()``."""

    part: str
    contestant: str
    frame: Frame
    least: Mapping[Size, float]
    """The goals by size: rows per second as a multiple of the part's reference. Empty for the reference itself."""

    def sizes(self) -> tuple[Size, ...]:
        """Return the measured sizes. For a reference, these are the sizes of all workloads of its part."""
        same = (each.least for each in WORKLOADS if each.part == self.part)
        selected = set(self.least) or {size for least in same for size in least}
        return tuple(rows.size for rows in ALL_ROWS if rows.size in selected)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The Spark session, and the folder with the data."""

    spark: SparkSession
    folder: Path

    def file(self, rows: Rows, kind: str) -> DataFrame:
        """Return the rows of a Parquet file, ``READ_TIMES`` times."""
        return self.spark.read.parquet(*[str(rows.file(self.folder, kind))] * READ_TIMES)

    def log(self, rows: Rows, **options: Any) -> DataFrame:
        """Return the logs of the rows in Kafka's format."""
        return self.spark.read.format("kafka-log").options(**options).load(str(rows.log(self.folder, "kafka")))

    def add_functions(self) -> None:
        """Add the function catalog for the messages of the inputs."""
        self.spark.conf.set(_SETTING, "messagegen.spark.Functions")
        for table in catalog_of(self.folder):
            self.spark.conf.set(f"{_SETTING}.plan.{table.name}", table.plan)


def _from_avro(inputs: Inputs, rows: Rows) -> Column:
    from pyspark.sql.avro.functions import from_avro  # noqa: PLC0415 - reports need no Spark

    return from_avro(VALUE, rows.avro_schema(inputs.folder), {"mode": "FAILFAST"}).alias(MESSAGE)


def _call(rows: Rows, name: str, value: str, *options: str) -> Column:
    from pyspark.sql import functions as sql  # noqa: PLC0415 - as above

    path = ".".join(f"`{part}`" for part in (_CATALOG, "mode=FAILFAST", *options, name))
    return sql.call_function(path, value, sql.lit(rows.version))


def _avro_of_file(inputs: Inputs, rows: Rows) -> DataFrame:
    return inputs.file(rows, "avro").select(_from_avro(inputs, rows))


def _function(inputs: Inputs, rows: Rows) -> DataFrame:
    call = _call(rows, rows.message, VALUE, f"versions={rows.version}", "uuid=binary")
    return inputs.file(rows, "kafka").select(call.alias(MESSAGE))


def _decode_messages(inputs: Inputs, rows: Rows) -> DataFrame:
    from messagegen_spark import decode_messages  # noqa: PLC0415 - as above

    of_message: Any = {"catalog": catalog_of(inputs.folder), "uuid": "binary"}
    return decode_messages(inputs.file(rows, "kafka"), VALUE, rows.message, rows.version, "FAILFAST", **of_message)


def _to_avro(inputs: Inputs, rows: Rows) -> DataFrame:
    from pyspark.sql.avro.functions import to_avro  # noqa: PLC0415 - as above

    return inputs.file(rows, "typed").select(to_avro(MESSAGE, rows.avro_schema(inputs.folder)))


def _encode_function(inputs: Inputs, rows: Rows) -> DataFrame:
    return inputs.file(rows, "typed").select(_call(rows, f"encode_{rows.message}", MESSAGE))


def _encode_messages(inputs: Inputs, rows: Rows) -> DataFrame:
    from messagegen_spark import encode_messages  # noqa: PLC0415 - as above

    catalog = catalog_of(inputs.folder)
    return encode_messages(inputs.file(rows, "typed"), MESSAGE, rows.message, rows.version, catalog=catalog)


def _python_avro(inputs: Inputs, rows: Rows) -> DataFrame:
    log = inputs.spark.read.format(PYTHON_LOG).load(str(rows.log(inputs.folder, "avro")))
    return log.select(_from_avro(inputs, rows))


def _options(inputs: Inputs, rows: Rows) -> dict[str, str]:
    plan = catalog_of(inputs.folder).message(rows.message).plan
    return {"message": rows.message, "plan": plan, "version": str(rows.version), "uuid": "binary", "columns": MESSAGE}


def _log_message(inputs: Inputs, rows: Rows) -> DataFrame:
    return inputs.log(rows, **_options(inputs, rows))


def _log_message_field(inputs: Inputs, rows: Rows) -> DataFrame:
    from pyspark.sql import types  # noqa: PLC0415 - as above

    from messagegen_spark import spark_schema  # noqa: PLC0415 - as above

    # Pass a schema, because Spark does not pass requested fields inside nested arrays to sources.
    catalog = catalog_of(inputs.folder)
    one = spark_schema(rows.message, catalog=catalog, versions=rows.version, fields=[rows.field], uuid="binary")
    schema = types.StructType([types.StructField(MESSAGE, one)])
    reader = inputs.spark.read.format("kafka-log").options(**_options(inputs, rows)).schema(schema)
    return reader.load(str(rows.log(inputs.folder, "kafka")))


WORKLOADS: Final = (
    Workload(FUNCTIONS, FROM_AVRO, _avro_of_file, {}),
    Workload(FUNCTIONS, FUNCTION, _function, {"small": 2, "large": 2, "events": 2, "telemetry": 2, "orders": 2}),
    Workload(DECODE, FROM_AVRO, _avro_of_file, {}),
    Workload(DECODE, DECODE_MESSAGES, _decode_messages, {"small": 1, "large": 1}),
    Workload(ENCODE, TO_AVRO, _to_avro, {}),
    Workload(ENCODE, ENCODE_FUNCTION, _encode_function, {"small": 1, "large": 1}),
    Workload(ENCODE, ENCODE_MESSAGES, _encode_messages, {"small": 0.8, "large": 0.8}),
    Workload(LOGS_OF_MESSAGES, PYTHON_AVRO, _python_avro, {}),
    Workload(
        LOGS_OF_MESSAGES,
        LOG_MESSAGE,
        _log_message,
        {"small": 1.8, "large": 2.4, "events": 1.4, "telemetry": 1.7, "orders": 1.4},
    ),
    Workload(
        LOGS_OF_MESSAGES,
        LOG_MESSAGE_FIELD,
        _log_message_field,
        {"small": 3, "large": 6, "events": 2.5, "telemetry": 2.5, "orders": 2.5},
    ),
)
"""The workloads of all parts. The first contestant of a part is the reference that the others are compared with."""
PARTS: Final = tuple(dict.fromkeys(workload.part for workload in WORKLOADS))
REFERENCES: Final = {workload.part: workload.contestant for workload in WORKLOADS if not workload.least}


def promises() -> Iterator[tuple[Workload, Size, float]]:
    """Yield each workload with a size and its goal."""
    for workload in WORKLOADS:
        for size, least in workload.least.items():
            yield workload, size, least
