"""Kafka's bytes as Arrow columns: messages, frames, records, captures and internal topics.

Names are loaded when they are first used: importing the package does not load Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog as Catalog
    from messagegen_arrow.catalog import MessageTable as MessageTable
    from messagegen_arrow.catalog import default_catalog as default_catalog
    from messagegen_arrow.columns.decoding import decode_arrow as decode_arrow
    from messagegen_arrow.columns.encoding import encode_arrow as encode_arrow
    from messagegen_arrow.columns.model import ColumnOptions as ColumnOptions
    from messagegen_arrow.columns.schemas import arrow_schema as arrow_schema
    from messagegen_arrow.engine import engine_name as engine_name
    from messagegen_arrow.frames.parsing import parse_frame as parse_frame
    from messagegen_arrow.malformed import MalformedMessageError as MalformedMessageError

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Catalog": "catalog",
        "ColumnOptions": "columns.model",
        "MalformedMessageError": "malformed",
        "MessageTable": "catalog",
        "arrow_schema": "columns.schemas",
        "decode_arrow": "columns.decoding",
        "default_catalog": "catalog",
        "encode_arrow": "columns.encoding",
        "engine_name": "engine",
        "parse_frame": "frames.parsing",
    },
)
