"""Folders by columns, such as ``topic=orders``: what Spark would not read back as it was written is put right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import types as spark

SCHEMA_KEY: Final = "org.apache.spark.sql.parquet.row.metadata"
"""Where Parquet files say their schema in Spark, with comments of columns."""

_NUMBERS_IN_LETTERS: Final = ("NaN", "Infinity")
"""What Java reads as a number though it begins with a letter."""


def keep_readable(folder: Path, df: DataFrame, partition_by: Sequence[str]) -> None:
    """Makes ``spark.read.parquet`` give the columns ``partition_by`` of a folder as the DataFrame written there has them.

    Spark guesses the types of these columns from the names of folders: the text ``007`` would come back as the number 7. And it
    writes no file at all where there are no rows, so nothing would say which columns there are.
    """
    if not partition_by:
        return
    if not any(folder.rglob("*.parquet")):
        _write_no_rows(folder, df, partition_by)
    types = {field.name: field.dataType for field in df.schema.fields}
    _rename(folder, [isinstance(types[name], spark.StringType) for name in partition_by])


def as_hadoop_path(path: Path) -> str:
    """A local path for Spark, whatever the default file system is; Hadoop takes paths as they are, without escapes."""
    return f"file://{path}"


def _write_no_rows(folder: Path, df: DataFrame, partition_by: Sequence[str]) -> None:
    """A file without rows, in folders whose names give the columns the types that they have."""
    fields = {field.name: field for field in df.schema.fields}
    names = [f"{name}={sample(fields[name].dataType)}" for name in partition_by]
    schema = spark.StructType([field for name, field in fields.items() if name not in partition_by])
    df.sparkSession.createDataFrame([], schema).write.parquet(as_hadoop_path(folder.joinpath(*names)))


def sample(type_: spark.DataType) -> str:
    """A value that Spark takes for one of this type in the name of a folder."""
    match type_:
        case spark.LongType():
            return str(1 << 31)
        case spark.IntegralType():
            return "0"
        case spark.FractionalType():
            return "0.5"
        case spark.DateType():
            return "1970-01-01"
        case _:
            return "_"


def _rename(folder: Path, is_text: Sequence[bool]) -> None:
    """Spells the first character of values as ``%30`` where they would pass for numbers or dates; Spark reads them all the same."""
    if not is_text:
        return
    for each in sorted(folder.iterdir()):
        name, sign, value = each.name.partition("=")
        if not sign or not each.is_dir():
            continue
        spelled = _spelled(name, value) if is_text[0] else each.name
        place = each if spelled == each.name else each.rename(each.with_name(spelled))
        _rename(place, is_text[1:])


def readable(path: str, is_text: Sequence[bool]) -> str:
    """The same for the path of a file whose first parts are folders by columns."""
    parts = path.split("/")
    for number, text in enumerate(is_text):
        name, _, value = parts[number].partition("=")
        parts[number] = _spelled(name, value) if text else parts[number]
    return "/".join(parts)


def _spelled(name: str, value: str) -> str:
    return f"{name}=%{ord(value[0]):02X}{value[1:]}" if _may_be_guessed(value) else f"{name}={value}"


def _may_be_guessed(value: str) -> bool:
    """Whether the value, as it stands in the name of a folder, may be taken for something else than text."""
    is_word = value[:1].isalpha() or value[:1] in ("_", "%")
    return value in _NUMBERS_IN_LETTERS or not is_word
