"""What runs on executors to tell what is there; it imports as little as a real task does."""

from __future__ import annotations

import platform
import socket
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pyarrow as pa

from messagegen_arrow.engine import engine_name
from messagegen_arrow.files import Folders, is_url


def executor_facts(batches: Iterable[pa.RecordBatch], shared: str | None) -> Iterator[pa.RecordBatch]:
    """A row for each batch: the host, which engine decodes there, Python's version, and whether ``shared`` is there, if anything is."""
    # What tasks on this executor will import is imported here, so that what they lack is missed now.
    for module in ("messagegen_kafka._runtime.walk", "messagegen_arrow.records.engine"):
        import_module(module)
    for _ in batches:
        facts = [socket.gethostname(), engine_name(), platform.python_version(), shared is None or _sees(shared)]
        yield pa.RecordBatch.from_arrays([pa.array([fact]) for fact in facts], ["host", "engine", "python", "sees"])


def _sees(shared: str) -> bool:
    """Whether a folder is there. A store only has to answer, and raises ``StoreError`` otherwise: it has no empty folders."""
    if not is_url(shared):
        return Path(shared).exists()
    Folders().names(shared)
    return True
