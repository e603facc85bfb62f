"""A message with integers in every kind of place, and samples of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

import messagegen
from messagegen_arrow.advisor import Advice, advise
from messagegen_arrow.advisor.counting import Counts
from messagegen_arrow.catalog import Catalog, MessageTable

ROOT = Path(__file__).resolve().parents[3]

SPEC = """\
// The values to count, and the fields around them.
{
  "type": "data",
  "name": "Sample",
  // Version 1 adds Depth.
  "validVersions": "0-2",
  "deprecatedVersions": "0-2",
  "flexibleVersions": "1+",
  "commonStructs": [
    { "name": "Point", "versions": "0+", "fields": [
      { "name": "X", "type": "int32", "versions": "0+", "about": "Kept: \\u00e4, /* no comment */." },
      { "name": "Y", "type": "int64", "versions": "0-2", "encoding": { "0": "fixed32", "1-2": "fixed64" } } // trailing
    ]}
  ],
  "fields": [
    { "name": "Id", "type": "int32", "versions": "0+" },
    { "name": "Depth", "type": "int16", "versions": "1+", "ignorable": true,
      "about": "How deep." },
    { "name": "Unsigned", "type": "uint32", "versions": "0+" },
    { "name": "Numbers", "type": "[]int64", "versions": "0+", "nullableVersions": "0+" },
    { "name": "From", "type": "Point", "versions": "0+" },
    { "name": "Points", "type": "[]Point", "versions": "0+" },
    { "name": "Mapped", "type": { "0": "int16", "1+": "varint32" }, "versions": "0+" },
    { "name": "Spare", "type": "int32", "versions": "1+", "taggedVersions": "1+", "tag": 0, "default": "-1" },
    { "name": "Extra", "type": "Extra", "versions": "1+", "taggedVersions": "1+", "tag": 1, "fields": [
      { "name": "Count", "type": "int32", "versions": "1+", "default": "7" },
      { "name": "Label", "type": "string", "versions": "1+" }
    ]}
  ]
}
"""


@cache
def table() -> MessageTable:
    """Return the table of the made-up message."""
    return load_table(SPEC)


@cache
def sample_class() -> Any:
    """Return the generated class of the made-up message."""
    return load_class(SPEC)


def message(value: dict[str, Any], version: int) -> bytes:
    """Return a message from its JSON form; missing fields have their defaults."""
    point = {"x": 0, "y": 0}
    whole: dict[str, Any] = {"id": 0, "unsigned": 0, "numbers": [], "from": point, "points": [], "mapped": 0}
    if version >= 1:
        whole["depth"] = 0
    data: bytes = sample_class().from_json({**whole, **value}, version=version).encode(version=version)
    return data


def rows_of(messages: Sequence[tuple[int | None, bytes | None]], batch: int = 64) -> pa.Table:
    """Return the versions and bytes of messages as rows, in batches."""
    columns = {
        "value": pa.array([data for _, data in messages], pa.binary()),
        "version": pa.array([version for version, _ in messages], pa.int32()),
    }
    whole = pa.table(columns)
    return pa.Table.from_batches(whole.to_batches(max_chunksize=batch), whole.schema)


def counted(messages: Sequence[tuple[int | None, bytes | None]], of: MessageTable | None = None) -> Counts:
    """Return the counts of messages, in batches."""
    found = Counts()
    for batch in rows_of(messages).to_batches():
        values, versions = batch.columns
        found.add(values, versions, (of or table()).plan)
    return found


def advice_on(messages: Sequence[tuple[int, bytes]], of: MessageTable | None = None) -> Advice:
    """Return the advice for the versions and bytes of messages."""
    return advise(rows_of(messages), of or table())


def load_table(text: str) -> MessageTable:
    """Return the table of the message in a spec's text."""
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "spec.json"
        file.write_text(text, encoding="utf-8")
        (found,) = Catalog.of_specs(file)
    return found


def load_class(text: str) -> Any:
    """Return the generated class of the message in a spec's text."""
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "spec.json"
        file.write_text(text, encoding="utf-8")
        package = messagegen.load(file)
    return getattr(package, load_table(text).name)


def spec_of(fields: str, versions: str = "0") -> str:
    """Return a small spec with these fields."""
    head = {"type": "data", "name": "Small", "validVersions": versions, "flexibleVersions": "0+"}
    return json.dumps(head)[:-1] + f', "fields": [{fields}] }}'
