"""Captures that are decoded where they are read: the same rows as reading first and decoding then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import from_kafka_frame, read_capture
from messagegen_arrow.malformed import MalformedMessageError
from messagegen_arrow.options import OptionError
from tests.arrow.support.capture_traffic import conversation, request, response, sized, write_pcap


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Four requests with their responses, and one more whose response is cut short."""
    cut = response(5)[:-1]
    said = [*conversation(4), (True, sized(request(5))), (False, sized(cut))]
    return write_pcap(tmp_path / "a.pcap", said)


def rows(path: Path, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_capture(path, **options) for row in batch.to_pylist()]


@pytest.mark.parametrize("message", ["MetadataRequest", "MetadataResponse"])
def test_frames_are_what_decoding_gives_that_comes_after_reading(capture: Path, message: str) -> None:
    there = pa.table(from_kafka_frame(read_capture(capture), message))
    found = pa.table(read_capture(capture, message=message))
    assert found.schema == there.schema
    assert found.to_pylist() == there.to_pylist()
    assert len(found) == 5


def test_modes_versions_and_fields(capture: Path) -> None:
    options = {"message": "MetadataResponse", "columns": "messageVersion,body", "fields": "clusterId"}
    found = rows(capture, mode="dropmalformed", **options)
    assert [row["body"].keys() for row in found] == [{"clusterId"}] * 4
    assert rows(capture, versions="0-8", **options) == []
    with pytest.raises(MalformedMessageError, match="Metadata version 9"):
        rows(capture, mode="failfast", **options)


def test_options_that_say_nothing_are_refused(capture: Path) -> None:
    with pytest.raises(OptionError, match="options fields: name the request or response, message=MetadataResponse"):
        read_capture(capture, fields="clusterId")
    with pytest.raises(ValueError, match="OffsetCommitValue is neither a request nor a response"):
        read_capture(capture, message="OffsetCommitValue")
    with pytest.raises(OptionError, match="kafka-capture has no option types"):
        read_capture(capture, types="OffsetCommit")
