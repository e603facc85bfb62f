"""Messages to decode: tables from two spec folders, values of all shapes, and output of Apache's Java classes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, Final

from messagegen_arrow import Catalog, MessageTable
from tests.arrow.support.reference.plan_walk import table_of, walk_encode
from tests.native.random_messages import FOLDERS, Maker
from tests.oracle.fixtures import OWN_MESSAGES, read_rows

OWN_SPECS: Final = FOLDERS[0]
PURPOSE_MADE_SPECS: Final = FOLDERS[1]


@cache
def tables(folder: Path = PURPOSE_MADE_SPECS) -> tuple[MessageTable, ...]:
    """Return the messages of a folder of specs."""
    return tuple(Catalog.of_specs(folder))


@cache
def all_tables() -> tuple[MessageTable, ...]:
    """Return this repository's tables, and tables that together use every feature of the spec language."""
    return (*tables(OWN_SPECS), *tables(PURPOSE_MADE_SPECS))


def random_bytes(random: Random, table: MessageTable, version: int) -> bytes:
    """Return the bytes of a random message."""
    parsed = table_of(table.plan)
    return walk_encode(parsed, Maker(random).message(parsed.roots[version]), version)


@dataclass(frozen=True)
class JavaMessages:
    """Output of Apache's classes for one message: versions, bytes, and the JSON form of their values."""

    name: str
    versions: list[int]
    data: list[bytes]
    json: list[Any]


@cache
def java_messages() -> tuple[JavaMessages, ...]:
    """Return the committed fixtures, by message."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in read_rows(OWN_MESSAGES):
        found[row["message"]].append(row)
    return tuple(
        JavaMessages(
            name,
            [row["version"] for row in rows],
            [bytes.fromhex(row["hex"]) for row in rows],
            [row["json"] for row in rows],
        )
        for name, rows in sorted(found.items())
    )


def as_kafkas_json(value: Any) -> Any:
    """Return a value as in Kafka's JSON, which has strings for NaN and infinities, because JSON has no such numbers."""
    if isinstance(value, dict):
        return {key: as_kafkas_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_kafkas_json(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(value)]
    return value
