"""Frames decoded in DataFrames: those of a capture that was read to Arrow, and those of other sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.sql import Observation

from messagegen_arrow import read_capture
from messagegen_kafka import MetadataResponse
from messagegen_spark import from_kafka_frame, pair_frames
from tests.arrow.support.capture_traffic import conversation, request, response, sized, write_pcap

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


@pytest.fixture
def frames(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """A conversation of four requests, and a response that nobody asked for."""
    capture = write_pcap(tmp_path / "a.pcap", [*conversation(4), (False, sized(response(99)))])
    return spark.createDataFrame(pa.table(read_capture(capture)))


def test_bodies_as_json_and_as_columns(frames: DataFrame) -> None:
    seen = Observation()
    rows = from_kafka_frame(frames, observe=seen, keep=["direction", "clientId"]).collect()
    assert seen.get == {"rows": 9, "malformed": 1}
    assert {row.apiName for row in rows if row["_error"] is None} == {"Metadata"}
    (unpaired,) = (row for row in rows if row["_error"] is not None)
    assert (unpaired["_raw"], unpaired["_error"].message.split(":")[0]) == (b"<redacted>", "UNPAIRED")
    bodies = [json.loads(row.bodyJson) for row in rows if row.direction == "response" and row["_error"] is None]
    assert bodies == [MetadataResponse.decode(response(1)[5:], version=9).to_json(version=9)] * 4
    typed = from_kafka_frame(frames, "MetadataResponse", fields=["brokers.host"], keep=["correlationId"]).collect()
    found = sorted((row.correlationId, row.header.correlationId, row.body.brokers[0].host) for row in typed)
    assert found == [(number, number, "b1") for number in range(1, 5)]
    assert {row.messageVersion for row in typed} == {9}


def test_frames_of_other_sources_are_paired(spark: SparkSession) -> None:
    rows = [
        ("a", 1, "request", request(-5, version=5)),
        ("b", 1, "request", request(-5, version=8)),
        ("a", 2, "response", response(-5, version=5)),
        ("a", 3, "request", request(-5, version=9)),
        ("a", 3, "response", response(-5, version=9)),
        ("b", 2, "response", response(6)),
        ("b", 3, "response", b"\0"),
    ]
    frame = spark.createDataFrame(rows, "connection string, time int, direction string, frame binary")
    paired = {(row.connection, row.time, row.direction): row for row in pair_frames(frame).collect()}
    known = {key: (row.apiKey, row.apiVersion, row.correlationId, row.requestTime) for key, row in paired.items()}
    assert known == {
        ("a", 1, "request"): (3, 5, -5, None),
        ("b", 1, "request"): (3, 8, -5, None),
        ("a", 2, "response"): (3, 5, -5, 1),
        ("a", 3, "request"): (3, 9, -5, None),
        ("a", 3, "response"): (3, 9, -5, 3),
        ("b", 2, "response"): (None, None, 6, None),
        ("b", 3, "response"): (None, None, None, None),
    }
    decoded = from_kafka_frame(frame).collect()
    assert sorted(row.messageVersion for row in decoded if row["_error"] is None) == [5, 5, 8, 9, 9]
    reasons = {row["_error"].message for row in decoded if row["_error"] is not None}
    assert reasons == {"unknown API key and version: pair_frames finds the request of a response"}
    with pytest.raises(ValueError, match="pairing frames needs the columns connection"):
        pair_frames(frame.drop("connection"))


def test_wrong_uses_say_what_is_right() -> None:
    frame: Any = None
    with pytest.raises(ValueError, match="versions and fields need message="):
        from_kafka_frame(frame, fields=["brokers"])
    with pytest.raises(LookupError, match="did you mean"):
        from_kafka_frame(frame, "MetadataRespons")
