"""Where ``messagegen-advise`` gets its messages from: files that Spark reads, Kafka's logs, captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen_arrow.catalog import Catalog, MessageTable, default_catalog
from messagegen_spark.cli.running import terminal_settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from messagegen_arrow.advisor.statistics import Statistics

_VALUE: Final = "value"
_VERSION: Final = "version"


@contextmanager
def session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """The active session, or one of ``job_session`` that ends with the work."""
    from pyspark.sql import SparkSession

    from messagegen_spark.jobs.sessions import job_session

    active = SparkSession.getActiveSession()
    if active is not None:
        # Spark refuses to register a data source in a new session of a process whose workers have loaded it.
        yield active
        return
    with job_session("messagegen-advise", master, {**terminal_settings(master), **settings}) as spark:
        yield spark


@dataclass(frozen=True)
class Input:
    """What the options say about the data."""

    inputs: tuple[str, ...]
    message: str
    version: str | None = None
    format: str = "parquet"
    column: str = _VALUE
    options: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None
    sample: float = 1.0
    specs: Path | None = None

    @cached_property
    def table(self) -> MessageTable:
        """The message, out of the specs or of the package."""
        catalog = default_catalog() if self.specs is None else Catalog.of_specs(self.specs, messages=[self.message])
        return catalog.message(self.message)

    def rows(self, spark: SparkSession) -> DataFrame:
        """A DataFrame with the columns ``value`` and ``version``."""
        from messagegen_spark.sources import register

        table = self.table
        if self.format in {"kafka-log", "kafka-capture"}:
            register(spark)
        df = self._read(spark)
        if self.where is not None:
            df = df.where(self.where)
        if self.version is not None:
            return self._with_version(df)
        if self.format == "kafka-log":
            from messagegen_spark.advisor.sources import records_of

            return records_of(df, table)
        if self.format == "kafka-capture":
            from messagegen_spark.advisor.sources import bodies_of

            return bodies_of(df, table)
        raise click.UsageError(
            f"missing version of the messages: --version N, or --version COLUMN of {', '.join(df.columns)}"
        )

    def _read(self, spark: SparkSession) -> DataFrame:
        reader = spark.read.format(self.format).options(**self.options)
        if self.format not in {"kafka-log", "kafka-capture"}:
            return reader.load(list(self.inputs))
        # Data sources in Python take one path each.
        first, *others = (reader.load(path) for path in self.inputs)
        for other in others:
            first = first.unionByName(other)
        return first

    def _with_version(self, df: DataFrame) -> DataFrame:
        from pyspark.sql import functions as sql

        assert self.version is not None
        if self.version.isdecimal():
            version = sql.lit(int(self.version))
        elif self.version in df.columns:
            version = sql.col(self.version)
        else:
            raise click.UsageError(f"--version is neither a number nor one of the columns {', '.join(df.columns)}")
        if self.column not in df.columns:
            raise click.UsageError(f"unknown column {self.column}; --column is one of {', '.join(df.columns)}")
        return df.select(sql.col(self.column).alias(_VALUE), version.alias(_VERSION))

    def statistics(self, rows: DataFrame) -> Statistics:
        """The statistics of all rows, or of the sample."""
        from messagegen_spark.advisor.collecting import collect

        return collect(rows, self.table, _VERSION, column=_VALUE, sample=self.sample)

    def some(self, rows: DataFrame, count: int) -> list[tuple[int, bytes]]:
        """Version and bytes of so many messages that can be read."""
        known = rows.where(f"{_VALUE} is not null and {_VERSION} is not null").limit(count).collect()
        if known and not isinstance(known[0][_VALUE], bytes | bytearray):
            raise click.UsageError("--trial needs messages as bytes; these are decoded")
        return [(int(row[_VERSION]), bytes(row[_VALUE])) for row in known]
