"""Logs and captures as streams of columns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, cast

import pyarrow as pa

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS, batches
from messagegen_arrow.capture.files import CaptureFile, CapturePathError, find_captures, name_of
from messagegen_arrow.capture.reading import kept, read_captures
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.options import LogOptions, time_text
from messagegen_arrow.log.planning import LogPlanner
from messagegen_arrow.log.rows import RowReader
from messagegen_arrow.malformed import check_mode
from messagegen_arrow.named_columns import NamedColumn, chosen_columns
from messagegen_arrow.options import OptionError
from messagegen_arrow.streams.log_messages import MESSAGE, VALUE, LogMessages, take_messages
from messagegen_arrow.streams.stream import Batches, ColumnStream, once

if TYPE_CHECKING:
    from messagegen_kafka import Message

Place = str | os.PathLike[str] | IO[bytes]
"""A path, or an open binary file such as standard input."""

Option = str | int | bool | datetime | Sequence[Any] | Mapping[str, Any] | type["Message"]
"""The value of an option, as a string or parsed; ``message`` may be a generated class."""

_Start = Callable[[Sequence[str]], Batches]
"""A function that begins to read the named columns."""

_OF_FOLDERS: Final = frozenset(("topics", "topicspattern", "partitions", "assign", "subscribe", "subscribepattern"))
"""The options that select folders."""
_OF_TASKS: Final = frozenset(("maxpartitionbytes", "minpartitions", "maxbytespertrigger", "maxoffsetspertrigger"))
"""The options of Spark's source ``kafka-log`` that only affect how the work is distributed."""


def read_log(*places: Place, **options: Option) -> ColumnStream:
    """Return the records of Kafka's log files, like Spark's source ``kafka-log`` without Spark.

    With the option ``message``, each value is one message, and a struct ``message`` takes the place of ``value``. The
    option is a name or a generated class.

    ``places`` are folders of brokers or partitions, segments, snapshots or globs. They may also be one open file with
    the bytes of a segment, such as ``sys.stdin.buffer``, which is first copied to a temporary file. ``docs/spark.md``
    lists the options and columns. Options may be written in snake case: ``starting_offset=100``, ``topics=["orders"]``.

    Memory usage is 1 MiB for a local file or 8 MiB for an object, or one batch if that is larger, and
    ``max_records_per_batch`` rows. Each read lists the files again. Raises ``OptionError`` and ``LogPathError``.
    Reading raises ``MalformedMessageError`` in mode FAILFAST, and ``DataLossError`` for files that are deleted during
    the read.
    """
    file, paths = _open_file(places)
    for name in options:
        if _plain(name) in _OF_TASKS:
            raise OptionError(f"read_log has no option {name}, because it only affects Spark tasks; remove it")
        if file is not None and _plain(name) in _OF_FOLDERS:
            raise OptionError(f"an open file has no topic and partition; remove the option {name}")
    if file is None and not places:
        raise LogPathError('no path was given; pass the folder of the logs, such as read_log("/var/lib/kafka/data")')
    messages, texts = take_messages(_texts(_with_plan(options)))
    chosen = LogOptions.parse(texts if file is not None else {**texts, "paths": json.dumps(paths)})
    if file is None:
        LogPlanner(chosen).logs()

    def start(names: Sequence[str]) -> Batches:
        return _of_logs(chosen, names) if file is None else _of_file(file, chosen, names)

    if messages is None:
        schema, begin = _of_values(chosen, start)
    else:
        schema, begin = _with_messages(messages, chosen, start)
    return ColumnStream(schema, begin if file is None else once(begin, name_of(file)))


def _with_plan(options: Mapping[str, Option]) -> dict[str, Option]:
    """Return the options with a generated class replaced by its name and its plan."""
    message = options.get(MESSAGE)
    if not isinstance(message, type):
        return dict(options)
    return {**options, MESSAGE: message.__name__, "plan": message.CODEC.plan}


def _of_values(options: LogOptions, start: _Start) -> tuple[pa.Schema, Callable[[], Batches]]:
    """Return the schema with values as bytes, and a function that begins to read."""
    return _log_schema(options.names), lambda: start(options.names)


def _with_messages(
    messages: LogMessages, options: LogOptions, start: _Start
) -> tuple[pa.Schema, Callable[[], Batches]]:
    """Return the schema with messages in place of values, and a function that begins to read."""
    names = [MESSAGE if name == VALUE else name for name in options.names]
    fields = [messages.field if name == MESSAGE else LOG_COLUMNS[name].field for name in names]

    def begin() -> Batches:
        return (messages.decoded(batch, names, options.mode) for batch in start(messages.columns_read(names)))

    return pa.schema(fields), begin


