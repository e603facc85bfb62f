"""The sections of logs: plain records, records with messages as values, and records of internal topics."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.arrays import errors_within, first_error
from messagegen_arrow.columns.json_text import json_fields
from messagegen_arrow.columns.message_decoder import MessageDecoder, decoded_fields
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.secrets import may_hold_secrets, without_secrets
from messagegen_arrow.dump.request import DumpRequest, Section, selected
from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.record_types import record_families
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogPlanner, PartitionLog
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME
from messagegen_arrow.named_columns import chosen_names
from messagegen_arrow.streams.internal_topics import decoded_records
from messagegen_arrow.streams.sources import log_stream, read_log
from messagegen_arrow.streams.stream import Batches, ColumnStream

POSITION: Final = ("topic", "partition", "offset", "timestamp")
OF_ERRORS: Final = ("path", "batchPosition", ERROR_NAME, RAW_NAME)
_RECORD: Final = ("key", "value", "headers")
_MESSAGE: Final = "message"


def sections_of_logs(paths: Sequence[str], request: DumpRequest) -> list[Section]:
    """The sections of the logs at paths: internal topics have other columns than ordinary ones. Raises ``ValueError``."""
    topics = {"topics": ",".join(request.topics)} if request.topics else {}
    given = {"mode": "PERMISSIVE", **request.options, **request.times, **topics, "paths": json.dumps(list(paths))}
    options = LogOptions.parse(given)
    logs = LogPlanner(options).logs()
    internal = {family.name for family in record_families(request.catalog) if not family.is_control}
    of_internal = [log for log in logs if log.topic in internal]
    others = [log for log in logs if log.topic not in internal]

    def of(section: Section, logs: Sequence[PartitionLog]) -> Section:
        return replace(section, why_empty=lambda: why_empty(logs, options, request))

    if request.messages:
        if not others and of_internal:
            raise ValueError(f"records of {of_internal[0].topic} name their types themselves; leave out --message")
        return [of(_of_messages(_stream(others, options, request), request), others)]
    if request.types and not of_internal:
        raise ValueError("--types needs records of an internal topic, such as __consumer_offsets")
    found = []
    if (others or not of_internal) and not request.types:
        found.append(of(_of_records(_stream(others, options, request), request), others))
    if of_internal:
        section = _of_types(_stream(of_internal, options, request, internal=True), request, None)
        found.append(of(section, of_internal))
    return found


def why_empty(logs: Sequence[PartitionLog], options: LogOptions, request: DumpRequest) -> str:
    """Why logs gave no row. Raises what reading them raises."""
    topics = {log.topic for log in logs}
    segments = [segment for log in logs for segment in log.segments]
    if not any(segment.size for segment in segments):
        return f"no records: the {len(segments):,} segments are empty; retention deleted their records, or none was written"
    everything = LogOptions.parse(
        {"includeControl": "true", "fromLogStart": "false", "paths": dict(options.texts)["paths"]}
    )
    stream = log_stream(everything, ("offset",), topics)
    first = next((batch.column("offset")[0].as_py() for batch in stream if batch.num_rows), None)
    if first is None:
        return f"no records: the {len(segments):,} segments have no complete record batch"
    filters = {
        "--offsets": {"startingOffset", "endingOffset"} & request.options.keys(),
        "--since": request.since,
        "--until": request.until,
        "--types": request.types,
        "--option": request.options.keys() - {"startingOffset", "endingOffset"},
    }
    given = ", ".join(name for name, value in filters.items() if value)
    reason = (
        f"none passes {given}" if given else "all are marks of transactions, or before the log start offset (deleted)"
    )
    return f"no records: the first offset in the segments is {first}, and {reason}"


def sections_of_file(file: IO[bytes], request: DumpRequest) -> list[Section]:
    """The section of an open file with the bytes of a segment; ``topics`` has its topic."""
    topic = request.topics[0] if request.topics else None
    internal = {family.name for family in record_families(request.catalog) if not family.is_control}
    is_internal = topic in internal
    names = _source_columns(request, internal=is_internal)
    control = {"includeControl": "true"} if is_internal else {}
    stream = read_log(file, **{"mode": "PERMISSIVE", **request.options, **request.times, **control, "columns": names})
    if request.messages:
        return [_of_messages(stream, request)]
    return [_of_types(stream, request, topic) if is_internal else _of_records(stream, request)]


def _source_columns(request: DumpRequest, *, internal: bool) -> tuple[str, ...]:
    asked = [name for name in request.columns or () if name in LOG_COLUMNS]
    needed = ["isControl"] if internal else []
    return tuple(dict.fromkeys([*POSITION, *_RECORD, *asked, *needed, *OF_ERRORS]))


def _stream(
    logs: list[PartitionLog], options: LogOptions, request: DumpRequest, *, internal: bool = False
) -> ColumnStream:
    chosen = options.with_texts(includeControl="true") if internal else options
    return log_stream(chosen, _source_columns(request, internal=internal), {log.topic for log in logs})


def _names(request: DumpRequest, brief: tuple[str, ...]) -> tuple[str, ...] | None:
    """The requested columns; ``None`` for all."""
    return brief if request.brief and request.columns is None else request.columns


def _of_records(stream: ColumnStream, request: DumpRequest) -> Section:
    if request.columns is not None:
        chosen_names("a record", LOG_COLUMNS, request.columns)
    chosen = selected(stream, _names(request, (*POSITION, "key", "value")), "a record", OF_ERRORS)
    return Section(chosen, time_unit="ms", of_errors=frozenset(OF_ERRORS))


def _of_types(stream: ColumnStream, request: DumpRequest, topic: str | None) -> Section:
    """Records of internal topics: all, or those of the requested types, with typed columns if requested."""
    wanted = None
    if request.types:
        wanted = dict.fromkeys(request.types, None if request.fields is None else list(request.fields))
    contents = Contents.of(wanted, request.catalog, as_json=not (request.typed and wanted))
    extra = [
        name for name in request.columns or () if name in LOG_COLUMNS and name not in POSITION and name not in _RECORD
    ]
    keep = [*POSITION, *extra, *(name for name in OF_ERRORS[:2] if name not in extra)]
    if topic is not None:
        keep.remove("topic")
    decoded = decoded_records(stream, contents, "PERMISSIVE", topic=topic, keep=keep, catalog=request.catalog)
    if wanted:
        types = pa.array(list(wanted))
        whole = decoded
        decoded = ColumnStream(
            whole.schema,
            lambda: (batch.filter(_is_one_of(batch, types)) for batch in whole),
        )
    content = ("key", "value") if contents.is_json else tuple(each.name for each in contents.columns)
    names = _names(request, (*(name for name in keep if name in POSITION), "recordType", *content))
    chosen = selected(decoded, names, "a record of an internal topic", OF_ERRORS)
    return Section(
        chosen,
        frozenset(("key", "value")) if contents.is_json else frozenset(),
        time_unit="ms",
        is_internal=True,
        of_errors=frozenset(OF_ERRORS),
    )


def _is_one_of(batch: pa.RecordBatch, types: pa.Array) -> pa.BooleanArray:
    """The records of these types, and those whose type can't be read."""
    names = batch.column("recordType")
    return pc.or_(pc.is_in(names, types), pc.and_(names.is_null(), batch.column(ERROR_NAME).is_valid()))


