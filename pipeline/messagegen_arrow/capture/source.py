"""The columns and rows of ``kafka-capture`` with given options."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import pyarrow as pa

from messagegen_arrow.capture.columns import CAPTURE_COLUMNS
from messagegen_arrow.capture.files import CaptureFile
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.reading import CaptureRow
from messagegen_arrow.capture.tasks import read_batches
from messagegen_arrow.catalog import MessageTable, catalog_with_specs, default_catalog
from messagegen_arrow.content_options import ContentOptions
from messagegen_arrow.frames.columns import FrameBatch, FrameReader
from messagegen_arrow.frames.fields import frame_fields
from messagegen_arrow.frames.parsing import FrameMessages
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, fail_on_first
from messagegen_arrow.named_columns import NamedColumn, chosen_names

NAME: Final = "kafka-capture"
BODY_COLUMN: Final = "body"
_REPLACED: Final = ("frame", ERROR_NAME, RAW_NAME)
_NEEDED: Final = ("frame", "direction", "apiKey", "apiVersion", ERROR_NAME, RAW_NAME)


@dataclass(frozen=True)
class FrameContent:
    """Decodes the frames of one request or response; it pickles."""

    options: ContentOptions
    table: MessageTable
    reader: FrameReader
    fields: list[pa.Field] = field(repr=False)

    @classmethod
    def of(cls, options: ContentOptions) -> FrameContent:
        """Created from options. Raises ``LookupError`` and ``ValueError`` for unknown messages and fields."""
        catalog = catalog_with_specs(*options.specs) if options.specs else default_catalog()
        table = catalog.message(options.message or "")
        columns = options.column_options
        if options.fields is not None:
            columns["fields"] = options.fields
        messages = FrameMessages.of(catalog).only(table)
        reader = FrameReader(messages, columns, is_json=False, include_secrets=options.include_secrets)
        return cls(options, table, reader, frame_fields(reader, table))

    def takes(self, row: CaptureRow) -> bool:
        """Whether a row is a frame of the message in one of the versions."""
        found = row.row
        is_of = found.direction == self.table.kind and found.api_key == self.table.api_key
        return is_of and self.options.takes_version(found.api_version)


@dataclass(frozen=True)
class CaptureSource:
    """Columns of frames or of decoded messages."""

    options: CaptureOptions
    content: FrameContent | None

    @classmethod
    def of(cls, options: CaptureOptions) -> CaptureSource:
        """The source with these options. Raises what ``FrameContent.of`` raises."""
        return cls(options, None if options.content is None else FrameContent.of(options.content))

    @property
    def columns(self) -> Mapping[str, NamedColumn]:
        """All columns by name, in their order."""
        if self.content is None:
            return CAPTURE_COLUMNS
        kept: list[NamedColumn] = [column for name, column in CAPTURE_COLUMNS.items() if name not in _REPLACED]
        kept += [NamedColumn(each.name, each.type, _comment(each)) for each in self.content.fields]
        return {column.name: column for column in kept}

    @property
    def default_names(self) -> tuple[str, ...]:
        """The default columns."""
        return self.options.columns or tuple(self.columns)

    def with_fields(self, paths: Mapping[str, Sequence[str]]) -> CaptureSource:
        """The source with only these fields in the body, by the name of its column; headers have all fields."""
        content = self.options.content
        if content is None or BODY_COLUMN not in paths:
            return self
        return CaptureSource.of(replace(self.options, content=replace(content, fields=tuple(paths[BODY_COLUMN]))))

    def read(self, files: Sequence[CaptureFile], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows of one capture with the named columns. Raises ``MalformedMessageError`` under FAILFAST."""
        if self.content is None:
            return read_batches(files, self.options, names)
        return self._decoded(self.content, files, names)

    def _decoded(
        self, content: FrameContent, files: Sequence[CaptureFile], names: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        chosen = chosen_names(NAME, self.columns, names)
        own = {each.name for each in content.fields}
        read = dict.fromkeys([*(name for name in chosen if name not in own), *_NEEDED])
        for rows in read_batches(files, self.options, list(read), content.takes):
            found = content.reader.read(_frames(rows))
            errors = found.column(ERROR_NAME)
            if self.options.mode == "FAILFAST":
                fail_on_first(errors, found.column("apiName"), found.column("messageVersion"))
            arrays = [(found if name in own else rows).column(name) for name in chosen]
            decoded = pa.RecordBatch.from_arrays(arrays, list(names))
            yield decoded.filter(errors.is_null()) if self.options.mode == "DROPMALFORMED" else decoded


def _frames(rows: pa.RecordBatch) -> FrameBatch:
    return FrameBatch(
        frames=rows.column("frame"),
        directions=rows.column("direction"),
        api_keys=rows.column("apiKey"),
        api_versions=rows.column("apiVersion"),
        errors=rows.column(ERROR_NAME),
        raws=rows.column(RAW_NAME),
    )


def _comment(each: pa.Field) -> str:
    metadata: dict[bytes, bytes] = each.metadata or {}
    return metadata.get(b"comment", b"").decode()
