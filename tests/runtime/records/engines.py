"""Runs the same code with and without the native engine, in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from messagegen_kafka._runtime.records import checksums, codec
from tests.runtime.records.made import HAS_NATIVE, outcomes

ENGINES = ["python", *["native"] * HAS_NATIVE]
engines = pytest.mark.parametrize("engine", ENGINES)


@contextmanager
def running(engine: str) -> Iterator[None]:
    """Use one engine for records during a ``with`` block. Without the native engine, its compressions are missing."""
    if engine == "native":
        _forget()
        yield
        return
    with (
        patch.object(checksums, "native_part", return_value=None),
        patch.object(codec, "native_part", return_value=None),
    ):
        _forget()
        yield
    _forget()


def _forget() -> None:
    codec.record_codec.cache_clear()
    checksums._implementation.cache_clear()  # noqa: SLF001 - it remembers an engine


def agreed(data: bytes, **options: Any) -> list[Any]:
    """Return the outcomes of reading bytes, after checking that both engines agree."""
    found = []
    for engine in ENGINES:
        with running(engine):
            found.append(outcomes(data, **options))
    assert all(one == found[0] for one in found)
    return found[0]