def _of_messages(stream: ColumnStream, request: DumpRequest) -> Section:
    """Records whose value is a message."""
    name, *others = request.messages
    if others:
        raise ValueError("the values of a log are of one message; pass --message once")
    table = request.catalog.message(name)
    if request.version is None:
        lowest, highest = table.valid_versions
        raise ValueError(f"pass --version N; {table.name} has versions {lowest} to {highest}")
    wanted = MessageColumns.of(table, request.version, {"fields": request.fields})
    if not request.include_secrets:
        wanted = without_secrets(table, wanted)
    hides = not request.include_secrets and may_hold_secrets(table)
    decoder = MessageDecoder(table.name, wanted, request.version, "PERMISSIVE", hides)
    kept = [field for field in stream.schema if field.name not in ("value", ERROR_NAME, RAW_NAME)]
    message = pa.field(_MESSAGE, pa.struct(decoded_fields(wanted, "FAILFAST", table)))
    schema = pa.schema([*kept, message, stream.schema.field(ERROR_NAME), stream.schema.field(RAW_NAME)])

    def decoded(batches: Batches) -> Batches:
        for batch in batches:
            *fields, errors, raws = decoder(batch.column("value")).flatten()
            value = pa.StructArray.from_arrays(
                fields, fields=list(message.type), mask=pc.or_(errors.is_valid(), batch.column("value").is_null())
            )
            arrays = [
                *(batch.column(field.name) for field in kept),
                value,
                first_error(batch.column(ERROR_NAME), errors_within(errors, _MESSAGE, 0)),
                pc.coalesce(batch.column(RAW_NAME), raws),
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    whole = ColumnStream(schema, lambda: decoded(iter(stream)))
    chosen = selected(whole, _names(request, (*POSITION, "key", _MESSAGE)), "a record with a message", OF_ERRORS)
    return Section(chosen, structs={_MESSAGE: json_fields(wanted)}, time_unit="ms", of_errors=frozenset(OF_ERRORS))
