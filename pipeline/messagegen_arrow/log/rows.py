"""The rows of logs, which the native engine reads for a task."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from messagegen_arrow.engine import native_engine
from messagegen_arrow.log.errors import engine_errors
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.log.planning import LogTask, engine_filters
from messagegen_arrow.log.storage import Storage

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads tasks into the named columns."""

    names: tuple[str, ...]
    options: LogOptions

    def read(self, task: LogTask) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a task.

        Raises ``MalformedMessageError`` for a batch that can't be read, unless the mode keeps or drops such batches.
        Raises ``DataLossError`` for a file that is gone, unless ``failOnDataLoss`` is false, and ``OSError``.
        """
        with engine_errors():
            filters = engine_filters(self.options.bounds)
            reader = native_engine().LogReader(task.text, list(self.names), self.options.text, Storage(), filters)
        try:
            while True:
                with engine_errors():
                    batch = reader.read()
                _warn(reader)
                if batch is None:
                    return
                yield pa.record_batch(batch)
        finally:
            _warn(reader)
            _LOG.info("read_log: %s", _told(reader.tally()))


def _warn(reader: Any) -> None:
    for warning in reader.warnings():
        _LOG.warning("%s", warning)


def _told(tally: list[int]) -> str:
    files, size, rows, damaged, *left_out = tally
    return (
        f"{rows} rows from {files} file ranges ({size} bytes); {damaged} damaged batches; "
        f"{sum(left_out)} rows left out (control records, uncommitted records, or records that the mode drops)"
    )
