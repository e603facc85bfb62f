"""Records of cluster metadata, and the rows of their history."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pyarrow as pa

import messagegen_kafka as kafka
from messagegen_arrow import metadata_history
from tests.arrow.support.history_data import ORDERS
from tests.arrow.support.internal_records import Record, metadata_record

FOLDER = "__cluster_metadata-0"


def topic(name: str = "orders", topic_id: UUID = ORDERS) -> Record:
    return metadata_record(kafka.TopicRecord(name=name, topic_id=topic_id))


def config(value: str | None, name: str = "retention.ms", resource: str = "orders", type_: int = 2) -> Record:
    return metadata_record(kafka.ConfigRecord(resource_type=type_, resource_name=resource, name=name, value=value))


def changes(log: Any, *subjects: str) -> list[tuple[Any, ...]]:
    rows = pa.table(metadata_history(log)).to_pylist()
    rows.sort(
        key=lambda row: (row["offset"], row["place"]["row"], row["place"]["within"], row["name"], row["property"])
    )
    return [
        (row["offset"], row["name"], row["action"], row["property"], row["value"], row["previous"])
        for row in rows
        if not subjects or row["subject"] in subjects
    ]
