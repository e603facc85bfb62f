"""The Arrow type of each of Kafka's primitive types: the only table of column types.

Spark's types are derived from these types (``messagegen_spark/schemas.py``). The engine has the same types, in
``native/core/src/arrow``. An Arrow type that is new in this table also needs a row in the tables of Spark's source,
``native/jni/src/spark_types.rs`` and ``pipeline/java/messagegen/spark/ArrowTypes.java``.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

# A type with arguments is written with them: an unsigned 64-bit integer would be pa.decimal128(20, 0). Unsigned
# integers have the next wider signed type, because Spark only has signed types.
ARROW_TYPES: Final[dict[str, pa.DataType]] = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "uint16": pa.int32(),
    "int32": pa.int32(),
    "uint32": pa.int64(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "uuid": pa.string(),
    "string": pa.string(),
    "bytes": pa.binary(),
    "records": pa.binary(),
}

UUID_AS_BINARY: Final = pa.binary()
"""The type of a uuid with the option ``uuid="binary"``."""
UNKNOWN_TAGGED_FIELDS_TYPE: Final = pa.map_(pa.int32(), pa.field("value", pa.binary(), nullable=False))
"""The type of unknown tagged fields: a map from tags to bytes."""
