"""The job ``decode``: messages, records of internal topics, or frames of captures, as rows of typed columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, Final

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog, default_catalog, message_table, plans_digest
from messagegen_arrow.columns.message_decoder import MessageDecoder
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns, described
from messagegen_arrow.files import parent_of
from messagegen_arrow.internal_topics.record_types import record_families
from messagegen_arrow.log.names import log_name
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode
from messagegen_kafka._runtime.limits import DEFAULT_LIMITS
from messagegen_spark.functions.decoding import decode_messages
from messagegen_spark.functions.frames import from_kafka_frame
from messagegen_spark.functions.internal_topics import decode_internal_topics
from messagegen_spark.jobs.decoded_files import DecodedLog
from messagegen_spark.jobs.inputs import KAFKA_LOG, Input
from messagegen_spark.jobs.runner import Job
from messagegen_spark.jobs.units import Unit
from messagegen_spark.jobs.written_files import LogFiles

MESSAGE: Final = "message"
"""The column of a decoded message."""

_POSITION: Final = ("topic", "partition", "offset", "timestamp")
_LOG_COLUMNS: Final = ("key", *_POSITION, "path", "batchPosition", ERROR_NAME, RAW_NAME)
"""What is kept of a log beside the message, for those who say nothing else."""


_SHOWN: Final = 5


@dataclass(frozen=True, kw_only=True)
class DecodeMessages:
    """Bytes of one message in a column, such as the values of a topic."""

    input: Input
    message: str
    version: int | str
    """The version of all messages, or the name of the column that has it."""
    column: str = "value"
    keep: tuple[str, ...] | None = None
    """Columns of the input that are kept; ``None``: for logs those that say which record it was, else all but ``column``."""
    mode: Mode = "PERMISSIVE"
    options: ColumnOptions = field(default_factory=ColumnOptions)
    catalog: Catalog | None = None

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of these messages."""
        arguments = {
            "input": self.input.described(),
            "message": self.message,
            "version": self.version,
            "column": self.column,
            "keep": self.keep,
            "mode": self.mode,
            "columns": described(self.options),
            "catalog": plans_digest([message_table(self.message, self.catalog)]),
        }
        return Job("decode", arguments, lambda spark: self.input.units(spark, unit_bytes), self.rows, self.files)

    def files(self, unit: Unit, folders: tuple[str, ...]) -> LogFiles | None:
        """The same rows as files that workers write; ``None`` where they can't."""
        if not self.is_log:
            return None
        table = message_table(self.message, self.catalog)
        fixed = self.version if isinstance(self.version, int) else None
        wanted = MessageColumns.of(table, fixed, self.options)
        options = {**self._source(self._source_mode).options, "paths": json.dumps(unit.paths)}
        log = DecodedLog(
            options=LogOptions.parse(options),
            arguments=(self.column,) if isinstance(self.version, int) else (self.column, self.version),
            kept=self._kept() or (),
            decoder=MessageDecoder(table.name, wanted, fixed, self._source_mode),
            table=table,
            into=MESSAGE,
            drops=self.mode == "DROPMALFORMED",
        )
        return log.files(folders)

    @property
    def _source_mode(self) -> Mode:
        """Rows are dropped here and not by the source, so that those of damaged batches are counted too."""
        return "FAILFAST" if self.mode == "FAILFAST" else "PERMISSIVE"

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """The kept columns, and a struct ``message``."""
        mode = self._source_mode
        rows = self._source(mode).rows(spark, unit.paths)
        decoded = decode_messages(
            rows,
            self.column,
            self.message,
            self.version if isinstance(self.version, int) else sql.col(self.version),
            mode,
            into=MESSAGE,
            keep=self._kept(),
            catalog=self.catalog,
            **self.options,
        )
        wrong = [sql.col(ERROR_NAME).isNotNull()] if ERROR_NAME in decoded.columns else []
        if mode == "PERMISSIVE":
            wrong.append(sql.col(MESSAGE)[ERROR_NAME].isNotNull())
        return counted(decoded, wrong, observation, drop=self.mode == "DROPMALFORMED")

    @property
    def is_log(self) -> bool:
        """Whether the input is a log, which has columns that say which record it was."""
        return self.input.format == KAFKA_LOG

    def _kept(self) -> tuple[str, ...] | None:
        if self.input.format != KAFKA_LOG:
            return self.keep
        kept = tuple(name for name in _LOG_COLUMNS if name != self.column) if self.keep is None else self.keep
        return kept if ERROR_NAME in kept else (*kept, ERROR_NAME)

    def _source(self, mode: Mode) -> Input:
        if self.input.format != KAFKA_LOG:
            return self.input
        version = [] if isinstance(self.version, int) else [self.version]
        # Spark reads all columns of a source that is written in Python, unless the source is told.
        columns = dict.fromkeys([self.column, *version, *(self._kept() or ())])
        return self.input.with_options(mode=mode, columns=",".join(columns))


