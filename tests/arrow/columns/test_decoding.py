"""Bytes are decoded to columns: Java's bytes, wanted fields, and versions.

`tests.native` compares the engine with the reference walk.
"""

from __future__ import annotations

from base64 import b64encode
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import messagegen_kafka
from messagegen_arrow import arrow_schema, decode_arrow, default_catalog
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from tests.arrow.support.messages import java_messages, random_bytes


def agrees(column: Any, json: Any) -> bool:
    """Return whether a value equals Java's JSON; values that the JSON lacks are ignored."""
    if isinstance(json, dict):
        return all(agrees(column[key], value) for key, value in json.items())
    if isinstance(json, list):
        return len(column) == len(json) and all(map(agrees, column, json))
    if isinstance(column, bytes):
        return bool(json == b64encode(column).decode())
    return bool(column == json or (column is None and json is None))


def test_decoded_columns_equal_the_values_of_java_classes() -> None:
    compared = 0
    for messages in java_messages():
        wanted = MessageColumns.of(default_catalog().message(messages.name), None, {})
        rows = decode_columns(
            wanted, pa.array(messages.data, pa.binary()), pa.array(messages.versions, pa.int16())
        ).to_pylist()
        for row, json in zip(rows, messages.json, strict=True):
            assert row.pop("_error") is None
            assert agrees(row, json), (messages.name, row, json)
            compared += 1
    assert compared > 1000


def test_a_tag_beyond_int32_is_refused_even_if_unknown_tags_are_not_selected() -> None:
    table = default_catalog().message("OffsetCommitValue")
    tag_section = bytes.fromhex("01 ffffffff0f 00")
    values = pa.array([bytes(12) + b"\x01" + bytes(8) + tag_section])
    for unknown in (False, True):
        columns = decode_columns(MessageColumns.of(table, 4, {"unknown_tagged_fields": unknown}), values, 4)
        assert columns.field("_error").to_pylist() == [
            {"message": "expected a tag from 0 to 2147483646, got 4294967295", "path": "", "offset": 22}
        ]


def test_different_numbers_of_values_and_versions_are_refused() -> None:
    wanted = MessageColumns.of(default_catalog().message("OffsetCommitValue"), None, {})
    with pytest.raises(ValueError, match="there are 1 versions for 2 values; each needs one"):
        decode_columns(wanted, pa.array([b"", b""]), pa.array([1]))


def test_values_of_one_version_can_get_the_columns_of_several_versions() -> None:
    table = default_catalog().message("OffsetCommitValue")
    values = pa.array([random_bytes(Random(4), table, 1)])
    assert "topicId" not in decode_arrow(values, table, 1).type.names
    assert decode_arrow(values, table, 1, versions=range(5)).field("topicId").to_pylist() == [None]
    with pytest.raises(ValueError, match="version 1 is not among the versions 3, 4 of the columns"):
        decode_arrow(values, table, 1, versions=(3, 4))


def test_a_field_that_a_version_lacks_is_null_in_columns_and_the_default_in_classes() -> None:
    random, lacking = Random(5), 0
    for table in default_catalog():
        generated: Any = getattr(messagegen_kafka, table.name)
        for version in table.versions:
            data = random_bytes(random, table, version)
            (row,) = decode_arrow(pa.array([data]), table, version, versions=table.versions, names="snake").to_pylist()
            message = generated.decode(data, version=version)
            has = arrow_schema(table, versions=[version], names="snake").names
            for name in row.keys() - {"_error", *has}:
                assert row[name] is None, (table.name, version, name)
                assert getattr(message, name) == getattr(generated(), name), (table.name, version, name)
                lacking += 1
    assert lacking > 100


def test_an_omitted_tagged_field_has_its_default() -> None:
    left_out = messagegen_kafka.FetchRequest(replica_id=-1).encode(version=17)
    (row,) = decode_arrow(pa.array([left_out]), "FetchRequest", 17, names="snake").to_pylist()
    assert (row["cluster_id"], row["replica_state"]) == (None, {"replica_id": -1, "replica_epoch": -1})
    assert "replica_id" not in row
