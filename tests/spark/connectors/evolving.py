"""Tables that get messages of a new version: which changes of a spec Delta and Iceberg accept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import lit

from messagegen.plan.text import plan_text
from messagegen_arrow.catalog import table_of_plan
from messagegen_spark import decode_messages
from tests.support.specs import field, plan_of

Fields = tuple[dict[str, object], ...]


def rows_of(*fields: dict[str, object]) -> dict[str, object]:
    return field("Rows", "[]Row", fields=fields)


COUNT: Final = field("Count", "int32")
ID: Final = field("Id", "int16")
NAME: Final = field("Name", "string")
CATALOGS: Final = {"delta": "default.", "iceberg": "lake.kafka."}
"""The prefix of the name of a table by format."""
PROPERTIES: Final = {
    "delta": {"delta.enableTypeWidening": "true"},
    "iceberg": {"write.spark.accept-any-schema": "true"},
}
"""The properties that let a table change its columns by format."""
OLD: Final[Fields] = (COUNT, rows_of(ID, NAME))
OLD_BYTES: Final = "00000007 00000001 0005 000161"

CHANGES: Final[Mapping[str, tuple[Fields, str]]] = {
    "added": (
        (
            COUNT,
            rows_of(ID, field("Name", "string", nullableVersions="1+"), field("Size", "int32", "1+")),
            field("Unit", "string", "1+"),
        ),
        "00000008 00000001 0006 ffff 00000009 00026b6d",
    ),
    "removed": ((rows_of(ID, NAME),), "00000001 0006 000162"),
    "renamed": ((field("Total", "int32"), rows_of(ID, NAME)), "00000008 00000001 0006 000162"),
    "wider": (
        (field("Count", "int64", encoding={"0": "fixed32", "1+": "fixed64"}), rows_of(ID, NAME)),
        "0000001000000000 00000001 0006 000162",
    ),
    "of another type": ((field("Count", "string"), rows_of(ID, NAME)), "000138 00000001 0006 000162"),
}
"""The fields of the new spec, and a message of version 1, by the change of a column."""


def decoded(spark: SparkSession, fields: Fields, version: int, hex_: str) -> DataFrame:
    """Return the columns of a message; the rows of version 0 have the columns of the old spec."""
    versions = "0" if version == 0 else "0-1"
    table = table_of_plan(plan_text(plan_of(*fields, validVersions=versions)))
    values = spark.createDataFrame([(bytes.fromhex(hex_),)], "value binary").coalesce(1)
    return decode_messages(values, "value", table, lit(version), "FAILFAST", into=None, keep=[])


def outcomes(spark: SparkSession, form: str) -> dict[str, Any]:
    """Return the outcome of each change in a table of the format ``form``; wider columns also without properties."""
    found = {change: _outcome(spark, form, change, PROPERTIES[form]) for change in CHANGES}
    return {**found, "wider without properties": _outcome(spark, form, "wider", {})}


def _outcome(spark: SparkSession, form: str, change: str, properties: Mapping[str, str]) -> Any:
    """Return the rows of a table after a change, or the part of the error that names the problem."""
    table = f"{CATALOGS[form]}changed"
    spark.sql(f"DROP TABLE IF EXISTS {table}")
    new_table = decoded(spark, OLD, 0, OLD_BYTES).writeTo(table).using(form)
    for name, value in properties.items():
        new_table = new_table.tableProperty(name, value)
    new_table.create()
    fields, hex_ = CHANGES[change]
    try:
        decoded(spark, fields, 1, hex_).writeTo(table).option("mergeSchema", "true").append()
    except Exception as problem:  # noqa: BLE001 - which one depends on the format of the table
        return re.findall("CAST_OVERFLOW|Cannot change column type|out of order", str(problem))[0]
    return [row.asDict(recursive=True) for row in spark.table(table).orderBy("rows").collect()]