@dataclass(frozen=True, kw_only=True)
class DecodeInternalTopics:
    """Records of Kafka's internal topics, as ``decode_internal_topics`` gives them."""

    input: Input
    types: tuple[str, ...] | None = None
    """The types of records that get columns; ``None``: all, as JSON text."""
    mode: Mode = "PERMISSIVE"
    options: ColumnOptions = field(default_factory=ColumnOptions)
    catalog: Catalog | None = None

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of these records."""
        arguments = {
            "input": self.input.described(),
            "types": self.types,
            "mode": self.mode,
            "columns": described(self.options),
            "catalog": catalog_digest(self.catalog),
        }
        return Job("decode-internal", arguments, lambda spark: self._plan(spark, unit_bytes), self.rows)

    def _plan(self, spark: SparkSession, unit_bytes: int | None) -> list[Unit]:
        """The units. Raises ``ValueError`` where there are other topics only, whose records would be told to be malformed, one by one."""
        units = self.input.units(spark, unit_bytes)
        if self.input.format == KAFKA_LOG and self.mode != "DROPMALFORMED":
            folders = dict.fromkeys(parent_of(path) for unit in units for path in unit.paths)
            topics = dict.fromkeys(name and name.topic for name in map(log_name, folders))
            families = record_families(default_catalog() if self.catalog is None else self.catalog)
            if topics and not topics.keys() & {None, *(family.name for family in families)}:
                raise ValueError(
                    f"no internal topic of Kafka in the input, only {_some(topics)}: name the message of the values and its "
                    "version (--message NAME --version NUMBER); for control records alone use --mode dropmalformed"
                )
        return units

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """Where each record lay, and what it says."""
        rows = internal_log(self.input, "FAILFAST" if self.mode == "FAILFAST" else "PERMISSIVE")
        return decode_internal_topics(
            rows.rows(spark, unit.paths),
            self.types,
            self.mode,
            keep=_POSITION,
            observe=observation,
            catalog=self.catalog,
            names=self.options.get("names", "kafka"),
            uuid=self.options.get("uuid", "string"),
            limits=self.options.get("limits", DEFAULT_LIMITS),
        )


@dataclass(frozen=True, kw_only=True)
class DecodeFrames:
    """Requests and responses of captures, as ``from_kafka_frame`` gives them."""

    input: Input
    message: str | None = None
    """The request or response that is wanted, as a struct; ``None``: all, as JSON text."""
    mode: Mode = "PERMISSIVE"
    options: ColumnOptions = field(default_factory=ColumnOptions)
    catalog: Catalog | None = None

    def job(self, unit_bytes: int | None = None) -> Job:
        """The job of these frames."""
        arguments = {
            "input": self.input.described(),
            "message": self.message,
            "mode": self.mode,
            "columns": described(self.options),
            "catalog": catalog_digest(self.catalog),
        }
        return Job("decode-frames", arguments, lambda spark: self.input.units(spark, unit_bytes), self.rows)

    def rows(self, spark: SparkSession, unit: Unit, observation: Observation) -> DataFrame:
        """What the capture says of each frame, its header and its body."""
        # Rows are dropped behind the source, so that those that it can't read are counted too.
        mode: Mode = "FAILFAST" if self.mode == "FAILFAST" else "PERMISSIVE"
        frames = self.input.with_options(mode=mode).rows(spark, unit.paths)
        return from_kafka_frame(
            frames, self.message, self.mode, observe=observation, catalog=self.catalog, **self.options
        )


def catalog_digest(catalog: Catalog | None) -> str:
    """Differs between catalogs that decode anything in another way; ``None`` is the built-in one."""
    return (default_catalog() if catalog is None else catalog).digest


def _some(topics: Iterable[str | None]) -> str:
    """Some of the names, for an error."""
    names = [str(name) for name in topics]
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} others" if len(names) > _SHOWN else "")


def internal_log(log: Input, mode: Mode, more: Sequence[str] = ()) -> Input:
    """The log with what the records of internal topics are read from; control records are among them."""
    if log.format != KAFKA_LOG:
        return log
    columns = ["key", "value", *_POSITION, "isControl", *more, ERROR_NAME, RAW_NAME]
    return log.with_options(mode=mode, includeControl="true", columns=",".join(columns))


def counted(df: DataFrame, wrong: Sequence[Column], observation: Observation, *, drop: bool = False) -> DataFrame:
    """Counts all rows and malformed ones under ``observation``, and drops the latter if ``drop``."""
    malformed = reduce(or_, wrong) if wrong else sql.lit(col=False)
    rows: Any = sql.count(sql.lit(1)).alias("rows")
    observed = df.observe(observation, rows, sql.count_if(malformed).alias("malformed"))
    return observed.where(~malformed) if drop else observed
