"""Logs, captures and files of messages as streams of columns, with the options of the Spark sources."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import IO, Any, Final, cast

import pyarrow as pa

from messagegen_arrow.capture.files import CapturePathError, name_of
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.source import CaptureSource
from messagegen_arrow.capture.tasks import find_tasks as find_captures
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.files import LogPathError, PartitionLog, Segment
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.log.source import LogSource, Reader
from messagegen_arrow.log.tasks import find_tasks, plan_tasks, wanted_logs
from messagegen_arrow.message_files.files import find_files
from messagegen_arrow.message_files.options import NAME as MESSAGE_FILES
from messagegen_arrow.message_files.options import MessageFileOptions
from messagegen_arrow.message_files.parquet import FilePart
from messagegen_arrow.message_files.source import MessageFileSource
from messagegen_arrow.named_columns import NamedColumn, chosen_columns
from messagegen_arrow.options import OptionError
from messagegen_arrow.streams.stream import Batches, ColumnStream, once

Place = str | os.PathLike[str] | IO[bytes]
"""A path, or an open binary file such as standard input."""

Option = str | int | bool | datetime | Sequence[Any] | Mapping[str, Any]
"""The value of an option, as text or parsed."""

_OF_FOLDERS: Final = frozenset(("topics", "topicspattern", "partitions", "assign", "subscribe", "subscribepattern"))
"""Options that select folders."""
_OF_TASKS: Final = frozenset(
    ("maxpartitionbytes", "minpartitions", "pushfilters", "maxbytespertrigger", "maxoffsetspertrigger")
)
"""Options of ``kafka-log`` that only affect how Spark distributes the work."""


def read_log(*places: Place, **options: Option) -> ColumnStream:
    """The records of Kafka's log files, like Spark's source ``kafka-log`` without Spark.

    ``places`` are folders of brokers or partitions, segments, snapshots, globs, or one open file with the bytes of a segment,
    such as ``sys.stdin.buffer``, which is first copied to a temporary file. Options and columns are those of
    ``docs/kafka-log-source.md``; options may be written in snake case: ``starting_offset=100``, ``topics=["orders"]``.

    Needs memory for 8 MiB of a file, or one batch if that is larger, and ``max_records_per_batch`` rows. Each read lists the
    files again. Raises ``OptionError`` and ``LogPathError``; reading raises ``MalformedMessageError`` under FAILFAST, and
    ``DataLossError`` for files that are deleted during the read.
    """
    file, paths = _open_file(places)
    for name in options:
        if _plain(name) in _OF_TASKS:
            raise OptionError(f"read_log has no option {name}, which is about tasks of Spark; remove it")
        if file is not None and _plain(name) in _OF_FOLDERS:
            raise OptionError(f"an open file has no topic and partition; remove the option {name}")
    texts = _texts(options)
    chosen = LogOptions.parse(texts if file is not None else {**texts, "paths": json.dumps(paths)})
    source = LogSource.of(chosen)
    chosen = source.options
    schema = _schema("kafka-log", source.columns, source.default_names)
    reader = source.reader(schema.names, chosen.bounds)
    if file is not None:
        opened = file
        return ColumnStream(schema, once(lambda: _of_file(opened, reader, chosen), name_of(file)))
    if not places:
        raise LogPathError('missing path of the logs: read_log("/var/lib/kafka/data")')
    wanted_logs(chosen)
    return ColumnStream(schema, lambda: (batch for task in find_tasks(chosen) for batch in reader.read(task)))


def log_stream(logs: Sequence[PartitionLog], options: LogOptions, names: Sequence[str]) -> ColumnStream:
    """The named columns of the records of these logs."""
    reader = RowReader(tuple(names), options, options.bounds)
    return ColumnStream(
        _schema("kafka-log", LOG_COLUMNS, names),
        lambda: (batch for task in plan_tasks(logs, options, options.bounds) for batch in reader.read(task)),
    )


def read_capture(*places: Place, **options: Option) -> ColumnStream:
    """The frames of packet captures and frame dumps, like Spark's source ``kafka-capture`` without Spark.

    ``places`` are files, folders, globs, or one open file, which is read as it grows. Options and columns are those of
    ``docs/kafka-capture-source.md``; options may be written in snake case: ``max_frame_bytes="1m"``. Pass the result to
    ``from_kafka_frame`` to decode it. Raises ``OptionError`` and ``CapturePathError``; reading raises ``MalformedMessageError``
    under FAILFAST.
    """
    file, paths = _open_file(places)
    if not places:
        raise CapturePathError('missing path of the captures: read_capture("/var/tmp/kafka.pcap")')
    chosen = CaptureOptions.parse({**_texts(options), "paths": json.dumps(paths or [name_of(cast("IO[bytes]", file))])})
    source = CaptureSource.of(chosen)
    schema = _schema("kafka-capture", source.columns, source.default_names)
    if file is not None:
        opened = file
        return ColumnStream(schema, once(lambda: source.read([opened], schema.names), name_of(file)))
    find_captures(chosen)
    return ColumnStream(
        schema, lambda: (batch for files in find_captures(chosen) for batch in source.read(files, schema.names))
    )


def read_message_files(*places: str | os.PathLike[str], **options: Option) -> ColumnStream:
    """The messages in a column of bytes of Parquet files, decoded, like Spark's source ``kafka-messages`` without Spark.

    ``places`` are files, folders and globs. Options and columns are those of ``docs/messages-in-spark.md``; options may be written in
    snake case: ``version_column="version"``. The columns of the first file stand for all files.

    Needs memory for a row group's pages and a batch of about 4 MiB. Each read lists the files again. Raises ``OptionError``,
    ``MessagePathError`` and ``MessageFileError``; reading raises ``MalformedMessageError`` under FAILFAST.
    """
    for name in options:
        if _plain(name) in _OF_TASKS:
            raise OptionError(f"read_message_files has no option {name}, which is about tasks of Spark; remove it")
    paths = [os.fspath(place) for place in places]
    chosen = MessageFileOptions.parse({**_texts(options), "paths": json.dumps(paths)})
    source = MessageFileSource.of(chosen, find_files(chosen.paths)[0].path)
    schema = _schema(MESSAGE_FILES, source.columns, source.default_names)
    reader = source.reader(schema.names)

    def read() -> Batches:
        return reader.read(FilePart(file.path, 0, file.size) for file in find_files(chosen.paths))

    return ColumnStream(schema, read)


def _schema(source: str, columns: Mapping[str, NamedColumn], names: Iterable[str]) -> pa.Schema:
    return pa.schema([column.field for column in chosen_columns(source, columns, names)])


def _open_file(places: Sequence[Place]) -> tuple[IO[bytes] | None, list[str]]:
    """The one open file, or the paths. Raises ``TypeError`` for both, and for several files."""
    files = [place for place in places if hasattr(place, "read")]
    if not files:
        return None, [os.fspath(cast("str", place)) for place in places]
    if len(places) > 1:
        raise TypeError("expected paths, or one open file alone")
    return cast("IO[bytes]", files[0]), []


def _texts(options: Mapping[str, Option]) -> dict[str, str]:
    """The options with Spark's names."""
    return {_plain(name): _text(value) for name, value in options.items()}


