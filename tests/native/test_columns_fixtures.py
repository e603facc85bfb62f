"""Columns hold everything that Apache's Java classes wrote: encoding them again returns the same bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import messagegen_kafka
from tests.native.column_input import encoded_with
from tests.native.column_rows import array_of, pa
from tests.native.columns import decode_columns
from tests.oracle.fixtures import MADE_UP_MESSAGES, MADE_UP_SPECS, OFFICIAL_MESSAGES, OWN_MESSAGES, read_rows
from tests.support.specs import package

OPTIONS = [
    {"uuid_as": "binary"},
    {"uuid_as": "string"},
]


def differences(messages: Any, rows: Iterable[dict[str, Any]], options: dict[str, Any]) -> Iterator[str]:
    """Yield the rows that do not round-trip, with all versions of a message in one batch."""
    by_message: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_message[row["message"]].append(row)
    for name, of_message in by_message.items():
        plan = getattr(messages, name).CODEC.plan
        versions = pa.array([row["version"] for row in of_message], pa.int16())
        data = [bytes.fromhex(row["hex"]) for row in of_message]
        values = pa.array(data, pa.binary())
        array = array_of(decode_columns(plan, versions, values, unknown_tagged_fields=True, **options))
        for row, wanted, got in zip(of_message, data, encoded_with(plan, versions, array), strict=True):
            if got["value"] != wanted:
                yield f"{name} {row['version']}: {wanted.hex()} came back as {got}"


@pytest.mark.parametrize("options", OPTIONS)
def test_own_messages_are_encoded_again_to_the_same_bytes(options: dict[str, Any]) -> None:
    rows = read_rows(OWN_MESSAGES)
    assert len(rows) > 1000
    assert list(differences(messagegen_kafka, rows, options)) == []


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_made_up_messages_are_encoded_again_to_the_same_bytes(options: dict[str, Any]) -> None:
    rows = read_rows(MADE_UP_MESSAGES)
    assert len({row["message"] for row in rows}) > 30
    assert list(differences(package(MADE_UP_SPECS), rows, options)) == []


@pytest.mark.slow
@pytest.mark.java
def test_official_messages_are_encoded_again_to_the_same_bytes(official: Path) -> None:
    rows = read_rows(OFFICIAL_MESSAGES)
    assert len(rows) > 1000
    assert list(differences(package(official), rows, {"uuid_as": "string"})) == []
