"""What is measured, and who takes part: the names under which results are kept, and which reports show."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple


class Scaled(NamedTuple):
    """What is read several times in one query, and a question that reads as many rows once."""

    what: str
    once: tuple[str, str, str]


Size = Literal["small", "large", "events", "sessions", "telemetry", "changes"]
SIZES: Final[tuple[Size, ...]] = ("small", "large")
LOG_SIZES: Final[tuple[Size, ...]] = (*SIZES, "events", "sessions")
"""Of the messages in logs; the last two are of the benchmark's own specs."""
SECOND_SIZES: Final[tuple[Size, ...]] = ("telemetry", "changes")
"""Of a second data set, whose messages have other shapes."""
ALL_SIZES: Final = (*LOG_SIZES, *SECOND_SIZES)
CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")

DECODE: Final = "decode"
SCAN: Final = "scan of the bytes"
UNTOUCHED: Final = "mapInArrow, bytes untouched"
FROM_AVRO: Final = "from_avro FAILFAST"
FROM_AVRO_PERMISSIVE: Final = "from_avro PERMISSIVE"
FROM_AVRO_UNIONS: Final = "from_avro FAILFAST, all unions"
"""With the schema that Spark makes of columns which may be null: every field is a union with null."""
OURS: Final = "decode_messages FAILFAST"
OURS_DEFAULT_BATCHES: Final = "decode_messages FAILFAST, Spark's batches"
"""With Spark's defaults for the size of batches that it hands to Python: 10,000 rows, 64 MiB."""
OURS_PERMISSIVE: Final = "decode_messages PERMISSIVE"
OURS_ONE_FIELD: Final = "decode_messages, one field"
OURS_COLUMN: Final = "from_kafka_message FAILFAST"
KAFKA_PYTHON: Final = "kafka-python, dict, Arrow"

ENCODE: Final = "encode"
TYPED_SCAN: Final = "scan of the columns"
TO_AVRO: Final = "to_avro"
TO_KAFKA: Final = "to_kafka_message FAILFAST"
ENCODE_MESSAGES: Final = "encode_messages FAILFAST"
ENCODE_FUNCTION: Final = "encode function in the JVM, FAILFAST"

LOGS: Final = "logs"
ALL_COLUMNS: Final = "record reader, 16 columns"
FIVE_COLUMNS: Final = "record reader, 5 columns"
OFFSETS: Final = "record reader, offsets only"
AIOKAFKA: Final = "aiokafka, 5 columns"
AIOKAFKA_OBJECTS: Final = "aiokafka, objects only"
KAFKA_PYTHON_RECORDS: Final = "kafka-python, 5 columns"

KAFKA_LOG: Final = "kafka-log"
LOG_ALL: Final = "all columns"
LOG_SPARK: Final = "Spark's seven columns"
SPARK_COLUMNS: Final = "key,value,topic,partition,offset,timestamp,timestampType"

FUSED_PART: Final = "fused"
PYTHON_AVRO: Final = "log through Python, from_avro"
PYTHON_AVRO_PARQUET: Final = "log through Python, from_avro, Parquet"
LOG_AVRO: Final = "log, from_avro FAILFAST"
LOG_AVRO_FIELD: Final = "log, from_avro, one field"
LOG_AVRO_PARQUET: Final = "log, from_avro, Parquet"
LOG_DECODE: Final = "log, decode_messages FAILFAST"
LOG_FUNCTION: Final = "log, from_kafka_message FAILFAST"
FUSED: Final = "log with message="
FUSED_FIELD: Final = "log with message=, one field"
FUSED_COUNT: Final = "log with message=, count()"
FUSED_PARQUET: Final = "log with message=, Parquet"

FUNCTIONS: Final = "functions"
BROKER: Final = "broker"
FUNCTION: Final = "function in the JVM, FAILFAST"
FUNCTION_PERMISSIVE: Final = "function in the JVM, PERMISSIVE"
FUNCTION_FIELD: Final = "function in the JVM, one field"
SCAN_UNSET: Final = "scan of the bytes, Spark's defaults"
FROM_AVRO_UNSET: Final = "from_avro FAILFAST, Spark's defaults"
FUNCTION_UNSET: Final = "function in the JVM, FAILFAST, Spark's defaults"
"""Behind a broker, without the settings that the documents recommend."""

READ_TIMES: Final = 3
"""So many times queries about functions, topics and logs with messages read their data: one that reads a million small
rows once takes 0.1 to 0.5 s, much of it for planning and starting, whoever decodes them.
"""

SCALING: Final = "scaling"
ONE_CORE: Final = "one core"
TWO_CORES: Final = "two cores"
LOG_MESSAGE: Final = "kafka-log with message="
SCALED: Final = {
    "decode small rows": Scaled("small", (DECODE, "small", OURS)),
    "decode large rows": Scaled("large", (DECODE, "large", OURS)),
    "kafka-log lz4": Scaled(KAFKA_LOG, (KAFKA_LOG, "lz4", LOG_SPARK)),
    LOG_MESSAGE: Scaled(LOG_MESSAGE, (DECODE, "small", OURS)),
}
"""What is asked of one core and of two, by its name in results."""
SCALED_TIMES: Final = 6
"""So many times each query for the gain of a second core reads its data: what a query costs anyway, on one core, is
then a small part.

It is even, for Spark reads a file of small rows in one task: with three of them, two cores could not be more than 1.5
times as fast.
"""

READ_AGAIN: Final = ("small", "large", KAFKA_LOG, LOG_MESSAGE)
"""What is read once and many times for its memory."""
TIMES: Final = 20

REFERENCES: Final = {
    DECODE: FROM_AVRO,
    FUNCTIONS: FROM_AVRO,
    BROKER: FROM_AVRO,
    ENCODE: TO_AVRO,
    LOGS: AIOKAFKA,
    FUSED_PART: PYTHON_AVRO,
    SCALING: ONE_CORE,
}
"""Whom all others of a part are compared with."""