def _plain(name: str) -> str:
    """A name for comparison: Spark's names are case-insensitive, and snake case has underscores."""
    return name.replace("_", "").lower()


def _text(value: Option) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, str | int):
        return str(value)
    return ",".join(map(str, value))


def _of_file(file: IO[bytes], reader: Reader, options: LogOptions) -> Batches:
    with _copied(file) as path:
        segment = Segment(
            path, Path(path).stat().st_size, None, None, is_complete=False, inode=Path(path).stat().st_ino
        )
        log = PartitionLog(str(Path(path).parent), None, None, (segment,))
        for task in plan_tasks([log], options, options.bounds):
            for batch in reader.read(task):
                yield _named(batch, name_of(file))


@contextmanager
def _copied(file: IO[bytes]) -> Iterator[str]:
    """A temporary file with the bytes, because finding batches needs random access."""
    with NamedTemporaryFile(prefix="messagegen-", suffix=".log") as copy:
        copyfileobj(file, copy, 1 << 20)
        copy.flush()
        yield copy.name


def _named(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """The batch with the original name of the file as ``path``."""
    if "path" not in batch.schema.names:
        return batch
    number = batch.schema.get_field_index("path")
    return batch.set_column(number, batch.schema.field(number), pa.repeat(pa.scalar(name), batch.num_rows))
