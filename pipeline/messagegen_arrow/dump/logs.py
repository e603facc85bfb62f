"""The sections of logs: plain records, records with messages as values, and records of internal topics."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.json_text import json_fields
from messagegen_arrow.columns.model import ColumnOptions, MessageColumns
from messagegen_arrow.dump.request import OF_ERRORS, DumpRequest, Section, selected
from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.record_types import record_families
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import chosen_names
from messagegen_arrow.streams.internal_topics import decoded_records
from messagegen_arrow.streams.log_messages import LogMessages
from messagegen_arrow.streams.messages import decode_messages
from messagegen_arrow.streams.sources import log_stream, read_log
from messagegen_arrow.streams.stream import ColumnStream

_POSITION: Final = ("topic", "partition", "offset", "timestamp")
_RECORD: Final = ("key", "value", "headers")
_MESSAGE: Final = "message"
_IS_CONTROL: Final = "isControl"


def sections_of_logs(paths: Sequence[str], request: DumpRequest) -> list[Section]:
    """Return the sections of the logs at paths. Internal topics have a separate section, with different columns.

    Raises ``ValueError``.
    """
    _check(request)
    topics = {"topics": ",".join(request.topics)} if request.topics else {}
    options = LogOptions.parse({"mode": "PERMISSIVE", **request.options, **topics, "paths": json.dumps(list(paths))})
    found = {log.topic for log in LogPlanner(options).logs()}
    internal = found & _internal(request)
    others = found - internal
    if request.types and not internal:
        raise ValueError("--types needs records of an internal topic, such as __consumer_offsets")
    sections = []
    if (others or not internal) and not request.types:
        records = log_stream(options, _columns(request), others)
        sections.append(_of_messages(records, request) if request.messages else _of_records(records, request))
    if internal and not (request.messages and others):
        records = log_stream(options.with_texts(includeControl="true"), _columns(request, _IS_CONTROL), internal)
        sections.append(_of_types(records, request))
    return sections


def section_of_file(file: IO[bytes], request: DumpRequest) -> Section:
    """Return the section of an open file that contains the bytes of a segment. The request names the topic.

    Raises ``ValueError``.
    """
    _check(request)
    topic = request.topics[0] if request.topics else None
    options = {"mode": "PERMISSIVE", **request.options}
    if topic in _internal(request):
        stream = read_log(file, **options, include_control=True, columns=_columns(request, _IS_CONTROL))
        return _of_types(stream, request, topic)
    stream = read_log(file, **options, columns=_columns(request))
    return _of_messages(stream, request) if request.messages else _of_records(stream, request)


def _check(request: DumpRequest) -> None:
    """Raise ``ValueError`` for options that would have no effect."""
    if request.fields is not None and not request.messages and not request.types:
        raise ValueError("--fields needs --message or --types")
    if request.version is not None and not request.messages:
        raise ValueError("--version needs --message")
    if request.versioned and not request.messages:
        raise ValueError("--versioned needs --message")
    if request.versioned and request.version is not None:
        raise ValueError("pass either --version or --versioned")


def _internal(request: DumpRequest) -> set[str | None]:
    """Return the names of internal topics."""
    return {family.name for family in record_families(request.catalog) if not family.is_control}


def _columns(request: DumpRequest, *more: str) -> tuple[str, ...]:
    """Return the columns to read from logs."""
    requested = [name for name in (*(request.columns or ()), *OF_ERRORS) if name in LOG_COLUMNS]
    of_messages = LogMessages.columns_read(()) if request.versioned else ()
    return tuple(dict.fromkeys([*_POSITION, *_RECORD, *requested, *of_messages, *more]))


def _names(request: DumpRequest, brief: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the columns to show; ``None`` for all. ``brief`` is the default for a brief request."""
    return brief if request.brief and request.columns is None else request.columns


def _of_records(stream: ColumnStream, request: DumpRequest) -> Section:
    if request.columns is not None:
        chosen_names("a record", LOG_COLUMNS, request.columns)
    return Section(selected(stream, _names(request, (*_POSITION, "key", "value")), "a record"))


def _of_types(stream: ColumnStream, request: DumpRequest, topic: str | None = None) -> Section:
    """Return the section of internal topics: all records or the requested types, with typed columns if requested."""
    if request.include_secrets:
        raise ValueError("secrets in internal topics are never decoded; leave out --show-sensitive")
    if request.messages:
        raise ValueError("records of internal topics contain their types; leave out --message")
    wanted = dict.fromkeys(request.types, None if request.fields is None else list(request.fields)) or None
    contents = Contents.of(wanted, request.catalog, as_json=not (request.typed and wanted))
    dropped = (*_RECORD, ERROR_NAME, RAW_NAME, *(["topic"] if topic is not None else []))
    keep = [name for name in _columns(request) if name not in dropped]
    decoded = decoded_records(stream, contents, "PERMISSIVE", topic=topic, keep=keep, catalog=request.catalog)
    whole, types = decoded, pa.array(request.types, pa.string())
    if wanted:
        decoded = ColumnStream(whole.schema, lambda: (batch.filter(_is_one_of(batch, types)) for batch in whole))
    content = ("key", "value") if contents.is_json else tuple(each.name for each in contents.columns)
    names = _names(request, (*(name for name in keep if name in _POSITION), "recordType", *content))
    chosen = selected(decoded, names, "a record of an internal topic")
    return Section(chosen, frozenset(("key", "value")) if contents.is_json else frozenset())


def _is_one_of(batch: pa.RecordBatch, types: pa.Array) -> pa.BooleanArray:
    """Return whether each record has one of these types, or a type that can't be read."""
    names = batch.column("recordType")
    return pc.or_(pc.is_in(names, types), pc.and_(names.is_null(), batch.column(ERROR_NAME).is_valid()))


def _of_messages(stream: ColumnStream, request: DumpRequest) -> Section:
    """Return the section of records whose value is a message."""
    name, *others = request.messages
    if others:
        raise ValueError("all values of a log must be the same message; pass --message once")
    table = request.catalog.message(name)
    options: ColumnOptions = {} if request.fields is None else {"fields": request.fields}
    if request.versioned:
        decoded = _versioned(stream, table, request, options)
    elif request.version is not None:
        decoded = decode_messages(
            stream, "value", table, request.version, into=_MESSAGE, include_secrets=request.include_secrets, **options
        )
    else:
        lowest, highest = table.valid_versions
        raise ValueError(
            f"pass --version N, or --versioned if each value begins with its version; "
            f"{table.name} has versions {lowest} to {highest}"
        )
    chosen = selected(decoded, _names(request, (*_POSITION, "key", _MESSAGE)), "a record with a message")
    return Section(chosen, structs={_MESSAGE: json_fields(MessageColumns.of(table, request.version, options))})


def _versioned(stream: ColumnStream, table: MessageTable, request: DumpRequest, options: ColumnOptions) -> ColumnStream:
    """Decode each value in the version with which it begins, as ``kafka-log`` does without its option ``version``."""
    messages = LogMessages.of(table, None, options, include_secrets=request.include_secrets)
    replaced = ("value", _IS_CONTROL, ERROR_NAME, RAW_NAME)
    names = [name for name in stream.schema.names if name not in replaced]
    names += [_MESSAGE, ERROR_NAME, RAW_NAME]
    fields = [messages.field if name == _MESSAGE else stream.schema.field(name) for name in names]
    return ColumnStream(pa.schema(fields), lambda: (messages.decoded(batch, names, "PERMISSIVE") for batch in stream))
