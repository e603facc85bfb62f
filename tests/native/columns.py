"""Runs the engine's compiled programs, each for one batch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest

pa: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed: columns are made from its arrays")


def decode_columns(
    plan: str,
    version: Any,
    values: Any,
    fields: Sequence[str] | None = None,
    *,
    schema_versions: Sequence[int] | None = None,
    skip: int = 0,
    **options: Any,
) -> Any:
    """Decode a batch into the columns of ``schema_versions``; the default is the batch's only version, or all."""
    if schema_versions is None and isinstance(version, int):
        schema_versions = [version]
    return _native().ColumnDecoder(plan, schema_versions, fields, **options).decode(values, version, skip)


def encode_columns(plan: str, version: Any, values: Any) -> Any:
    """Encode a batch."""
    return _native().ColumnEncoder(plan).encode(values, version)


def schema_of(
    plan: str, versions: Sequence[int] | None = None, fields: Sequence[str] | None = None, **options: Any
) -> Any:
    """Return the schema of decoded columns, which does not depend on the rows."""
    empty = pa.array([], pa.binary()), pa.array([], pa.int16())
    return pa.record_batch(_native().ColumnDecoder(plan, versions, fields, **options).decode(*empty)).schema


def ends_of(plan: str, version: int, values: Any) -> list[int | None]:
    """Return the end offsets of messages that are followed by other bytes."""
    found: list[int | None] = (
        pa.record_batch(_native().ColumnDecoder(plan, [version]).ends(values, version)).column(0).to_pylist()
    )
    return found


def _native() -> Any:
    return import_module("messagegen_native")
