"""Kafka's bytes as Arrow columns: messages, frames, records, captures, internal topics and their histories.

Names are loaded when they are first used, so importing the package does not load Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from messagegen_arrow.lazy import lazy_names

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog as Catalog
    from messagegen_arrow.catalog import MessageTable as MessageTable
    from messagegen_arrow.catalog import default_catalog as default_catalog
    from messagegen_arrow.clients.captures import captured_clients as captured_clients
    from messagegen_arrow.clients.report import client_reports as client_reports
    from messagegen_arrow.clients.traffic import ClientTraffic as ClientTraffic
    from messagegen_arrow.columns.decoding import decode_arrow as decode_arrow
    from messagegen_arrow.columns.encoding import encode_arrow as encode_arrow
    from messagegen_arrow.columns.model import ColumnOptions as ColumnOptions
    from messagegen_arrow.columns.schemas import arrow_schema as arrow_schema
    from messagegen_arrow.engine import EngineError as EngineError
    from messagegen_arrow.histories.consumer_lag.history import consumer_lag_history as consumer_lag_history
    from messagegen_arrow.histories.counts import HistoryCounts as HistoryCounts
    from messagegen_arrow.histories.metadata.history import metadata_history as metadata_history
    from messagegen_arrow.histories.state.cluster import ClusterState as ClusterState
    from messagegen_arrow.histories.state.cluster import cluster_state as cluster_state
    from messagegen_arrow.histories.state.metadata import UnknownStateError as UnknownStateError
    from messagegen_arrow.malformed import MalformedMessageError as MalformedMessageError
    from messagegen_arrow.streams.frames import from_kafka_frame as from_kafka_frame
    from messagegen_arrow.streams.internal_topics import decode_internal_topics as decode_internal_topics
    from messagegen_arrow.streams.messages import decode_messages as decode_messages
    from messagegen_arrow.streams.messages import read_messages as read_messages
    from messagegen_arrow.streams.sources import read_capture as read_capture
    from messagegen_arrow.streams.sources import read_log as read_log
    from messagegen_arrow.streams.stream import ColumnStream as ColumnStream
    from messagegen_arrow.streams.stream import StreamReadError as StreamReadError

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Catalog": "catalog",
        "ClientTraffic": "clients.traffic",
        "ClusterState": "histories.state.cluster",
        "ColumnOptions": "columns.model",
        "ColumnStream": "streams.stream",
        "EngineError": "engine",
        "HistoryCounts": "histories.counts",
        "MalformedMessageError": "malformed",
        "MessageTable": "catalog",
        "StreamReadError": "streams.stream",
        "UnknownStateError": "histories.state.metadata",
        "arrow_schema": "columns.schemas",
        "captured_clients": "clients.captures",
        "client_reports": "clients.report",
        "cluster_state": "histories.state.cluster",
        "consumer_lag_history": "histories.consumer_lag.history",
        "decode_arrow": "columns.decoding",
        "decode_internal_topics": "streams.internal_topics",
        "decode_messages": "streams.messages",
        "default_catalog": "catalog",
        "encode_arrow": "columns.encoding",
        "from_kafka_frame": "streams.frames",
        "metadata_history": "histories.metadata.history",
        "read_capture": "streams.sources",
        "read_log": "streams.sources",
        "read_messages": "streams.messages",
    },
)
