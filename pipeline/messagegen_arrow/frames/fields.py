"""The columns of decoded frames, with comments."""

from __future__ import annotations

import pyarrow as pa

from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.columns.schemas import arrow_struct
from messagegen_arrow.frames.columns import REMARK, FrameReader
from messagegen_arrow.malformed import ERROR_ARROW_TYPE, ERROR_NAME, RAW_NAME


def frame_fields(reader: FrameReader, table: MessageTable | None) -> list[pa.Field]:
    """The columns of ``FrameReader.read`` with comments; ``table`` is the one message, if bodies are structs."""
    header, version = reader.header_columns, pa.field("version", pa.int16(), metadata=_comment("The header's version."))
    header_type = pa.struct([version, *arrow_struct(header.columns, header.uuid, reader.messages.headers["request"])])
    if table is None:
        body = pa.field("bodyJson", pa.string(), metadata=_comment("The body in Kafka's JSON form."))
    else:
        body = pa.field("body", arrow_struct(reader.body_columns.columns, reader.body_columns.uuid, table))
    return [
        pa.field("apiName", pa.string(), metadata=_comment("The message without Request or Response.")),
        pa.field("messageVersion", pa.int16(), metadata=_comment("The version of the body.")),
        pa.field("header", header_type),
        body,
        pa.field(REMARK, pa.string(), metadata=_comment("What is unusual about a frame that can be read.")),
        pa.field(ERROR_NAME, ERROR_ARROW_TYPE),
        pa.field(RAW_NAME, pa.binary()),
    ]


def _comment(text: str) -> dict[str, str]:
    return {"comment": text}