def log_stream(options: LogOptions, names: Sequence[str], topics: Collection[str | None] | None = None) -> ColumnStream:
    """Return the named columns of the logs that the options select, or only of the logs of ``topics`` if given."""
    return ColumnStream(_log_schema(names), lambda: _of_logs(options, names, topics))


def _log_schema(names: Iterable[str]) -> pa.Schema:
    return _schema("read_log", LOG_COLUMNS, names)


def _of_logs(options: LogOptions, names: Sequence[str], topics: Collection[str | None] | None = None) -> Batches:
    reader = RowReader(tuple(names), options)
    return (batch for task in LogPlanner(options).plan(topics=topics) for batch in reader.read(task))


def read_capture(
    *places: Place,
    columns: Sequence[str] | None = None,
    mode: str = "PERMISSIVE",
    continuous: bool = False,
    ports: Iterable[int] = (),
    **limits: int,
) -> ColumnStream:
    """Return the frames of packet captures and frame dumps.

    ``places`` are files, folders or globs, or one open file, which is read as it grows. ``docs/logs-and-captures.md``
    lists the options and columns. Pass the result to ``from_kafka_frame`` to decode it. Raises ``CapturePathError``,
    and ``ValueError`` for an invalid option. Reading raises ``MalformedMessageError`` in mode FAILFAST.
    """
    if not places:
        raise CapturePathError('no path was given; pass a capture file, such as read_capture("/var/tmp/kafka.pcap")')
    file, paths = _open_file(places)
    settings = CaptureSettings(frozenset(ports), **limits)
    checked = check_mode(mode)
    schema = _schema("read_capture", CAPTURE_COLUMNS, columns or CAPTURE_COLUMNS)

    def read(files: Sequence[CaptureFile]) -> Batches:
        return batches(kept(read_captures(files, settings), checked), schema.names)

    def captures() -> Iterator[list[str]]:
        # A capture is one file or, if ``continuous``, all files of a folder.
        return (list(group) for _, group in groupby(find_captures(paths), os.path.dirname if continuous else None))

    if file is not None:
        opened = file
        return ColumnStream(schema, once(lambda: read([opened]), name_of(file)))
    find_captures(paths)
    return ColumnStream(schema, lambda: (batch for files in captures() for batch in read(files)))


def _schema(source: str, columns: Mapping[str, NamedColumn], names: Iterable[str]) -> pa.Schema:
    return pa.schema([column.field for column in chosen_columns(source, columns, names)])


def _open_file(places: Sequence[Place]) -> tuple[IO[bytes] | None, list[str]]:
    """Return the open file or the paths. Raises ``TypeError`` if both are given, or more than one open file."""
    files = [place for place in places if hasattr(place, "read")]
    if not files:
        return None, [os.fspath(cast("str", place)) for place in places]
    if len(places) > 1:
        raise TypeError("expected paths, or exactly one open file")
    return cast("IO[bytes]", files[0]), []


def _texts(options: Mapping[str, Option]) -> dict[str, str]:
    """Return the options as strings, with Spark's names."""
    return {_plain(name): _text(value) for name, value in options.items()}


def _plain(name: str) -> str:
    """Return a name for comparison: Spark's names are case-insensitive, and snake case has underscores."""
    return name.replace("_", "").lower()


def _text(value: Option) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, type):
        raise TypeError(f"expected a string or a number, found the class {value.__name__}")
    return ",".join(map(str, value))


def _of_file(file: IO[bytes], options: LogOptions, names: Sequence[str]) -> Batches:
    with _copied(file) as path:
        for batch in _of_logs(options.with_texts(path=path), names):
            yield _named(batch, name_of(file))


@contextmanager
def _copied(file: IO[bytes]) -> Iterator[str]:
    """Yield the path of a temporary copy of a file, because finding batches needs random access."""
    with NamedTemporaryFile(prefix="messagegen-", suffix=".log") as copy:
        copyfileobj(file, copy, 1 << 20)
        copy.flush()
        yield copy.name


def _named(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """Return the batch with the original name of the file as ``path``."""
    if "path" not in batch.schema.names:
        return batch
    number = batch.schema.get_field_index("path")
    return batch.set_column(number, batch.schema.field(number), pa.repeat(pa.scalar(name), batch.num_rows))
